use evenhand_core::{Choice, Load, Policy, Rng, Rule, Sampler, ServerId, Signal, unit_f64};
use evenhand_expr::{Args, Call};

use super::{MOST_CHOICES, load_nanoseconds};
use crate::comparisons::Comparison;
use crate::definition::{Definition, Info, Issue, Setting, User, Visit, World};
use crate::rules::{Compared, FirstLeast};
use crate::samplers::{Uniform, UniformMany};

/// With probability `beta` the least loaded of `d` uniform draws, else the first draw.
///
/// Peres, Talwar, Wieder 2015. (Some code in circulation uses beta for the other case.)
#[derive(Clone, Debug, PartialEq)]
pub struct OnePlusBeta {
    /// Probability of looking at loads.
    pub beta: f64,
    /// Number of draws.
    pub d: u32,
}

impl Definition for OnePlusBeta {
    const INFO: &'static [Info] = &[Info {
        name: "one-plus-beta",
        syntax: "one-plus-beta(beta, d=2)",
        meaning: "d uniform draws; with probability beta the least loaded, else the first draw",
        source: "Peres, Talwar, Wieder 2015",
    }];
    const PARAMETERS: &'static [&'static str] = &["beta", "d"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        Self {
            beta: args.number("beta", 0.0..=1.0),
            d: args.integer_or("d", 1..=MOST_CHOICES, 2) as u32,
        }
    }

    fn expression(&self) -> Call {
        let call = Call::word("one-plus-beta").with(self.beta);
        if self.d == 2 { call } else { call.with_key("d", u64::from(self.d)) }
    }

    fn check(&self, _: &Setting) -> Vec<Issue> {
        Vec::new()
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        let comparison = world.comparison;
        if self.d == 2 {
            visit_coin(self.beta, Uniform::<2>::new(world.bins), comparison, visitor)
        } else {
            visit_coin(self.beta, UniformMany::new(world.bins, self.d), comparison, visitor)
        }
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        4.0 + f64::from(self.d) * load_nanoseconds(bins)
    }
}

fn visit_coin<V, S>(beta: f64, sampler: S, comparison: Comparison, visitor: V) -> V::Out
where
    V: Visit,
    S: Sampler<()> + Sampler<User> + Clone + Send + 'static,
{
    match comparison {
        // Draws are exchangeable, so the first of the tied ones is a uniform one.
        Comparison::Exact => {
            visitor.visit(Policy { sampler, rule: Coin { beta, rule: FirstLeast } })
        }
        other => visitor.visit(Policy { sampler, rule: Coin { beta, rule: Compared(other) } }),
    }
}

/// With probability `beta` the inner rule over all candidates, else the first eligible one.
#[derive(Clone, Copy, Debug)]
struct Coin<I> {
    beta: f64,
    rule: I,
}

impl<L: Load, I: Rule<L>> Rule<L> for Coin<I> {
    #[inline(always)]
    fn choose<S, R>(&mut self, candidates: &[ServerId], signal: &S, rng: &mut R) -> Option<Choice>
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
        if unit_f64(rng) < self.beta {
            self.rule.choose(candidates, signal, rng)
        } else {
            let server = candidates.iter().copied().find(|&s| signal.eligible(s))?;
            Some(Choice::one(server, 0))
        }
    }
}
