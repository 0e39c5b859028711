//! About sqrt(n) steps at once.
//!
//! A step is an arrival or a completion, and has a uniform number u. Its server has as many jobs
//! as there are thresholds above u: for an arrival threshold k is the probability that all its
//! candidates are among the `s_k` servers with at least k jobs, for a completion it is `s_k / n`.
//! Thresholds are increasing functions of the counts.
//!
//! A *horizon* gives every count a budget of rises and falls. As long as no budget is exceeded
//! every threshold stays in a zone that is known at the start, whatever the order of events:
//!
//! - a step with u outside of all zones is *definite*: its event is known;
//! - a step with u inside a zone is *ambiguous*: u is compared with the counts of that moment.
//!
//! Steps are independent, so the number of definite steps before the next ambiguous one is
//! geometric, and their events are multinomial. Only totals are drawn. If they would exceed a
//! budget, the order of these definite events is drawn too (each order is equally likely), they
//! are carried out until the first event over its budget, and the horizon ends there. What was
//! drawn beyond is forgotten: where the horizon ends depends on the past only, so the steps after
//! it may be drawn afresh. No step approximates: the law of the counts is that of single steps,
//! up to the rounding of u and of the thresholds to 53 bits.
//!
//! Budgets are the expected numbers of rises and falls and some standard deviations more. They
//! add up to about B for a horizon of B steps, so zones have total width of order B/n, and with B
//! of order sqrt(n) a horizon holds a few ambiguous steps.
//!
//! Averages over steps take the conditional expectation given the totals: within a gap of G
//! definite steps each event is equally likely at each step, so it counts for (G - 1)/2 of the
//! gap's states on average. Their mean is that of the average over single steps, and their
//! variance is not greater (Rao, Blackwell); it is less by the order of the gaps alone.
//!
//! Counting steps that cannot interact is the idea of batched simulators of population protocols
//! (Berenbrink, Hammer, Kaaser, Meyer, Penschuck, Tran 2020).

use evenhand_core::{below, unit_f64};
use evenhand_sim::binomial;

use super::sequential::Sequential;
use super::zones::{Ambiguous, Budget, Event, Zones};
use super::{Form, Source};
use crate::markov::{Steps, Tally};

/// Ambiguous steps wanted per horizon. Fewer make horizons short, more make them slow.
const AMBIGUOUS_PER_HORIZON: f64 = 2.5;

/// Shorter horizons are taken step by step.
const SHORTEST: u64 = 64;

/// Many steps at once.
pub(super) struct Skipping {
    sequential: Sequential,
    /// Standard deviations of budgets above their mean, instead of [`slack`].
    fixed_slack: Option<f64>,
    /// Steps in the next horizon; chosen from the past, so it cannot bias the future.
    horizon: f64,
    zones: Zones,
    budgets: Vec<Budget>,
    used: Vec<Budget>,
    /// Events of each class in a gap.
    totals: Vec<u64>,
}

impl Skipping {
    pub(super) fn new(source: Source) -> Self {
        Self::with_slack(source, None)
    }

    /// With budgets so many standard deviations above the mean.
    pub(super) fn with_slack(source: Source, fixed_slack: Option<f64>) -> Self {
        let horizon = (source.servers as f64).sqrt();
        let (zones, budgets) = (Zones::default(), Vec::new());
        let (used, totals) = (Vec::new(), Vec::new());
        let sequential = Sequential::new(source);
        Self { sequential, fixed_slack, horizon, zones, budgets, used, totals }
    }

    fn source(&mut self) -> &mut Source {
        self.sequential.source_mut()
    }

    /// Takes up to `steps` steps: fewer if a budget is exceeded.
    fn take_horizon(&mut self, steps: u64, tally: &mut Tally) -> Steps {
        self.prepare(steps, tally);
        tally.stay(steps as f64);
        let definite_log = (-self.zones.ambiguous).ln_1p();
        let mut left = Steps { steps, arrivals: 0 };
        while left.steps > 0 {
            // 1 - u lies in (0, 1], so the logarithm is finite.
            let skipped = (1.0 - unit_f64(&mut self.source().steps)).ln() / definite_log;
            let gap = if skipped < left.steps as f64 { skipped as u64 } else { left.steps };
            if !self.take_definite(gap, &mut left, tally) {
                break;
            }
            if left.steps > 0 && !self.take_ambiguous(&mut left, tally) {
                break;
            }
        }
        // The states of steps that were not taken were counted.
        if left.steps > 0 {
            tally.stay(-(left.steps as f64));
        }
        tally.trim();
        Steps { steps: steps - left.steps, arrivals: left.arrivals }
    }

    /// Budgets and zones of a horizon of so many steps.
    fn prepare(&mut self, steps: u64, tally: &mut Tally) {
        let lengths = tally.at_least().len();
        tally.reach(lengths);
        let source = self.sequential.source();
        let servers = source.servers as f64;
        let (arriving, completing) = (source.arrival_share, 1.0 - source.arrival_share);
        let reached = |length: usize| source.keys.tail(tally.count(length) as f64);
        let slack = self.fixed_slack.unwrap_or_else(|| slack(steps));
        self.budgets.clear();
        for length in 1..=lengths {
            let here = (tally.count(length) - tally.count(length + 1)) as f64 / servers;
            let mut rises = arriving * (reached(length - 1) - reached(length));
            if source.is_full(length - 1) {
                rises = 0.0;
            }
            let [rises, falls] = [rises, completing * here].map(|p| budget(steps, p, slack));
            self.budgets.push(Budget { rises, falls });
        }
        self.used.clear();
        self.used.resize(self.budgets.len(), Budget::default());
        self.zones.build(&source.keys, source.arrival_share, tally, &self.budgets);
    }

    /// Takes `gap` definite steps. False if a budget ended the horizon before.
    fn take_definite(&mut self, gap: u64, left: &mut Steps, tally: &mut Tally) -> bool {
        self.totals.clear();
        let mut rest = gap;
        let stream = &mut self.sequential.source_mut().steps;
        for class in &self.zones.classes {
            let here = binomial(rest, class.share_of_rest, stream);
            self.totals.push(here);
            rest -= here;
            if rest == 0 {
                break;
            }
        }
        if !self.fits() {
            return self.take_in_order(gap, left, tally);
        }
        // Each event of the gap has this many steps of the horizon after it, on average.
        let remaining = left.steps as f64 - (gap as f64 + 1.0) / 2.0;
        for number in 0..self.totals.len() {
            let (event, times) = (self.zones.classes[number].event, self.totals[number]);
            left.arrivals += self.carry_out(event, times, remaining, tally);
        }
        left.steps -= gap;
        true
    }

    /// True if the totals of a gap keep all budgets.
    fn fits(&self) -> bool {
        self.zones
            .classes
            .iter()
            .zip(&self.totals)
            .all(|(class, &times)| self.room(class.event) >= times)
    }

    /// How often an event may still occur. Counts above the first that was 0 have no budget: its
    /// own bounds them.
    fn room(&self, event: Event) -> u64 {
        let at = |length: usize| self.budgets.get(length).zip(self.used.get(length));
        let room = match event {
            Event::Arrival { length } if self.sequential.source().is_full(length) => None,
            Event::Arrival { length } => at(length).map(|(b, used)| (b.rises, used.rises)),
            Event::Completion { length } => {
                let count = length.checked_sub(1);
                count.and_then(at).map(|(b, used)| (b.falls, used.falls))
            }
        };
        room.map_or(u64::MAX, |(budget, used)| budget.saturating_sub(used))
    }

    /// Takes the definite steps of a gap one by one, until one exceeds its budget.
    #[cold]
    fn take_in_order(&mut self, gap: u64, left: &mut Steps, tally: &mut Tally) -> bool {
        for rest in (1..=gap).rev() {
            let mut ticket = below(&mut self.source().steps, rest);
            let mut number = 0;
            while ticket >= self.totals[number] {
                ticket -= self.totals[number];
                number += 1;
            }
            self.totals[number] -= 1;
            let event = self.zones.classes[number].event;
            if !self.take_one(event, left, tally) {
                return false;
            }
        }
        true
    }

    /// Takes one ambiguous step, by the counts of this moment. False if it exceeds its budget.
    fn take_ambiguous(&mut self, left: &mut Steps, tally: &mut Tally) -> bool {
        let unit = unit_f64(&mut self.source().steps);
        let Ambiguous { arrival, u } = self.zones.ambiguous_at(unit);
        let source = self.sequential.source();
        let servers = source.servers as f64;
        let threshold = |length| match tally.count(length) {
            0 => 0.0,
            count if arrival => source.keys.tail(count as f64),
            count => count as f64 / servers,
        };
        let mut length = 0;
        while threshold(length + 1) > u {
            length += 1;
        }
        let event = if arrival { Event::Arrival { length } } else { Event::Completion { length } };
        self.take_one(event, left, tally)
    }

    /// True if the event kept its budget.
    fn take_one(&mut self, event: Event, left: &mut Steps, tally: &mut Tally) -> bool {
        let keeps = self.room(event) > 0;
        left.steps -= 1;
        left.arrivals += self.carry_out(event, 1, left.steps as f64, tally);
        keeps
    }

    /// Carries out an event so many times; returns the arrivals among them.
    fn carry_out(&mut self, event: Event, times: u64, remaining: f64, tally: &mut Tally) -> u64 {
        match event {
            Event::Arrival { length } if self.sequential.source().is_full(length) => {
                tally.loses(times);
                times
            }
            Event::Arrival { length } => {
                match self.used.get_mut(length) {
                    Some(used) => used.rises += times,
                    None => tally.reach(length + 1),
                }
                tally.join_many(length, times, remaining);
                times
            }
            Event::Completion { length: 0 } => 0,
            Event::Completion { length } => {
                if let Some(used) = self.used.get_mut(length - 1) {
                    used.falls += times;
                }
                tally.leave_many(length, times, remaining);
                0
            }
        }
    }

    /// Brings the expected number of ambiguous steps near the one wanted.
    fn adapt(&mut self, steps: u64) {
        let expected = self.zones.ambiguous * steps as f64;
        let factor = (AMBIGUOUS_PER_HORIZON / expected).sqrt().clamp(0.5, 2.0);
        let longest = self.sequential.source().servers as f64;
        self.horizon = (steps as f64 * factor).clamp(SHORTEST as f64, longest.max(SHORTEST as f64));
    }
}

/// Standard deviations by which a budget is above its mean, in a horizon of so many steps.
///
/// More makes zones wide; less ends horizons early, which costs a time in proportion to their
/// length. This makes an end rarer than one in `steps` horizons for each budget.
fn slack(steps: u64) -> f64 {
    (2.0 * (steps.max(2) as f64).ln()).sqrt()
}

/// Expected number of events of probability `p` among `steps`, and `slack` standard deviations
/// more; `slack` events more, where they are few.
fn budget(steps: u64, p: f64, slack: f64) -> u64 {
    let mean = steps as f64 * p.max(0.0);
    let most = mean + slack * (mean.sqrt() + 1.0);
    (most as u64).min(steps)
}

impl Form for Skipping {
    fn go(&mut self, most: Steps, tally: &mut Tally) -> Steps {
        // Every step could be an arrival.
        let limit = most.steps.min(most.arrivals);
        if limit < SHORTEST {
            return self.sequential.go(most, tally);
        }
        let horizon = self.horizon as u64;
        let taken = self.take_horizon(horizon.min(limit), tally);
        if horizon <= limit {
            self.adapt(horizon);
        }
        taken
    }

    fn probes_per_job(&self) -> f64 {
        self.sequential.probes_per_job()
    }
}
