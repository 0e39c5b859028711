//! Times of mean fields and their corrections.
//!
//! `cargo bench -p evenhand-theory --bench meanfield`. At a load of 0.9999 two choices have some 20
//! levels, so that times are those of 20 levels and not of the few that matter at 0.9.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use evenhand_theory::meanfield::Selection;
use evenhand_theory::meanfield::heterogeneous::{Class, Drawing, heterogeneous};
use evenhand_theory::meanfield::pair::pair;
use evenhand_theory::meanfield::refined::{Sampling, first_order, second_order};
use evenhand_theory::meanfield::supermarket::fixed_point;
use evenhand_theory::meanfield::transient::transient;

const TWO: Selection = Selection::Choices { d: 2 };

fn main() {
    for load in [0.9, 0.9999] {
        time("fixed point", load, || fixed_point(TWO, load).map(|state| state.tails.len()));
        let sampling = Sampling::WithReplacement;
        time("order 1/N", load, || first_order(TWO, sampling, load).map(|it| it.tails.len()));
        time("order 1/N²", load, || second_order(TWO, sampling, load).map(|it| it.tails.len()));
    }
    time("in time, to t = 20", 0.9, || {
        transient(TWO, 0.9, &[1.0], &[20.0]).map(|state| state.tails[0].len())
    });
    time("two speeds", 0.9, || {
        let classes = [1.5, 0.5].map(|speed| Class { fraction: 0.5, speed });
        heterogeneous(2, 0.9, &classes, Drawing::Uniform).map(|state| state.tails.len())
    });
    for load in [0.7, 0.95] {
        time("neighbours on a ring", load, || pair(2, load).map(|state| state.tails.len()));
    }
}

/// Prints the least time of some runs, and the number of levels.
fn time<E: std::fmt::Debug>(name: &str, load: f64, run: impl Fn() -> Result<usize, E>) {
    let mut least = f64::INFINITY;
    let mut levels = 0;
    for _ in 0..20 {
        let start = Instant::now();
        levels = black_box(run()).unwrap() - 1;
        least = least.min(start.elapsed().as_secs_f64());
    }
    println!("{name:22} load {load:<7} {:10.3} ms, {levels} levels", 1e3 * least);
}
