//! The bins engine: one counter per bin, any policy.
//!
//! Samplers do not read loads, so the candidates of the next block of balls are drawn, and their
//! loads prefetched, while the balls of the current block are placed one after the other. The
//! loads are bit for bit those of placing one ball at a time: samplers and rules draw from
//! streams of their own, in the same order.

mod arrivals;
mod engine;

pub use arrivals::Users;
pub(crate) use arrivals::{Arrivals, Bare};
pub(crate) use engine::{Stopped, Thrower};
