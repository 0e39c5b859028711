//! The engines against slow and simple versions of themselves.

mod one_at_a_time;
mod sequential;
