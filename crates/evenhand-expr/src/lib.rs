//! The expression language of Evenhand.
//!
//! Policies, graphs, service times, arrivals, subsets and signals are all named by one small
//! language: `name` or `name(arg, ..., key=value, ...)`.
//!
//! ```text
//! expression = name [ "(" [ argument { "," argument } ] ")" ]
//! argument   = [ name "=" ] value
//! value      = number | text | "true" | "false" | expression
//! name       = letter { letter | digit | "-" | "_" }
//! number     = [ "-" ] digits [ "." digits ] [ ("e" | "E") [ "+" | "-" ] digits ]
//! text       = '"' { any character, with \" \\ \n \t as escapes } '"'
//! ```
//!
//! Letters are ASCII. Digits may be grouped by single underscores (`1_000`). White space between
//! tokens is free. Numbers are finite: the words `nan`, `inf` and `infinity` are refused.
//! Expressions nest at most [`MAX_DEPTH`] deep.
//!
//! - [`parse`] reads an expression into a [`Call`].
//! - Its [`Display`](std::fmt::Display) form is canonical: parsing it gives an equal value.
//! - [`Call::args`] reads the arguments by name and type, and collects every [`Problem`].
//! - [`Error`] shows each problem under the column where it is.
//!
//! # Example
//!
//! ```
//! use evenhand_expr::{Call, Error, Problem, parse};
//!
//! #[derive(Debug, PartialEq)]
//! struct Choices {
//!     d: u64,
//!     distinct: bool,
//!     ties: &'static str,
//! }
//!
//! fn choices(call: &Call) -> Result<Choices, Vec<Problem>> {
//!     let mut args = call.args(&["d", "distinct", "ties"]);
//!     let choices = Choices {
//!         d: args.integer("d", 1..=4096),
//!         distinct: args.flag("distinct"),
//!         ties: args.word_or("ties", &["random", "first"], "random"),
//!     };
//!     args.finish().map(|()| choices)
//! }
//!
//! fn read(source: &str) -> Result<Choices, Error> {
//!     let call = parse(source)?;
//!     choices(&call).map_err(|problems| Error::new(source, problems))
//! }
//!
//! assert_eq!(
//!     read("choices(1_000, distinct)"),
//!     Ok(Choices { d: 1000, distinct: true, ties: "random" })
//! );
//! assert_eq!(
//!     read("choices(d=0, ties=frist)").unwrap_err().to_string(),
//!     "\
//! choices(d=0, ties=frist)
//!           ^ column 11: `d` must be between 1 and 4096, got 0
//! choices(d=0, ties=frist)
//!                   ^ column 19: `ties` must be `random` or `first`, got the word `frist`
//!                   help: did you mean `first`?"
//! );
//! ```

mod args;
mod ast;
mod canonical;
mod error;
mod expect;
mod number;
mod parser;
mod suggest;

pub use args::Args;
pub use ast::{Arg, Call, Span, Value};
pub use error::{Error, Problem};
pub use parser::{MAX_DEPTH, parse};
pub use suggest::did_you_mean;
