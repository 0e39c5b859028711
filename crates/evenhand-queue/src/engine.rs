//! Which engine can run a model, and which one is taken.

use crate::model::{Discipline, Queue};
use crate::signal::QueueSignal;

/// How a queue is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// First come, first served: a departure is known on arrival, and nothing is queued.
    Lazy,
    /// Events in order of time: anything.
    Event,
}

impl Engine {
    /// All engines, in the order in which they are preferred.
    pub const ALL: [Self; 2] = [Self::Lazy, Self::Event];

    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lazy => "lazy",
            Self::Event => "event",
        }
    }
}

impl Queue {
    /// Why the engine cannot run this queue; `None` if it can.
    pub fn unsupported(&self, engine: Engine) -> Option<String> {
        let needs: &[(bool, &str)] = match engine {
            Engine::Event => &[],
            Engine::Lazy => &[
                (self.discipline != Discipline::Fifo, "a discipline other than fifo"),
                (self.policy.reads_index(), "a policy that reads all queues"),
                (self.policy.reads_average(), "a policy that reads the average load"),
                (self.signal == QueueSignal::Local, "the signal local"),
                (matches!(self.signal, QueueSignal::Periodic { .. }), "the signal periodic"),
            ],
        };
        let (_, what) = needs.iter().find(|(needed, _)| *needed)?;
        Some(format!("the {} engine does not do {what}", engine.name()))
    }

    /// The engine that `auto` takes.
    pub fn auto_engine(&self) -> Engine {
        let able = Engine::ALL.into_iter().find(|&engine| self.unsupported(engine).is_none());
        able.expect("the event engine runs any queue")
    }
}
