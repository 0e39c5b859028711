//! The model: servers, jobs, dispatchers.

use evenhand_core::{PointHash, ReplicationSeed, Role, ServerId};
use evenhand_policies::comparisons::Comparison;
use evenhand_policies::subsets::SubsetSpec;
use evenhand_policies::{Issue, PolicySpec, Setting};
use evenhand_sim::{ArrivalSpec, Control, Interrupted, Service, Spatial, Speeds};

use crate::engine::{Engine, MOST_NUMBERED_SERVERS};
use crate::event;
use crate::lazy;
use crate::outcome::{JobRow, Outcome};
use crate::plan::Plan;
use crate::signal::QueueSignal;
use crate::{profile, uniformised};

/// In which order a server works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Discipline {
    /// One job at a time, first come, first served.
    #[default]
    Fifo,
    /// All jobs at once, each with an equal share of the speed: processor sharing.
    Ps,
}

impl Discipline {
    /// The word of the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fifo => "fifo",
            Self::Ps => "ps",
        }
    }
}

/// How the servers stand at time 0.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Initial {
    /// No job anywhere.
    #[default]
    Empty,
    /// The fraction of servers with at least 1, 2, ... jobs, whose service starts at time 0.
    Profile(Vec<f64>),
}

/// A model: `servers` servers with queues, jobs that arrive, a policy that picks a server.
#[derive(Clone, Debug)]
pub struct Queue {
    /// The policy.
    pub policy: PolicySpec,
    /// Number of servers.
    pub servers: u64,
    /// Speeds of the servers: a job of size x takes a server of speed v the time x / v.
    pub speeds: Speeds,
    /// Sizes of the jobs: their service time at speed 1.
    pub service: Service,
    /// When jobs arrive.
    pub arrivals: ArrivalSpec,
    /// Jobs per unit of time, of all dispatchers; `None` for the rate of a trace.
    pub rate: Option<f64>,
    /// In which order servers work.
    pub discipline: Discipline,
    /// Most jobs at a server, the one in service included; a job sent to a full server is lost.
    pub buffer: Option<u32>,
    /// Number of dispatchers, each with a policy of its own.
    pub dispatchers: u32,
    /// Law of the dispatchers' shares of the jobs; `None` for equal shares.
    pub shares: Option<Service>,
    /// Which servers each dispatcher knows.
    pub subset: SubsetSpec,
    /// What dispatchers see of the queues.
    pub signal: QueueSignal,
    /// How loads are compared.
    pub comparison: Comparison,
    /// Places of servers and users.
    pub spatial: Option<Spatial>,
    /// Time that a kilometre between user and server adds to a job's sojourn.
    pub latency_per_km: f64,
    /// How the servers stand at time 0.
    pub initial: Initial,
    /// Master seed.
    pub seed: u64,
}

/// Most servers: counts of servers are exact as doubles up to here.
pub(crate) const MOST_SERVERS: u64 = 1 << 53;
/// Most counts of the signal `local`: 4 GB.
const MOST_COUNTS: u64 = 1 << 30;

impl Queue {
    /// Equal servers, exponential service of mean 1, Poisson arrivals at `load` per server, one
    /// dispatcher that sees all queues, seed 1.
    pub fn new(policy: PolicySpec, servers: u64, load: f64) -> Self {
        Self {
            policy,
            servers,
            speeds: Speeds::equal(),
            service: Service::parse("exponential").expect("a law"),
            arrivals: ArrivalSpec::Poisson,
            rate: Some(load * servers as f64),
            discipline: Discipline::Fifo,
            buffer: None,
            dispatchers: 1,
            shares: None,
            subset: SubsetSpec::All,
            signal: QueueSignal::Exact,
            comparison: Comparison::Exact,
            spatial: None,
            latency_per_km: 0.0,
            initial: Initial::Empty,
            seed: 1,
        }
    }

    /// What prevents the queue from running; empty if nothing does.
    pub fn check(&self) -> Vec<Issue> {
        let mut issues = Vec::new();
        if !(1..=MOST_SERVERS).contains(&self.servers) {
            let message = format!("{} servers are not possible", self.servers);
            return vec![Issue::whole(message, format!("give 1 to {MOST_SERVERS}"))];
        }
        if self.servers > MOST_NUMBERED_SERVERS
            && let Some(reason) = self.unsupported(Engine::Profile)
        {
            let message = format!("{} servers need the profile engine, but {reason}", self.servers);
            return vec![Issue::whole(message, format!("give at most {MOST_NUMBERED_SERVERS}"))];
        }
        if self.dispatchers == 0 {
            issues.push(Issue::whole("there are no dispatchers".into(), "give at least 1"));
        }
        let known = self.subset.k().unwrap_or(self.servers);
        if self.subset != SubsetSpec::All {
            issues.extend(self.subset.check(self.servers));
        }
        issues.extend(self.policy.check(&Setting {
            bins: known,
            metric: self.spatial.as_ref().map(Spatial::metric),
            has_speeds: !self.speeds.are_equal(),
            has_weights: false,
            has_jobs: true,
            comparison: self.comparison,
        }));
        issues.extend(self.check_signal());
        if self.buffer == Some(0) {
            issues.push(Issue::whole("a buffer of 0 loses every job".into(), "give at least 1"));
        }
        issues.extend(self.check_subset());
        issues.extend(self.check_local());
        issues
    }

    /// What the signal cannot show, or cannot show to the policy.
    fn check_signal(&self) -> Option<Issue> {
        let (message, help) = match self.signal {
            QueueSignal::PerSpeed { .. } if self.speeds.are_equal() => {
                ("the signal `per-speed` needs speeds".to_string(), "give them with --speeds")
            }
            QueueSignal::PerSpeed { after: true } if matches!(self.policy, PolicySpec::Idle(_)) => {
                let message = "under `per-speed`, which counts the arriving job, no server is idle";
                (message.to_string(), "use per-speed(after=false), or leave out the signal")
            }
            QueueSignal::Exact => return None,
            signal if self.policy.reads_work() => (
                format!("the signal `{signal}` does not show unfinished work"),
                "use the signal exact, or choices instead of least-work",
            ),
            _ => return None,
        };
        Some(Issue::whole(message, help))
    }

    /// Local counts are a table of dispatchers by servers.
    fn check_local(&self) -> Option<Issue> {
        let counts = self.servers.saturating_mul(self.dispatchers.into());
        (self.signal == QueueSignal::Local && counts > MOST_COUNTS).then(|| {
            let message = format!("the signal `local` would keep {counts} counts");
            let help = format!("servers times dispatchers can be up to {MOST_COUNTS}");
            Issue::whole(message, help)
        })
    }

    /// A subset renames the servers of a sampler that draws from a plain set.
    fn check_subset(&self) -> Option<Issue> {
        let plain = matches!(
            self.policy,
            PolicySpec::Choices(_)
                | PolicySpec::OnePlusBeta(_)
                | PolicySpec::Memory(_)
                | PolicySpec::Threshold(_)
                | PolicySpec::Idle(_)
                | PolicySpec::LeastWork(_)
                | PolicySpec::All(_)
                | PolicySpec::RoundRobin(_)
        );
        (self.subset != SubsetSpec::All && !plain).then(|| {
            let message = format!("a subset cannot be wrapped around the policy {}", self.policy);
            let help = "use choices, idle, least-work, all, round-robin, or leave out the subset";
            Issue::whole(message, help)
        })
    }

    /// Mean speed of the servers, in expectation where speeds are drawn.
    pub fn mean_speed(&self) -> f64 {
        self.speeds.mean(self.servers as usize)
    }

    /// Jobs per unit of time; `None` for a trace without a rate.
    pub fn total_rate(&self) -> Option<f64> {
        self.rate.or_else(|| self.arrivals.rate())
    }

    /// Mean size of the jobs.
    pub fn mean_size(&self) -> f64 {
        let own = self.arrivals.trace().and_then(evenhand_sim::Trace::mean_service);
        own.unwrap_or_else(|| self.service.mean())
    }

    /// Utilisation: arrival rate times mean size over total speed. `None` without a rate.
    pub fn load(&self) -> Option<f64> {
        Some(self.total_rate()? * self.mean_size() / (self.servers as f64 * self.mean_speed()))
    }

    /// Memory of one running replication in bytes.
    pub fn memory_bytes(&self, engine: Engine) -> u64 {
        let per_server = match engine {
            Engine::Profile => 0.0,
            Engine::Uniformised => 4.0,
            Engine::Lazy => 64.0,
            Engine::Event => 160.0,
        };
        let speeds = if self.speeds.are_equal() { 0.0 } else { 28.0 };
        let places = if self.spatial.is_some() { 64.0 } else { 0.0 };
        let known = self.subset.k().unwrap_or(0) * u64::from(self.dispatchers) * 8;
        let servers = self.servers as f64;
        (servers * (per_server + speeds + places) + self.policy.graph_bytes(self.servers)) as u64
            + known
    }

    /// What the reader of a result should know of the graph of the policy.
    pub fn warnings(&self) -> Vec<String> {
        let places_vary = self.spatial.as_ref().is_some_and(Spatial::places_vary);
        self.policy.warnings(self.servers, places_vary, || None)
    }

    /// Simulates replication number `replication`.
    ///
    /// The outcome depends on the model, the plan, the engine, the seed and the number only.
    ///
    /// # Errors
    /// [`Interrupted`] if `control` says stop.
    ///
    /// # Panics
    /// If [`Queue::check`] or [`Queue::unsupported`] would have refused.
    pub fn run(
        &self,
        engine: Engine,
        plan: &Plan,
        replication: u64,
        control: &Control,
    ) -> Result<Outcome, Interrupted> {
        self.run_with(engine, plan, replication, control, None)
    }

    /// As [`Queue::run`], and `observer` is told of each counted job, by the engines that see
    /// jobs ([`Engine::sees_jobs`]): in order of arrival, under processor sharing of departure.
    ///
    /// # Errors
    /// As [`Queue::run`].
    ///
    /// # Panics
    /// As [`Queue::run`].
    pub fn run_observed(
        &self,
        engine: Engine,
        plan: &Plan,
        replication: u64,
        control: &Control,
        observer: &mut dyn FnMut(&JobRow),
    ) -> Result<Outcome, Interrupted> {
        self.run_with(engine, plan, replication, control, Some(observer))
    }

    fn run_with(
        &self,
        engine: Engine,
        plan: &Plan,
        replication: u64,
        control: &Control,
        observer: Option<&mut dyn FnMut(&JobRow)>,
    ) -> Result<Outcome, Interrupted> {
        control.advance(0)?;
        match engine {
            Engine::Lazy => lazy::run(self, plan, replication, control, observer),
            Engine::Event => event::run(self, plan, replication, control, observer),
            Engine::Uniformised => uniformised::run(self, plan, replication, control),
            Engine::Profile => profile::run(self, plan, replication, control),
        }
    }

    /// Canonical text of the model without the policy and what it sees: it seeds arrivals, sizes
    /// and places, so that policies are compared on the same jobs.
    fn world_text(&self) -> String {
        let rate = self.rate.map_or("own".to_string(), |rate| rate.to_string());
        let places = self.spatial.as_ref().map_or(String::new(), |spatial| spatial.text());
        format!(
            "queue;servers={};service={};arrivals={};rate={rate};speeds={};dispatchers={};{places}",
            self.servers, self.service, self.arrivals, self.speeds, self.dispatchers,
        )
    }

    /// The jobs that are there at time 0, each with its size: server after server gets its first
    /// job, then its second, as the profile says.
    pub(crate) fn initial_jobs(&self, replication: u64) -> impl Iterator<Item = (ServerId, f64)> {
        let profile: &[f64] = match &self.initial {
            Initial::Empty => &[],
            Initial::Profile(profile) => profile,
        };
        let mut sizes = self.world_seed(replication).stream(Role::Departures);
        let servers = |fraction: &f64| 0..(fraction * self.servers as f64).round() as u32;
        let all = profile.iter().flat_map(servers);
        all.map(move |server| (ServerId(server), self.service.sample(&mut sizes)))
    }

    pub(crate) fn world_seed(&self, replication: u64) -> ReplicationSeed {
        let point = PointHash::of(&self.world_text());
        ReplicationSeed { master: self.seed, point, replication }
    }

    /// Seed of the streams of one dispatcher's policy.
    pub(crate) fn policy_seed(&self, replication: u64, dispatcher: u32) -> ReplicationSeed {
        let text = format!(
            "{};policy={};{};{};{};dispatcher={dispatcher}",
            self.world_text(),
            self.policy,
            self.signal,
            self.comparison,
            self.subset,
        );
        ReplicationSeed { master: self.seed, point: PointHash::of(&text), replication }
    }
}
