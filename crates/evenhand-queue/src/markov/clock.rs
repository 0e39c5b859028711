//! From times to step numbers.

use evenhand_core::{Role, Stream};
use rand_distr::{Distribution, Poisson};

use super::{PARTS, Rates, Steps};
use crate::model::Queue;
use crate::plan::{End, Plan};

/// What happens between two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mark {
    /// The warm-up ends.
    WarmUp,
    /// Queue lengths are recorded for this time.
    Record(f64),
    /// A part of the run ends.
    Part,
}

/// A run in steps.
///
/// The number of steps between two times is Poisson, independent of what the steps do. Drawn
/// once for each interval of the plan, it makes the law of the state at every time of the plan
/// exact.
#[derive(Debug)]
pub(super) struct Clock {
    /// Steps per unit of time.
    rate: f64,
    /// Steps before a mark, last first.
    marks: Vec<(u64, Mark)>,
    warm_up: u64,
    end: Ending,
    part: Part,
}

#[derive(Clone, Copy, Debug)]
enum Ending {
    Steps { steps: u64, counted_time: f64 },
    Arrivals(u64),
}

/// Where the part of the run ends: after so many steps, or arrivals.
#[derive(Clone, Copy, Debug)]
struct Part {
    number: u64,
    end: u64,
}

impl Clock {
    pub(super) fn draw(queue: &Queue, plan: &Plan, rates: &Rates, replication: u64) -> Self {
        let mut stream = queue.world_seed(replication).stream(Role::Arrivals);
        let mut steps = StepNumbers { rate: rates.total(), time: 0.0, steps: 0 };
        let last = match plan.end {
            End::Time(end) => end,
            End::Jobs(_) => f64::INFINITY,
        };
        let mut times: Vec<(f64, Mark)> =
            plan.at.iter().map(|&time| (time, Mark::Record(time))).collect();
        times.push((plan.warm_up, Mark::WarmUp));
        times.retain(|&(time, _)| time <= last);
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut marks: Vec<_> =
            times.iter().map(|&(time, mark)| (steps.at(time, &mut stream), mark)).collect();
        marks.reverse();
        let warm_up = marks.iter().find(|(_, mark)| *mark == Mark::WarmUp);
        let warm_up = warm_up.map_or(u64::MAX, |&(step, _)| step);
        let end = match plan.end {
            End::Jobs(jobs) => Ending::Arrivals(jobs),
            End::Time(end) => Ending::Steps {
                steps: steps.at(end, &mut stream),
                counted_time: (end - plan.warm_up).max(0.0),
            },
        };
        let mut clock =
            Self { rate: rates.total(), marks, warm_up, end, part: Part { number: 0, end: 0 } };
        clock.next_part();
        clock
    }

    fn next_part(&mut self) {
        let length = match self.end {
            Ending::Steps { steps, .. } => steps,
            Ending::Arrivals(jobs) => jobs,
        };
        self.part.number += 1;
        let end = u128::from(length) * u128::from(self.part.number) / u128::from(PARTS);
        self.part.end = end as u64;
    }

    /// Mean time of a step.
    pub(super) fn step_time(&self) -> f64 {
        self.rate.recip()
    }

    /// The next mark at or before `now`.
    pub(super) fn pass(&mut self, now: Steps) -> Option<Mark> {
        if let Some(&(step, mark)) = self.marks.last()
            && step <= now.steps
        {
            self.marks.pop();
            return Some(mark);
        }
        let progress = match self.end {
            Ending::Steps { .. } => now.steps,
            Ending::Arrivals(_) => now.arrivals,
        };
        if self.part.number < PARTS && self.part.end <= progress {
            self.next_part();
            return Some(Mark::Part);
        }
        None
    }

    /// How far the chain may go. Parts need not end at an exact number of arrivals.
    pub(super) fn most(&self, now: Steps) -> Steps {
        let to_mark = self.marks.last().map_or(u64::MAX, |(step, _)| step - now.steps);
        match self.end {
            Ending::Steps { .. } => {
                Steps { steps: to_mark.min(self.part.end - now.steps), arrivals: u64::MAX }
            }
            Ending::Arrivals(jobs) => {
                let to_part = self.part.end.saturating_sub(now.arrivals).max(16);
                Steps { steps: to_mark.min(to_part), arrivals: jobs - now.arrivals }
            }
        }
    }

    /// True if the run ends at a time, not with an arrival.
    pub(super) fn ends_at_a_time(&self) -> bool {
        matches!(self.end, Ending::Steps { .. })
    }

    /// Number of states that are averaged in a run that ends at `now`, and the counted time.
    ///
    /// Each state lasts equally long on average. A run that ends at a time averages the states
    /// before, between and after its steps: their lengths are exchangeable. A run that ends with
    /// an arrival averages the states before its steps, whose lengths are independent of them.
    pub(super) fn counted(&self, now: Steps) -> (f64, f64) {
        let steps = now.steps.saturating_sub(self.warm_up) as f64;
        match self.end {
            Ending::Steps { counted_time, .. } => (steps + 1.0, counted_time),
            Ending::Arrivals(_) => (steps, steps / self.rate),
        }
    }
}

/// Step numbers of increasing times.
struct StepNumbers {
    rate: f64,
    time: f64,
    steps: u64,
}

impl StepNumbers {
    fn at(&mut self, time: f64, stream: &mut Stream) -> u64 {
        let mean = self.rate * (time - self.time).max(0.0);
        self.time = self.time.max(time);
        self.steps = self.steps.saturating_add(poisson(mean, stream));
        self.steps
    }
}

/// A Poisson number. Large means are split: the sampler loses digits from about 2^45 on.
fn poisson(mean: f64, stream: &mut Stream) -> u64 {
    const LARGEST: f64 = (1_u64 << 40) as f64;
    let pieces = (mean / LARGEST).ceil().max(1.0);
    let Ok(law) = Poisson::new(mean / pieces) else { return 0 };
    (0..pieces as u64).map(|_| law.sample(stream) as u64).sum()
}
