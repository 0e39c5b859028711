//! The entries of a matrix, one a line.

use super::super::Problem;
use super::super::problem::shortened;
use super::banner::{Banner, Field, Layout, Symmetry};

/// What the size line says. Only a general matrix may have unequal sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) rows: u64,
    pub(super) columns: u64,
    /// Number of entries of a coordinate matrix.
    pub(super) entries: u64,
}

/// The entries so far.
pub(super) struct Entries {
    layout: Layout,
    field: Field,
    symmetry: Symmetry,
    size: Size,
    promised: u64,
    found: u64,
    /// Row and column, from 0, of the next entry of an array.
    next: (u64, u64),
    /// Row and column, from 0, of entries that are not zero.
    pub(super) positions: Vec<(u32, u32)>,
    /// Number of entries that are zero.
    pub(super) zeros: u64,
}

impl Entries {
    pub(super) fn new(banner: &Banner, size: Size) -> Self {
        let rows = u128::from(size.rows);
        let below = rows * rows.saturating_sub(1) / 2;
        let all = match banner.symmetry {
            Symmetry::General => rows * u128::from(size.columns),
            Symmetry::Symmetric => below + rows,
            Symmetry::Skew => below,
        };
        let promised = match banner.layout {
            Layout::Coordinate => size.entries,
            Layout::Array => u64::try_from(all).unwrap_or(u64::MAX),
        };
        Entries {
            layout: banner.layout,
            field: banner.field,
            symmetry: banner.symmetry,
            size,
            promised,
            found: 0,
            next: (first_row(banner.symmetry, 0), 0),
            positions: Vec::new(),
            zeros: 0,
        }
    }

    /// Takes the entry on a line.
    pub(super) fn take(&mut self, line: &str) -> Result<(), Problem> {
        self.found += 1;
        if self.found > self.promised {
            return Err(Problem::ExtraEntry { promised: self.promised, found: self.found });
        }
        self.check_fields(line)?;
        let mut words = line.split_whitespace();
        let (row, column) = match self.layout {
            Layout::Coordinate => {
                let row = index(words.next(), "row", self.size.rows)?;
                (row, index(words.next(), "column", self.size.columns)?)
            }
            Layout::Array => self.step(),
        };
        if self.symmetry == Symmetry::Skew && row == column {
            let what = "an entry on the diagonal of a skew-symmetric matrix";
            return Err(Problem::Unsupported { what, hint: "remove it, it must be zero" });
        }
        if self.is_zero(words)? {
            self.zeros += 1;
        } else {
            self.keep(row, column)?;
        }
        Ok(())
    }

    /// Checks that no entry is missing.
    pub(super) fn check_complete(&self) -> Result<(), Problem> {
        let (promised, found) = (self.promised, self.found);
        if found == promised { Ok(()) } else { Err(Problem::MissingEntries { promised, found }) }
    }

    fn check_fields(&self, line: &str) -> Result<(), Problem> {
        let (place, hint) = match self.layout {
            Layout::Coordinate => (2, "row, column, and the numbers of the field"),
            Layout::Array => (0, "one value, which is two numbers if complex"),
        };
        let expected = place + self.field.width();
        let found = line.split_whitespace().count();
        if found == expected {
            return Ok(());
        }
        Err(Problem::FieldCount { found, expected, hint })
    }

    /// The place of the next entry of an array: down the columns.
    fn step(&mut self) -> (u64, u64) {
        let place = self.next;
        let (row, column) = place;
        self.next = if row + 1 < self.size.rows {
            (row + 1, column)
        } else {
            (first_row(self.symmetry, column + 1), column + 1)
        };
        place
    }

    fn is_zero<'l>(&self, words: impl Iterator<Item = &'l str>) -> Result<bool, Problem> {
        let mut zero = self.field != Field::Pattern;
        for word in words {
            zero &= self.number(word)? == 0.0;
        }
        Ok(zero)
    }

    fn number(&self, word: &str) -> Result<f64, Problem> {
        let value = |expected| Problem::Value {
            what: "the value of the entry",
            found: shortened(word),
            expected,
        };
        if self.field == Field::Integer {
            let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(value("an integer"));
            }
        }
        word.parse().map_err(|_| value("a number"))
    }

    fn keep(&mut self, row: u64, column: u64) -> Result<(), Problem> {
        let narrow = |index: u64| {
            u32::try_from(index).map_err(|_| Problem::TooManyVertices {
                claimed: self.size.rows.max(self.size.columns),
                limit: u64::from(u32::MAX),
            })
        };
        let (row, column) = (narrow(row)?, narrow(column)?);
        let place = match self.symmetry {
            Symmetry::General => (row, column),
            // The other half stands for this one.
            Symmetry::Symmetric | Symmetry::Skew => (row.max(column), row.min(column)),
        };
        self.positions.push(place);
        Ok(())
    }
}

/// A row or column, from 0.
fn index(word: Option<&str>, what: &'static str, size: u64) -> Result<u64, Problem> {
    let word = word.unwrap_or_default();
    let index: u64 = word.parse().map_err(|_| {
        let expected = "a positive integer";
        Problem::Value { what, found: shortened(word), expected }
    })?;
    if (1..=size).contains(&index) {
        return Ok(index - 1);
    }
    Err(Problem::IndexOutOfRange { what, index, size })
}

/// The first row that an array lists of a column.
fn first_row(symmetry: Symmetry, column: u64) -> u64 {
    match symmetry {
        Symmetry::General => 0,
        Symmetry::Symmetric => column,
        Symmetry::Skew => column + 1,
    }
}
