use evenhand_expr::{Args, Call};

use super::{MOST_CHOICES, load_nanoseconds};
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::rules::visit_exchangeable;
use crate::samplers::{Distinct, DistinctPair, Uniform, UniformMany};

/// `d` uniform draws; the job goes where the least work is unfinished: LL(d).
///
/// A policy of queues only. The signal shows it the time until a server is free, in place of a
/// number of jobs.
///
/// Bramson, Lu, Prabhakar 2012; Hellemans, Van Houdt 2018.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastWork {
    /// Number of draws.
    pub d: u32,
    /// True to draw without replacement.
    pub distinct: bool,
}

impl Definition for LeastWork {
    const INFO: &'static [Info] = &[Info {
        name: "least-work",
        syntax: "least-work(d=2, distinct=false)",
        meaning: "d uniform draws (without replacement if distinct); the one with the least unfinished work. Queues only",
        source: "Bramson, Lu, Prabhakar 2012; Hellemans, Van Houdt 2018 (LL(d))",
    }];
    const PARAMETERS: &'static [&'static str] = &["d", "distinct"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        Self {
            d: args.integer_or("d", 1..=MOST_CHOICES, 2) as u32,
            distinct: args.flag("distinct"),
        }
    }

    fn expression(&self) -> Call {
        let call = Call::word("least-work");
        let call = if self.d == 2 { call } else { call.with_key("d", u64::from(self.d)) };
        if self.distinct { call.with(Call::word("distinct")) } else { call }
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        let mut issues = Vec::new();
        if !setting.has_jobs {
            issues.push(Issue::whole(
                "`least-work` compares unfinished work, and balls in bins never finish".to_string(),
                "use choices(d), with --weights for balls of unequal size; or simulate queues",
            ));
        }
        issues.extend(setting.too_few_for(self.d, self.distinct));
        issues
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        let (n, d, comparison) = (world.bins, self.d, world.comparison);
        match (d, self.distinct) {
            (2, false) => visit_exchangeable(Uniform::<2>::new(n), comparison, visitor),
            (2, true) => visit_exchangeable(DistinctPair::new(n), comparison, visitor),
            (_, false) => visit_exchangeable(UniformMany::new(n, d), comparison, visitor),
            (_, true) => visit_exchangeable(Distinct::new(n, d), comparison, visitor),
        }
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        f64::from(self.d) * (0.5 + load_nanoseconds(bins))
    }

    fn reads_work(&self) -> bool {
        true
    }
}
