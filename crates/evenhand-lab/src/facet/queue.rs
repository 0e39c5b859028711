//! Keys of `evenhand queue`.

use super::{Facet, Faceted, counted};
use crate::number::{significant, thousands};
use crate::record::QueueResult;

type Key = Facet<QueueResult>;

impl Faceted for QueueResult {
    const WHAT: &'static str = "Queues";

    const FACETS: &'static [Key] = &[
        Key::new("servers", |r| Some(thousands(r.servers)), |v| counted(v, "server")).numeric(),
        Key::new("load", |r| r.load.map(load), |v| format!("load {v}")).numeric(),
        Key::new("rate", rate, |v| format!("{v} jobs per unit of time")).numeric(),
        Key::new("service", |r| Some(r.service.clone()), |v| format!("service {v}")),
        Key::new("arrivals", |r| Some(r.arrivals.clone()), |v| format!("arrivals {v}"))
            .usual("poisson"),
        Key::new("discipline", |r| Some(r.discipline.clone()), |v| format!("discipline {v}"))
            .usual("fifo"),
        Key::new("buffer", |r| r.buffer.map(|b| thousands(b.into())), |v| format!("buffer {v}"))
            .numeric(),
        Key::new("speeds", |r| r.speeds.clone(), |v| format!("speeds {v}")),
        Key::new(
            "dispatchers",
            |r| Some(thousands(r.dispatchers.into())),
            |v| counted(v, "dispatcher"),
        )
        .numeric()
        .usual("1"),
        Key::new("shares", |r| r.dispatcher_shares.clone(), |v| format!("shares {v}")),
        Key::new("subset", |r| Some(r.subset.clone()), |v| format!("subset {v}")).usual("all"),
        Key::new("signal", |r| Some(r.signal.clone()), |v| format!("signal {v}")).usual("exact"),
        Key::new("comparison", |r| Some(r.comparison.clone()), |v| format!("comparison {v}"))
            .usual("exact"),
        Key::new("places", |r| r.server_places.clone(), |v| format!("places {v}")),
        Key::new("users", |r| r.users.clone(), |v| format!("users {v}")),
        Key::new("runs", |r| Some(thousands(r.runs)), |v| counted(v, "run")).numeric().nameless(),
        Key::new("engine", |r| Some(r.engine.clone()), |v| format!("engine {v}")).nameless(),
    ];

    fn policy(&self) -> &str {
        &self.policy
    }
}

/// Loads near 1 keep the digits that set them apart from 1.
pub(super) fn load(load: f64) -> String {
    let digits = if (1.0 - load).abs() < 1e-3 { 10 } else { 4 };
    significant(load, digits)
}

/// The rate of arrivals where there is no load to say how busy the servers are.
fn rate(result: &QueueResult) -> Option<String> {
    let rate = result.rate.filter(|_| result.load.is_none())?;
    Some(significant(rate, 4))
}
