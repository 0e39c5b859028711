//! Which engine can run a model, and which one is taken.

use evenhand_policies::comparisons::Comparison;
use evenhand_policies::subsets::SubsetSpec;
use evenhand_sim::{ArrivalSpec, Keys};

use crate::model::{Discipline, MOST_SERVERS, Queue};
use crate::signal::QueueSignal;

/// How a queue is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// First come, first served: a departure is known on arrival, and nothing is queued.
    Lazy,
    /// Events in order of time: anything.
    Event,
    /// Exponential service: queue lengths by steps of equal mean duration, no job times.
    Uniformised,
    /// Exponential service, exchangeable policies: the number of servers at each length.
    Profile,
}

impl Engine {
    /// All engines, in the order in which they are preferred.
    pub const ALL: [Self; 4] = [Self::Lazy, Self::Event, Self::Uniformised, Self::Profile];

    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lazy => "lazy",
            Self::Event => "event",
            Self::Uniformised => "uniformised",
            Self::Profile => "profile",
        }
    }
}

impl Engine {
    /// True if it sees the times of single jobs, so that [`Queue::run_observed`] tells of them.
    pub fn sees_jobs(self) -> bool {
        matches!(self, Self::Lazy | Self::Event)
    }

    /// Why it is taken, in words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Lazy => "first come first served, and the policy polls particular servers",
            Self::Uniformised | Self::Profile => "a Markov chain of queue lengths",
            Self::Event => "events in order of time: no faster engine has what is asked for",
        }
    }
}

/// Servers that the lazy engine can still hold: 4 GiB of lines.
const MOST_LAZY_SERVERS: u64 = 1 << 26;
/// Servers of an engine that numbers them: a server id has 32 bits.
pub(crate) const MOST_NUMBERED_SERVERS: u64 = 1 << 32;

/// What an engine does not do, and whether a queue needs it.
type Needs = (bool, &'static str);

impl Queue {
    /// Why the engine cannot run this queue; `None` if it can.
    pub fn unsupported(&self, engine: Engine) -> Option<String> {
        let needs: &[&[Needs]] = match engine {
            Engine::Event => &[&self.numbered()],
            Engine::Lazy => &[&self.numbered(), &self.lazy()],
            Engine::Uniformised => &[&self.numbered(), &self.markov(), &self.lengths()],
            Engine::Profile => &[&self.markov(), &self.counts()],
        };
        let (_, what) = needs.iter().copied().flatten().find(|(needed, _)| *needed)?;
        Some(format!("the {} engine does not do {what}", engine.name()))
    }

    fn numbered(&self) -> [Needs; 1] {
        [(self.servers > MOST_NUMBERED_SERVERS, "more than 2^32 servers")]
    }

    fn lazy(&self) -> [Needs; 5] {
        [
            (self.discipline != Discipline::Fifo, "a discipline other than fifo"),
            (self.policy.reads_index(), "a policy that reads all queues"),
            (self.policy.reads_average(), "a policy that reads the average load"),
            (self.signal == QueueSignal::Local, "the signal local"),
            (matches!(self.signal, QueueSignal::Periodic { .. }), "the signal periodic"),
        ]
    }

    /// What makes queue lengths more than a Markov chain.
    fn markov(&self) -> [Needs; 2] {
        [
            (!self.service.is_exponential(), "service that is not exponential"),
            (!matches!(self.arrivals, ArrivalSpec::Poisson), "arrivals that are not Poisson"),
        ]
    }

    fn lengths(&self) -> [Needs; 4] {
        [
            (self.policy.reads_index(), "a policy that reads all queues"),
            (self.policy.reads_work(), "a policy that reads unfinished work"),
            (self.signal == QueueSignal::Local, "the signal local"),
            (matches!(self.signal, QueueSignal::Periodic { .. }), "the signal periodic"),
        ]
    }

    fn counts(&self) -> [Needs; 8] {
        [
            (Keys::of(&self.policy, MOST_SERVERS).is_none(), "this policy"),
            (!self.speeds.are_equal(), "speeds"),
            (self.signal != QueueSignal::Exact, "a signal other than exact"),
            (self.comparison != Comparison::Exact, "a comparison other than exact"),
            (self.dispatchers != 1, "several dispatchers"),
            (self.subset != SubsetSpec::All, "subsets of servers"),
            (self.spatial.is_some(), "places"),
            (self.servers > MOST_SERVERS, "more than 2^53 servers"),
        ]
    }

    /// The engine that `auto` takes: one that sees the times of jobs, unless there are too many
    /// servers for it.
    ///
    /// # Panics
    /// If [`Queue::check`] would have refused.
    pub fn auto_engine(&self) -> Engine {
        let able = |engine: &Engine| self.unsupported(*engine).is_none();
        let large = self.servers > MOST_LAZY_SERVERS;
        let profile = Some(Engine::Profile).filter(|engine| large && able(engine));
        let engine = profile.or_else(|| Engine::ALL.into_iter().find(able));
        engine.expect("the event engine runs any queue that was checked")
    }
}
