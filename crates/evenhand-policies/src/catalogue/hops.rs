use evenhand_core::{Candidates, Index, Rng, Sampler, ServerId, below, unit_f64};
use evenhand_expr::{Args, Call};

use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::network::{Network, Roads};
use crate::rules::{Ties, visit_ordered};

/// A uniform vertex and one other vertex within `k` hops of it, uniform or in proportion to
/// 1/hops^2; the less loaded. Unif-POT(k) and InvSq-POT(k) on graphs.
///
/// Panigrahy, Vasantam, Basu, Towsley 2020.
#[derive(Clone, Debug, PartialEq)]
pub struct Hops {
    /// Greatest number of hops.
    pub k: u32,
    /// The graph.
    pub graph: Network,
    /// True to draw the other vertex in proportion to 1/hops^2.
    pub inverse_square: bool,
}

/// Most hops: the vertices within are all visited for every ball.
const MOST_HOPS: u64 = 1_000;

impl Definition for Hops {
    const INFO: &'static [Info] = &[Info {
        name: "hops",
        syntax: "hops(k, graph, weight=uniform|inverse-square)",
        meaning: "a uniform vertex and one other within k hops, uniform or by 1/hops^2; the less loaded",
        source: "Panigrahy, Vasantam, Basu, Towsley 2020",
    }];
    const PARAMETERS: &'static [&'static str] = &["k", "graph", "weight"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        Self {
            k: args.integer("k", 1..=MOST_HOPS) as u32,
            graph: Network::read(args),
            inverse_square: args.word_or("weight", &["uniform", "inverse-square"], "uniform")
                == "inverse-square",
        }
    }

    fn expression(&self) -> Call {
        let call = Call::word("hops").with(u64::from(self.k)).with(self.graph.expression());
        if self.inverse_square {
            return call.with_key("weight", Call::word("inverse-square"));
        }
        call
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        self.graph.check(setting)
    }

    fn visit<V: Visit>(&self, mut world: World<'_>, visitor: V) -> V::Out {
        let roads = self.graph.build(&mut world);
        let vertices = roads.vertices();
        let sampler = WithinHops {
            start: Index::new(vertices),
            roads,
            k: self.k,
            inverse_square: self.inverse_square,
            visited: vec![0; vertices as usize],
            search: 0,
            found: Vec::new(),
        };
        visit_ordered(sampler, Ties::Random, world.comparison, visitor)
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        // A guess at the vertices within k hops at degree 4.
        let within = 4.0 * 3_f64.powi(self.k.min(30) as i32 - 1);
        50.0 + 15.0 * within.min(bins as f64)
    }

    fn network(&self) -> Option<&Network> {
        Some(&self.graph)
    }
}

#[derive(Clone, Debug)]
struct WithinHops {
    roads: Roads,
    start: Index,
    k: u32,
    inverse_square: bool,
    /// Number of the search that last visited a vertex.
    visited: Vec<u32>,
    search: u32,
    /// Vertices within k hops in order of distance, with their hops.
    found: Vec<(u32, u32)>,
}

impl WithinHops {
    /// Breadth-first search from `start`, which stands first in `found`.
    fn search_from(&mut self, start: u32) {
        if self.search == u32::MAX {
            self.visited.fill(0);
            self.search = 0;
        }
        self.search += 1;
        self.found.clear();
        self.found.push((start, 0));
        self.visited[start as usize] = self.search;
        let mut next = 0;
        while let Some(&(vertex, hops)) = self.found.get(next) {
            next += 1;
            if hops == self.k {
                break;
            }
            for slot in 0..self.roads.degree(vertex) {
                let other = self.roads.neighbour(vertex, slot);
                if self.visited[other as usize] != self.search {
                    self.visited[other as usize] = self.search;
                    self.found.push((other, hops + 1));
                }
            }
        }
    }

    /// One of the vertices found, other than the first.
    fn draw_other<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<u32> {
        let others = &self.found[1..];
        if others.is_empty() {
            return None;
        }
        if !self.inverse_square {
            return Some(others[below(rng, others.len() as u64) as usize].0);
        }
        let weight = |hops: u32| f64::from(hops).powi(-2);
        let total: f64 = others.iter().map(|&(_, hops)| weight(hops)).sum();
        let mut left = unit_f64(rng) * total;
        for &(vertex, hops) in others {
            left -= weight(hops);
            if left < 0.0 {
                return Some(vertex);
            }
        }
        others.last().map(|&(vertex, _)| vertex)
    }
}

impl<A> Sampler<A> for WithinHops {
    type Set = Candidates;

    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> Candidates {
        let vertex = self.start.draw(rng) as u32;
        self.search_from(vertex);
        let other = self.draw_other(rng);
        [vertex].into_iter().chain(other).map(ServerId).collect()
    }
}
