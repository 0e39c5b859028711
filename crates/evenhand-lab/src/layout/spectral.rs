//! Spectral layout: the two slowest eigenvectors of the random walk as coordinates (Koren 2005).
//!
//! Orthogonal iteration of the lazy walk from distances to far vertices. It stops after a bounded
//! amount of work: a picture needs no more.

use std::collections::VecDeque;

use evenhand_topology::graph::Graph;

const MOST_STEPS: usize = 20_000;
/// Most arcs looked at.
const MOST_WORK: usize = 20_000_000;

pub(super) fn positions(graph: &Graph) -> Vec<(f64, f64)> {
    let weights: Vec<f64> =
        (0..graph.vertices() as u32).map(|v| graph.degree(v).max(1) as f64).collect();
    let [mut x, mut y] = start(graph);
    let steps = (MOST_WORK / (graph.arc_ends().len() + weights.len()).max(1)).min(MOST_STEPS);
    for _ in 0..steps {
        settle(&mut x, &mut y, &weights);
        x = smoothed(graph, &x);
        y = smoothed(graph, &y);
    }
    settle(&mut x, &mut y, &weights);
    x.into_iter().zip(y).collect()
}

/// Distances to a vertex far from all others, and to one far from the ends of the first.
fn start(graph: &Graph) -> [Vec<f64>; 2] {
    let first = hops(graph, farthest(&hops(graph, 0)));
    let opposite = hops(graph, farthest(&first));
    let nearer: Vec<f64> = first.iter().zip(&opposite).map(|(a, b)| a.min(*b)).collect();
    let mut second = hops(graph, farthest(&nearer));
    // A little of the numbering keeps vertices apart that distances cannot tell apart.
    second.iter_mut().enumerate().for_each(|(v, hops)| *hops += 0.01 * (v as f64).sin());
    [first, second]
}

fn farthest(hops: &[f64]) -> u32 {
    let far = (0..hops.len()).max_by(|&a, &b| hops[a].total_cmp(&hops[b]));
    far.unwrap_or(0) as u32
}

/// Hops from `source`; one more than the most to vertices that cannot be reached.
fn hops(graph: &Graph, source: u32) -> Vec<f64> {
    let mut hops = vec![f64::INFINITY; graph.vertices()];
    let mut queue = VecDeque::new();
    let mut last = 0.0;
    if let Some(at_source) = hops.get_mut(source as usize) {
        *at_source = 0.0;
        queue.push_back(source);
    }
    while let Some(vertex) = queue.pop_front() {
        last = hops[vertex as usize];
        for &other in graph.neighbours(vertex) {
            if hops[other as usize].is_infinite() {
                hops[other as usize] = last + 1.0;
                queue.push_back(other);
            }
        }
    }
    hops.iter().map(|hops: &f64| hops.min(last + 1.0)).collect()
}

/// Halfway from each vertex to the mean of its neighbours.
fn smoothed(graph: &Graph, values: &[f64]) -> Vec<f64> {
    let one = |(vertex, value): (usize, &f64)| {
        let neighbours = graph.neighbours(vertex as u32);
        if neighbours.is_empty() {
            return *value;
        }
        let sum: f64 = neighbours.iter().map(|&other| values[other as usize]).sum();
        value.midpoint(sum / neighbours.len() as f64)
    };
    values.iter().enumerate().map(one).collect()
}

/// Makes both orthogonal to constants and to each other, of length 1, weighted by degree.
fn settle(x: &mut [f64], y: &mut [f64], weights: &[f64]) {
    center(x, weights);
    normalize(x, weights);
    center(y, weights);
    let along = product(x, y, weights);
    y.iter_mut().zip(&*x).for_each(|(y, x)| *y -= along * x);
    normalize(y, weights);
}

fn center(values: &mut [f64], weights: &[f64]) {
    let total: f64 = weights.iter().sum();
    let mean = values.iter().zip(weights).map(|(v, w)| v * w).sum::<f64>() / total.max(1.0);
    values.iter_mut().for_each(|value| *value -= mean);
}

fn normalize(values: &mut [f64], weights: &[f64]) {
    let length = product(values, values, weights).sqrt();
    if length > 1e-12 {
        values.iter_mut().for_each(|value| *value /= length);
    }
}

fn product(a: &[f64], b: &[f64], weights: &[f64]) -> f64 {
    a.iter().zip(b).zip(weights).map(|((a, b), w)| a * b * w).sum()
}
