//! The policies, one file each, as their papers define them.
//!
//! A file holds a policy's words, its sources, and the sampler or rule that only it uses. What
//! several share stands in `samplers/` and `rules/`.

mod all;
mod cells;
mod choices;
mod decay;
mod edges;
mod groups;
mod hops;
mod idle;
mod least_work;
mod left;
mod memory;
mod near;
mod nearest;
mod neighbors;
mod one_plus_beta;
mod packing;
mod ring;
mod round_robin;
mod thinning;
mod threshold;
mod trail;
mod twinning;
mod walks;
mod windows;

pub use all::All;
pub use cells::Cells;
pub use choices::Choices;
pub use decay::Decay;
pub use edges::Edges;
pub use groups::Groups;
pub use hops::Hops;
pub use idle::Idle;
pub use least_work::LeastWork;
pub use left::Left;
pub use memory::Memory;
pub use near::Near;
pub use nearest::Nearest;
pub use neighbors::Neighbors;
pub use one_plus_beta::OnePlusBeta;
pub use packing::Packing;
pub use ring::Ring;
pub use round_robin::RoundRobin;
pub use thinning::Thinning;
pub use threshold::Threshold;
pub use trail::Trail;
pub use twinning::Twinning;
pub use walks::{Reset, Step, Walks};
pub use windows::Windows;

/// Most candidates that an expression may ask for. More is a scan, and `all` does that by index.
const MOST_CHOICES: u64 = 65_536;

/// Rough cost of reading one load of a table of `bins` bytes, in nanoseconds: in cache or not.
fn load_nanoseconds(bins: u64) -> f64 {
    match bins {
        0..=4_000_000 => 1.5,
        4_000_001..=100_000_000 => 4.0,
        _ => 10.0,
    }
}
