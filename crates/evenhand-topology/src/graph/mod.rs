//! Graphs: made, read, measured.

mod csr;
mod error;
mod generate;
mod implicit;
pub mod measure;
mod read;
mod spec;
mod write;

pub use csr::{EdgeError, Graph};
pub use error::GraphError;
pub use implicit::{
    CirculantGraph, CompleteGraph, HypercubeGraph, Implicit, Neighbours, PairedSlots, RingGraph,
    StoredGraph, TorusGraph,
};
pub use read::{
    Counts, Format, NamedGraph, Place, Problem, ReadError, ReadOptions, read_all_graph6,
    read_all_graph6_from, read_graph, read_graph_from,
};
pub use spec::{GraphIssue, GraphSpec, Sampled, Shape};
pub use write::{WriteError, write_graph};
