//! The charts of `evenhand allocate`.

use super::canvas::Drawing;
use super::tail::Tail;
use super::trade_off::TradeOff;
use super::{Drawn, maximum};
use crate::record::{AllocateResult, Record};

const LOADS: Tail<AllocateResult> = Tail {
    id: "load-distribution",
    title: "Load distribution",
    x_label: "load i",
    y_label: "fraction of bins with load at least i",
    values: "Loads",
    fractions: |result| result.fraction_at_least.as_deref(),
    theory: |result| {
        let theory = &result.prediction.as_ref()?.theory;
        let refined = theory.refined.as_ref().and_then(|r| r.numbers.fraction_at_least.as_deref());
        refined.or(theory.limit.numbers.fraction_at_least.as_deref())
    },
};

const PRICE: TradeOff<AllocateResult> = TradeOff {
    title: "Distance against maximum load",
    y_label: "maximum load (mean over runs)",
    kind: "maximum load",
    short_kind: "load",
    whole: true,
    distance: |result| result.distance.as_ref(),
    height: |result| Some(result.max_load.mean),
};

impl Drawn for AllocateResult {
    const NOTHING_TO_DRAW: &'static str =
        "weighted balls have no integer loads; use several runs, or servers with places";

    fn charts(record: &Record<Self>, labels: &[String]) -> Vec<Drawing> {
        let charts =
            [LOADS.draw(record, labels), maximum::draw(record, labels), PRICE.draw(record, labels)];
        charts.into_iter().flatten().collect()
    }
}
