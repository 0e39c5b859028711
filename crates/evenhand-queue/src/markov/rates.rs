use crate::model::Queue;

/// Rates of a queue with Poisson arrivals and exponential service.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rates {
    arrivals: f64,
    mean_service: f64,
    /// Sum of the speeds of all servers.
    speed: f64,
}

impl Rates {
    /// The rates where all servers have speed 1.
    pub(crate) fn of(queue: &Queue) -> Self {
        let arrivals = queue.rate.expect("checked: Poisson arrivals have a rate");
        Self { arrivals, mean_service: queue.service.mean(), speed: queue.servers as f64 }
    }

    /// The rates with these speeds.
    pub(crate) fn with_speeds(self, speeds: &[f64]) -> Self {
        Self { speed: speeds.iter().sum(), ..self }
    }

    /// Steps per unit of time.
    pub(crate) fn total(&self) -> f64 {
        self.arrivals + self.speed / self.mean_service
    }

    /// Probability that a step is an arrival.
    pub(crate) fn arrival_share(&self) -> f64 {
        self.arrivals / self.total()
    }

    /// Mean service time at speed 1.
    pub(crate) fn mean_service(&self) -> f64 {
        self.mean_service
    }
}
