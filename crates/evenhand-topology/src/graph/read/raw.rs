//! From what a file holds to a graph.

use crate::graph::Graph;
use crate::space::Point;

use super::coordinates::Position;
use super::error::Fault;
use super::{Counts, NamedGraph, Problem, ReadOptions};

/// A graph as a parser leaves it.
#[derive(Debug, Default)]
pub(super) struct RawGraph {
    pub(super) vertices: usize,
    /// Ends are below `vertices`.
    pub(super) edges: Vec<(u32, u32)>,
    /// One each, or none.
    pub(super) labels: Option<Vec<String>>,
    /// One each, or none at all.
    pub(super) positions: Vec<Position>,
    pub(super) notes: Vec<String>,
}

/// Vertices that any file may claim, whatever its length.
const FREE_VERTICES: u64 = 1 << 20;
/// Vertices that a file may claim beyond, for each of its bytes.
const VERTICES_A_BYTE: u64 = 8;

/// Checks a number of vertices before memory is taken for them.
pub(super) fn check_vertices(claimed: u64, bytes: usize, line: u64) -> Result<usize, Fault> {
    let trusted = FREE_VERTICES.saturating_add(VERTICES_A_BYTE.saturating_mul(bytes as u64));
    let limit = trusted.min(u64::from(u32::MAX));
    if claimed <= limit {
        return Ok(claimed as usize);
    }
    Err(Fault::on_line(line, Problem::TooManyVertices { claimed, limit }))
}

impl RawGraph {
    /// Counts, drops what the options say, and builds the graph.
    pub(super) fn finish(mut self, options: &ReadOptions, source: &str) -> NamedGraph {
        for (u, v) in &mut self.edges {
            (*u, *v) = ((*u).min(*v), (*u).max(*v));
        }
        self.edges.sort_unstable();
        let components = Components::new(self.vertices, &self.edges);
        let counts = Counts::of(&self.edges, &components);
        self.note_doubling(&counts);
        if options.simplify {
            self.simplify(&counts);
        }
        if options.largest_component {
            self.keep_largest(&components);
        }
        let positions = self.degrees();
        let graph = Graph::from_edges(self.vertices, &self.edges)
            .expect("parsers leave edges between known vertices");
        let RawGraph { labels, notes, .. } = self;
        NamedGraph { graph, labels, positions, counts, notes, source: source.to_owned() }
    }

    /// Says so where each edge seems to be listed once in each direction.
    fn note_doubling(&mut self, counts: &Counts) {
        let by_pair = self.edges.chunk_by(|a, b| a == b);
        let pairs: Vec<usize> =
            by_pair.filter(|edges| edges[0].0 != edges[0].1).map(<[_]>::len).collect();
        if counts.parallel_edges > 0 && !pairs.is_empty() && pairs.iter().all(|&edges| edges == 2) {
            self.notes.push(format!(
                "all pairs of neighbours have two edges ({} pairs): perhaps the file lists every \
                 edge in both directions; simplify makes one of them",
                pairs.len()
            ));
        }
    }

    fn simplify(&mut self, counts: &Counts) {
        self.edges.dedup();
        self.edges.retain(|(u, v)| u != v);
        if counts.self_loops + counts.parallel_edges > 0 {
            self.notes.push(format!(
                "dropped self-loops: {}, parallel edges: {}",
                counts.self_loops, counts.parallel_edges
            ));
        }
    }

    fn keep_largest(&mut self, components: &Components) {
        if components.count() <= 1 {
            return;
        }
        const DROPPED: u32 = u32::MAX;
        let kept = components.largest();
        let mut numbers = vec![DROPPED; self.vertices];
        for (number, &vertex) in kept.iter().enumerate() {
            numbers[vertex as usize] = number as u32;
        }
        self.edges.retain(|&(u, _)| numbers[u as usize] != DROPPED);
        for (u, v) in &mut self.edges {
            (*u, *v) = (numbers[*u as usize], numbers[*v as usize]);
        }
        let picked = |vertex: &u32| *vertex as usize;
        if let Some(labels) = &mut self.labels {
            *labels = kept.iter().map(|v| std::mem::take(&mut labels[picked(v)])).collect();
        }
        if !self.positions.is_empty() {
            self.positions = kept.iter().map(|v| self.positions[picked(v)]).collect();
        }
        self.notes.push(format!(
            "kept the largest of {} components, {} of {} vertices",
            components.count(),
            kept.len(),
            self.vertices
        ));
        self.vertices = kept.len();
    }

    /// The positions, if all that the file gives are in degrees.
    fn degrees(&mut self) -> Option<Vec<Option<Point>>> {
        let count = |wanted: fn(&Position) -> bool| {
            self.positions.iter().filter(|position| wanted(position)).count()
        };
        let known = count(|position| matches!(position, Position::Degrees(_)));
        let elsewhere = count(|position| matches!(position, Position::NotDegrees));
        if elsewhere > 0 {
            self.notes.push(format!(
                "left out the positions: vertices with coordinates that are not degrees: \
                 {elsewhere}"
            ));
            return None;
        }
        if known == 0 {
            return None;
        }
        if known < self.vertices {
            self.notes.push(format!(
                "vertices without a position: {} of {}",
                self.vertices - known,
                self.vertices
            ));
        }
        Some(self.positions.iter().map(Position::point).collect())
    }
}

/// The components of a graph.
pub(super) struct Components {
    /// Component of each vertex, named by one of its vertices.
    root: Vec<u32>,
    /// Whether a vertex has an edge.
    touched: Vec<bool>,
}

impl Components {
    pub(super) fn new(vertices: usize, edges: &[(u32, u32)]) -> Self {
        let mut root: Vec<u32> = (0..vertices as u32).collect();
        let mut touched = vec![false; vertices];
        for &(u, v) in edges {
            touched[u as usize] = true;
            touched[v as usize] = true;
            let (a, b) = (find(&mut root, u), find(&mut root, v));
            // The least vertex names the component.
            root[a.max(b) as usize] = a.min(b);
        }
        for vertex in 0..vertices as u32 {
            root[vertex as usize] = find(&mut root, vertex);
        }
        Components { root, touched }
    }

    pub(super) fn count(&self) -> usize {
        self.root.iter().enumerate().filter(|&(vertex, &root)| vertex == root as usize).count()
    }

    pub(super) fn isolated(&self) -> usize {
        self.touched.iter().filter(|touched| !**touched).count()
    }

    /// The vertices of the largest component; of several, the one with the least vertex.
    fn largest(&self) -> Vec<u32> {
        let mut sizes = vec![0_usize; self.root.len()];
        for &root in &self.root {
            sizes[root as usize] += 1;
        }
        let Some(most) = sizes.iter().max() else {
            return Vec::new();
        };
        let chosen = sizes.iter().position(|size| size == most);
        let member = |vertex: &u32| Some(self.root[*vertex as usize] as usize) == chosen;
        (0..self.root.len() as u32).filter(member).collect()
    }
}

/// The name of a component so far; halves the path to it.
fn find(root: &mut [u32], mut vertex: u32) -> u32 {
    while root[vertex as usize] != vertex {
        let above = root[root[vertex as usize] as usize];
        root[vertex as usize] = above;
        vertex = above;
    }
    vertex
}
