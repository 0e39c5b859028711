use thiserror::Error;

/// Why arrivals cannot run at a rate.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ArrivalError {
    /// Only a trace has a rate of its own.
    #[error("these arrivals have no rate of their own; give a load or a rate")]
    NeedsRate,
    /// The rate is not a positive number, or so extreme that times lose their meaning.
    #[error("an arrival rate of {rate:?} is not possible; it must be from 1e-60 to 1e60")]
    Rate {
        /// The rate asked for.
        rate: f64,
    },
    /// A trace with fewer than two different instants cannot be scaled to a rate.
    #[error(
        "the trace has {jobs} jobs and one instant, so it has no rate to scale; \
         run it without a load or rate"
    )]
    NoOwnRate {
        /// Jobs of the trace.
        jobs: u64,
    },
    /// The phases change so often between two arrivals that a simulation would not come forward.
    #[error(
        "mmpp: {changes:e} changes of phase per arrival at rate {rate}; \
         give longer sojourn times, in the unit of time of the service times"
    )]
    FastPhases {
        /// Changes of phase per arrival, in the mean.
        changes: f64,
        /// The rate asked for.
        rate: f64,
    },
}
