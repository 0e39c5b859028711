//! The charts of `evenhand predict`.

use evenhand_theory::predict::QueueMoment;

use super::Drawn;
use super::canvas::Drawing;
use super::sojourn::Sojourns;
use super::tail::Tail;
use super::transient::{Course, Instant};
use crate::record::{PredictedAllocation, PredictedQueue, Record};

const LENGTHS: Tail<PredictedQueue> = Tail {
    id: "queue-tail",
    title: "Queue lengths, predicted",
    x_label: "jobs i at a server, the one in service included",
    y_label: "fraction of servers with at least i jobs",
    values: "Lengths",
    fractions: |result| result.fraction_at_least.as_deref(),
    theory: |_| None,
};

const SOJOURNS: Sojourns<PredictedQueue> = Sojourns {
    curve: |result| Some(result.curve.as_slice()),
    theory: |_| None,
    quantiles: |result| {
        let times = &result.sojourn;
        Some([times.p50?, times.p99?, times.p999?])
    },
};

const COURSE: Course<PredictedQueue> = Course {
    moments: |result| result.at.iter().flatten().map(predicted_instant).collect(),
    theory: |_| Vec::new(),
};

const LOADS: Tail<PredictedAllocation> = Tail {
    id: "load-distribution",
    title: "Load distribution, predicted",
    x_label: "load i",
    y_label: "fraction of bins with load at least i",
    values: "Loads",
    fractions: |result| result.fraction_at_least.as_deref(),
    theory: |_| None,
};

pub(super) fn predicted_instant(moment: &QueueMoment) -> Instant {
    Instant {
        t: moment.t,
        fractions: moment.fraction_at_least.clone(),
        queue_length: moment.queue_length,
    }
}

const NOTHING: &str = "no theory covers any of the policies";

impl Drawn for PredictedQueue {
    const NOTHING_TO_DRAW: &'static str = NOTHING;

    fn charts(record: &Record<Self>, labels: &[String]) -> Vec<Drawing> {
        let charts = [
            LENGTHS.draw(record, labels),
            SOJOURNS.draw(record, labels),
            COURSE.draw(record, labels),
        ];
        charts.into_iter().flatten().collect()
    }
}

impl Drawn for PredictedAllocation {
    const NOTHING_TO_DRAW: &'static str = NOTHING;

    fn charts(record: &Record<Self>, labels: &[String]) -> Vec<Drawing> {
        LOADS.draw(record, labels).into_iter().collect()
    }
}
