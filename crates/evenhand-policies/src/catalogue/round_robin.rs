use evenhand_core::{Policy, Rng, Sampler, ServerId};
use evenhand_expr::{Args, Call};

use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::rules::Only;

/// One server after the other, cyclically.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundRobin;

impl Definition for RoundRobin {
    const INFO: &'static [Info] = &[Info {
        name: "round-robin",
        syntax: "round-robin",
        meaning: "the next server in turn; no load is read",
        source: "baseline",
    }];
    const PARAMETERS: &'static [&'static str] = &[];

    fn read(_: &str, _: &mut Args<'_>) -> Self {
        Self
    }

    fn expression(&self) -> Call {
        Call::word("round-robin")
    }

    fn check(&self, _: &Setting) -> Vec<Issue> {
        Vec::new()
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        let sampler = Turn { servers: world.bins, next: 0 };
        visitor.visit(Policy { sampler, rule: Only })
    }

    fn nanoseconds_per_ball(&self, _: u64) -> f64 {
        1.5
    }
}

/// The server whose turn it is: state of one dispatcher.
#[derive(Clone, Copy, Debug)]
struct Turn {
    servers: u64,
    next: u64,
}

impl<A> Sampler<A> for Turn {
    type Set = [ServerId; 1];

    #[inline]
    fn sample<R: Rng + ?Sized>(&mut self, _: &A, _: &mut R) -> [ServerId; 1] {
        let server = ServerId(self.next as u32);
        self.next = if self.next + 1 == self.servers { 0 } else { self.next + 1 };
        [server]
    }
}
