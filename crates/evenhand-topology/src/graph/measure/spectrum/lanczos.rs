//! The ends of the spectrum of a large graph, by a Lanczos process without stored basis.
//!
//! The basis loses its orthogonality only along eigenvectors that have converged (Paige 1980), and
//! the process stops when those at the wanted ends have; so the ends come out once and right. A
//! second pass makes the same basis again, bit by bit, and adds up the eigenvectors. Memory: a
//! handful of vectors.

use super::super::super::Graph;
use super::tridiagonal::Tridiagonal;
use super::{Eigenvalue, LANCZOS_STEPS, matrix, vector};

/// Converged when the residual is below this share of the greatest degree.
const TOLERANCE: f64 = 1e-9;

/// Which ends of the spectrum are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extremes {
    Top,
    Both,
}

/// An eigenvalue with its unit eigenvector, approximately.
pub(super) struct Pair {
    pub(super) eigenvalue: Eigenvalue,
    pub(super) vector: Vec<f64>,
}

/// The ends of a spectrum.
pub(super) struct Found {
    pub(super) top: Pair,
    /// If it was wanted.
    pub(super) bottom: Option<Pair>,
}

/// The trivial pair of a regular graph.
pub(super) fn constant(graph: &Graph) -> Pair {
    let vertices = graph.vertices();
    Pair {
        eigenvalue: Eigenvalue { value: matrix::bound(graph), error: 0.0 },
        vector: vec![1.0 / (vertices as f64).sqrt(); vertices],
    }
}

/// The ends of the spectrum orthogonal to the unit vectors `known`.
pub(super) fn extremes(graph: &Graph, known: &[Vec<f64>], wanted: Extremes) -> Found {
    let mut top = End::default();
    let mut bottom = (wanted == Extremes::Both).then(End::default);
    let tolerance = TOLERANCE * matrix::bound(graph);
    let mut projected = Tridiagonal::default();
    let mut process = Process::new(graph, known);
    let mut next_test = 16;
    for step in 1..=LANCZOS_STEPS {
        let beside = process.step(&mut projected);
        if step < next_test && beside > tolerance && step < LANCZOS_STEPS {
            continue;
        }
        next_test = step + 8 + step / 16;
        let mut done = top.test(&projected, tolerance);
        if let Some(bottom) = &mut bottom {
            done &= bottom.test(&projected.negated(), tolerance);
        }
        if done {
            break;
        }
    }
    if let Some(bottom) = &mut bottom {
        bottom.weights.iter_mut().skip(1).step_by(2).for_each(|weight| *weight = -*weight);
    }
    let ends: Vec<End> = std::iter::once(top).chain(bottom).collect();
    let mut pairs = combine(graph, known, &ends).into_iter();
    let top = pairs.next().unwrap_or_else(|| constant(graph));
    Found { top, bottom: pairs.next() }
}

/// One end of the spectrum on the way.
#[derive(Default)]
struct End {
    converged: bool,
    /// Share of each basis vector in the eigenvector.
    weights: Vec<f64>,
}

impl End {
    /// Looks at the top of the projected matrix, unless it has converged before.
    fn test(&mut self, projected: &Tridiagonal, tolerance: f64) -> bool {
        if !self.converged {
            (_, self.weights) = projected.top();
            let last = self.weights.len() - 1;
            self.converged = projected.beside[last] * self.weights[last].abs() <= tolerance;
        }
        self.converged
    }
}

/// Makes the basis again and adds up the eigenvectors of the ends.
fn combine(graph: &Graph, known: &[Vec<f64>], ends: &[End]) -> Vec<Pair> {
    let steps = ends.iter().map(|end| end.weights.len()).max().unwrap_or(0);
    let mut vectors = vec![vec![0.0; graph.vertices()]; ends.len()];
    let mut process = Process::new(graph, known);
    let mut again = Tridiagonal::default();
    for step in 0..steps {
        for (end, vector) in ends.iter().zip(&mut vectors) {
            if let Some(&weight) = end.weights.get(step) {
                vector::add(vector, weight, &process.current);
            }
        }
        if step + 1 < steps {
            process.step(&mut again);
        }
    }
    vectors.into_iter().map(|vector| finished(graph, known, vector)).collect()
}

fn finished(graph: &Graph, known: &[Vec<f64>], mut vector: Vec<f64>) -> Pair {
    vector::project(&mut vector, known);
    let length = vector::norm(&vector);
    vector::scale(&mut vector, 1.0 / length);
    Pair { eigenvalue: matrix::rayleigh(graph, &vector), vector }
}

/// The Lanczos recurrence in the space orthogonal to `known`.
struct Process<'a> {
    graph: &'a Graph,
    known: &'a [Vec<f64>],
    previous: Vec<f64>,
    /// The newest basis vector, of length 1.
    current: Vec<f64>,
    /// Couples the two.
    beside: f64,
    product: Vec<f64>,
}

impl<'a> Process<'a> {
    fn new(graph: &'a Graph, known: &'a [Vec<f64>]) -> Self {
        let vertices = graph.vertices();
        // The start must differ from that of the runs that found `known`: what they found of an
        // eigenspace is their start's component in it, and with the same start none would be left.
        let mut current = vector::arbitrary(vertices, known.len());
        vector::project(&mut current, known);
        let length = vector::norm(&current);
        vector::scale(&mut current, 1.0 / length);
        let previous = vec![0.0; vertices];
        Self { graph, known, previous, current, beside: 0.0, product: vec![0.0; vertices] }
    }

    /// Appends a row to the projected matrix, makes the next basis vector and returns what
    /// couples the two.
    fn step(&mut self, projected: &mut Tridiagonal) -> f64 {
        matrix::multiply(self.graph, &self.current, &mut self.product);
        vector::add(&mut self.product, -self.beside, &self.previous);
        let diagonal = vector::dot(&self.product, &self.current);
        vector::add(&mut self.product, -diagonal, &self.current);
        vector::project(&mut self.product, self.known);
        self.beside = vector::norm(&self.product);
        projected.diagonal.push(diagonal);
        projected.beside.push(self.beside);
        if self.beside > 0.0 {
            vector::scale(&mut self.product, 1.0 / self.beside);
        }
        std::mem::swap(&mut self.previous, &mut self.current);
        std::mem::swap(&mut self.current, &mut self.product);
        self.beside
    }
}
