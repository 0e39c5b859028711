//! Exact laws of small systems: every tuple of draws of every ball, every tie.

use std::collections::BTreeMap;

/// Loads of bins, the remembered ones marked; sorted where bins are alike.
pub(crate) type Loads = Vec<(u32, bool)>;

/// States and their probabilities.
pub(crate) type Law = BTreeMap<Loads, f64>;

/// How a policy places one ball (or several): the loads after it.
pub(crate) struct Chain {
    /// Sizes of the classes within which bins are alike.
    pub(crate) alike: Vec<usize>,
    place: Box<dyn Fn(&Loads) -> Law>,
}

impl Chain {
    /// A policy under which all bins are alike.
    fn alike(bins: usize, place: impl Fn(&Loads) -> Law + 'static) -> Self {
        Self { alike: vec![bins], place: Box::new(place) }
    }

    /// A policy under which every bin has its own place.
    fn named(bins: usize, place: impl Fn(&Loads) -> Law + 'static) -> Self {
        Self { alike: vec![1; bins], place: Box::new(place) }
    }

    fn sorted(&self, mut loads: Loads) -> Loads {
        let mut rest = loads.as_mut_slice();
        for &size in &self.alike {
            let (class, others) = rest.split_at_mut(size);
            class.sort_unstable();
            rest = others;
        }
        loads
    }

    /// The law of the loads after `balls` balls.
    pub(crate) fn after(&self, balls: u32) -> Law {
        let bins = self.alike.iter().sum();
        let mut law = Law::from([(vec![(0, false); bins], 1.0)]);
        for _ in 0..balls {
            let mut next = Law::new();
            for (loads, p) in law {
                if total(&loads) == balls {
                    *next.entry(loads).or_default() += p;
                    continue;
                }
                for (after, q) in (self.place)(&loads) {
                    *next.entry(self.sorted(after)).or_default() += p * q;
                }
            }
            law = next;
        }
        law
    }
}

fn total(loads: &Loads) -> u32 {
    loads.iter().map(|bin| bin.0).sum()
}

/// All tuples of one element of each set.
fn tuples(sets: &[Vec<usize>]) -> Vec<Vec<usize>> {
    sets.iter().fold(vec![Vec::new()], |tuples, set| {
        let longer = |tuple: &Vec<usize>| {
            let tuple = tuple.clone();
            set.iter().map(move |&x| tuple.iter().copied().chain([x]).collect())
        };
        tuples.iter().flat_map(longer).collect()
    })
}

fn draws(bins: usize, d: usize) -> Vec<Vec<usize>> {
    tuples(&vec![(0..bins).collect(); d])
}

/// Places one ball after each of the equally likely `draws`, as `winners` says: bins and their
/// probabilities.
fn placing(
    draws: Vec<Vec<usize>>,
    winners: impl Fn(&Loads, &[usize]) -> Vec<(usize, f64)> + 'static,
) -> impl Fn(&Loads) -> Law + 'static {
    move |loads| {
        let mut law = Law::new();
        for draw in &draws {
            for (bin, p) in winners(loads, draw) {
                let mut after = loads.clone();
                after[bin].0 += 1;
                *law.entry(after).or_default() += p / draws.len() as f64;
            }
        }
        law
    }
}

/// The least loaded of the draws, each of the tied ones with equal probability.
fn least(loads: &Loads, draw: &[usize]) -> Vec<(usize, f64)> {
    let least = draw.iter().map(|&bin| loads[bin].0).min().unwrap();
    let tied: Vec<usize> = draw.iter().copied().filter(|&bin| loads[bin].0 == least).collect();
    tied.iter().map(|&bin| (bin, 1.0 / tied.len() as f64)).collect()
}

fn first_least(loads: &Loads, draw: &[usize]) -> Vec<(usize, f64)> {
    vec![(least(loads, draw)[0].0, 1.0)]
}

pub(crate) fn choices(bins: usize, d: usize) -> Chain {
    Chain::alike(bins, placing(draws(bins, d), least))
}

pub(crate) fn distinct(bins: usize, d: usize) -> Chain {
    let different = |draw: &Vec<usize>| (1..d).all(|i| !draw[..i].contains(&draw[i]));
    let draws = draws(bins, d).into_iter().filter(different).collect();
    Chain::alike(bins, placing(draws, least))
}

pub(crate) fn one_plus_beta(bins: usize, beta: f64, d: usize) -> Chain {
    let winners = move |loads: &Loads, draw: &[usize]| {
        let looking = least(loads, draw).into_iter().map(|(bin, p)| (bin, beta * p));
        looking.chain([(draw[0], 1.0 - beta)]).collect()
    };
    Chain::alike(bins, placing(draws(bins, d), winners))
}

/// Blocks of these sizes, left to right.
pub(crate) fn left(sizes: &[usize]) -> Chain {
    let mut start = 0;
    let blocks: Vec<Vec<usize>> = sizes
        .iter()
        .map(|size| {
            start += size;
            (start - size..start).collect()
        })
        .collect();
    Chain { alike: sizes.to_vec(), place: Box::new(placing(tuples(&blocks), first_least)) }
}

pub(crate) fn threshold(bins: usize, d: usize, limit: u32) -> Chain {
    let winners = move |loads: &Loads, draw: &[usize]| match draw
        .iter()
        .find(|&&bin| loads[bin].0 <= limit)
    {
        Some(&bin) => vec![(bin, 1.0)],
        None => least(loads, draw),
    };
    Chain::alike(bins, placing(draws(bins, d), winners))
}

/// Draws of `count` of these groups; the group of least score, and its least loaded bin.
pub(crate) fn grouped(
    bins: usize,
    groups: Vec<Vec<usize>>,
    count: usize,
    score: fn(&Loads, &[usize]) -> u32,
) -> Chain {
    let draws = draws(groups.len(), count);
    let winners = move |loads: &Loads, draw: &[usize]| {
        let scores: Vec<u32> = draw.iter().map(|&group| score(loads, &groups[group])).collect();
        let least_score = scores.iter().min().unwrap();
        let tied: Vec<_> = draw.iter().zip(&scores).filter(|(_, s)| *s == least_score).collect();
        let bins = tied.iter().flat_map(|(group, _)| least(loads, &groups[**group]));
        bins.map(|(bin, p)| (bin, p / tied.len() as f64)).collect()
    };
    Chain::named(bins, placing(draws, winners))
}

pub(crate) fn total_of(loads: &Loads, group: &[usize]) -> u32 {
    group.iter().map(|&bin| loads[bin].0).sum()
}

pub(crate) fn least_of(loads: &Loads, group: &[usize]) -> u32 {
    group.iter().map(|&bin| loads[bin].0).min().unwrap()
}

pub(crate) fn aligned(bins: usize, size: usize) -> Vec<Vec<usize>> {
    (0..bins / size).map(|group| (group * size..(group + 1) * size).collect()).collect()
}

pub(crate) fn windows(bins: usize, size: usize) -> Vec<Vec<usize>> {
    (0..bins).map(|start| (0..size).map(|offset| (start + offset) % bins).collect()).collect()
}

/// The least loaded bin of two whole windows.
pub(crate) fn least_of_windows(bins: usize, size: usize) -> Chain {
    let windows = windows(bins, size);
    let both = |draw: &Vec<usize>| draw.iter().flat_map(|&w| windows[w].clone()).collect();
    let draws = draws(bins, 2).iter().map(both).collect();
    Chain::named(bins, placing(draws, least))
}

/// `d` fresh draws and `m` remembered bins, candidates distinct.
pub(crate) fn memory(bins: usize, d: usize, m: usize) -> Chain {
    let draws = draws(bins, d);
    let place = move |loads: &Loads| {
        let mut law = Law::new();
        for draw in &draws {
            let is_candidate = |bin: &usize| loads[*bin].1 || draw.contains(bin);
            let candidates: Vec<usize> = (0..bins).filter(is_candidate).collect();
            for (bin, p) in least(loads, &candidates) {
                let mut after: Loads = loads.iter().map(|bin| (bin.0, false)).collect();
                after[bin].0 += 1;
                let p = p / draws.len() as f64;
                remember(after, candidates.clone(), m, p, &mut law);
            }
        }
        law
    };
    Chain::alike(bins, place)
}

/// Marks `m` least loaded of the candidates, one after the other.
fn remember(loads: Loads, candidates: Vec<usize>, m: usize, p: f64, law: &mut Law) {
    if m == 0 || candidates.is_empty() {
        *law.entry(loads).or_default() += p;
        return;
    }
    for (bin, q) in least(&loads, &candidates) {
        let mut marked = loads.clone();
        marked[bin].1 = true;
        let others = candidates.iter().copied().filter(|&other| other != bin).collect();
        remember(marked, others, m - 1, p * q, law);
    }
}

pub(crate) fn thinning(bins: usize) -> Chain {
    let winners = |loads: &Loads, draw: &[usize]| {
        let above = loads[draw[0]].0 as usize * loads.len() > total(loads) as usize;
        vec![(if above { draw[1] } else { draw[0] }, 1.0)]
    };
    Chain::alike(bins, placing(draws(bins, 2), winners))
}

/// One uniform bin gets as many balls as `amount` says of its load and the total, cut at `balls`.
fn filling(bins: usize, balls: u32, amount: fn(u32, u32, u32) -> u32) -> Chain {
    let place = move |loads: &Loads| {
        let mut law = Law::new();
        for bin in 0..bins {
            let mut after = loads.clone();
            let wanted = amount(loads[bin].0, total(loads), bins as u32);
            after[bin].0 += wanted.min(balls - total(loads));
            *law.entry(after).or_default() += 1.0 / bins as f64;
        }
        law
    };
    Chain::alike(bins, place)
}

pub(crate) fn twinning(bins: usize, balls: u32) -> Chain {
    filling(bins, balls, |load, total, bins| if load * bins < total { 2 } else { 1 })
}

pub(crate) fn packing(bins: usize, balls: u32) -> Chain {
    filling(bins, balls, |load, total, bins| total.div_ceil(bins).saturating_sub(load).max(1))
}
