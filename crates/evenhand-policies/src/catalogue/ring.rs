use std::sync::Arc;

use evenhand_core::{Candidates, Rng, Sampler, ServerId};
use evenhand_expr::{Args, Call};

use super::memory::exact_only;
use super::{MOST_CHOICES, load_nanoseconds};
use crate::comparisons::Comparison;
use crate::definition::{Definition, Info, Issue, Setting, User, Visit, World};
use crate::rules::{RegionLeast, RegionTies, visit_exchangeable};
use evenhand_core::Policy;

/// Servers stand at random points of a circle and own the arc that ends at them (consistent
/// hashing). `d` random points of the circle; the least loaded of their owners.
///
/// Byers, Considine, Mitzenmacher 2004.
#[derive(Clone, Debug, PartialEq)]
pub struct Ring {
    /// Number of points drawn.
    pub d: u32,
    /// How ties are decided.
    pub ties: RegionTies,
}

impl Definition for Ring {
    const INFO: &'static [Info] = &[Info {
        name: "ring",
        syntax: "ring(d, ties=random|smaller|larger)",
        meaning: "owners of d random points of a circle cut into arcs by random servers; the least loaded",
        source: "Byers, Considine, Mitzenmacher 2004",
    }];
    const PARAMETERS: &'static [&'static str] = &["d", "ties"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        let (d, ties) = read_regions(args);
        Self { d, ties }
    }

    fn expression(&self) -> Call {
        regions_expression("ring", self.d, self.ties)
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        check_regions("ring", self.ties, setting)
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        let arcs = Arcs::random(world.bins as usize, world.stream);
        let sizes = if self.ties == RegionTies::Random { Vec::new() } else { arcs.lengths() };
        let sampler = ArcOwners { arcs: Arc::new(arcs), d: self.d };
        visit_regions(sampler, sizes, self.ties, world.comparison, visitor)
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        f64::from(self.d) * (15.0 + 4.0 * load_nanoseconds(bins))
    }
}

/// Reads the parameters that `ring` and `cells` share.
pub(super) fn read_regions(args: &mut Args<'_>) -> (u32, RegionTies) {
    let d = args.integer("d", 1..=MOST_CHOICES) as u32;
    (d, RegionTies::from_word(args.word_or("ties", RegionTies::WORDS, "random")))
}

/// The expression of `ring` and `cells`.
pub(super) fn regions_expression(name: &str, d: u32, ties: RegionTies) -> Call {
    let call = Call::word(name).with(u64::from(d));
    if ties == RegionTies::Random { call } else { call.with_key("ties", Call::word(ties.word())) }
}

/// Ties by region need exact comparisons.
pub(super) fn check_regions(name: &str, ties: RegionTies, setting: &Setting) -> Vec<Issue> {
    if ties == RegionTies::Random { Vec::new() } else { exact_only(name, setting) }
}

/// Hands over the policy "least loaded owner", with the ties asked for.
pub(super) fn visit_regions<V, S>(
    sampler: S,
    sizes: Vec<f64>,
    ties: RegionTies,
    comparison: Comparison,
    visitor: V,
) -> V::Out
where
    V: Visit,
    S: Sampler<()> + Sampler<User> + Clone + Send + 'static,
{
    match ties {
        RegionTies::Random => visit_exchangeable(sampler, comparison, visitor),
        _ => visitor.visit(Policy { sampler, rule: RegionLeast::new(&sizes, ties) }),
    }
}

/// Server points on a circle of 2^64 positions, in order. Server `i` owns the arc from the
/// previous point (exclusive) to its own (inclusive).
#[derive(Debug)]
struct Arcs {
    points: Vec<u64>,
    /// For each of 2^bits equal parts of the circle, the first server at or after its start.
    first_in_part: Vec<u32>,
    shift: u32,
}

impl Arcs {
    fn random<R: Rng + ?Sized>(servers: usize, rng: &mut R) -> Self {
        let mut points: Vec<u64> = (0..servers).map(|_| rng.next_u64()).collect();
        points.sort_unstable();
        let bits = servers.next_power_of_two().ilog2().max(1);
        let shift = u64::BITS - bits;
        let first_in_part = (0..1_u64 << bits)
            .map(|part| points.partition_point(|&point| point < part << shift) as u32)
            .collect();
        Self { points, first_in_part, shift }
    }

    /// The owner of a position: the first server at or after it, cyclically.
    fn owner(&self, position: u64) -> ServerId {
        let start = self.first_in_part[(position >> self.shift) as usize] as usize;
        let ahead = self.points[start..].iter().position(|&point| point >= position);
        ServerId(ahead.map_or(0, |steps| (start + steps) as u32))
    }

    /// Length of each server's arc, as a fraction of the circle.
    fn lengths(&self) -> Vec<f64> {
        let circle = 2_f64.powi(64);
        if self.points.len() == 1 {
            return vec![1.0];
        }
        let last = self.points[self.points.len() - 1];
        let previous = std::iter::once(&last).chain(&self.points);
        self.points
            .iter()
            .zip(previous)
            .map(|(&point, &before)| point.wrapping_sub(before) as f64 / circle)
            .collect()
    }
}

/// The owners of `d` uniform points.
#[derive(Clone, Debug)]
struct ArcOwners {
    arcs: Arc<Arcs>,
    d: u32,
}

impl<A> Sampler<A> for ArcOwners {
    type Set = Candidates;

    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> Candidates {
        (0..self.d).map(|_| self.arcs.owner(rng.next_u64())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_core::Stream;

    #[test]
    fn owners_are_successors_and_lengths_fill_the_circle() {
        let mut stream = Stream::from_seed(3);
        for servers in [1, 2, 3, 100, 1000] {
            let arcs = Arcs::random(servers, &mut stream);
            for _ in 0..1000 {
                let position = stream.next_word();
                let expected = arcs.points.partition_point(|&point| point < position) % servers;
                assert_eq!(arcs.owner(position).index(), expected);
            }
            assert!((arcs.lengths().iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}
