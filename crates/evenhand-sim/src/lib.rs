//! Simulation engines of Evenhand: balls into bins, and what is measured of them.
//!
//! ```
//! use evenhand_policies::PolicySpec;
//! use evenhand_sim::{Allocation, Control, Engine};
//!
//! let allocation = Allocation::new(PolicySpec::parse("two-choice").unwrap(), 1_000, 1_000);
//! let outcome = allocation.run(Engine::Bins, 0, &Control::default()).unwrap();
//! assert_eq!(outcome.at_least.as_ref().unwrap()[0], 1_000);
//! assert!(outcome.max_load <= 5.0);
//! ```
//!
//! - [`Allocation`]: a model of static allocation; `run` simulates one replication
//! - the *bins engine* keeps one counter per bin and runs any policy
//! - the *profile engine* keeps the number of bins at each load, and runs exchangeable policies
//!   at any size
//! - [`Service`], [`ArrivalSpec`]: how long jobs take, and when they arrive
//! - [`Keys`], [`binomial`]: parts of the profile engine, for other processes of counts
//! - [`observe`]: what is measured, and intervals over replications

mod allocation;
mod arrivals;
mod column;
pub mod observe;
mod service;
mod shares;
mod speeds;

pub use allocation::{
    Allocation, Control, Engine, Interrupted, Keys, Outcome, PlacedGraph, Servers, Snapshot,
    Spatial, UserSource, Users, binomial,
};
pub use arrivals::{ArrivalError, ArrivalProcess, ArrivalSpec, Mmpp, Trace};
pub use column::{ColumnError, read_column};
pub use service::{Hazard, Service};
pub use shares::draw_shares;
pub use speeds::Speeds;
