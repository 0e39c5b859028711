//! Small graphs: the whole spectrum from a dense eigensolver.

use nalgebra::{DMatrix, SymmetricEigen};

use super::super::super::Graph;
use super::{Eigenvalue, Ends, matrix};

/// The solver gives up after so many sweeps for each eigenvalue.
const SWEEPS: usize = 100;

/// The ends of the spectrum; `None` if the solver does not converge, or not to a spectrum.
pub(super) fn ends(graph: &Graph) -> Option<Ends> {
    let vertices = graph.vertices();
    let mut adjacency = DMatrix::<f64>::zeros(vertices, vertices);
    for vertex in 0..vertices {
        for &other in graph.neighbours(vertex as u32) {
            adjacency[(vertex, other as usize)] += 1.0;
        }
    }
    let (trace, squares) = (adjacency.trace(), adjacency.norm_squared());
    let solved = SymmetricEigen::try_new(adjacency, f64::EPSILON, SWEEPS * vertices)?;
    // The solver gives NaN for some matrices that are mostly zero.
    let tolerance = 1e-10 * squares;
    let all = &solved.eigenvalues;
    let sound =
        (all.sum() - trace).abs() <= tolerance && (all.norm_squared() - squares).abs() <= tolerance;
    if !sound {
        return None;
    }
    let mut order: Vec<usize> = (0..vertices).collect();
    order.sort_by(|&i, &j| all[j].total_cmp(&all[i]));
    let eigenvalue = |&column: &usize| -> Eigenvalue {
        matrix::rayleigh(graph, solved.eigenvectors.column(column).as_slice())
    };
    Some(Ends {
        largest: order.first().map(eigenvalue)?,
        second: order.get(1).map(eigenvalue),
        smallest: order.last().map(eigenvalue)?,
    })
}
