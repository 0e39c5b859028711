//! The state in time of shortest-of-d queues with general service.
//!
//! - `Transient`: the answer, by extrapolation from grids of three steps
//! - `scheme.rs`: one grid

use evenhand_sim::Service;

use super::law::UnitLaw;
use super::scheme::{Packet, Scheme};
use crate::Error;

/// Longest step of the coarsest grid, in mean service times.
const COARSEST_STEP: f64 = 0.1;
/// Steps of the finest grid at most.
const MAX_STEPS: usize = 12_000;

/// Jobs that are in service at time 0 and have all been served for as long.
#[derive(Clone, Debug, PartialEq)]
pub struct InitialJobs {
    /// Time for which they have been served, in the unit of the service law.
    pub age: f64,
    /// Fraction of all servers that serve one of them and have at least k jobs, by k from 1.
    pub fraction_at_least: Vec<f64>,
}

/// The state of the servers at given times.
#[derive(Clone, Debug)]
pub struct Transient {
    /// Times, in the unit of the service law.
    pub times: Vec<f64>,
    /// Fraction of servers with at least k jobs: one row a time, by k from 0.
    pub fraction_at_least: Vec<Vec<f64>>,
    /// Jobs per server, by time.
    pub mean_queue: Vec<f64>,
    /// Estimated error of the worst fraction or mean, by time.
    pub numerical_error: Vec<f64>,
    /// Steps of the finest grid.
    pub steps: usize,
}

impl Transient {
    /// The state at each of the ascending `times`, from `start` at time 0 (none: all are idle).
    ///
    /// It solves the hydrodynamic equations of Aghajani and Ramanan (2019) for an arrival rate of
    /// `load` per mean service time and server; loads of 1 and more are allowed. Grids are refined
    /// until the estimated error is at most `accuracy`, or the finest allowed is reached: see
    /// `numerical_error`. The scheme is of order 2, but of order 1 + shape for laws whose density
    /// is unbounded at 0 (`gamma` and `weibull` of shape below 1), and of order 1 where jobs that
    /// started together end together (`start` with a constant or samples).
    ///
    /// ```
    /// use evenhand_sim::Service;
    /// use evenhand_theory::hydrodynamic::Transient;
    ///
    /// let service = Service::parse("erlang(4)").unwrap();
    /// let state = Transient::solve(&service, 2, 0.9, &[], &[1.0], 1e-6).unwrap();
    /// assert!((state.mean_queue[0] - 0.733_922_03).abs() < 1e-6);
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if the load or a time is negative or not finite, if times descend, if
    /// there are no choices, or if the start is no state (fractions that rise with k, that sum to
    /// more than 1, or of an age that no job reaches).
    pub fn solve(
        service: &Service,
        choices: u32,
        load: f64,
        start: &[InitialJobs],
        times: &[f64],
        accuracy: f64,
    ) -> Result<Self, Error> {
        check(choices, load, times, accuracy)?;
        let law = UnitLaw::new(service);
        let packets = packets(&law, service.mean(), start)?;
        let scaled: Vec<f64> = times.iter().map(|time| time / service.mean()).collect();
        let steps = coarsest_steps(&scaled);
        let run = |steps| Scheme::new(&law, choices, load, &packets, &scaled, steps).run();
        refine(times, run, steps, accuracy)
    }
}

/// States at the times, on one grid.
type Rows = Vec<Vec<f64>>;

/// Halves the step until two extrapolations agree.
fn refine(
    times: &[f64],
    run: impl Fn(usize) -> Rows,
    mut steps: usize,
    accuracy: f64,
) -> Result<Transient, Error> {
    let mut grids = [run(steps), run(2 * steps), run(4 * steps)];
    steps *= 4;
    let mut last = extrapolate(&grids);
    loop {
        steps *= 2;
        grids = [std::mem::take(&mut grids[1]), std::mem::take(&mut grids[2]), run(steps)];
        let rows = extrapolate(&grids);
        let numerical_error = distances(&last, &rows);
        if numerical_error.iter().all(|&error| error <= accuracy) || 2 * steps > MAX_STEPS {
            let mean_queue = rows.iter().map(|row| mean_queue(row)).collect();
            let times = times.to_vec();
            return Ok(Transient {
                times,
                fraction_at_least: rows,
                mean_queue,
                numerical_error,
                steps,
            });
        }
        last = rows;
    }
}

fn mean_queue(row: &[f64]) -> f64 {
    row[1..].iter().rev().sum()
}

/// Richardson's extrapolation from the two finer of three grids.
///
/// The order is that at which the mean queue was seen to settle, between 1 and 2: densities that
/// are unbounded at 0 lower it from 2 to 1 + shape. Where a fraction would cross 0, which it does
/// by rounding alone, the finer value stands.
fn extrapolate([coarse, middle, fine]: &[Rows; 3]) -> Rows {
    let row = |((coarse, middle), fine): ((&Vec<f64>, &Vec<f64>), &Vec<f64>)| {
        let [a, b, c] = [coarse, middle, fine].map(|row| mean_queue(row));
        let ratio = (a - b) / (b - c);
        let gain = if ratio.is_finite() { ratio.clamp(2.0, 4.0) - 1.0 } else { 3.0 };
        let entry = |(middle, &fine): (f64, &f64)| {
            let value = fine + (fine - middle) / gain;
            if value > 0.0 { value.min(1.0) } else { fine }
        };
        middle.iter().copied().chain(std::iter::repeat(0.0)).zip(fine).map(entry).collect()
    };
    coarse.iter().zip(middle).zip(fine).map(row).collect()
}

/// Greatest difference of a fraction or of the mean, by row.
fn distances(a: &Rows, b: &Rows) -> Vec<f64> {
    let distance = |(a, b): (&Vec<f64>, &Vec<f64>)| {
        let pairs = a.iter().zip(b).map(|(a, b)| (a - b).abs());
        pairs.fold((mean_queue(a) - mean_queue(b)).abs(), f64::max)
    };
    a.iter().zip(b).map(distance).collect()
}

fn check(choices: u32, load: f64, times: &[f64], accuracy: f64) -> Result<(), Error> {
    let wrong = |message: String| Err(Error::OutOfRange(message));
    if choices == 0 {
        return wrong("there must be at least one choice".into());
    }
    if !(load >= 0.0 && load.is_finite()) {
        return wrong(format!("the load is {load}; it must be finite and not negative"));
    }
    if !times.iter().all(|&time| time >= 0.0 && time.is_finite()) || !times.is_sorted() {
        return wrong("times must be finite, not negative, and ascend".into());
    }
    if accuracy.is_nan() || accuracy <= 0.0 {
        return wrong(format!("the accuracy is {accuracy}; it must be positive"));
    }
    Ok(())
}

/// The initial jobs in units of the mean service time.
fn packets(law: &UnitLaw, mean: f64, start: &[InitialJobs]) -> Result<Vec<Packet>, Error> {
    let total: f64 = start.iter().filter_map(|jobs| jobs.fraction_at_least.first()).sum();
    let possible = |jobs: &InitialJobs| {
        let fractions = &jobs.fraction_at_least;
        let falls = fractions.windows(2).all(|pair| pair[0] >= pair[1]);
        falls && fractions.iter().all(|&fraction| fraction >= 0.0)
    };
    if total.is_nan() || total > 1.0 + 1e-12 || !start.iter().all(possible) {
        return Err(Error::OutOfRange(
            "initial fractions must fall with the number of jobs, from a sum of at most 1".into(),
        ));
    }
    let reached = |jobs: &InitialJobs| jobs.age >= 0.0 && law.survival(jobs.age / mean) > 0.0;
    if let Some(jobs) = start.iter().find(|jobs| !reached(jobs)) {
        return Err(Error::OutOfRange(format!("no job is in service at age {}", jobs.age)));
    }
    let packet = |jobs: &InitialJobs| Packet {
        age: jobs.age / mean,
        masses: jobs.fraction_at_least.clone(),
    };
    Ok(start.iter().map(packet).collect())
}

/// Steps to the last time such that all times are on the grid, if there is such a grid of about
/// the coarsest step; those that are not are reached by a shorter step.
fn coarsest_steps(times: &[f64]) -> usize {
    let last = times.last().copied().unwrap_or(0.0);
    let least = ((last / COARSEST_STEP).ceil() as usize).clamp(8, MAX_STEPS / 4);
    let on_grid = |time: f64, steps: usize| {
        let index = time / last * steps as f64;
        (index - index.round()).abs() < 1e-9
    };
    let fits = |&steps: &usize| times.iter().all(|&time| on_grid(time, steps));
    (least..2 * least).find(fits).unwrap_or(least)
}
