/// Which vertices are joined, one bit for each ordered pair: quick to ask where rows are long.
pub(super) struct Joined {
    vertices: usize,
    words: Vec<u64>,
}

impl Joined {
    pub(super) fn new(vertices: u32) -> Self {
        let vertices = vertices as usize;
        Self { vertices, words: vec![0; (vertices * vertices).div_ceil(64)] }
    }

    pub(super) fn contains(&self, u: u32, v: u32) -> bool {
        let (word, bit) = self.place(u, v);
        self.words[word] & bit != 0
    }

    /// Joins two vertices that are not, or parts two that are.
    pub(super) fn toggle(&mut self, u: u32, v: u32) {
        for (from, to) in [(u, v), (v, u)] {
            let (word, bit) = self.place(from, to);
            self.words[word] ^= bit;
        }
    }

    fn place(&self, u: u32, v: u32) -> (usize, u64) {
        let pair = u as usize * self.vertices + v as usize;
        (pair / 64, 1 << (pair % 64))
    }
}
