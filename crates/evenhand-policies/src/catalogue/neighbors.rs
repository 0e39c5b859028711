use evenhand_core::{CandidateSet, Candidates, Index, Rng, Sampler, ServerId, below};
use evenhand_expr::{Args, Call};

use super::load_nanoseconds;
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::network::{Network, Roads};
use crate::rules::{Ties, visit_ordered};

/// A uniform vertex and `d - 1` distinct uniform neighbours of it; the least loaded. A vertex
/// with fewer neighbours offers all it has.
///
/// The supermarket model on graphs: Budhiraja, Mukherjee, Wu 2019.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbors {
    /// Number of candidates.
    pub d: u32,
    /// The graph.
    pub graph: Network,
}

/// Neighbours are compared pairwise for repeats; more than this would be slow.
const MOST_CANDIDATES: u64 = 64;

impl Definition for Neighbors {
    const INFO: &'static [Info] = &[Info {
        name: "neighbors",
        syntax: "neighbors(d, graph)",
        meaning: "a uniform vertex and d-1 distinct uniform neighbours of it; the least loaded",
        source: "Budhiraja, Mukherjee, Wu 2019 (supermarket model on graphs)",
    }];
    const PARAMETERS: &'static [&'static str] = &["d", "graph"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        let d = args.integer("d", 1..=MOST_CANDIDATES) as u32;
        Self { d, graph: Network::read(args) }
    }

    fn expression(&self) -> Call {
        Call::word("neighbors").with(u64::from(self.d)).with(self.graph.expression())
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        self.graph.check(setting)
    }

    fn visit<V: Visit>(&self, mut world: World<'_>, visitor: V) -> V::Out {
        let roads = self.graph.build(&mut world);
        let vertex = Index::new(roads.vertices());
        let sampler = Neighbourhood { roads, vertex, d: self.d };
        visit_ordered(sampler, Ties::Random, world.comparison, visitor)
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        f64::from(self.d) * (10.0 + 3.0 * load_nanoseconds(bins))
    }

    fn network(&self) -> Option<&Network> {
        Some(&self.graph)
    }
}

#[derive(Clone, Debug)]
struct Neighbourhood {
    roads: Roads,
    vertex: Index,
    d: u32,
}

impl<A> Sampler<A> for Neighbourhood {
    type Set = Candidates;

    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> Candidates {
        let vertex = self.vertex.draw(rng) as u32;
        let mut set = Candidates::new();
        set.push(ServerId(vertex));
        let degree = self.roads.degree(vertex);
        if degree < self.d {
            for slot in 0..degree {
                push_new(&mut set, self.roads.neighbour(vertex, slot));
            }
            return set;
        }
        // Slots are drawn until enough different ones are found.
        let mut slots = Candidates::new();
        while (slots.as_slice().len() as u32) < self.d - 1 {
            let slot = below(rng, degree.into()) as u32;
            if !slots.contains(ServerId(slot)) {
                slots.push(ServerId(slot));
                push_new(&mut set, self.roads.neighbour(vertex, slot));
            }
        }
        set
    }
}

/// Parallel edges and self-loops lead to a candidate that is there already.
fn push_new(set: &mut Candidates, vertex: u32) {
    if !set.contains(ServerId(vertex)) {
        set.push(ServerId(vertex));
    }
}
