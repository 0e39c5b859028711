//! Graphs of places.

use super::*;

fn on_places(source: &str, places: &Places) -> Graph {
    let n = places.len() as u64;
    spec(source).build(n, Some(places), &mut rng(1)).unwrap_or_else(|error| panic!("{error}"))
}

fn uniform(count: usize, metric: Metric, seed: u64) -> Places {
    Layout::Uniform.places(count, metric, &mut rng(seed)).unwrap()
}

fn globe(count: usize, seed: u64) -> Places {
    let square = uniform(count, Metric::Torus, seed).points;
    let point =
        |p: Point| Point { x: 360.0 * p.x - 180.0, y: (2.0 * p.y - 1.0).asin().to_degrees() };
    Places::new(square.into_iter().map(point).collect(), Metric::GreatCircle, "globe")
}

/// The union of nearest neighbours, by sorting all distances.
fn nearest_pairs(places: &Places, k: usize) -> BTreeSet<(u32, u32)> {
    let mut pairs = BTreeSet::new();
    for u in 0..places.len() {
        let distance = |v: usize| places.metric.distance(places.points[u], places.points[v]);
        let mut others: Vec<usize> = (0..places.len()).filter(|&v| v != u).collect();
        others.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)));
        pairs.extend(others[..k].iter().map(|&v| (u.min(v) as u32, u.max(v) as u32)));
    }
    pairs
}

#[test]
fn knn_joins_the_nearest() {
    for metric in [Metric::Euclidean, Metric::Torus] {
        let mut places = uniform(150, metric, 7);
        for copy in 0..20 {
            places.points.push(places.points[copy % 3]);
        }
        for k in [1, 3, 8] {
            let graph = on_places(&format!("knn({k})"), &places);
            let edges: BTreeSet<_> = graph.edge_list().into_iter().collect();
            assert_eq!(edges, nearest_pairs(&places, k));
            assert!(is_simple(&graph));
        }
    }
}

/// Pairs whose diametral circle (or, on the globe, smallest cap) is empty by a margin: edges
/// of every Delaunay triangulation (Gabriel, Sokal 1969).
fn gabriel_pairs(places: &Places) -> Vec<(u32, u32)> {
    let n = places.len();
    let mut pairs = Vec::new();
    for u in 0..n {
        for v in u + 1..n {
            if is_gabriel(places, u, v) {
                pairs.push((u as u32, v as u32));
            }
        }
    }
    pairs
}

fn is_gabriel(places: &Places, u: usize, v: usize) -> bool {
    let square = |x: f64| x * x;
    let (a, b) = (places.points[u], places.points[v]);
    let others = (0..places.len()).filter(|&w| w != u && w != v);
    match places.metric {
        Metric::GreatCircle => {
            // A third place is inside the cap if it sees the pair under an obtuse angle, as
            // measured by chords.
            let chord = |a, b| {
                let radians =
                    places.metric.distance(a, b) / evenhand_topology::space::EARTH_RADIUS_M;
                square(2.0 * (radians / 2.0).sin())
            };
            let centre_cap = |w: usize| {
                let p = places.points[w];
                let (x, y, z) = (chord(a, p), chord(b, p), chord(a, b));
                // Nearer to the middle of the pair than its ends: the product with the
                // normed sum of both unit vectors is larger.
                (2.0 - x / 2.0 - y / 2.0) > (2.0 - z / 2.0) - 1e-9
            };
            chord(a, b) < 3.0 && !others.into_iter().any(centre_cap)
        }
        metric => {
            let shifts: &[f64] =
                if metric == Metric::Torus { &[-2.0, -1.0, 0.0, 1.0, 2.0] } else { &[0.0] };
            let mut all = Vec::new();
            for &right in shifts {
                for &up in shifts {
                    all.extend((0..places.len()).map(|w| {
                        let p = places.points[w];
                        (w, right, up, p.x + right, p.y + up)
                    }));
                }
            }
            all.iter().filter(|copy| copy.0 == v).any(|&(_, right, up, x, y)| {
                let (cx, cy) = (f64::midpoint(a.x, x), f64::midpoint(a.y, y));
                let radius = square(a.x - cx) + square(a.y - cy);
                if right.abs() > 1.0 || up.abs() > 1.0 {
                    return false;
                }
                all.iter().all(|&(w, r, s, x, y)| {
                    let end = (w == u && r == 0.0 && s == 0.0) || (w == v && r == right && s == up);
                    end || square(x - cx) + square(y - cy) > radius + 1e-8
                })
            })
        }
    }
}

fn assert_triangulated(places: &Places) -> Graph {
    let graph = on_places("delaunay", places);
    assert!(is_simple(&graph) && is_connected(&graph));
    let edges: BTreeSet<_> = graph.edge_list().into_iter().collect();
    for pair in gabriel_pairs(places) {
        assert!(edges.contains(&pair), "{:?} {pair:?}", places.metric);
    }
    graph
}

#[test]
fn delaunay_has_the_gabriel_edges() {
    for seed in 0..20 {
        for count in [1, 2, 3, 4, 5, 8, 13, 40] {
            assert_triangulated(&uniform(count, Metric::Euclidean, seed));
            assert_triangulated(&uniform(count, Metric::Torus, seed));
            assert_triangulated(&globe(count, seed));
        }
    }
}

/// Euler: 3n edges on the torus, 3n - 6 on the sphere, 3n - 3 - h in the plane, h on the hull.
#[test]
fn delaunay_is_a_full_triangulation() {
    let n = 400;
    assert_eq!(assert_triangulated(&globe(n, 1)).edges(), 3 * n - 6);
    assert_eq!(on_places("delaunay", &uniform(n, Metric::Torus, 1)).edges(), 3 * n);
    let grid = Layout::Grid.places(1024, Metric::Torus, &mut rng(1)).unwrap();
    assert_eq!(on_places("delaunay", &grid).edges(), 3 * 1024);
    let grid = Layout::Grid.places(1024, Metric::Euclidean, &mut rng(1)).unwrap();
    assert_eq!(on_places("delaunay", &grid).edges(), 3 * 1024 - 3 - 4 * 31);
}

#[test]
fn a_region_of_the_globe_has_no_edges_around_it() {
    // Four places around a fifth, at the pole: the hull is a square, without its diagonal.
    let mut points: Vec<Point> =
        (0..4).map(|i| Point { x: 90.0 * f64::from(i) - 180.0, y: 50.0 }).collect();
    points.push(Point { x: 20.0, y: 90.0 });
    let cap = Places::new(points.clone(), Metric::GreatCircle, "cap");
    assert_eq!(on_places("delaunay", &cap).edges(), 8);
    // With the other pole the globe is an octahedron.
    points.push(Point { x: 0.0, y: -90.0 });
    let all = Places::new(points, Metric::GreatCircle, "all");
    assert_eq!(on_places("delaunay", &all).edges(), 12);
}

#[test]
fn the_antimeridian_is_no_border() {
    let at = |x, y| Point { x, y };
    let points = vec![at(179.9, 0.0), at(-179.9, 0.0), at(179.0, 0.0), at(-179.0, 0.0)];
    let graph = on_places("delaunay", &Places::new(points, Metric::GreatCircle, "line"));
    assert_eq!(graph.edge_list(), [(0, 1), (0, 2), (1, 3)]);
}

#[test]
fn places_on_a_line_or_at_one_spot_are_joined() {
    let line = |metric| {
        let points = (0..6).map(|i| Point { x: f64::from(i * i) / 30.0, y: 0.25 }).collect();
        on_places("delaunay", &Places::new(points, metric, "line"))
    };
    let path = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)];
    assert_eq!(line(Metric::Euclidean).edge_list(), path);
    assert!(is_connected(&line(Metric::GreatCircle)));
    assert!(line(Metric::Torus).edges() > path.len());
    for metric in [Metric::Euclidean, Metric::Torus, Metric::GreatCircle] {
        let spot = Places::new(vec![Point { x: 0.5, y: 0.5 }; 4], metric, "spot");
        assert_eq!(on_places("delaunay", &spot).edge_list(), [(0, 1), (0, 2), (0, 3)]);
    }
    let zeros = [(0.0, 1.0), (-0.0, 2.0), (-0.0, 1.0)];
    let points = zeros.into_iter().map(|(x, y)| Point { x, y }).collect();
    let graph = on_places("delaunay", &Places::new(points, Metric::Euclidean, "zeros"));
    assert_eq!(graph.edge_list(), [(0, 1), (0, 2)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Few distinct coordinates: collinear, cocircular and equal places abound.
    #[test]
    fn degenerate_places_make_connected_graphs(
        cells in proptest::collection::vec((0_u8..5, 0_u8..5), 1..25),
        metric in prop_oneof![
            Just(Metric::Euclidean), Just(Metric::Torus), Just(Metric::GreatCircle)
        ],
    ) {
        let point = |(x, y): (u8, u8)| match metric {
            Metric::GreatCircle => Point { x: 90.0 * f64::from(x) - 180.0, y: 45.0 * f64::from(y) - 90.0 },
            _ => Point { x: f64::from(x) / 5.0, y: f64::from(y) / 5.0 },
        };
        let places = Places::new(cells.into_iter().map(point).collect(), metric, "cells");
        let graph = on_places("delaunay", &places);
        prop_assert!(is_simple(&graph) && is_connected(&graph));
        prop_assert!(graph.edges() <= 3 * places.len());
    }

    #[test]
    fn extreme_coordinates_do_not_panic(
        points in proptest::collection::vec((any::<f64>(), any::<f64>()), 1..12),
    ) {
        let points = points.into_iter().map(|(x, y)| Point { x, y }).collect();
        let places = Places::new(points, Metric::Euclidean, "extremes");
        let _ = GraphSpec::Delaunay.build(places.len() as u64, Some(&places), &mut rng(1));
    }
}

#[test]
fn bad_places_are_refused() {
    let at = |x| {
        Places::new(vec![Point { x, y: 0.0 }, Point { x: 1.0, y: 0.0 }], Metric::Euclidean, "test")
    };
    let refused = |vertices, places: &Places| {
        GraphSpec::Delaunay.build(vertices, Some(places), &mut rng(1)).unwrap_err()
    };
    assert!(matches!(refused(2, &at(1e70)), GraphError::FarPlace { place: 0, .. }));
    assert!(matches!(refused(2, &at(f64::NAN)), GraphError::Places(_)));
    assert!(matches!(refused(3, &at(0.0)), GraphError::PlaceCount { places: 2, .. }));
    let alone = spec("knn(2)").build(5, None, &mut rng(1)).unwrap_err();
    assert_eq!(
        alone.to_string(),
        "knn(2): `knn` is a graph of places, and none are given (give the places of the vertices)"
    );
}
