use evenhand_core::{Candidates, Index, Rng, Sampler, ServerId};
use evenhand_expr::{Args, Call};

use super::load_nanoseconds;
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::network::{Movement, Network, Roads};
use crate::rules::{Ties, visit_ordered};

/// The vertices of one fresh non-backtracking walk from a uniform vertex; the least loaded.
///
/// Pourmiri 2016.
#[derive(Clone, Debug, PartialEq)]
pub struct Trail {
    /// Vertices of the walk.
    pub length: u32,
    /// The graph.
    pub graph: Network,
}

/// Longest walk of a ball.
const LONGEST: u64 = 4_096;

impl Definition for Trail {
    const INFO: &'static [Info] = &[Info {
        name: "trail",
        syntax: "trail(length, graph)",
        meaning: "the length vertices of one fresh non-backtracking walk from a uniform vertex; the least loaded",
        source: "Pourmiri 2016",
    }];
    const PARAMETERS: &'static [&'static str] = &["length", "graph"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        let length = args.integer("length", 1..=LONGEST) as u32;
        Self { length, graph: Network::read(args) }
    }

    fn expression(&self) -> Call {
        Call::word("trail").with(u64::from(self.length)).with(self.graph.expression())
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        let mut issues = self.graph.check(setting);
        if issues.is_empty() {
            issues.extend(self.graph.check_walks(setting.bins));
        }
        issues
    }

    fn visit<V: Visit>(&self, mut world: World<'_>, visitor: V) -> V::Out {
        let roads = self.graph.build(&mut world);
        let start = Index::new(roads.vertices());
        let sampler = FreshWalk { roads, start, length: self.length };
        visit_ordered(sampler, Ties::Random, world.comparison, visitor)
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        f64::from(self.length) * (20.0 + 10.0 * load_nanoseconds(bins))
    }

    fn network(&self) -> Option<&Network> {
        Some(&self.graph)
    }

    fn movement(&self) -> Movement {
        Movement::FreshWalks
    }
}

#[derive(Clone, Debug)]
struct FreshWalk {
    roads: Roads,
    start: Index,
    length: u32,
}

impl<A> Sampler<A> for FreshWalk {
    type Set = Candidates;

    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> Candidates {
        let mut at = self.start.draw(rng) as u32;
        let mut from = None;
        Candidates::from_fn(self.length as usize, || {
            let here = at;
            at = match from {
                None => self.roads.step(here, rng),
                Some(from) => self.roads.step_on(from, here, rng),
            };
            from = Some(here);
            ServerId(here)
        })
    }
}
