//! Where balls are written, and what the rule is shown of it.

mod counters;
mod departures;
mod general;
mod load_index;

pub(crate) use counters::{Counter, Counters};
pub(crate) use departures::Departures;
pub(crate) use general::{General, View};
pub(crate) use load_index::LoadIndex;

use evenhand_core::{ServerId, Signal};

/// The loads of a simulation: a signal that can be written.
pub(crate) trait Ledger: Signal {
    /// Called before the candidates of a ball are compared; balls may leave here.
    #[inline(always)]
    fn before_ball(&mut self) {}

    /// Puts `balls` balls on `server`.
    fn admit(&mut self, server: ServerId, balls: u64);

    /// False if the next `choices` choices could overflow a counter: widen first.
    #[inline(always)]
    fn has_room_for(&self, _choices: u64) -> bool {
        true
    }
}
