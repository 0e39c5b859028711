//! Times of fluid limits and finite laws: `cargo bench -p evenhand-theory --bench fluid`.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use evenhand_theory::fluid::{NumberOfBalls, Process, Sampling, corrections, exact_law, solve};

const TWO: Process = Process::Choices { choices: 2 };

const HALF: Process = Process::OnePlusBeta { beta: 0.5, choices: 2 };

fn main() {
    let rows: [(&str, fn()); 12] = [
        ("choices(2) T=1", || limit(TWO, 1.0)),
        ("choices(2) T=1000", || limit(TWO, 1000.0)),
        ("left(2) T=1000", || limit(Process::Left { blocks: 2 }, 1000.0)),
        ("left(4) T=1", || limit(Process::Left { blocks: 4 }, 1.0)),
        ("left(4) T=1000", || limit(Process::Left { blocks: 4 }, 1000.0)),
        ("memory(1) T=1", || limit(Process::Memory { choices: 1 }, 1.0)),
        ("memory(1) T=1000", || limit(Process::Memory { choices: 1 }, 1000.0)),
        ("one-plus-beta(0.5) T=1", || limit(HALF, 1.0)),
        ("one-plus-beta(0.5) T=1000", || limit(HALF, 1000.0)),
        ("threshold(2, 3) T=1", || limit(Process::Threshold { choices: 2, limit: 3 }, 1.0)),
        ("corrections choices(2) T=1", || {
            let exactly = NumberOfBalls::Exact;
            black_box(corrections(TWO, Sampling::Replacement, exactly, 1.0).expect("in range"));
        }),
        ("exact choices(2) n=m=24", || {
            black_box(exact_law(TWO, Sampling::Replacement, 24, 24).expect("in range"));
        }),
    ];
    for (name, row) in rows {
        let least = (0..5).map(|_| seconds(row)).fold(f64::INFINITY, f64::min);
        println!("{name:30} {:10.3} ms", 1e3 * least);
    }
}

fn limit(process: Process, balls_per_bin: f64) {
    black_box(solve(process, &[balls_per_bin]).expect("in range"));
}

fn seconds(work: fn()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}
