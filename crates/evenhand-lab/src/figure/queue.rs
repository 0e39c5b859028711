//! The charts of `evenhand queue`.

use super::canvas::Drawing;
use super::tail::Tail;
use super::trade_off::TradeOff;
use super::{Drawn, sojourn, transient};
use crate::record::{QueueResult, Record};

const LENGTHS: Tail<QueueResult> = Tail {
    id: "queue-tail",
    title: "Queue lengths",
    x_label: "jobs i at a server, the one in service included",
    y_label: "fraction of servers with at least i jobs",
    values: "Lengths",
    fractions: |result| result.fraction_at_least.as_deref().filter(|_| result.stable),
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
            sojourn::draw(record, labels),
            transient::draw(record, labels),
            PRICE.draw(record, labels),
        ];
        charts.into_iter().flatten().collect()
    }
}
