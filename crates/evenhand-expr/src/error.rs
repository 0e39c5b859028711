//! Problems with an expression, and how they are shown.

use std::fmt::{self, Display, Formatter};

use crate::ast::{Call, Span};
use crate::suggest;

/// One thing that is wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it is. `None` if it is nowhere in particular.
    pub span: Option<Span>,
    /// What is wrong.
    pub message: String,
    /// What to do about it, if the message does not say so.
    pub help: Option<String>,
}

impl Problem {
    /// The problem that the name of `call` is none of the `known` ones. `kind` is what the name
    /// should name, such as "policy" or "graph".
    ///
    /// ```
    /// use evenhand_expr::{Problem, parse};
    /// let problem = Problem::unknown("graph", &parse("rnig")?, ["complete", "ring"]);
    /// assert_eq!(problem.message, "unknown graph `rnig`");
    /// assert_eq!(problem.help.as_deref(), Some("did you mean `ring`?"));
    /// # Ok::<(), evenhand_expr::Error>(())
    /// ```
    pub fn unknown<'a>(
        kind: &str,
        call: &Call,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Problem {
        let known: Vec<&str> = known.into_iter().collect();
        let name = &call.name;
        Problem {
            span: Some(call.name_span),
            message: format!("unknown {kind} `{name}`"),
            help: suggest::help(name, known.iter().copied())
                .or_else(|| Some(format!("known are {}", known.join(", ")))),
        }
    }
}

/// Everything that is wrong with one expression.
///
/// Shown, each problem has the line of the source it is in, then a caret under its first
/// character with the column (counted in characters, from 1) and the message, then the help. If
/// the source has several lines, the line number stands before the column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The text that was read.
    pub source: String,
    /// What is wrong with it: at least one problem.
    pub problems: Vec<Problem>,
}

impl Error {
    /// An error about `source`. The spans of the problems are byte ranges of it; the part of a
    /// span that is outside is ignored.
    pub fn new(source: &str, problems: Vec<Problem>) -> Error {
        Error { source: source.to_owned(), problems }
    }
}

impl std::error::Error for Error {}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            show(f, &self.source, problem)?;
        }
        Ok(())
    }
}

fn show(f: &mut Formatter<'_>, source: &str, problem: &Problem) -> fmt::Result {
    let message = visible(&problem.message);
    let help = problem.help.as_deref().map(visible);
    let Some(span) = problem.span else {
        f.write_str(&message)?;
        return help.map_or(Ok(()), |help| write!(f, "\nhelp: {help}"));
    };
    let place = Place::of(source, span.start);
    writeln!(f, "{}", visible(place.text))?;
    let indent = " ".repeat(place.column - 1);
    write!(f, "{indent}^ ")?;
    if source.trim_end().contains('\n') {
        write!(f, "line {}, ", place.line)?;
    }
    write!(f, "column {}: {message}", place.column)?;
    help.map_or(Ok(()), |help| write!(f, "\n{indent}help: {help}"))
}

/// A position of a source as people count it.
struct Place<'s> {
    /// The line it is in, without the line break.
    text: &'s str,
    /// The number of the line, from 1.
    line: usize,
    /// The column in characters, from 1.
    column: usize,
}

impl<'s> Place<'s> {
    fn of(source: &'s str, offset: usize) -> Place<'s> {
        let (before, after) = source.split_at(source.floor_char_boundary(offset));
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line_end = before.len() + after.find('\n').unwrap_or(after.len());
        Place {
            text: &source[line_start..line_end],
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// The text with every control character shown as a space, so that columns stay in line.
fn visible(text: &str) -> String {
    text.replace(char::is_control, " ")
}
