//! Policies on graphs against published and independently computed values.

use evenhand_policies::PolicySpec;
use evenhand_sim::{Allocation, Control, Engine, Servers, Spatial, UserSource};
use evenhand_topology::graph::Graph;
use evenhand_topology::graph::measure::components;
use evenhand_topology::space::{Layout, Metric};

fn maxima(policy: &str, bins: u64, balls: u64, runs: u64) -> Vec<f64> {
    let model = Allocation::new(PolicySpec::parse(policy).unwrap(), bins, balls);
    assert_eq!(model.check(), [], "{policy}");
    let one = |run| model.run(Engine::Bins, run, &Control::default()).unwrap().max_load;
    (0..runs).map(one).collect()
}

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// Mean maximum load with n balls on the ends of random edges: independent computation, with the
/// half-width of its 95 % interval. Six standard errors of both: a false alarm below 1e-7 in all.
#[test]
fn edges_give_the_mean_maximum_load() {
    for (graph, bins, runs, expected, half_width) in [
        ("ring", 1024, 2000, 3.450_75, 0.021_07),
        ("ring", 4096, 800, 3.936_5, 0.019_27),
        ("torus", 1024, 2000, 3.147_75, 0.014_88),
        ("torus", 4096, 800, 3.469_5, 0.029_23),
        ("hypercube", 1024, 2000, 3.037_75, 0.008_23),
        ("hypercube", 4096, 800, 3.116, 0.018_75),
        ("regular(4)", 1024, 1000, 3.134, 0.014_28),
        ("regular(10)", 1024, 600, 3.035_5, 0.007_96),
        ("complete", 1024, 2000, 3.004_5, 0.003_62),
    ] {
        let (mean, error) = mean_and_error(&maxima(&format!("edges({graph})"), bins, bins, runs));
        let bound = 6.0 * error.hypot(half_width / 1.96).max(0.001);
        assert!((mean - expected).abs() < bound, "{graph} {bins}: {mean}, expected {expected}");
    }
}

/// Mean fraction of bins with load at least i.
fn fractions(policy: &str, bins: u64, runs: u64) -> Vec<(f64, f64)> {
    let model = Allocation::new(PolicySpec::parse(policy).unwrap(), bins, bins);
    let profiles: Vec<Vec<u64>> = (0..runs)
        .map(|run| model.run(Engine::Bins, run, &Control::default()).unwrap().at_least.unwrap())
        .collect();
    let level = |i: usize| {
        let values: Vec<f64> = profiles
            .iter()
            .map(|profile| profile.get(i).copied().unwrap_or(0) as f64 / bins as f64)
            .collect();
        mean_and_error(&values)
    };
    (1..=3).map(level).collect()
}

/// Two non-backtracking walkers on a random 10-regular graph of 65536 vertices: independent
/// simulation (x_1, x_2, x_3 with the half-widths of its intervals). And the fluid limit of two
/// free choices, which is the same by Tang, Subramanian 2019. Six standard errors.
#[test]
fn walkers_balance_as_free_choice() {
    let found = fractions("walks(2, regular(10, seed=1))", 65_536, 20);
    let simulated = [(0.762_024, 5.5e-4), (0.229_137, 4.9e-4), (0.008_832_9, 2.1e-4)];
    let fluid = [0.761_594, 0.229_505, 0.008_895_3];
    for (i, (mean, error)) in found.into_iter().enumerate() {
        let (expected, half_width) = simulated[i];
        let bound = 6.0 * error.hypot(half_width / 1.96);
        assert!((mean - expected).abs() < bound, "x_{}: {mean}, simulated {expected}", i + 1);
        // Beyond the error of 20 runs: the walkers' own deviation at this size.
        assert!((mean - fluid[i]).abs() < 6.0 * error + 1e-3, "x_{}: {mean}", i + 1);
    }
}

/// Walkers on a random 4-regular graph match two choices at n = m = 4096 within six standard
/// errors; the simple walk, which turns back, and the torus, which is no expander, are worse by
/// far more. One walker balances about as one choice (Alon, Benjamini, Lubetzky, Sodin 2007).
#[test]
fn what_walkers_need() {
    let mean = |policy: &str| mean_and_error(&maxima(policy, 4096, 4096, 300));
    let (two, two_error) = mean("two-choice");
    let (walks, walks_error) = mean("walks(2, regular(4))");
    assert!((walks - two).abs() < 6.0 * two_error.hypot(walks_error) + 0.02, "{walks} {two}");
    assert!(mean("walks(2, regular(4), step=simple)").0 > two + 0.5);
    assert!(mean("walks(2, torus)").0 > two + 1.0);
    let (one, one_error) = mean("one-choice");
    let (walk, walk_error) = mean("walks(1, regular(4))");
    assert!((walk - one).abs() < 6.0 * one_error.hypot(walk_error) + 0.3, "{walk} {one}");
}

/// On a square grid that wraps around, the nearest server owns the user's cell and the second
/// nearest lies across the closest side: all edges of the torus are equally likely. So
/// `nearest(2)` and `edges(torus)` are one law (Panigrahy et al. 2020). Six standard errors of the
/// mean maximum load and of x_1.
#[test]
fn two_nearest_on_a_grid_are_edges_of_the_torus() {
    let runs = 400;
    let edges = Allocation::new(PolicySpec::parse("edges(torus)").unwrap(), 400, 400);
    let mut nearest = Allocation::new(PolicySpec::parse("nearest(2)").unwrap(), 400, 400);
    nearest.spatial = Some(Spatial {
        servers: Servers::Drawn { layout: Layout::Grid, metric: Metric::Torus },
        users: UserSource::Drawn(Layout::Uniform),
    });
    let run = |model: &Allocation| -> [(f64, f64); 2] {
        let outcomes: Vec<_> = (0..runs)
            .map(|run| model.run(Engine::Bins, run, &Control::default()).unwrap())
            .collect();
        let maxima: Vec<f64> = outcomes.iter().map(|outcome| outcome.max_load).collect();
        let empty: Vec<f64> = outcomes.iter().map(|outcome| outcome.empty as f64).collect();
        [mean_and_error(&maxima), mean_and_error(&empty)]
    };
    for ((a, error_a), (b, error_b)) in run(&edges).into_iter().zip(run(&nearest)) {
        assert!((a - b).abs() < 6.0 * error_a.hypot(error_b), "{a} {b}");
    }
}

/// Total loads of the components of a graph, each with its number of edges.
fn of_components(graph: &Graph, loads: &[f64]) -> Vec<(f64, f64)> {
    let parts = components(graph);
    let mut totals = vec![(0.0, 0.0); parts.count];
    for (&part, load) in parts.labels.iter().zip(loads) {
        totals[part as usize].0 += load;
    }
    for (u, _) in graph.edge_list() {
        totals[parts.labels[u as usize] as usize].1 += 1.0;
    }
    totals
}

/// The graph told of a replication is the one that it ran on. In graphs of many components the
/// balls of each are binomial by its share of the edges (six standard errors and a ball), and only
/// vertices with an edge get any. The graphs of other replications do not pass.
#[test]
fn the_graph_of_a_replication_is_the_one_it_ran_on() {
    let drawn = Spatial {
        servers: Servers::Drawn { layout: Layout::Uniform, metric: Metric::Torus },
        users: UserSource::Drawn(Layout::Uniform),
    };
    let (bins, balls) = (200, 20_000);
    for (policy, spatial) in [
        ("edges(gnp(0.005))", None),
        ("edges(gnp(0.005, seed=7))", None),
        ("edges(knn(1))", Some(drawn)),
    ] {
        let mut model = Allocation::new(PolicySpec::parse(policy).unwrap(), bins, balls);
        model.spatial = spatial;
        model.keep_loads = true;
        let agree = |graph: u64, run: u64| {
            let loads = model.run(Engine::Bins, run, &Control::default()).unwrap().loads.unwrap();
            let graph = model.graph(graph).unwrap().graph;
            let edges = graph.edges() as f64;
            of_components(&graph, &loads).into_iter().all(|(total, own)| {
                let expected = balls as f64 * own / edges;
                (total - expected).abs() <= 6.0 * expected.sqrt() && (total > 0.0) == (own > 0.0)
            })
        };
        for run in 0..3 {
            assert!(agree(run, run), "{policy}: run {run}");
        }
        assert_eq!(agree(1, 0), policy.contains("seed"), "{policy}");
    }
}
