//! The same model in the simulation framework desque, as its documentation writes models: one
//! type per kind of event, which schedules the next one.

use std::cmp::Ordering;
use std::collections::VecDeque;

use desque::serial::{Event, Simulation};
use desque::{Result, SimState, SimTime};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Exp};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Time(f64);

impl Eq for Time {}

impl Ord for Time {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl SimTime for Time {}

struct Fleet {
    rng: SmallRng,
    gap: Exp<f64>,
    service: Exp<f64>,
    queues: Vec<VecDeque<f64>>,
    jobs: u64,
    arrived: u64,
    left: u64,
    sum: f64,
}

impl SimState<Time> for Fleet {
    fn is_complete(&self, _: &Time) -> bool {
        self.arrived == self.jobs
    }
}

#[derive(Debug)]
struct Arrival;

impl Event<Fleet, Time> for Arrival {
    fn execute(&mut self, simulation: &mut Simulation<Fleet, Time>) -> Result {
        let Time(now) = *simulation.current_time();
        let fleet = simulation.state_mut();
        let i = fleet.rng.random_range(0..fleet.queues.len());
        let j = fleet.rng.random_range(0..fleet.queues.len());
        let server = if fleet.queues[i].len() <= fleet.queues[j].len() { i } else { j };
        fleet.queues[server].push_back(now);
        fleet.arrived += 1;
        let next = Time(now + fleet.gap.sample(&mut fleet.rng));
        if fleet.queues[server].len() == 1 {
            let end = Time(now + fleet.service.sample(&mut fleet.rng));
            simulation.schedule(Departure { server }, end)?;
        }
        simulation.schedule(Arrival, next)
    }
}

#[derive(Debug)]
struct Departure {
    server: usize,
}

impl Event<Fleet, Time> for Departure {
    fn execute(&mut self, simulation: &mut Simulation<Fleet, Time>) -> Result {
        let Time(now) = *simulation.current_time();
        let server = self.server;
        let fleet = simulation.state_mut();
        let since = fleet.queues[server].pop_front().expect("a job leaves");
        fleet.sum += now - since;
        fleet.left += 1;
        if fleet.queues[server].is_empty() {
            return Ok(());
        }
        let end = Time(now + fleet.service.sample(&mut fleet.rng));
        simulation.schedule(Self { server }, end)
    }
}

/// Mean sojourn time of the jobs that leave until `jobs` have arrived.
pub(crate) fn mean_sojourn(servers: usize, load: f64, jobs: u64) -> f64 {
    let fleet = Fleet {
        rng: SmallRng::seed_from_u64(1),
        gap: Exp::new(load * servers as f64).expect("a positive rate"),
        service: Exp::new(1.0).expect("a positive rate"),
        queues: vec![VecDeque::new(); servers],
        jobs,
        arrived: 0,
        left: 0,
        sum: 0.0,
    };
    let mut simulation = Simulation::new(fleet, Time(0.0));
    simulation.schedule(Arrival, Time(0.0)).expect("time 0 is not past");
    simulation.run().expect("no event fails");
    simulation.state().sum / simulation.state().left as f64
}
