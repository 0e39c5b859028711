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

use super::flow::{Flow, Weights, dot};
use super::law::UnitLaw;

/// A new level is opened if the highest holds more than this.
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
        let values = self.values.clone();
        self.balance(0, &Weights { mean: &mean, fall: &fall, step: ahead, young });
        self.move_values(0);
        after.push(young);
        let fractions = self.sums(&after);
        self.values = values;
        fractions
    }

    /// Takes one step.
    fn advance(&mut self, done: usize) {
        let packets = self.packets.len();
        let queue = if cfg!(debug_assertions) { self.mean_queue(done) } else { 0.0 };
        // The time after one step is written as that before the next: an atom lies between.
        let [before, after] =
            [done, done + 1].map(|done| self.packet_weights(done as f64 * self.step));
        let cells = self.steps - done..self.steps;
        let mut mean: Vec<f64> = before.iter().zip(&after).map(|(a, b)| (a + b) / 2.0).collect();
        let mut fall: Vec<f64> = before.iter().zip(&after).map(|(a, b)| a - b).collect();
        // Old cells whose jobs have all left come first; with them, nothing moves.
        let gone = self.means[cells.clone()].partition_point(|&weight| weight < GONE * self.step);
        let skipped = if packets == 0 { gone } else { 0 };
        mean.extend(&self.means[cells.start + skipped..cells.end]);
        fall.extend(&self.falls[cells.start + skipped..cells.end]);
        let young = self.weights[self.steps];
        self.balance(skipped, &Weights { mean: &mean, fall: &fall, step: self.step, young });
        self.move_values(skipped);
        debug_assert!(
            (self.mean_queue(done + 1) - queue - self.growth()).abs() < 1e-12 * (1.0 + queue)
        );
    }

    /// Jobs per server after `done` steps.
    fn mean_queue(&self, done: usize) -> f64 {
        self.fractions(done)[1..].iter().rev().sum()
    }

    /// Arrivals less departures in the last step.
    fn growth(&self) -> f64 {
        self.load * self.step - self.flow.departures[1]
    }

    /// Finds the flow of a step, with as many levels as it takes to hold all arrivals.
    ///
    /// The first `skipped` values have no weight.
    fn balance(&mut self, skipped: usize, weights: &Weights<'_>) {
        loop {
            self.balance_levels(skipped, weights);
            if self.flow.fraction[self.values.len()] <= NEGLIGIBLE {
                break;
            }
            self.values.push(vec![0.0; self.values[0].len()]);
        }
    }

    fn balance_levels(&mut self, skipped: usize, weights: &Weights<'_>) {
        let sums = self.values.iter().map(|values| {
            let values = &values[skipped..];
            (dot(values, weights.mean), dot(values, weights.fall))
        });
        let sums: Vec<(f64, f64)> = sums.collect();
        self.flow.settle(&sums, weights, self.choices, self.load);
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

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_sim::Service;
    use proptest::prelude::*;

    fn law(kind: usize, scv: f64) -> UnitLaw {
        let source = match kind {
            0 => format!("gamma({scv})"),
            1 => format!("lognormal({scv})"),
            2 => format!("hyperexponential({})", scv + 1.0),
            3 => "deterministic".into(),
            4 => format!("uniform({})", (scv / 5.0).min(1.0)),
            _ => format!("bounded-pareto(1.2, {})", 2.0 + scv),
        };
        UnitLaw::new(&Service::parse(&source).unwrap())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// In every step, the jobs that are there more have arrived, and those that are there less
        /// have left; and fractions fall with the number of jobs.
        #[test]
        fn every_step_is_balanced(
            kind in 0..6_usize, scv in 0.05..6.0_f64, load in 0.0..1.5_f64, busy in 0.0..1.0_f64,
            choices in 1..5_u32, steps in 20..100_usize,
        ) {
            let law = law(kind, scv);
            let packets = [Packet { age: 0.0, masses: vec![busy, busy / 2.0] }];
            let times = [3.0];
            let mut scheme = Scheme::new(&law, choices, load, &packets, &times, steps);
            let mut queue = scheme.mean_queue(0);
            for done in 0..steps {
                scheme.advance(done);
                let (next, growth) = (scheme.mean_queue(done + 1), scheme.growth());
                prop_assert!((next - queue - growth).abs() < 1e-13 * (1.0 + next));
                let fractions = scheme.fractions(done + 1);
                prop_assert!(fractions.windows(2).all(|pair| pair[0] >= pair[1] - 1e-15));
                queue = next;
            }
        }
    }

    /// Errors fall with the square of the step.
    #[test]
    fn the_order_is_two() {
        for source in ["erlang(3)", "hyperexponential(3)", "deterministic", "uniform(0.7)"] {
            let law = UnitLaw::new(&Service::parse(source).unwrap());
            let queue = |steps| {
                let row = &Scheme::new(&law, 2, 0.9, &[], &[3.0], steps).run()[0];
                row[1..].iter().sum::<f64>()
            };
            let [coarse, middle, fine] = [300, 600, 1200].map(queue);
            let order = f64::log2((coarse - middle) / (middle - fine));
            assert!((order - 2.0).abs() < 0.05, "{source}: order {order}");
        }
    }
}
