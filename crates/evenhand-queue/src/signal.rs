//! What dispatchers see of the queues.

use evenhand_expr::{Call, Error, Problem};

/// The signal of a request (`--signal`).
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum QueueSignal {
    /// The true queue lengths, jobs in service included.
    #[default]
    Exact,
    /// A dispatcher sees only the jobs that it sent itself and that have not left.
    Local,
    /// Queue lengths as they were at the last refresh.
    Periodic {
        /// Time between two refreshes.
        period: f64,
    },
    /// Queue length over speed.
    PerSpeed {
        /// True to count the arriving job too: (length + 1) / speed.
        after: bool,
    },
}

const NAMES: [&str; 4] = ["exact", "local", "periodic", "per-speed"];

impl QueueSignal {
    /// Parses `exact`, `local`, `periodic(T)` or `per-speed(after=true)`.
    ///
    /// # Errors
    /// All problems of the expression, each with its place.
    pub fn parse(source: &str) -> Result<Self, Error> {
        let call = evenhand_expr::parse(source)?;
        Self::read(&call).map_err(|problems| Error::new(source, problems))
    }

    fn read(call: &Call) -> Result<Self, Vec<Problem>> {
        let parameters: &[&str] = match call.name.as_str() {
            "exact" | "local" => &[],
            "periodic" => &["period"],
            "per-speed" => &["after"],
            _ => return Err(vec![Problem::unknown("signal", call, NAMES)]),
        };
        let mut args = call.args(parameters);
        let signal = match call.name.as_str() {
            "local" => Self::Local,
            "periodic" => Self::Periodic { period: args.number("period", f64::MIN_POSITIVE..) },
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
            Self::Local => Call::word("local"),
            Self::Periodic { period } => Call::word("periodic").with(period),
            Self::PerSpeed { after: true } => Call::word("per-speed"),
            Self::PerSpeed { after: false } => Call::word("per-speed").with_key("after", false),
        }
    }
}

impl std::fmt::Display for QueueSignal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.expression().fmt(f)
    }
}
