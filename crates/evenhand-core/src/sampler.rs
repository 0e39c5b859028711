use crate::{CandidateSet, Rng};

/// Proposes candidate servers for an arrival, without reading load.
///
/// `A` is what an arrival carries: `()` for a bare ball, a place, a vertex, a key. A sampler that
/// ignores it implements the trait for every `A`.
///
/// The sampler must not look at loads: engines draw the candidates of many arrivals ahead.
pub trait Sampler<A = ()> {
    /// How the candidates are returned.
    type Set: CandidateSet;

    /// True if a draw has to wait for memory that the last draw's points to, as a walker's step
    /// does. Engines then draw for several replications in turn.
    const CHASES_MEMORY: bool = false;

    /// Draws the candidates of one arrival, in order.
    fn sample<R: Rng + ?Sized>(&mut self, arrival: &A, rng: &mut R) -> Self::Set;
}
