//! The canonical form of expressions.

use std::fmt::{self, Display, Formatter, Write};

use crate::ast::{Arg, Call, Value};
use crate::number;

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number::write(f, *number),
            Value::Text(text) => write_text(f, text),
            Value::Bool(flag) => write!(f, "{flag}"),
            Value::Call(call) => call.fmt(f),
        }
    }
}

impl Display for Call {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        let Some((first, rest)) = self.args.split_first() else {
            return Ok(());
        };
        write!(f, "({first}")?;
        for arg in rest {
            write!(f, ", {arg}")?;
        }
        f.write_char(')')
    }
}

impl Display for Arg {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(key) = &self.key {
            write!(f, "{key}=")?;
        }
        self.value.fmt(f)
    }
}

fn write_text(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            other => f.write_char(other)?,
        }
    }
    f.write_char('"')
}
