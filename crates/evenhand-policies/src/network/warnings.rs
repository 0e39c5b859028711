//! What the reader of a result should know of a policy's graph.

use evenhand_topology::graph::measure::irregularities;
use evenhand_topology::graph::{Graph, GraphSpec, NamedGraph, Shape};

use super::Network;

/// How a policy finds candidates on its graph, which decides what a graph costs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// The ends of uniform edges.
    Edges,
    /// A uniform vertex, and others near it.
    Neighbours,
    /// The positions of walkers that go on from ball to ball.
    Walkers {
        /// Number of walkers.
        count: u32,
        /// Whether they start anew now and then.
        restart: bool,
        /// Whether they may go back along the edge by which they came.
        turn_back: bool,
    },
    /// The vertices of a new walk for each ball.
    FreshWalks,
}

/// Graphs with more arcs are not made for warnings only.
const MOST_ARCS_LOOKED_AT: f64 = 2e6;

/// A mean number of isolated vertices below this is not worth a warning.
const FEW_ISOLATED: f64 = 1e-3;

impl Network {
    /// See [`PolicySpec::warnings`](crate::PolicySpec::warnings).
    pub(crate) fn warnings(
        &self,
        movement: Movement,
        servers: u64,
        places_vary: bool,
        first: impl FnOnce() -> Option<Graph>,
    ) -> Vec<String> {
        if let Some(file) = &self.file {
            let said = Warnings::new(movement, "the graph");
            return said.of_file(file, &self.spec);
        }
        if let Some(shape) = self.spec.shape(servers) {
            return Warnings::new(movement, "the graph").of_shape(&shape);
        }
        let redrawn = self.spec.is_random() || places_vary && self.spec.needs_places();
        match self.spec {
            GraphSpec::Gnp { p, .. } if redrawn => gnp(movement, p, servers),
            GraphSpec::Regular { k, .. } if redrawn => small_regular(movement, k, servers),
            _ => {
                let small = self.expected_arcs(servers) <= MOST_ARCS_LOOKED_AT;
                match small.then(first).flatten() {
                    Some(graph) => self.of_looked_at(movement, &graph, redrawn),
                    None => self.of_unseen(movement, servers),
                }
            }
        }
    }

    /// Warnings of a graph that was made to see them.
    fn of_looked_at(&self, movement: Movement, graph: &Graph, redrawn: bool) -> Vec<String> {
        let shape = Shape::of(graph);
        if !redrawn {
            return Warnings::new(movement, "the graph").of_shape(&shape);
        }
        let mut said = Warnings::new(movement, "the graph of the first run").of_shape(&shape);
        if matches!(self.spec, GraphSpec::Knn { .. }) && shape.components == 1 {
            said.push(
                "the graph of the first run is connected; those of other runs, with other places, \
                 need not be"
                    .to_string(),
            );
        }
        said
    }

    /// Warnings of a graph that is too large to be looked at first.
    fn of_unseen(&self, movement: Movement, servers: u64) -> Vec<String> {
        match self.spec {
            GraphSpec::Gnp { p, .. } => gnp(movement, p, servers),
            GraphSpec::Knn { k } => {
                let mut said = vec![format!(
                    "the graph was not looked at for its size: a graph knn({k}) may have several \
                     components, {}",
                    between_components(movement)
                )];
                said.extend(irregular(movement, "the graph", None));
                said
            }
            GraphSpec::Delaunay => irregular(movement, "the graph", None).into_iter().collect(),
            _ => Vec::new(),
        }
    }
}

/// A graph in which every edge is there with probability `p`.
fn gnp(movement: Movement, p: f64, vertices: u64) -> Vec<String> {
    let isolated = vertices as f64 * (1.0 - p).powf(vertices as f64 - 1.0);
    let mut said = Vec::new();
    if isolated > FEW_ISOLATED {
        said.push(format!(
            "a graph gnp({p}) of {vertices} vertices has {isolated:.3} isolated vertices in the \
             mean, {}; it may have several components, {}",
            at_isolated(movement),
            between_components(movement)
        ));
    }
    if p < 1.0 {
        said.extend(irregular(movement, "the graph", None));
    }
    said
}

/// A random regular graph that is small enough to be bipartite by chance.
fn small_regular(movement: Movement, degree: u32, vertices: u64) -> Vec<String> {
    let chance = vertices.is_multiple_of(2) && u64::from(degree) <= vertices / 2;
    let bipartite = bipartite(movement, "with so few vertices the graph of some runs may be");
    bipartite.filter(|_| chance).into_iter().collect()
}

/// Collects warnings of one graph.
struct Warnings {
    movement: Movement,
    /// What the graph is called.
    subject: &'static str,
    said: Vec<String>,
}

impl Warnings {
    fn new(movement: Movement, subject: &'static str) -> Self {
        Self { movement, subject, said: Vec::new() }
    }

    /// Warnings of the graph of a file, with what removes the cause.
    fn of_file(mut self, file: &NamedGraph, spec: &GraphSpec) -> Vec<String> {
        self.said.extend(file.notes.iter().cloned());
        let found = irregularities(&file.graph);
        if found.self_loops > 0 {
            self.said.push(format!(
                "the graph has {} self-loops: they lead to the server that they come from; \
                 `simplify` drops them",
                found.self_loops
            ));
        }
        if found.parallel_edges > 0 {
            self.said.push(format!(
                "the graph has {} parallel edges: they are drawn as often as they stand there; \
                 `simplify` drops all but one",
                found.parallel_edges
            ));
        }
        let shape = Shape::of(&file.graph);
        let several = shape.components > 1;
        let mut said = self.of_shape(&shape);
        if several && matches!(spec, GraphSpec::File { largest_component: false, .. }) {
            said.push("`largest-component` keeps the largest component only".to_string());
        }
        said
    }

    fn of_shape(mut self, shape: &Shape) -> Vec<String> {
        let &Self { movement, subject, .. } = &self;
        if shape.isolated > 0 {
            let isolated = shape.isolated;
            let cost = at_isolated(movement);
            self.said.push(format!("{subject} has {isolated} isolated vertices, {cost}"));
        }
        if shape.components > 1 {
            let components = shape.components;
            let cost = between_components(movement);
            self.said.push(format!("{subject} has {components} components, {cost}"));
        }
        if shape.bipartite && shape.isolated < shape.vertices {
            self.said.extend(bipartite(movement, &format!("{subject} is")));
        }
        if !shape.is_regular() {
            let degrees = (shape.least_degree, shape.greatest_degree);
            self.said.extend(irregular(movement, subject, Some(degrees)));
        }
        let turns =
            matches!(movement, Movement::FreshWalks | Movement::Walkers { turn_back: false, .. });
        if turns && shape.least_degree < 2 {
            self.said
                .push(format!("{subject} has vertices of degree below 2: walkers turn back there"));
        }
        self.said
    }
}

/// What isolated vertices mean.
fn at_isolated(movement: Movement) -> &'static str {
    match movement {
        Movement::Edges => "which get no ball by its edges",
        Movement::Neighbours => "which have no other candidate beside them",
        Movement::Walkers { restart: false, .. } => {
            "where a walker that starts there stays for ever"
        }
        Movement::Walkers { restart: true, .. } => {
            "where a walker that starts there stays until the next reset"
        }
        Movement::FreshWalks => "where a walk cannot go on",
    }
}

/// What several components mean.
fn between_components(movement: Movement) -> &'static str {
    match movement {
        Movement::Edges | Movement::Neighbours | Movement::FreshWalks => {
            "between which load does not move"
        }
        Movement::Walkers { restart: false, .. } => {
            "and a walker never leaves the one in which it starts: some may get no ball"
        }
        Movement::Walkers { restart: true, .. } => {
            "and a walker leaves the one in which it starts at resets only"
        }
    }
}

/// Of a bipartite graph, where two walkers or more are on it. `graph_is` begins the sentence.
fn bipartite(movement: Movement, graph_is: &str) -> Option<String> {
    let Movement::Walkers { count: 2.., restart, .. } = movement else { return None };
    let until = if restart { "from one reset to the next" } else { "for ever" };
    Some(format!(
        "{graph_is} bipartite: walkers change its side with every ball, so that two of them are on \
         equal or on opposite sides {until}, as their starts decide; walks do not mix over the \
         whole graph"
    ))
}

/// Of a graph that is not regular, whose degrees are in this range where they are known.
fn irregular(movement: Movement, subject: &str, degrees: Option<(u64, u64)>) -> Option<String> {
    let cost = match movement {
        Movement::Edges | Movement::Neighbours => return None,
        Movement::Walkers { .. } => {
            "walkers start at uniform vertices, and in the long run are at a vertex in proportion \
             to its degree"
        }
        Movement::FreshWalks => {
            "walks from uniform vertices come to those of higher degree more often"
        }
    };
    let range =
        degrees.map_or_else(String::new, |(least, most)| format!(" (degrees {least} to {most})"));
    Some(format!("{subject} is not regular{range}: {cost}"))
}
