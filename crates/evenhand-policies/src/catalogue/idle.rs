use evenhand_core::{Choice, Load, Policy, Rng, Rule, ServerId, Signal};
use evenhand_expr::{Args, Call};

use super::memory::exact_only;
use super::{MOST_CHOICES, load_nanoseconds};
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::samplers::{Distinct, DistinctPair, Uniform, UniformMany};

/// `d` uniform draws: the first idle one gets the ball; if none is idle, the first drawn.
///
/// What a dispatcher does that knows which servers are idle, and nothing else of them: the join
/// the idle queue of Lu, Xie, Kliot, Geller, Larus, Greenberg 2011, with `d` probes in place of a
/// list of idle servers.
#[derive(Clone, Debug, PartialEq)]
pub struct Idle {
    /// Number of draws.
    pub d: u32,
    /// True to draw without replacement.
    pub distinct: bool,
}

impl Definition for Idle {
    const INFO: &'static [Info] = &[Info {
        name: "idle",
        syntax: "idle(d, distinct=false)",
        meaning: "d uniform draws (without replacement if distinct); the first idle one, else the first drawn",
        source: "Lu, Xie, Kliot, Geller, Larus, Greenberg 2011 (join the idle queue)",
    }];
    const PARAMETERS: &'static [&'static str] = &["d", "distinct"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        Self { d: args.integer("d", 1..=MOST_CHOICES) as u32, distinct: args.flag("distinct") }
    }

    fn expression(&self) -> Call {
        let call = Call::word("idle").with(u64::from(self.d));
        if self.distinct { call.with(Call::word("distinct")) } else { call }
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        let mut issues = exact_only("idle", setting);
        issues.extend(setting.too_few_for(self.d, self.distinct));
        issues
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        let (n, d, rule) = (world.bins, self.d, FirstIdle);
        match (d, self.distinct) {
            (1, _) => visitor.visit(Policy { sampler: Uniform::<1>::new(n), rule }),
            (2, false) => visitor.visit(Policy { sampler: Uniform::<2>::new(n), rule }),
            (2, true) => visitor.visit(Policy { sampler: DistinctPair::new(n), rule }),
            (_, false) => visitor.visit(Policy { sampler: UniformMany::new(n, d), rule }),
            (_, true) => visitor.visit(Policy { sampler: Distinct::new(n, d), rule }),
        }
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        f64::from(self.d) * (2.0 + load_nanoseconds(bins))
    }
}

/// The first candidate without load, else the first one. It reads loads up to that of the idle
/// one.
#[derive(Clone, Copy, Debug)]
struct FirstIdle;

impl<L: Load> Rule<L> for FirstIdle {
    #[inline]
    fn choose<S, R>(&mut self, candidates: &[ServerId], signal: &S, _: &mut R) -> Option<Choice>
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
        let is_idle = |&s: &ServerId| signal.eligible(s) && signal.load(s).as_f64() == 0.0;
        match candidates.iter().position(is_idle) {
            Some(at) if candidates.len() > 1 => Some(Choice::one(candidates[at], at as u32 + 1)),
            _ => {
                let server = candidates.iter().copied().find(|&s| signal.eligible(s))?;
                Some(Choice::best_of(candidates, server))
            }
        }
    }
}
