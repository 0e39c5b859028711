use evenhand_core::{Choice, Load, Policy, Rng, Rule, ServerId, Signal};
use evenhand_expr::{Args, Call};

use super::memory::exact_only;
use super::{MOST_CHOICES, load_nanoseconds};
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::rules::FirstLeast;
use crate::samplers::{Uniform, UniformMany};

/// Up to `d` uniform draws, one after the other: the first with load at most `limit`, else the
/// least loaded of the `d`. Adaptive probing.
///
/// Czumaj, Stemann 2001.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// Most draws.
    pub d: u32,
    /// Greatest load that is taken at once.
    pub limit: f64,
}

impl Definition for Threshold {
    const INFO: &'static [Info] = &[Info {
        name: "threshold",
        syntax: "threshold(d, limit)",
        meaning: "up to d uniform draws, one after the other; the first with load <= limit, else the least loaded of the d",
        source: "Czumaj, Stemann 2001 (adaptive probing)",
    }];
    const PARAMETERS: &'static [&'static str] = &["d", "limit"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        Self { d: args.integer("d", 1..=MOST_CHOICES) as u32, limit: args.number("limit", 0.0..) }
    }

    fn expression(&self) -> Call {
        Call::word("threshold").with(u64::from(self.d)).with(self.limit)
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        exact_only("threshold", setting)
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        let rule = FirstWithin { limit: self.limit };
        match self.d {
            2 => visitor.visit(Policy { sampler: Uniform::<2>::new(world.bins), rule }),
            3 => visitor.visit(Policy { sampler: Uniform::<3>::new(world.bins), rule }),
            d => visitor.visit(Policy { sampler: UniformMany::new(world.bins, d), rule }),
        }
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        f64::from(self.d) * (2.0 + load_nanoseconds(bins))
    }
}

/// The first candidate with load at most `limit`; if there is none, the least loaded.
///
/// The sampler draws all `d` ahead; the rule reads only as many loads as it needs, and reports
/// that number: the same law as drawing one after the other.
#[derive(Clone, Copy, Debug)]
struct FirstWithin {
    limit: f64,
}

impl<L: Load> Rule<L> for FirstWithin {
    #[inline]
    fn choose<S, R>(&mut self, candidates: &[ServerId], signal: &S, rng: &mut R) -> Option<Choice>
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
        for (read, &server) in candidates.iter().enumerate() {
            if signal.eligible(server) && signal.load(server).as_f64() <= self.limit {
                return Some(Choice::one(server, read as u32 + 1));
            }
        }
        // Draws are exchangeable, also given that all are above the limit.
        FirstLeast.choose(candidates, signal, rng)
    }
}
