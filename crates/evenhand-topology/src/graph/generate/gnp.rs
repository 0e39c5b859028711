use rand::{Rng, RngExt};
use rand_distr::Exp1;

use crate::graph::{Graph, GraphError};

/// Every pair is an edge with probability `p`. Absent pairs are skipped in geometric strides
/// (Batagelj, Brandes 2005), so the cost is that of the edges.
pub(in crate::graph) fn draw(
    vertices: u32,
    p: f64,
    rng: &mut (impl Rng + ?Sized),
) -> Result<Graph, GraphError> {
    let n = u64::from(vertices);
    let mut edges = Vec::new();
    if p == 0.0 {
        return Ok(Graph::from_edges(vertices as usize, &edges)?);
    }
    // The whole part of an exponential variate of this rate is geometric.
    let rate = -(-p).ln_1p();
    // Pairs (row, column) with column < row, row by row; `column` may run past the row's end.
    let (mut row, mut column) = (1, 0_u64);
    loop {
        let skipped = rng.sample::<f64, _>(Exp1) / rate;
        column = column.saturating_add(skipped as u64);
        while row < n && column >= row {
            column -= row;
            row += 1;
        }
        if row >= n {
            break;
        }
        edges.push((column as u32, row as u32));
        column += 1;
    }
    Ok(Graph::from_edges(vertices as usize, &edges)?)
}
