//! graph6: the upper triangle of the adjacency matrix, six bits a byte.

use super::Problem;
use super::problem::shortened;
use super::raw::{RawGraph, check_vertices};

/// What is wrong, and at which byte of the line, from 0.
pub(super) type Wrong = (usize, Problem);

/// Added to six bits to make a printable byte.
const BIAS: u8 = 63;
/// Starts a number of vertices above 62; two of them start one above 258047.
const LONG: u8 = 126;

pub(super) fn decode(line: &[u8]) -> Result<RawGraph, Wrong> {
    let (vertices, start) = vertices(line)?;
    let expected = length(vertices);
    if line.len() as u64 != expected {
        let found = line.len() as u64;
        return Err((start, Problem::LineLength { found, expected, vertices }));
    }
    let mut edges = Vec::new();
    let mut bits = bits(&line[start..], start);
    for v in 1..vertices as u32 {
        for u in 0..v {
            let (_, bit) = bits.next().ok_or((start, Problem::Truncated))??;
            if bit {
                edges.push((u, v));
            }
        }
    }
    for padding in bits {
        let (byte, bit) = padding?;
        if bit {
            return Err((byte, Problem::Padding));
        }
    }
    let vertices = vertices as usize;
    Ok(RawGraph { vertices, edges, ..RawGraph::default() })
}

/// Whether a line has the length that its number of vertices demands.
pub(super) fn has_right_length(line: &[u8]) -> bool {
    let printable = line.iter().all(|byte| (BIAS..=LONG).contains(byte));
    printable && vertices(line).is_ok_and(|(vertices, _)| length(vertices) == line.len() as u64)
}

/// Length of the line of a graph, in bytes.
fn length(vertices: u64) -> u64 {
    let prefix = match vertices {
        0..=62 => 1,
        63..=258_047 => 4,
        _ => 8,
    };
    let bits = u128::from(vertices) * u128::from(vertices.saturating_sub(1)) / 2;
    prefix + u64::try_from(bits.div_ceil(6)).unwrap_or(u64::MAX - 8)
}

/// The number of vertices at the start of a line, and the byte after it.
pub(super) fn vertices(line: &[u8]) -> Result<(u64, usize), Wrong> {
    let (from, to) = match line {
        [LONG, LONG, ..] => (2, 8),
        [LONG, ..] => (1, 4),
        _ => (0, 1),
    };
    let digits = line.get(from..to).ok_or((line.len(), Problem::Truncated))?;
    let mut vertices = 0;
    for (byte, &digit) in (from..to).zip(digits) {
        vertices = vertices << 6 | u64::from(six_bits(byte, digit)?);
    }
    Ok((vertices, to))
}

/// The bits of a line from byte `start` on, each with its byte.
fn bits(bytes: &[u8], start: usize) -> impl Iterator<Item = Result<(usize, bool), Wrong>> {
    bytes.iter().enumerate().flat_map(move |(at, &byte)| {
        let six = six_bits(start + at, byte);
        (0..6).rev().map(move |shift| six.clone().map(|six| (start + at, six >> shift & 1 == 1)))
    })
}

/// The six bits of a byte of the line, `at` from 0.
pub(super) fn six_bits(at: usize, byte: u8) -> Result<u8, Wrong> {
    if (BIAS..=LONG).contains(&byte) {
        return Ok(byte - BIAS);
    }
    let found = shortened(&String::from_utf8_lossy(&[byte]));
    let expected = "a printable byte from ? to ~";
    Err((at, Problem::Unexpected { found, expected }))
}

/// Checks a number of vertices against the length of its line.
pub(super) fn check_size(vertices: u64, line: &[u8]) -> Result<usize, Wrong> {
    check_vertices(vertices, line.len(), 1).map_err(|fault| (0, fault.into_problem()))
}
