//! Reading the arguments of a call by name and type.

mod binding;

use std::ops::{RangeBounds, RangeInclusive};

use crate::ast::{Arg, Call, Span, Value};
use crate::error::Problem;
use crate::expect::{self, Mismatch, describe};
use crate::suggest;
use binding::Bindings;

/// A typed reader of a call's arguments. Made by [`Call::args`].
///
/// Every getter takes the name of a parameter. If the argument does not fit, or a required one is
/// missing, the getter notes a [`Problem`] and returns a value that is harmless to go on with, so
/// that all problems of a call are found in one pass. The values count only if
/// [`finish`](Args::finish) returns `Ok`.
///
/// ```
/// use evenhand_expr::parse;
///
/// let call = parse("walks(2, regular(8), reset=meet)")?;
/// let mut args = call.args(&["d", "graph", "reset"]);
/// let d = args.integer("d", 1..=64);
/// let graph = args.call_or_none("graph");
/// let reset = args.word_or("reset", &["never", "meet"], "never");
/// assert_eq!(args.finish(), Ok(()));
/// assert_eq!((d, reset), (2, "meet"));
/// assert_eq!(graph.map(|graph| graph.to_string()).as_deref(), Some("regular(8)"));
/// # Ok::<(), evenhand_expr::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "`finish` tells whether the arguments were in order"]
pub struct Args<'c> {
    bindings: Bindings<'c>,
    problems: Vec<Problem>,
}

impl Call {
    /// A reader of the arguments. `parameters` names all parameters, in positional order.
    ///
    /// Keyword arguments bind by name, positional ones in order. A positional bare word that is
    /// the name of a parameter sets that parameter true and takes no position:
    /// `choices(2, distinct)` is `choices(2, distinct=true)`.
    pub fn args<'c>(&'c self, parameters: &[&'static str]) -> Args<'c> {
        Args { bindings: Bindings::new(self, parameters), problems: Vec::new() }
    }
}

impl<'c> Args<'c> {
    /// A required whole number. `1e6` and `1_000` are whole, `2.5` is not.
    pub fn integer(&mut self, name: &str, range: RangeInclusive<u64>) -> u64 {
        match self.bindings.take(name) {
            Some(arg) => self.check(name, arg, expect::integer(&arg.value, &range)),
            None => self.missing(name, &format!("a whole number, {}", expect::integers(&range))),
        }
        .unwrap_or(*range.start())
    }

    /// A whole number, or `default` if it is not given.
    pub fn integer_or(&mut self, name: &str, range: RangeInclusive<u64>, default: u64) -> u64 {
        self.bindings
            .take(name)
            .and_then(|arg| self.check(name, arg, expect::integer(&arg.value, &range)))
            .unwrap_or(default)
    }

    /// A required finite number.
    pub fn number(&mut self, name: &str, range: impl RangeBounds<f64>) -> f64 {
        match self.bindings.take(name) {
            Some(arg) => self.check(name, arg, expect::number(&arg.value, &range)),
            None => self.missing(name, &format!("a number, {}", expect::numbers(&range))),
        }
        .unwrap_or_else(|| expect::number_in(&range))
    }

    /// A finite number, or `default` if it is not given.
    pub fn number_or(&mut self, name: &str, range: impl RangeBounds<f64>, default: f64) -> f64 {
        self.bindings
            .take(name)
            .and_then(|arg| self.check(name, arg, expect::number(&arg.value, &range)))
            .unwrap_or(default)
    }

    /// Whether a flag is set, by `name=true` or by its bare name.
    pub fn flag(&mut self, name: &str) -> bool {
        let Some(arg) = self.bindings.take(name) else {
            return false;
        };
        let bare = matches!(&arg.value, Value::Call(call) if call.is_word() && call.name == name);
        if bare && arg.key.is_none() {
            return true;
        }
        self.check(name, arg, expect::flag(&arg.value)).unwrap_or(false)
    }

    /// A required bare word, one of `allowed`.
    pub fn word(&mut self, name: &str, allowed: &[&'static str]) -> &'static str {
        match self.bindings.take(name) {
            Some(arg) => self.check(name, arg, expect::word(&arg.value, allowed)),
            None => self.missing(name, &expect::one_of(allowed)),
        }
        .unwrap_or_else(|| allowed.first().copied().unwrap_or_default())
    }

    /// A bare word, one of `allowed`, or `default` if it is not given.
    pub fn word_or(
        &mut self,
        name: &str,
        allowed: &[&'static str],
        default: &'static str,
    ) -> &'static str {
        self.bindings
            .take(name)
            .and_then(|arg| self.check(name, arg, expect::word(&arg.value, allowed)))
            .unwrap_or(default)
    }

    /// A required text. Empty after a problem.
    pub fn text(&mut self, name: &str) -> String {
        match self.bindings.take(name) {
            Some(arg) => self.check(name, arg, expect::text(&arg.value)),
            None => self.missing(name, "a text in quotes"),
        }
        .unwrap_or_default()
    }

    /// A text, if it is given.
    pub fn text_or_none(&mut self, name: &str) -> Option<String> {
        let arg = self.bindings.take(name)?;
        self.check(name, arg, expect::text(&arg.value))
    }

    /// A nested expression or a bare word, if it is given.
    pub fn call_or_none(&mut self, name: &str) -> Option<&'c Call> {
        let arg = self.bindings.take(name)?;
        self.check(name, arg, expect::call(&arg.value))
    }

    /// The value as it was written, if it is given; for parameters of more than one type.
    pub fn value(&mut self, name: &str) -> Option<&'c Value> {
        self.bindings.take(name).map(|arg| &arg.value)
    }

    /// All positional arguments that no getter has read yet, as finite numbers with their spans;
    /// for calls such as `classes(0.8, 1, 0.2, 0.25)`.
    ///
    /// Call it before the getters of parameters that can only be given by keyword. Here every
    /// argument that is not a number is a problem of its own, and reads as 1.
    pub fn numbers_rest(&mut self) -> Vec<(f64, Span)> {
        let rest = self.bindings.take_rest();
        rest.into_iter()
            .map(|(position, arg)| {
                let name = format!("argument {}", position + 1);
                let number = self.check_as(&name, arg, expect::number(&arg.value, &..));
                (number.unwrap_or(1.0), arg.span)
            })
            .collect()
    }

    /// Where the value of a parameter stands, if it is given.
    pub fn span_of(&self, name: &str) -> Option<Span> {
        self.bindings.get(name).map(|arg| arg.span)
    }

    /// Notes a problem that a getter cannot see, such as two parameters that contradict each
    /// other. Without a span the problem is at the name of the call.
    pub fn problem(
        &mut self,
        span: Option<Span>,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        self.problems.push(Problem {
            span: span.or(Some(self.bindings.call().name_span)),
            message: message.into(),
            help,
        });
    }

    /// The value of a nested reading; its problems are noted with the others.
    pub fn nested<T>(&mut self, result: Result<T, Vec<Problem>>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(problems) => {
                self.problems.extend(problems);
                None
            }
        }
    }

    /// Whether a problem was noted so far. Checks across parameters make sense only if not.
    pub fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// All problems in the order of their place: those of the getters, unknown keys, arguments
    /// given twice, too many positional arguments and, if there is nothing else, arguments that no
    /// getter has read.
    pub fn finish(mut self) -> Result<(), Vec<Problem>> {
        self.problems.extend(self.bindings.misplaced());
        if self.problems.is_empty() {
            self.problems.extend(self.bindings.unread());
        }
        if self.problems.is_empty() {
            return Ok(());
        }
        self.problems.sort_by_key(|problem| problem.span.map_or(usize::MAX, |span| span.start));
        Err(self.problems)
    }

    fn check<T>(&mut self, name: &str, arg: &Arg, result: Result<T, Mismatch>) -> Option<T> {
        self.check_as(&format!("`{name}`"), arg, result)
    }

    fn check_as<T>(&mut self, what: &str, arg: &Arg, result: Result<T, Mismatch>) -> Option<T> {
        let Mismatch { expected, help } = match result {
            Ok(value) => return Some(value),
            Err(mismatch) => mismatch,
        };
        let message = format!("{what} must be {expected}, got {}", describe(&arg.value));
        let help = help.or_else(|| self.meant_flag(arg));
        self.problem(Some(arg.span), message, help);
        None
    }

    /// A misspelt flag binds to some position; say which flag it may be.
    fn meant_flag(&self, arg: &Arg) -> Option<String> {
        match &arg.value {
            Value::Call(call) if call.is_word() && arg.key.is_none() => {
                suggest::help(&call.name, self.bindings.parameters().iter().copied())
            }
            _ => None,
        }
    }

    fn missing<T>(&mut self, name: &str, expected: &str) -> Option<T> {
        let message = format!("`{}` needs `{name}`: {expected}", self.bindings.call().name);
        self.problem(None, message, None);
        None
    }
}
