//! sparse6: the edges of a graph, six bits a byte.

use super::Problem;
use super::graph6::{Wrong, check_size, six_bits, vertices};
use super::raw::RawGraph;

pub(super) fn decode(line: &[u8]) -> Result<RawGraph, Wrong> {
    let (order, start) = vertices(&line[1..]).map_err(|(byte, problem)| (byte + 1, problem))?;
    let start = start + 1;
    let count = check_size(order, line)?;
    let digits = line.iter().enumerate().skip(start).map(|(at, &byte)| six_bits(at, byte));
    let digits = digits.collect::<Result<Vec<u8>, _>>()?;
    let edges = Edges { order, width: width(order), start, digits }.read()?;
    Ok(RawGraph { vertices: count, edges, ..RawGraph::default() })
}

/// Bits of a vertex number: those of the greatest.
fn width(order: u64) -> usize {
    (u64::BITS - order.saturating_sub(1).leading_zeros()) as usize
}

/// The pairs of a bit and a number that follow the number of vertices.
struct Edges {
    order: u64,
    /// Bits of a number.
    width: usize,
    /// Byte of the line, from 0, that holds the first six bits.
    start: usize,
    /// Six bits each.
    digits: Vec<u8>,
}

impl Edges {
    fn read(&self) -> Result<Vec<(u32, u32)>, Wrong> {
        let mut edges = Vec::new();
        let mut current = 0;
        let mut at = 0;
        while at < self.bits() {
            let end = at + 1 + self.width;
            if end > self.bits() {
                self.check_padding(at, Problem::Padding)?;
                break;
            }
            current += u64::from(self.bit(at));
            let number = (at + 1..end).fold(0, |sum, bit| sum << 1 | u64::from(self.bit(bit)));
            let vertex = current.max(number);
            if vertex >= self.order {
                let vertices = self.order;
                self.check_padding(at, Problem::VertexOutOfRange { vertex, vertices })?;
                break;
            }
            if number > current {
                current = number;
            } else {
                edges.push((number as u32, current as u32));
            }
            at = end;
        }
        Ok(edges)
    }

    fn bits(&self) -> usize {
        6 * self.digits.len()
    }

    fn bit(&self, at: usize) -> bool {
        self.digits[at / 6] >> (5 - at % 6) & 1 == 1
    }

    /// Checks that the bits from `at` on only fill up the last byte, with ones.
    fn check_padding(&self, at: usize, otherwise: Problem) -> Result<(), Wrong> {
        let few = self.bits() - at < 6;
        if few && (at..self.bits()).all(|bit| self.bit(bit)) {
            return Ok(());
        }
        Err((self.start + at / 6, otherwise))
    }
}
