use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::{ColumnError, Row};

/// The unit of instants that are numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Unit {
    #[default]
    Seconds,
    Milliseconds,
    Microseconds,
    Nanoseconds,
}

impl Unit {
    /// Words of the units, in the order of the variants.
    pub(crate) const WORDS: [&'static str; 4] = ["s", "ms", "us", "ns"];

    pub(crate) fn from_word(word: &str) -> Self {
        match word {
            "ms" => Self::Milliseconds,
            "us" => Self::Microseconds,
            "ns" => Self::Nanoseconds,
            _ => Self::Seconds,
        }
    }

    fn per_second(self) -> f64 {
        match self {
            Self::Seconds => 1.0,
            Self::Milliseconds => 1e3,
            Self::Microseconds => 1e6,
            Self::Nanoseconds => 1e9,
        }
    }
}

/// How the instants of a column are written. The first row decides for all.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// A number of units.
    Number,
    /// Date, time and an offset from UTC (or `Z`).
    Zoned,
    /// Date and time; read as UTC.
    Civil,
}

impl Form {
    fn of(cell: &str) -> Option<Self> {
        if cell.parse::<f64>().is_ok_and(f64::is_finite) {
            Some(Self::Number)
        } else if cell.parse::<Timestamp>().is_ok() {
            Some(Self::Zoned)
        } else if cell.parse::<DateTime>().is_ok() {
            Some(Self::Civil)
        } else {
            None
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Zoned => "a timestamp with an offset from UTC",
            Self::Civil => "a timestamp without an offset from UTC",
        }
    }

    fn read(self, cell: &str) -> Option<Instant> {
        match self {
            Self::Number => {
                let number: f64 = cell.parse().ok()?;
                number.is_finite().then_some(Instant::Number(number))
            }
            Self::Zoned => {
                let instant: Timestamp = cell.parse().ok()?;
                Some(Instant::Clock(instant.as_nanosecond()))
            }
            Self::Civil => {
                let civil: DateTime = cell.parse().ok()?;
                let instant = TimeZone::UTC.to_timestamp(civil).ok()?;
                Some(Instant::Clock(instant.as_nanosecond()))
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Instant {
    Number(f64),
    /// Nanoseconds since 1970.
    Clock(i128),
}

impl Instant {
    /// Both have the same form.
    fn seconds_to(self, later: Self, unit: Unit) -> f64 {
        match (self, later) {
            (Self::Clock(first), Self::Clock(later)) => (later - first) as f64 / 1e9,
            (Self::Number(first), Self::Number(later)) => (later - first) / unit.per_second(),
            _ => f64::NAN,
        }
    }
}

/// True for a number, even an infinite one, or a timestamp: such a cell is no header.
pub(super) fn is_data(cell: &str) -> bool {
    cell.parse::<f64>().is_ok() || Form::of(cell).is_some()
}

/// Reads instants, row by row, as seconds since the first row.
///
/// Timestamps keep their nanoseconds. Numbers are doubles: seconds since 1970 are exact to
/// 0.24 microseconds.
#[derive(Debug)]
pub(crate) struct Instants {
    unit: Unit,
    first: Option<(Form, Instant)>,
}

impl Instants {
    pub(crate) fn new(unit: Unit) -> Self {
        Self { unit, first: None }
    }

    /// True if the rows read are timestamps, so that a unit has no meaning.
    pub(crate) fn are_timestamps(&self) -> bool {
        self.first.is_some_and(|(form, _)| !matches!(form, Form::Number))
    }

    /// Seconds from the first row to this one; negative if it is before the first.
    ///
    /// # Errors
    /// A cell that is no instant, or of another form than the first row.
    pub(crate) fn read(&mut self, row: &Row<'_>, index: usize) -> Result<f64, ColumnError> {
        let cell = row.cell(index);
        let form = match self.first {
            Some((form, _)) => form,
            None => Form::of(cell).ok_or_else(|| ColumnError::UnknownInstant {
                path: row.path(),
                line: row.line(),
                cell: cell.to_string(),
            })?,
        };
        let refused = || ColumnError::Instant {
            path: row.path(),
            line: row.line(),
            cell: cell.to_string(),
            expected: form.name(),
        };
        let instant = form.read(cell).ok_or_else(refused)?;
        let (_, first) = *self.first.get_or_insert((form, instant));
        let seconds = first.seconds_to(instant, self.unit);
        if seconds.is_finite() { Ok(seconds) } else { Err(refused()) }
    }
}
