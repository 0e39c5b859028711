//! What a horizon can and cannot know of a step.

use evenhand_sim::Keys;

use crate::markov::Tally;

/// How often each count may rise and fall within a horizon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Budget {
    pub rises: u64,
    pub falls: u64,
}

/// What a step does once its u is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A job arrives at a server with this many jobs.
    Arrival { length: usize },
    /// A server with this many jobs completes one, or none if it has none.
    Completion { length: usize },
}

/// An event that does not depend on the other steps of the horizon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    pub event: Event,
    pub probability: f64,
    /// Probability of this class among this and the later ones of the list.
    pub share_of_rest: f64,
}

/// An interval of u in which the length depends on the counts of the moment.
#[derive(Clone, Copy, Debug)]
struct Zone {
    arrival: bool,
    low: f64,
    width: f64,
    /// The step is of this kind, with u in the zone.
    probability: f64,
}

/// An ambiguous step: its kind and its u.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ambiguous {
    pub arrival: bool,
    pub u: f64,
}

/// The zones of a horizon and the classes between them.
#[derive(Debug, Default)]
pub(super) struct Zones {
    zones: Vec<Zone>,
    pub classes: Vec<Class>,
    /// Probability that a step is ambiguous.
    pub ambiguous: f64,
}

impl Zones {
    /// Zones in which every count may leave its value of now by `budgets`; `budgets[k]` is of the
    /// count of length k + 1, and the last belongs to the first count that is 0.
    pub(super) fn build(
        &mut self,
        keys: &Keys,
        arrival_share: f64,
        tally: &Tally,
        budgets: &[Budget],
    ) {
        self.zones.clear();
        self.classes.clear();
        let servers = tally.count(0) as f64;
        self.add_kind(true, arrival_share, tally, budgets, |count| keys.tail(count));
        self.add_kind(false, 1.0 - arrival_share, tally, budgets, |count| count / servers);
        let ambiguous: f64 = self.zones.iter().map(|zone| zone.probability).sum();
        // Without classes every step is ambiguous, whatever the sum is rounded to.
        self.ambiguous = if self.classes.is_empty() { 1.0 } else { ambiguous.min(1.0) };
        self.order();
    }

    /// From u = 0 up, so from the longest queues down.
    fn add_kind(
        &mut self,
        arrival: bool,
        share: f64,
        tally: &Tally,
        budgets: &[Budget],
        threshold: impl Fn(f64) -> f64,
    ) {
        let servers = tally.count(0);
        let (mut zone_low, mut zone_high) = (0.0, 0.0_f64);
        let mut length = budgets.len();
        for (below, &budget) in budgets.iter().enumerate().rev() {
            let reached = below + 1;
            let count = tally.count(reached);
            let low = threshold(count.saturating_sub(budget.falls) as f64);
            let high = threshold(count.saturating_add(budget.rises).min(servers) as f64);
            if low > zone_high {
                self.close(arrival, share, zone_low, zone_high, low, length);
                zone_low = low;
            }
            zone_high = zone_high.max(high);
            length = below;
        }
        self.close(arrival, share, zone_low, zone_high.min(1.0), 1.0, length);
    }

    /// Ends a zone, and adds the class of servers with `length` jobs that reaches from it to the
    /// next zone.
    fn close(&mut self, arrival: bool, share: f64, low: f64, high: f64, next: f64, length: usize) {
        let width = high - low;
        if width > 0.0 {
            self.zones.push(Zone { arrival, low, width, probability: share * width });
        }
        if next > high {
            let event =
                if arrival { Event::Arrival { length } } else { Event::Completion { length } };
            let probability = share * (next - high);
            self.classes.push(Class { event, probability, share_of_rest: 1.0 });
        }
    }

    /// Likeliest class first: a chain of binomials then ends early.
    fn order(&mut self) {
        self.classes.sort_unstable_by(|a, b| b.probability.total_cmp(&a.probability));
        let mut rest = 0.0;
        for class in self.classes.iter_mut().rev() {
            rest += class.probability;
            class.share_of_rest = class.probability / rest;
        }
    }

    /// The ambiguous step at a fraction `unit` of all zones.
    pub(super) fn ambiguous_at(&self, unit: f64) -> Ambiguous {
        let mut offset = unit * self.ambiguous;
        let (last, others) = self.zones.split_last().expect("an ambiguous step lies in a zone");
        let mut zone = last;
        for candidate in others {
            if offset < candidate.probability {
                zone = candidate;
                break;
            }
            offset -= candidate.probability;
        }
        let part = (offset / zone.probability).min(1.0);
        Ambiguous { arrival: zone.arrival, u: zone.low + part * zone.width }
    }
}
