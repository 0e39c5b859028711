//! Simulation engines of Evenhand: servers with queues.
//!
//! Jobs arrive, a policy picks a server for each, service takes time.
//!
//! ```
//! use evenhand_policies::PolicySpec;
//! use evenhand_queue::{Engine, Plan, Queue};
//! use evenhand_sim::Control;
//!
//! let queue = Queue::new(PolicySpec::parse("two-choice").unwrap(), 100, 0.9);
//! let plan = Plan::jobs(400_000, 200.0);
//! let outcome = queue.run(Engine::Lazy, &plan, 0, &Control::default()).unwrap();
//! let mean = outcome.sojourn.mean();
//! assert!((mean - 2.66).abs() < 0.3, "{mean}");
//! ```
//!
//! - [`Queue`]: the model; `run` simulates one replication
//! - [`Plan`]: how long, and what is recorded when
//! - [`Outcome`]: what one replication measured
//! - [`ErlangMixture`]: job times of exponential servers, from the queue lengths that jobs met
//! - [`Engine`]: four ways to simulate; where several can, they agree in law
//!
//! A unit of time is a unit of the service law: the mean service time, unless the law says
//! otherwise.

mod dispatch;
mod engine;
mod erlang_mixture;
mod event;
mod lazy;
mod markov;
mod model;
mod outcome;
mod pairs;
mod plan;
mod profile;
mod recorder;
mod signal;
mod stability;
mod tally;
mod uniformised;

pub use engine::Engine;
pub use erlang_mixture::ErlangMixture;
pub use model::{Discipline, Initial, Queue};
pub use outcome::{JobRow, JobTimes, Outcome, Transient};
pub use plan::{End, Plan};
pub use signal::QueueSignal;
