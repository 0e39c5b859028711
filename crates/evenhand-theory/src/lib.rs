//! What theory says of load balancing, without a simulation.
//!
//! - [`fluid`]: balls into bins as the number of bins grows, corrections of order 1/n, and laws of
//!   the maximum load
//! - [`meanfield`]: queues with exponential service: fixed points, transients, corrections of order
//!   1/N and 1/N²
//! - [`hydrodynamic`]: queues with general service: the stationary state and the state in time
//! - [`predict`]: from the models that are simulated to the theory that covers them
//!
//! All but [`predict`] is plain numbers in, plain numbers out.
//!
//! # Example
//!
//! ```
//! use evenhand_policies::PolicySpec;
//! use evenhand_queue::Queue;
//! use evenhand_theory::{meanfield, predict};
//!
//! // By numbers: the supermarket model at load 0.9.
//! let two = meanfield::Selection::Choices { d: 2 };
//! let state = meanfield::supermarket::fixed_point(two, 0.9)?;
//! assert!((state.mean_sojourn() - 2.614057).abs() < 1e-6);
//!
//! // By a model: the same, and what 100 servers add.
//! let queue = Queue::new(PolicySpec::parse("two-choice").unwrap(), 100, 0.9);
//! let prediction = predict::queue(&queue, true, &[])?;
//! let refined = prediction.refined.unwrap().numbers;
//! assert!((refined.queue_length.unwrap().mean - 2.39252).abs() < 1e-5);
//! assert_eq!(prediction.theorem.holds, Some(true));
//! # Ok::<(), evenhand_theory::predict::Unpredicted>(())
//! ```

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
