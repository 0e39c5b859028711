use evenhand_core::{Candidates, Index, Policy, Rng, Sampler, ServerId};
use evenhand_expr::{Args, Call};

use super::memory::exact_only;
use super::{MOST_CHOICES, load_nanoseconds};
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::rules::{Compare, GroupLeast};

/// Bins stand in aligned groups of `size` contiguous bins; `count` independent uniform groups are
/// compared, and the ball goes to the least loaded bin of the lesser loaded group.
///
/// Kenthapadi, Panigrahy 2006, where d = size x count = 2 size. "Lesser loaded" is read as total
/// load; `compare=least` reads it as the load of the least loaded bin, a different process.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    /// Bins in a group.
    pub size: u32,
    /// Groups drawn.
    pub count: u32,
    /// What is compared.
    pub compare: Compare,
}

impl Definition for Groups {
    const INFO: &'static [Info] = &[Info {
        name: "groups",
        syntax: "groups(size, count=2, compare=total|least)",
        meaning: "count uniform aligned groups of size contiguous bins; least loaded bin of the lesser loaded group",
        source: "Kenthapadi, Panigrahy 2006",
    }];
    const PARAMETERS: &'static [&'static str] = &["size", "count", "compare"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        let policy = Self {
            size: args.integer("size", 1..=MOST_CHOICES) as u32,
            count: args.integer_or("count", 1..=MOST_CHOICES, 2) as u32,
            compare: Compare::from_word(args.word_or("compare", Compare::WORDS, "total")),
        };
        refuse_too_many(policy.size, policy.count, args);
        policy
    }

    fn expression(&self) -> Call {
        expression("groups", self.size, self.count, self.compare, Compare::Total)
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        let mut issues = exact_only("groups", setting);
        if !setting.bins.is_multiple_of(self.size.into()) {
            issues.push(Issue::of(
                "size",
                format!("groups of {} do not divide {} bins", self.size, setting.bins),
                "choose a size that divides the number of bins, or use windows(size)",
            ));
        }
        issues
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        let groups = world.bins / u64::from(self.size);
        let sampler = Aligned { group: Index::new(groups), size: self.size, count: self.count };
        let rule = GroupLeast { size: self.size as usize, compare: self.compare };
        visitor.visit(Policy { sampler, rule })
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        f64::from(self.count) * (5.0 + 3.0 * f64::from(self.size) + load_nanoseconds(bins))
    }
}

/// A ball may not ask for more candidates than any policy may.
pub(super) fn refuse_too_many(size: u32, count: u32, args: &mut Args<'_>) {
    let candidates = u64::from(size) * u64::from(count);
    if candidates > MOST_CHOICES {
        let message = format!("size x count is {candidates} candidates a ball");
        args.problem(args.span_of("size"), message, Some(format!("use at most {MOST_CHOICES}")));
    }
}

/// The expression of `groups` and `windows`, which share their parameters.
pub(super) fn expression(
    name: &str,
    size: u32,
    count: u32,
    compare: Compare,
    default: Compare,
) -> Call {
    let mut call = Call::word(name).with(u64::from(size));
    if count != 2 {
        call = call.with_key("count", u64::from(count));
    }
    if compare != default {
        call = call.with_key("compare", Call::word(compare.word()));
    }
    call
}

/// The bins of `count` uniform aligned groups, group after group.
#[derive(Clone, Debug)]
struct Aligned {
    group: Index,
    size: u32,
    count: u32,
}

impl<A> Sampler<A> for Aligned {
    type Set = Candidates;

    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> Candidates {
        let mut set = Candidates::new();
        for _ in 0..self.count {
            let first = self.group.draw(rng) as u32 * self.size;
            (first..first + self.size).for_each(|bin| set.push(ServerId(bin)));
        }
        set
    }
}
