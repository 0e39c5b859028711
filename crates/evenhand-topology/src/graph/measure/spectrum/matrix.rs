//! The adjacency matrix of a graph, as a product with a vector.

use rayon::prelude::*;

use super::super::super::Graph;
use super::super::counts::degrees;
use super::Eigenvalue;
use super::vector::{CHUNK, add, dot, norm};

/// `out = A x`.
pub(super) fn multiply(graph: &Graph, x: &[f64], out: &mut [f64]) {
    out.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
        let first = (chunk * CHUNK) as u32;
        for (vertex, out) in (first..).zip(out) {
            *out = graph.neighbours(vertex).iter().map(|&other| x[other as usize]).sum();
        }
    });
}

/// The greatest degree: no eigenvalue exceeds it in absolute value.
pub(super) fn bound(graph: &Graph) -> f64 {
    degrees(graph).map_or(0.0, |degrees| degrees.max as f64)
}

/// The Rayleigh quotient of an approximate eigenvector. By the residual, the matrix has an
/// eigenvalue as near as the error says; rounding of the product is allowed for.
pub(super) fn rayleigh(graph: &Graph, x: &[f64]) -> Eigenvalue {
    let mut product = vec![0.0; x.len()];
    multiply(graph, x, &mut product);
    let length = norm(x);
    let value = dot(x, &product) / (length * length);
    add(&mut product, -value, x);
    let error = (norm(&product) + product_rounding(graph, x)) / length;
    Eigenvalue { value, error: error + 8.0 * f64::EPSILON * value.abs() }
}

/// Bounds the norm of the rounding error of `A x`: a sum of `d` terms errs by at most `d` units
/// of the sum of their absolute values.
fn product_rounding(graph: &Graph, x: &[f64]) -> f64 {
    let absolute: Vec<f64> = x.iter().map(|x| x.abs()).collect();
    let mut errors = vec![0.0; x.len()];
    multiply(graph, &absolute, &mut errors);
    for (vertex, error) in errors.iter_mut().enumerate() {
        *error *= f64::EPSILON * graph.degree(vertex as u32) as f64;
    }
    norm(&errors)
}
