use evenhand_core::{Choice, Load, Policy, Rng, Rule, ServerId, Signal};
use evenhand_expr::{Args, Call};

use super::load_nanoseconds;
use super::memory::exact_only;
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::samplers::Uniform;

/// One uniform draw: where its load is below average it is filled up to the average, else it
/// gets one ball.
///
/// Los, Sauerwald, Sylvester 2022.
#[derive(Clone, Debug, PartialEq)]
pub struct Packing;

impl Definition for Packing {
    const INFO: &'static [Info] = &[Info {
        name: "packing",
        syntax: "packing",
        meaning: "one uniform draw; if its load is below average it is filled up to it, else it gets one ball",
        source: "Los, Sauerwald, Sylvester 2022",
    }];
    const PARAMETERS: &'static [&'static str] = &[];

    fn read(_: &str, _: &mut Args<'_>) -> Self {
        Self
    }

    fn expression(&self) -> Call {
        Call::word("packing")
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        let mut issues = exact_only("packing", setting);
        issues.extend(setting.no_jobs_for("packing"));
        if setting.has_weights {
            issues.push(Issue::whole(
                "`packing` counts unit balls up to the average, and these have weights".to_string(),
                "leave out --weights, or use twinning",
            ));
        }
        issues
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        visitor.visit(Policy { sampler: Uniform::<1>::new(world.bins), rule: FillToAverage })
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        3.0 + load_nanoseconds(bins)
    }

    fn reads_average(&self) -> bool {
        true
    }
}

#[derive(Clone, Copy, Debug)]
struct FillToAverage;

impl<L: Load> Rule<L> for FillToAverage {
    const ONE_BALL: bool = false;

    #[inline]
    fn choose<S, R>(&mut self, candidates: &[ServerId], signal: &S, _: &mut R) -> Option<Choice>
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
        let average = signal.average()?;
        let server = candidates.iter().copied().find(|&s| signal.eligible(s))?;
        let missing = (average - signal.load(server).as_f64()).ceil();
        Some(Choice { server, probes: 1, balls: missing.max(1.0) as u64 })
    }
}
