//! What one writes first: a queue of arrival times per server, a heap of departures.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, VecDeque};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Exp};

#[derive(PartialEq)]
struct Departure {
    time: f64,
    server: usize,
}

impl Eq for Departure {}

impl Ord for Departure {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time)
    }
}

impl PartialOrd for Departure {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Mean sojourn time of the jobs that leave until `jobs` have arrived.
pub(crate) fn mean_sojourn(servers: usize, load: f64, jobs: u64) -> f64 {
    let mut rng = SmallRng::seed_from_u64(1);
    let gap = Exp::new(load * servers as f64).expect("a positive rate");
    let service = Exp::new(1.0).expect("a positive rate");
    let mut queues = vec![VecDeque::<f64>::new(); servers];
    let mut departures = BinaryHeap::new();
    let mut arrival: f64 = gap.sample(&mut rng);
    let (mut arrived, mut left, mut sum) = (0, 0_u64, 0.0);
    while arrived < jobs {
        if departures.peek().is_none_or(|Reverse(next): &Reverse<Departure>| next.time > arrival) {
            let i = rng.random_range(0..servers);
            let j = rng.random_range(0..servers);
            let server = if queues[i].len() <= queues[j].len() { i } else { j };
            queues[server].push_back(arrival);
            if queues[server].len() == 1 {
                let time = arrival + service.sample(&mut rng);
                departures.push(Reverse(Departure { time, server }));
            }
            arrived += 1;
            arrival += gap.sample(&mut rng);
        } else if let Some(Reverse(Departure { time, server })) = departures.pop() {
            let since = queues[server].pop_front().expect("a job leaves");
            sum += time - since;
            left += 1;
            if !queues[server].is_empty() {
                let time = time + service.sample(&mut rng);
                departures.push(Reverse(Departure { time, server }));
            }
        }
    }
    sum / left as f64
}
