//! What theory says of load balancing, without a simulation.
//!
//! - [`fluid`]: balls into bins as the number of bins grows, corrections of order 1/n, and laws of
//!   the maximum load
//! - [`meanfield`]: queues with exponential service: fixed points, transients, corrections of order
//!   1/N and 1/N²
//! - [`hydrodynamic`]: queues with general service: the stationary state and the state in time
//!
//! - [`predict`]: from the models that are simulated to the theory that covers them
//!
//! All but [`predict`] is plain numbers in, plain numbers out.

pub mod fluid;
pub mod hydrodynamic;
pub mod meanfield;
pub mod predict;

mod choice;
mod error;
mod memory_chain;
mod ode;

pub use choice::choice_rate;
pub use error::Error;
