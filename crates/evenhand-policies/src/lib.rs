//! Load-balancing policies: one file each, in one registry.
//!
//! A policy is named by an expression, on the command line as in a file. Parsing gives a
//! [`PolicySpec`]; visiting it gives a sampler and a rule with their types, so that an engine's
//! loop is compiled for them.
//!
//! ```
//! use evenhand_policies::PolicySpec;
//!
//! let policy = PolicySpec::parse("choices(2, distinct)").unwrap();
//! assert_eq!(policy.to_string(), "choices(2, distinct)");
//!
//! let error = PolicySpec::parse("choises(2)").unwrap_err();
//! assert!(error.to_string().contains("did you mean `choices`?"));
//! ```
//!
//! - `catalogue/`: the policies, as their papers define them
//! - `samplers/`, `rules/`: what several policies share
//! - `signals/`: what loads a rule is shown; `comparisons/`: how it compares them
//! - `subsets/`: which servers a dispatcher knows
//! - `registry.rs`: the table that drives parsing, help and docs

pub mod catalogue;
pub mod comparisons;
mod definition;
mod network;
mod registry;
pub mod rules;
pub mod samplers;
pub mod signals;
pub mod subsets;

pub use definition::{Definition, Info, Issue, Setting, User, Visit, World};
pub use network::{Movement, Network};
pub use registry::{PolicySpec, policies};
