//! From models to answers: running replications, and showing what came out.
//!
//! [`study`] runs points (a model, an engine, a number of runs) over threads. A
//! [`record::Record`] is the whole answer of a command. This crate turns it into
//!
//! - text and data: [`output::write`] as a table, JSON, CSV or Parquet,
//! - pictures: [`figure::render`] and [`figure::write_plot`] as SVG or PNG,
//! - a page: [`report::write`] as one self-contained HTML file.
//!
//! # Example
//!
//! ```
//! use evenhand_lab::output::{self, Format};
//! use evenhand_lab::record::{AllocateResult, Estimate, MaxLoad, Record};
//!
//! let exactly = |mean| Estimate { mean, ci95: None };
//! let record = Record {
//!     evenhand: "0.1.0".into(),
//!     command: "allocate".into(),
//!     seed: 1,
//!     threads: 1,
//!     results: vec![AllocateResult {
//!         policy: "two-choice".into(),
//!         engine: "bins".into(),
//!         bins: 4,
//!         balls: 4,
//!         runs: 1,
//!         signal: "exact".into(),
//!         comparison: "exact".into(),
//!         weights: None,
//!         speeds: None,
//!         deletions: None,
//!         servers: None,
//!         users: None,
//!         max_load: MaxLoad {
//!             mean: 2.0,
//!             ci95: None,
//!             min: 2.0,
//!             max: 2.0,
//!             counts: Some([(2, 1)].into()),
//!         },
//!         gap: exactly(1.0),
//!         max_load_per_speed: None,
//!         fraction_at_least: Some(vec![1.0, 0.75, 0.25]),
//!         fraction_at_least_ci95: None,
//!         empty: exactly(1.0),
//!         probes_per_ball: 2.0,
//!         distance: None,
//!         snapshots: None,
//!         prediction: None,
//!         notes: vec![],
//!         seconds: 0.001,
//!         balls_per_second: 4000.0,
//!     }],
//! };
//!
//! let mut table = Vec::new();
//! output::write(&record, Format::Table, &mut table)?;
//! let table = String::from_utf8(table)?;
//! assert!(table.starts_with("4 bins · 4 balls · 1 run · engine bins · seed 1\n"));
//!
//! let figures = evenhand_lab::figure::render(&record, &[]);
//! assert_eq!(figures[0].id, "load-distribution");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod facet;
pub mod figure;
mod layout;
mod number;
pub mod output;
pub mod record;
pub mod report;
pub mod study;
mod summary;

pub use error::Error;
