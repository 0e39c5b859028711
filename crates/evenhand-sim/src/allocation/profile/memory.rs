use evenhand_core::{Index, Streams, below};

use super::Profile;
use super::occupancy::Occupancy;

/// `memory(d, 1)`, one ball at a time.
///
/// The remembered bin is one particular bin, so it is kept out of the profile: the state is its
/// load and the profile of the `n - 1` others. A fresh draw is the remembered bin with probability
/// 1/n, and otherwise a rank among the others; equal ranks are one bin.
#[derive(Debug)]
pub(crate) struct Sequential {
    others: Occupancy,
    remembered: Option<usize>,
    bin: Index,
    d: u32,
    streams: Streams,
    thrown: u64,
    probes: u64,
    candidates: Vec<Candidate>,
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    load: usize,
    /// Rank among the others; `None` for the remembered bin.
    rank: Option<u64>,
}

impl Sequential {
    pub(crate) fn new(d: u32, bins: u64, streams: Streams) -> Self {
        Self {
            others: Occupancy::empty(bins),
            remembered: None,
            bin: Index::new(bins),
            d,
            streams,
            thrown: 0,
            probes: 0,
            candidates: Vec::new(),
        }
    }

    fn place(&mut self) {
        self.draw_candidates();
        // A single candidate is taken without reading its load.
        self.probes += self.candidates.len() as u64 * u64::from(self.candidates.len() > 1);
        let chosen = self.least();
        let before = self.candidates[chosen];
        if before.rank.is_some() {
            self.others.raise(before.load, 1);
        }
        self.candidates[chosen].load += 1;
        let least = self.least();
        let kept = self.candidates[least];
        if kept.rank.is_some() {
            self.others.remove_bin(kept.load);
            self.forget();
        }
        self.remembered = Some(kept.load);
    }

    /// The bin remembered until now goes back to the others, with its present load.
    fn forget(&mut self) {
        if self.remembered.is_some() {
            self.others.insert_bin(self.candidates[0].load);
        }
    }

    /// The remembered bin first, then the distinct fresh ones.
    fn draw_candidates(&mut self) {
        self.candidates.clear();
        self.candidates.extend(self.remembered.map(|load| Candidate { load, rank: None }));
        for _ in 0..self.d {
            let bin = self.bin.draw(&mut self.streams.sample);
            // Bins 0.. are ranks among the others; the last is the remembered one, if any.
            let known = bin >= self.others.bins()
                || self.candidates.iter().any(|candidate| candidate.rank == Some(bin));
            if !known {
                let load = self.others.load_of_rank(bin);
                self.candidates.push(Candidate { load, rank: Some(bin) });
            }
        }
    }

    /// Position of a least loaded candidate, uniform among equals.
    fn least(&mut self) -> usize {
        let least = self.candidates.iter().map(|candidate| candidate.load).min();
        let tied = self.candidates.iter().filter(|c| Some(c.load) == least).count();
        let pick = if tied == 1 { 0 } else { below(&mut self.streams.rule, tied as u64) as usize };
        let mut positions =
            self.candidates.iter().enumerate().filter(|(_, c)| Some(c.load) == least);
        positions.nth(pick).expect("pick is below their number").0
    }
}

impl Profile for Sequential {
    fn throw(&mut self, balls: u64) {
        (0..balls).for_each(|_| self.place());
        self.thrown += balls;
    }

    fn at_least(&self) -> Vec<u64> {
        let mut all = self.others.clone();
        if let Some(load) = self.remembered {
            all.insert_bin(load);
        }
        all.to_vec()
    }

    fn balls(&self) -> u64 {
        self.thrown
    }

    fn probes(&self) -> f64 {
        self.probes as f64
    }
}
