//! Measures of graphs, against known graphs, closed forms and slow oracles.

use std::collections::VecDeque;
use std::f64::consts::PI;

use evenhand_topology::graph::Graph;
use evenhand_topology::graph::measure::{
    GraphRecord, MeasureOptions, NoDiameter, components, diameter, girth, irregularities,
    is_bipartite, measure, non_backtracking_mixing_rate, spectrum,
};
use nalgebra::{DMatrix, SymmetricEigen};
use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn graph(vertices: usize, edges: impl IntoIterator<Item = (u32, u32)>) -> Graph {
    Graph::from_edges(vertices, &edges.into_iter().collect::<Vec<_>>()).unwrap()
}

fn ring(n: u32) -> Graph {
    graph(n as usize, (0..n).map(|v| (v, (v + 1) % n)))
}

fn complete(n: u32) -> Graph {
    graph(n as usize, (0..n).flat_map(|v| (0..v).map(move |u| (u, v))))
}

fn star(n: u32) -> Graph {
    graph(n as usize, (1..n).map(|v| (0, v)))
}

fn hypercube(dimension: u32) -> Graph {
    let edges = (0..1_u32 << dimension)
        .flat_map(|v| (0..dimension).map(move |bit| (v, v ^ 1 << bit)).filter(|(u, v)| u < v));
    graph(1 << dimension, edges)
}

/// A cubic graph: a ring, and chords of the given lengths, repeated.
fn lcf(chords: &[i64], repeats: usize) -> Graph {
    let n = (chords.len() * repeats) as i64;
    let ring = (0..n).map(|v| (v as u32, ((v + 1) % n) as u32));
    let chords = (0..n)
        .map(|v| (v as u32, (v + chords[v as usize % chords.len()]).rem_euclid(n) as u32))
        .filter(|(u, v)| u < v);
    graph(n as usize, ring.chain(chords))
}

/// Chords of Balaban's 10-cage, one of three (Balaban 1972).
#[rustfmt::skip]
const BALABAN_10: [i64; 70] = [
    -9, -25, -19, 29, 13, 35, -13, -29, 19, 25, 9, -29, 29, 17, 33, 21, 9, -13, -31, -9, 25, 17, 9,
    -31, 27, -9, 17, -19, -29, 27, -17, -9, -29, 33, -25, 25, -21, 17, -17, 29, 35, -29, 17, -17,
    21, -25, 25, -33, 29, 9, 17, -27, 29, 19, -17, 9, -27, 31, -9, -17, -25, 9, 31, 13, -9, -21,
    -33, -17, -29, 29,
];

/// Chords of Balaban's 11-cage (Balaban 1973), the only cubic graph of girth 11 with 112 vertices
/// (McKay, Myrvold, Nadon 1998).
#[rustfmt::skip]
const BALABAN_11: [i64; 112] = [
    44, 26, -47, -15, 35, -39, 11, -27, 38, -37, 43, 14, 28, 51, -29, -16, 41, -11, -26, 15, 22,
    -51, -35, 36, 52, -14, -33, -26, -46, 52, 26, 16, 43, 33, -15, 17, -53, 23, -42, -35, -28, 30,
    -22, 45, -44, 16, -38, -16, 50, -55, 20, 28, -17, -43, 47, 34, -26, -41, 11, -36, -23, -16, 41,
    17, -51, 26, -33, 47, 17, -11, -20, -30, 21, 29, 36, -43, -52, 10, 39, -28, -17, -52, 51, 26,
    37, -17, 10, -10, -45, -34, 17, -26, 27, -21, 46, 53, -10, 29, -50, 35, 15, -47, -29, -41, 26,
    33, 55, -17, 42, -26, -36, 16,
];

fn petersen() -> Graph {
    graph(10, (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]))
}

/// Five pentagons and five pentagrams; `i` of pentagon `h` is joined to `h j + i` of pentagram `j`.
fn hoffman_singleton() -> Graph {
    let cycles = (0..5).flat_map(|h| {
        (0..5).flat_map(move |i| {
            [(5 * h + i, 5 * h + (i + 1) % 5), (25 + 5 * h + i, 25 + 5 * h + (i + 2) % 5)]
        })
    });
    let across = (0..125).map(|x| (x / 25, x / 5 % 5, x % 5));
    let across = across.map(|(h, j, i)| (5 * h + i, 25 + 5 * j + (h * j + i) % 5));
    graph(50, cycles.chain(across))
}

/// A random simple regular graph: random pairs of arc ends, loops and repeats switched away.
fn random_regular(vertices: usize, degree: usize, seed: u64) -> Graph {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut ends: Vec<u32> = (0..vertices * degree).map(|end| (end / degree) as u32).collect();
    ends.shuffle(&mut rng);
    let ordered = |(u, v): (u32, u32)| (u.min(v), u.max(v));
    let mut edges: Vec<_> = ends.chunks(2).map(|pair| ordered((pair[0], pair[1]))).collect();
    loop {
        let mut seen = std::collections::HashSet::new();
        let bad = (0..edges.len()).filter(|&i| edges[i].0 == edges[i].1 || !seen.insert(edges[i]));
        let bad: Vec<usize> = bad.collect();
        if bad.is_empty() {
            return Graph::from_edges(vertices, &edges).unwrap();
        }
        for i in bad {
            let j = rng.random_range(0..edges.len());
            if i != j {
                let ((a, b), (c, d)) = (edges[i], edges[j]);
                (edges[i], edges[j]) = (ordered((a, d)), ordered((c, b)));
            }
        }
    }
}

fn full(graph: &Graph) -> GraphRecord {
    measure(graph, "graph", &MeasureOptions::default())
}

fn assert_near(found: Option<f64>, expected: f64, what: &str) {
    let found = found.unwrap_or(f64::NAN);
    assert!((found - expected).abs() < 1e-8, "{what}: {found}, not {expected}");
}

struct Known {
    name: &'static str,
    graph: Graph,
    vertices: usize,
    degree: usize,
    girth: usize,
    diameter: usize,
    second: f64,
    smallest: f64,
}

fn known() -> Vec<Known> {
    let row = |name, graph, (vertices, degree), (girth, diameter), (second, smallest)| Known {
        name,
        graph,
        vertices,
        degree,
        girth,
        diameter,
        second,
        smallest,
    };
    let root = f64::sqrt;
    let tutte_12 =
        [17, 27, -13, -59, -35, 35, -11, 13, -53, 53, -27, 21, 57, 11, -21, -57, 59, -17];
    let dodecahedron = [10, 7, 4, -4, -7, 10, -4, 7, -7, 4];
    let mcgee = -(1.0 + root(17.0)) / 2.0;
    vec![
        row("Petersen", petersen(), (10, 3), (5, 2), (1.0, -2.0)),
        row("cube", lcf(&[3, -3], 4), (8, 3), (4, 3), (1.0, -3.0)),
        row("K_{3,3}", lcf(&[3, -3], 3), (6, 3), (4, 2), (0.0, -3.0)),
        row("K_5", complete(5), (5, 4), (3, 1), (-1.0, -1.0)),
        row("Franklin", lcf(&[5, -5], 6), (12, 3), (4, 3), (root(3.0), -3.0)),
        row("Heawood", lcf(&[5, -5], 7), (14, 3), (6, 3), (root(2.0), -3.0)),
        row("Moebius-Kantor", lcf(&[5, -5], 8), (16, 3), (6, 4), (root(3.0), -3.0)),
        row("Pappus", lcf(&[5, 7, -7, 7, -7, -5], 3), (18, 3), (6, 4), (root(3.0), -3.0)),
        row("Desargues", lcf(&[5, -5, 9, -9], 5), (20, 3), (6, 5), (2.0, -3.0)),
        row("dodecahedron", lcf(&dodecahedron, 2), (20, 3), (5, 5), (root(5.0), -root(5.0))),
        row("Nauru", lcf(&[5, -9, 7, -7, 9, -5], 4), (24, 3), (6, 4), (2.0, -3.0)),
        row("McGee", lcf(&[12, 7, -7], 8), (24, 3), (7, 4), (2.0, mcgee)),
        row("Tutte-Coxeter", lcf(&[-13, -9, 7, -7, 9, 13], 5), (30, 3), (8, 4), (2.0, -3.0)),
        row("Dyck", lcf(&[5, -5, 13, -13], 8), (32, 3), (6, 5), (root(5.0), -3.0)),
        row("Gray", lcf(&[-25, 7, -7, 13, -13, 25], 9), (54, 3), (8, 6), (root(6.0), -3.0)),
        row("Balaban 10-cage", lcf(&BALABAN_10, 1), (70, 3), (10, 6), (root(6.0), -3.0)),
        row("Foster", lcf(&[17, -9, 37, -37, 9, -17], 15), (90, 3), (10, 8), (root(6.0), -3.0)),
        row("Tutte 12-cage", lcf(&tutte_12, 7), (126, 3), (12, 6), (root(6.0), -3.0)),
        row("Hoffman-Singleton", hoffman_singleton(), (50, 7), (5, 2), (2.0, -3.0)),
    ]
}

#[test]
fn named_graphs() {
    for case in known() {
        let name = case.name;
        let record = full(&case.graph);
        let degree = record.degree.unwrap();
        assert_eq!(
            (record.vertices, degree.min, degree.max),
            (case.vertices, case.degree, case.degree),
            "{name}"
        );
        assert_eq!(record.edges, case.vertices * case.degree / 2, "{name}");
        assert_eq!((record.components, record.isolated), (1, 0), "{name}");
        assert_eq!((record.self_loops, record.parallel_edges), (0, 0), "{name}");
        assert_eq!(record.girth, Some(case.girth), "{name}");
        assert_eq!(record.diameter, Some(case.diameter), "{name}");
        assert_eq!(record.bipartite, case.smallest == -(case.degree as f64), "{name}");
        assert_near(record.second_eigenvalue, case.second, name);
        assert_near(record.smallest_eigenvalue, case.smallest, name);
        assert_near(record.spectral_gap, case.degree as f64 - case.second, name);
        let lambda = if record.bipartite { case.second } else { case.second.max(-case.smallest) };
        assert_near(record.lambda, lambda.abs(), name);
        // All of these are Ramanujan.
        assert_eq!(record.ramanujan, Some(true), "{name}");
        assert!(record.eigenvalue_error.unwrap() < 1e-12, "{name}");
    }
}

/// Its least eigenvalue is below the Ramanujan bound of -2 sqrt(2). Its eigenvalues are roots of
/// factors of its characteristic polynomial.
#[test]
fn balaban_11_cage() {
    let record = full(&lcf(&BALABAN_11, 1));
    assert_eq!((record.vertices, record.edges, record.components), (112, 168, 1));
    assert_eq!((record.girth, record.diameter), (Some(11), Some(8)));
    assert_eq!((record.bipartite, record.parallel_edges), (false, 0));
    let x = record.second_eigenvalue.unwrap();
    assert!((2.5..2.51).contains(&x), "{x}");
    assert_near(Some(x.powi(4) - x.powi(3) - 6.0 * x * x + 4.0 * x + 4.0), 0.0, "second");
    let x = record.smallest_eigenvalue.unwrap();
    assert!((-2.9..-2.8).contains(&x), "{x}");
    assert_near(Some(x.powi(3) + x * x - 6.0 * x - 2.0), 0.0, "smallest");
    assert_eq!((record.lambda, record.ramanujan), (Some(-x), Some(false)));
}

#[test]
fn rings_in_closed_form() {
    for n in [3, 4, 7, 100, 301, 1000, 1001] {
        let record = full(&ring(n));
        let angle = 2.0 * PI / f64::from(n);
        assert_eq!(record.girth, Some(n as usize));
        assert_eq!(record.diameter, Some(n as usize / 2));
        assert_eq!(record.bipartite, n % 2 == 0);
        assert_near(record.second_eigenvalue, angle.cos() * 2.0, "second of a ring");
        assert_near(record.smallest_eigenvalue, 2.0 * (angle * f64::from(n / 2)).cos(), "ring");
        assert_eq!(record.non_backtracking_mixing_rate, None);
        assert_eq!(record.ramanujan, Some(true));
    }
}

#[test]
fn hypercubes_in_closed_form() {
    for dimension in 2..=12 {
        let record = full(&hypercube(dimension));
        let k = f64::from(dimension);
        assert_eq!(record.girth, Some(4));
        assert_eq!(record.diameter, Some(dimension as usize));
        assert!(record.bipartite);
        assert_near(record.second_eigenvalue, k - 2.0, "second of a hypercube");
        assert_eq!(record.smallest_eigenvalue, Some(-k));
        assert_near(record.lambda, k - 2.0, "lambda of a hypercube");
        // (k - 2)^2 <= 4 (k - 1) up to dimension 6.
        assert_eq!(record.ramanujan, Some(dimension <= 6), "{dimension}");
    }
}

#[test]
fn large_graphs_with_few_eigenvalues() {
    let record = full(&complete(400));
    assert_near(record.second_eigenvalue, -1.0, "second of K_400");
    assert_near(record.lambda, 1.0, "lambda of K_400");
    let record = full(&star(1000));
    assert_near(record.largest_eigenvalue, f64::sqrt(999.0), "largest of a star");
    assert_near(record.second_eigenvalue, 0.0, "second of a star");
    assert_near(record.smallest_eigenvalue, -f64::sqrt(999.0), "smallest of a star");
    assert_eq!((record.girth, record.diameter), (None, Some(2)));
    let record = full(&graph(400, []));
    assert_eq!((record.largest_eigenvalue, record.second_eigenvalue), (Some(0.0), Some(0.0)));
}

#[test]
fn parts_of_a_large_graph() {
    // Two equal halves that are not regular: the largest eigenvalue is double.
    let half = star(400).edge_list();
    let twice = half.iter().flat_map(|&(u, v)| [(u, v), (u + 400, v + 400)]);
    let record = full(&graph(800, twice));
    assert_near(record.largest_eigenvalue, f64::sqrt(399.0), "largest");
    assert_near(record.second_eigenvalue, f64::sqrt(399.0), "second");
    // A regular one: the degree is double.
    let half = random_regular(400, 4, 1).edge_list();
    let twice = half.iter().flat_map(|&(u, v)| [(u, v), (u + 400, v + 400)]);
    let record = full(&graph(800, twice));
    assert_eq!((record.components, record.second_eigenvalue), (2, Some(4.0)));
    assert_eq!((record.lambda, record.ramanujan), (Some(4.0), Some(false)));
    assert_eq!((record.spectral_gap, record.diameter), (Some(0.0), None));
    assert_eq!(record.non_backtracking_mixing_rate, Some(1.0));
    assert!(record.notes.iter().any(|note| note.contains("2 times")), "{:?}", record.notes);
    assert!(record.notes.iter().any(|note| note.contains("2 components")), "{:?}", record.notes);
}

#[test]
fn loops_and_parallel_edges() {
    let graph = graph(6, [(0, 0), (0, 0), (1, 2), (2, 1), (1, 2), (3, 4)]);
    let found = irregularities(&graph);
    assert_eq!((found.self_loops, found.parallel_edges, found.isolated), (2, 2, 1));
    let parts = components(&graph);
    assert_eq!(parts.labels, [0, 1, 1, 2, 2, 3]);
    assert_eq!((parts.count, parts.is_connected()), (4, false));
    assert_eq!(parts.bipartite, [false, true, true, true]);
    assert!(!is_bipartite(&graph));
    assert_eq!(girth(&graph), Some(1));
    assert_eq!(diameter(&graph), Err(NoDiameter::Disconnected { components: 4 }));
    assert_near(spectrum(&graph).map(|found| found.largest.value), 4.0, "two loops");
}

#[test]
fn double_edge() {
    let record = full(&graph(2, [(0, 1), (0, 1)]));
    assert_eq!((record.girth, record.diameter, record.parallel_edges), (Some(2), Some(1), 1));
    assert_eq!((record.second_eigenvalue, record.smallest_eigenvalue).1, Some(-2.0));
    assert_eq!((record.lambda, record.ramanujan), (None, None));
    assert!(record.notes.iter().any(|note| note.contains("trivial")), "{:?}", record.notes);
}

#[test]
fn smallest_graphs() {
    let nothing = full(&graph(0, []));
    assert_eq!((nothing.components, nothing.degree, nothing.largest_eigenvalue), (0, None, None));
    assert_eq!(diameter(&graph(0, [])), Err(NoDiameter::Empty));
    let one = full(&graph(1, []));
    assert_eq!((one.diameter, one.largest_eigenvalue), (Some(0), Some(0.0)));
    assert_eq!((one.second_eigenvalue, one.lambda), (None, None));
    let large = graph(20_001, []);
    assert_eq!(diameter(&large), Err(NoDiameter::TooLarge { vertices: 20_001 }));
}

#[test]
fn cycles_in_pieces() {
    // A long plain ring, a shorter ring with a tail, a theta graph of three long paths.
    let plain = (0..9).map(|v| (v, (v + 1) % 9));
    let tailed = (0..7).map(|v| (9 + v, 9 + (v + 1) % 7)).chain([(9, 16), (16, 17)]);
    let theta = [(18, 20), (20, 21), (21, 19), (18, 22), (22, 19), (18, 23), (23, 24), (24, 19)];
    assert_eq!(girth(&graph(25, plain.clone().chain(tailed.clone()).chain(theta))), Some(5));
    assert_eq!(girth(&graph(25, plain.clone().chain(tailed))), Some(7));
    assert_eq!(girth(&graph(25, plain)), Some(9));
    assert_eq!(girth(&graph(25, (1..25).map(|v| (v / 2, v)))), None);
}

#[test]
fn random_regular_graph() {
    let graph = random_regular(5000, 8, 1);
    let record = full(&graph);
    assert_eq!((record.components, record.bipartite, record.girth), (1, false, Some(3)));
    // Near 2 sqrt(7), by Friedman's theorem.
    assert!((record.lambda.unwrap() - 2.0 * f64::sqrt(7.0)).abs() < 0.05);
    assert!(record.eigenvalue_error.unwrap() < 1e-7);
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(one_thread.install(|| full(&graph)), record);
}

#[test]
fn mixing_rate_of_the_non_backtracking_walk() {
    // At the Ramanujan bound and below it is 1 / sqrt(k - 1), at lambda = k it is 1.
    let bound = 1.0 / f64::sqrt(7.0);
    assert_near(non_backtracking_mixing_rate(8, 2.0), bound, "small lambda");
    assert_near(non_backtracking_mixing_rate(8, 2.0 * f64::sqrt(7.0)), bound, "bound");
    assert_eq!(non_backtracking_mixing_rate(8, 8.0), Some(1.0));
    assert_near(non_backtracking_mixing_rate(8, 8.0 - 1e-12), 1.0, "near the degree");
    // x = 3 / (2 sqrt(2)), sqrt(x^2 - 1) = 1 / (2 sqrt(2)), for k - 1 = 8.
    let lambda = 6.0;
    assert_near(
        non_backtracking_mixing_rate(9, lambda),
        2.0 * f64::sqrt(0.5) / f64::sqrt(8.0),
        "x",
    );
    assert_eq!(non_backtracking_mixing_rate(2, 1.0), None);
}

#[test]
fn conditions_of_theorems() {
    let record = full(&complete(300));
    let find = |source: &str| {
        record.conditions.iter().find(|condition| condition.source.starts_with(source)).unwrap()
    };
    assert_eq!(find("Tang").holds, None);
    assert_eq!(find("Kenthapadi").holds, Some(false));
    let json = serde_json::to_value(&record).unwrap();
    let numbers = &json["conditions"][3]["numbers"];
    let log = f64::log2(300.0);
    let lower = log.log2() + log / (299.0 * log).log2();
    assert_near(numbers["lower_leading_terms"].as_f64(), lower, "lower bound");
    assert!(numbers["upper_leading_terms"].is_null());
    assert_near(numbers["log2_n_to_4"].as_f64(), log.powi(4), "log^4 n");
    let path = full(&graph(3, [(0, 1), (1, 2)]));
    assert_eq!(path.conditions[0].holds, Some(false));
    assert_eq!(path.conditions[1].holds, Some(true));
    assert_eq!(path.conditions[2].holds, Some(false));
}

#[test]
fn record_has_the_documented_keys() {
    let json = serde_json::to_value(full(&petersen())).unwrap();
    for key in [
        "graph",
        "vertices",
        "edges",
        "degree",
        "components",
        "isolated",
        "self_loops",
        "parallel_edges",
        "bipartite",
        "girth",
        "diameter",
        "second_eigenvalue",
        "smallest_eigenvalue",
        "lambda",
        "ramanujan",
        "spectral_gap",
        "non_backtracking_mixing_rate",
        "conditions",
        "notes",
    ] {
        assert!(json.get(key).is_some(), "{key}");
    }
    let options = MeasureOptions { girth: false, diameter: false, spectrum: false };
    let record = measure(&petersen(), "petersen", &options);
    assert_eq!((record.girth, record.diameter, record.lambda), (None, None, None));
    assert_eq!(record.notes.len(), 3);
}

/// All eigenvalues, in falling order. (The solver gives NaN for some matrices, mostly zero.)
fn all_eigenvalues(graph: &Graph) -> Vec<f64> {
    let n = graph.vertices();
    let mut adjacency = DMatrix::<f64>::zeros(n, n);
    for (u, v) in graph.edge_list() {
        adjacency[(u as usize, v as usize)] += 1.0;
        adjacency[(v as usize, u as usize)] += 1.0;
    }
    let mut all = SymmetricEigen::new(adjacency).eigenvalues.as_slice().to_vec();
    all.sort_by(|x, y| y.total_cmp(x));
    all
}

fn distances(graph: &Graph, root: u32, without: Option<(u32, u32)>) -> Vec<Option<usize>> {
    let mut distance = vec![None; graph.vertices()];
    distance[root as usize] = Some(0);
    let mut queue = VecDeque::from([root]);
    while let Some(vertex) = queue.pop_front() {
        for &other in graph.neighbours(vertex) {
            let left_out = without == Some((vertex, other)) || without == Some((other, vertex));
            if !left_out && distance[other as usize].is_none() {
                distance[other as usize] = distance[vertex as usize].map(|steps| steps + 1);
                queue.push_back(other);
            }
        }
    }
    distance
}

/// For each edge of a simple graph the shortest way round it.
fn slow_girth(graph: &Graph) -> Option<usize> {
    let round = |(u, v)| distances(graph, u, Some((u, v)))[v as usize].map(|steps| steps + 1);
    graph.edge_list().into_iter().filter_map(round).min()
}

fn slow_diameter(graph: &Graph) -> Option<usize> {
    let all = (0..graph.vertices() as u32).flat_map(|root| distances(graph, root, None));
    all.collect::<Option<Vec<usize>>>()?.into_iter().max()
}

/// Random edges, loops and repeats among them.
fn edges(vertices: u32, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<(u32, u32)>> {
    prop::collection::vec((0..vertices, 0..vertices), count)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Sparse and dense, connected or not: the Lanczos process against a dense solver.
    #[test]
    fn spectra_agree_with_a_dense_solver(edges in edges(320, 0..1200)) {
        let graph = graph(320, edges);
        let all = all_eigenvalues(&graph);
        prop_assume!(all.iter().all(|value| value.is_finite()));
        let found = spectrum(&graph).unwrap();
        let second = found.second.unwrap();
        for (found, expected) in
            [(found.largest, all[0]), (second, all[1]), (found.smallest, all[319])]
        {
            prop_assert!((found.value - expected).abs() < 1e-7, "{found:?} {expected}");
            let near = all.iter().map(|x| (x - found.value).abs()).fold(f64::MAX, f64::min);
            prop_assert!(near <= found.error + 1e-12, "{found:?} {near}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn small_spectra_are_exact(edges in edges(9, 0..20)) {
        let graph = graph(9, edges);
        let all = all_eigenvalues(&graph);
        prop_assume!(all.iter().all(|value| value.is_finite()));
        let found = spectrum(&graph).unwrap();
        prop_assert!((found.second.unwrap().value - all[1]).abs() < 1e-12);
        prop_assert!((found.smallest.value - all[8]).abs() < 1e-12);
        let nontrivial = if is_bipartite(&graph) { &all[1..8] } else { &all[1..] };
        let lambda = nontrivial.iter().map(|x| x.abs()).fold(0.0, f64::max);
        prop_assert!((found.lambda.unwrap().value - lambda).abs() < 1e-12);
    }

    #[test]
    fn girth_and_diameter_agree_with_slow_ones(
        edges in edges(14, 0..22),
        extra in 0_u32..80,
    ) {
        let mut simple: Vec<(u32, u32)> = edges.into_iter().filter(|(u, v)| u < v).collect();
        simple.sort_unstable();
        simple.dedup();
        // A tail makes more vertices than one batch of searches.
        simple.extend((0..extra).map(|step| (if step == 0 { 0 } else { 13 + step }, 14 + step)));
        let graph = graph(14 + extra as usize, simple);
        prop_assert_eq!(girth(&graph), slow_girth(&graph));
        prop_assert_eq!(diameter(&graph).ok(), slow_diameter(&graph));
    }
}
