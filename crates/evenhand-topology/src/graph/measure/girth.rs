use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::super::Graph;
use super::counts::irregularities;

/// Length of a shortest cycle, exactly; `None` for a forest.
///
/// A self-loop is a cycle of length 1, two parallel edges are one of length 2. Otherwise a
/// breadth-first search starts from each vertex where cycles branch, and goes no deeper than half
/// the shortest cycle found so far. The searches are spread over the threads; the result does not
/// depend on them.
pub fn girth(graph: &Graph) -> Option<usize> {
    let found = irregularities(graph);
    if found.self_loops > 0 {
        return Some(1);
    }
    if found.parallel_edges > 0 {
        return Some(2);
    }
    let core_degree = two_core(graph);
    let best = AtomicUsize::new(shortest_plain_cycle(graph, &core_degree).unwrap_or(usize::MAX));
    (0..graph.vertices() as u32)
        .into_par_iter()
        .filter(|&root| core_degree[root as usize] >= 3)
        .for_each_init(
            || Search::new(graph, &core_degree),
            |search, root| search.shorten(root, &best),
        );
    Some(best.into_inner()).filter(|&length| length != usize::MAX)
}

/// Degrees in the graph that is left when vertices of degree 1 are taken away again and again.
/// All cycles lie in it.
fn two_core(graph: &Graph) -> Vec<u32> {
    let mut degree: Vec<u32> =
        (0..graph.vertices() as u32).map(|vertex| graph.degree(vertex) as u32).collect();
    let mut leaves: Vec<u32> =
        (0..graph.vertices() as u32).filter(|&vertex| degree[vertex as usize] == 1).collect();
    while let Some(leaf) = leaves.pop() {
        degree[leaf as usize] = 0;
        for &other in graph.neighbours(leaf) {
            let left = &mut degree[other as usize];
            *left = left.saturating_sub(1);
            if *left == 1 {
                leaves.push(other);
            }
        }
    }
    degree
}

/// The shortest component of the core that is nothing but a cycle.
fn shortest_plain_cycle(graph: &Graph, core_degree: &[u32]) -> Option<usize> {
    let mut seen = vec![false; graph.vertices()];
    let starts = (0..graph.vertices() as u32).filter(|&start| core_degree[start as usize] == 2);
    starts
        .filter_map(|start| {
            let mut length = 0;
            let mut last = start;
            let mut at = Some(start).filter(|_| !seen[start as usize]);
            while let Some(vertex) = at {
                seen[vertex as usize] = true;
                length += 1;
                last = vertex;
                let unseen =
                    |other: &u32| core_degree[*other as usize] == 2 && !seen[*other as usize];
                at = graph.neighbours(vertex).iter().copied().find(unseen);
            }
            let closed = length >= 3 && graph.neighbours(last).contains(&start);
            closed.then_some(length)
        })
        .min()
}

/// Breadth-first search for short cycles of a simple graph, with memory to be used again.
struct Search<'a> {
    graph: &'a Graph,
    core_degree: &'a [u32],
    /// The root of the search that last reached a vertex.
    reached_from: Vec<u32>,
    distance: Vec<u32>,
    parent: Vec<u32>,
    queue: Vec<u32>,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph, core_degree: &'a [u32]) -> Self {
        let vertices = graph.vertices();
        Self {
            graph,
            core_degree,
            reached_from: vec![u32::MAX; vertices],
            distance: vec![0; vertices],
            parent: vec![0; vertices],
            queue: Vec::new(),
        }
    }

    /// Lowers `best` if a shorter cycle has `root` as its least branching vertex.
    fn shorten(&mut self, root: u32, best: &AtomicUsize) {
        self.queue.clear();
        self.reach(root, root, 0);
        let mut head = 0;
        while let Some(&vertex) = self.queue.get(head) {
            head += 1;
            let distance = self.distance[vertex as usize];
            if 2 * distance as usize + 1 >= best.load(Ordering::Relaxed) {
                return;
            }
            for &other in self.graph.neighbours(vertex) {
                if self.left_out(other, root) || other == self.parent[vertex as usize] {
                    continue;
                }
                if self.reached_from[other as usize] == root {
                    let length = distance as usize + self.distance[other as usize] as usize + 1;
                    best.fetch_min(length, Ordering::Relaxed);
                } else {
                    self.reach(other, root, distance + 1);
                    self.parent[other as usize] = vertex;
                }
            }
        }
    }

    fn reach(&mut self, vertex: u32, root: u32, distance: u32) {
        self.reached_from[vertex as usize] = root;
        self.distance[vertex as usize] = distance;
        self.parent[vertex as usize] = vertex;
        self.queue.push(vertex);
    }

    /// Vertices outside the core are on no cycle; cycles through a lesser branching vertex are
    /// found from there.
    fn left_out(&self, vertex: u32, root: u32) -> bool {
        let degree = self.core_degree[vertex as usize];
        degree == 0 || (vertex < root && degree >= 3)
    }
}
