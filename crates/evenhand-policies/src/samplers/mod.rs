//! Samplers that several policies share.

mod uniform;
mod vicinity;
mod weighted;

pub(crate) use uniform::draw_distinct;
pub use uniform::{Distinct, DistinctPair, Uniform, UniformMany};
pub(crate) use vicinity::Vicinity;
pub use weighted::Weighted;
