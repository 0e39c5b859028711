//! The Ramanujan graphs X^{p,q} of Lubotzky, Phillips, Sarnak, "Ramanujan graphs", Combinatorica
//! 8 (1988).

use super::arithmetic::{is_residue, power};
use crate::graph::implicit::{Neighbours, store};
use crate::graph::{Graph, GraphError};

/// Number of vertices for odd primes `p` and `q`, or of what the formula gives for other numbers
/// above 2; `None` if there are too many to count.
pub(in crate::graph) fn order(p: u32, q: u32) -> Option<u64> {
    let (p, q) = (u64::from(p), u64::from(q));
    if q < 3 {
        return None;
    }
    let whole = q.checked_mul(q * q - 1)?;
    Some(if is_residue(p, q) { whole / 2 } else { whole })
}

/// Whether the graph of primes `p` and `q` is bipartite: that of PGL(2, q) is.
pub(in crate::graph) fn is_bipartite(p: u32, q: u32) -> bool {
    !is_residue(p.into(), q.into())
}

/// The graph of distinct primes that are 1 modulo 4, with q > 2 sqrt(p).
pub(in crate::graph) fn graph(p: u32, q: u32) -> Result<Graph, GraphError> {
    store(&CayleyGraph::new(p.into(), q.into()))
}

/// A 2 x 2 matrix modulo q, row by row.
type Matrix = [u64; 4];

/// The Cayley graph of PGL(2, q), or of PSL(2, q) if p is a square modulo q.
///
/// A vertex is a matrix up to scalar factors. The one whose first nonzero entry is 1 stands for
/// all, and has a number:
///
/// * `1, b, c, d`: (b q + c) times the number of units, plus the rank of the determinant;
/// * `0, 1, c, d`: these follow, d times the number of units, plus the rank of -c, the
///   determinant.
///
/// The units are all nonzero residues for PGL(2, q). For PSL(2, q) they are the squares: scalar
/// factors change the determinant by squares only.
struct CayleyGraph {
    q: u64,
    generators: Vec<Matrix>,
    units: Vec<u64>,
    /// Position of each residue in `units`, where it is there.
    rank: Vec<u64>,
    /// The inverse of each nonzero residue.
    inverse: Vec<u64>,
}

impl CayleyGraph {
    fn new(p: u64, q: u64) -> Self {
        let squares_only = is_residue(p, q);
        let units: Vec<u64> = (1..q).filter(|&x| !squares_only || is_residue(x, q)).collect();
        let mut rank = vec![0; q as usize];
        (0..).zip(&units).for_each(|(position, &unit)| rank[unit as usize] = position);
        let inverse = (0..q).map(|x| power(x, q - 2, q)).collect();
        Self { q, generators: generators(p, q), units, rank, inverse }
    }

    fn matrix(&self, number: u64) -> Matrix {
        let (q, units) = (self.q, self.units.len() as u64);
        let (pair, unit) = (number / units, self.units[(number % units) as usize]);
        if pair < q * q {
            let (b, c) = (pair / q, pair % q);
            return [1, b, c, (unit + b * c) % q];
        }
        [0, 1, q - unit, pair - q * q]
    }

    fn number(&self, [a, b, c, d]: Matrix) -> u64 {
        let (q, units) = (self.q, self.units.len() as u64);
        let scale = self.inverse[if a == 0 { b } else { a } as usize];
        let [b, c, d] = [b, c, d].map(|entry| entry * scale % q);
        let (pair, determinant) = match a {
            0 => (q * q + d, q - c),
            _ => (b * q + c, (d + q * q - b * c) % q),
        };
        pair * units + self.rank[determinant as usize]
    }
}

impl Neighbours for CayleyGraph {
    fn vertices(&self) -> u64 {
        (self.q * self.q + self.q) * self.units.len() as u64
    }

    fn degree(&self) -> u32 {
        self.generators.len() as u32
    }

    fn neighbour(&self, vertex: u32, slot: u32) -> u32 {
        let generator = self.generators[slot as usize];
        self.number(product(self.matrix(vertex.into()), generator, self.q)) as u32
    }
}

fn product([a, b, c, d]: Matrix, [e, f, g, h]: Matrix, q: u64) -> Matrix {
    [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h].map(|entry| entry % q)
}

/// The p + 1 generators, each followed by its inverse.
fn generators(p: u64, q: u64) -> Vec<Matrix> {
    let root = (1..q).find(|x| x * x % q == q - 1).unwrap_or_default();
    let modulo = |x: i64| x.rem_euclid(q as i64) as u64;
    let matrix = |[a, b, c, d]: [i64; 4]| {
        let [plus_b, minus_b, plus_d] = [b, -b, d].map(|x| modulo(x) * root % q);
        [
            (modulo(a) + plus_b) % q,
            (modulo(c) + plus_d) % q,
            (modulo(-c) + plus_d) % q,
            (modulo(a) + minus_b) % q,
        ]
    };
    quaternions(p)
        .into_iter()
        .filter(|&[_, b, c, d]| (b, c, d) > (0, 0, 0))
        .flat_map(|[a, b, c, d]| [matrix([a, b, c, d]), matrix([a, -b, -c, -d])])
        .collect()
}

/// The solutions of a^2 + b^2 + c^2 + d^2 = p with a odd and positive, and b, c, d even.
fn quaternions(p: u64) -> Vec<[i64; 4]> {
    let p = p as i64;
    let even = || {
        let most = p.isqrt() / 2 * 2;
        (-most..=most).step_by(2)
    };
    let mut solutions = Vec::new();
    for b in even() {
        for c in even() {
            for d in even() {
                let square = p - b * b - c * c - d * d;
                if square > 0 && square.isqrt().pow(2) == square {
                    solutions.push([square.isqrt(), b, c, d]);
                }
            }
        }
    }
    solutions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_p_plus_1_quaternions() {
        for p in [5_u64, 13, 17, 29, 101] {
            let solutions = quaternions(p);
            assert_eq!(solutions.len() as u64, p + 1);
            assert!(solutions.iter().all(|[a, ..]| a % 2 == 1));
        }
    }

    #[test]
    fn matrices_are_numbered_without_gaps() {
        for (p, q) in [(5, 13), (17, 13)] {
            let graph = CayleyGraph::new(p, q);
            for vertex in 0..graph.vertices() {
                assert_eq!(graph.number(graph.matrix(vertex)), vertex);
            }
        }
    }

    #[test]
    fn odd_slots_lead_back_along_even_ones() {
        let graph = CayleyGraph::new(13, 17);
        for vertex in (0..graph.vertices() as u32).step_by(7) {
            for slot in 0..graph.degree() {
                let other = graph.neighbour(vertex, slot);
                assert_eq!(graph.neighbour(other, slot ^ 1), vertex);
            }
        }
    }
}
