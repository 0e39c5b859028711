//! The first line of a Matrix Market file.

use super::super::Problem;
use super::super::problem::shortened;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Nonzero entries with their places.
    Coordinate,
    /// All entries, column after column.
    Array,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Real,
    Integer,
    Complex,
    Pattern,
}

impl Field {
    /// Numbers in each value.
    pub(super) fn width(self) -> usize {
        match self {
            Field::Pattern => 0,
            Field::Real | Field::Integer => 1,
            Field::Complex => 2,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symmetry {
    General,
    /// Symmetric or hermitian: the diagonal and what is below it.
    Symmetric,
    /// Skew-symmetric: only what is below the diagonal.
    Skew,
}

/// What the first line says.
pub(super) struct Banner {
    pub(super) layout: Layout,
    pub(super) field: Field,
    pub(super) symmetry: Symmetry,
    /// The line starts with one percent sign instead of two.
    pub(super) single_percent: bool,
}

impl Banner {
    pub(super) fn parse(line: &str) -> Result<Self, Problem> {
        let lower = line.to_ascii_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        let [start, object, layout, field, symmetry] = words[..] else {
            return Err(no_banner(line));
        };
        if !matches!(start, "%%matrixmarket" | "%matrixmarket") {
            return Err(no_banner(line));
        }
        if object != "matrix" {
            return Err(word("the object of the first line", object, "matrix"));
        }
        let layout = match layout {
            "coordinate" => Layout::Coordinate,
            "array" => Layout::Array,
            _ => return Err(word("the format of the first line", layout, "coordinate or array")),
        };
        let number = parse_field(field)?;
        let banner = Banner {
            layout,
            field: number,
            symmetry: parse_symmetry(symmetry)?,
            single_percent: !start.starts_with("%%"),
        };
        banner.check(symmetry == "hermitian")?;
        Ok(banner)
    }

    /// Checks that the words go together.
    fn check(&self, hermitian: bool) -> Result<(), Problem> {
        let what = "the symmetry of the first line";
        if hermitian && self.field != Field::Complex {
            return Err(word(what, "hermitian", "symmetric, for a matrix that is not complex"));
        }
        if self.field == Field::Pattern && self.symmetry == Symmetry::Skew {
            let expected = "general or symmetric, for a pattern: it has no signs";
            return Err(word(what, "skew-symmetric", expected));
        }
        if self.field == Field::Pattern && self.layout == Layout::Array {
            let what = "the field of the first line";
            return Err(word(what, "pattern", "real, integer or complex, for an array"));
        }
        Ok(())
    }
}

fn parse_field(field: &str) -> Result<Field, Problem> {
    match field {
        "real" | "double" => Ok(Field::Real),
        "integer" => Ok(Field::Integer),
        "complex" => Ok(Field::Complex),
        "pattern" => Ok(Field::Pattern),
        _ => {
            let expected = "real, integer, complex or pattern";
            Err(word("the field of the first line", field, expected))
        }
    }
}

fn parse_symmetry(symmetry: &str) -> Result<Symmetry, Problem> {
    match symmetry {
        "general" => Ok(Symmetry::General),
        "symmetric" | "hermitian" => Ok(Symmetry::Symmetric),
        "skew-symmetric" => Ok(Symmetry::Skew),
        _ => {
            let expected = "general, symmetric, skew-symmetric or hermitian";
            Err(word("the symmetry of the first line", symmetry, expected))
        }
    }
}

fn no_banner(line: &str) -> Problem {
    let expected = "%%MatrixMarket matrix, then format, field and symmetry";
    Problem::Value { what: "the first line", found: shortened(line), expected }
}

fn word(what: &'static str, found: &str, expected: &'static str) -> Problem {
    Problem::Value { what, found: shortened(found), expected }
}
