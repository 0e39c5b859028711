//! The hydrodynamic equations on one grid of time and age.
//!
//! Let m_l(t, a) be the density of jobs in service at age a at servers with at least l jobs, over
//! the survival function. Along a job's life a = t - start, it only moves by arrivals,
//!
//! dm_l/dt = r P_d(S_(l-1), S_l) (m_(l-1) - m_l), l >= 2,
//!
//! so m is kept by time of start: one value for all jobs that start in one step, and one for each
//! packet of the initial jobs. The survival function enters as the weight of a value, the part of
//! its jobs that are still in service, and departures are the fall of weights. So all masses are
//! kept exactly; no density, hazard rate or alignment of atoms with the grid is needed; and
//! errors are of the square of the step, as values and weights meet at the middle of each step.

use super::law::UnitLaw;
use crate::choice_rate;

/// A new level is opened once the highest holds more than this.
const NEGLIGIBLE: f64 = 1e-22;
/// Weights below this, as a fraction of a step, are left out.
const GONE: f64 = 1e-19;

/// Part of a step by which a time may miss the grid.
const ON_GRID: f64 = 1e-9;

/// Initial jobs of one age, by level from 1.
#[derive(Clone, Debug)]
pub(super) struct Packet {
    pub(super) age: f64,
    pub(super) masses: Vec<f64>,
}

/// Weights of the values during one step, oldest first.
struct Weights<'a> {
    mean: &'a [f64],
    fall: &'a [f64],
    /// Length of the step, and the integral of the survival function over it.
    step: f64,
    young: f64,
}

/// What happens in a step, by level from 0 (all servers) where it has one more entry.
#[derive(Default)]
struct Flow {
    /// Fraction of servers at the middle of the step.
    fraction: Vec<f64>,
    /// Shares by which old and new values move to those of the level below.
    old_share: Vec<f64>,
    new_share: Vec<f64>,
    /// Values of the jobs that start, at their start and in the middle.
    start: Vec<f64>,
    middle: Vec<f64>,
    /// Departures from servers of at least this level.
    departures: Vec<f64>,
}

/// The state of the servers on a grid.
pub(super) struct Scheme<'a> {
    law: &'a UnitLaw,
    choices: u32,
    load: f64,
    packets: &'a [Packet],
    times: &'a [f64],
    steps: usize,
    step: f64,
    /// Weights of cells by age, oldest first; means of neighbours, and differences.
    weights: Vec<f64>,
    means: Vec<f64>,
    falls: Vec<f64>,
    /// By level from 1: values of the packets, then of the steps from the first on.
    values: Vec<Vec<f64>>,
    flow: Flow,
    scratch: Vec<f64>,
}

impl<'a> Scheme<'a> {
    pub(super) fn new(
        law: &'a UnitLaw,
        choices: u32,
        load: f64,
        packets: &'a [Packet],
        times: &'a [f64],
        steps: usize,
    ) -> Self {
        let step = times.last().copied().unwrap_or(0.0) / steps as f64;
        let cells = |cell: usize| law.cell(cell as f64 * step, (cell + 1) as f64 * step);
        let weights: Vec<f64> = (0..=steps).rev().map(cells).collect();
        let means = weights.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
        let falls = weights.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let levels = packets.iter().map(|packet| packet.masses.len()).max().unwrap_or(0) + 1;
        let mass = |level| move |packet: &Packet| packet.masses.get(level).copied().unwrap_or(0.0);
        let values = (0..levels).map(|level| packets.iter().map(mass(level)).collect()).collect();
        let (flow, scratch) = (Flow::default(), Vec::new());
        Self {
            law,
            choices,
            load,
            packets,
            times,
            steps,
            step,
            weights,
            means,
            falls,
            values,
            flow,
            scratch,
        }
    }

    /// The fractions at each time, by number of jobs from 0.
    pub(super) fn run(mut self) -> Vec<Vec<f64>> {
        let (times, step) = (self.times, self.step);
        let mut rows = Vec::with_capacity(times.len());
        for done in 0..=self.steps {
            while let Some(&time) = times.get(rows.len()) {
                // Times from here on, in steps.
                let part = if step > 0.0 { time / step - done as f64 } else { 0.0 };
                match part {
                    _ if part >= 1.0 - ON_GRID => break,
                    _ if part < ON_GRID => rows.push(self.fractions(done)),
                    _ => rows.push(self.glimpse(done, part)),
                }
            }
            if rows.len() == times.len() {
                break;
            }
            self.advance(done);
        }
        rows
    }

    /// Weights of the packets after some time.
    fn packet_weights(&self, time: f64) -> Vec<f64> {
        let left = |age: f64| self.law.survival(age + time) / self.law.survival(age);
        self.packets.iter().map(|packet| left(packet.age)).collect()
    }

    /// Fractions of servers after `done` steps.
    fn fractions(&self, done: usize) -> Vec<f64> {
        let mut weights = self.packet_weights(done as f64 * self.step);
        weights.extend(&self.weights[self.steps - done + 1..]);
        self.sums(&weights)
    }

    fn sums(&self, weights: &[f64]) -> Vec<f64> {
        let sums = self.values.iter().map(|values| dot(values, weights));
        [1.0].into_iter().chain(sums).collect()
    }

    /// The fractions a part of a step later, without going there.
    fn glimpse(&mut self, done: usize, part: f64) -> Vec<f64> {
        let ahead = part * self.step;
        let mut before = self.packet_weights(done as f64 * self.step);
        before.extend(&self.weights[self.steps - done + 1..]);
        let mut after = self.packet_weights(done as f64 * self.step + ahead);
        let start = |cell: usize| cell as f64 * self.step + ahead;
        after.extend((0..done).rev().map(|cell| self.law.cell(start(cell), start(cell + 1))));
        let mean: Vec<f64> = before.iter().zip(&after).map(|(a, b)| (a + b) / 2.0).collect();
        let fall: Vec<f64> = before.iter().zip(&after).map(|(a, b)| a - b).collect();
        let young = self.law.cell(0.0, ahead);
        self.balance(&Weights { mean: &mean, fall: &fall, step: ahead, young });
        let values = self.values.clone();
        self.move_values(0);
        after.push(young);
        let fractions = self.sums(&after);
        self.values = values;
        fractions
    }

    /// Takes one step.
    fn advance(&mut self, done: usize) {
        let packets = self.packets.len();
        let now = done as f64 * self.step;
        let (before, after) = (self.packet_weights(now), self.packet_weights(now + self.step));
        let cells = self.steps - done..self.steps;
        let mut mean: Vec<f64> = before.iter().zip(&after).map(|(a, b)| (a + b) / 2.0).collect();
        let mut fall: Vec<f64> = before.iter().zip(&after).map(|(a, b)| a - b).collect();
        // Old cells whose jobs have all left come first; with them, nothing moves.
        let gone = self.means[cells.clone()].partition_point(|&weight| weight < GONE * self.step);
        let skipped = if packets == 0 { gone } else { 0 };
        mean.extend(&self.means[cells.start + skipped..cells.end]);
        fall.extend(&self.falls[cells.start + skipped..cells.end]);
        let young = self.weights[self.steps];
        self.balance_from(skipped, &Weights { mean: &mean, fall: &fall, step: self.step, young });
        self.move_values(skipped);
        if self.flow.fraction[self.values.len()] > NEGLIGIBLE {
            self.values.push(vec![0.0; packets + done + 1]);
        }
    }

    fn balance(&mut self, weights: &Weights<'_>) {
        self.balance_from(0, weights);
    }

    /// Finds the flow of a step: fractions at its middle, and the jobs that start.
    ///
    /// Values of old jobs enter only through two sums a level, as all move by the same share.
    fn balance_from(&mut self, skipped: usize, weights: &Weights<'_>) {
        let old = self.values.iter().map(|values| {
            let values = &values[skipped..];
            (dot(values, weights.mean), dot(values, weights.fall))
        });
        let old: Vec<(f64, f64)> = old.collect();
        self.flow.resize(old.len());
        for _ in 0..500 {
            if self.flow.improve(&old, weights, self.choices, self.load) < 1e-16 {
                break;
            }
        }
    }

    /// Moves the values to the end of the step, and appends those of the jobs that started.
    fn move_values(&mut self, skipped: usize) {
        // Middle values of the level below.
        self.scratch.clear();
        self.scratch.extend_from_slice(&self.values[0][skipped..]);
        for (index, values) in self.values.iter_mut().enumerate() {
            let level = index + 1;
            if level > 1 {
                relax(self.flow.old_share[level], &mut values[skipped..], &mut self.scratch);
            }
            values.push(2.0 * self.flow.middle[level] - self.flow.start[level]);
        }
    }
}

/// Moves values towards those of the level below, whose middles are given, and leaves their own
/// middles.
fn relax(share: f64, values: &mut [f64], middles: &mut [f64]) {
    for (value, middle) in values.iter_mut().zip(middles) {
        *middle = *value + share * (*middle - *value);
        *value = 2.0 * *middle - *value;
    }
}

impl Flow {
    fn resize(&mut self, levels: usize) {
        let Self { fraction, old_share, new_share, start, middle, departures } = self;
        for list in [fraction, old_share, new_share, start, middle, departures] {
            list.resize(levels + 2, 0.0);
        }
    }

    /// One sweep over the levels; the greatest change of a fraction.
    fn improve(&mut self, old: &[(f64, f64)], weights: &Weights<'_>, d: u32, load: f64) -> f64 {
        let Weights { step, young, .. } = *weights;
        let mean_young = (step + young) / 2.0;
        let mut change: f64 = 0.0;
        let (mut mass, mut falls) = (0.0, 0.0);
        self.fraction[0] = 1.0;
        for level in 1..=old.len() {
            if level > 1 {
                let pace = load * choice_rate(d, self.fraction[level - 1], self.fraction[level]);
                self.old_share[level] = pace * step / 2.0 / (1.0 + pace * step / 2.0);
                // Jobs that start in the step have half of it on average.
                self.new_share[level] = pace * step / 4.0 / (1.0 + pace * step / 4.0);
            }
            let (old_mass, old_falls) = old[level - 1];
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
