//! When jobs arrive: Poisson, renewal and Markov-modulated processes, and traces of files.
//!
//! - `mmpp.rs`: Poisson processes whose rate goes through phases
//! - `trace.rs`: instants of a file, and the service times beside them
//! - `process.rs`: one arrival after the other
//! - `error.rs`: why a process cannot run at a rate

mod error;
mod mmpp;
mod process;
mod trace;

use evenhand_expr::{Args, Call, Error, Problem};

pub use error::ArrivalError;
pub use mmpp::Mmpp;
pub use process::ArrivalProcess;
pub use trace::Trace;

use crate::service::Service;

/// How jobs arrive (`--arrivals`).
///
/// ```
/// use evenhand_core::Stream;
/// use evenhand_sim::ArrivalSpec;
///
/// let arrivals = ArrivalSpec::parse("renewal(erlang(2))").unwrap();
/// let mut process = arrivals.process(Some(90.0)).unwrap();
/// let first = process.next_arrival(&mut Stream::from_seed(1)).unwrap();
/// assert!(first > 0.0);
/// ```
#[derive(Clone, Debug)]
pub enum ArrivalSpec {
    /// Independent exponential times between arrivals.
    Poisson,
    /// Independent times between arrivals with this law, scaled to the rate wanted. The first
    /// arrival comes one such time after the start.
    Renewal(Service),
    /// A Poisson process whose rate goes through phases.
    Mmpp(Mmpp),
    /// The arrivals of a file.
    Trace(Trace),
}

const NAMES: [&str; 4] = ["poisson", "renewal", "mmpp", "trace"];

impl ArrivalSpec {
    /// Parses
    /// - `poisson`
    /// - `renewal(LAW)`, with any [`Service`]
    /// - `mmpp(rate, sojourn, rate, sojourn, ...)`, see [`Mmpp`]
    /// - `trace("file", column="...", unit=s, service="...", scale=1, sort=false)`, see [`Trace`];
    ///   the file is read here
    ///
    /// # Errors
    /// All problems of the expression, each with its place; or the first bad line of the file.
    pub fn parse(source: &str) -> Result<Self, Error> {
        let call = evenhand_expr::parse(source)?;
        Self::from_call(&call).map_err(|problems| Error::new(source, problems))
    }

    /// Parses as [`ArrivalSpec::parse`] does, with `sort=true` for a trace that does not say
    /// whether to sort.
    ///
    /// # Errors
    /// As [`ArrivalSpec::parse`].
    pub fn parse_sorting(source: &str) -> Result<Self, Error> {
        let mut call = evenhand_expr::parse(source)?;
        if call.name == "trace" && call.args(&trace::PARAMETERS).span_of("sort").is_none() {
            call = call.with_key("sort", true);
        }
        Self::from_call(&call).map_err(|problems| Error::new(source, problems))
    }

    /// Reads a parsed expression.
    ///
    /// # Errors
    /// All problems of the call, each with its place.
    pub fn from_call(call: &Call) -> Result<Self, Vec<Problem>> {
        let parameters: &[&str] = match call.name.as_str() {
            "poisson" | "mmpp" => &[],
            "renewal" => &["law"],
            "trace" => &trace::PARAMETERS,
            _ => return Err(vec![Problem::unknown("arrivals", call, NAMES)]),
        };
        let mut args = call.args(parameters);
        let spec = match call.name.as_str() {
            "poisson" => Some(Self::Poisson),
            "renewal" => read_renewal(&mut args).map(Self::Renewal),
            "mmpp" => Mmpp::read(&mut args).map(Self::Mmpp),
            _ => Trace::read(&mut args).map(Self::Trace),
        };
        args.finish()?;
        Ok(spec.expect("no problem was found"))
    }

    /// The canonical expression.
    pub fn expression(&self) -> Call {
        match self {
            Self::Poisson => Call::word("poisson"),
            Self::Renewal(law) => Call::word("renewal").with(law.expression().clone()),
            Self::Mmpp(mmpp) => mmpp.expression(),
            Self::Trace(trace) => trace.expression().clone(),
        }
    }

    /// Arrivals per second, where the arrivals themselves have a rate: see [`Trace::rate`].
    pub fn rate(&self) -> Option<f64> {
        match self {
            Self::Trace(trace) => trace.rate(),
            _ => None,
        }
    }

    /// The trace, if it is one.
    pub fn trace(&self) -> Option<&Trace> {
        match self {
            Self::Trace(trace) => Some(trace),
            _ => None,
        }
    }

    /// The process from its start at time 0, with `rate` arrivals per unit of time in the long
    /// run. A trace runs at its own rate without `rate`; with it, its arrival times are scaled (and
    /// the jobs' own service times are not).
    ///
    /// # Errors
    /// A rate that is missing, not between 1e-60 and 1e60, or that the process cannot have.
    pub fn process(&self, rate: Option<f64>) -> Result<ArrivalProcess, ArrivalError> {
        ArrivalProcess::new(self, rate)
    }
}

impl std::fmt::Display for ArrivalSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.expression().fmt(f)
    }
}

fn read_renewal(args: &mut Args<'_>) -> Option<Service> {
    let Some(call) = args.call_or_none("law") else {
        if !args.has_problems() {
            let help = "write the law of the times between arrivals: renewal(erlang(2))";
            args.problem(None, "`renewal` needs a distribution", Some(help.into()));
        }
        return None;
    };
    args.nested(Service::from_call(call))
}
