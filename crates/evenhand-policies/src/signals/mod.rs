//! What loads a rule is shown.

mod batched;
mod per_speed;

pub use batched::Batched;
pub use per_speed::PerSpeed;

use evenhand_expr::{Call, Error, Problem};

/// The signal of a request (`--signal`).
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum SignalSpec {
    /// The true loads.
    #[default]
    Exact,
    /// Loads as they were at the last refresh, every `b` balls.
    Batched {
        /// Balls between two refreshes.
        b: u64,
    },
    /// Load over speed.
    PerSpeed {
        /// True to count the arriving ball too: (load + 1) / speed.
        after: bool,
    },
}

const NAMES: [&str; 3] = ["exact", "batched", "per-speed"];

impl SignalSpec {
    /// Parses `exact`, `batched(b)` or `per-speed(after=true)`.
    ///
    /// # Errors
    /// All problems of the expression, each with its place.
    pub fn parse(source: &str) -> Result<Self, Error> {
        let call = evenhand_expr::parse(source)?;
        Self::read(&call).map_err(|problems| Error::new(source, problems))
    }

    fn read(call: &Call) -> Result<Self, Vec<Problem>> {
        let parameters: &[&str] = match call.name.as_str() {
            "exact" => &[],
            "batched" => &["b"],
            "per-speed" => &["after"],
            _ => return Err(vec![Problem::unknown("signal", call, NAMES)]),
        };
        let mut args = call.args(parameters);
        let signal = match call.name.as_str() {
            "batched" => Self::Batched { b: args.integer("b", 1..=1 << 53) },
            "per-speed" => {
                let given = args.span_of("after").is_some();
                Self::PerSpeed { after: !given || args.flag("after") }
            }
            _ => Self::Exact,
        };
        args.finish().map(|()| signal)
    }

    /// The canonical expression.
    pub fn expression(&self) -> Call {
        match *self {
            Self::Exact => Call::word("exact"),
            Self::Batched { b } => Call::word("batched").with(b),
            Self::PerSpeed { after: true } => Call::word("per-speed"),
            Self::PerSpeed { after: false } => Call::word("per-speed").with_key("after", false),
        }
    }
}

impl std::fmt::Display for SignalSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.expression().fmt(f)
    }
}
