//! Predictions: alone, and beside a run.

use evenhand_theory::predict::{
    AllocationPrediction, Computed, LoadMoment, LoadNumbers, MaxLoad, Mean, QueueMoment,
    QueueNumbers, QueuePrediction, Refined, Theorem, Times, Waits,
};
use serde::Serialize;

/// A prediction beside a run of the same model.
#[derive(Debug, Clone, Serialize)]
pub struct Beside<P> {
    /// The prediction.
    #[serde(flatten)]
    pub theory: P,
    /// How far the run is from it; null where one of them has no number.
    pub difference: Option<Difference>,
}

/// A predicted number and a measured one.
#[derive(Debug, Clone, Serialize)]
pub struct Difference {
    /// The key of the number in the result.
    pub quantity: &'static str,
    /// What theory says: of the finite system where it has that, else of the limit.
    pub predicted: f64,
    /// What was measured.
    pub measured: f64,
    /// Measured minus predicted, in standard errors of the measurement; null for one run.
    pub standard_errors: Option<f64>,
}

impl Difference {
    /// A run that agrees with theory is farther off than this in one case of 16,000.
    pub const MOST_STANDARD_ERRORS: f64 = 4.0;

    /// Measured minus predicted, relative to the prediction.
    pub fn relative(&self) -> f64 {
        self.measured / self.predicted - 1.0
    }

    /// Whether the two agree but for noise; `None` if the noise is not known.
    pub fn agrees(&self) -> Option<bool> {
        self.standard_errors.map(|errors| errors.abs() <= Self::MOST_STANDARD_ERRORS)
    }
}

/// What theory says of queues under one policy. Times are in the unit of the service law.
#[derive(Debug, Clone, Serialize)]
pub struct PredictedQueue {
    /// Canonical policy expression.
    pub policy: String,
    /// Number of servers; null for the limit of many.
    pub servers: Option<u64>,
    /// Arrival rate times mean service time over total speed.
    pub load: Option<f64>,
    /// Canonical expression of the service law.
    pub service: String,
    /// `fifo` or `ps`.
    pub discipline: String,
    /// Canonical expression or file of the speeds; null when all are equal.
    pub speeds: Option<String>,
    /// Sojourn times: of the finite system where theory has them, else of the limit. The same holds
    /// for the next three.
    pub sojourn: Times,
    /// Waiting times.
    pub wait: Waits,
    /// Number of jobs at a server, the one in service included.
    pub queue_length: Option<Mean>,
    /// Fraction of servers with at least `i` jobs (index = jobs).
    pub fraction_at_least: Option<Vec<f64>>,
    /// Numerical errors of the limit, under the same names; null without a prediction.
    pub error: Option<QueueNumbers>,
    /// The limit of many servers; null without a prediction.
    pub limit: Option<Computed<QueueNumbers>>,
    /// Corrected to the order 1/n for the number of servers.
    pub refined: Option<Refined<QueueNumbers>>,
    /// Corrected to the order 1/n².
    pub refined_second_order: Option<Refined<QueueNumbers>>,
    /// The limit at the times asked for.
    pub at: Option<Vec<QueueMoment>>,
    /// The theorem behind the limit.
    pub theorem: Option<Theorem>,
    /// What the reader should know: warnings, and why there is no prediction.
    pub notes: Vec<String>,
    /// Wall time of the computation.
    pub seconds: f64,
    /// The law of the sojourn time, for pictures. Not part of the record.
    #[serde(skip)]
    pub curve: Vec<(f64, f64)>,
}

impl PredictedQueue {
    /// With the numbers of a prediction.
    pub fn with(mut self, prediction: QueuePrediction) -> Self {
        let best = prediction.best();
        self.sojourn = best.sojourn;
        self.wait = best.wait;
        self.queue_length = best.queue_length;
        self.fraction_at_least = best.fraction_at_least;
        self.error = Some(prediction.limit.error.clone());
        self.limit = Some(prediction.limit);
        self.refined = prediction.refined;
        self.refined_second_order = prediction.refined_second_order;
        self.at = prediction.at;
        self.theorem = Some(prediction.theorem);
        self.notes.extend(prediction.notes);
        self.curve = prediction.curve;
        self
    }
}

/// What theory says of balls in bins under one policy.
#[derive(Debug, Clone, Serialize)]
pub struct PredictedAllocation {
    /// Canonical policy expression.
    pub policy: String,
    /// Number of bins; null for the limit of many.
    pub bins: Option<u64>,
    /// Number of balls; null for the limit of many.
    pub balls: Option<u64>,
    /// Balls per bin.
    pub balls_per_bin: f64,
    /// Maximum load of so many bins; null for the limit.
    pub max_load: Option<MaxLoad>,
    /// Maximum minus average load; null for the limit.
    pub gap: Option<Mean>,
    /// Fraction of bins with load at least `i` (index = load): of so many bins where theory has it,
    /// else of the limit.
    pub fraction_at_least: Option<Vec<f64>>,
    /// Number of empty bins; null for the limit.
    pub empty: Option<Mean>,
    /// Numerical errors of the limit, under the same names; null without a prediction.
    pub error: Option<LoadNumbers>,
    /// The limit of many bins; null without a prediction.
    pub limit: Option<Computed<LoadNumbers>>,
    /// Corrected for the number of bins.
    pub refined: Option<Refined<LoadNumbers>>,
    /// The limit along the way.
    pub at: Option<Vec<LoadMoment>>,
    /// Leading terms of bounds on the maximum load.
    pub bounds: Vec<evenhand_theory::fluid::bounds::LeadingTerm>,
    /// The theorem behind the limit.
    pub theorem: Option<Theorem>,
    /// What the reader should know: warnings, and why there is no prediction.
    pub notes: Vec<String>,
    /// Wall time of the computation.
    pub seconds: f64,
}

impl PredictedAllocation {
    /// With the numbers of a prediction.
    pub fn with(mut self, prediction: AllocationPrediction) -> Self {
        let best = prediction.best();
        self.max_load = best.max_load;
        self.gap = best.gap;
        self.fraction_at_least = best.fraction_at_least;
        self.empty = best.empty;
        self.error = Some(prediction.limit.error.clone());
        self.limit = Some(prediction.limit);
        self.refined = prediction.refined;
        self.at = prediction.at;
        self.bounds = prediction.bounds;
        self.theorem = Some(prediction.theorem);
        self.notes.extend(prediction.notes);
        self
    }
}
