//! Keys of `evenhand predict`.

use super::queue::load;
use super::{Facet, Faceted, counted};
use crate::number::{significant, thousands};
use crate::record::{PredictedAllocation, PredictedQueue};

type OfQueue = Facet<PredictedQueue>;
type OfAllocation = Facet<PredictedAllocation>;

impl Faceted for PredictedQueue {
    const WHAT: &'static str = "Theory of queues";
    const IS_RANDOM: bool = false;

    const FACETS: &'static [Facet<Self>] = &[
        OfQueue::new(
            "servers",
            |r| Some(r.servers.map_or_else(|| "many".into(), thousands)),
            |v| counted(v, "server"),
        )
        .numeric(),
        OfQueue::new("load", |r| r.load.map(load), |v| format!("load {v}")).numeric(),
        OfQueue::new("service", |r| Some(r.service.clone()), |v| format!("service {v}")),
        OfQueue::new("discipline", |r| Some(r.discipline.clone()), |v| format!("discipline {v}"))
            .usual("fifo"),
        OfQueue::new("speeds", |r| r.speeds.clone(), |v| format!("speeds {v}")),
    ];

    fn policy(&self) -> &str {
        &self.policy
    }
}

impl Faceted for PredictedAllocation {
    const WHAT: &'static str = "Theory of balls into bins";
    const IS_RANDOM: bool = false;

    const FACETS: &'static [Facet<Self>] = &[
        OfAllocation::new(
            "bins",
            |r| Some(r.bins.map_or_else(|| "many".into(), thousands)),
            |v| counted(v, "bin"),
        )
        .numeric(),
        OfAllocation::new(
            "balls per bin",
            |r| Some(significant(r.balls_per_bin, 6)),
            |v| format!("{} per bin", counted(v, "ball")),
        )
        .numeric(),
    ];

    fn policy(&self) -> &str {
        &self.policy
    }
}
