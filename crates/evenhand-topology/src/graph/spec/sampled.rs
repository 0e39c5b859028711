use super::GraphSpec;
use crate::graph::generate::regular;

/// How close the law of a random graph is to the one named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampled {
    /// Exactly the law.
    Exact,
    /// The law in the limit of many vertices.
    Asymptotic,
}

impl GraphSpec {
    /// How exactly [`GraphSpec::build`] samples a random graph of this many vertices; `None` for
    /// a graph that is not random.
    ///
    /// `gnp` is exact. `regular` is uniform over all simple connected graphs. It is exactly so
    /// where rejection from the configuration model is affordable: up to 1.5 million vertices for
    /// degree 3, some 190 000 for 4, 16 000 for 5, 880 for 6, and 28 for 7; and for degree 2, and
    /// for degrees nearly as large as the number of vertices, whose complement is drawn. Else
    /// conflicts of the configuration model are repaired by random switchings. That is uniform
    /// in the limit of many vertices at a fixed degree (Janson 2020).
    #[must_use]
    pub fn sampled(&self, vertices: u64) -> Option<Sampled> {
        match *self {
            Self::Regular { k, .. } => Some(regular::sampled(vertices, k)),
            Self::Gnp { .. } => Some(Sampled::Exact),
            _ => None,
        }
    }
}
