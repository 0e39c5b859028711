//! Subsets of servers: expressions, counts, and the laws of the random ones.

use std::collections::{BTreeMap, BTreeSet};

use evenhand_core::{ServerId, Stream};
use evenhand_policies::subsets::SubsetSpec;
use proptest::prelude::*;
use statrs::distribution::{ChiSquared, ContinuousCDF};

fn draw(source: &str, dispatchers: usize, servers: u64, seed: u64) -> Vec<Vec<u32>> {
    let spec = SubsetSpec::parse(source).unwrap_or_else(|error| panic!("{error}"));
    let subsets = spec.draw(dispatchers, servers, &mut Stream::from_seed(seed)).expect(source);
    subsets.into_iter().map(|subset| subset.into_iter().map(|ServerId(id)| id).collect()).collect()
}

/// How many dispatchers know each server.
fn known(subsets: &[Vec<u32>], servers: u64) -> Vec<u64> {
    let mut counts = vec![0; servers as usize];
    subsets.iter().flatten().for_each(|&server| counts[server as usize] += 1);
    counts
}

/// Probability of a chi-square statistic at least this large, for equally likely outcomes.
fn p_value(counts: impl IntoIterator<Item = u64>, outcomes: usize, draws: u64) -> f64 {
    let expected = draws as f64 / outcomes as f64;
    let counts: Vec<u64> = counts.into_iter().collect();
    let missing = (outcomes - counts.len()) as f64 * expected;
    let chi2: f64 = counts.iter().map(|&c| (c as f64 - expected).powi(2) / expected).sum();
    ChiSquared::new(outcomes as f64 - 1.0).expect("a law").sf(chi2 + missing)
}

#[test]
fn expressions() {
    for source in ["all", "balanced(4)", "random(4)", "shuffled(1)", "contiguous(1000000)"] {
        assert_eq!(SubsetSpec::parse(source).unwrap().to_string(), source);
    }
    assert_eq!(SubsetSpec::parse("balanced(k=1_000)").unwrap().to_string(), "balanced(1000)");
    for (source, message) in [
        ("balanced", "`balanced` needs `k`: a whole number"),
        ("balanced(0)", "`k` must be between 1 and"),
        ("random(2.5)", "`k` must be a whole number"),
        ("all(3)", "`all` takes no arguments"),
        ("balansed(3)", "did you mean `balanced`?"),
        ("shuffled(3, 4)", "takes at most 1 argument"),
    ] {
        let error = SubsetSpec::parse(source).expect_err(source).to_string();
        assert!(error.contains(message), "{source}: {error}");
    }
}

#[test]
fn impossible_sizes_are_refused() {
    let spec = SubsetSpec::parse("random(5)").unwrap();
    let issue = spec.draw(2, 4, &mut Stream::from_seed(1)).unwrap_err();
    assert_eq!(issue.parameter, Some("k"));
    assert_eq!(issue.message, "a subset of 5 servers cannot be drawn from 4");
    assert_eq!(issue.help.as_deref(), Some("`k` can be 1 to 4"));
    assert!(SubsetSpec::Balanced { k: 0 }.check(4).is_some());
    for servers in [0, (1 << 32) + 1] {
        assert!(SubsetSpec::All.check(servers).is_some(), "{servers}");
    }
    assert_eq!(SubsetSpec::All.check(1), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn subsets_are_sets_of_the_right_size(
        (name, m, n, k, seed) in (0..4_usize, 0..40_usize, 1..60_u64).prop_flat_map(
            |(name, m, n)| (Just(name), Just(m), Just(n), 1..=n, any::<u64>()))
    ) {
        let name = ["balanced", "random", "shuffled", "contiguous"][name];
        let subsets = draw(&format!("{name}({k})"), m, n, seed);
        prop_assert_eq!(subsets.len(), m);
        for subset in &subsets {
            prop_assert_eq!(subset.len() as u64, k);
            prop_assert!(subset.is_sorted_by(|a, b| a < b), "{:?}", subset);
            prop_assert!(u64::from(subset[subset.len() - 1]) < n);
        }
        prop_assert_eq!(&subsets, &draw(&format!("{name}({k})"), m, n, seed));
        let counts = known(&subsets, n);
        let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
        let even = m as u64 * k / n;
        match name {
            "balanced" | "contiguous" => {
                prop_assert_eq!(*least, even);
                prop_assert_eq!(*most, (m as u64 * k).div_ceil(n));
                for first in 1..m * usize::from(name == "balanced") {
                    let counts = known(&subsets[..first], n);
                    prop_assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1);
                }
            }
            "shuffled" => prop_assert!(*most <= (m as u64).div_ceil(n / k)),
            _ => {}
        }
    }
}

#[test]
fn all_knows_all() {
    assert_eq!(draw("all", 2, 3, 1), [[0, 1, 2], [0, 1, 2]]);
    assert_eq!(draw("balanced(3)", 2, 3, 1), [[0, 1, 2], [0, 1, 2]]);
    assert!(draw("all", 0, 3, 1).is_empty());
}

#[test]
fn contiguous_slices_start_evenly() {
    let slices = draw("contiguous(3)", 4, 10, 1);
    assert_eq!(slices, [[0, 1, 2], [2, 3, 4], [5, 6, 7], [7, 8, 9]]);
    assert_eq!(draw("contiguous(3)", 2, 4, 1), [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn a_full_round_of_shuffled_slices_is_disjoint() {
    // 11 servers in slices of 3: rounds of three dispatchers, two servers left over.
    let subsets = draw("shuffled(3)", 9, 11, 5);
    let mut rounds = BTreeSet::new();
    for round in subsets.chunks(3) {
        let servers: BTreeSet<u32> = round.iter().flatten().copied().collect();
        assert_eq!(servers.len(), 9);
        rounds.insert(round.to_vec());
    }
    assert_eq!(rounds.len(), 3, "each round has its own order");
}

/// The law of `balanced`, by counting its equally likely outcomes. Over 5 servers: the first two
/// dispatchers have disjoint pairs (10 x 3 ways), the third has the last server and one of 4
/// others. Over 3: the second has the last server and one of two others, the third must have the
/// two that are left, and then a new deck begins. Chi-square tests, each with a false alarm of
/// 1e-7.
#[test]
fn balanced_subsets_have_their_law() {
    for (m, n, outcomes) in [(3, 5, 10 * 3 * 4), (4, 3, 3 * 2 * 3), (2, 4, 6), (3, 4, 6 * 6)] {
        let p = p_of_uniform_outcomes("balanced(2)", outcomes, |subsets| subsets, m, n);
        assert!(p > 1e-7, "{m} {n}: p = {p}");
    }
}

/// Each dispatcher alone has a uniform subset, wherever the ends of decks are: 7 servers, hands
/// of 3. Chi-square tests over 35 subsets, each with a false alarm of 1e-7.
#[test]
fn each_balanced_subset_is_uniform() {
    for dispatcher in 0..8 {
        let one = |subsets: Vec<Vec<ServerId>>| vec![subsets[dispatcher].clone()];
        let p = p_of_uniform_outcomes("balanced(3)", 35, one, 8, 7);
        assert!(p > 1e-7, "{dispatcher}: p = {p}");
    }
}

/// Two dispatchers of `random(2)` over 4 servers: 6 x 6 pairs of subsets, all equally likely.
/// And one of `shuffled(2)` over 5 servers: 10 subsets. False alarms of 1e-7 each.
#[test]
fn random_and_shuffled_subsets_are_uniform() {
    for (source, m, n, outcomes) in [("random(2)", 2, 4, 36), ("shuffled(2)", 1, 5, 10)] {
        let p = p_of_uniform_outcomes(source, outcomes, |subsets| subsets, m, n);
        assert!(p > 1e-7, "{source}: p = {p}");
    }
}

/// Chi-square probability of what `part` sees of 20,000 draws, if all its `outcomes` were equally
/// likely.
fn p_of_uniform_outcomes(
    source: &str,
    outcomes: usize,
    part: impl Fn(Vec<Vec<ServerId>>) -> Vec<Vec<ServerId>>,
    dispatchers: usize,
    servers: u64,
) -> f64 {
    let spec = SubsetSpec::parse(source).expect("subsets");
    let mut stream = Stream::from_seed(9);
    let mut seen: BTreeMap<Vec<Vec<ServerId>>, u64> = BTreeMap::new();
    for _ in 0..20_000 {
        let subsets = spec.draw(dispatchers, servers, &mut stream).expect("possible");
        *seen.entry(part(subsets)).or_default() += 1;
    }
    assert!(seen.len() <= outcomes, "{} of {outcomes} outcomes", seen.len());
    p_value(seen.into_values(), outcomes, 20_000)
}

#[test]
fn draws_are_pinned() {
    assert_eq!(draw("balanced(3)", 3, 7, 1), GOLDEN_BALANCED);
    assert_eq!(draw("random(3)", 2, 7, 1), GOLDEN_RANDOM);
    assert_eq!(draw("shuffled(3)", 3, 7, 1), GOLDEN_SHUFFLED);
}

const GOLDEN_BALANCED: [[u32; 3]; 3] = [[3, 5, 6], [0, 1, 4], [0, 1, 2]];
const GOLDEN_RANDOM: [[u32; 3]; 2] = [[3, 5, 6], [3, 4, 5]];
const GOLDEN_SHUFFLED: [[u32; 3]; 3] = [[3, 5, 6], [0, 1, 4], [0, 2, 3]];
