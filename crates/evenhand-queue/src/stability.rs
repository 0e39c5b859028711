//! Whether a model can have a stationary state.

use evenhand_policies::PolicySpec;
use evenhand_policies::subsets::SubsetSpec;

use crate::model::Queue;
use crate::signal::QueueSignal;

impl Queue {
    /// Why the queues must grow without bound: the capacity, and the servers that saturate.
    /// `None` if nothing is known against a stationary state.
    ///
    /// Work must arrive more slowly than all servers together do it. Under `choices(d)` with
    /// uniform draws more is needed where speeds differ: a job all of whose draws fall into a set
    /// of servers must be served there, so for every set C of a fraction a of the servers, the
    /// arrival rate of work times a^d must be below the total speed of C. The slowest servers of
    /// each number are the worst set.
    pub fn overload(&self) -> Option<String> {
        if self.buffer.is_some() {
            return None;
        }
        let load = self.load()?;
        let capacity = self.servers as f64 * self.mean_speed();
        if load >= 1.0 {
            return Some(format!(
                "the load is {load}: work arrives at rate {:.6}, and {} servers do {capacity:.6}",
                load * capacity,
                self.servers,
            ));
        }
        self.slow_servers(load * capacity)
    }

    /// The regime of the queue's tail where it is a power law: d choices tame a regularly varying
    /// service law of index -beta only if beta > d / (d - 1) (Bramson, Lu, Prabhakar 2012).
    pub fn power_law(&self) -> Option<String> {
        let PolicySpec::Choices(choices) = &self.policy else { return None };
        let beta = self.service.tail_index()?;
        let d = f64::from(choices.d);
        if choices.d > 1 && beta > d / (d - 1.0) {
            return None;
        }
        Some(format!(
            "power-law regime: the service law has tail index {beta}, and {} makes queue lengths \
             of power-law tail; means need very long runs, or do not exist",
            self.policy
        ))
    }

    /// The slowest servers, where `choices(d)` sends them more than they do.
    fn slow_servers(&self, work_rate: f64) -> Option<String> {
        let PolicySpec::Choices(choices) = &self.policy else { return None };
        let uniform = !choices.weighted && self.subset == SubsetSpec::All;
        if self.speeds.are_equal() || !uniform || matches!(self.signal, QueueSignal::Local) {
            return None;
        }
        let speeds = self.speeds.sorted(self.servers as usize)?;
        let n = speeds.len() as f64;
        let d = choices.d as i32;
        let all_draws_in = |size: f64| -> f64 {
            if choices.distinct {
                (0..d)
                    .map(|drawn| (size - f64::from(drawn)).max(0.0) / (n - f64::from(drawn)))
                    .product()
            } else {
                (size / n).powi(d)
            }
        };
        let mut done = 0.0;
        let ends = speeds.iter().enumerate().filter_map(|(i, &speed)| {
            done += speed;
            let last_of_class = speeds.get(i + 1).is_none_or(|&next| next > speed);
            last_of_class.then_some((i + 1, speed, done))
        });
        let (size, speed, capacity) = ends
            .into_iter()
            .find(|&(size, _, done)| work_rate * all_draws_in(size as f64) >= done)?;
        let sent = work_rate * all_draws_in(size as f64);
        Some(format!(
            "the {size} servers of speed {speed} or less saturate: {} sends them work at rate \
             {sent:.6} at least, and they do {capacity:.6}",
            self.policy,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_sim::Speeds;

    fn queue(policy: &str, load: f64) -> Queue {
        let mut queue = Queue::new(PolicySpec::parse(policy).unwrap(), 100, load * 0.85);
        queue.speeds = Speeds::parse("classes(0.8, 1, 0.2, 0.25)").unwrap();
        queue
    }

    #[test]
    fn slow_servers_saturate_before_the_fleet_does() {
        // One choice: the slow fifth gets 0.2 x 100 x rate, and does 5.
        assert!(queue("one-choice", 0.29).overload().is_none());
        assert!(queue("one-choice", 0.30).overload().unwrap().contains("speed 0.25"));
        // Two choices: (1/5)^2 of the jobs must stay among the slow, 0.04 x 85 x load < 5.
        assert!(queue("two-choice", 0.99).overload().is_none());
        assert!(queue("two-choice", 1.0).overload().unwrap().contains("the load is 1"));
    }
}
