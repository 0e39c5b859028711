//! The times of jobs, whether an engine recorded them or they follow from queue lengths.

use evenhand_queue::{ErlangMixture, JobTimes, Outcome};
use evenhand_sim::observe::Histogram;

/// Which times of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sojourn,
    Wait,
}

/// A law of times.
pub(super) enum Law {
    Recorded(Histogram),
    Mixture(ErlangMixture),
}

impl Law {
    /// The law of one run; `None` where an engine does not know it.
    pub(super) fn of(outcome: &Outcome, kind: Kind) -> Option<Self> {
        Self::of_all(std::slice::from_ref(outcome), kind)
    }

    /// The law of all jobs of several runs; `None` where an engine does not know it.
    pub(super) fn of_all(outcomes: &[Outcome], kind: Kind) -> Option<Self> {
        match outcomes.first()?.job_times {
            JobTimes::Recorded => {
                let mut all = Histogram::new();
                for outcome in outcomes {
                    all.merge(match kind {
                        Kind::Sojourn => &outcome.sojourn,
                        Kind::Wait => &outcome.wait,
                    });
                }
                Some(Self::Recorded(all))
            }
            JobTimes::Erlang { mean_service } => {
                let met = met(outcomes);
                let law = match kind {
                    Kind::Sojourn => ErlangMixture::of_sojourn(&met, mean_service),
                    Kind::Wait => ErlangMixture::of_wait(&met, mean_service),
                };
                law.map(Self::Mixture)
            }
            JobTimes::Unknown { .. } => None,
        }
    }

    pub(super) fn mean(&self) -> f64 {
        match self {
            Self::Recorded(times) => times.mean(),
            Self::Mixture(law) => law.mean(),
        }
    }

    pub(super) fn quantile(&self, q: f64) -> f64 {
        match self {
            Self::Recorded(times) => times.quantile(q),
            Self::Mixture(law) => law.quantile(q),
        }
    }

    /// Fraction of the jobs whose time is at most `time`.
    pub(super) fn at_most(&self, time: f64) -> f64 {
        match self {
            Self::Recorded(times) => {
                let below = times.iter().take_while(|&(value, _)| value <= time);
                below.map(|(_, jobs)| jobs).sum::<u64>() as f64 / times.count().max(1) as f64
            }
            Self::Mixture(law) => law.at_most(time),
        }
    }

    /// The longest time, where it was seen.
    pub(super) fn max(&self) -> Option<f64> {
        match self {
            Self::Recorded(times) => Some(times.max()),
            Self::Mixture(_) => None,
        }
    }
}

/// Jobs of all runs that met 0, 1, 2, ... jobs.
fn met(outcomes: &[Outcome]) -> Vec<u64> {
    let mut all = Vec::new();
    for met in outcomes.iter().filter_map(|outcome| outcome.met.as_ref()) {
        all.resize(all.len().max(met.len()), 0);
        all.iter_mut().zip(met).for_each(|(sum, jobs)| *sum += jobs);
    }
    all
}
