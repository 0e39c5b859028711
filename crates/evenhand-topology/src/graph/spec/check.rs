use std::collections::HashSet;
use std::fmt::{self, Display, Formatter};

use super::GraphSpec;
use crate::graph::generate::{arithmetic, lps};
use crate::graph::implicit::{MOST_ARCS, SHORTEST_SIDE, near_square};

/// Something that prevents a graph. The front end knows where the parameter stands in the
/// expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphIssue {
    /// The parameter at fault, if it is one.
    pub parameter: Option<&'static str>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl GraphIssue {
    fn of(parameter: &'static str, message: String, help: impl Into<String>) -> Self {
        Self { parameter: Some(parameter), message, help: Some(help.into()) }
    }

    fn whole(message: String, help: impl Into<String>) -> Self {
        Self { parameter: None, message, help: Some(help.into()) }
    }
}

impl Display for GraphIssue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, " ({help})"))
    }
}

impl GraphSpec {
    /// What prevents the graph; empty if nothing does.
    ///
    /// Without `vertices`, only what is wrong for any number of vertices. `has_places` tells
    /// whether the vertices have places. The content of a file is not looked at.
    #[must_use]
    pub fn check(&self, vertices: Option<u64>, has_places: bool) -> Vec<GraphIssue> {
        let mut issues = self.check_alone(has_places);
        if let Some(n) = vertices {
            if issues.is_empty() {
                issues.extend(self.check_number(n));
            }
            if issues.is_empty() {
                issues.extend(self.check_arcs(n));
            }
        }
        issues
    }

    fn check_alone(&self, has_places: bool) -> Vec<GraphIssue> {
        let mut issues = match self {
            &Self::Torus { sides: Some((rows, cols)) } => short_sides(rows, cols),
            &Self::Regular { k: 0, .. } | &Self::Knn { k: 0 } => {
                vec![GraphIssue::of("k", "`k` is 0".to_owned(), "use at least 1")]
            }
            Self::Circulant { offsets } => repeated_offsets(offsets, None),
            &Self::Lps { p, q } => not_lps(p, q),
            &Self::Gnp { p, .. } if !(0.0..=1.0).contains(&p) => {
                let message = format!("`p` is {p}, which is no probability");
                vec![GraphIssue::of("p", message, "use a number from 0 to 1")]
            }
            _ => Vec::new(),
        };
        if self.needs_places() && !has_places {
            let message =
                format!("`{}` is a graph of places, and none are given", self.expression().name);
            issues.push(GraphIssue::whole(message, "give the places of the vertices"));
        }
        issues
    }

    /// What is wrong with `n` vertices.
    fn check_number(&self, n: u64) -> Vec<GraphIssue> {
        if n > u64::from(u32::MAX) {
            let message = format!("{n} vertices");
            return vec![GraphIssue::whole(message, format!("use at most {}", u32::MAX))];
        }
        match self {
            Self::Complete | Self::Star => too_few(n, 2),
            Self::Ring => too_few(n, 3),
            Self::Torus { sides: None } => no_torus(n).into_iter().collect(),
            Self::Torus { sides: Some(_) } | Self::Lps { .. } => self.other_number(n),
            Self::Hypercube if !n.is_power_of_two() || n < 2 => vec![no_hypercube(n)],
            &Self::Regular { k, .. } => not_regular(n, u64::from(k)),
            Self::Circulant { offsets } => bad_offsets(n, offsets),
            &Self::Knn { k } if u64::from(k) >= n => {
                let message = format!("{k} nearest of {} other places", n.saturating_sub(1));
                vec![GraphIssue::of("k", message, "use a `k` below the number of places")]
            }
            Self::Gnp { .. } | Self::Delaunay => too_few(n, 1),
            Self::Hypercube | Self::Knn { .. } | Self::File { .. } => Vec::new(),
        }
    }

    /// Whether the graph has a number of vertices of its own, and not `n`.
    fn other_number(&self, n: u64) -> Vec<GraphIssue> {
        match self.vertices() {
            Some(own) if own != n => {
                let message = format!("`{self}` has {own} vertices, not {n}");
                vec![GraphIssue::whole(message, format!("use {own}"))]
            }
            _ => Vec::new(),
        }
    }

    /// Whether the arcs of `n` vertices are too many to store. Graphs that can be computed on
    /// the fly pass.
    fn check_arcs(&self, n: u64) -> Option<GraphIssue> {
        let n = n as f64;
        let (parameter, degree) = match *self {
            Self::Regular { k, .. } => (Some("k"), f64::from(k)),
            Self::Knn { k } => (Some("k"), 2.0 * f64::from(k)),
            Self::Gnp { p, .. } => (Some("p"), p * n),
            Self::Lps { p, .. } => (None, f64::from(p) + 1.0),
            Self::Delaunay => (None, 6.0),
            _ => return None,
        };
        let message = format!("up to {} arcs", n * degree);
        let help = format!("at most {MOST_ARCS} are stored; use fewer vertices or neighbours");
        (n * degree > MOST_ARCS as f64).then_some(GraphIssue {
            parameter,
            message,
            help: Some(help),
        })
    }
}

fn too_few(n: u64, least: u64) -> Vec<GraphIssue> {
    if n >= least {
        return Vec::new();
    }
    vec![GraphIssue::whole(format!("{n} vertices"), format!("use at least {least}"))]
}

fn short_sides(rows: u32, cols: u32) -> Vec<GraphIssue> {
    [("rows", rows), ("cols", cols)]
        .into_iter()
        .filter(|&(_, side)| side < SHORTEST_SIDE)
        .map(|(name, side)| {
            let help = format!("use at least {SHORTEST_SIDE}; a shorter side has parallel edges");
            GraphIssue::of(name, format!("`{name}` is {side}"), help)
        })
        .collect()
}

fn no_torus(n: u64) -> Option<GraphIssue> {
    if near_square(n).is_some() {
        return None;
    }
    let fits = |&other: &u64| near_square(other).is_some();
    let nearest: Vec<u64> =
        [(0..n).rev().find(fits), (n + 1..).find(fits)].into_iter().flatten().collect();
    let message = format!("no torus with sides of at least {SHORTEST_SIDE} has {n} vertices");
    Some(GraphIssue::whole(message, format!("the nearest numbers are {}", either(&nearest))))
}

fn no_hypercube(n: u64) -> GraphIssue {
    let above = n.next_power_of_two().max(2);
    let below = if above > 2 { above / 2 } else { 2 };
    let nearest: &[u64] = if below == above { &[above] } else { &[below, above] };
    let message = format!("{n} is no power of two");
    GraphIssue::whole(
        message,
        format!("a hypercube has 2, 4, 8, ... vertices; use {}", either(nearest)),
    )
}

fn not_regular(n: u64, k: u64) -> Vec<GraphIssue> {
    if k >= n {
        let message = format!("degree {k} with {n} vertices");
        return vec![GraphIssue::of("k", message, "use a `k` below the number of vertices")];
    }
    if n * k % 2 == 1 {
        let message = format!("{n} vertices of degree {k}: the product is odd");
        return vec![GraphIssue::of("k", message, "use an even `k`, or one vertex more or less")];
    }
    if k == 1 && n > 2 {
        let message = format!("{n} vertices of degree 1 are not connected");
        return vec![GraphIssue::of("k", message, "use a `k` of at least 2")];
    }
    Vec::new()
}

fn bad_offsets(n: u64, offsets: &[u32]) -> Vec<GraphIssue> {
    let outside: Vec<GraphIssue> = offsets
        .iter()
        .filter(|&&offset| u64::from(offset) >= n)
        .map(|offset| {
            let message = format!("offset {offset} with {n} vertices");
            GraphIssue::whole(message, "use offsets below the number of vertices")
        })
        .collect();
    if outside.is_empty() { repeated_offsets(offsets, Some(n)) } else { outside }
}

/// Offsets of 0, and pairs of offsets that lead to the same neighbours.
fn repeated_offsets(offsets: &[u32], vertices: Option<u64>) -> Vec<GraphIssue> {
    let mut issues = Vec::new();
    if offsets.is_empty() {
        issues.push(GraphIssue::whole("no offset".to_owned(), "use at least one"));
    }
    if offsets.contains(&0) {
        issues.push(GraphIssue::whole("offset 0".to_owned(), "use offsets of at least 1"));
    }
    let mut seen = HashSet::new();
    for &offset in offsets {
        let offset = u64::from(offset);
        let back = vertices.map(|n| n - offset);
        if seen.contains(&offset) {
            issues.push(GraphIssue::whole(format!("offset {offset} twice"), "leave one out"));
        } else if let Some(back) = back.filter(|back| seen.contains(back)) {
            let message = format!("offsets {back} and {offset} lead to the same neighbours");
            issues.push(GraphIssue::whole(message, "leave one out"));
        }
        seen.insert(offset);
    }
    issues
}

fn not_lps(p: u32, q: u32) -> Vec<GraphIssue> {
    let mut issues: Vec<GraphIssue> = [("p", p), ("q", q)]
        .into_iter()
        .filter(|&(_, number)| number % 4 != 1 || !arithmetic::is_prime(number))
        .map(|(name, number)| {
            let message = format!("`{name}` is {number}, not a prime that is 1 modulo 4");
            GraphIssue::of(name, message, "use one of 5, 13, 17, 29, 37, 41, 53, ...")
        })
        .collect();
    if !issues.is_empty() {
        return issues;
    }
    if p == q {
        issues.push(GraphIssue::of("q", format!("`p` and `q` are both {p}"), "use two primes"));
    } else if u64::from(q) * u64::from(q) <= 4 * u64::from(p) {
        let message = format!("`q` is {q}, not above 2 sqrt({p})");
        issues.push(GraphIssue::of("q", message, "use a larger prime `q`"));
    } else if lps::order(p, q).is_none_or(|order| order > u64::from(u32::MAX)) {
        let message = format!("`q` is {q}: the graph has about q^3 vertices");
        issues.push(GraphIssue::of("q", message, "use a smaller prime `q`"));
    }
    issues
}

fn either(numbers: &[u64]) -> String {
    let each: Vec<String> = numbers.iter().map(u64::to_string).collect();
    each.join(" and ")
}
