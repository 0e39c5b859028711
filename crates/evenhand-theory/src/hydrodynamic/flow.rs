//! What happens in one step of the scheme in time.

use crate::choice_rate;

/// Sweeps at most; each gains a factor of about the step.
const MAX_SWEEPS: u32 = 500;

/// Weights of the values during one step, oldest first.
pub(super) struct Weights<'a> {
    pub(super) mean: &'a [f64],
    pub(super) fall: &'a [f64],
    /// Length of the step, and the integral of the survival function over it.
    pub(super) step: f64,
    pub(super) young: f64,
}

/// What happens in a step, by level from 0 (all servers) where it has one more entry.
#[derive(Default)]
pub(super) struct Flow {
    /// Fraction of servers at the middle of the step.
    pub(super) fraction: Vec<f64>,
    /// Shares by which old and new values move to those of the level below.
    pub(super) old_share: Vec<f64>,
    new_share: Vec<f64>,
    /// Values of the jobs that start, at their start and in the middle.
    pub(super) start: Vec<f64>,
    pub(super) middle: Vec<f64>,
    /// Departures from servers of at least this level.
    pub(super) departures: Vec<f64>,
}

impl Flow {
    /// Finds the flow from the two sums of each level: values times their mean weights, and times
    /// the falls of their weights. More is not needed, as all old values move by the same share.
    pub(super) fn settle(&mut self, sums: &[(f64, f64)], weights: &Weights<'_>, d: u32, load: f64) {
        self.resize(sums.len());
        for _ in 0..MAX_SWEEPS {
            if self.improve(sums, weights, d, load) < 1e-16 {
                break;
            }
        }
    }

    fn resize(&mut self, levels: usize) {
        let Self { fraction, old_share, new_share, start, middle, departures } = self;
        for list in [fraction, old_share, new_share, start, middle, departures] {
            list.resize(levels + 2, 0.0);
        }
        // There is no level above the highest.
        self.departures[levels + 1] = 0.0;
    }

    /// One sweep over the levels; the greatest change of a fraction.
    fn improve(&mut self, sums: &[(f64, f64)], weights: &Weights<'_>, d: u32, load: f64) -> f64 {
        let Weights { step, young, .. } = *weights;
        let mean_young = (step + young) / 2.0;
        let mut change: f64 = 0.0;
        let (mut mass, mut falls) = (0.0, 0.0);
        self.fraction[0] = 1.0;
        for level in 1..=sums.len() {
            if level > 1 {
                let pace = load * choice_rate(d, self.fraction[level - 1], self.fraction[level]);
                self.old_share[level] = pace * step / 2.0 / (1.0 + pace * step / 2.0);
                // Jobs that start in the step have half of it on average.
                self.new_share[level] = pace * step / 4.0 / (1.0 + pace * step / 4.0);
            }
            let (old_mass, old_falls) = sums[level - 1];
            mass = old_mass + self.old_share[level] * (mass - old_mass);
            falls = old_falls + self.old_share[level] * (falls - old_falls);
            let idle = if level == 1 { 1.0 - self.fraction[1].powi(d as i32) } else { 0.0 };
            self.start[level] = self.departures[level + 1] / step + load * idle;
            let middle = self.start[level];
            self.middle[level] = middle + self.new_share[level] * (self.middle[level - 1] - middle);
            self.departures[level] = falls + self.middle[level] * (step - young);
            let fraction = mass + self.middle[level] * mean_young / 2.0;
            change = change.max((fraction - self.fraction[level]).abs());
            self.fraction[level] = fraction;
        }
        change
    }
}

/// The sum of products, in eight partial sums so that it runs in parallel.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_chunks, b_chunks) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a_chunks.remainder().iter().zip(b_chunks.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 8];
    for (a, b) in a_chunks.zip(b_chunks) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}
