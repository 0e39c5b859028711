//! Places, metrics and nearest neighbours.
//!
//! * [`Places`] are read from a CSV file ([`read_places`]) or generated on the
//!   unit square ([`Layout`]).
//! * A [`Metric`] measures: great circles in metres, or the plane, or the torus.
//! * A [`NearestIndex`] finds the nearest servers of a point, exactly and with
//!   ties by server number. A [`NeighbourTable`] keeps them for a list of users.
//! * [`voronoi`] has the share of users of each server, or of each two nearest.

mod error;
mod grid;
mod layout;
mod metric;
mod nearest;
mod places;
mod read;
mod table;
pub mod voronoi;

pub use error::{Error, RowProblem};
pub use layout::{Layout, PointSampler};
pub use metric::{EARTH_RADIUS_M, Metric, Point};
pub use nearest::{NearestIndex, Neighbour};
pub use places::Places;
pub use read::{ReadOptions, read_places, read_places_from};
pub use table::NeighbourTable;
