//! A recursive-descent parser.

use std::str::FromStr;

use crate::ast::{Arg, Call, Span, Value};
use crate::error::{Error, Problem};
use crate::expect::{describe, shorten};
use crate::number::{self, BadNumber};

/// How many pairs of parentheses may stand around a value.
pub const MAX_DEPTH: usize = 64;

const VALUE_HELP: &str = "a value is a number, a \"text\", true, false or an expression";
const ESCAPE_HELP: &str = r#"the escapes are \" \\ \n and \t; write \\ for a backslash"#;

/// Reads one expression, which must be the whole of `source`.
///
/// # Errors
/// The first syntax error.
///
/// ```
/// use evenhand_expr::parse;
/// let call = parse(" one-plus-beta( 0.50, d = 1_000 ) ")?;
/// assert_eq!(call.to_string(), "one-plus-beta(0.5, d=1000)");
/// # Ok::<(), evenhand_expr::Error>(())
/// ```
pub fn parse(source: &str) -> Result<Call, Error> {
    let mut parser = Parser { source, at: 0 };
    parser.whole().map_err(|problem| Error::new(source, vec![problem]))
}

impl FromStr for Call {
    type Err = Error;

    fn from_str(source: &str) -> Result<Call, Error> {
        parse(source)
    }
}

struct Parser<'s> {
    source: &'s str,
    at: usize,
}

impl<'s> Parser<'s> {
    fn whole(&mut self) -> Result<Call, Problem> {
        self.skip_space();
        if self.peek().is_none() {
            let help = "write a name, or a name with arguments: name(arg, key=value)";
            return Err(problem(self.here(), "the expression is empty", Some(help)));
        }
        let (value, span) = self.value(0)?;
        let Value::Call(call) = value else {
            let message = format!("an expression starts with a name, got {}", describe(&value));
            return Err(problem(span, message, None));
        };
        self.skip_space();
        match self.peek() {
            None => Ok(call),
            Some(_) => Err(self.unexpected("the end of the expression", None)),
        }
    }

    /// A value inside `depth` pairs of parentheses.
    fn value(&mut self, depth: usize) -> Result<(Value, Span), Problem> {
        match self.peek() {
            Some('"') => self.text(),
            Some('0'..='9' | '-' | '+' | '.') => self.number(),
            Some('a'..='z' | 'A'..='Z') => self.word_or_call(depth),
            _ => Err(self.unexpected("a value", Some(VALUE_HELP))),
        }
    }

    fn word_or_call(&mut self, depth: usize) -> Result<(Value, Span), Problem> {
        let (name, name_span) = self.take_while(is_name_part);
        if is_not_finite(name) {
            let message = format!("`{name}` is not a finite number");
            return Err(problem(name_span, message, Some("write a finite number")));
        }
        self.skip_space();
        let has_arguments = self.peek() == Some('(');
        if name == "true" || name == "false" {
            return match has_arguments {
                false => Ok((Value::Bool(name == "true"), name_span)),
                true => Err(self.unexpected(&format!("no arguments after `{name}`"), None)),
            };
        }
        let args = match has_arguments {
            true => self.arguments(depth)?,
            false => Vec::new(),
        };
        let end = if has_arguments { self.at } else { name_span.end };
        let span = Span { start: name_span.start, end };
        let name = name.to_owned();
        let call = Call { name, args, span, name_span };
        Ok((Value::Call(call), span))
    }

    /// The arguments from the opening parenthesis to the closing one.
    fn arguments(&mut self, depth: usize) -> Result<Vec<Arg>, Problem> {
        let open = self.next_span();
        if depth == MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} levels deep");
            return Err(problem(open, message, Some("nest fewer expressions")));
        }
        self.at = open.end;
        let mut args = Vec::new();
        self.skip_space();
        if self.eat(')') {
            return Ok(args);
        }
        loop {
            self.skip_space();
            self.closed_before_end(open)?;
            args.push(self.argument(depth + 1)?);
            self.skip_space();
            if self.eat(')') {
                return Ok(args);
            }
            self.closed_before_end(open)?;
            if !self.eat(',') {
                return Err(self.unexpected("`,` or `)`", None));
            }
        }
    }

    fn argument(&mut self, depth: usize) -> Result<Arg, Problem> {
        let key = self.key();
        self.skip_space();
        let (value, span) = self.value(depth)?;
        Ok(Arg {
            key: key.map(|(name, _)| name.to_owned()),
            value,
            span,
            key_span: key.map(|(_, span)| span),
        })
    }

    /// The key and the `=` of a keyword argument, if there is one here.
    fn key(&mut self) -> Option<(&'s str, Span)> {
        let start = self.at;
        if !self.peek()?.is_ascii_alphabetic() {
            return None;
        }
        let key = self.take_while(is_name_part);
        self.skip_space();
        if self.eat('=') {
            return Some(key);
        }
        self.at = start;
        None
    }

    fn number(&mut self) -> Result<(Value, Span), Problem> {
        let (literal, span) = self.take_while(|c| c.is_alphanumeric() || "_.+-".contains(c));
        let reason = match number::read(literal) {
            Ok(number) => return Ok((Value::Number(number), span)),
            Err(reason) => reason,
        };
        let (what, help) = match reason {
            BadNumber::Malformed => {
                ("not a number", "numbers are written like 12, -3, 0.5, 1e6 or 1_000")
            }
            BadNumber::TooLarge => ("too large", "numbers go up to about 1.8e308"),
            BadNumber::Inexact => (
                "not exact as a double-precision number",
                "use a whole number up to 9007199254740992, or an exponent such as 1e18",
            ),
        };
        let message = format!("`{}` is {what}", shorten(literal));
        Err(problem(span, message, Some(help)))
    }

    fn text(&mut self) -> Result<(Value, Span), Problem> {
        let open = self.next_span();
        self.at = open.end;
        let mut text = String::new();
        loop {
            let character = self.next_span();
            match self.peek() {
                None => {
                    let help = Some("end the text with `\"`");
                    return Err(problem(open, "the text is not closed", help));
                }
                Some('"') => break,
                Some('\\') => text.push(self.escape()?),
                Some(other) => {
                    text.push(other);
                    self.at = character.end;
                }
            }
        }
        self.at += 1;
        let span = Span { start: open.start, end: self.at };
        Ok((Value::Text(text), span))
    }

    /// The character of an escape, which starts here.
    fn escape(&mut self) -> Result<char, Problem> {
        let start = self.at;
        self.at += 1;
        let end = self.next_span().end;
        let character = match self.peek() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some(same @ ('"' | '\\')) => same,
            _ => {
                let message = format!("unknown escape `{}`", &self.source[start..end]);
                return Err(problem(Span { start, end }, message, Some(ESCAPE_HELP)));
            }
        };
        self.at = end;
        Ok(character)
    }

    fn closed_before_end(&self, open: Span) -> Result<(), Problem> {
        match self.peek() {
            Some(_) => Ok(()),
            None => Err(problem(open, "this `(` is not closed", Some("add a `)`"))),
        }
    }

    fn unexpected(&self, expected: &str, help: Option<&str>) -> Problem {
        let (found, help) = match self.peek() {
            None => ("the end".to_owned(), help),
            Some(quote @ ('\'' | '‘' | '’' | '“' | '”')) => {
                (format!("`{quote}`"), Some("texts stand in plain double quotes: \"text\""))
            }
            Some(other) => (format!("`{}`", other.escape_debug()), help),
        };
        let message = format!("expected {expected}, found {found}");
        problem(self.next_span(), message, help)
    }

    fn peek(&self) -> Option<char> {
        self.source[self.at..].chars().next()
    }

    fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.at += expected.len_utf8();
        }
        found
    }

    fn skip_space(&mut self) {
        self.take_while(char::is_whitespace);
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> (&'s str, Span) {
        let rest = &self.source[self.at..];
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        let start = self.at;
        self.at += length;
        let end = self.at;
        (&rest[..length], Span { start, end })
    }

    fn here(&self) -> Span {
        Span { start: self.at, end: self.at }
    }

    /// The span of the next character; empty at the end.
    fn next_span(&self) -> Span {
        let length = self.peek().map_or(0, char::len_utf8);
        Span { start: self.at, end: self.at + length }
    }
}

fn is_name_part(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '-' || character == '_'
}

fn is_not_finite(name: &str) -> bool {
    ["nan", "inf", "infinity"].iter().any(|word| name.eq_ignore_ascii_case(word))
}

fn problem(span: Span, message: impl Into<String>, help: Option<&str>) -> Problem {
    Problem { span: Some(span), message: message.into(), help: help.map(str::to_owned) }
}
