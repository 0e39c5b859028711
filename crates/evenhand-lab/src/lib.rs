//! Records, tables.
pub mod error;
pub mod figure;
pub mod output;
pub mod record;
mod facet;
mod number;
mod summary;
pub use error::Error;
