use evenhand_core::{Choice, Load, Policy, Rng, Rule, Sampler, ServerId, Signal, below};
use evenhand_expr::{Args, Call};

use super::memory::exact_only;
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};

/// The least loaded of all servers, ties random: what perfect knowledge gives (JSQ in queues).
#[derive(Clone, Debug, PartialEq)]
pub struct All;

impl Definition for All {
    const INFO: &'static [Info] = &[Info {
        name: "all",
        syntax: "all",
        meaning: "every server; the least loaded, ties random",
        source: "baseline (join the shortest queue: Winston 1977)",
    }];
    const PARAMETERS: &'static [&'static str] = &[];

    fn read(_: &str, _: &mut Args<'_>) -> Self {
        Self
    }

    fn expression(&self) -> Call {
        Call::word("all")
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        exact_only("all", setting)
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        let rule = LeastOfAll { servers: world.bins };
        visitor.visit(Policy { sampler: Nobody, rule })
    }

    fn nanoseconds_per_ball(&self, _: u64) -> f64 {
        150.0
    }

    fn reads_index(&self) -> bool {
        true
    }
}

/// No candidates: the rule looks at all servers by itself.
#[derive(Clone, Copy, Debug)]
struct Nobody;

impl<A> Sampler<A> for Nobody {
    type Set = [ServerId; 0];

    fn sample<R: Rng + ?Sized>(&mut self, _: &A, _: &mut R) -> [ServerId; 0] {
        []
    }
}

/// The least loaded of all servers: from the signal's index where it keeps one, else by a scan.
#[derive(Clone, Copy, Debug)]
struct LeastOfAll {
    servers: u64,
}

impl<L: Load> Rule<L> for LeastOfAll {
    fn choose<S, R>(&mut self, _: &[ServerId], signal: &S, rng: &mut R) -> Option<Choice>
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
        let probes = self.servers.try_into().unwrap_or(u32::MAX);
        let server = match signal.least_loaded(rng.next_u64()) {
            Some(server) => server,
            None => scan(self.servers, signal, rng)?,
        };
        Some(Choice::one(server, probes))
    }
}

/// The least loaded eligible server, ties uniform (reservoir sampling).
fn scan<S, R>(servers: u64, signal: &S, rng: &mut R) -> Option<ServerId>
where
    S: Signal + ?Sized,
    R: Rng + ?Sized,
{
    let mut best: Option<(ServerId, S::Load)> = None;
    let mut tied = 1;
    for server in (0..servers).map(|s| ServerId(s as u32)).filter(|&s| signal.eligible(s)) {
        let load = signal.load(server);
        match best {
            Some((_, least)) if load > least => {}
            Some((_, least)) if load == least => {
                tied += 1;
                if below(rng, tied) == 0 {
                    best = Some((server, load));
                }
            }
            _ => (best, tied) = (Some((server, load)), 1),
        }
    }
    best.map(|(server, _)| server)
}
