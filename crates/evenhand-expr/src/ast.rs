//! What an expression is made of, and builders for it.

/// A range of a source text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

/// The value of an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A finite number.
    Number(f64),
    /// A text in double quotes, escapes resolved.
    Text(String),
    /// `true` or `false`.
    Bool(bool),
    /// A nested expression. A bare word is a call without arguments.
    Call(Call),
}

/// An expression: a name and its arguments.
///
/// Two calls are equal if their names and arguments are. Spans do not count.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name.
    pub name: String,
    /// The arguments in the order in which they were written.
    pub args: Vec<Arg>,
    /// Where the whole expression stands. Zero for a built expression.
    pub span: Span,
    /// Where the name stands. Zero for a built expression.
    pub name_span: Span,
}

/// One argument of a call: `value` or `key=value`. Equality ignores spans.
#[derive(Clone, Debug)]
pub struct Arg {
    /// The key of `key=value`; `None` for a positional argument.
    pub key: Option<String>,
    /// The value.
    pub value: Value,
    /// Where the value stands, without the key. Zero in a built expression.
    pub span: Span,
    /// Where the key stands, if there is one.
    pub key_span: Option<Span>,
}

impl Call {
    /// A call without arguments, spans zero.
    ///
    /// The name is not checked. Only names of the language (and not `true`, `false`, `nan`, `inf`
    /// or `infinity`) can be read back from the canonical form.
    ///
    /// ```
    /// use evenhand_expr::Call;
    /// let call = Call::word("choices").with(2.0).with_key("ties", Call::word("first"));
    /// assert_eq!(call.to_string(), "choices(2, ties=first)");
    /// ```
    pub fn word(name: &str) -> Call {
        Call {
            name: name.to_owned(),
            args: Vec::new(),
            span: Span::default(),
            name_span: Span::default(),
        }
    }

    /// The same call with one more positional argument.
    #[must_use]
    pub fn with(self, value: impl Into<Value>) -> Call {
        self.with_arg(None, value.into())
    }

    /// The same call with one more argument `key=value`. The key is not checked.
    #[must_use]
    pub fn with_key(self, key: impl Into<String>, value: impl Into<Value>) -> Call {
        self.with_arg(Some(key.into()), value.into())
    }

    /// Whether this is a bare word: a call without arguments.
    pub fn is_word(&self) -> bool {
        self.args.is_empty()
    }

    fn with_arg(mut self, key: Option<String>, value: Value) -> Call {
        let key_span = key.as_ref().map(|_| Span::default());
        self.args.push(Arg { key, value, span: Span::default(), key_span });
        self
    }
}

impl PartialEq for Call {
    fn eq(&self, other: &Call) -> bool {
        self.name == other.name && self.args == other.args
    }
}

impl PartialEq for Arg {
    fn eq(&self, other: &Arg) -> bool {
        self.key == other.key && self.value == other.value
    }
}

/// The number should be finite: others have no form in the language.
impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Number(number)
    }
}

/// Above 2^53 the nearest number that a double can hold.
impl From<u64> for Value {
    fn from(number: u64) -> Value {
        Value::Number(number as f64)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value::Bool(flag)
    }
}

/// Makes a text, not a bare word. For a word, see [`Call::word`].
impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<Call> for Value {
    fn from(call: Call) -> Value {
        Value::Call(call)
    }
}
