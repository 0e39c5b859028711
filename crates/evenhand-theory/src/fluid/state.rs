//! The fractions of bins by load at one time.

use super::process::Process;
use super::window::{LEAST_STEEP, Window};

/// The fluid limit at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// T, the number of balls over the number of bins.
    pub balls_per_bin: f64,
    /// x_i, the fraction of bins with at least i balls; index = load. It begins with x_0 = 1 and
    /// ends before the first x_i below 1e-290. If tails fall no faster than exponentially over many
    /// levels (one choice, (1 + beta), thresholds), it ends before the first below 1e-60.
    pub fraction_at_least: Vec<f64>,
    /// The same by block of `Process::Left`, leftmost first; empty for other processes.
    pub blocks: Vec<Vec<f64>>,
    /// y_j, the fraction of groups of `Process::Groups` with at least j balls; index = number of
    /// balls in the group. Empty for other processes.
    pub groups: Vec<f64>,
    /// Greatest relative difference of an x_i from the solution at thirty times the tolerance,
    /// an upper estimate of the numerical error.
    pub relative_error: f64,
}

/// The state that a window holds, with the error that a coarser one shows.
pub(super) fn state(process: Process, time: f64, fine: &Window, coarse: &Window) -> State {
    let fraction_at_least = bins(fine);
    let error = relative_difference(&fraction_at_least, &bins(coarse));
    let (mut blocks, mut groups) = (Vec::new(), Vec::new());
    match process {
        Process::Left { blocks: count } => {
            blocks = (0..count as usize).map(|block| part(fine, block)).collect();
        }
        Process::Groups { .. } => groups = totals(fine),
        _ => (),
    }
    State { balls_per_bin: time, fraction_at_least, blocks, groups, relative_error: error }
}

/// x_i as the mean over the parts of level i.
fn bins(window: &Window) -> Vec<f64> {
    let levels = window.x.chunks(window.parts);
    let means = levels.map(|level| level.iter().sum::<f64>() / window.parts as f64);
    above(window.full, means)
}

fn part(window: &Window, part: usize) -> Vec<f64> {
    above(window.full, window.x.iter().skip(part).step_by(window.parts).copied())
}

fn totals(window: &Window) -> Vec<f64> {
    above(window.full * window.parts, window.x.iter().copied())
}

/// Level 0 and `full` further ones, all 1, and then those given.
fn above(full: usize, fractions: impl Iterator<Item = f64>) -> Vec<f64> {
    let kept = fractions.take_while(|&x| x >= LEAST_STEEP).map(|x| x.min(1.0));
    std::iter::repeat_n(1.0, full + 1).chain(kept).collect()
}

fn relative_difference(fine: &[f64], coarse: &[f64]) -> f64 {
    let differences = fine.iter().zip(coarse).map(|(a, b)| (a - b).abs() / a);
    differences.fold(0.0, f64::max)
}
