//! Fluid limits of balls into bins against reference values and closed forms.

use evenhand_theory::fluid::{Compare, Process, State, probes_per_ball, solve};
use proptest::prelude::*;
use serde_json::Value as Json;

const LEFT_2: Process = Process::Left { blocks: 2 };

fn at(process: Process, balls_per_bin: f64) -> State {
    solve(process, &[balls_per_bin]).unwrap().pop().unwrap()
}

fn groups(size: u32, compare: Compare) -> Process {
    Process::Groups { size, count: 2, compare }
}

/// The process of a reference entry, if it has a fluid limit that is computed here.
fn process(entry: &Json) -> Option<Process> {
    let parameters = &entry["parameters"];
    let d = parameters["d"].as_u64().unwrap_or(2) as u32;
    Some(match entry["model"].as_str()? {
        "static_d_choice" => Process::Choices { choices: d },
        "static_one_plus_beta" => {
            Process::OnePlusBeta { beta: parameters["beta"].as_f64()?, choices: d }
        }
        "static_always_go_left" => Process::Left { blocks: d },
        "static_memory_d_1" => Process::Memory { choices: d },
        "static_kp_aligned_groups" => {
            let total = parameters["compare"] == "total";
            let size = parameters["bins_per_group"].as_u64()? as u32;
            groups(size, if total { Compare::Total } else { Compare::Least })
        }
        _ => return None,
    })
}

#[test]
fn limits_agree_with_references() {
    let entries: Vec<Json> = serde_json::from_str(include_str!("data/fluid.json")).unwrap();
    let mut compared = 0;
    for entry in &entries {
        let Some(process) = process(entry) else { continue };
        let state = at(process, entry["parameters"]["T"].as_f64().unwrap());
        let by_block = entry["quantity"].as_str().unwrap().starts_with("u_1");
        let values = entry["value"].as_array().unwrap();
        for (i, value) in values.iter().enumerate() {
            let value = value.as_f64().unwrap();
            let found =
                if by_block { state.blocks[i].get(1) } else { state.fraction_at_least.get(i + 1) };
            let found = found.copied().unwrap_or(0.0);
            let error = entry["abs_error"][i].as_f64().unwrap() + 1e-8 * value;
            // Levels below the least double are 0 in the reference.
            let underflow = value == 0.0 && found < 1e-190;
            assert!(underflow || (found - value).abs() <= error, "{}: {found} at {i}", entry["id"]);
        }
        compared += 1;
    }
    assert_eq!(compared, 19);
}

#[test]
fn closed_forms() {
    let two = at(Process::Choices { choices: 2 }, 0.7);
    assert!((two.fraction_at_least[1] - 0.7_f64.tanh()).abs() < 1e-9);
    let memory = at(Process::Memory { choices: 1 }, 2.0);
    assert!((memory.fraction_at_least[1] - (1.0 - (-2.0_f64).exp())).abs() < 1e-9);
    assert!((at(LEFT_2, 1.0).blocks[0][1] - (1.0 - (-2.0_f64).exp())).abs() < 1e-9);
}

#[test]
fn one_choice_is_the_poisson_tail_down_to_the_least_fraction() {
    for balls_per_bin in [1e-3_f64, 0.2, 1.0, 3.0, 20.0] {
        let state = at(Process::Choices { choices: 1 }, balls_per_bin);
        let mut probability = vec![(-balls_per_bin).exp()];
        for i in 1..500 {
            probability.push(probability[i - 1] * balls_per_bin / i as f64);
        }
        let mut tail = 0.0;
        for i in (1..500).rev() {
            tail += probability[i];
            if tail > 1.1e-60 {
                let x = state.fraction_at_least[i];
                assert!((x / tail - 1.0).abs() < 1e-8, "{i}: {x:e} {:e}", x / tail - 1.0);
            }
        }
    }
}

#[test]
fn far_tails_of_two_choices_do_not_depend_on_the_way() {
    let process = Process::Choices { choices: 2 };
    let straight = at(process, 20.0);
    let with_stops = solve(process, &[0.0, 0.3, 5.0, 5.5, 18.9, 20.0]).unwrap();
    for (a, b) in straight.fraction_at_least.iter().zip(&with_stops[5].fraction_at_least) {
        assert!((a / b - 1.0).abs() < 1e-8, "{a} {b}");
    }
}

#[test]
fn every_limit_holds_all_balls_in_falling_fractions() {
    let processes = [
        Process::Choices { choices: 3 },
        Process::OnePlusBeta { beta: 0.3, choices: 2 },
        Process::Left { blocks: 3 },
        Process::Memory { choices: 1 },
        Process::Memory { choices: 2 },
        groups(3, Compare::Total),
        groups(2, Compare::Least),
        Process::Threshold { choices: 3, limit: 2 },
    ];
    for process in processes {
        for state in solve(process, &[0.0, 1e-3, 0.5, 1.0, 4.0, 12.0]).unwrap() {
            let x = &state.fraction_at_least;
            let balls: f64 = x[1..].iter().sum();
            assert!((balls - state.balls_per_bin).abs() <= 1e-10 * state.balls_per_bin);
            assert!(x.iter().all(|x| (0.0..=1.0).contains(x)), "{process:?}");
            assert!(x.windows(2).all(|pair| pair[0] >= pair[1]), "{process:?}");
            assert!(state.relative_error < 3e-8, "{process:?} {:e}", state.relative_error);
        }
    }
}

#[test]
fn a_wave_of_two_choices_travels_one_level_a_unit() {
    let states = solve(Process::Choices { choices: 2 }, &[200.0, 1000.0]).unwrap();
    for level in 195..=206 {
        let (a, b) = (states[0].fraction_at_least[level], states[1].fraction_at_least[level + 800]);
        assert!((a / b - 1.0).abs() < 1e-7, "{a} {b}");
    }
}

/// With an output at every time unit, none is skipped.
#[test]
fn settled_profiles_are_those_that_are_followed() {
    let times: Vec<f64> = (1..=150).map(f64::from).collect();
    let processes = [
        Process::Left { blocks: 3 },
        Process::Memory { choices: 1 },
        groups(2, Compare::Total),
        groups(2, Compare::Least),
        Process::Threshold { choices: 3, limit: 5 },
        Process::OnePlusBeta { beta: 0.8, choices: 3 },
    ];
    for process in processes {
        let followed = solve(process, &times).unwrap().swap_remove(149).fraction_at_least;
        let skipped = at(process, 150.0).fraction_at_least;
        assert_eq!(followed.len(), skipped.len(), "{process:?}");
        for (a, b) in followed.iter().zip(&skipped) {
            let off = (a / b - 1.0).abs();
            // What the bulk is off, far tails are off in proportion to their logarithm.
            assert!(off < 2e-10 * (1.0 - a.ln()), "{process:?}: {a:e} {off:e}");
        }
    }
}

#[test]
fn thresholds_between_one_choice_and_d_choices() {
    let never = at(Process::Threshold { choices: 2, limit: 60 }, 2.0);
    let one = at(Process::Choices { choices: 1 }, 2.0);
    assert!((never.fraction_at_least[5] / one.fraction_at_least[5] - 1.0).abs() < 1e-8);
    assert!((probes_per_ball(3, 60, 2.0).unwrap() - 1.0).abs() < 1e-9);
    let draws = probes_per_ball(4, 0, 30.0).unwrap();
    assert!(draws > 3.5 && draws < 4.0);
}

#[test]
fn parameters_out_of_range_are_errors() {
    let bad = [
        Process::Choices { choices: 0 },
        Process::OnePlusBeta { beta: f64::NAN, choices: 2 },
        Process::Left { blocks: 100 },
        Process::Groups { size: 0, count: 2, compare: Compare::Total },
    ];
    assert!(bad.into_iter().all(|process| solve(process, &[1.0]).is_err()));
    let two = Process::Choices { choices: 2 };
    assert!([f64::NAN, -1.0, f64::INFINITY].into_iter().all(|time| solve(two, &[time]).is_err()));
    assert!(solve(two, &[2.0, 1.0]).is_err());
}

fn any_process() -> impl Strategy<Value = Process> {
    let compare = prop_oneof![Just(Compare::Total), Just(Compare::Least)];
    prop_oneof![
        (1..8_u32).prop_map(|choices| Process::Choices { choices }),
        (0.0..1.0, 2..5_u32).prop_map(|(beta, choices)| Process::OnePlusBeta { beta, choices }),
        (1..6_u32).prop_map(|blocks| Process::Left { blocks }),
        (1..5_u32).prop_map(|choices| Process::Memory { choices }),
        (1..5_u32, 1..4_u32, compare).prop_map(|(size, count, compare)| Process::Groups {
            size,
            count,
            compare
        }),
        (1..5_u32, 0..9_u32).prop_map(|(choices, limit)| Process::Threshold { choices, limit }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_limit_holds_all_balls_in_falling_fractions(
        process in any_process(),
        balls_per_bin in 0.0..6.0_f64,
    ) {
        let x = at(process, balls_per_bin).fraction_at_least;
        let balls: f64 = x[1..].iter().sum();
        prop_assert!((balls - balls_per_bin).abs() <= 1e-10 * balls_per_bin);
        prop_assert!(x.iter().all(|x| (0.0..=1.0).contains(x)));
        prop_assert!(x.windows(2).all(|pair| pair[0] >= pair[1]));
    }
}
