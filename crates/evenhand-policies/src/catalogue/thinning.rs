use evenhand_core::{Choice, Load, Policy, Rng, Rule, ServerId, Signal};
use evenhand_expr::{Args, Call};

use super::load_nanoseconds;
use super::memory::exact_only;
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::samplers::Uniform;

/// One uniform draw; where its load is above average, a second draw is forced. Mean-thinning.
///
/// Los, Sauerwald, Sylvester 2022.
#[derive(Clone, Debug, PartialEq)]
pub struct Thinning;

impl Definition for Thinning {
    const INFO: &'static [Info] = &[Info {
        name: "thinning",
        syntax: "thinning",
        meaning: "one uniform draw; if its load is above average, a second draw, taken whatever its load",
        source: "Los, Sauerwald, Sylvester 2022 (mean-thinning)",
    }];
    const PARAMETERS: &'static [&'static str] = &[];

    fn read(_: &str, _: &mut Args<'_>) -> Self {
        Self
    }

    fn expression(&self) -> Call {
        Call::word("thinning")
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        exact_only("thinning", setting)
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        visitor.visit(Policy { sampler: Uniform::<2>::new(world.bins), rule: SecondIfAbove })
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        4.0 + 2.0 * load_nanoseconds(bins)
    }

    fn reads_average(&self) -> bool {
        true
    }
}

/// The first candidate unless its load is above average; then the second. Reads one load.
#[derive(Clone, Copy, Debug)]
struct SecondIfAbove;

impl<L: Load> Rule<L> for SecondIfAbove {
    #[inline]
    fn choose<S, R>(&mut self, candidates: &[ServerId], signal: &S, _: &mut R) -> Option<Choice>
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
        let average = signal.average()?;
        let mut eligible = candidates.iter().copied().filter(|&s| signal.eligible(s));
        let first = eligible.next()?;
        let above = signal.load(first).as_f64() > average;
        let server = if above { eligible.next().unwrap_or(first) } else { first };
        Some(Choice::one(server, 1))
    }
}
