//! graph6: the upper triangle of the adjacency matrix, six bits a byte.

use std::io::Write;

use crate::graph::Graph;
use crate::graph::read::NamedGraph;

use super::WriteError;

/// Added to six bits to make a printable byte.
const BIAS: u8 = 63;
const LONG: u8 = 126;

pub(super) fn write(graph: &Graph, to: &mut dyn Write) -> Result<(), WriteError> {
    let counts = NamedGraph::new(graph.clone(), "").counts;
    if counts.self_loops + counts.parallel_edges > 0 {
        return Err(WriteError::NotSimple { counts });
    }
    let mut line = size(graph.vertices() as u64);
    let mut bits = Bits::default();
    let mut row = vec![false; graph.vertices()];
    for v in 0..graph.vertices() as u32 {
        let below = || graph.neighbours(v).iter().filter(|&&u| u < v);
        below().for_each(|&u| row[u as usize] = true);
        row[..v as usize].iter().for_each(|&bit| bits.push(bit, &mut line));
        below().for_each(|&u| row[u as usize] = false);
    }
    bits.fill(&mut line);
    line.push(b'\n');
    Ok(to.write_all(&line)?)
}

/// The number of vertices, in one, four or eight bytes.
fn size(vertices: u64) -> Vec<u8> {
    let (mut line, digits) = match vertices {
        0..=62 => (vec![], 1),
        63..=258_047 => (vec![LONG], 3),
        _ => (vec![LONG, LONG], 6),
    };
    line.extend((0..digits).rev().map(|digit| BIAS + (vertices >> (6 * digit) & 63) as u8));
    line
}

/// Bits on their way into bytes.
#[derive(Default)]
struct Bits {
    value: u8,
    count: u8,
}

impl Bits {
    fn push(&mut self, bit: bool, line: &mut Vec<u8>) {
        self.value = self.value << 1 | u8::from(bit);
        self.count += 1;
        if self.count == 6 {
            line.push(BIAS + self.value);
            *self = Bits::default();
        }
    }

    /// Fills the last byte with zeros.
    fn fill(&mut self, line: &mut Vec<u8>) {
        while self.count > 0 {
            self.push(false, line);
        }
    }
}
