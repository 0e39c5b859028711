//! Balls into bins as the number of bins grows.
//!
//! With n bins and m = T n balls, x_i is the fraction of bins with at least i balls, so that
//! x_0 = 1 and the x_i from i = 1 on sum to T. As n grows with T fixed, the x_i follow an ordinary
//! differential equation in T.
//!
//! - [`solve`]: that limit, for each [`Process`]
//! - [`corrections`]: the terms of order 1/n of the mean and of the covariance of the x_i
//! - [`maximum_load`], [`exact_law`]: the law of the maximum load of finitely many bins
//! - [`bounds`]: leading terms of the maximum load, as theorems give them

pub mod bounds;

mod choices;
mod corrections;
mod exact;
mod groups;
mod left;
mod maximum;
mod memory;
mod one_plus_beta;
mod process;
mod state;
mod threshold;
mod wave;
mod window;

pub use corrections::{Corrections, NumberOfBalls, corrections};
pub use exact::{ExactLaw, Sampling, exact_law};
pub use groups::Compare;
pub use maximum::{MaximumLoad, Method, maximum_load, maximum_load_by};
pub use process::{Process, solve};
pub use state::State;
pub use threshold::probes_per_ball;
