//! The words of `evenhand queue`.

use super::ranking::{self, Ranked};
use super::{NO_RUN, Worded, theory};
use crate::number::{listed, significant, thousands};
use crate::record::{QueueResult, Record};

const SOJOURN: &str = "mean sojourn time";

impl Worded for QueueResult {
    fn paragraph(record: &Record<Self>, labels: &[String]) -> String {
        let results = &record.results;
        let Some(first) = results.first() else {
            return NO_RUN.to_owned();
        };
        let mut sentences = Vec::new();
        if comparable(results) {
            sentences.push(setting(first));
            sentences.push(effort(results));
            sentences.extend(answer(results, labels));
        } else {
            sentences.push(effort(results));
            sentences.push(format!(
                "{} results with different settings: the table shows each, and their times are \
                 not ranked against each other.",
                results.len()
            ));
        }
        sentences.extend(unstable(results, labels));
        let compared = results.iter().zip(labels).filter_map(|(result, label)| {
            Some((label.as_str(), result.prediction.as_ref()?.difference.as_ref()?))
        });
        sentences.extend(theory::sentences(SOJOURN, compared));
        sentences.push("Times are in the unit of the service law.".to_owned());
        sentences.join(" ")
    }
}

/// Times are compared only where servers and jobs are the same.
fn comparable(results: &[QueueResult]) -> bool {
    let point = |r: &QueueResult| {
        let numbers = [r.load, r.rate].map(|x| x.map(f64::to_bits));
        let texts = [&r.speeds, &r.server_places, &r.users, &r.dispatcher_shares].map(Clone::clone);
        let laws = [&r.service, &r.arrivals, &r.discipline].map(Clone::clone);
        (r.servers, r.dispatchers, r.buffer, numbers, laws, texts)
    };
    let mut points = results.iter().map(point);
    let first = points.next();
    points.all(|other| Some(other) == first)
}

/// The model.
fn setting(result: &QueueResult) -> String {
    let servers = match result.servers {
        1 => "one server".to_owned(),
        servers => format!("{} servers", thousands(servers)),
    };
    let load = match (result.load, result.rate) {
        (Some(load), _) => format!(" at load {}", significant(load, 4)),
        (None, Some(rate)) => format!(", {} in a unit of time", significant(rate, 4)),
        (None, None) => String::new(),
    };
    format!(
        "Jobs with service {} and arrivals {} came to {servers}{load}.",
        result.service, result.arrivals
    )
}

/// How much was simulated.
fn effort(results: &[QueueResult]) -> String {
    let range = |count: fn(&QueueResult) -> u64| {
        let least = results.iter().map(count).min().unwrap_or(0);
        let most = results.iter().map(count).max().unwrap_or(0);
        (least, most)
    };
    let told = |(least, most): (u64, u64)| {
        if least == most {
            thousands(most)
        } else {
            format!("{} to {}", thousands(least), thousands(most))
        }
    };
    let runs = range(|r| r.runs);
    let runs_noun = if runs.1 == 1 { "run" } else { "runs" };
    let each = if results.len() == 1 { "" } else { " for each result" };
    format!("{} jobs in {} {runs_noun} were counted{each}.", told(range(|r| r.jobs)), told(runs))
}

fn answer(results: &[QueueResult], labels: &[String]) -> Vec<String> {
    let by_mean = ranked(results, labels, SOJOURN, |r| r.sojourn.mean, |r| r.sojourn.ci95);
    let by_p99 =
        ranked(results, labels, "99th percentile", |r| r.sojourn.p99, |r| r.sojourn.p99_ci95);
    if let ([only], [_]) = (by_mean.as_slice(), results) {
        return vec![single(only, by_p99.first())];
    }
    let mut sentences = compare_means(&by_mean);
    sentences.extend(compare_tails(&by_mean, &by_p99));
    sentences.extend((by_mean.len() > 1).then(|| ranking::price(&by_mean)).flatten());
    sentences
}

/// The results that have the quantity.
fn ranked<'a>(
    results: &'a [QueueResult],
    labels: &'a [String],
    kind: &'static str,
    height: fn(&QueueResult) -> Option<f64>,
    interval: fn(&QueueResult) -> Option<[f64; 2]>,
) -> Vec<Ranked<'a>> {
    let stable = results.iter().zip(labels).filter(|(result, _)| result.stable);
    stable
        .filter_map(|(result, label)| {
            Some(Ranked {
                policy: &result.policy,
                label,
                kind,
                height: height(result).filter(|height| height.is_finite())?,
                interval: interval(result),
                distance: result.distance.as_ref(),
            })
        })
        .collect()
}

fn single(only: &Ranked<'_>, p99: Option<&Ranked<'_>>) -> String {
    let tail = p99.map(|p99| format!(", its 99th percentile {}", significant(p99.height, 4)));
    format!(
        "Under {}, the sojourn time was {}{}{}.",
        only.label,
        only.mean(),
        tail.unwrap_or_default(),
        only.far()
    )
}

fn compare_means(by_mean: &[Ranked<'_>]) -> Vec<String> {
    let order = ranking::in_order(by_mean);
    let [best, .., worst] = order.as_slice() else {
        let only = |only: &&Ranked<'_>| {
            format!("Under {}, the sojourn time was {}{}.", only.label, only.mean(), only.far())
        };
        return order.first().map(only).into_iter().collect();
    };
    if best.height == worst.height {
        let things = ranking::things(by_mean);
        return vec![format!(
            "All {} {things} had the same {SOJOURN}: {}.",
            order.len(),
            best.mean()
        )];
    }
    let leaders: Vec<_> =
        order.iter().filter(|r| r.height == best.height).map(|r| r.label.to_owned()).collect();
    let mut sentences = vec![format!(
        "Of {} {}, {} kept the sojourn time shortest: {}. The longest was {}, under {}.",
        order.len(),
        ranking::things(by_mean),
        listed(&leaders),
        best.mean(),
        significant(worst.height, 4),
        worst.label
    )];
    sentences.extend(order.get(leaders.len()).and_then(|next| ranking::doubt(best, next)));
    sentences
}

/// Which policy has the shortest 99th percentile, in words that fit what was said of the means.
fn compare_tails(by_mean: &[Ranked<'_>], by_p99: &[Ranked<'_>]) -> Option<String> {
    let order = ranking::in_order(by_p99);
    let [best, .., worst] = order.as_slice() else {
        return order.first().map(|only| {
            format!("The 99th percentile was {} under {}.", significant(only.height, 4), only.label)
        });
    };
    if best.height == worst.height {
        return Some(format!("The 99th percentile was {} under all.", significant(best.height, 4)));
    }
    let same = ranking::in_order(by_mean).first().is_some_and(|first| first.label == best.label);
    Some(format!(
        "The 99th percentile was {}shortest under {}, {}, and longest under {}, {}.",
        if same { "also " } else { "" },
        best.label,
        significant(best.height, 4),
        worst.label,
        significant(worst.height, 4)
    ))
}

/// The results whose queues grew.
fn unstable(results: &[QueueResult], labels: &[String]) -> Option<String> {
    let growing = results.iter().zip(labels).filter(|(result, _)| !result.stable);
    let names: Vec<_> = growing.map(|(_, label)| label.clone()).collect();
    (!names.is_empty()).then(|| {
        format!("Under {}, queues kept growing: times have no limit there.", listed(&names))
    })
}
