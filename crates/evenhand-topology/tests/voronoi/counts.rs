//! Exact shares against counts of random users, and counts of given users.

use std::collections::HashMap;

use evenhand_topology::space::voronoi::{Cell, Method};
use rand::RngExt;

use super::*;

/// Chi-square of counts against shares. Cells of fewer than 10 expected users are put together.
/// Its normal score has a false-alarm rate below 10^-6 at 6 (Wilson, Hilferty 1931).
#[track_caller]
fn assert_counts_fit(exact: &Shares, counted: &Shares, samples: u64) {
    let counts: HashMap<_, f64> = counted
        .cells
        .iter()
        .map(|cell| ((cell.first, cell.second), cell.share * samples as f64))
        .collect();
    let (mut statistic, mut classes) = (0.0, 0.0);
    let (mut rest_expected, mut rest_found) = (0.0, samples as f64);
    let mut add = |expected: f64, found: f64| {
        statistic += (found - expected) * (found - expected) / expected;
        classes += 1.0;
    };
    for cell in &exact.cells {
        let expected = cell.share * samples as f64;
        if expected >= 10.0 {
            let found = counts.get(&(cell.first, cell.second)).copied().unwrap_or(0.0);
            add(expected, found);
            rest_found -= found;
        } else {
            rest_expected += expected;
        }
    }
    if rest_expected >= 10.0 {
        add(rest_expected, rest_found);
    } else {
        // A Poisson number of such mean is above this with probability below 10^-6.
        assert!(rest_found <= rest_expected + 6.0 * rest_expected.sqrt() + 16.0, "{rest_found}");
    }
    let freedom: f64 = classes - 1.0;
    if freedom > 0.0 {
        let spread = 2.0 / (9.0 * freedom);
        let score = ((statistic / freedom).cbrt() - (1.0 - spread)) / spread.sqrt();
        assert!(score < 6.0, "chi-square {statistic} with {freedom} degrees of freedom");
    }
}

fn counted(servers: &Places, order: Order, samples: u64) -> Shares {
    let index = NearestIndex::new(servers).unwrap();
    estimate_shares(&index, order, samples, |block| {
        let mut rng = rng(1000 + block);
        move || Point { x: rng.random(), y: rng.random() }
    })
    .unwrap()
}

#[test]
fn exact_shares_are_those_of_random_users() {
    for metric in FLAT {
        for (n, seed) in [(2, 1), (2, 2), (3, 3), (3, 4), (4, 5), (5, 6), (7, 7), (30, 8), (400, 9)]
        {
            let servers = uniform(n, metric, seed);
            let samples = 150_000;
            for order in [Order::One, Order::Two] {
                let exact = match order {
                    Order::One => cell_shares(&servers, None).unwrap(),
                    Order::Two => pair_shares(&servers, None).unwrap(),
                };
                assert_counts_fit(&exact, &counted(&servers, order, samples), samples);
            }
        }
    }
}

/// Places where discs are large, where many are neighbours of one, and where many lie on a circle.
#[test]
fn awkward_places_are_right_too() {
    let circle = |radius: f64, count: usize, hub: bool| {
        let mut points: Vec<(f64, f64)> = (0..count)
            .map(|i| {
                let angle = std::f64::consts::TAU * i as f64 / count as f64;
                (0.5 + radius * angle.cos(), 0.5 + radius * angle.sin())
            })
            .collect();
        if hub {
            points.push((0.5, 0.5));
        }
        points
    };
    let corner: Vec<_> = (0..40).map(|i| (1e-3 * f64::from(i % 7), 1e-3 * f64::from(i))).collect();
    let line: Vec<_> = (0..30).map(|i| (f64::from(i) / 30.0, f64::from(i * 2) / 30.0)).collect();
    let twice: Vec<_> = circle(0.3, 9, true).into_iter().chain(circle(0.3, 3, false)).collect();
    let layouts = [
        circle(0.4, 300, true),
        circle(0.05, 100, true),
        circle(0.3, 64, false),
        twice,
        corner,
        line,
    ];
    for metric in FLAT {
        for points in &layouts {
            let servers = at(points, metric);
            let samples = 150_000;
            for (order, exact) in [
                (Order::One, cell_shares(&servers, None).unwrap()),
                (Order::Two, pair_shares(&servers, None).unwrap()),
            ] {
                assert_counts_fit(&exact, &counted(&servers, order, samples), samples);
            }
        }
    }
}

#[test]
fn users_are_counted_with_their_weights() {
    let servers = at(&[(0.0, 0.0), (4.0, 0.0), (8.0, 0.0)], Metric::Euclidean);
    let index = NearestIndex::new(&servers).unwrap();
    // The user in the middle of two servers has the lesser number as its nearest.
    let mut users = at(&[(-1.0, 0.0), (2.0, 1.0), (5.0, 3.0), (9.0, 0.0)], Metric::Euclidean);
    let singles = count_shares(&index, &users, Order::One).unwrap();
    assert_eq!(singles.method, Method::Counted { users: 4 });
    assert_singles(&singles, &[(0, 0.5), (1, 0.25), (2, 0.25)]);
    users.weights = Some(vec![1.0, 0.0, 5.0, 2.0]);
    assert_singles(
        &count_shares(&index, &users, Order::One).unwrap(),
        &[(0, 0.125), (1, 0.625), (2, 0.25)],
    );
    let doubles = count_shares(&index, &users, Order::Two).unwrap();
    assert_shares(&doubles, &[((0, 1), 0.125), ((1, 2), 0.875)]);
    assert_eq!(doubles.largest(1), [Cell { first: 1, second: Some(2), share: 0.875 }]);
    assert_eq!(doubles.standard_error(0.5), None);
}

#[test]
fn estimates_do_not_depend_on_threads() {
    let servers = uniform(50, Metric::Torus, 3);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            (counted(&servers, Order::Two, 150_000), pair_shares(&servers, None).unwrap())
        })
    };
    assert_eq!(on(1), on(3));
    let (estimated, _) = on(2);
    assert_eq!(estimated.method, Method::Estimated { samples: 150_000 });
    assert_eq!(estimated.standard_error(0.5), Some((0.25_f64 / 150_000.0).sqrt()));
}
