//! Mean fields and their corrections against few servers: exactly, and by simulation.

use std::collections::HashMap;

use evenhand_theory::meanfield::Selection;
use evenhand_theory::meanfield::refined::{Sampling, second_order};
use evenhand_theory::meanfield::supermarket::fixed_point;

/// Queue lengths, longest first.
type Lengths = Vec<u8>;

/// The lengths that follow, with rates, of servers with two choices and at most `cap` jobs.
fn transitions(lengths: &Lengths, load: f64, cap: u8, sampling: Sampling) -> Vec<(Lengths, f64)> {
    let n = lengths.len();
    let moved = |server: usize, up: bool| {
        let mut next = lengths.clone();
        next[server] = if up { next[server] + 1 } else { next[server] - 1 };
        next.sort_unstable_by(|a, b| b.cmp(a));
        next
    };
    let mut out = Vec::new();
    for (server, &length) in lengths.iter().enumerate() {
        if length > 0 {
            out.push((moved(server, false), 1.0));
        }
        // The server with the greater index has no more jobs, so the pair selects it.
        let probability = match sampling {
            Sampling::WithReplacement => (2 * server + 1) as f64 / (n * n) as f64,
            Sampling::Distinct => (2 * server) as f64 / (n * (n - 1)) as f64,
        };
        if length < cap && probability > 0.0 {
            out.push((moved(server, true), load * n as f64 * probability));
        }
    }
    out
}

/// Mean queue length of `n` servers at rest, by Gauss-Seidel sweeps over the balance equations.
fn exact_mean(n: usize, load: f64, cap: u8, sampling: Sampling) -> f64 {
    let mut states: Vec<Lengths> = vec![vec![0; n]];
    let mut index = HashMap::from([(states[0].clone(), 0)]);
    let mut into: Vec<Vec<(usize, f64)>> = vec![Vec::new()];
    let mut out: Vec<f64> = Vec::new();
    while out.len() < states.len() {
        let from = out.len();
        let next = transitions(&states[from], load, cap, sampling);
        out.push(next.iter().map(|(_, rate)| rate).sum());
        for (lengths, rate) in next {
            let to = *index.entry(lengths.clone()).or_insert_with(|| {
                states.push(lengths);
                into.push(Vec::new());
                states.len() - 1
            });
            into[to].push((from, rate));
        }
    }
    let jobs: Vec<f64> = states.iter().map(|all| all.iter().map(|&l| f64::from(l)).sum()).collect();
    let mut law = vec![1.0; states.len()];
    let (mut mean, mut before) = (0.0, 1.0);
    while f64::abs(mean - before) > 1e-13 {
        before = mean;
        // Both ways, as probability flows up and down.
        for to in (0..law.len()).chain((0..law.len()).rev()) {
            law[to] = into[to].iter().map(|&(from, rate)| law[from] * rate).sum::<f64>() / out[to];
        }
        let all: f64 = law.iter().sum();
        law.iter_mut().for_each(|mass| *mass /= all);
        mean = law.iter().zip(&jobs).map(|(mass, jobs)| mass * jobs).sum::<f64>() / n as f64;
    }
    mean
}

/// N² (exact - expansion to 1/N) tends to the coefficient of 1/N², with an error of order 1/N that
/// the two last differences remove.
#[test]
fn the_second_correction_is_what_few_servers_lack() {
    let load = 0.5;
    for sampling in [Sampling::WithReplacement, Sampling::Distinct] {
        let state = second_order(Selection::Choices { d: 2 }, sampling, load).unwrap();
        let mut first = state.clone();
        first.second = None;
        let coefficient: f64 = state.second.as_ref().unwrap().iter().sum();
        let lack = |n: usize, cap: u8| {
            let exact = exact_mean(n, load, cap, sampling);
            (exact - first.mean_queue_length(n as u64)) * (n * n) as f64
        };
        let (coarse, fine) = (lack(5, 14), lack(10, 8));
        let limit = 2.0 * fine - coarse;
        let off = (limit - coefficient).abs();
        assert!(off < 0.05 * coefficient.abs() + 0.005, "{sampling:?}: {limit} {coefficient}");
    }
}

/// Means of three servers at a load of 0.7 and two choices with replacement: exactly 1.458232.
#[test]
fn three_servers_are_nearly_there() {
    let choices = Selection::Choices { d: 2 };
    let state = second_order(choices, Sampling::WithReplacement, 0.7).unwrap();
    assert!((state.mean_queue_length(3) - 1.4582321779).abs() < 2e-3);
    assert!((exact_mean(3, 0.7, 40, Sampling::WithReplacement) - 1.4582321779).abs() < 1e-8);
}

/// A generator of uniform numbers (Steele, Lea, Flood 2014: SplitMix).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn server(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// Fractions with at least 1 to 4 jobs, over time, where `select` picks the server of a job.
fn simulate(n: usize, load: f64, mut select: impl FnMut(&[u32], &mut Random) -> usize) -> [f64; 4] {
    let (mut random, mut lengths) = (Random(7), vec![0_u32; n]);
    let (mut counts, mut sums) = ([0_u32; 4], [0.0; 4]);
    let (warm, events) = (4_000_000, 16_000_000);
    for event in 0..events {
        if random.unit() * (1.0 + load) < load {
            let server = select(&lengths, &mut random);
            lengths[server] += 1;
            if let Some(count) = counts.get_mut(lengths[server] as usize - 1) {
                *count += 1;
            }
        } else {
            let server = random.server(n);
            if let Some(less) = lengths[server].checked_sub(1) {
                counts.iter_mut().skip(less as usize).take(1).for_each(|count| *count -= 1);
                lengths[server] = less;
            }
        }
        if event >= warm {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += f64::from(count));
        }
    }
    sums.map(|sum| sum / f64::from(events - warm) / n as f64)
}

fn check(selection: Selection, load: f64, simulated: [f64; 4]) {
    let state = fixed_point(selection, load).unwrap();
    for (k, simulated) in simulated.iter().enumerate() {
        let off = simulated - state.tails[k + 1];
        // Four standard errors of some 1300 mean service times, and the bias of order 1/N.
        assert!(off.abs() < 3e-3, "{selection:?}: level {}: off {off}", k + 1);
    }
}

const SERVERS: usize = 5_000;
const LOAD: f64 = 0.7;

#[test]
fn memory_follows_its_simulation() {
    for d in [1, 2] {
        let (mut kept, mut seen) = (0, Vec::new());
        let simulated = simulate(SERVERS, LOAD, |lengths, random| {
            seen.clear();
            seen.push(kept);
            seen.extend((0..d).map(|_| random.server(SERVERS)));
            let mut least = |extra: Option<usize>| {
                let length = |s: usize| lengths[s] + u32::from(extra == Some(s));
                let lowest = seen.iter().map(|&s| length(s)).min().unwrap();
                let tied: Vec<usize> =
                    seen.iter().copied().filter(|&s| length(s) == lowest).collect();
                tied[random.server(tied.len())]
            };
            let chosen = least(None);
            kept = least(Some(chosen));
            chosen
        });
        check(Selection::Memory { d }, LOAD, simulated);
    }
}

#[test]
fn thresholds_follow_their_simulation() {
    for limit in [0, 1] {
        let simulated = simulate(SERVERS, LOAD, |lengths, random| {
            let draws = [(); 3].map(|()| random.server(SERVERS));
            let within = draws.iter().copied().find(|&s| lengths[s] <= limit);
            within.unwrap_or_else(|| draws.into_iter().min_by_key(|&s| lengths[s]).unwrap())
        });
        check(Selection::Threshold { d: 3, limit: f64::from(limit) }, LOAD, simulated);
    }
}
