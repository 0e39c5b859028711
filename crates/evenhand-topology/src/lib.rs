//! Where servers and users are, and who is near whom.
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

pub mod graph;
pub mod space;
