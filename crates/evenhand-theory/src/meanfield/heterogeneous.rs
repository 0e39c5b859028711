//! Servers of several speeds.

use super::inputs::{check_choices, check_quantile, check_rate};
use super::law::{poisson_mixture, quantile};
use crate::{Error, choice_rate};

/// A class of servers of one speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// Fraction of the servers that are of the class, above 0.
    pub fraction: f64,
    /// Work done per unit of time, above 0; a job brings work of mean 1.
    pub speed: f64,
}

/// How the servers that a job sees are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// Each server is as likely as any other.
    Uniform,
    /// Servers are drawn in proportion to their speeds.
    BySpeed,
}

/// The stationary state of infinitely many servers of several speeds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Heterogeneous {
    /// Arrivals per server and unit of time.
    pub arrival_rate: f64,
    /// The classes, as given.
    pub classes: Vec<Class>,
    /// `tails[k]` is the fraction of all servers with at least k jobs; `tails[0]` = 1.
    pub tails: Vec<f64>,
    /// `class_tails[c][k]` is the fraction of the servers of class c with at least k jobs.
    pub class_tails: Vec<Vec<f64>>,
    /// `selected[c][k]` is the probability that an arriving job joins a server of class c with at
    /// least k jobs.
    pub selected: Vec<Vec<f64>>,
    /// Greatest imbalance of the flows of work and of jobs at a class, over the arrival rate.
    pub error: f64,
}

/// Profiles end at a tail below this, or are given up beyond so many levels.
const NEGLIGIBLE: f64 = 1e-20;
const FIRST_LEVELS: usize = 32;
const MOST_LEVELS: usize = 1 << 16;

/// Greatest change, absolute and over the tail, at which the iteration has settled.
const SETTLED: f64 = 1e-14;
const MOST_SWEEPS: u32 = 100_000;

/// The stationary state where each job joins the server with the fewest jobs of `d` draws, whatever
/// the speeds of the servers.
///
/// With t\[k\] the probability that a drawn server has at least k jobs, a server with k jobs is sent
/// jobs at rate arrival_rate w P_d(t\[k\], t\[k+1\]), [`choice_rate`], where w is 1, or its speed
/// over the mean speed if draws are by speed. So each server is a birth-death chain, and t is found
/// by iteration. With draws by speed, births over deaths are the same for all classes, so all
/// have the profile of the supermarket model at the load arrival_rate / mean speed.
///
/// Mukhopadhyay, Mazumdar 2016 ("Analysis of randomized join-the-shortest-queue (JSQ) schemes in
/// large heterogeneous processor-sharing systems").
///
/// ```
/// use evenhand_theory::meanfield::heterogeneous::{Class, Drawing, heterogeneous};
/// let fast = Class { fraction: 0.5, speed: 1.5 };
/// let slow = Class { fraction: 0.5, speed: 0.5 };
/// let state = heterogeneous(2, 0.8, &[fast, slow], Drawing::Uniform)?;
/// assert!((state.mean_sojourn() - 3.562177933).abs() < 1e-8);
/// # Ok::<(), evenhand_theory::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unstable`] if jobs bring as much work as all servers do, or more; [`Error::Saturated`]
/// if so with the jobs that cannot but join some of the classes, which it names;
/// [`Error::OutOfRange`] for parameters out of range; [`Error::NoConvergence`] if the iteration
/// does not settle.
pub fn heterogeneous(
    d: u32,
    arrival_rate: f64,
    classes: &[Class],
    drawing: Drawing,
) -> Result<Heterogeneous, Error> {
    check_choices(d)?;
    check_rate(arrival_rate)?;
    let classes = normalised(classes)?;
    let weights = weights(&classes, drawing);
    check_stable(d, arrival_rate, &classes, &weights)?;
    let chains: Vec<Chain> = classes
        .iter()
        .zip(&weights)
        .map(|(class, weight)| Chain {
            weight: *weight,
            // Births over deaths, but for the factor of the choices.
            ratio: arrival_rate * weight / (class.fraction * class.speed),
        })
        .collect();
    let mut levels = FIRST_LEVELS;
    loop {
        let (class_tails, drawn) = settle(d, &chains, levels)?;
        if class_tails.iter().all(|tails| tails[levels] < NEGLIGIBLE) {
            return Ok(assemble(d, arrival_rate, classes, &weights, class_tails, &drawn));
        }
        levels *= 2;
        if levels > MOST_LEVELS {
            let why = format!("queues get longer than {MOST_LEVELS} jobs");
            return Err(Error::OutOfRange(why));
        }
    }
}

impl Heterogeneous {
    /// Mean number of jobs at a server, the one in service included.
    pub fn mean_queue_length(&self) -> f64 {
        self.tails.iter().skip(1).rev().sum()
    }

    /// Mean number of jobs at a server of each class.
    pub fn mean_queue_lengths(&self) -> Vec<f64> {
        self.class_tails.iter().map(|tails| tails.iter().skip(1).rev().sum()).collect()
    }

    /// Mean time of a job in the system.
    pub fn mean_sojourn(&self) -> f64 {
        let each = self.classes.iter().zip(&self.selected);
        each.map(|(class, selected)| selected.iter().rev().sum::<f64>() / class.speed).sum()
    }

    /// Mean time in the system of the jobs that join each class; infinite where none do.
    pub fn mean_sojourns(&self) -> Vec<f64> {
        let each = self.classes.iter().zip(&self.selected);
        each.map(|(class, selected)| {
            let joining = selected[0];
            let time = selected.iter().rev().sum::<f64>() / class.speed;
            if joining > 0.0 { time / joining } else { f64::INFINITY }
        })
        .collect()
    }

    /// Probability that a job waits.
    pub fn waiting_probability(&self) -> f64 {
        self.selected.iter().map(|selected| selected[1]).sum()
    }

    /// Probability that a job is in the system for longer than `time`: a mixture of sums of k + 1
    /// exponential times of the speed of its server.
    pub fn sojourn_above(&self, time: f64) -> f64 {
        self.above(0, time)
    }

    /// Probability that a job waits for longer than `time`.
    pub fn wait_above(&self, time: f64) -> f64 {
        self.above(1, time)
    }

    /// The time that a job is in the system for at most, with `probability`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless 0 < `probability` < 1.
    pub fn sojourn_quantile(&self, probability: f64) -> Result<f64, Error> {
        check_quantile(probability)?;
        quantile(|time| self.sojourn_above(time), 1.0 - probability)
    }

    /// The time that a job waits for at most, with `probability`; 0 if so many do not wait.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless 0 < `probability` < 1.
    pub fn wait_quantile(&self, probability: f64) -> Result<f64, Error> {
        check_quantile(probability)?;
        quantile(|time| self.wait_above(time), 1.0 - probability)
    }

    fn above(&self, from: usize, time: f64) -> f64 {
        let each = self.classes.iter().zip(&self.selected);
        each.map(|(class, selected)| poisson_mixture(&selected[from..], class.speed * time)).sum()
    }
}

/// The classes with fractions that sum to 1 to the last digit.
fn normalised(classes: &[Class]) -> Result<Vec<Class>, Error> {
    let positive = |x: f64| x.is_finite() && x > 0.0;
    let sum: f64 = classes.iter().map(|class| class.fraction).sum();
    if !classes.iter().all(|class| positive(class.fraction) && positive(class.speed))
        || (sum - 1.0).abs() > 1e-6
    {
        let why = "classes have fractions above 0 that sum to 1, and speeds above 0";
        return Err(Error::OutOfRange(why.into()));
    }
    Ok(classes.iter().map(|class| Class { fraction: class.fraction / sum, ..*class }).collect())
}

/// The probability that a drawn server is of each class.
fn weights(classes: &[Class], drawing: Drawing) -> Vec<f64> {
    let speed: f64 = classes.iter().map(|class| class.fraction * class.speed).sum();
    let weight = |class: &Class| match drawing {
        Drawing::Uniform => class.fraction,
        Drawing::BySpeed => class.fraction * class.speed / speed,
    };
    classes.iter().map(weight).collect()
}

/// Each set of classes must do more work than the jobs bring that see no server of another class.
///
/// The sets that matter are those of the slowest: of all sets that are drawn as often, they do the
/// least work. A set of some servers of a class would matter less than all or none of it, as work
/// grows with its size in proportion, and jobs by a convex power.
fn check_stable(d: u32, rate: f64, classes: &[Class], weights: &[f64]) -> Result<(), Error> {
    let mut order: Vec<usize> = (0..classes.len()).collect();
    order.sort_by(|&a, &b| classes[a].speed.total_cmp(&classes[b].speed));
    let all: f64 = classes.iter().map(|class| class.fraction * class.speed).sum();
    if rate >= all {
        return Err(Error::Unstable { load: rate / all });
    }
    let (mut drawn, mut work) = (0.0, 0.0);
    for (slowest, &c) in order[..order.len() - 1].iter().enumerate() {
        drawn += weights[c];
        work += classes[c].fraction * classes[c].speed;
        let sent = rate * f64::powi(drawn, d as i32);
        if sent >= work {
            return Err(Error::Saturated(format!(
                "servers of speed {} {}: jobs that see no other servers bring {sent:.4} of work per \
                 server and unit of time, and they do {work:.4}, so their queues grow without bound",
                classes[c].speed,
                if slowest == 0 { "saturate" } else { "and below saturate" },
            )));
        }
    }
    Ok(())
}

/// What the profile of a class depends on.
struct Chain {
    /// Probability that a drawn server is of the class.
    weight: f64,
    /// Births over deaths, but for the factor of the choices.
    ratio: f64,
}

/// The tails of each class, and those of a drawn server, by iteration.
fn settle(d: u32, chains: &[Chain], levels: usize) -> Result<(Vec<Vec<f64>>, Vec<f64>), Error> {
    let load: f64 = chains.iter().map(|chain| chain.weight * chain.ratio).sum();
    let mut drawn: Vec<f64> = (0..=levels).map(|k| load.min(0.9).powi(k as i32)).collect();
    let mut change = f64::INFINITY;
    for _ in 0..MOST_SWEEPS {
        let tails: Vec<Vec<f64>> = chains.iter().map(|chain| profile(d, chain, &drawn)).collect();
        change = 0.0;
        for k in 1..=levels {
            let parts = chains.iter().zip(&tails).map(|(chain, tails)| chain.weight * tails[k]);
            let next: f64 = parts.sum();
            let scale = next.max(drawn[k]);
            if scale > NEGLIGIBLE {
                change = f64::max(change, (next - drawn[k]).abs() / scale.max(1e-3));
            }
            drawn[k] = next;
        }
        if change < SETTLED {
            return Ok((tails, drawn));
        }
    }
    let what = "the state of servers of several speeds";
    Err(Error::NoConvergence { what, steps: MOST_SWEEPS, change })
}

/// The tails of a birth-death chain with births at k over deaths of ratio P_d(t\[k\], t\[k+1\]).
fn profile(d: u32, chain: &Chain, drawn: &[f64]) -> Vec<f64> {
    let mut odds = 1.0_f64;
    let mut exactly = vec![1.0];
    for pair in drawn.windows(2) {
        odds *= chain.ratio * choice_rate(d, pair[0], pair[1]);
        // Odds may overflow on the way to the fixed point, though not at it.
        if odds > 1e200 {
            exactly.iter_mut().for_each(|mass: &mut f64| *mass /= odds);
            odds = 1.0;
        }
        exactly.push(odds);
    }
    let mut sum = 0.0;
    for mass in exactly.iter_mut().rev() {
        sum += *mass;
        *mass = sum;
    }
    exactly.iter().map(|tail| tail / sum).collect()
}

fn assemble(
    d: u32,
    arrival_rate: f64,
    classes: Vec<Class>,
    weights: &[f64],
    class_tails: Vec<Vec<f64>>,
    drawn: &[f64],
) -> Heterogeneous {
    let levels = drawn.len();
    let overall = |k: usize| {
        classes.iter().zip(&class_tails).map(|(class, tails)| class.fraction * tails[k]).sum()
    };
    let tails = (0..levels).map(overall).collect();
    let selected: Vec<Vec<f64>> = weights
        .iter()
        .zip(&class_tails)
        .map(|(weight, tails)| selected(d, *weight, tails, drawn))
        .collect();
    // At rest a class is sent, in all and to its busy servers, what it does.
    let error = (classes.iter().zip(&class_tails).zip(&selected))
        .flat_map(|((class, tails), selected)| {
            let work = class.fraction * class.speed;
            (0..levels - 1).map(move |k| arrival_rate * selected[k] - work * tails[k + 1])
        })
        .map(|imbalance| imbalance.abs() / arrival_rate.max(f64::MIN_POSITIVE))
        .fold(0.0, f64::max);
    Heterogeneous { arrival_rate, classes, tails, class_tails, selected, error }
}

/// The probability that a job joins a server of a class with at least k jobs.
fn selected(d: u32, weight: f64, tails: &[f64], drawn: &[f64]) -> Vec<f64> {
    let longer = |tails: &[f64], k: usize| tails.get(k + 1).copied().unwrap_or(0.0);
    let mut sum = 0.0;
    let mut selected: Vec<f64> = (0..tails.len())
        .rev()
        .map(|k| {
            let rate = choice_rate(d, drawn[k], longer(drawn, k));
            sum += weight * (tails[k] - longer(tails, k)) * rate;
            sum
        })
        .collect();
    selected.reverse();
    selected
}
