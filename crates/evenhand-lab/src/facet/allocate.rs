//! Keys of `evenhand allocate`.

use super::{Facet, Faceted, counted};
use crate::number::{significant, thousands};
use crate::record::AllocateResult;

type Key = Facet<AllocateResult>;

impl Faceted for AllocateResult {
    const WHAT: &'static str = "Allocation";

    const FACETS: &'static [Key] = &[
        Key::new("bins", |r| Some(thousands(r.bins)), |v| counted(v, "bin")).numeric(),
        Key::new("balls", |r| Some(thousands(r.balls)), |v| counted(v, "ball")).numeric(),
        Key::new("runs", |r| Some(thousands(r.runs)), |v| counted(v, "run")).numeric().nameless(),
        Key::new("engine", |r| Some(r.engine.clone()), |v| format!("engine {v}")).nameless(),
        Key::new("servers", |r| r.servers.clone(), |v| format!("servers {v}")),
        Key::new("users", |r| r.users.clone(), |v| format!("users {v}")),
        Key::new("signal", |r| Some(r.signal.clone()), |v| format!("signal {v}")).usual("exact"),
        Key::new("comparison", |r| Some(r.comparison.clone()), |v| format!("comparison {v}"))
            .usual("exact"),
        Key::new("weights", |r| r.weights.clone(), |v| format!("weights {v}")),
        Key::new("speeds", |r| r.speeds.clone(), |v| format!("speeds {v}")),
        Key::new(
            "deletions",
            |r| r.deletions.map(|p| significant(p, 4)),
            |v| format!("deletions {v}"),
        )
        .numeric(),
    ];

    fn policy(&self) -> &str {
        &self.policy
    }
}
