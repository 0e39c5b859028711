//! Eigenvalues of the adjacency matrix.

mod dense;
mod lanczos;
mod matrix;
mod tridiagonal;
mod vector;

use super::super::Graph;
use super::components::{Components, components};
use lanczos::Extremes;

/// Graphs of up to this many vertices have their spectrum from a dense eigensolver.
pub const DENSE_VERTICES: usize = 300;

/// After this many Lanczos steps, eigenvalues are given as they are, with the error reached.
pub const LANCZOS_STEPS: usize = 3000;

/// An eigenvalue with a bound on its numerical error.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Eigenvalue {
    /// The value.
    pub value: f64,
    /// The matrix has an eigenvalue within this distance of the value: the residual of the
    /// approximate eigenvector, with an allowance for rounding. 0 where the value is known.
    pub error: f64,
}

/// The ends of the spectrum of the adjacency matrix.
///
/// Parallel edges add up in the matrix, and a self-loop counts 2 on the diagonal, so that row
/// sums are degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Spectrum {
    /// The largest eigenvalue: the degree of a regular graph.
    pub largest: Eigenvalue,
    /// The second largest, multiplicity counted: the degree again for a regular graph that is not
    /// connected. `None` for a single vertex.
    pub second: Option<Eigenvalue>,
    /// The smallest: minus the largest for a bipartite graph.
    pub smallest: Eigenvalue,
    /// The largest nontrivial eigenvalue in absolute value. Trivial are the largest, once, and
    /// for a bipartite graph the smallest, once. `None` if there are no others.
    pub lambda: Option<Eigenvalue>,
}

/// The ends of the spectrum; `None` without vertices.
///
/// Graphs of more than [`DENSE_VERTICES`] vertices are never made into a matrix: a Lanczos process
/// multiplies with their arcs, rows spread over the threads. Known eigenvectors are projected out
/// first: the constant vector of a regular graph, the one found first otherwise. The spectrum of
/// a bipartite graph is symmetric, so one end of it is enough.
pub fn spectrum(graph: &Graph) -> Option<Spectrum> {
    measured(graph, &components(graph))
}

/// As [`spectrum`], with the components known.
pub(super) fn measured(graph: &Graph, components: &Components) -> Option<Spectrum> {
    let vertices = graph.vertices();
    if vertices == 0 {
        return None;
    }
    let ends = if vertices <= DENSE_VERTICES { dense::ends(graph) } else { None };
    Some(ends.unwrap_or_else(|| lanczos_ends(graph, components)).finish(graph, components))
}

/// The ends of the spectrum as a solver gives them.
struct Ends {
    largest: Eigenvalue,
    second: Option<Eigenvalue>,
    smallest: Eigenvalue,
}

impl Ends {
    /// Puts in what is known without numerics, and adds `lambda`.
    fn finish(mut self, graph: &Graph, components: &Components) -> Spectrum {
        let bipartite = components.is_bipartite();
        if let Some(degree) = graph.regular_degree() {
            let known = Eigenvalue { value: degree as f64, error: 0.0 };
            self.largest = known;
            if components.count > 1 {
                self.second = Some(known);
            }
            if components.bipartite.contains(&true) {
                self.smallest = known.negated();
            }
        }
        if bipartite {
            self.smallest = self.largest.negated();
        }
        let Self { largest, second, smallest } = self;
        let lambda = match second {
            Some(second) if !bipartite => Some(second.larger(smallest)),
            Some(second) if graph.vertices() > 2 => Some(second.absolute()),
            _ => None,
        };
        Spectrum { largest, second, smallest, lambda }
    }
}

fn lanczos_ends(graph: &Graph, components: &Components) -> Ends {
    let top = match graph.regular_degree() {
        Some(_) => lanczos::constant(graph),
        None => lanczos::extremes(graph, &[], Extremes::Top).top,
    };
    let largest = top.eigenvalue;
    if graph.vertices() == 1 {
        return Ends { largest, second: None, smallest: largest };
    }
    let wanted = if components.is_bipartite() { Extremes::Top } else { Extremes::Both };
    let rest = lanczos::extremes(graph, &[top.vector], wanted);
    let smallest = rest.bottom.map_or(largest.negated(), |bottom| bottom.eigenvalue);
    Ends { largest, second: Some(rest.top.eigenvalue), smallest }
}

impl Eigenvalue {
    fn negated(self) -> Self {
        Self { value: -self.value, ..self }
    }

    fn absolute(self) -> Self {
        Self { value: self.value.abs(), ..self }
    }

    /// The larger of two in absolute value; its error covers the other where they are close.
    fn larger(self, other: Self) -> Self {
        let (a, b) = (self.absolute(), other.absolute());
        let (large, small) = if a.value >= b.value { (a, b) } else { (b, a) };
        let above = small.value + small.error - large.value;
        Self { value: large.value, error: large.error.max(above) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        /// Either solver serves small graphs.
        #[test]
        fn solvers_agree(
            vertices in 1_u32..14,
            edges in prop::collection::vec((0_u32..14, 0_u32..14), 0..40),
        ) {
            let edges: Vec<(u32, u32)> =
                edges.into_iter().filter(|&(u, v)| u.max(v) < vertices).collect();
            let graph = Graph::from_edges(vertices as usize, &edges).unwrap();
            let components = components(&graph);
            let lanczos = lanczos_ends(&graph, &components).finish(&graph, &components);
            let near = |x: Eigenvalue, y: Eigenvalue| (x.value - y.value).abs() < 1e-8;
            if let Some(dense) = dense::ends(&graph) {
                let dense = dense.finish(&graph, &components);
                prop_assert!(near(dense.largest, lanczos.largest), "{dense:?} {lanczos:?}");
                prop_assert!(near(dense.smallest, lanczos.smallest), "{dense:?} {lanczos:?}");
                prop_assert_eq!(dense.second.is_some(), lanczos.second.is_some());
                if let Some((dense, lanczos)) = dense.second.zip(lanczos.second) {
                    prop_assert!(near(dense, lanczos), "{dense:?} {lanczos:?}");
                }
            }
        }
    }
}
