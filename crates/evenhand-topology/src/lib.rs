//! Where servers and users are, who is near whom, and which servers are neighbours.
//!
//! # Places
//!
//! Spatial load-balancing policies need three things, all in [`space`]:
//! places (read from a file or generated), a metric, and the nearest servers
//! of a user.
//!
//! ```
//! use evenhand_topology::space::{NearestIndex, Point, ReadOptions, read_places_from};
//!
//! let file = "name,lat,lon\nOslo,59.91,10.75\nSuva,-18.14,178.44\nApia,-13.83,-171.76\n";
//! let servers = read_places_from(file.as_bytes(), "servers.csv", &ReadOptions::default())?;
//! let index = NearestIndex::new(&servers)?;
//!
//! // A user just east of the antimeridian: Suva is close, although its longitude is far.
//! let mut near = Vec::new();
//! index.nearest(Point { x: -179.9, y: -17.0 }, 2, &mut near);
//! assert_eq!((near[0].server, near[1].server), (1, 2));
//! assert_eq!(near[0].distance.round(), 216_872.0); // metres
//! # Ok::<(), evenhand_topology::space::Error>(())
//! ```
//!
//! # Graphs
//!
//! Policies on networks need a graph whose vertices are the servers. [`graph`] makes graphs from
//! expressions, reads and writes files, and measures what matters to walkers: girth, diameter,
//! eigenvalues, and conditions of theorems.
//!
//! ```
//! use evenhand_topology::graph::GraphSpec;
//! use evenhand_topology::graph::measure::{MeasureOptions, measure};
//! use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
//!
//! let spec: GraphSpec = "hypercube".parse()?;
//! let mut rng = Xoshiro256PlusPlus::seed_from_u64(1); // random graphs draw from it
//! let graph = spec.build(16, None, &mut rng)?;
//! let record = measure(&graph, &spec.to_string(), &MeasureOptions::default());
//! assert_eq!((record.girth, record.diameter), (Some(4), Some(4)));
//! assert!((record.spectral_gap.unwrap() - 2.0).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod buffer;
pub mod graph;
pub mod space;
