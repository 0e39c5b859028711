//! Jobs on their way to a server: when they arrive, at which dispatcher, and with which
//! candidates.

mod untimed;

use std::sync::Arc;

use evenhand_core::{
    CandidateLists, Choice, ErasedRule, ErasedSampler, Index, Policy, Role, Rule, Sampler,
    ServerId, Signal, Stream, Streams,
};
use evenhand_policies::subsets::SubsetSpec;
use evenhand_policies::{User, Visit, World};
use evenhand_sim::{ArrivalProcess, Service, Users, draw_shares};
use evenhand_topology::space::{NearestIndex, Places, Point};
use rand_distr::Distribution;
use rand_distr::weighted::WeightedAliasIndex;

use crate::model::Queue;
use crate::plan::{End, Plan};
pub(crate) use untimed::SOME_JOB;

/// A job on arrival.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub arrival: f64,
    /// Service time at speed 1.
    pub size: f64,
    pub dispatcher: u32,
    pub user: User,
}

/// The dispatcher of jobs that are there at time 0.
pub(crate) const NOBODY: u32 = u32::MAX;

impl Job {
    /// A job that is there at time 0.
    pub(crate) fn initial(size: f64) -> Self {
        Self { arrival: 0.0, size, dispatcher: NOBODY, user: NOWHERE }
    }
}

/// Jobs in order of arrival, with their candidates.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub jobs: Vec<Job>,
    pub candidates: CandidateLists,
}

/// Arrivals and sizes of jobs, in order of arrival.
#[derive(Debug, Default)]
pub(crate) struct Times {
    pub arrivals: Vec<f64>,
    /// Service times at speed 1.
    pub sizes: Vec<f64>,
}

/// Jobs drawn ahead in a batch: their queues are on the way from memory while the batch before
/// is placed.
const BATCH: usize = 16;

/// The place of users where places mean nothing.
const NOWHERE: User = User { index: 0, point: Point { x: 0.0, y: 0.0 } };

/// What is drawn for a replication before its policy is built.
pub(crate) struct Site {
    pub speeds: Option<Arc<[f64]>>,
    pub places: Option<(Arc<Places>, Arc<NearestIndex>)>,
    world: Stream,
}

impl Site {
    pub(crate) fn draw(queue: &Queue, replication: u64) -> Self {
        let mut world = queue.world_seed(replication).stream(Role::World);
        let speeds = queue.speeds.draw(queue.servers as usize, &mut world);
        let places =
            queue.spatial.as_ref().map(|spatial| spatial.servers(queue.servers, &mut world));
        Self { speeds, places, world }
    }

    /// Distance from a user to a server, in metres or in the units of the plane.
    pub(crate) fn distance(&self, user: User, server: ServerId) -> Option<f64> {
        let (places, _) = self.places.as_ref()?;
        Some(places.metric.distance(user.point, places.points[server.index()]))
    }
}

/// The arrivals of a replication and its dispatchers, whose rules read the signal `G`.
pub(crate) struct Front<'q, G> {
    queue: &'q Queue,
    plan: &'q Plan,
    arrivals: ArrivalProcess,
    arrival_stream: Stream,
    size_stream: Stream,
    users: Option<Users>,
    shares: Shares,
    dispatchers: Vec<Dispatcher<G>>,
    arrived: u64,
    times: Times,
    /// The policy looks at a user's place.
    scratch: Vec<User>,
}

impl<'q, G: Signal<Load = f64> + 'static> Front<'q, G> {
    pub(crate) fn new(queue: &'q Queue, plan: &'q Plan, site: &mut Site, replication: u64) -> Self {
        let seed = queue.world_seed(replication);
        let arrivals = queue.arrivals.process(queue.rate).expect("the arrivals were checked");
        Self {
            queue,
            plan,
            arrivals,
            arrival_stream: seed.stream(Role::Arrivals),
            size_stream: seed.stream(Role::Service),
            users: queue.spatial.as_ref().map(|spatial| spatial.users(&seed)),
            shares: Shares::draw(
                queue.dispatchers,
                queue.shares.as_ref(),
                seed.stream(Role::Dispatchers),
            ),
            dispatchers: dispatchers(queue, site, replication),
            arrived: 0,
            times: Times::default(),
            scratch: Vec::new(),
        }
    }

    /// Number of jobs drawn so far.
    pub(crate) fn arrived(&self) -> u64 {
        self.arrived
    }

    /// The servers that each dispatcher knows; nothing if all know all.
    pub(crate) fn known(&self) -> Vec<Arc<[ServerId]>> {
        self.dispatchers.iter().filter_map(|dispatcher| dispatcher.known.clone()).collect()
    }

    /// Draws the next jobs and their candidates into `batch`; none after the end.
    pub(crate) fn fill(&mut self, batch: &mut Batch) {
        batch.jobs.clear();
        batch.candidates.clear();
        let mut times = std::mem::take(&mut self.times);
        self.draw_times(BATCH, &mut times);
        for (&arrival, &size) in times.arrivals.iter().zip(&times.sizes) {
            let user = self.users.as_mut().map_or(NOWHERE, Users::draw);
            let dispatcher = self.shares.next();
            batch.jobs.push(Job { arrival, size, dispatcher, user });
        }
        self.times = times;
        self.sample(batch);
    }

    /// Draws arrivals and sizes of at most `count` jobs, the next ones; of none after the end.
    pub(crate) fn draw_times(&mut self, count: usize, times: &mut Times) {
        let Times { arrivals, sizes } = times;
        arrivals.clear();
        sizes.clear();
        let count = match self.plan.end {
            End::Jobs(jobs) => count.min((jobs - self.arrived) as usize),
            End::Time(_) => count,
        };
        self.arrivals.next_arrivals(count, &mut self.arrival_stream, arrivals);
        sizes.extend(self.arrivals.own_services(arrivals.len()).into_iter().flatten());
        if let End::Time(end) = self.plan.end {
            arrivals.truncate(arrivals.partition_point(|&time| time <= end));
            sizes.truncate(arrivals.len());
        }
        if sizes.len() < arrivals.len() {
            self.queue.service.sample_all(arrivals.len(), &mut self.size_stream, sizes);
        }
        self.arrived += arrivals.len() as u64;
    }

    /// Draws the candidates of the jobs of `batch`.
    fn sample(&mut self, batch: &mut Batch) {
        match self.dispatchers.as_mut_slice() {
            [only] if self.users.is_none() => {
                only.sample(&[NOWHERE; BATCH][..batch.jobs.len()], &mut batch.candidates);
            }
            [only] => {
                self.scratch.clear();
                self.scratch.extend(batch.jobs.iter().map(|job| job.user));
                only.sample(&self.scratch, &mut batch.candidates);
            }
            many => batch.jobs.iter().for_each(|job| {
                many[job.dispatcher as usize].sample(&[job.user], &mut batch.candidates);
            }),
        }
    }

    /// The server for a job. There is always one: every server is eligible.
    #[inline]
    pub(crate) fn choose(
        &mut self,
        job: &Job,
        candidates: &[ServerId],
        signal: &G,
    ) -> Option<Choice> {
        let dispatcher = &mut self.dispatchers[job.dispatcher as usize];
        dispatcher.rule.choose_erased(candidates, signal, &mut dispatcher.streams.rule)
    }

    /// Lets the rule see the queues after the job is placed.
    #[inline]
    pub(crate) fn placed(
        &mut self,
        job: &Job,
        candidates: &[ServerId],
        choice: &Choice,
        signal: &G,
    ) {
        let dispatcher = &mut self.dispatchers[job.dispatcher as usize];
        let rng = &mut dispatcher.streams.rule;
        dispatcher.rule.placed_erased(candidates, choice, signal, rng);
    }
}

/// A policy with its own streams.
struct Dispatcher<G> {
    sampler: Box<dyn ErasedSampler<User>>,
    rule: Box<dyn ErasedRule<G>>,
    streams: Streams,
    /// The servers that it knows; the policy numbers them from 0. `None` if it knows all.
    known: Option<Arc<[ServerId]>>,
}

impl<G> Dispatcher<G> {
    fn sample(&mut self, users: &[User], lists: &mut CandidateLists) {
        let before = lists.servers().len();
        self.sampler.sample_all(users, &mut self.streams.sample, lists);
        if let Some(known) = &self.known {
            for server in &mut lists.servers_mut()[before..] {
                *server = known[server.index()];
            }
        }
    }
}

fn dispatchers<G: Signal<Load = f64> + 'static>(
    queue: &Queue,
    site: &mut Site,
    replication: u64,
) -> Vec<Dispatcher<G>> {
    let streams = |dispatcher| queue.policy_seed(replication, dispatcher).streams();
    if queue.subset == SubsetSpec::All {
        let speeds = site.speeds.clone();
        let copies = queue.dispatchers as usize;
        let parts = parts(queue, site, queue.servers, speeds, copies);
        let dispatcher = |(sampler, rule), number| Dispatcher {
            sampler,
            rule,
            streams: streams(number),
            known: None,
        };
        return parts.into_iter().zip(0..).map(|(part, i)| dispatcher(part, i)).collect();
    }
    let count = queue.dispatchers as usize;
    let subsets = queue.subset.draw(count, queue.servers, &mut site.world);
    let subsets = subsets.expect("the subset was checked");
    let each = subsets.into_iter().zip(0..).map(|(known, number)| {
        let speeds = site.speeds.clone();
        let speeds = speeds.map(|all| known.iter().map(|server| all[server.index()]).collect());
        let mut parts = parts(queue, site, known.len() as u64, speeds, 1);
        let (sampler, rule) = parts.pop().expect("one was asked for");
        Dispatcher { sampler, rule, streams: streams(number), known: Some(known.into()) }
    });
    each.collect()
}

type Parts<G> = (Box<dyn ErasedSampler<User>>, Box<dyn ErasedRule<G>>);

/// Sampler and rule of `copies` dispatchers in one world.
fn parts<G: Signal<Load = f64> + 'static>(
    queue: &Queue,
    site: &mut Site,
    servers: u64,
    speeds: Option<Arc<[f64]>>,
    copies: usize,
) -> Vec<Parts<G>> {
    let places = site.places.as_ref();
    let neighbours = queue.spatial.as_ref().zip(places).and_then(|(spatial, (_, index))| {
        spatial.neighbours(index, queue.policy.neighbours(servers))
    });
    let world = World {
        bins: servers,
        speeds,
        servers: places.map(|(places, _)| places.clone()),
        places: places.map(|(_, index)| index.clone()),
        neighbours,
        comparison: queue.comparison,
        stream: &mut site.world,
    };
    queue.policy.visit(world, Copies { copies, signal: std::marker::PhantomData })
}

/// Makes dispatchers by cloning a policy: a clone has a state of its own.
struct Copies<G> {
    copies: usize,
    signal: std::marker::PhantomData<G>,
}

impl<G: Signal<Load = f64> + 'static> Visit for Copies<G> {
    type Out = Vec<Parts<G>>;

    fn visit<S, R>(self, policy: Policy<S, R>) -> Self::Out
    where
        S: Sampler<()> + Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        self.visit_placed(policy)
    }

    fn visit_placed<S, R>(self, policy: Policy<S, R>) -> Self::Out
    where
        S: Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        let copy = |_| -> Parts<G> {
            let Policy { sampler, rule } = policy.clone();
            (Box::new(sampler), Box::new(rule))
        };
        (0..self.copies).map(copy).collect()
    }
}

/// Which dispatcher gets a job.
enum Shares {
    One,
    Equal { index: Index, stream: Stream },
    Uneven { alias: WeightedAliasIndex<f64>, stream: Stream },
}

impl Shares {
    fn draw(dispatchers: u32, law: Option<&Service>, mut stream: Stream) -> Self {
        match law {
            _ if dispatchers == 1 => Self::One,
            None => Self::Equal { index: Index::new(dispatchers.into()), stream },
            Some(law) => {
                let shares = draw_shares(law, dispatchers as usize, &mut stream);
                let alias = WeightedAliasIndex::new(shares).expect("shares are positive");
                Self::Uneven { alias, stream }
            }
        }
    }

    fn next(&mut self) -> u32 {
        match self {
            Self::One => 0,
            Self::Equal { index, stream } => index.draw(stream) as u32,
            Self::Uneven { alias, stream } => alias.sample(stream) as u32,
        }
    }
}
