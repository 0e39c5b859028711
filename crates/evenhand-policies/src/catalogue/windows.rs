use evenhand_core::{Candidates, Index, Policy, Rng, Sampler, ServerId};
use evenhand_expr::{Args, Call};

use super::groups::{expression, refuse_too_many};
use super::memory::exact_only;
use super::{MOST_CHOICES, load_nanoseconds};
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::rules::{Compare, GroupLeast};

/// `count` independent uniform windows of `size` contiguous bins, unaligned and cyclic; the least
/// loaded of all their bins gets the ball. With `compare=total` the window of lesser total load
/// is taken first, as in `groups`.
///
/// The contrast of Kenthapadi, Panigrahy 2006.
#[derive(Clone, Debug, PartialEq)]
pub struct Windows {
    /// Bins in a window.
    pub size: u32,
    /// Windows drawn.
    pub count: u32,
    /// What is compared.
    pub compare: Compare,
}

impl Definition for Windows {
    const INFO: &'static [Info] = &[Info {
        name: "windows",
        syntax: "windows(size, count=2, compare=least|total)",
        meaning: "count uniform unaligned cyclic windows of size bins; the least loaded of all their bins, or of the window of least total",
        source: "Kenthapadi, Panigrahy 2006",
    }];
    const PARAMETERS: &'static [&'static str] = &["size", "count", "compare"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        let policy = Self {
            size: args.integer("size", 1..=MOST_CHOICES) as u32,
            count: args.integer_or("count", 1..=MOST_CHOICES, 2) as u32,
            compare: Compare::from_word(args.word_or("compare", Compare::WORDS, "least")),
        };
        refuse_too_many(policy.size, policy.count, args);
        policy
    }

    fn expression(&self) -> Call {
        expression("windows", self.size, self.count, self.compare, Compare::Least)
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        let mut issues = exact_only("windows", setting);
        if u64::from(self.size) > setting.bins {
            issues.push(Issue::of(
                "size",
                format!("a window of {} bins is longer than all {} bins", self.size, setting.bins),
                "use smaller windows",
            ));
        }
        issues
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        let sampler = Unaligned {
            first: Index::new(world.bins),
            bins: world.bins,
            size: self.size,
            count: self.count,
        };
        // The least loaded of all bins is the least loaded bin of one group that holds them all.
        let size = match self.compare {
            Compare::Least => self.size * self.count,
            Compare::Total => self.size,
        };
        let rule = GroupLeast { size: size as usize, compare: Compare::Total };
        visitor.visit(Policy { sampler, rule })
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        f64::from(self.count) * (5.0 + 3.0 * f64::from(self.size) + load_nanoseconds(bins))
    }
}

/// The bins of `count` uniform cyclic windows, window after window.
#[derive(Clone, Debug)]
struct Unaligned {
    first: Index,
    bins: u64,
    size: u32,
    count: u32,
}

impl<A> Sampler<A> for Unaligned {
    type Set = Candidates;

    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> Candidates {
        let mut set = Candidates::new();
        for _ in 0..self.count {
            let first = self.first.draw(rng);
            for offset in 0..u64::from(self.size) {
                let bin = first + offset;
                let wrapped = if bin < self.bins { bin } else { bin - self.bins };
                set.push(ServerId(wrapped as u32));
            }
        }
        set
    }
}
