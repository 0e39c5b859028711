use evenhand_core::{Choice, Load, Policy, Rng, Rule, ServerId, Signal};
use evenhand_expr::{Args, Call};

use super::load_nanoseconds;
use super::memory::exact_only;
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::samplers::Uniform;

/// One uniform draw: two balls where its load is below average, else one.
///
/// Los, Sauerwald, Sylvester 2022.
#[derive(Clone, Debug, PartialEq)]
pub struct Twinning;

impl Definition for Twinning {
    const INFO: &'static [Info] = &[Info {
        name: "twinning",
        syntax: "twinning",
        meaning: "one uniform draw; two balls if its load is below average, else one",
        source: "Los, Sauerwald, Sylvester 2022",
    }];
    const PARAMETERS: &'static [&'static str] = &[];

    fn read(_: &str, _: &mut Args<'_>) -> Self {
        Self
    }

    fn expression(&self) -> Call {
        Call::word("twinning")
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        let mut issues = exact_only("twinning", setting);
        issues.extend(setting.no_jobs_for("twinning"));
        issues
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        visitor.visit(Policy { sampler: Uniform::<1>::new(world.bins), rule: TwoIfBelow })
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        3.0 + load_nanoseconds(bins)
    }

    fn reads_average(&self) -> bool {
        true
    }
}

#[derive(Clone, Copy, Debug)]
struct TwoIfBelow;

impl<L: Load> Rule<L> for TwoIfBelow {
    const ONE_BALL: bool = false;

    #[inline]
    fn choose<S, R>(&mut self, candidates: &[ServerId], signal: &S, _: &mut R) -> Option<Choice>
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
        let average = signal.average()?;
        let server = candidates.iter().copied().find(|&s| signal.eligible(s))?;
        let below = signal.load(server).as_f64() < average;
        Some(Choice { server, probes: 1, balls: 1 + u64::from(below) })
    }
}
