//! What the names of graphs say of them.

use evenhand_policies::Network;
use evenhand_policies::catalogue::{Step, Walks};
use evenhand_topology::graph::GraphSpec;

/// Whether walkers balance as fresh draws do: on regular expanders of high girth, if they do not
/// turn back. And why.
pub(super) fn walkers_mix(walks: &Walks) -> (Option<bool>, String) {
    let (holds, why) = match walks.graph.spec() {
        _ if walks.step == Step::Simple => (Some(false), "these walkers may turn back"),
        GraphSpec::Lps { .. } => (Some(true), "the graph is Ramanujan, of high girth"),
        GraphSpec::Regular { k: 0..=2, .. } => (Some(false), "the graph is no expander"),
        GraphSpec::Regular { .. } => {
            (None, "the graph is an expander with high probability, but has a few short cycles")
        }
        GraphSpec::Complete => (None, "the girth is 3, but walkers are nearly fresh draws"),
        GraphSpec::Hypercube => (None, "the degree grows, and the girth is 4"),
        GraphSpec::Ring | GraphSpec::Torus { .. } | GraphSpec::Circulant { .. } => {
            (Some(false), "the graph is no expander: walkers come back to where they have been")
        }
        _ => (None, "girth and spectral gap are not known: `evenhand graph` measures them"),
    };
    (holds, format!("walkers must not turn back, on a regular expander of high girth; {why}"))
}

/// The degree of a graph of so many vertices that is regular by its name.
pub(super) fn degree(network: Option<&Network>, vertices: u64) -> Option<u32> {
    match network?.spec() {
        GraphSpec::Ring => Some(2),
        GraphSpec::Torus { .. } => Some(4),
        GraphSpec::Hypercube => Some(vertices.ilog2()),
        GraphSpec::Regular { k, .. } => Some(*k),
        GraphSpec::Circulant { offsets } => {
            let arcs = |offset: &u32| if u64::from(*offset) * 2 == vertices { 1 } else { 2 };
            Some(offsets.iter().map(arcs).sum())
        }
        GraphSpec::Lps { p, .. } => Some(p + 1),
        GraphSpec::Complete => u32::try_from(vertices - 1).ok(),
        _ => None,
    }
}
