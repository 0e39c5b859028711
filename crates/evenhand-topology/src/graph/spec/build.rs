use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::GraphSpec;
use crate::graph::generate::{delaunay, gnp, knn, lps, regular, star};
use crate::graph::implicit::{
    CirculantGraph, CompleteGraph, HypercubeGraph, Implicit, RingGraph, TorusGraph, near_square,
};
use crate::graph::{Graph, GraphError};
use crate::space::Places;

impl GraphSpec {
    /// The graph as one that is computed on the fly, if it is of such a family: `complete`,
    /// `ring`, `torus`, `hypercube`, `circulant`.
    ///
    /// # Errors
    /// [`GraphError::Unfit`], in any family.
    pub fn implicit(&self, vertices: u64) -> Result<Option<Implicit>, GraphError> {
        self.refuse_unfit(vertices, true)?;
        Ok(self.computed(vertices))
    }

    /// Builds and stores the graph.
    ///
    /// Random graphs draw from `rng`, or from xoshiro256++ if they have a seed of their own.
    /// Graphs of places need one place for each vertex.
    ///
    /// # Errors
    /// [`GraphError::Unfit`], [`GraphError::TooManyArcs`]; for graphs of places also
    /// [`GraphError::PlaceCount`], [`GraphError::FarPlace`] and [`GraphError::Places`];
    /// [`GraphError::NeedsReader`] for a file.
    pub fn build(
        &self,
        vertices: u64,
        places: Option<&Places>,
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<Graph, GraphError> {
        self.refuse_unfit(vertices, places.is_some())?;
        if let Some(computed) = self.computed(vertices) {
            return computed.store();
        }
        let n = vertices as u32;
        match *self {
            Self::Regular { k, seed: Some(seed) } => regular::draw(n, k, &mut seeded(seed)),
            Self::Regular { k, seed: None } => regular::draw(n, k, rng),
            Self::Gnp { p, seed: Some(seed) } => gnp::draw(n, p, &mut seeded(seed)),
            Self::Gnp { p, seed: None } => gnp::draw(n, p, rng),
            Self::Lps { p, q } => lps::graph(p, q),
            Self::File { ref path, .. } => Err(GraphError::NeedsReader { path: path.clone() }),
            Self::Knn { k } => knn::graph(of_vertices(places, vertices)?, k as usize),
            Self::Delaunay => delaunay::graph(of_vertices(places, vertices)?),
            _ => star::graph(n),
        }
    }

    fn refuse_unfit(&self, vertices: u64, has_places: bool) -> Result<(), GraphError> {
        let issues = self.check(Some(vertices), has_places);
        if issues.is_empty() {
            return Ok(());
        }
        Err(GraphError::Unfit { graph: self.clone(), issues })
    }

    /// The computed graph; the specification was checked.
    pub(super) fn computed(&self, vertices: u64) -> Option<Implicit> {
        let n = vertices as u32;
        Some(match self {
            Self::Complete => Implicit::Complete(CompleteGraph::new(n)),
            Self::Ring => Implicit::Ring(RingGraph::new(n)),
            Self::Torus { sides } => {
                let (rows, columns) = sides.or_else(|| near_square(vertices))?;
                Implicit::Torus(TorusGraph::new(rows, columns))
            }
            Self::Hypercube => Implicit::Hypercube(HypercubeGraph::new(n.ilog2())),
            Self::Circulant { offsets } => Implicit::Circulant(CirculantGraph::new(n, offsets)),
            _ => return None,
        })
    }
}

/// The source of a graph that has a seed of its own.
fn seeded(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// The places, if there is one for each vertex. (That there are places was checked.)
fn of_vertices(places: Option<&Places>, vertices: u64) -> Result<&Places, GraphError> {
    match places {
        Some(places) if places.len() as u64 == vertices => Ok(places),
        other => Err(GraphError::PlaceCount { vertices, places: other.map_or(0, Places::len) }),
    }
}
