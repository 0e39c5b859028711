//! Shares of Voronoi cells: by hand, by symmetry, and against counts of random users.

mod counts;

use evenhand_topology::space::voronoi::{
    Order, Shares, Window, cell_shares, count_shares, estimate_shares, pair_shares,
};
use evenhand_topology::space::{Error, Layout, Metric, NearestIndex, Places, Point};
use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

const FLAT: [Metric; 2] = [Metric::Euclidean, Metric::Torus];

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn at(points: &[(f64, f64)], metric: Metric) -> Places {
    Places::new(points.iter().map(|&(x, y)| Point { x, y }).collect(), metric, "test")
}

fn uniform(n: usize, metric: Metric, seed: u64) -> Places {
    Layout::Uniform.places(n, metric, &mut rng(seed)).unwrap()
}

fn pairs(shares: &Shares) -> Vec<(u32, u32)> {
    shares.cells.iter().map(|cell| (cell.first, cell.second.unwrap())).collect()
}

fn total(shares: &Shares) -> f64 {
    shares.cells.iter().map(|cell| cell.share).sum()
}

#[track_caller]
fn assert_shares(found: &Shares, expected: &[((u32, u32), f64)]) {
    let expected_pairs: Vec<_> = expected.iter().map(|(pair, _)| *pair).collect();
    assert_eq!(pairs(found), expected_pairs);
    for (cell, (pair, share)) in found.cells.iter().zip(expected) {
        assert!((cell.share - share).abs() < 1e-12, "{pair:?}: {} for {share}", cell.share);
    }
}

#[track_caller]
fn assert_singles(found: &Shares, expected: &[(u32, f64)]) {
    let numbers: Vec<_> = found.cells.iter().map(|cell| cell.first).collect();
    assert_eq!(numbers, expected.iter().map(|(server, _)| *server).collect::<Vec<_>>());
    for (cell, (_, share)) in found.cells.iter().zip(expected) {
        assert!((cell.share - share).abs() < 1e-12, "{}: {share}", cell.share);
    }
}

#[test]
fn shares_add_up_to_one() {
    for metric in FLAT {
        for n in (1..=40).chain([50, 99, 100, 333, 1000, 2000]) {
            let servers = uniform(n, metric, n as u64);
            let singles = cell_shares(&servers, None).unwrap();
            assert!((total(&singles) - 1.0).abs() < 1e-11, "{metric:?} {n}");
            assert_eq!(singles.cells.len(), n);
            if n == 1 {
                let refused = pair_shares(&servers, None);
                assert!(matches!(refused, Err(Error::OneServer)), "{metric:?}");
                continue;
            }
            let doubles = pair_shares(&servers, None).unwrap();
            assert!((total(&doubles) - 1.0).abs() < 1e-11, "{metric:?} {n}");
            let of_servers: f64 = doubles.of_servers().iter().sum();
            assert!((of_servers - 2.0).abs() < 1e-11);
        }
    }
}

/// The number of pairs is that of the edges of order-2 cells: at most those of the triangulation.
#[test]
fn only_neighbours_have_a_cell() {
    for n in [3, 10, 100, 1000] {
        assert!(pair_shares(&uniform(n, Metric::Euclidean, 4), None).unwrap().cells.len() < 3 * n);
        assert!(pair_shares(&uniform(n, Metric::Torus, 4), None).unwrap().cells.len() <= 3 * n);
    }
}

#[test]
fn few_servers_by_hand() {
    let two = at(&[(0.3, 0.3), (0.9, 0.7)], Metric::Euclidean);
    assert_shares(&pair_shares(&two, None).unwrap(), &[((0, 1), 1.0)]);
    // Three on a line: the second nearest of all to the left of the middle is the middle one.
    let row = at(&[(0.1, 0.5), (0.5, 0.5), (0.7, 0.5)], Metric::Euclidean);
    assert_singles(&cell_shares(&row, None).unwrap(), &[(0, 0.3), (1, 0.3), (2, 0.4)]);
    assert_shares(&pair_shares(&row, None).unwrap(), &[((0, 1), 0.4), ((1, 2), 0.6)]);
    // A column, steep as can be; the last two are above the window.
    let column = at(&[(0.2, 0.25), (0.2, 0.75), (0.2, 1.5), (0.2, 9.0)], Metric::Euclidean);
    assert_singles(&cell_shares(&column, None).unwrap(), &[(0, 0.5), (1, 0.5)]);
    assert_shares(&pair_shares(&column, None).unwrap(), &[((0, 1), 0.875), ((1, 2), 0.125)]);
    // The corners: diagonals cut the square into four triangles.
    let corners = at(&[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)], Metric::Euclidean);
    let sides = [((0, 1), 0.25), ((0, 2), 0.25), ((1, 3), 0.25), ((2, 3), 0.25)];
    assert_shares(&pair_shares(&corners, None).unwrap(), &sides);
    // Three corners: the missing one gives its share to both neighbours.
    let three = at(&[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], Metric::Euclidean);
    let quarters = [((0, 1), 0.375), ((0, 2), 0.375), ((1, 2), 0.25)];
    assert_shares(&pair_shares(&three, None).unwrap(), &quarters);
}

#[test]
fn few_servers_on_the_torus() {
    let one = at(&[(0.3, 0.9)], Metric::Torus);
    assert_singles(&cell_shares(&one, None).unwrap(), &[(0, 1.0)]);
    let two = at(&[(0.0, 0.0), (-0.25, 1.5)], Metric::Torus);
    assert_singles(&cell_shares(&two, None).unwrap(), &[(0, 0.5), (1, 0.5)]);
    assert_shares(&pair_shares(&two, None).unwrap(), &[((0, 1), 1.0)]);
    // Three in a row around the torus.
    let ring = at(&[(0.0, 0.0), (1.0 / 3.0, 0.0), (2.0 / 3.0, 0.0)], Metric::Torus);
    let thirds = [(0, 1), (0, 2), (1, 2)].map(|pair| (pair, 1.0 / 3.0));
    assert_shares(&pair_shares(&ring, None).unwrap(), &thirds);
}

/// The two nearest servers of a user of a square grid are the ends of a uniform edge of the torus.
#[test]
fn a_square_grid_is_the_edges_of_the_torus() {
    for side in [3_usize, 4, 10, 31] {
        let n = side * side;
        let servers = Layout::Grid.places(n, Metric::Torus, &mut rng(1)).unwrap();
        let mut expected = Vec::new();
        for vertex in 0..n {
            let (row, column) = (vertex / side, vertex % side);
            let right = row * side + (column + 1) % side;
            let up = (row + 1) % side * side + column;
            for other in [right, up] {
                let pair = (vertex.min(other) as u32, vertex.max(other) as u32);
                expected.push((pair, 0.5 / n as f64));
            }
        }
        expected.sort_by_key(|(pair, _)| *pair);
        let shares = pair_shares(&servers, None).unwrap();
        assert_shares(&shares, &expected);
        assert!(shares.of_servers().iter().all(|s| (s * n as f64 - 2.0).abs() < 1e-9));
    }
}

#[test]
fn servers_at_one_place() {
    for metric in FLAT {
        let heap = at(&[(0.5, 0.5); 4], metric);
        assert_singles(&cell_shares(&heap, None).unwrap(), &[(0, 1.0)]);
        assert_shares(&pair_shares(&heap, None).unwrap(), &[((0, 1), 1.0)]);
    }
    // 1 and 3 left, 0 and 2 and 4 in the middle, 5 right.
    let points = [(0.5, 0.5), (0.1, 0.5), (0.5, 0.5), (0.1, 0.5), (0.5, 0.5), (0.9, 0.5)];
    let servers = at(&points, Metric::Euclidean);
    assert_singles(&cell_shares(&servers, None).unwrap(), &[(0, 0.4), (1, 0.3), (5, 0.3)]);
    let expected = [((0, 2), 0.4), ((0, 5), 0.3), ((1, 3), 0.3)];
    assert_shares(&pair_shares(&servers, None).unwrap(), &expected);
}

#[test]
fn windows() {
    let around = |low: (f64, f64), high: (f64, f64)| {
        Window::new(Point { x: low.0, y: low.1 }, Point { x: high.0, y: high.1 })
    };
    let row = at(&[(1e6, 2e6), (1e6 + 4.0, 2e6), (1e6 + 8.0, 2e6)], Metric::Euclidean);
    let window = around((1e6 - 2.0, 2e6 - 1.0), (1e6 + 10.0, 2e6 + 5.0)).unwrap();
    assert!(window.contains(row.points[2]));
    let thirds = [0, 1, 2].map(|server| (server, 1.0 / 3.0));
    assert_singles(&cell_shares(&row, Some(window)).unwrap(), &thirds);
    let halves = [((0, 1), 0.5), ((1, 2), 0.5)];
    assert_shares(&pair_shares(&row, Some(window)).unwrap(), &halves);
    assert!(matches!(Window::around(&row.points), Err(Error::Window { .. })));
    let square = at(&[(-3.0, 7.0), (5.0, 1.0), (0.0, 4.0)], Metric::Euclidean);
    let window = Window::around(&square.points).unwrap();
    assert_eq!(
        (window.low(), window.high()),
        (Point { x: -3.0, y: 1.0 }, Point { x: 5.0, y: 7.0 })
    );
    for (low, high) in [((0.0, 0.0), (0.0, 1.0)), ((0.0, f64::NAN), (1.0, 1.0))] {
        assert!(matches!(around(low, high), Err(Error::Window { .. })));
    }
    assert!(matches!(around((0.0, 0.0), (f64::INFINITY, 1.0)), Err(Error::Window { .. })));
    assert!(matches!(Window::around(&[]), Err(Error::Window { .. })));
}

#[test]
fn what_cannot_be_computed() {
    let globe = at(&[(0.0, 0.0), (10.0, 10.0)], Metric::GreatCircle);
    assert!(matches!(pair_shares(&globe, None), Err(Error::NotFlat)));
    let torus = uniform(5, Metric::Torus, 1);
    assert!(matches!(pair_shares(&torus, Some(Window::UNIT)), Err(Error::TorusWindow)));
    assert!(matches!(cell_shares(&at(&[], Metric::Torus), None), Err(Error::NoPlaces)));
    for metric in FLAT {
        let lost = at(&[(0.0, 0.0), (f64::NAN, 1.0)], metric);
        let refused = pair_shares(&lost, None);
        assert!(matches!(refused, Err(Error::InvalidPoint { index: 1, .. })));
    }
    let far = at(&[(0.0, 0.0), (1e300, 1.0)], Metric::Euclidean);
    assert!(matches!(pair_shares(&far, None), Err(Error::FarPlace { index: 1, .. })));
    let index = NearestIndex::new(&torus).unwrap();
    assert!(matches!(
        count_shares(&index, &at(&[], Metric::Torus), Order::Two),
        Err(Error::NoUsers)
    ));
    let none = estimate_shares(&index, Order::Two, 0, |_| || Point { x: 0.0, y: 0.0 });
    assert!(matches!(none, Err(Error::NoUsers)));
    let mut users = uniform(3, Metric::Torus, 2);
    users.weights = Some(vec![0.0; 3]);
    assert!(matches!(count_shares(&index, &users, Order::One), Err(Error::UserWeights { .. })));
    let one = NearestIndex::new(&uniform(1, Metric::Torus, 1)).unwrap();
    assert!(matches!(count_shares(&one, &users, Order::Two), Err(Error::OneServer)));
}

/// Far servers give exact areas or an error, never shares that do not fit.
#[test]
fn far_servers() {
    for power in 0..60 {
        let far = 10_f64.powi(power);
        let points = [(0.2, 0.3), (0.8, 0.4), (far, 0.1 * far), (far, -0.7 * far), (-far, far)];
        match pair_shares(&at(&points, Metric::Euclidean), None) {
            Ok(shares) => assert!((total(&shares) - 1.0).abs() <= 1e-9, "{far:e}"),
            Err(error) => assert!(matches!(error, Error::Imprecise { .. }), "{error}"),
        }
    }
}

fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        (-2..=6_i32).prop_map(|i| f64::from(i) / 4.0),
        0.0..1.0,
        -1.0..2.0,
        (0.0..1e-12_f64).prop_map(|x| 0.5 + x),
    ]
}

proptest! {
    /// Lattices, near misses, repeated places and places outside: shares are those of the pairs.
    #[test]
    fn pairs_add_up_to_cells(
        points in proptest::collection::vec((coordinate(), coordinate()), 2..40),
        torus in any::<bool>(),
    ) {
        let servers = at(&points, if torus { Metric::Torus } else { Metric::Euclidean });
        let doubles = pair_shares(&servers, None).unwrap();
        let singles = cell_shares(&servers, None).unwrap();
        prop_assert!((total(&singles) - 1.0).abs() < 1e-9);
        let of_servers = doubles.of_servers();
        for cell in &singles.cells {
            // Whoever is nearest is one of the two nearest.
            prop_assert!(of_servers[cell.first as usize] > cell.share - 1e-9);
        }
    }
}
