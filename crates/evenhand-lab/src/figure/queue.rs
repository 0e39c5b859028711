//! The charts of `evenhand queue`.

use super::Drawn;
use super::canvas::Drawing;
use super::predict::predicted_instant;
use super::sojourn::Sojourns;
use super::tail::Tail;
use super::trade_off::TradeOff;
use super::transient::{Course, Instant};
use crate::record::{Moment, QueueResult, Record, Times};

const LENGTHS: Tail<QueueResult> = Tail {
    id: "queue-tail",
    title: "Queue lengths",
    x_label: "jobs i at a server, the one in service included",
    y_label: "fraction of servers with at least i jobs",
    values: "Lengths",
    fractions: |result| result.fraction_at_least.as_deref().filter(|_| result.stable),
    theory: |result| {
        let theory = &result.prediction.as_ref()?.theory;
        let refined = theory.refined.as_ref().and_then(|r| r.numbers.fraction_at_least.as_deref());
        refined.or(theory.limit.numbers.fraction_at_least.as_deref())
    },
};

const SOJOURNS: Sojourns<QueueResult> = Sojourns {
    curve: |result| result.stable.then_some(result.curve.0.as_slice()),
    theory: |result| Some(result.prediction.as_ref()?.theory.curve.as_slice()),
    quantiles: |result| {
        let Times { p50, p99, p999, .. } = result.sojourn;
        Some([p50?, p99?, p999?]).filter(|_| result.stable)
    },
};

const COURSE: Course<QueueResult> = Course {
    moments: |result| {
        let moment = |m: &'_ Moment| Instant {
            t: m.t,
            fractions: m.fraction_at_least.clone(),
            queue_length: m.queue_length,
        };
        result.transient.iter().flatten().map(moment).collect()
    },
    theory: |result| {
        let moments = result.prediction.iter().flat_map(|p| p.theory.at.iter().flatten());
        moments.map(predicted_instant).collect()
    },
};

const PRICE: TradeOff<QueueResult> = TradeOff {
    title: "Distance against mean sojourn time",
    y_label: "mean sojourn time (unit of the service law)",
    kind: "mean sojourn time",
    short_kind: "mean sojourn time",
    whole: false,
    distance: |result| result.distance.as_ref(),
    height: |result| result.sojourn.mean.filter(|_| result.stable),
};

impl Drawn for QueueResult {
    const NOTHING_TO_DRAW: &'static str = "no result has queues that settle; lower the load, or \
         ask for queue lengths at given times";

    fn charts(record: &Record<Self>, labels: &[String]) -> Vec<Drawing> {
        let charts = [
            LENGTHS.draw(record, labels),
            SOJOURNS.draw(record, labels),
            COURSE.draw(record, labels),
            PRICE.draw(record, labels),
        ];
        charts.into_iter().flatten().collect()
    }
}
