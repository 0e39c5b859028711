use std::collections::VecDeque;

use evenhand_core::{CandidateSet, Candidates, Index, Rng, Sampler, ServerId};
use evenhand_expr::{Args, Call, Problem, Value};

use super::load_nanoseconds;
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::network::{Movement, Network, Roads};
use crate::rules::{Ties, visit_ordered};

/// The positions of `d` independent random walkers on a graph; the least loaded vertex gets the
/// ball, and then every walker makes a step along a uniform edge other than the one it just used.
///
/// Walkers start at independent uniform vertices. A reset sends all of them to fresh uniform
/// vertices; the first step after it is free to take any edge.
///
/// Tang, Subramanian 2018 and 2019.
#[derive(Clone, Debug, PartialEq)]
pub struct Walks {
    /// Number of walkers.
    pub d: u32,
    /// The graph.
    pub graph: Network,
    /// When all walkers start anew.
    pub reset: Reset,
    /// How they step.
    pub step: Step,
}

/// When walkers start anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// Never.
    Never,
    /// After this many balls.
    Every(u64),
    /// When two walkers are at one vertex after a step.
    Meet,
    /// When the last vertices (this many, of each) of two walkers meet.
    Intersect(u64),
}

/// How a walker steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Along a uniform edge other than the one just used.
    NonBacktracking,
    /// Along a uniform edge: the control.
    Simple,
}

/// Walkers are compared pairwise where they may meet.
const MOST_WALKERS: u64 = 64;
/// Longest memory of a walker's path.
const MOST_TRAIL: u64 = 4_096;

impl Definition for Walks {
    const INFO: &'static [Info] = &[Info {
        name: "walks",
        syntax: "walks(d, graph, reset=never|every(L)|meet|intersect(L), step=non-backtracking|simple)",
        meaning: "positions of d independent non-backtracking random walkers, one step each per ball; the least loaded",
        source: "Tang, Subramanian 2018, 2019",
    }];
    const PARAMETERS: &'static [&'static str] = &["d", "graph", "reset", "step"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        Self {
            d: args.integer("d", 1..=MOST_WALKERS) as u32,
            graph: Network::read(args),
            reset: read_reset(args),
            step: match args.word_or("step", &["non-backtracking", "simple"], "non-backtracking") {
                "simple" => Step::Simple,
                _ => Step::NonBacktracking,
            },
        }
    }

    fn expression(&self) -> Call {
        let mut call = Call::word("walks").with(u64::from(self.d)).with(self.graph.expression());
        let reset = match self.reset {
            Reset::Never => None,
            Reset::Every(balls) => Some(Call::word("every").with(balls)),
            Reset::Meet => Some(Call::word("meet")),
            Reset::Intersect(length) => Some(Call::word("intersect").with(length)),
        };
        if let Some(reset) = reset {
            call = call.with_key("reset", reset);
        }
        match self.step {
            Step::NonBacktracking => call,
            Step::Simple => call.with_key("step", Call::word("simple")),
        }
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        let mut issues = self.graph.check(setting);
        if issues.is_empty() && self.step == Step::NonBacktracking {
            issues.extend(self.graph.check_walks(setting.bins));
        }
        issues
    }

    fn visit<V: Visit>(&self, mut world: World<'_>, visitor: V) -> V::Out {
        let roads = self.graph.build(&mut world);
        let (comparison, walks) = (world.comparison, self.clone());
        match self.d {
            2 => visit_ordered(
                Walkers::<[Walker; 2]>::new(roads, walks),
                Ties::Random,
                comparison,
                visitor,
            ),
            _ => visit_ordered(
                Walkers::<Vec<Walker>>::new(roads, walks),
                Ties::Random,
                comparison,
                visitor,
            ),
        }
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        f64::from(self.d) * (20.0 + 10.0 * load_nanoseconds(bins))
    }

    fn network(&self) -> Option<&Network> {
        Some(&self.graph)
    }

    fn chases_memory(&self) -> bool {
        self.graph.is_stored_and_fixed()
    }

    fn movement(&self) -> Movement {
        Movement::Walkers {
            count: self.d,
            restart: self.reset != Reset::Never,
            turn_back: self.step == Step::Simple,
        }
    }
}

fn read_reset(args: &mut Args<'_>) -> Reset {
    let Some(Value::Call(call)) = args.value("reset") else {
        if args.span_of("reset").is_some() {
            unknown_reset(args);
        }
        return Reset::Never;
    };
    let mut parameters = call.args(&["length"]);
    let reset = match call.name.as_str() {
        "never" => Reset::Never,
        "meet" => Reset::Meet,
        "every" => Reset::Every(parameters.integer("length", 1..=u64::MAX >> 11)),
        "intersect" => Reset::Intersect(parameters.integer("length", 1..=MOST_TRAIL)),
        _ => {
            unknown_reset(args);
            return Reset::Never;
        }
    };
    let read: Result<(), Vec<Problem>> = parameters.finish();
    args.nested(read.map(|()| reset)).unwrap_or(Reset::Never)
}

fn unknown_reset(args: &mut Args<'_>) {
    let help = "it is never, every(L), meet or intersect(L)".to_string();
    args.problem(args.span_of("reset"), "`reset` is not known", Some(help));
}

/// Where the walkers of one dispatcher are.
#[derive(Debug)]
struct Walkers<T> {
    walks: Walks,
    roads: Roads,
    start: Index,
    /// `None` before the first ball.
    team: Option<T>,
    /// The last vertices of each walker, where resets ask for them.
    trails: Vec<VecDeque<u32>>,
    /// Balls since the last reset.
    balls: u64,
}

#[derive(Clone, Copy, Debug)]
struct Walker {
    at: u32,
    /// Where it came from; `None` after a reset.
    from: Option<u32>,
}

/// All walkers of a dispatcher. Two of them, the usual number, are an array.
trait Team: AsMut<[Walker]> + AsRef<[Walker]> {
    type Set: CandidateSet;

    fn of(d: u32, start: impl FnMut() -> Walker) -> Self;
    fn positions(&self) -> Self::Set;
}

impl Team for [Walker; 2] {
    type Set = [ServerId; 2];

    fn of(_: u32, mut start: impl FnMut() -> Walker) -> Self {
        std::array::from_fn(|_| start())
    }

    #[inline(always)]
    fn positions(&self) -> [ServerId; 2] {
        self.map(|walker| ServerId(walker.at))
    }
}

impl Team for Vec<Walker> {
    type Set = Candidates;

    fn of(d: u32, mut start: impl FnMut() -> Walker) -> Self {
        (0..d).map(|_| start()).collect()
    }

    fn positions(&self) -> Candidates {
        self.iter().map(|walker| ServerId(walker.at)).collect()
    }
}

impl<T> Clone for Walkers<T> {
    /// Another dispatcher has walkers of its own, which start anew.
    fn clone(&self) -> Self {
        Self::new(self.roads.clone(), self.walks.clone())
    }
}

impl<T> Walkers<T> {
    fn new(roads: Roads, walks: Walks) -> Self {
        let start = Index::new(roads.vertices());
        Self { walks, roads, start, team: None, trails: Vec::new(), balls: 0 }
    }
}

impl<T: Team> Walkers<T> {
    #[cold]
    fn fresh<R: Rng + ?Sized>(&mut self, rng: &mut R) -> T {
        let team = T::of(self.walks.d, || {
            let at = self.start.draw(rng) as u32;
            self.roads.prefetch(at);
            Walker { at, from: None }
        });
        if let Reset::Intersect(_) = self.walks.reset {
            self.trails = team.as_ref().iter().map(|walker| [walker.at].into()).collect();
        }
        self.balls = 0;
        team
    }

    #[inline(always)]
    fn step_all<R: Rng + ?Sized>(&mut self, team: &mut T, rng: &mut R) {
        for walker in team.as_mut() {
            let next = match (self.walks.step, walker.from) {
                (Step::NonBacktracking, Some(from)) => self.roads.step_on(from, walker.at, rng),
                _ => self.roads.step(walker.at, rng),
            };
            self.roads.prefetch(next);
            *walker = Walker { at: next, from: Some(walker.at) };
        }
        if let Reset::Intersect(length) = self.walks.reset {
            self.remember(team, length);
        }
        self.balls += 1;
    }

    fn remember(&mut self, team: &T, length: u64) {
        for (trail, walker) in self.trails.iter_mut().zip(team.as_ref()) {
            trail.push_back(walker.at);
            if trail.len() as u64 > length {
                trail.pop_front();
            }
        }
    }

    #[inline(always)]
    fn must_restart(&self, team: &T) -> bool {
        match self.walks.reset {
            Reset::Never => false,
            Reset::Every(balls) => self.balls >= balls,
            Reset::Meet => any_two(team.as_ref(), |a, b| a.at == b.at),
            Reset::Intersect(_) => {
                any_two(&self.trails, |a, b| a.iter().any(|vertex| b.contains(vertex)))
            }
        }
    }
}

fn any_two<T>(all: &[T], related: impl Fn(&T, &T) -> bool) -> bool {
    all.iter().enumerate().any(|(i, a)| all[..i].iter().any(|b| related(a, b)))
}

impl<A, T: Team> Sampler<A> for Walkers<T> {
    type Set = T::Set;

    const CHASES_MEMORY: bool = true;

    #[inline(always)]
    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> T::Set {
        let mut team = match self.team.take() {
            Some(team) => team,
            None => self.fresh(rng),
        };
        let positions = team.positions();
        self.step_all(&mut team, rng);
        if self.must_restart(&team) {
            team = self.fresh(rng);
        }
        self.team = Some(team);
        positions
    }
}

#[cfg(test)]
mod tests {
    use crate::PolicySpec;

    #[test]
    fn resets_are_read() {
        for source in [
            "walks(2, ring)",
            "walks(3, regular(4), reset=every(100))",
            "walks(2, torus(5, 7), reset=meet, step=simple)",
            "walks(2, hypercube, reset=intersect(4))",
        ] {
            assert_eq!(PolicySpec::parse(source).unwrap().to_string(), source);
        }
        for bad in [
            "walks(2)",
            "walks(2, rnig)",
            "walks(2, ring, reset=often)",
            "walks(2, ring, reset=every(0))",
            "walks(2, ring, reset=3)",
        ] {
            assert!(PolicySpec::parse(bad).is_err(), "{bad}");
        }
    }
}
