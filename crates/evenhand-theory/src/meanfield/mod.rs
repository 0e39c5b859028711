//! Queues with exponential service as the number of servers grows.
//!
//! Each of N servers works through one queue. Jobs arrive at rate lambda N, bring exponential work
//! of mean 1, and join a server by its load. The state is s\[k\], the fraction of servers with at
//! least k jobs, the one in service included; s\[0\] = 1. The unit of time is one mean service time.
//!
//! - [`supermarket`]: the stationary state and the law of a job's time, by [`Selection`]
//! - [`transient`]: the state in time
//! - [`refined`]: corrections of order 1/N and 1/N²
//! - [`heterogeneous`]: servers of several speeds
//! - [`pair`]: choices between neighbours on a graph
//! - [`least_work`]: the least work instead of the least jobs

pub mod heterogeneous;
pub mod least_work;
pub mod pair;
pub mod refined;
pub mod supermarket;
pub mod transient;

mod inputs;
mod law;
mod selection;

pub use selection::Selection;
