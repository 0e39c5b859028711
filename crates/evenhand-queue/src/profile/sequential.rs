use evenhand_core::{Index, unit_f64};

use super::{Form, Source};
use crate::markov::{STRETCH, Steps, Tally};

/// One step at a time.
pub(super) struct Sequential {
    source: Source,
    rank: Index,
    /// Number of servers with at least 1, 2, ... jobs, and a 0.
    counts: Vec<u64>,
}

impl Sequential {
    pub(super) fn new(source: Source) -> Self {
        let rank = Index::new(source.servers);
        Self { source, rank, counts: Vec::new() }
    }

    pub(super) fn source(&self) -> &Source {
        &self.source
    }

    pub(super) fn source_mut(&mut self) -> &mut Source {
        &mut self.source
    }

    /// The length of the server of this rank, when servers are ranked by decreasing length.
    #[inline]
    fn length_of_rank(&self, rank: u64) -> usize {
        self.counts.iter().take_while(|&&count| count > rank).count()
    }

    #[inline]
    fn arrive(&mut self, remaining: u64, tally: &mut Tally) {
        let rank = self.source.keys.draw(&mut self.source.policy);
        let length = self.length_of_rank(rank);
        if self.source.is_full(length) {
            tally.loses(1);
            return;
        }
        self.counts[length] += 1;
        if length + 1 == self.counts.len() {
            self.counts.push(0);
        }
        tally.joins(length as u32, remaining);
    }

    #[inline]
    fn complete(&mut self, remaining: u64, tally: &mut Tally) {
        let rank = self.rank.draw(&mut self.source.steps);
        let length = self.length_of_rank(rank);
        if length > 0 {
            self.counts[length - 1] -= 1;
            tally.leaves(length as u32, remaining);
        }
    }
}

impl Form for Sequential {
    fn go(&mut self, most: Steps, tally: &mut Tally) -> Steps {
        // Every step could be an arrival.
        let steps = most.steps.min(most.arrivals).min(STRETCH);
        self.counts.clear();
        self.counts.extend(tally.at_least()[1..].iter().chain([&0]));
        let mut arrivals = 0;
        for remaining in (0..steps).rev() {
            if unit_f64(&mut self.source.steps) < self.source.arrival_share {
                arrivals += 1;
                self.arrive(remaining, tally);
            } else {
                self.complete(remaining, tally);
            }
        }
        tally.close(steps);
        Steps { steps, arrivals }
    }

    fn probes_per_job(&self) -> f64 {
        self.source.keys.probes_per_ball()
    }
}
