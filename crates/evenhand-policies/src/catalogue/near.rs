use evenhand_core::{Candidates, Rng, Sampler, ServerId, below};
use evenhand_expr::{Args, Call};

use super::MOST_CHOICES;
use super::nearest::check_vicinity;
use crate::definition::{Definition, Info, Issue, Setting, User, Visit, World};
use crate::rules::{Ties, visit_placed};
use crate::samplers::{Vicinity, draw_distinct};

/// The least loaded of `d` distinct uniform servers among the `k` nearest of the user; `anchored`
/// makes the nearest one of them. Unif-POT(k).
///
/// Panigrahy, Basu, Towsley, Swami, Leung 2020.
#[derive(Clone, Debug, PartialEq)]
pub struct Near {
    /// Number of candidates.
    pub d: u32,
    /// Number of nearest servers they come from.
    pub k: u32,
    /// True if the nearest server is always a candidate.
    pub anchored: bool,
}

impl Definition for Near {
    const INFO: &'static [Info] = &[Info {
        name: "near",
        syntax: "near(d, k, anchored=false)",
        meaning: "d distinct uniform servers of the user's k nearest (anchored: the nearest and d-1 others); the least loaded",
        source: "Panigrahy, Basu, Towsley, Swami, Leung 2020 (Unif-POT)",
    }];
    const PARAMETERS: &'static [&'static str] = &["d", "k", "anchored"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        let near = Self {
            d: args.integer("d", 1..=MOST_CHOICES) as u32,
            k: args.integer("k", 1..=MOST_CHOICES) as u32,
            anchored: args.flag("anchored"),
        };
        if near.d > near.k {
            let message = format!("`near` cannot draw {} distinct servers of {}", near.d, near.k);
            args.problem(args.span_of("d"), message, Some("let d be at most k".to_string()));
        }
        near
    }

    fn expression(&self) -> Call {
        let call = Call::word("near").with(u64::from(self.d)).with(u64::from(self.k));
        if self.anchored { call.with(Call::word("anchored")) } else { call }
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        check_vicinity("near", u64::from(self.k), setting)
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        let vicinity = Vicinity::new(&world, self.k as usize);
        let sampler = UniformNear { vicinity, d: self.d, anchored: self.anchored };
        // Unanchored draws are exchangeable: the first of the tied ones is a uniform one.
        let ties = if self.anchored { Ties::Random } else { Ties::First };
        visit_placed(sampler, ties, world.comparison, visitor)
    }

    fn nanoseconds_per_ball(&self, _: u64) -> f64 {
        1_000.0 + 50.0 * f64::from(self.k)
    }

    fn neighbours(&self, _: u64) -> Option<u64> {
        Some(self.k.into())
    }
}

#[derive(Clone, Debug)]
struct UniformNear {
    vicinity: Vicinity,
    d: u32,
    anchored: bool,
}

impl Sampler<User> for UniformNear {
    type Set = Candidates;

    fn sample<R: Rng + ?Sized>(&mut self, user: &User, rng: &mut R) -> Candidates {
        let near = self.vicinity.of(user);
        let mut anchor = self.anchored;
        draw_distinct(self.d, || {
            // The anchor is handed out once, first.
            let rank = if std::mem::take(&mut anchor) { 0 } else { below(rng, near.len() as u64) };
            ServerId(near[rank as usize].server)
        })
    }
}
