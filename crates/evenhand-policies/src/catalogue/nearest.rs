use evenhand_core::{Candidates, Rng, Sampler, ServerId};
use evenhand_expr::{Args, Call};

use super::MOST_CHOICES;
use crate::definition::{Definition, Info, Issue, Setting, User, Visit, World};
use crate::rules::{Ties, visit_placed};
use crate::samplers::Vicinity;

/// The least loaded of the `k` nearest servers of the user. `nearest(1)` is the Voronoi
/// assignment; `nearest(2)` is sPOT, the spatial power of two.
///
/// Panigrahy, Basu, Towsley, Swami, Leung 2020.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearest {
    /// Number of candidates.
    pub k: u32,
    /// How ties are decided; the first drawn is the nearer.
    pub ties: Ties,
}

impl Definition for Nearest {
    const INFO: &'static [Info] = &[Info {
        name: "nearest",
        syntax: "nearest(k, ties=random|first)",
        meaning: "the k servers nearest to the user; the least loaded (ties=first: the nearer of equals)",
        source: "Panigrahy, Basu, Towsley, Swami, Leung 2020 (sPOT)",
    }];
    const PARAMETERS: &'static [&'static str] = &["k", "ties"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        Self {
            k: args.integer("k", 1..=MOST_CHOICES) as u32,
            ties: Ties::from_word(args.word_or("ties", Ties::WORDS, "random")),
        }
    }

    fn expression(&self) -> Call {
        let call = Call::word("nearest").with(u64::from(self.k));
        if self.ties == Ties::First { call.with_key("ties", Call::word("first")) } else { call }
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        check_vicinity("nearest", u64::from(self.k), setting)
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        let sampler = KNearest { vicinity: Vicinity::new(&world, self.k as usize) };
        visit_placed(sampler, self.ties, world.comparison, visitor)
    }

    fn nanoseconds_per_ball(&self, _: u64) -> f64 {
        1_000.0 + 50.0 * f64::from(self.k)
    }

    fn neighbours(&self, _: u64) -> Option<u64> {
        Some(self.k.into())
    }
}

/// What the spatial policies need: places, and at least `k` servers.
pub(super) fn check_vicinity(name: &str, k: u64, setting: &Setting) -> Vec<Issue> {
    let mut issues = Vec::new();
    if setting.metric.is_none() {
        issues.push(Issue::whole(
            format!("`{name}` needs places of servers and users"),
            "give them with --servers and --users (files, or uniform, grid, clustered)",
        ));
    }
    if k > setting.bins {
        issues.push(Issue::of(
            "k",
            format!("there are only {} servers, not {k}", setting.bins),
            "use a smaller k",
        ));
    }
    issues
}

/// The `k` nearest servers, nearest first.
#[derive(Clone, Debug)]
struct KNearest {
    vicinity: Vicinity,
}

impl Sampler<User> for KNearest {
    type Set = Candidates;

    fn sample<R: Rng + ?Sized>(&mut self, user: &User, _: &mut R) -> Candidates {
        self.vicinity.of(user).iter().map(|neighbour| ServerId(neighbour.server)).collect()
    }
}
