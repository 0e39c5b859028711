//! Columns of `evenhand queue`.

use super::{Row, json, side};
use crate::record::{Difference, QueueResult};

fn difference<'r>(row: &Row<'r, QueueResult>) -> Option<&'r Difference> {
    row.result.prediction.as_ref()?.difference.as_ref()
}

columns! { QueueResult;
    Text "policy" [""] "Canonical policy expression", |r| Some(r.result.policy.clone());
    Text "engine" [""] "Engine that ran", |r| Some(r.result.engine.clone());
    Integer "servers" ["servers"] "Number of servers", |r| Some(r.result.servers);
    Number "load" [""] "Arrival rate times mean service time over total speed; null where undefined", |r| r.result.load;
    Number "rate" ["jobs per time"] "Jobs per unit of time of the service law, of all dispatchers", |r| r.result.rate;
    Text "service" [""] "Service law; it sets the unit of all times but seconds", |r| Some(r.result.service.clone());
    Text "arrivals" [""] "Arrivals", |r| Some(r.result.arrivals.clone());
    Text "discipline" [""] "Order in which servers work: fifo or ps", |r| Some(r.result.discipline.clone());
    Integer "buffer" ["jobs"] "Most jobs at a server; null for no limit", |r| r.result.buffer.map(u64::from);
    Integer "dispatchers" ["dispatchers"] "Number of dispatchers", |r| Some(r.result.dispatchers.into());
    Text "dispatcher_shares" [""] "Law of the dispatchers' shares of the jobs; null for equal shares", |r| r.result.dispatcher_shares.clone();
    Text "subset" [""] "Which servers a dispatcher knows", |r| Some(r.result.subset.clone());
    Text "signal" [""] "What dispatchers see of the queues", |r| Some(r.result.signal.clone());
    Text "comparison" [""] "How loads were compared", |r| Some(r.result.comparison.clone());
    Text "speeds" [""] "Speeds of the servers; null when all are equal", |r| r.result.speeds.clone();
    Text "server_places" [""] "Source of the servers' places; null without places", |r| r.result.server_places.clone();
    Text "users" [""] "Source of the users' places; null without places", |r| r.result.users.clone();
    Integer "runs" ["runs"] "Replications that finished and count", |r| Some(r.result.runs);
    Integer "jobs" ["jobs"] "Jobs that were counted, over all runs", |r| Some(r.result.jobs);
    Integer "events" ["events"] "Arrivals and departures that were simulated, those of the warm-up included", |r| Some(r.result.events);
    Number "warm_up" ["time"] "Time at the start of each run that does not count, in the unit of the service law", |r| Some(r.result.warm_up);
    Boolean "stable" [""] "False if the queues kept growing; then means and quantiles are null", |r| Some(r.result.stable);
    Number "sojourn_mean" ["time"] "Sojourn time (waiting, service and travel), mean, in the unit of the service law; null if unstable", |r| r.result.sojourn.mean;
    Number "sojourn_ci95_low" ["time"] "Lower end of the 95 % interval of sojourn_mean; null for one run", |r| r.result.sojourn.ci95.map(|c| c[0]);
    Number "sojourn_ci95_high" ["time"] "Upper end of the 95 % interval of sojourn_mean; null for one run", |r| r.result.sojourn.ci95.map(|c| c[1]);
    Number "sojourn_p50" ["time"] "Sojourn time, median over jobs, in the unit of the service law", |r| r.result.sojourn.p50;
    Number "sojourn_p90" ["time"] "Sojourn time, 90th percentile over jobs, in the unit of the service law", |r| r.result.sojourn.p90;
    Number "sojourn_p99" ["time"] "Sojourn time, 99th percentile over jobs, in the unit of the service law", |r| r.result.sojourn.p99;
    Number "sojourn_p99_ci95_low" ["time"] "Lower end of the 95 % interval of sojourn_p99; null for one run", |r| r.result.sojourn.p99_ci95.map(|c| c[0]);
    Number "sojourn_p99_ci95_high" ["time"] "Upper end of the 95 % interval of sojourn_p99; null for one run", |r| r.result.sojourn.p99_ci95.map(|c| c[1]);
    Number "sojourn_p999" ["time"] "Sojourn time, 99.9th percentile over jobs, in the unit of the service law", |r| r.result.sojourn.p999;
    Number "sojourn_max" ["time"] "Sojourn time, longest, in the unit of the service law; null where an engine has no job times", |r| r.result.sojourn.max;
    Number "wait_probability" [""] "Fraction of the jobs that wait at all", |r| r.result.wait.probability;
    Number "wait_mean" ["time"] "Waiting time, mean over all jobs, in the unit of the service law; null if unstable", |r| r.result.wait.times.mean;
    Number "wait_ci95_low" ["time"] "Lower end of the 95 % interval of wait_mean; null for one run", |r| r.result.wait.times.ci95.map(|c| c[0]);
    Number "wait_ci95_high" ["time"] "Upper end of the 95 % interval of wait_mean; null for one run", |r| r.result.wait.times.ci95.map(|c| c[1]);
    Number "wait_p50" ["time"] "Waiting time, median over jobs, in the unit of the service law", |r| r.result.wait.times.p50;
    Number "wait_p90" ["time"] "Waiting time, 90th percentile over jobs, in the unit of the service law", |r| r.result.wait.times.p90;
    Number "wait_p99" ["time"] "Waiting time, 99th percentile over jobs, in the unit of the service law", |r| r.result.wait.times.p99;
    Number "wait_p99_ci95_low" ["time"] "Lower end of the 95 % interval of wait_p99; null for one run", |r| r.result.wait.times.p99_ci95.map(|c| c[0]);
    Number "wait_p99_ci95_high" ["time"] "Upper end of the 95 % interval of wait_p99; null for one run", |r| r.result.wait.times.p99_ci95.map(|c| c[1]);
    Number "wait_p999" ["time"] "Waiting time, 99.9th percentile over jobs, in the unit of the service law", |r| r.result.wait.times.p999;
    Number "wait_max" ["time"] "Waiting time, longest, in the unit of the service law; null where an engine has no job times", |r| r.result.wait.times.max;
    Number "queue_length_mean" ["jobs"] "Number of jobs at a server, the one in service included, averaged over time; null if unstable", |r| r.result.queue_length.as_ref().map(|e| e.mean);
    Number "queue_length_ci95_low" ["jobs"] "Lower end of the 95 % interval of queue_length_mean; null for one run", |r| r.result.queue_length.as_ref().and_then(|e| e.ci95).map(|c| c[0]);
    Number "queue_length_ci95_high" ["jobs"] "Upper end of the 95 % interval of queue_length_mean; null for one run", |r| r.result.queue_length.as_ref().and_then(|e| e.ci95).map(|c| c[1]);
    Numbers "fraction_at_least" [""] "Mean fraction of servers with at least i jobs, i from 0, averaged over time; null if unstable", |r| r.result.fraction_at_least.clone();
    Numbers "fraction_at_least_ci95_low" [""] "Lower ends of the 95 % intervals of fraction_at_least", |r| side(r.result.fraction_at_least_ci95.as_ref(), 0);
    Numbers "fraction_at_least_ci95_high" [""] "Upper ends of the 95 % intervals of fraction_at_least", |r| side(r.result.fraction_at_least_ci95.as_ref(), 1);
    Number "sojourn_by_little" ["time"] "Mean sojourn time by Little's law, in the unit of the service law; null if unstable", |r| r.result.sojourn_by_little;
    Json "utilisation" [""] "Fraction of time that servers work, by speed, a JSON list of objects", |r| json(&r.result.utilisation);
    Number "probes_per_job" ["queue lengths"] "Queue lengths read per job", |r| Some(r.result.probes_per_job);
    Number "lost" [""] "Fraction of the jobs that were lost at full servers", |r| Some(r.result.lost);
    Text "distance_unit" [""] "Unit of the distances: m, or 1 on a unit square; null without places", |r| r.result.distance.as_ref().map(|d| d.unit.clone());
    Number "distance_mean" ["distance_unit"] "Distance from user to server, mean over all jobs", |r| r.result.distance.as_ref().map(|d| d.mean);
    Number "distance_p95" ["distance_unit"] "Distance from user to server, 95th percentile over all jobs", |r| r.result.distance.as_ref().map(|d| d.p95);
    Number "distance_max" ["distance_unit"] "Distance from user to server, greatest", |r| r.result.distance.as_ref().map(|d| d.max);
    Json "transient" [""] "Queue lengths at the times asked for, a JSON list of objects; null when none were", |r| r.result.transient.as_ref().and_then(json);
    Json "prediction" [""] "What theory says, JSON; null where no theory covers the model", |r| r.result.prediction.as_ref().and_then(json);
    Number "predicted_sojourn_mean" ["time"] "Predicted mean sojourn time; null without a prediction", |r| difference(r).map(|d| d.predicted);
    Number "prediction_standard_errors" [""] "Mean sojourn time minus the predicted one, in standard errors; null for one run", |r| difference(r).and_then(|d| d.standard_errors);
    Json "notes" [""] "Choices made by the program and warnings, a JSON list of texts", |r| json(&r.result.notes);
    Number "seconds" ["s"] "Wall time of the simulation", |r| Some(r.result.seconds);
    Number "events_per_second" ["1/s"] "Events per second of wall time, all threads together", |r| Some(r.result.events_per_second);
    Integer "seed" [""] "Master seed", |r| Some(r.record.seed);
    Text "evenhand" [""] "Version of Evenhand", |r| Some(r.record.evenhand.clone());
}
