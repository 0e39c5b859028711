use rayon::prelude::*;
use thiserror::Error;

use super::super::Graph;
use super::components::components;

/// The diameter is searched for in graphs of up to this many vertices.
pub const DIAMETER_VERTICES: usize = 20_000;

/// Why a graph has no diameter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoDiameter {
    /// There is no vertex.
    #[error("no diameter: the graph has no vertices")]
    Empty,
    /// Some vertices are not connected, so their distance is infinite.
    #[error("no diameter: the graph is not connected, it has {components} components")]
    Disconnected {
        /// Number of components.
        components: usize,
    },
    /// A search from every vertex would take too long.
    #[error("diameter not computed: {vertices} vertices, and it is for up to {DIAMETER_VERTICES}")]
    TooLarge {
        /// Number of vertices.
        vertices: usize,
    },
}

/// The greatest distance between two vertices, in edges, exactly.
///
/// It is found by a breadth-first search from every vertex, 64 at a time in the bits of a word
/// (Then et al. 2014), spread over the threads.
///
/// # Errors
/// If the graph is empty, not connected or larger than [`DIAMETER_VERTICES`].
pub fn diameter(graph: &Graph) -> Result<usize, NoDiameter> {
    let vertices = graph.vertices();
    if vertices > DIAMETER_VERTICES {
        return Err(NoDiameter::TooLarge { vertices });
    }
    let components = components(graph).count;
    if components > 1 {
        return Err(NoDiameter::Disconnected { components });
    }
    let batches = (0..vertices as u32).into_par_iter().step_by(u64::BITS as usize);
    batches
        .map_init(|| Searches::new(vertices), |searches, first| searches.depth(graph, first))
        .max()
        .ok_or(NoDiameter::Empty)
}

/// Searches from up to 64 vertices at once; each has a bit.
struct Searches {
    /// Which searches have been at a vertex.
    seen: Vec<u64>,
    /// Which searches reached a vertex at the last step.
    now: Vec<u64>,
    /// Which searches reach it at this step.
    next: Vec<u64>,
    /// The vertices where `now` is not 0.
    front: Vec<u32>,
    /// The vertices where `next` is not 0.
    next_front: Vec<u32>,
}

impl Searches {
    fn new(vertices: usize) -> Self {
        Self {
            seen: vec![0; vertices],
            now: vec![0; vertices],
            next: vec![0; vertices],
            front: Vec::new(),
            next_front: Vec::new(),
        }
    }

    /// The greatest distance from `first` and the vertices after it, of a connected graph.
    fn depth(&mut self, graph: &Graph, first: u32) -> usize {
        let vertices = graph.vertices();
        let roots = first..vertices.min(first as usize + u64::BITS as usize) as u32;
        let mut missing = roots.len() * (vertices - 1);
        self.start(roots);
        let mut distance = 0;
        while missing > 0 {
            missing -= self.step(graph);
            distance += 1;
        }
        distance
    }

    fn start(&mut self, roots: std::ops::Range<u32>) {
        self.seen.fill(0);
        self.now.fill(0);
        self.front.clear();
        for (bit, root) in roots.enumerate() {
            self.seen[root as usize] = 1 << bit;
            self.now[root as usize] = 1 << bit;
            self.front.push(root);
        }
    }

    /// Lets all searches go one step further; returns how many vertices they newly reach.
    fn step(&mut self, graph: &Graph) -> usize {
        for &vertex in &self.front {
            let here = std::mem::take(&mut self.now[vertex as usize]);
            for &other in graph.neighbours(vertex) {
                let new = here & !self.seen[other as usize];
                if new != 0 {
                    let reached = &mut self.next[other as usize];
                    if *reached == 0 {
                        self.next_front.push(other);
                    }
                    *reached |= new;
                }
            }
        }
        let mut found = 0;
        for &vertex in &self.next_front {
            let new = self.next[vertex as usize];
            self.seen[vertex as usize] |= new;
            found += new.count_ones() as usize;
        }
        self.front.clear();
        std::mem::swap(&mut self.now, &mut self.next);
        std::mem::swap(&mut self.front, &mut self.next_front);
        found
    }
}
