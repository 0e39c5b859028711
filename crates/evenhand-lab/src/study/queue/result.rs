//! From replications to a result.

use evenhand_queue::{JobTimes, Outcome, Plan, Transient};
use evenhand_sim::observe::{Histogram, Mean, mean_with_interval};
use evenhand_theory::predict::QueuePrediction;

use super::QueuePoint;
use super::times::{Kind, Law};
use crate::record::{Beside, Class, Curve, Distance, Estimate, Moment, QueueResult, Times, Waits};
use crate::study::{servers_name, theory, users_name};

/// The result of replications; `None` if there are none.
pub(super) fn result(
    point: &QueuePoint,
    plan: &Plan,
    outcomes: &[Outcome],
    mut notes: Vec<String>,
) -> Option<QueueResult> {
    outcomes.first()?;
    let model = &point.model;
    let each =
        |value: &dyn Fn(&Outcome) -> f64| -> Vec<f64> { outcomes.iter().map(value).collect() };
    let total = |value: &dyn Fn(&Outcome) -> f64| -> f64 { outcomes.iter().map(value).sum() };
    let stable = !point.is_overloaded && !point.grows(outcomes);
    if !stable {
        notes.push(
            "queues still grow at the end of the runs: there is no stationary state, or the runs \
             are too short to reach it, so means and quantiles are left out"
                .to_string(),
        );
    }
    let served = total(&|o| o.jobs() as f64);
    let counted = served + total(&|o| o.lost as f64);
    if served == 0.0 {
        notes.push("no job was counted: the run ends before the warm-up does".to_string());
    }
    let measured = stable && served > 0.0;
    // All jobs at one instant have no time average.
    let lasts = measured && total(&|o| o.duration) > 0.0;
    let queue_length = lasts.then(|| estimate(&each(&|o| o.queue_length)));
    let by_little = queue_length.as_ref().and_then(|length| {
        let rate = served / total(&|o| o.duration);
        (rate > 0.0).then(|| length.mean * model.servers as f64 / rate)
    });
    let fractions = lasts.then(|| fractions(outcomes));
    let mut sojourn = times(outcomes, measured, Kind::Sojourn);
    if let JobTimes::Unknown { reason } = outcomes[0].job_times {
        notes.push(format!(
            "no times of jobs, and the mean sojourn time is by Little's law: {reason}"
        ));
        let by_little = |o: &Outcome| o.sojourn_by_little(model.servers).unwrap_or(0.0);
        let Estimate { mean, ci95 } = estimate(&each(&by_little));
        (sojourn.mean, sojourn.ci95) = (measured.then_some(mean), ci95.filter(|_| measured));
    }
    notes.extend(disagreement(&sojourn, by_little, model.latency_per_km));
    let prediction = if stable { predicted(point, outcomes, &mut notes) } else { None };
    Some(QueueResult {
        policy: model.policy.to_string(),
        engine: point.engine.name().to_string(),
        servers: model.servers,
        load: model.load().filter(|load| load.is_finite()),
        rate: model.total_rate().filter(|rate| rate.is_finite()),
        service: model.service.to_string(),
        arrivals: model.arrivals.to_string(),
        discipline: model.discipline.name().to_string(),
        buffer: model.buffer,
        dispatchers: model.dispatchers,
        dispatcher_shares: model.shares.as_ref().map(ToString::to_string),
        subset: model.subset.to_string(),
        signal: model.signal.to_string(),
        comparison: model.comparison.to_string(),
        speeds: (!model.speeds.are_equal()).then(|| model.speeds.to_string()),
        server_places: model.spatial.as_ref().map(servers_name),
        users: model.spatial.as_ref().map(users_name),
        runs: outcomes.len() as u64,
        jobs: served as u64,
        events: outcomes.iter().map(|outcome| outcome.events).sum(),
        warm_up: plan.warm_up,
        stable,
        curve: if measured { curve(outcomes) } else { Curve::default() },
        wait: Waits {
            probability: measured.then(|| total(&|o| o.waited() * o.jobs() as f64) / served),
            times: times(outcomes, measured, Kind::Wait),
        },
        sojourn,
        queue_length,
        fraction_at_least: fractions
            .as_ref()
            .map(|levels| levels.iter().map(|level| level.mean).collect()),
        fraction_at_least_ci95: fractions
            .and_then(|levels| levels.iter().map(|level| level.ci95).collect()),
        sojourn_by_little: by_little,
        utilisation: utilisation(outcomes),
        probes_per_job: total(&|o| o.probes as f64) / counted.max(1.0),
        lost: total(&|o| o.lost as f64) / counted.max(1.0),
        distance: distance(point, outcomes),
        transient: (!point.at.is_empty()).then(|| transient(outcomes, model.servers)),
        prediction,
        notes,
        seconds: 0.0,
        events_per_second: 0.0,
    })
}

/// What theory says, and how far the mean sojourn times of the runs are from it.
fn predicted(
    point: &QueuePoint,
    outcomes: &[Outcome],
    notes: &mut Vec<String>,
) -> Option<Beside<QueuePrediction>> {
    let (prediction, note) = theory::of_queue(&point.model, &point.at);
    notes.extend(note);
    let prediction = prediction?;
    let mean = |outcome: &Outcome| match Law::of(outcome, Kind::Sojourn) {
        Some(law) => Some(law.mean()),
        None => outcome.sojourn_by_little(point.model.servers),
    };
    let means: Option<Vec<f64>> = outcomes.iter().map(mean).collect();
    let compared = prediction.best().sojourn.mean.zip(means);
    let difference =
        compared.map(|(predicted, means)| theory::difference("sojourn.mean", predicted, &means));
    notes.extend(theory::doubt(&prediction.theorem, difference.as_ref()));
    Some(Beside { theory: prediction, difference })
}

impl QueueResult {
    pub(super) fn timed(mut self, seconds: f64) -> Self {
        self.seconds = seconds;
        self.events_per_second = self.events as f64 / seconds.max(1e-9);
        self
    }
}

/// Whether queues grow without bound: in one run of twenty, and in at least two, the mean sojourn
/// time rises from the second to the third and to the last quarter of the run, to the double.
///
/// Worlds are drawn anew in each run, so some may be stable and others not: of dispatchers that
/// draw their servers at random, say. Then the mean over worlds does not exist either.
pub(super) fn keeps_growing(outcomes: &[Outcome]) -> bool {
    const GROWTH: f64 = 2.0;
    const PART_OF_RUNS: f64 = 0.05;
    let grows = |outcome: &&Outcome| {
        let [second, third, last] = [1, 2, 3].map(|number| quarter(&outcome.course, number));
        second < third && third < last && last > GROWTH * second
    };
    let growing = outcomes.iter().filter(grows).count() as f64;
    let runs = outcomes.len() as f64;
    growing >= (PART_OF_RUNS * runs).max(2.0).min(runs)
}

fn quarter(course: &[f64], number: usize) -> f64 {
    let length = course.len() / 4;
    let part = &course[number * length..(number + 1) * length];
    part.iter().sum::<f64>() / length.max(1) as f64
}

fn estimate(values: &[f64]) -> Estimate {
    let Mean { mean, ci95 } = mean_with_interval(values);
    Estimate { mean, ci95 }
}

fn times(outcomes: &[Outcome], measured: bool, kind: Kind) -> Times {
    let laws: Option<Vec<Law>> = outcomes.iter().map(|outcome| Law::of(outcome, kind)).collect();
    let (Some(all), Some(laws), true) = (Law::of_all(outcomes, kind), laws, measured) else {
        return Times::default();
    };
    let each = |value: &dyn Fn(&Law) -> f64| -> Vec<f64> { laws.iter().map(value).collect() };
    let mean = estimate(&each(&Law::mean));
    let quantile = |q| Some(all.quantile(q));
    Times {
        mean: Some(mean.mean),
        ci95: mean.ci95,
        p50: quantile(0.5),
        p90: quantile(0.9),
        p99: quantile(0.99),
        p99_ci95: quantile_interval(0.99, &all, &laws),
        p999: quantile(0.999),
        max: all.max(),
    }
}

/// 95 % confidence interval of the quantile at `q` of all jobs. The fraction of jobs up to the
/// quantile varies between runs; its interval, taken through the law of all jobs, is that of the
/// quantile.
fn quantile_interval(q: f64, all: &Law, runs: &[Law]) -> Option<[f64; 2]> {
    let quantile = all.quantile(q);
    let fractions: Vec<f64> = runs.iter().map(|law| law.at_most(quantile)).collect();
    let [low, high] = mean_with_interval(&fractions).ci95?;
    let half = (high - low) / 2.0;
    let bounds = [(q - half).max(0.0), (q + half).min(1.0)].map(|q| all.quantile(q));
    // The law of exponential stages has no end.
    bounds.iter().all(|bound| bound.is_finite()).then_some(bounds)
}

fn merged<'o>(parts: impl Iterator<Item = &'o Histogram>) -> Histogram {
    let mut all = Histogram::new();
    parts.for_each(|part| all.merge(part));
    all
}

/// Points at fractions 1, 0.91, 0.83, ... down to a few jobs.
fn curve(outcomes: &[Outcome]) -> Curve {
    const PER_DECADE: f64 = 25.0;
    const FEW_JOBS: f64 = 10.0;
    let Some(all) = Law::of_all(outcomes, Kind::Sojourn) else { return Curve::default() };
    let jobs: u64 = outcomes.iter().map(Outcome::jobs).sum();
    let fraction = |k: u32| 10_f64.powf(-f64::from(k) / PER_DECADE);
    let fractions = (0..).map(fraction).take_while(|f| f * jobs as f64 >= FEW_JOBS);
    Curve(fractions.map(|fraction| (all.quantile(1.0 - fraction), fraction)).collect())
}

/// Fraction of servers with at least i jobs, over the runs.
fn fractions(outcomes: &[Outcome]) -> Vec<Mean> {
    let levels = outcomes.iter().map(|outcome| outcome.at_least.len()).max().unwrap_or(0);
    let of = |outcome: &Outcome, level: usize| outcome.at_least.get(level).copied().unwrap_or(0.0);
    let mean = |level| {
        let values: Vec<f64> = outcomes.iter().map(|outcome| of(outcome, level)).collect();
        mean_with_interval(&values)
    };
    (0..levels).map(mean).collect()
}

/// By jobs and by Little's law the mean sojourn time is one number. Where they differ beyond the
/// noise, jobs that are still there at the end matter.
fn disagreement(sojourn: &Times, by_little: Option<f64>, latency_per_km: f64) -> Option<String> {
    /// Ends of a run make a difference of about a sojourn time over its length.
    const RELATIVE: f64 = 0.02;
    let (mean, by_little) = (sojourn.mean?, by_little?);
    let half = sojourn.ci95.map_or(0.0, |[low, high]| (high - low) / 2.0);
    let difference = (by_little - mean).abs();
    let differs = latency_per_km == 0.0 && difference > (RELATIVE * mean).max(2.0 * half);
    differs.then(|| {
        format!(
            "the mean sojourn time is {mean:.4} over jobs and {by_little:.4} by Little's law: \
             jobs that are still there at the end matter; use longer runs"
        )
    })
}

fn utilisation(outcomes: &[Outcome]) -> Vec<Class> {
    let same = outcomes.windows(2).all(|pair| {
        let speeds = |o: &Outcome| o.utilisation.iter().map(|class| class.0).collect::<Vec<_>>();
        speeds(&pair[0]) == speeds(&pair[1])
    });
    if !same {
        return Vec::new();
    }
    let n = outcomes.len() as f64;
    let mean = |class: usize| outcomes.iter().map(|o| o.utilisation[class].1).sum::<f64>() / n;
    let classes = outcomes[0].utilisation.iter().enumerate();
    classes.map(|(i, &(speed, _))| Class { speed, utilisation: mean(i) }).collect()
}

fn distance(point: &QueuePoint, outcomes: &[Outcome]) -> Option<Distance> {
    let spatial = point.model.spatial.as_ref()?;
    let parts: Option<Vec<&Histogram>> =
        outcomes.iter().map(|outcome| outcome.distances.as_ref()).collect();
    let all = merged(parts?.into_iter());
    Some(Distance {
        unit: spatial.metric().unit().to_string(),
        mean: all.mean(),
        p95: all.quantile(0.95),
        max: all.max(),
    })
}

fn transient(outcomes: &[Outcome], servers: u64) -> Vec<Moment> {
    let moments = outcomes.iter().map(|outcome| outcome.transient.len()).min().unwrap_or(0);
    (0..moments).map(|i| moment(outcomes, i, servers as f64)).collect()
}

fn moment(outcomes: &[Outcome], i: usize, servers: f64) -> Moment {
    let length =
        |t: &Transient| t.at_least.iter().skip(1).map(|&n| n as f64).sum::<f64>() / servers;
    let lengths: Vec<f64> = outcomes.iter().map(|o| length(&o.transient[i])).collect();
    let levels = outcomes.iter().map(|o| o.transient[i].at_least.len()).max().unwrap_or(0);
    let fraction = |level: usize| {
        let at = |o: &Outcome| o.transient[i].at_least.get(level).copied().unwrap_or(0) as f64;
        outcomes.iter().map(at).sum::<f64>() / (outcomes.len() as f64 * servers)
    };
    let Estimate { mean, ci95 } = estimate(&lengths);
    Moment {
        t: outcomes[0].transient[i].time,
        fraction_at_least: (0..levels).map(fraction).collect(),
        queue_length: mean,
        queue_length_ci95: ci95,
    }
}
