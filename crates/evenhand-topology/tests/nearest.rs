//! The index against sorting all servers, bit for bit.

use evenhand_topology::space::{
    Error, Layout, Metric, NearestIndex, Neighbour, NeighbourTable, Places, Point,
};
use proptest::prelude::*;
use proptest::sample::select;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

const METRICS: [Metric; 3] = [Metric::GreatCircle, Metric::Euclidean, Metric::Torus];

fn index(points: &[Point], metric: Metric) -> NearestIndex {
    NearestIndex::new(&Places::new(points.to_vec(), metric, "test")).unwrap()
}

fn brute_force(points: &[Point], metric: Metric, from: Point, k: usize) -> Vec<Neighbour> {
    let mut all: Vec<_> = (0..)
        .zip(points)
        .map(|(server, &p)| Neighbour { server, distance: metric.distance(from, p) })
        .collect();
    all.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.server.cmp(&b.server)));
    all.truncate(k);
    all
}

/// Compares servers and the bits of distances (NaN included).
fn bits(neighbours: &[Neighbour]) -> Vec<(u32, u64)> {
    let pair = |n: &Neighbour| (n.server, n.distance.to_bits());
    neighbours.iter().map(pair).collect()
}

fn assert_exact(points: &[Point], metric: Metric, queries: &[Point], ks: &[usize]) {
    let index = index(points, metric);
    let mut near = vec![];
    for &query in queries {
        for &k in ks {
            index.nearest(query, k, &mut near);
            let expected = brute_force(points, metric, query, k);
            assert_eq!(bits(&near), bits(&expected), "{metric:?} {query:?} k={k}");
        }
    }
}

/// Degrees, with many poles, antimeridians, lattice points and near misses.
fn place_on_earth() -> impl Strategy<Value = Point> {
    let special_x = vec![-180.0, 180.0, 0.0, -0.0, 90.0, 179.999_999_999, -179.999_999_999];
    let special_y = vec![-90.0, 90.0, 0.0, -0.0, 89.999_999_999, -89.999_999_999];
    let x = prop_oneof![
        select(special_x),
        (-6..=6i32).prop_map(|i| f64::from(i) * 30.0),
        -180.0..=180.0,
        0.0..1e-9,
    ];
    let y = prop_oneof![
        select(special_y),
        (-3..=3i32).prop_map(|i| f64::from(i) * 30.0),
        -90.0..=90.0,
        0.0..1e-9,
    ];
    (x, y).prop_map(|(x, y)| Point { x, y })
}

/// Points on and around the unit square, with many ties.
fn place_in_plane() -> impl Strategy<Value = Point> {
    let coordinate = || {
        prop_oneof![
            (-4..=12i32).prop_map(|i| f64::from(i) / 8.0),
            0.0..1.0,
            0.0..1e-13,
            select(vec![-0.0, -1e-20, 1.0 - f64::EPSILON / 2.0, 1e-200]),
        ]
    };
    (coordinate(), coordinate()).prop_map(|(x, y)| Point { x, y })
}

fn place(metric: Metric) -> BoxedStrategy<Point> {
    match metric {
        Metric::GreatCircle => place_on_earth().boxed(),
        Metric::Euclidean | Metric::Torus => place_in_plane().boxed(),
    }
}

fn scene() -> impl Strategy<Value = (Metric, Vec<Point>, Vec<Point>)> {
    select(METRICS.to_vec()).prop_flat_map(|metric| {
        let servers = prop::collection::vec(place(metric), 0..150);
        let users = prop::collection::vec(place(metric), 1..4);
        (Just(metric), servers, users)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn nearest_is_exact((metric, servers, users) in scene(), k in 0usize..12) {
        assert_exact(&servers, metric, &users, &[k, servers.len() / 2, servers.len() + 1]);
    }

    #[test]
    fn servers_themselves_are_found_at_distance_zero((metric, servers, _) in scene()) {
        let index = index(&servers, metric);
        let mut near = vec![];
        for &server in &servers {
            index.nearest(server, 1, &mut near);
            prop_assert_eq!(near[0].distance, 0.0);
        }
    }

    #[test]
    fn distance_is_symmetric(metric in select(METRICS.to_vec()), seed in any::<u64>()) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let points = Layout::Uniform.places(2, Metric::Euclidean, &mut rng).unwrap().points;
        let (a, b) = (points[0], points[1]);
        prop_assert_eq!(metric.distance(a, b), metric.distance(b, a));
        prop_assert_eq!(metric.distance(a, a), 0.0);
    }
}

/// Random points of the whole sphere or of the unit square.
fn random_places(count: usize, metric: Metric, seed: u64) -> Vec<Point> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let square = Layout::Uniform.places(count, Metric::Torus, &mut rng).unwrap();
    let on_earth =
        |p: &Point| Point { x: p.x * 360.0 - 180.0, y: (2.0 * p.y - 1.0).asin().to_degrees() };
    match metric {
        Metric::GreatCircle => square.points.iter().map(on_earth).collect(),
        Metric::Euclidean | Metric::Torus => square.points,
    }
}

#[test]
fn many_random_servers() {
    for metric in METRICS {
        let servers = random_places(20_000, metric, 1);
        let users = random_places(40, metric, 2);
        assert_exact(&servers, metric, &users, &[1, 2, 9, 500, 15_000]);
    }
}

#[test]
fn grids_are_full_of_ties() {
    for metric in [Metric::Euclidean, Metric::Torus] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let servers = Layout::Grid.places(32 * 32, metric, &mut rng).unwrap().points;
        let corners: Vec<_> = (0..20)
            .map(|i| Point { x: f64::from(i % 5) / 4.0, y: f64::from(i / 5) / 32.0 })
            .collect();
        assert_exact(&servers, metric, &corners, &[1, 2, 3, 4, 5, 13]);
    }
}

#[test]
fn many_servers_at_one_place() {
    for metric in METRICS {
        let mut servers = vec![Point { x: 0.5, y: 0.5 }; 50_000];
        servers.extend(random_places(100, metric, 3));
        servers.push(Point { x: 0.5, y: 0.5 });
        let user = Point { x: 0.499, y: 0.501 };
        assert_exact(&servers, metric, &[user, servers[50_003]], &[1, 3, 40_000, 50_050]);
    }
}

#[test]
fn many_servers_within_rounding_of_one_place() {
    let near_pole: Vec<_> = (0..5000u32)
        .map(|i| Point { x: f64::from(i % 360) - 180.0, y: 90.0 - 1.5e-14 * f64::from(i / 360) })
        .collect();
    let users = [Point { x: 3.0, y: 90.0 }, Point { x: 3.0, y: -89.0 }];
    assert_exact(&near_pole, Metric::GreatCircle, &users, &[1, 2, 7]);
}

#[test]
fn poles_and_antimeridian_have_no_seam() {
    let at = |x, y| Point { x, y };
    let mut servers = vec![at(-179.5, 0.0), at(178.0, 0.0), at(0.0, 89.0), at(180.0, 89.5)];
    servers.extend((0..30).map(|i| at(f64::from(i) * 4.0, -40.0)));
    let index = index(&servers, Metric::GreatCircle);
    let mut near = vec![];
    index.nearest(at(179.9, 0.0), 2, &mut near);
    assert_eq!((near[0].server, near[1].server), (0, 1));
    index.nearest(at(0.0, 89.9), 2, &mut near);
    assert_eq!((near[0].server, near[1].server), (3, 2));
}

#[test]
fn absurd_coordinates_keep_the_order() {
    let huge: Vec<_> =
        (0..40).map(|i| Point { x: 1e200 * f64::from(i * 7 % 40), y: -1e307 }).collect();
    let tiny: Vec<_> =
        (0..40).map(|i| Point { x: 1e-200 * f64::from(i * 7 % 40), y: 0.0 }).collect();
    let users = [
        Point { x: 0.0, y: 0.0 },
        Point { x: 1e308, y: 1e308 },
        Point { x: f64::NAN, y: 0.0 },
        Point { x: f64::INFINITY, y: f64::NEG_INFINITY },
    ];
    for servers in [&huge, &tiny] {
        assert_exact(servers, Metric::Euclidean, &users, &[1, 2, 5, 39, usize::MAX]);
        assert_exact(servers, Metric::Torus, &users, &[1, 5]);
    }
    assert_exact(&random_places(50, Metric::GreatCircle, 4), Metric::GreatCircle, &users, &[1, 5]);
}

#[test]
fn no_servers_give_no_neighbours() {
    let index = index(&[], Metric::Torus);
    let mut near = vec![Neighbour { server: 7, distance: 7.0 }];
    index.nearest(Point { x: 0.0, y: 0.0 }, 3, &mut near);
    assert!(near.is_empty());
    let table = NeighbourTable::new(&index, &[Point { x: 0.0, y: 0.0 }; 2], 3);
    assert!(table.of(1).is_empty());
}

#[test]
fn impossible_points_are_errors() {
    for (metric, x, y) in [
        (Metric::Euclidean, f64::NAN, 0.0),
        (Metric::Torus, 0.0, f64::INFINITY),
        (Metric::GreatCircle, 181.0, 0.0),
        (Metric::GreatCircle, 0.0, -90.5),
    ] {
        let points = vec![Point { x: 0.0, y: 0.0 }, Point { x, y }];
        let error = NearestIndex::new(&Places::new(points, metric, "here")).unwrap_err();
        assert!(matches!(error, Error::InvalidPoint { index: 1, .. }));
        assert!(error.to_string().starts_with("here: place 1 (from 0) is at x = "));
    }
}

#[test]
fn table_holds_what_the_index_finds() {
    let servers = random_places(30, Metric::Torus, 5);
    let users = random_places(50, Metric::Torus, 6);
    let index = index(&servers, Metric::Torus);
    for k in [0, 1, 4, 30, 99] {
        let table = NeighbourTable::new(&index, &users, k);
        assert_eq!((table.users(), table.per_user()), (50, k.min(30)));
        for (user, &point) in users.iter().enumerate() {
            let expected = brute_force(&servers, Metric::Torus, point, k);
            assert_eq!(table.of(user), expected);
        }
    }
}

#[test]
fn index_is_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<NearestIndex>();
    shared::<NeighbourTable>();
}
