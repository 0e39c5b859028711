use evenhand_core::{Candidates, Rng, Sampler, ServerId};
use evenhand_expr::{Args, Call, Value};
use rand_distr::{Distribution, Exp1};

use super::MOST_CHOICES;
use super::nearest::check_vicinity;
use crate::definition::{Definition, Info, Issue, Setting, User, Visit, World};
use crate::rules::{Ties, visit_placed};
use crate::samplers::Vicinity;

/// The least loaded of `d` distinct servers among the `k` nearest of the user, drawn one after
/// the other with weight distance^-power; `anchored` makes the nearest one of them. InvSq-POT(k).
///
/// Panigrahy, Basu, Towsley, Swami, Leung 2020.
#[derive(Clone, Debug, PartialEq)]
pub struct Decay {
    /// Number of candidates.
    pub d: u32,
    /// Number of nearest servers they come from; `None` for all.
    pub k: Option<u32>,
    /// Exponent of the distance.
    pub power: f64,
    /// True if the nearest server is always a candidate.
    pub anchored: bool,
}

impl Definition for Decay {
    const INFO: &'static [Info] = &[Info {
        name: "decay",
        syntax: "decay(d, k=all, power=2, anchored=false)",
        meaning: "d distinct servers of the user's k nearest, drawn one after the other with weight distance^-power; the least loaded",
        source: "Panigrahy, Basu, Towsley, Swami, Leung 2020 (InvSq-POT)",
    }];
    const PARAMETERS: &'static [&'static str] = &["d", "k", "power", "anchored"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        let all = match args.value("k") {
            None => true,
            Some(Value::Call(word)) => word.name == "all" && word.args.is_empty(),
            Some(_) => false,
        };
        let decay = Self {
            d: args.integer("d", 1..=MOST_CHOICES) as u32,
            k: if all { None } else { Some(args.integer("k", 1..=MOST_CHOICES) as u32) },
            power: args.number_or("power", 0.0.., 2.0),
            anchored: args.flag("anchored"),
        };
        if decay.k.is_some_and(|k| decay.d > k) {
            let message = format!("`decay` cannot draw {} distinct servers of so few", decay.d);
            args.problem(args.span_of("d"), message, Some("let d be at most k".to_string()));
        }
        decay
    }

    fn expression(&self) -> Call {
        let mut call = Call::word("decay").with(u64::from(self.d));
        if let Some(k) = self.k {
            call = call.with(u64::from(k));
        }
        if self.power != 2.0 {
            call = call.with_key("power", self.power);
        }
        if self.anchored { call.with(Call::word("anchored")) } else { call }
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        let mut issues = check_vicinity("decay", u64::from(self.k.unwrap_or(1)), setting);
        if u64::from(self.d) > setting.bins {
            issues.push(Issue::of(
                "d",
                format!("cannot draw {} distinct servers of {}", self.d, setting.bins),
                "draw fewer",
            ));
        }
        issues
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        let k = self.k.map_or(world.bins, u64::from) as usize;
        let sampler = InverseDistance {
            vicinity: Vicinity::new(&world, k),
            d: self.d,
            power: self.power,
            anchored: self.anchored,
            keys: Vec::with_capacity(k),
        };
        visit_placed(sampler, Ties::Random, world.comparison, visitor)
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        1_500.0 + 100.0 * self.k.map_or(bins as f64, f64::from)
    }

    fn neighbours(&self, bins: u64) -> Option<u64> {
        Some(self.k.map_or(bins, u64::from))
    }
}

#[derive(Clone, Debug)]
struct InverseDistance {
    vicinity: Vicinity,
    d: u32,
    power: f64,
    anchored: bool,
    keys: Vec<Key>,
}

/// Place of a server in the random order: group, then logarithm of its exponential time.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Key {
    group: u8,
    log_time: f64,
    server: ServerId,
}

const ANCHOR: u8 = 0;
/// Servers at the user's own place have infinite weight: they come first, in uniform order.
const SAME_PLACE: u8 = 1;
const ELSEWHERE: u8 = 2;

impl Sampler<User> for InverseDistance {
    type Set = Candidates;

    /// Drawing one after the other in proportion to weights w is the order of independent
    /// exponential times of rates w (Efraimidis, Spirakis 2006). In logarithms no weight
    /// overflows at short distances or underflows at long ones.
    fn sample<R: Rng + ?Sized>(&mut self, user: &User, rng: &mut R) -> Candidates {
        self.keys.clear();
        for (rank, near) in self.vicinity.of(user).iter().enumerate() {
            let time: f64 = Exp1.sample(rng);
            let same_place = near.distance == 0.0 && self.power > 0.0;
            let group = match rank {
                0 if self.anchored => ANCHOR,
                _ if same_place => SAME_PLACE,
                _ => ELSEWHERE,
            };
            let log_weight = match self.power {
                power if power == 0.0 || same_place => 0.0,
                power => -power * near.distance.ln(),
            };
            let log_time = time.ln() - log_weight;
            self.keys.push(Key { group, log_time, server: ServerId(near.server) });
        }
        let d = self.d as usize;
        let order = |a: &Key, b: &Key| a.partial_cmp(b).expect("times are not NaN");
        self.keys.select_nth_unstable_by(d - 1, order);
        self.keys[..d].sort_unstable_by(order);
        self.keys[..d].iter().map(|key| key.server).collect()
    }
}
