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
            Some(degree) if degree > 0 && roads.graph().is_some() => {
                visit_exchangeable(StoredArcs::new(roads, degree), world.comparison, visitor)
            }
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

/// A uniform arc of a regular graph: a uniform vertex and a uniform slot.
///
/// The arc's direction is random, so of two tied ends the first is a uniform one.
#[derive(Clone, Debug)]
struct Arcs {
    roads: Roads,
    arc: IndexPair,
}

impl Arcs {
    fn new(roads: Roads, degree: u32) -> Self {
        let arc = IndexPair::new(roads.vertices(), degree.into());
        Self { roads, arc }
    }
}

impl<A> Sampler<A> for Arcs {
    type Set = [ServerId; 2];

    #[inline(always)]
    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> [ServerId; 2] {
        let (vertex, slot) = self.arc.draw(rng);
        [ServerId(vertex), ServerId(self.roads.neighbour(vertex, slot))]
    }
}

/// Arcs drawn ahead, so that their ends are in cache when they are read.
const AHEAD: usize = 32;

/// The same on a stored graph, whose arcs are asked for ahead. The arcs and their order are those
/// of drawing one at a time.
#[derive(Debug)]
struct StoredArcs {
    arcs: Arcs,
    /// Drawn arcs, a ring; all are of no use before the first draw.
    ahead: [(u32, u32); AHEAD],
    next: usize,
    started: bool,
}

impl Clone for StoredArcs {
    /// Another dispatcher draws arcs of its own.
    fn clone(&self) -> Self {
        Self::of(self.arcs.clone())
    }
}

impl StoredArcs {
    fn new(roads: Roads, degree: u32) -> Self {
        Self::of(Arcs::new(roads, degree))
    }

    fn of(arcs: Arcs) -> Self {
        Self { arcs, ahead: [(0, 0); AHEAD], next: 0, started: false }
    }

    #[inline(always)]
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> (u32, u32) {
        let (vertex, slot) = self.arcs.arc.draw(rng);
        self.arcs.roads.prefetch_slot(vertex, slot);
        (vertex, slot)
    }
}

impl<A> Sampler<A> for StoredArcs {
    type Set = [ServerId; 2];

    #[inline(always)]
    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> [ServerId; 2] {
        if !self.started {
            self.ahead = std::array::from_fn(|_| self.draw(rng));
            self.started = true;
        }
        let (vertex, slot) = self.ahead[self.next];
        self.ahead[self.next] = self.draw(rng);
        self.next = (self.next + 1) % AHEAD;
        [ServerId(vertex), ServerId(self.arcs.roads.neighbour(vertex, slot))]
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
