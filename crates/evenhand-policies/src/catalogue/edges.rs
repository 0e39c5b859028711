use std::sync::Arc;

use evenhand_core::{Index, IndexPair, Rng, Sampler, ServerId};
use evenhand_expr::{Args, Call};
use evenhand_topology::graph::Graph;

use super::load_nanoseconds;
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::network::{Movement, Network, Roads};
use crate::rules::visit_exchangeable;

/// The two ends of a uniform random edge; the less loaded one.
///
/// Kenthapadi, Panigrahy 2006.
#[derive(Clone, Debug, PartialEq)]
pub struct Edges {
    /// The graph.
    pub graph: Network,
}

impl Definition for Edges {
    const INFO: &'static [Info] = &[Info {
        name: "edges",
        syntax: "edges(graph)",
        meaning: "the two ends of a uniform random edge of the graph; the less loaded",
        source: "Kenthapadi, Panigrahy 2006",
    }];
    const PARAMETERS: &'static [&'static str] = &["graph"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        Self { graph: Network::read(args) }
    }

    fn expression(&self) -> Call {
        Call::word("edges").with(self.graph.expression())
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        self.graph.check(setting)
    }

    fn visit<V: Visit>(&self, mut world: World<'_>, visitor: V) -> V::Out {
        let roads = self.graph.build(&mut world);
        match roads.regular_degree() {
            Some(degree) if degree > 0 => {
                visit_exchangeable(Arcs::new(roads, degree), world.comparison, visitor)
            }
            _ => visit_exchangeable(EdgeList::new(&roads), world.comparison, visitor),
        }
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        5.0 + 4.0 * load_nanoseconds(bins)
    }

    fn network(&self) -> Option<&Network> {
        Some(&self.graph)
    }

    fn movement(&self) -> Movement {
        Movement::Edges
    }
}

/// Arcs drawn ahead, so that their rows are in cache when the ends are read.
const AHEAD: usize = 32;

/// A uniform arc of a regular graph: a uniform vertex and a uniform slot.
///
/// The arc's direction is random, so of two tied ends the first is a uniform one.
#[derive(Debug)]
struct Arcs {
    roads: Roads,
    arc: IndexPair,
    /// Drawn arcs in order; empty before the first draw.
    ahead: Vec<(u32, u32)>,
    next: usize,
}

impl Clone for Arcs {
    /// Another dispatcher draws arcs of its own.
    fn clone(&self) -> Self {
        Self { roads: self.roads.clone(), arc: self.arc, ahead: Vec::new(), next: 0 }
    }
}

impl Arcs {
    fn new(roads: Roads, degree: u32) -> Self {
        let arc = IndexPair::new(roads.vertices(), degree.into());
        Self { roads, arc, ahead: Vec::new(), next: 0 }
    }

    #[inline(always)]
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> (u32, u32) {
        let arc = self.arc.draw(rng);
        self.roads.prefetch(arc.0);
        arc
    }
}

impl<A> Sampler<A> for Arcs {
    type Set = [ServerId; 2];

    #[inline(always)]
    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> [ServerId; 2] {
        if self.ahead.is_empty() {
            self.ahead = (0..AHEAD).map(|_| self.draw(rng)).collect();
        }
        let (vertex, slot) = self.ahead[self.next];
        self.ahead[self.next] = self.draw(rng);
        self.next = (self.next + 1) % AHEAD;
        [ServerId(vertex), ServerId(self.roads.neighbour(vertex, slot))]
    }
}

/// A uniform edge of a list, in a random direction; without any edge, a uniform vertex.
#[derive(Clone, Debug)]
struct EdgeList {
    edges: Arc<[(u32, u32)]>,
    /// Arcs, or vertices where there is no edge.
    index: Index,
}

impl EdgeList {
    fn new(roads: &Roads) -> Self {
        let edges = roads.graph().map_or_else(Vec::new, Graph::edge_list);
        let arcs = 2 * edges.len() as u64;
        let index = Index::new(if arcs > 0 { arcs } else { roads.vertices() });
        Self { edges: edges.into(), index }
    }
}

impl<A> Sampler<A> for EdgeList {
    type Set = [ServerId; 2];

    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> [ServerId; 2] {
        let drawn = self.index.draw(rng);
        match self.edges.get(drawn as usize / 2) {
            None => [ServerId(drawn as u32); 2],
            Some(&(u, v)) if drawn.is_multiple_of(2) => [ServerId(u), ServerId(v)],
            Some(&(u, v)) => [ServerId(v), ServerId(u)],
        }
    }
}
