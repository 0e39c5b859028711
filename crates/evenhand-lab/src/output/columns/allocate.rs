//! Columns of `evenhand allocate`.

use super::{Row, json, side};
use crate::record::{AllocateResult, Difference};

fn difference<'r>(row: &Row<'r, AllocateResult>) -> Option<&'r Difference> {
    row.result.prediction.as_ref()?.difference.as_ref()
}

columns! { AllocateResult;
    Text "policy" [""] "Canonical policy expression", |r| Some(r.result.policy.clone());
    Text "engine" [""] "Engine that ran", |r| Some(r.result.engine.clone());
    Integer "bins" ["bins"] "Number of bins (servers)", |r| Some(r.result.bins);
    Integer "balls" ["balls"] "Number of balls (users, jobs) thrown in a run", |r| Some(r.result.balls);
    Integer "runs" ["runs"] "Replications that finished", |r| Some(r.result.runs);
    Text "signal" [""] "What loads the rule was shown", |r| Some(r.result.signal.clone());
    Text "comparison" [""] "How loads were compared", |r| Some(r.result.comparison.clone());
    Text "weights" [""] "Weights of the balls; null for unit balls", |r| r.result.weights.clone();
    Text "speeds" [""] "Speeds of the bins; null when all are equal", |r| r.result.speeds.clone();
    Number "deletions" [""] "Probability that a ball leaves before each throw; null for none", |r| r.result.deletions;
    Text "servers" [""] "Source of the servers' places; null without places", |r| r.result.servers.clone();
    Text "users" [""] "Source of the users' places; null without places", |r| r.result.users.clone();
    Number "max_load_mean" ["load"] "Maximum load, mean over runs", |r| Some(r.result.max_load.mean);
    Number "max_load_ci95_low" ["load"] "Lower end of the 95 % interval of max_load_mean; null for one run", |r| r.result.max_load.ci95.map(|c| c[0]);
    Number "max_load_ci95_high" ["load"] "Upper end of the 95 % interval of max_load_mean; null for one run", |r| r.result.max_load.ci95.map(|c| c[1]);
    Number "max_load_min" ["load"] "Maximum load, least over runs", |r| Some(r.result.max_load.min);
    Number "max_load_max" ["load"] "Maximum load, greatest over runs", |r| Some(r.result.max_load.max);
    Json "max_load_counts" ["runs"] "Number of runs with each maximum load, a JSON object; null for weighted balls", |r| r.result.max_load.counts.as_ref().and_then(json);
    Number "gap_mean" ["load"] "Maximum minus average load at the end, mean over runs", |r| Some(r.result.gap.mean);
    Number "gap_ci95_low" ["load"] "Lower end of the 95 % interval of gap_mean; null for one run", |r| r.result.gap.ci95.map(|c| c[0]);
    Number "gap_ci95_high" ["load"] "Upper end of the 95 % interval of gap_mean; null for one run", |r| r.result.gap.ci95.map(|c| c[1]);
    Number "max_load_per_speed_mean" ["load per speed"] "Maximum of load over speed, mean over runs; null when all speeds are equal", |r| r.result.max_load_per_speed.as_ref().map(|e| e.mean);
    Number "max_load_per_speed_ci95_low" ["load per speed"] "Lower end of the 95 % interval of max_load_per_speed_mean", |r| r.result.max_load_per_speed.as_ref().and_then(|e| e.ci95).map(|c| c[0]);
    Number "max_load_per_speed_ci95_high" ["load per speed"] "Upper end of the 95 % interval of max_load_per_speed_mean", |r| r.result.max_load_per_speed.as_ref().and_then(|e| e.ci95).map(|c| c[1]);
    Numbers "fraction_at_least" [""] "Mean fraction of bins with load at least i, i from 0; null for weighted balls", |r| r.result.fraction_at_least.clone();
    Numbers "fraction_at_least_ci95_low" [""] "Lower ends of the 95 % intervals of fraction_at_least", |r| side(r.result.fraction_at_least_ci95.as_ref(), 0);
    Numbers "fraction_at_least_ci95_high" [""] "Upper ends of the 95 % intervals of fraction_at_least", |r| side(r.result.fraction_at_least_ci95.as_ref(), 1);
    Number "empty_mean" ["bins"] "Number of empty bins, mean over runs", |r| Some(r.result.empty.mean);
    Number "empty_ci95_low" ["bins"] "Lower end of the 95 % interval of empty_mean; null for one run", |r| r.result.empty.ci95.map(|c| c[0]);
    Number "empty_ci95_high" ["bins"] "Upper end of the 95 % interval of empty_mean; null for one run", |r| r.result.empty.ci95.map(|c| c[1]);
    Number "probes_per_ball" ["loads"] "Loads read per ball", |r| Some(r.result.probes_per_ball);
    Text "distance_unit" [""] "Unit of the distances: m, or 1 on a unit square; null without places", |r| r.result.distance.as_ref().map(|d| d.unit.clone());
    Number "distance_mean" ["distance_unit"] "Distance from user to server, mean over all balls", |r| r.result.distance.as_ref().map(|d| d.mean);
    Number "distance_p95" ["distance_unit"] "Distance from user to server, 95th percentile over all balls", |r| r.result.distance.as_ref().map(|d| d.p95);
    Number "distance_max" ["distance_unit"] "Distance from user to server, greatest", |r| r.result.distance.as_ref().map(|d| d.max);
    Json "snapshots" [""] "The profile along the way, a JSON list of objects; null when none were asked for", |r| r.result.snapshots.as_ref().and_then(json);
    Json "prediction" [""] "What theory says, JSON; null where no theory covers the model", |r| r.result.prediction.as_ref().and_then(json);
    Number "predicted_max_load_mean" ["load"] "Predicted mean maximum load; null without a prediction", |r| difference(r).map(|d| d.predicted);
    Number "prediction_standard_errors" [""] "Mean maximum load minus the predicted one, in standard errors; null for one run", |r| difference(r).and_then(|d| d.standard_errors);
    Json "notes" [""] "Choices made by the program and warnings, a JSON list of texts", |r| json(&r.result.notes);
    Number "seconds" ["s"] "Wall time of the simulation, memory set-up included", |r| Some(r.result.seconds);
    Number "balls_per_second" ["1/s"] "Balls thrown per second of wall time, all threads together", |r| Some(r.result.balls_per_second);
    Integer "seed" [""] "Master seed", |r| Some(r.record.seed);
    Text "evenhand" [""] "Version of Evenhand", |r| Some(r.record.evenhand.clone());
}
