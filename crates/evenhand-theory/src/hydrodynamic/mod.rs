//! Queues with general service as the number of servers grows.
//!
//! An arrival goes to the shortest of d queues that are chosen at random; servers work first come
//! first served, unless said otherwise.
//!
//! - [`Stationary`]: the state to which the servers settle
//! - [`Delay`]: laws of waiting times and times in system there, tails and quantiles
//! - [`Transient`]: the state in time
//! - [`solve_by_stays`]: the same by another equation, as a check
//! - [`tail_regime`]: how fast its tail falls
//! - [`processor_sharing_fractions`]: the stationary state for processor sharing

mod ages;
mod delay;
mod flow;
mod lattice;
mod law;
mod legendre;
mod pde;
mod regime;
mod scheme;
mod sharing;
mod stationary;
mod transient;

pub use delay::{Delay, Estimate};
pub use pde::solve_by_stays;
pub use regime::{TailRegime, tail_regime};
pub use sharing::processor_sharing_fractions;
pub use stationary::Stationary;
pub use transient::{InitialJobs, Transient};
