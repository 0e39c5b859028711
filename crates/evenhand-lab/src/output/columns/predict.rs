//! Columns of `evenhand predict`.

mod allocate {
    use crate::output::columns::json;
    use crate::record::PredictedAllocation;

    columns! { PredictedAllocation;
        Text "policy" [""] "Canonical policy expression", |r| Some(r.result.policy.clone());
        Integer "bins" ["bins"] "Number of bins; null for the limit of many", |r| r.result.bins;
        Integer "balls" ["balls"] "Number of balls; null for the limit of many", |r| r.result.balls;
        Number "balls_per_bin" ["balls per bin"] "Balls per bin", |r| Some(r.result.balls_per_bin);
        Number "max_load_mean" ["load"] "Maximum load, mean; null for the limit", |r| r.result.max_load.as_ref().map(|m| m.mean);
        Json "max_load_probabilities" [""] "Probability of each maximum load; null for the limit", |r| r.result.max_load.as_ref().and_then(|m| json(&m.probabilities));
        Text "max_load_method" [""] "How the law of the maximum load was found: exact, refined or limit", |r| r.result.max_load.as_ref().map(|m| m.method.to_string());
        Number "gap_mean" ["load"] "Maximum minus average load, mean; null for the limit", |r| r.result.gap.map(|m| m.mean);
        Numbers "fraction_at_least" [""] "Fraction of bins with load at least i, from i = 0", |r| r.result.fraction_at_least.clone();
        Number "empty_mean" ["bins"] "Number of empty bins, mean; null for the limit", |r| r.result.empty.map(|m| m.mean);
        Json "limit" [""] "The limit of many bins, with numerical errors", |r| r.result.limit.as_ref().and_then(json);
        Json "refined" [""] "Corrected for the number of bins", |r| r.result.refined.as_ref().and_then(json);
        Json "at" [""] "The limit along the way", |r| r.result.at.as_ref().and_then(json);
        Json "bounds" [""] "Leading terms of bounds on the maximum load", |r| json(&r.result.bounds);
        Json "theorem" [""] "The theorem behind the limit, and whether its hypotheses hold", |r| r.result.theorem.as_ref().and_then(json);
        Json "notes" [""] "What the reader should know", |r| json(&r.result.notes);
        Number "seconds" ["s"] "Wall time of the computation", |r| Some(r.result.seconds);
        Text "version" [""] "Version of Evenhand", |r| Some(r.record.evenhand.clone());
    }
}

mod queue {
    use crate::output::columns::json;
    use crate::record::PredictedQueue;

    columns! { PredictedQueue;
        Text "policy" [""] "Canonical policy expression", |r| Some(r.result.policy.clone());
        Integer "servers" ["servers"] "Number of servers; null for the limit of many", |r| r.result.servers;
        Number "load" [""] "Arrival rate times mean service time over total speed", |r| r.result.load;
        Text "service" [""] "Service law; it sets the unit of all times but seconds", |r| Some(r.result.service.clone());
        Text "discipline" [""] "Order in which servers work: fifo or ps", |r| Some(r.result.discipline.clone());
        Text "speeds" [""] "Speeds of the servers; null when all are equal", |r| r.result.speeds.clone();
        Number "sojourn_mean" ["time"] "Sojourn time, mean, in the unit of the service law", |r| r.result.sojourn.mean;
        Number "sojourn_p50" ["time"] "Sojourn time, median, in the unit of the service law", |r| r.result.sojourn.p50;
        Number "sojourn_p90" ["time"] "Sojourn time, 90th percentile, in the unit of the service law", |r| r.result.sojourn.p90;
        Number "sojourn_p99" ["time"] "Sojourn time, 99th percentile, in the unit of the service law", |r| r.result.sojourn.p99;
        Number "sojourn_p999" ["time"] "Sojourn time, 99.9th percentile, in the unit of the service law", |r| r.result.sojourn.p999;
        Number "wait_probability" [""] "Fraction of the jobs that wait at all", |r| r.result.wait.probability;
        Number "wait_mean" ["time"] "Waiting time, mean over all jobs, in the unit of the service law", |r| r.result.wait.times.mean;
        Number "wait_p50" ["time"] "Waiting time, median, in the unit of the service law", |r| r.result.wait.times.p50;
        Number "wait_p90" ["time"] "Waiting time, 90th percentile, in the unit of the service law", |r| r.result.wait.times.p90;
        Number "wait_p99" ["time"] "Waiting time, 99th percentile, in the unit of the service law", |r| r.result.wait.times.p99;
        Number "wait_p999" ["time"] "Waiting time, 99.9th percentile, in the unit of the service law", |r| r.result.wait.times.p999;
        Number "queue_length_mean" ["jobs"] "Number of jobs at a server, the one in service included", |r| r.result.queue_length.map(|m| m.mean);
        Numbers "fraction_at_least" [""] "Fraction of servers with at least i jobs, from i = 0", |r| r.result.fraction_at_least.clone();
        Json "limit" [""] "The limit of many servers, with numerical errors", |r| r.result.limit.as_ref().and_then(json);
        Json "refined" [""] "Corrected for the number of servers to the order 1/n", |r| r.result.refined.as_ref().and_then(json);
        Json "refined_second_order" [""] "Corrected to the order 1/n²", |r| r.result.refined_second_order.as_ref().and_then(json);
        Json "at" [""] "The limit at the times asked for", |r| r.result.at.as_ref().and_then(json);
        Json "theorem" [""] "The theorem behind the limit, and whether its hypotheses hold", |r| r.result.theorem.as_ref().and_then(json);
        Json "notes" [""] "What the reader should know", |r| json(&r.result.notes);
        Number "seconds" ["s"] "Wall time of the computation", |r| Some(r.result.seconds);
        Text "version" [""] "Version of Evenhand", |r| Some(r.record.evenhand.clone());
    }
}
