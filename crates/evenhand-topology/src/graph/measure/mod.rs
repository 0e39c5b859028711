//! What a graph is like: components, girth, diameter, spectrum, conditions of theorems.
//!
//! [`measure`] gathers everything in one [`GraphRecord`]; the other functions give its parts.
//!
//! ```
//! use evenhand_topology::graph::Graph;
//! use evenhand_topology::graph::measure::{MeasureOptions, measure};
//!
//! // The Petersen graph: an outer ring, an inner star of five points, five spokes.
//! let edges: Vec<(u32, u32)> =
//!     (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]).collect();
//! let record = measure(&Graph::from_edges(10, &edges)?, "petersen", &MeasureOptions::default());
//! assert_eq!((record.girth, record.diameter), (Some(5), Some(2)));
//! assert!((record.lambda.unwrap() - 2.0).abs() < 1e-12);
//! assert_eq!(record.ramanujan, Some(true));
//! # Ok::<(), evenhand_topology::graph::EdgeError>(())
//! ```

mod components;
mod conditions;
mod counts;
mod diameter;
mod expansion;
mod girth;
mod record;
mod spectrum;

pub use components::{Components, components, is_bipartite};
pub use conditions::{Condition, Number};
pub use counts::{Degrees, Irregularities, degrees, irregularities};
pub use diameter::{DIAMETER_VERTICES, NoDiameter, diameter};
pub use expansion::{Ramanujan, non_backtracking_mixing_rate, ramanujan};
pub use girth::girth;
pub use record::{GraphRecord, MeasureOptions, measure};
pub use spectrum::{DENSE_VERTICES, Eigenvalue, LANCZOS_STEPS, Spectrum, spectrum};
