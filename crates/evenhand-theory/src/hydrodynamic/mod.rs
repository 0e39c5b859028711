//! Queues with general service as the number of servers grows.
//!
//! An arrival goes to the shortest of d queues that are chosen at random; servers work first come
//! first served, unless said otherwise.
//!
//! - [`Stationary`]: the state to which the servers settle
//! - [`Transient`]: the state in time
//! - [`tail_regime`]: how fast its tail falls
//! - [`processor_sharing_fractions`]: the stationary state for processor sharing

mod ages;
mod law;
mod legendre;
mod regime;
mod scheme;
mod sharing;
mod stationary;
mod transient;

pub use regime::{TailRegime, tail_regime};
pub use sharing::processor_sharing_fractions;
pub use stationary::Stationary;
pub use transient::{InitialJobs, Transient};
