//! Places drawn on the unit square.

use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

use super::metric::wrap;
use super::{Error, Metric, Places, Point, grid};

/// How places are laid out on the unit square.
///
/// ```
/// use evenhand_topology::space::{Layout, Metric};
/// use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
///
/// let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
/// let servers = Layout::Grid.places(6, Metric::Torus, &mut rng)?;
/// assert_eq!((servers.points[0].x, servers.points[0].y), (0.5 / 3.0, 0.25));
/// # Ok::<(), evenhand_topology::space::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layout {
    /// Independent uniform points.
    Uniform,
    /// Cell centres of the most square grid with the given number of cells, row
    /// by row from y = 0. The sides may differ by a factor of 2 at most.
    Grid,
    /// Independent normal points around cluster centres, which are uniform
    /// points; each point takes a uniformly random centre.
    Clustered {
        /// Number of cluster centres, at least 1.
        clusters: u32,
        /// Standard deviation of each coordinate around its centre, from 0 to 1
        /// (the side of the square). On the torus points wrap around; in the
        /// plane a point that falls outside the square is drawn again.
        spread: f64,
    },
}

impl Layout {
    /// Draws `count` places; [`Layout::Grid`] draws nothing from `rng`.
    ///
    /// # Errors
    /// [`Error::NoPlaces`], [`Error::TooMany`], [`Error::GridShape`],
    /// [`Error::NoClusters`], [`Error::Spread`], and [`Error::LayoutMetric`]
    /// for great circles.
    pub fn places(
        self,
        count: usize,
        metric: Metric,
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<Places, Error> {
        if count == 0 {
            return Err(Error::NoPlaces);
        }
        if u32::try_from(count).is_err() {
            return Err(Error::TooMany { count });
        }
        let points = match self {
            Layout::Grid => {
                on_square(metric)?;
                cell_centres(grid::shape(count)?)
            }
            Layout::Uniform | Layout::Clustered { .. } => {
                let sampler = self.sampler(metric, rng)?;
                (0..count).map(|_| sampler.draw(rng)).collect()
            }
        };
        Ok(Places::new(points, metric, self.name()))
    }

    /// A source of single random points, for users that arrive one by one. The
    /// centres of a clustered layout are drawn here, once.
    ///
    /// # Errors
    /// [`Error::GridSampler`] for a grid, which has no random points;
    /// [`Error::NoClusters`], [`Error::Spread`], and [`Error::LayoutMetric`]
    /// for great circles.
    pub fn sampler(
        self,
        metric: Metric,
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<PointSampler, Error> {
        on_square(metric)?;
        let kind = match self {
            Layout::Uniform => Kind::Uniform,
            Layout::Grid => return Err(Error::GridSampler),
            Layout::Clustered { clusters: 0, .. } => return Err(Error::NoClusters),
            Layout::Clustered { spread, .. } if !(0.0..=1.0).contains(&spread) => {
                return Err(Error::Spread { spread });
            }
            Layout::Clustered { clusters, spread } => Kind::Clustered {
                centres: (0..clusters).map(|_| uniform(rng)).collect(),
                spread,
                wraps: metric == Metric::Torus,
            },
        };
        Ok(PointSampler { kind })
    }

    fn name(self) -> String {
        match self {
            Layout::Uniform => "uniform layout".to_owned(),
            Layout::Grid => "grid layout".to_owned(),
            Layout::Clustered { clusters, spread } => {
                format!("clustered layout ({clusters} clusters, spread {spread})")
            }
        }
    }
}

impl std::fmt::Display for Layout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Layout::Uniform => f.write_str("uniform"),
            Layout::Grid => f.write_str("grid"),
            Layout::Clustered { clusters, spread } => write!(f, "clustered({clusters}, {spread})"),
        }
    }
}

/// Draws random points of a [`Layout`], one at a time.
#[derive(Clone, Debug)]
pub struct PointSampler {
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Uniform,
    Clustered { centres: Vec<Point>, spread: f64, wraps: bool },
}

impl PointSampler {
    /// A random point of the unit square, both coordinates in [0, 1).
    #[must_use]
    pub fn draw(&self, rng: &mut (impl Rng + ?Sized)) -> Point {
        match &self.kind {
            Kind::Uniform => uniform(rng),
            Kind::Clustered { centres, spread, wraps } => {
                let centre = centres[rng.random_range(0..centres.len())];
                if *wraps {
                    let point = around(centre, *spread, rng);
                    return Point { x: wrap(point.x), y: wrap(point.y) };
                }
                loop {
                    let point = around(centre, *spread, rng);
                    if (0.0..1.0).contains(&point.x) && (0.0..1.0).contains(&point.y) {
                        return point;
                    }
                }
            }
        }
    }
}

fn on_square(metric: Metric) -> Result<(), Error> {
    match metric {
        Metric::Euclidean | Metric::Torus => Ok(()),
        Metric::GreatCircle => Err(Error::LayoutMetric { metric }),
    }
}

fn cell_centres((rows, columns): (usize, usize)) -> Vec<Point> {
    let centre = |cell: usize, cells: usize| (cell as f64 + 0.5) / cells as f64;
    (0..rows * columns)
        .map(|cell| Point { x: centre(cell % columns, columns), y: centre(cell / columns, rows) })
        .collect()
}

fn uniform(rng: &mut (impl Rng + ?Sized)) -> Point {
    Point { x: rng.random(), y: rng.random() }
}

/// A normal point around a centre.
fn around(centre: Point, spread: f64, rng: &mut (impl Rng + ?Sized)) -> Point {
    let mut shifted = |x: f64| x + spread * rng.sample::<f64, _>(StandardNormal);
    Point { x: shifted(centre.x), y: shifted(centre.y) }
}
