use serde::Serialize;

use super::super::Graph;
use super::components::{Components, components};
use super::conditions::{Condition, conditions};
use super::counts::{Degrees, degrees, irregularities};
use super::expansion::{non_backtracking_mixing_rate, ramanujan};
use super::girth::girth;
use super::spectrum::{Eigenvalue, Spectrum, measured};
use super::{LANCZOS_STEPS, diameter};

/// What to compute beyond counts. All are by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasureOptions {
    /// Whether to search for the girth.
    pub girth: bool,
    /// Whether to search for the diameter, in graphs small enough.
    pub diameter: bool,
    /// Whether to compute eigenvalues, and what follows from them.
    pub spectrum: bool,
}

impl Default for MeasureOptions {
    fn default() -> Self {
        Self { girth: true, diameter: true, spectrum: true }
    }
}

/// What a graph is like. `None` (null) is undefined or not computed, with the reason in `notes`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GraphRecord {
    /// Name of the graph, for example its expression.
    pub graph: String,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of edges, parallel edges and self-loops included.
    pub edges: usize,
    /// Degrees; a self-loop counts twice.
    pub degree: Option<Degrees>,
    /// Number of connected components.
    pub components: usize,
    /// Vertices without edges.
    pub isolated: usize,
    /// Edges from a vertex to itself.
    pub self_loops: usize,
    /// Edges beyond the first between two different vertices.
    pub parallel_edges: usize,
    /// Whether every component is bipartite.
    pub bipartite: bool,
    /// Length of a shortest cycle.
    pub girth: Option<usize>,
    /// Greatest distance, in edges.
    pub diameter: Option<usize>,
    /// Largest eigenvalue of the adjacency matrix: the degree of a regular graph.
    pub largest_eigenvalue: Option<f64>,
    /// Second largest eigenvalue of the adjacency matrix, multiplicity counted.
    pub second_eigenvalue: Option<f64>,
    /// Smallest eigenvalue of the adjacency matrix.
    pub smallest_eigenvalue: Option<f64>,
    /// Largest nontrivial eigenvalue in absolute value; the largest, and the smallest of
    /// a bipartite graph, are trivial.
    pub lambda: Option<f64>,
    /// Bound on the numerical error of the eigenvalues above, the greatest of theirs.
    pub eigenvalue_error: Option<f64>,
    /// Whether the graph is k-regular, connected, and `lambda <= 2 sqrt(k - 1)`.
    pub ramanujan: Option<bool>,
    /// `2 sqrt(k - 1) - lambda`, for a regular connected graph.
    pub ramanujan_margin: Option<f64>,
    /// Degree minus second largest eigenvalue, for a regular graph.
    pub spectral_gap: Option<f64>,
    /// Factor by which the non-backtracking random walk approaches its limit at each step, for
    /// a regular graph of degree 3 or more; of the even steps, if the graph is bipartite.
    pub non_backtracking_mixing_rate: Option<f64>,
    /// Conditions of theorems.
    pub conditions: Vec<Condition>,
    /// Reasons for what is null, and remarks.
    pub notes: Vec<String>,
}

/// Measures a graph. `name` is repeated in the record.
///
/// The eigenvalues of a graph take a few seconds for 10^5 vertices of degree 8, the girth less;
/// the diameter grows with vertices times edges.
pub fn measure(graph: &Graph, name: &str, options: &MeasureOptions) -> GraphRecord {
    let parts = components(graph);
    let found = irregularities(graph);
    let mut record = GraphRecord {
        graph: name.to_owned(),
        vertices: graph.vertices(),
        edges: graph.edges(),
        degree: degrees(graph),
        components: parts.count,
        isolated: found.isolated,
        self_loops: found.self_loops,
        parallel_edges: found.parallel_edges,
        bipartite: parts.is_bipartite(),
        girth: None,
        diameter: None,
        largest_eigenvalue: None,
        second_eigenvalue: None,
        smallest_eigenvalue: None,
        lambda: None,
        eigenvalue_error: None,
        ramanujan: None,
        ramanujan_margin: None,
        spectral_gap: None,
        non_backtracking_mixing_rate: None,
        conditions: Vec::new(),
        notes: Vec::new(),
    };
    record.measure_distances(graph, options);
    record.measure_spectrum(graph, &parts, options);
    record.conditions = conditions(&record);
    record
}

impl GraphRecord {
    fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    fn measure_distances(&mut self, graph: &Graph, options: &MeasureOptions) {
        if self.vertices == 0 {
            self.note("degree is null: the graph has no vertices");
        }
        if options.girth {
            self.girth = girth(graph);
            if self.girth.is_none() {
                self.note("no girth: the graph has no cycle");
            }
        } else {
            self.note("girth not computed: not asked for");
        }
        if options.diameter {
            match diameter(graph) {
                Ok(diameter) => self.diameter = Some(diameter),
                Err(why) => self.note(why.to_string()),
            }
        } else {
            self.note("diameter not computed: not asked for");
        }
    }

    fn measure_spectrum(&mut self, graph: &Graph, parts: &Components, options: &MeasureOptions) {
        if !options.spectrum {
            self.note("eigenvalues, and what follows from them, not computed: not asked for");
            return;
        }
        let Some(spectrum) = measured(graph, parts) else {
            self.note("no eigenvalues: the graph has no vertices");
            return;
        };
        self.keep(&spectrum);
        match (graph.regular_degree(), spectrum.second, spectrum.lambda) {
            (Some(degree), Some(second), lambda) => self.expand(degree, second, lambda),
            (Some(_), None, _) => self.note(
                "no second_eigenvalue, lambda, ramanujan, spectral_gap and \
                 non_backtracking_mixing_rate: there is one vertex",
            ),
            (None, ..) => self.note(
                "no ramanujan, spectral_gap and non_backtracking_mixing_rate: the graph is not \
                 regular",
            ),
        }
    }

    fn keep(&mut self, spectrum: &Spectrum) {
        let Spectrum { largest, second, smallest, lambda } = *spectrum;
        self.largest_eigenvalue = Some(largest.value);
        self.second_eigenvalue = second.map(|second| second.value);
        self.smallest_eigenvalue = Some(smallest.value);
        self.lambda = lambda.map(|lambda| lambda.value);
        let all = [Some(largest), second, Some(smallest), lambda];
        let error = all.into_iter().flatten().map(|each| each.error).fold(0.0, f64::max);
        self.eigenvalue_error = Some(error);
        if error > 1e-6 * largest.value.max(1.0) {
            self.note(format!(
                "eigenvalues known to {error:.1e} only, after {LANCZOS_STEPS} steps: the ends of \
                 the spectrum are crowded"
            ));
        }
    }

    /// What eigenvalues tell about expansion of a regular graph.
    fn expand(&mut self, degree: usize, second: Eigenvalue, lambda: Option<Eigenvalue>) {
        self.spectral_gap = Some(degree as f64 - second.value);
        let Some(lambda) = lambda else {
            self.note(
                "no lambda, ramanujan and non_backtracking_mixing_rate: all eigenvalues are \
                 trivial",
            );
            return;
        };
        if self.components > 1 {
            self.ramanujan = Some(false);
            self.note(format!(
                "the degree is an eigenvalue {} times: the graph is not connected, and walks do \
                 not mix",
                self.components
            ));
        } else if let Some(found) = ramanujan(degree, lambda) {
            self.ramanujan = found.holds;
            self.ramanujan_margin = Some(found.margin);
            if found.holds.is_none() {
                self.note(format!(
                    "ramanujan not decided: the margin {:.1e} is within the error {:.1e} of lambda",
                    found.margin, lambda.error
                ));
            }
        }
        self.non_backtracking_mixing_rate = non_backtracking_mixing_rate(degree, lambda.value);
        if degree < 3 {
            self.note("no non_backtracking_mixing_rate: it is defined from degree 3 on");
        } else if self.bipartite && self.components == 1 {
            self.note(
                "the graph is bipartite, so walks alternate between its sides and do not mix; \
                 non_backtracking_mixing_rate is that of the even steps, within a side",
            );
        }
    }
}
