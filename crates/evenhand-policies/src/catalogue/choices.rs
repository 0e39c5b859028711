use evenhand_core::Policy;
use evenhand_expr::{Args, Call};

use super::{MOST_CHOICES, load_nanoseconds};
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::rules::{Only, Ties, visit_exchangeable, visit_ordered};
use crate::samplers::{Distinct, DistinctPair, Uniform, UniformMany, Weighted};

/// `d` servers drawn uniformly; the least loaded gets the ball. The power of d choices.
///
/// Azar, Broder, Karlin, Upfal 1999.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices {
    /// Number of draws.
    pub d: u32,
    /// True to draw without replacement.
    pub distinct: bool,
    /// True to draw in proportion to speed.
    pub weighted: bool,
    /// How ties are decided.
    pub ties: Ties,
}

impl Choices {
    /// `d` draws with replacement, random ties.
    pub fn new(d: u32) -> Self {
        Self { d, distinct: false, weighted: false, ties: Ties::Random }
    }

    fn is_plain(&self) -> bool {
        *self == Self::new(self.d)
    }
}

impl Definition for Choices {
    const INFO: &'static [Info] = &[
        Info {
            name: "choices",
            syntax: "choices(d, distinct=false, weighted=false, ties=random|first)",
            meaning: "d uniform draws (without replacement if distinct, in proportion to speed if weighted); the least loaded",
            source: "Azar, Broder, Karlin, Upfal 1999",
        },
        Info {
            name: "one-choice",
            syntax: "one-choice",
            meaning: "one uniform server: choices(1)",
            source: "Gonnet 1981 (maximum load)",
        },
        Info {
            name: "random",
            syntax: "random",
            meaning: "another name of one-choice",
            source: "Gonnet 1981 (maximum load)",
        },
        Info {
            name: "two-choice",
            syntax: "two-choice",
            meaning: "the less loaded of two uniform draws: choices(2)",
            source: "Azar, Broder, Karlin, Upfal 1999",
        },
    ];
    const PARAMETERS: &'static [&'static str] = &["d", "distinct", "weighted", "ties"];

    fn read(name: &str, args: &mut Args<'_>) -> Self {
        let fixed = match name {
            "one-choice" | "random" => Some(1),
            "two-choice" => Some(2),
            _ => None,
        };
        let d = match fixed {
            Some(d) => args.integer_or("d", d..=d, d),
            None => args.integer("d", 1..=MOST_CHOICES),
        };
        Self {
            d: d as u32,
            distinct: args.flag("distinct"),
            weighted: args.flag("weighted"),
            ties: Ties::from_word(args.word_or("ties", Ties::WORDS, "random")),
        }
    }

    fn expression(&self) -> Call {
        if self.is_plain() && self.d <= 2 {
            return Call::word(if self.d == 1 { "one-choice" } else { "two-choice" });
        }
        let mut call = Call::word("choices").with(u64::from(self.d));
        for (name, set) in [("distinct", self.distinct), ("weighted", self.weighted)] {
            if set {
                call = call.with(Call::word(name));
            }
        }
        if self.ties == Ties::First {
            call = call.with_key("ties", Call::word("first"));
        }
        call
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        let mut issues = Vec::from_iter(setting.too_few_for(self.d, self.distinct));
        if self.weighted && !setting.has_speeds {
            issues.push(Issue::of(
                "weighted",
                "`weighted` draws in proportion to speed, but no speeds are given".to_string(),
                "give them with --speeds",
            ));
        }
        issues
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        let (n, d, comparison) = (world.bins, self.d, world.comparison);
        if self.weighted {
            let speeds = world.speeds.as_deref().expect("checked: weighted needs speeds");
            let sampler = Weighted::new(speeds, d, self.distinct);
            // Drawn without replacement in proportion to speed, early draws are fast servers:
            // the order means something, so ties need their own coin.
            return if self.distinct {
                visit_ordered(sampler, self.ties, comparison, visitor)
            } else {
                visit_exchangeable(sampler, comparison, visitor)
            };
        }
        match (d, self.distinct) {
            (1, _) => visitor.visit(Policy { sampler: Uniform::<1>::new(n), rule: Only }),
            (2, false) => visit_exchangeable(Uniform::<2>::new(n), comparison, visitor),
            (3, false) => visit_exchangeable(Uniform::<3>::new(n), comparison, visitor),
            (4, false) => visit_exchangeable(Uniform::<4>::new(n), comparison, visitor),
            (_, false) => visit_exchangeable(UniformMany::new(n, d), comparison, visitor),
            (2, true) => visit_exchangeable(DistinctPair::new(n), comparison, visitor),
            (_, true) => visit_exchangeable(Distinct::new(n, d), comparison, visitor),
        }
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        let slow = if self.weighted || self.d > 4 { 5.0 } else { 0.5 };
        f64::from(self.d) * (slow + load_nanoseconds(bins))
    }
}
