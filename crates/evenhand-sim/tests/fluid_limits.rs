//! Both engines against fluid limits: the fraction of bins with load at least i when n grows at a
//! fixed number T of balls a bin.
//!
//! Reference values: ordinary differential equations, solved by an independent program to 1e-10
//! relative (Mitzenmacher 1996; left: Vöcking 2003, Mitzenmacher, Vöcking 1999; memory:
//! Mitzenmacher, Prabhakar, Shah 2002; groups: Kenthapadi, Panigrahy 2006).
//!
//! A mean over R replications may be off by 8 standard errors, which are estimated (Student, R - 1
//! degrees of freedom: below 1e-8 each for R >= 40), and by 4/n for the terms of order 1/n. False
//! alarms: below 1e-6 for each test function.

mod common;

use common::*;
use evenhand_sim::Engine;

const SIGMAS: f64 = 8.0;

struct Limit {
    policy: &'static str,
    balls_per_bin: u64,
    /// Fraction of bins with load at least 1, 2, ...
    at_least: &'static [f64],
}

const LIMITS: &[Limit] = &[
    Limit {
        policy: "choices(1)",
        balls_per_bin: 1,
        at_least: &[
            0.6321205588285576,
            0.26424111765711533,
            0.0803013970713942,
            0.01898815687615381,
            0.003659846827343713,
            0.0005941848175816931,
            8.324114928802314e-05,
            1.0249196674641697e-05,
        ],
    },
    Limit {
        policy: "choices(2)",
        balls_per_bin: 1,
        at_least: &[
            0.7615941559557646,
            0.2295045384960579,
            0.008895258291039857,
            6.047255802746762e-06,
            1.3345694000585356e-12,
        ],
    },
    Limit {
        policy: "choices(2, distinct)",
        balls_per_bin: 2,
        at_least: &[
            0.9640275800758166,
            0.7484427690171691,
            0.27134124869210174,
            0.016162212665646002,
            2.6189516310536513e-05,
        ],
    },
    Limit {
        policy: "choices(2)",
        balls_per_bin: 2,
        at_least: &[
            0.9640275800758166,
            0.7484427690171691,
            0.27134124869210174,
            0.016162212665646002,
            2.6189516310536513e-05,
        ],
    },
    Limit {
        policy: "choices(3)",
        balls_per_bin: 1,
        at_least: &[0.8230405355016098, 0.17645176067669394, 0.0005077038178315752],
    },
    Limit {
        policy: "choices(3, distinct)",
        balls_per_bin: 1,
        at_least: &[0.8230405355016098, 0.17645176067669394, 0.0005077038178315752],
    },
    Limit {
        policy: "one-plus-beta(0.5)",
        balls_per_bin: 1,
        at_least: &[
            0.6988973059496448,
            0.2507971457855593,
            0.04461545359873229,
            0.00517146499063256,
            0.00047833575177353197,
            3.756464025495762e-05,
            2.5656212274291265e-06,
        ],
    },
    Limit {
        policy: "one-plus-beta(0.5)",
        balls_per_bin: 4,
        at_least: &[
            0.9962864741900926,
            0.9697937989161123,
            0.8731274942210411,
            0.6517077436765074,
            0.3477142350667104,
            0.12233891651648279,
            0.03097450889329226,
            0.00654635252631515,
        ],
    },
    Limit {
        policy: "left(2)",
        balls_per_bin: 1,
        at_least: &[
            0.7716751724069326,
            0.22384972279531273,
            0.004475053274027711,
            5.152372701740599e-08,
        ],
    },
    Limit {
        policy: "left(2)",
        balls_per_bin: 2,
        at_least: &[
            0.9664004373048423,
            0.759496914569297,
            0.26499348959786784,
            0.009108660794365222,
            4.977336288136052e-07,
        ],
    },
    Limit {
        policy: "left(3)",
        balls_per_bin: 1,
        at_least: &[0.8379086028938206, 0.1620803159043988, 1.1081201780549232e-05],
    },
    Limit {
        policy: "memory(1)",
        balls_per_bin: 1,
        at_least: &[
            0.6321205588285577,
            0.33010560262686023,
            0.0376901603835541,
            8.367815492981235e-05,
        ],
    },
    Limit {
        policy: "memory(2)",
        balls_per_bin: 1,
        at_least: &[0.8036776604098154, 0.196201799972193, 0.00012053961799195095],
    },
    Limit {
        policy: "groups(2)",
        balls_per_bin: 1,
        at_least: &[0.8562351745464929, 0.14375173067887403, 1.3094774632947875e-05],
    },
    Limit {
        policy: "groups(2, compare=least)",
        balls_per_bin: 1,
        at_least: &[0.8360606356016105, 0.16360404045953292, 0.00033532393832291394],
    },
    Limit {
        policy: "groups(2)",
        balls_per_bin: 2,
        at_least: &[
            0.9956064143472714,
            0.8451553720351135,
            0.1592107008034977,
            2.7512814117261032e-05,
        ],
    },
    Limit {
        policy: "groups(2, compare=least)",
        balls_per_bin: 2,
        at_least: &[
            0.9935148518402459,
            0.8229308282454673,
            0.1829582579788648,
            0.0005960619312990006,
        ],
    },
    Limit {
        policy: "groups(3)",
        balls_per_bin: 1,
        at_least: &[0.8972647759594796, 0.10273522400703423, 3.348605252154391e-11],
    },
    Limit {
        policy: "groups(3, compare=least)",
        balls_per_bin: 1,
        at_least: &[0.8686586394142269, 0.13132526886657406, 1.6091719198501713e-05],
    },
];

impl Limit {
    fn check(&self, engine: Engine, bins: u64, runs: u64) {
        let model = model(self.policy, bins, bins * self.balls_per_bin);
        let mut seen = vec![Mean::default(); self.at_least.len()];
        for outcome in replications(&model, engine, runs) {
            for (i, mean) in seen.iter_mut().enumerate() {
                mean.add(at_least(&outcome, i + 1) / bins as f64);
            }
        }
        for (i, (mean, limit)) in seen.iter().zip(self.at_least).enumerate() {
            // Rare levels are too skewed for a mean; a bound on their number is left.
            if limit * ((bins * runs) as f64) < 1000.0 {
                assert!(mean.value() * ((bins * runs) as f64) < 1300.0);
                continue;
            }
            let tolerance = SIGMAS * mean.standard_error() + 4.0 / bins as f64;
            assert!(
                (mean.value() - limit).abs() <= tolerance,
                "{} T={} {engine:?} n={bins}: x_{} = {} +- {}, limit {limit}",
                self.policy,
                self.balls_per_bin,
                i + 1,
                mean.value(),
                mean.standard_error()
            );
        }
    }
}

/// True if the profile engine throws many balls of the policy at once.
fn skips(policy: &str) -> bool {
    !policy.starts_with("memory") && !policy.contains("least")
}

#[test]
fn bins_engine() {
    for limit in LIMITS {
        // A multiple of 2 and 3.
        limit.check(Engine::Bins, 98_304, 40);
    }
}

/// Below 2^18 bins: one ball at a time, or blocks of balls.
#[test]
fn profile_engine_small() {
    for limit in LIMITS {
        limit.check(Engine::Profile, 98_304, 40);
    }
}

/// From 2^18 bins on: skipping.
#[test]
fn profile_engine_large() {
    for limit in LIMITS.iter().filter(|limit| skips(limit.policy)) {
        limit.check(Engine::Profile, 3 << 23, 40);
    }
}

/// 2 10^8 bins: an error of a few 1e-5 would show.
#[test]
fn profile_engine_very_large() {
    for limit in LIMITS.iter().filter(|limit| skips(limit.policy) && limit.balls_per_bin == 1) {
        limit.check(Engine::Profile, 3 << 26, 40);
    }
}

/// Fraction of the bins of each block with load at least 1 at T = 1, leftmost block first.
#[test]
fn left_fills_the_leftmost_block_most() {
    for (policy, limits) in [
        ("left(2)", &[0.8646647167633874, 0.6786856280504779][..]),
        ("left(3)", &[0.9502129316321362, 0.8712376817604419, 0.6922751952888838]),
    ] {
        let (bins, runs) = (98_304, 40);
        let mut model = model(policy, bins, bins);
        model.keep_loads = true;
        let mut seen = vec![Mean::default(); limits.len()];
        for outcome in replications(&model, Engine::Bins, runs) {
            let loads = outcome.loads.expect("asked for");
            for (block, mean) in loads.chunks(loads.len() / limits.len()).zip(&mut seen) {
                let filled = block.iter().filter(|&&load| load >= 1.0).count();
                mean.add(filled as f64 / block.len() as f64);
            }
        }
        for (mean, limit) in seen.iter().zip(limits) {
            let tolerance =
                SIGMAS * mean.standard_error() + 4.0 * limits.len() as f64 / bins as f64;
            assert!((mean.value() - limit).abs() <= tolerance, "{policy}: {mean:?}, limit {limit}");
        }
    }
}

/// The term of order 1/n: E[fraction with load >= i] = x_i + V_i / n + O(1/n^2) for m = n, with V
/// from the linear-noise equations (Gast, Van Houdt 2018; independent computation). With and
/// without replacement differ in it, and only in it. 6 standard errors over 100,000 runs: false
/// alarms below 1e-8 each.
#[test]
fn one_over_n_term() {
    let limit = [0.7615941559557646, 0.2295045384960579, 0.008895258291039857];
    for (policy, term) in [
        ("choices(2)", [0.15992500211230606, -0.14456961586332903, -0.016556057605522038]),
        ("choices(2, distinct)", [0.2791279241344238, -0.1983950251435849, -0.08058125357759006]),
    ] {
        let bins = 100.0;
        let model = model(policy, 100, 100);
        for engine in engines(&model) {
            let mut seen = [Mean::default(); 3];
            for outcome in replications(&model, engine, 100_000) {
                for (i, mean) in seen.iter_mut().enumerate() {
                    mean.add(at_least(&outcome, i + 1) / bins);
                }
            }
            for ((mean, x), v) in seen.iter().zip(limit).zip(term) {
                let tolerance = 6.0 * mean.standard_error() + 1.0 / (bins * bins);
                assert!(
                    (mean.value() - x - v / bins).abs() <= tolerance,
                    "{policy} {engine:?}: {mean:?}, expected {x} + {v} / n"
                );
            }
        }
    }
}
