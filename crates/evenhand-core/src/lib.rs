//! The seam of Evenhand: one policy, three lives.
//!
//! A load-balancing **policy** answers one question: an arrival is here, which server gets it?
//! Every policy of the literature that Evenhand serves splits into three parts:
//!
//! - a [`Sampler`] proposes candidate servers *without reading load*;
//! - a [`Rule`] reads the load of the candidates and picks one;
//! - a [`Signal`] is the shared view of load: an array in a simulation, atomic counters live, a
//!   stale copy, load over speed.
//!
//! Because the sampler is oblivious, the candidates of a block of arrivals can be drawn ahead and
//! their loads prefetched while the placements stay strictly sequential: the same law, several
//! times the speed. And a live balancer needs exactly the same three parts.
//!
//! `&mut self` marks state private to one dispatcher (walkers, remembered servers); `&self` marks
//! what is shared. Cloning a [`Policy`] makes another dispatcher, and that alone makes it
//! multi-threaded.
//!
//! # Example: two choices, written from scratch
//!
//! ```
//! use evenhand_core::{Choice, Load, Policy, Rng, Rule, Sampler, ServerId, Signal, Streams};
//!
//! /// Two independent uniform servers.
//! #[derive(Clone)]
//! struct Two {
//!     servers: u32,
//! }
//! impl<A> Sampler<A> for Two {
//!     type Set = [ServerId; 2];
//!     fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> [ServerId; 2] {
//!         [(); 2].map(|()| ServerId(evenhand_core::below(rng, self.servers.into()) as u32))
//!     }
//! }
//!
//! /// The less loaded one; the first drawn on a tie.
//! #[derive(Clone)]
//! struct Less;
//! impl<L: Load> Rule<L> for Less {
//!     fn choose<S, R>(&mut self, c: &[ServerId], signal: &S, _: &mut R) -> Option<Choice>
//!     where
//!         S: Signal<Load = L> + ?Sized,
//!         R: Rng + ?Sized,
//!     {
//!         let server = if signal.load(c[1]) < signal.load(c[0]) { c[1] } else { c[0] };
//!         Some(Choice::one(server, 2))
//!     }
//! }
//!
//! /// Loads in a plain vector.
//! struct Loads(Vec<u32>);
//! impl Signal for Loads {
//!     type Load = u32;
//!     fn load(&self, server: ServerId) -> u32 {
//!         self.0[server.index()]
//!     }
//! }
//!
//! let mut policy = Policy { sampler: Two { servers: 100 }, rule: Less };
//! let mut loads = Loads(vec![0; 100]);
//! let mut streams = Streams::from_seed(7);
//! for _ in 0..100 {
//!     let choice = policy.choose(&(), &loads, &mut streams).expect("all servers are eligible");
//!     loads.0[choice.server.index()] += 1;
//! }
//! assert_eq!(loads.0.iter().sum::<u32>(), 100);
//! assert!(loads.0.iter().max() <= Some(&5));
//! ```
//!
//! # Reproducible
//!
//! [`Stream`] is eight interleaved lanes of xoshiro256++, seeded from what determines a
//! replication ([`ReplicationSeed`]). Its output is pinned by golden vectors and never changes.

mod candidates;
mod erased;
mod ids;
mod lanes;
mod policy;
mod prefetch;
mod rule;
mod sampler;
mod seeds;
mod signal;
mod uniform;

pub use candidates::{CandidateSet, Candidates};
pub use erased::{CandidateLists, ErasedPolicy, ErasedRule, ErasedSampler};
pub use ids::ServerId;
pub use lanes::Stream;
pub use policy::Policy;
pub use prefetch::prefetch;
pub use rand::Rng;
pub use rule::{Choice, Rule};
pub use sampler::Sampler;
pub use seeds::{PointHash, ReplicationSeed, Role, Streams};
pub use signal::{Load, Signal};
pub use uniform::{Index, IndexPair, below, unit_f64};
