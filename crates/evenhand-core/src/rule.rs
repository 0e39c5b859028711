use crate::{Load, Rng, ServerId, Signal};

/// What a rule decided for one arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The server that gets the arrival.
    pub server: ServerId,
    /// Loads read to decide: the communication cost.
    pub probes: u32,
    /// Balls placed at once: 1, but for twinning and packing.
    pub balls: u64,
}

impl Choice {
    /// One ball on the best of `candidates`: their loads were read, unless there is no choice.
    #[inline(always)]
    pub fn best_of(candidates: &[ServerId], server: ServerId) -> Self {
        Self::one(server, if candidates.len() == 1 { 0 } else { candidates.len() as u32 })
    }

    /// One ball on `server` after reading `probes` loads.
    #[inline(always)]
    pub fn one(server: ServerId, probes: u32) -> Self {
        Self { server, probes, balls: 1 }
    }
}

/// Reads the loads of candidates and picks one.
pub trait Rule<L: Load> {
    /// True if every choice places exactly one ball. Engines may count on it.
    const ONE_BALL: bool = true;

    /// Picks a server for one arrival, or `None` if no candidate is eligible.
    fn choose<S, R>(&mut self, candidates: &[ServerId], signal: &S, rng: &mut R) -> Option<Choice>
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized;

    /// Called once the choice has been carried out and the signal may show it. Only rules with
    /// memory override it.
    #[inline(always)]
    fn placed<S, R>(
        &mut self,
        _candidates: &[ServerId],
        _choice: &Choice,
        _signal: &S,
        _rng: &mut R,
    ) where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
    }
}
