use std::ops::RangeInclusive;
use std::sync::Arc;

use evenhand_core::Stream;
use rand_distr::{Distribution, Exp1};

use super::mmpp::Modulation;
use super::{ArrivalError, ArrivalSpec};
use crate::service::Service;

/// Arrivals in order of time. Made by [`ArrivalSpec::process`].
#[derive(Clone, Debug)]
pub struct ArrivalProcess {
    /// Time of the last arrival.
    time: f64,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Poisson {
        mean_gap: f64,
    },
    Renewal {
        law: Service,
        /// Factor from the law's mean to the gap wanted.
        scale: f64,
    },
    Mmpp(Modulation),
    Trace {
        times: Arc<[f64]>,
        services: Option<Arc<[f64]>>,
        /// Factor of all times.
        scale: f64,
        /// Arrivals so far.
        arrived: usize,
    },
}

/// Rates at which times neither overflow nor vanish.
const RATES: RangeInclusive<f64> = 1e-60..=1e60;

/// More changes of phase per arrival than this are refused: they take a second for 10^4 jobs.
const MOST_CHANGES: f64 = 1e4;

impl ArrivalProcess {
    pub(super) fn new(spec: &ArrivalSpec, rate: Option<f64>) -> Result<Self, ArrivalError> {
        if let Some(rate) = rate
            && !RATES.contains(&rate)
        {
            return Err(ArrivalError::Rate { rate });
        }
        let wanted = rate.ok_or(ArrivalError::NeedsRate);
        let kind = match spec {
            ArrivalSpec::Poisson => Kind::Poisson { mean_gap: 1.0 / wanted? },
            ArrivalSpec::Renewal(law) => {
                Kind::Renewal { law: law.clone(), scale: 1.0 / (wanted? * law.mean()) }
            }
            ArrivalSpec::Mmpp(mmpp) => {
                let rate = wanted?;
                let changes = mmpp.changes_per_arrival(rate);
                if changes > MOST_CHANGES {
                    return Err(ArrivalError::FastPhases { changes, rate });
                }
                Kind::Mmpp(Modulation::new(mmpp, rate))
            }
            ArrivalSpec::Trace(trace) => {
                let no_rate = ArrivalError::NoOwnRate { jobs: trace.jobs() };
                let scale = match rate {
                    Some(rate) => trace.rate().ok_or(no_rate)? / rate,
                    None => 1.0,
                };
                let (times, services) = trace.shared();
                Kind::Trace { times, services, scale, arrived: 0 }
            }
        };
        Ok(Self { time: 0.0, kind })
    }

    /// Time of the next arrival, at least that of the last one; `None` after the end of a trace.
    #[inline]
    pub fn next_arrival(&mut self, stream: &mut Stream) -> Option<f64> {
        match &mut self.kind {
            Kind::Poisson { mean_gap } => {
                let gap: f64 = Exp1.sample(stream);
                self.time += *mean_gap * gap;
            }
            Kind::Renewal { law, scale } => self.time += *scale * law.sample(stream),
            Kind::Mmpp(modulation) => self.time = modulation.next(self.time, stream),
            Kind::Trace { times, scale, arrived, .. } => {
                self.time = *scale * times.get(*arrived)?;
                *arrived += 1;
            }
        }
        Some(self.time)
    }

    /// Appends the times of the next `count` arrivals to `times`; of fewer at the end of a trace.
    pub fn next_arrivals(&mut self, count: usize, stream: &mut Stream, times: &mut Vec<f64>) {
        if let Kind::Poisson { mean_gap } = self.kind {
            let before = times.len();
            times.resize(before + count, 0.0);
            let mut now = self.time;
            for time in &mut times[before..] {
                let gap: f64 = Exp1.sample(stream);
                now += mean_gap * gap;
                *time = now;
            }
            self.time = now;
            return;
        }
        times.extend((0..count).map_while(|_| self.next_arrival(stream)));
    }

    /// The own service times of the `count` jobs that arrived last; `None` where jobs have none.
    pub fn own_services(&self, count: usize) -> Option<&[f64]> {
        match &self.kind {
            Kind::Trace { services: Some(services), arrived, .. } => {
                services.get(arrived.checked_sub(count)?..*arrived)
            }
            _ => None,
        }
    }
}
