//! Always go left: one bin of each of d blocks, the least loaded, ties to the leftmost block.

use super::window::Drift;

/// With u^j_i the fraction of the bins of block j with at least i balls, block 1 leftmost,
/// du^j_i/dT = d (u^j_{i-1} - u^j_i) prod_{l<j} u^l_i prod_{l>j} u^l_{i-1}
/// (Vöcking 2003; Mitzenmacher and Vöcking 1999).
///
/// Blocks to the left must hold more than i - 1 balls, blocks to the right at least i - 1. The
/// factor d is there because a block has n/d bins.
pub(super) struct Left {
    blocks: usize,
    below: Vec<f64>,
}

impl Left {
    pub(super) fn new(blocks: u32) -> Self {
        Self { blocks: blocks as usize, below: Vec::new() }
    }
}

impl Drift for Left {
    fn parts(&self) -> usize {
        self.blocks
    }

    fn rates(&mut self, _: usize, u: &[f64], du: &mut [f64]) {
        let d = self.blocks;
        self.below.clear();
        self.below.resize(d, 1.0);
        for (du, u) in du.chunks_mut(d).zip(u.chunks(d)) {
            let mut right = d as f64;
            for ((du, u), below) in du.iter_mut().zip(u).zip(&self.below).rev() {
                *du = (below - u) * right;
                right *= below;
            }
            let mut left = 1.0;
            for ((du, u), below) in du.iter_mut().zip(u).zip(&mut self.below) {
                *du *= left;
                left *= u;
                *below = *u;
            }
        }
    }

    fn is_steep(&self) -> bool {
        self.blocks > 1
    }
}
