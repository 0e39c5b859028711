use std::sync::Arc;

use evenhand_core::{Candidates, Rng, Sampler, ServerId, unit_f64};
use evenhand_expr::{Args, Call};
use evenhand_topology::space::voronoi::cell_shares;
use evenhand_topology::space::{Metric, NearestIndex, Neighbour, Places, Point};

use super::ring::{check_regions, read_regions, regions_expression, visit_regions};
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::rules::RegionTies;

/// Servers stand at random points of a unit torus and own their Voronoi cells. `d` random points
/// of the torus; the least loaded of their owners.
///
/// Byers, Considine, Mitzenmacher 2004.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// Number of points drawn.
    pub d: u32,
    /// How ties are decided.
    pub ties: RegionTies,
}

impl Definition for Cells {
    const INFO: &'static [Info] = &[Info {
        name: "cells",
        syntax: "cells(d, ties=random|smaller|larger)",
        meaning: "owners of d random points of a unit torus cut into Voronoi cells by random servers; the least loaded",
        source: "Byers, Considine, Mitzenmacher 2004",
    }];
    const PARAMETERS: &'static [&'static str] = &["d", "ties"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        let (d, ties) = read_regions(args);
        Self { d, ties }
    }

    fn expression(&self) -> Call {
        regions_expression("cells", self.d, self.ties)
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        check_regions("cells", self.ties, setting)
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        let sites: Vec<Point> = (0..world.bins).map(|_| random_point(&mut *world.stream)).collect();
        let places = Places::new(sites, Metric::Torus, "cells");
        let index = Arc::new(NearestIndex::new(&places).expect("points in the unit square"));
        let sizes = match self.ties {
            RegionTies::Random => Vec::new(),
            _ => cell_shares(&places, None).expect("points in the unit square").of_servers(),
        };
        let sampler = CellOwners { index, d: self.d, found: Vec::new() };
        visit_regions(sampler, sizes, self.ties, world.comparison, visitor)
    }

    fn nanoseconds_per_ball(&self, _: u64) -> f64 {
        1_000.0 * f64::from(self.d)
    }
}

fn random_point<R: Rng + ?Sized>(rng: &mut R) -> Point {
    Point { x: unit_f64(rng), y: unit_f64(rng) }
}

/// The owners of `d` uniform points.
#[derive(Clone, Debug)]
struct CellOwners {
    index: Arc<NearestIndex>,
    d: u32,
    found: Vec<Neighbour>,
}

impl<A> Sampler<A> for CellOwners {
    type Set = Candidates;

    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> Candidates {
        (0..self.d)
            .map(|_| {
                self.index.nearest(random_point(rng), 1, &mut self.found);
                ServerId(self.found[0].server)
            })
            .collect()
    }
}
