//! Layouts on the unit square. Seeds are fixed; the false-alarm rate of each
//! statistical test, were the seed random, is below 10^-6.

use evenhand_topology::space::{Error, Layout, Metric, Point};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

fn rng() -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(20)
}

fn draw(layout: Layout, count: usize, metric: Metric) -> Vec<Point> {
    let places = layout.places(count, metric, &mut rng()).unwrap();
    assert_eq!((places.len(), places.metric), (count, metric));
    let inside = |v: f64| (0.0..1.0).contains(&v);
    assert!(places.points.iter().all(|p| inside(p.x) && inside(p.y)));
    places.points
}

#[test]
fn grid_points_are_cell_centres() {
    let points = draw(Layout::Grid, 6, Metric::Euclidean);
    let pairs: Vec<_> = points.iter().map(|p| (p.x, p.y)).collect();
    let (a, b, c) = (0.5 / 3.0, 0.5, 2.5 / 3.0);
    let expected = [(a, 0.25), (b, 0.25), (c, 0.25), (a, 0.75), (b, 0.75), (c, 0.75)];
    assert_eq!(pairs, expected);
}

#[test]
fn uniform_points_fill_the_square() {
    // Chi-square with 99 degrees of freedom; 181 is its upper 10^-6 quantile.
    let points = draw(Layout::Uniform, 100_000, Metric::Torus);
    let mut cells = [0u32; 100];
    for p in points {
        cells[(p.x * 10.0) as usize * 10 + (p.y * 10.0) as usize] += 1;
    }
    let chi_square: f64 = cells.iter().map(|&c| (f64::from(c) - 1000.0).powi(2) / 1000.0).sum();
    assert!(chi_square < 181.0, "{chi_square}");
}

#[test]
fn clusters_are_equally_likely() {
    // Counts are binomial(40 000, 1/4); 520 is six standard deviations.
    let layout = Layout::Clustered { clusters: 4, spread: 0.0 };
    let points = draw(layout, 40_000, Metric::Euclidean);
    let mut counts: Vec<(Point, i64)> = vec![];
    for p in points {
        match counts.iter_mut().find(|(q, _)| *q == p) {
            Some((_, count)) => *count += 1,
            None => counts.push((p, 1)),
        }
    }
    assert_eq!(counts.len(), 4);
    assert!(counts.iter().all(|(_, count)| (count - 10_000).abs() < 520), "{counts:?}");
}

#[test]
fn cluster_spread_is_the_standard_deviation() {
    // The sample variance of 40 000 normal values has a relative standard
    // deviation of 0.0071; 0.04 is more than five of them.
    let spread = 0.05;
    let points = draw(Layout::Clustered { clusters: 1, spread }, 40_000, Metric::Torus);
    for coordinate in [|p: &Point| p.x, |p: &Point| p.y] {
        let origin = coordinate(&points[0]);
        let shifted = |p: &Point| (coordinate(p) - origin + 0.5).rem_euclid(1.0) - 0.5;
        let count = points.len() as f64;
        let mean = points.iter().map(shifted).sum::<f64>() / count;
        let variance = points.iter().map(|p| (shifted(p) - mean).powi(2)).sum::<f64>() / count;
        assert!((variance / (spread * spread) - 1.0).abs() < 0.04, "{variance}");
    }
}

#[test]
fn wide_clusters_stay_on_the_square() {
    for metric in [Metric::Euclidean, Metric::Torus] {
        draw(Layout::Clustered { clusters: 3, spread: 1.0 }, 2000, metric);
    }
}

#[test]
fn a_sampler_draws_the_points_of_places() {
    for layout in [Layout::Uniform, Layout::Clustered { clusters: 5, spread: 0.1 }] {
        let places = draw(layout, 100, Metric::Torus);
        let mut rng = rng();
        let sampler = layout.sampler(Metric::Torus, &mut rng).unwrap();
        let drawn: Vec<_> = (0..100).map(|_| sampler.draw(&mut rng)).collect();
        assert_eq!(places, drawn);
    }
}

#[test]
fn draws_are_pinned() {
    let uniform = draw(Layout::Uniform, 1, Metric::Torus)[0];
    assert_eq!((uniform.x, uniform.y), (0.31079230022112303, 0.6206429462190627));
    let layout = Layout::Clustered { clusters: 2, spread: 0.1 };
    let clustered = draw(layout, 2, Metric::Torus)[1];
    assert_eq!((clustered.x, clustered.y), (0.7761198143117846, 0.13480683984071568));
}

#[test]
fn impossible_layouts_are_errors() {
    let message = |layout: Layout, count, metric| {
        layout.places(count, metric, &mut rng()).unwrap_err().to_string()
    };
    assert_eq!(
        message(Layout::Grid, 10, Metric::Torus),
        "a grid of 10 places would be narrower than 1:2; the nearest counts that fit are 9 and 12"
    );
    assert_eq!(
        message(Layout::Uniform, 5, Metric::GreatCircle),
        "a layout is drawn on the unit square; GreatCircle does not fit, use Euclidean or Torus"
    );
    assert!(message(Layout::Grid, 4, Metric::GreatCircle).contains("unit square"));
    assert!(message(Layout::Uniform, 0, Metric::Torus).contains("at least one place"));
    let clustered = |clusters, spread| Layout::Clustered { clusters, spread };
    assert!(message(clustered(0, 0.1), 5, Metric::Torus).contains("at least one cluster"));
    for spread in [-0.1, 1.5, f64::NAN, f64::INFINITY] {
        let error = message(clustered(2, spread), 5, Metric::Torus);
        assert!(error.starts_with(&format!("the spread of clusters is {spread}; ")), "{error}");
    }
    let sampler = Layout::Grid.sampler(Metric::Torus, &mut rng());
    assert!(matches!(sampler, Err(Error::GridSampler)));
}

#[cfg(target_pointer_width = "64")]
#[test]
fn more_places_than_server_numbers_are_refused() {
    let error = Layout::Uniform.places(1 << 40, Metric::Torus, &mut rng());
    assert!(matches!(error, Err(Error::TooMany { count }) if count == 1 << 40));
}
