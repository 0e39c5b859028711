use super::GraphSpec;
use crate::graph::generate::lps;
use crate::graph::measure::{components, degrees};
use crate::graph::{Graph, Implicit};

/// Degrees and components of a graph: what its name implies, or what was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of vertices.
    pub vertices: u64,
    /// The least degree; 0 without vertices.
    pub least_degree: u64,
    /// The greatest degree; 0 without vertices.
    pub greatest_degree: u64,
    /// Number of vertices without an edge.
    pub isolated: u64,
    /// Number of connected components; an isolated vertex is one.
    pub components: u64,
    /// Whether every component is bipartite.
    pub bipartite: bool,
}

/// From here on at most one in 10^9 random regular graphs of degree 3 or more is bipartite, by
/// the asymptotic counts of the configuration model (Bollobas 1980): 2 10^-10 at degree 3, and
/// far fewer at higher degrees.
const HARDLY_BIPARTITE: u64 = 64;

impl Shape {
    /// Counts degrees and components. Takes time and memory in proportion to vertices and edges.
    #[must_use]
    pub fn of(graph: &Graph) -> Self {
        let parts = components(graph);
        let all = || 0..graph.vertices() as u32;
        let (least, greatest) = degrees(graph).map_or((0, 0), |found| (found.min, found.max));
        Self {
            vertices: graph.vertices() as u64,
            least_degree: least as u64,
            greatest_degree: greatest as u64,
            isolated: all().filter(|&vertex| graph.degree(vertex) == 0).count() as u64,
            components: parts.count as u64,
            bipartite: parts.is_bipartite(),
        }
    }

    /// Whether all vertices have one degree.
    #[must_use]
    pub fn is_regular(&self) -> bool {
        self.least_degree == self.greatest_degree
    }

    /// Connected and regular, without isolated vertices.
    fn connected(vertices: u64, degree: u64, bipartite: bool) -> Self {
        Self {
            vertices,
            least_degree: degree,
            greatest_degree: degree,
            isolated: 0,
            components: 1,
            bipartite,
        }
    }
}

impl GraphSpec {
    /// The shape that the graph has by its name with this many vertices; `None` where the graph
    /// itself must be looked at, and where [`GraphSpec::check`] refuses the number.
    ///
    /// Of a random regular graph of degree 3 or more with at least 64 vertices it says not
    /// bipartite, which is wrong for at most one graph in 10^9.
    #[must_use]
    pub fn shape(&self, vertices: u64) -> Option<Shape> {
        let n = vertices;
        if !self.check(Some(n), true).is_empty() {
            return None;
        }
        if let Some(computed) = self.computed(n) {
            return Some(self.shape_of_computed(&computed));
        }
        let connected = |degree, bipartite| Some(Shape::connected(n, degree, bipartite));
        match *self {
            Self::Regular { k, .. } if u64::from(k) == n - 1 => connected(n - 1, n == 2),
            Self::Regular { k: 2, .. } => connected(2, n.is_multiple_of(2)),
            Self::Regular { k, .. } if n >= HARDLY_BIPARTITE => connected(k.into(), false),
            Self::Lps { p, q } => connected(u64::from(p) + 1, lps::is_bipartite(p, q)),
            Self::Star => Some(Shape { least_degree: 1, ..Shape::connected(n, n - 1, true) }),
            _ => None,
        }
    }

    fn shape_of_computed(&self, graph: &Implicit) -> Shape {
        let (n, degree) = (graph.vertices(), graph.degree().into());
        let even = |side: u32| side.is_multiple_of(2);
        let bipartite = match (graph, self) {
            (Implicit::Complete(_), _) => n == 2,
            (Implicit::Ring(_), _) => n.is_multiple_of(2),
            (Implicit::Torus(torus), _) => even(torus.rows()) && even(torus.columns()),
            (Implicit::Hypercube(_), _) => true,
            (Implicit::Circulant(_), Self::Circulant { offsets }) => {
                return circulant(n, degree, offsets);
            }
            (Implicit::Circulant(_), _) => unreachable!("a circulant graph has offsets"),
        };
        Shape::connected(n, degree, bipartite)
    }
}

/// Each component is a circulant graph of its own, with the greatest common divisor of offsets
/// and `n` taken out. It is bipartite if its vertices, numbered around, alternate between sides.
fn circulant(n: u64, degree: u64, offsets: &[u32]) -> Shape {
    let components = offsets.iter().fold(n, |divisor, &offset| gcd(divisor, offset.into()));
    let alternates = |offset: &u32| u64::from(*offset) / components % 2 == 1;
    let bipartite = (n / components).is_multiple_of(2) && offsets.iter().all(alternates);
    Shape { components, ..Shape::connected(n, degree, bipartite) }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
