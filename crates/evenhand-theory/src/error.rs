//! Why theory has no answer.

/// Why a limit cannot be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The queues have no stationary state.
    #[error("the load is {load}: queues grow without bound, so there is no fixed point")]
    Unstable {
        /// Arrival rate of work over total speed.
        load: f64,
    },
    /// A set of servers is sent more work than it does.
    #[error("{0}")]
    Saturated(String),
    /// A parameter is out of the range of the theory.
    #[error("{0}")]
    OutOfRange(String),
    /// An iteration did not settle.
    #[error("{what} did not settle within {steps} steps; the last change was {change:e}")]
    NoConvergence {
        /// What was computed.
        what: &'static str,
        /// Steps taken.
        steps: u32,
        /// Greatest relative change in the last step.
        change: f64,
    },
}
