//! The profile engine: the number of bins at each load, whatever the number of bins.
//!
//! Under an exchangeable policy all bins of equal load are alike, so the counts
//! `s_i = number of bins with load >= i` are themselves a Markov chain, and simulating that chain
//! gives the law of every quantity that does not name a bin. A dozen counts stand for 10^12 bins.
//!
//! Three forms, the same law:
//! - *sequential*: one ball at a time;
//! - *block*: 64 balls counted at once where their order cannot matter, bit for bit the
//!   sequential counts;
//! - *skipping*: about sqrt(n) balls at once, for large n.

mod binomial;
mod block;
mod groups_least;
mod keys;
mod left;
mod memory;
mod occupancy;
mod skipping;
#[cfg(test)]
mod tests;
mod threshold;
mod totals;

use evenhand_core::ReplicationSeed;
use evenhand_policies::PolicySpec;
use evenhand_policies::catalogue::Groups;
use evenhand_policies::rules::Compare;

pub use binomial::binomial;
pub use keys::Keys;

/// From this many bins on, skipping beats counting blocks (both measured at two choices).
const SKIP_FROM_BINS: u64 = 1 << 18;

/// A running profile.
pub(crate) trait Profile {
    /// Throws balls.
    fn throw(&mut self, balls: u64);

    /// Number of bins with load at least `i`, for i from 0 to the greatest load.
    fn at_least(&self) -> Vec<u64>;

    /// Balls thrown so far.
    fn balls(&self) -> u64;

    /// Loads read so far; an expectation where the form does not see single balls.
    fn probes(&self) -> f64;
}

/// The profile process of a policy, or `None` if the policy is not exchangeable or has none.
pub(crate) fn start(
    policy: &PolicySpec,
    bins: u64,
    seed: &ReplicationSeed,
) -> Option<Box<dyn Profile>> {
    let streams = seed.streams();
    Some(match policy {
        PolicySpec::Choices(_) | PolicySpec::OnePlusBeta(_) => {
            keyed(Keys::of(policy, bins)?, bins, streams)
        }
        PolicySpec::Left(policy) if bins >= SKIP_FROM_BINS => {
            Box::new(skipping::Skipping::new(left::Blocks::new(policy, bins), bins, streams.sample))
        }
        PolicySpec::Left(policy) => Box::new(left::Sequential::new(policy, bins, streams.sample)),
        PolicySpec::Threshold(policy) => {
            Box::new(threshold::Sequential::new(policy, bins, streams.sample))
        }
        PolicySpec::Memory(policy) if policy.m == 1 => {
            Box::new(memory::Sequential::new(policy.d, bins, streams))
        }
        PolicySpec::Groups(policy) => groups(policy, bins, streams),
        _ => return None,
    })
}

/// True if [`start`] has a process for the policy.
pub(crate) fn exists(policy: &PolicySpec) -> bool {
    match policy {
        PolicySpec::Choices(choices) => !choices.weighted,
        PolicySpec::Memory(memory) => memory.m == 1,
        PolicySpec::OnePlusBeta(_)
        | PolicySpec::Left(_)
        | PolicySpec::Threshold(_)
        | PolicySpec::Groups(_) => true,
        _ => false,
    }
}

/// Rough time of `balls` balls in seconds.
pub(crate) fn estimated_seconds(policy: &PolicySpec, bins: u64, balls: u64) -> f64 {
    let balls = balls as f64;
    let per_ball = |nanoseconds: f64| balls * nanoseconds * 1e-9;
    match policy {
        PolicySpec::Threshold(policy) => per_ball(8.0 * f64::from(policy.d)),
        PolicySpec::Memory(policy) => per_ball(20.0 * f64::from(policy.d)),
        PolicySpec::Groups(policy) if policy.compare == Compare::Least => per_ball(20.0),
        _ if bins >= SKIP_FROM_BINS => {
            // One horizon of about sqrt(n) balls takes about a microsecond.
            per_ball(1_000.0 / (bins as f64).sqrt().max(1.0))
        }
        PolicySpec::Left(policy) => per_ball(5.0 * f64::from(policy.d)),
        _ => per_ball(5.0),
    }
}

fn keyed(keys: Keys, bins: u64, streams: evenhand_core::Streams) -> Box<dyn Profile> {
    if bins >= SKIP_FROM_BINS {
        let ladder = keys::Levels::new(keys, bins);
        Box::new(skipping::Skipping::new(ladder, bins, streams.sample))
    } else {
        Box::new(block::Blocks::new(keys, bins, streams))
    }
}

fn groups(policy: &Groups, bins: u64, streams: evenhand_core::Streams) -> Box<dyn Profile> {
    let groups = bins / u64::from(policy.size);
    match policy.compare {
        Compare::Least => Box::new(groups_least::Sequential::new(policy, groups, streams.sample)),
        Compare::Total => {
            // Totals of groups are bins of the plain process with `count` choices.
            let keys = Keys::independent(groups, policy.count);
            Box::new(totals::GroupTotals::new(keyed(keys, groups, streams), policy))
        }
    }
}
