use evenhand_core::{
    CandidateSet, Candidates, Choice, Load, Policy, Rng, Rule, ServerId, Signal, below,
};
use evenhand_expr::{Args, Call};

use super::load_nanoseconds;
use crate::comparisons::Comparison;
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::rules::RandomLeast;
use crate::samplers::{Uniform, UniformMany};

/// `d` fresh uniform draws and the `m` servers remembered from the last ball; the least loaded
/// gets the ball, and the `m` least loaded after that are remembered. Ties are random.
///
/// Candidates are distinct servers: a fresh draw that repeats a candidate is ignored.
///
/// Mitzenmacher, Prabhakar, Shah 2002.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Fresh draws.
    pub d: u32,
    /// Servers remembered.
    pub m: u32,
}

/// Candidates of a ball are compared pairwise for repeats; more than this would be slow.
const MOST_FRESH: u64 = 64;

impl Definition for Memory {
    const INFO: &'static [Info] = &[Info {
        name: "memory",
        syntax: "memory(d, m=1)",
        meaning: "d fresh uniform draws and the m remembered servers; the least loaded; then the m least loaded are remembered",
        source: "Mitzenmacher, Prabhakar, Shah 2002",
    }];
    const PARAMETERS: &'static [&'static str] = &["d", "m"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        Self {
            d: args.integer("d", 1..=MOST_FRESH) as u32,
            m: args.integer_or("m", 1..=MOST_FRESH, 1) as u32,
        }
    }

    fn expression(&self) -> Call {
        let call = Call::word("memory").with(u64::from(self.d));
        if self.m == 1 { call } else { call.with_key("m", u64::from(self.m)) }
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        exact_only("memory", setting)
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        let rule = Remember { m: self.m as usize, kept: Vec::new(), candidates: Candidates::new() };
        if self.d == 1 {
            visitor.visit(Policy { sampler: Uniform::<1>::new(world.bins), rule })
        } else {
            visitor.visit(Policy { sampler: UniformMany::new(world.bins, self.d), rule })
        }
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        f64::from(self.d + self.m) * (8.0 + load_nanoseconds(bins))
    }
}

/// Refuses inexact comparisons for policies that are defined by exact ones.
pub(super) fn exact_only(name: &str, setting: &Setting) -> Vec<Issue> {
    if setting.comparison == Comparison::Exact {
        return Vec::new();
    }
    vec![Issue::whole(
        format!(
            "`{name}` is defined with exact loads, not with --comparison {}",
            setting.comparison
        ),
        "compare noisy loads with choices, left, one-plus-beta, nearest, near or decay",
    )]
}

/// The rule of [`Memory`], with what this dispatcher remembers.
#[derive(Clone, Debug)]
struct Remember {
    m: usize,
    kept: Vec<ServerId>,
    /// Distinct candidates of the current ball: the remembered, then the fresh.
    candidates: Candidates,
}

impl<L: Load> Rule<L> for Remember {
    fn choose<S, R>(&mut self, fresh: &[ServerId], signal: &S, rng: &mut R) -> Option<Choice>
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
        self.candidates = self.kept.iter().copied().collect();
        for &server in fresh {
            if !self.candidates.contains(server) {
                self.candidates.push(server);
            }
        }
        RandomLeast.choose(self.candidates.as_slice(), signal, rng)
    }

    fn placed<S, R>(&mut self, _: &[ServerId], _: &Choice, signal: &S, rng: &mut R)
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
        let candidates = self.candidates.as_slice().iter().copied();
        let mut rest: Vec<ServerId> = candidates.filter(|&s| signal.eligible(s)).collect();
        self.kept.clear();
        while self.kept.len() < self.m && !rest.is_empty() {
            let least = least_position(&rest, signal, rng);
            self.kept.push(rest.swap_remove(least));
        }
    }
}

/// Position of a least loaded server of `servers`, uniform among equals.
fn least_position<S, R>(servers: &[ServerId], signal: &S, rng: &mut R) -> usize
where
    S: Signal + ?Sized,
    R: Rng + ?Sized,
{
    let (mut position, mut least, mut tied) = (0, signal.load(servers[0]), 1);
    for (i, &server) in servers.iter().enumerate().skip(1) {
        let load = signal.load(server);
        if load < least {
            (position, least, tied) = (i, load, 1);
        } else if load == least {
            tied += 1;
            if below(rng, tied) == 0 {
                position = i;
            }
        }
    }
    position
}
