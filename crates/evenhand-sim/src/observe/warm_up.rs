/// Values that make one batch.
const BATCH: usize = 5;
/// The last batches, from which no truncated series may begin: so few look constant by chance.
const KEPT: usize = 5;

/// From which value on a series is stationary, by the rule MSER-5; `None` if it is too short to
/// tell.
///
/// The values are means over consecutive intervals of equal length, finite. They are averaged in
/// batches of five. Of all places to begin, the rule takes the one that makes the mean of the
/// rest most certain: that minimises the sum of squared deviations from the mean of the rest over
/// the squared number of its batches. A place in the second half means that the series is too
/// short, and so do fewer than ten batches. The answer is an index of `means`, a multiple of five.
///
/// The rule sees a warm-up only if the series goes on for longer than it: a series that ends
/// during its warm-up may look stationary from the start. Give it 500 values or more: with 100
/// independent values, 12 % of stationary series are called too short; with 500, 1 %.
///
/// Sources: White 1997, "An effective truncation heuristic for bias reduction in simulation
/// output", Simulation 69(6); batches of five: White, Cobb, Spratt 2000.
///
/// ```
/// use evenhand_sim::observe::mser5;
/// let noise = |i: u32| f64::from(i * 7919 % 101) / 101.0;
/// let series: Vec<f64> =
///     (0..400).map(|i| noise(i) + if i < 50 { 10.0 } else { 0.0 }).collect();
/// assert_eq!(mser5(&series), Some(50));
/// assert_eq!(mser5(&series[..80]), None);
/// ```
pub fn mser5(means: &[f64]) -> Option<usize> {
    let batches: Vec<f64> = means
        .as_chunks::<BATCH>()
        .0
        .iter()
        .map(|batch| batch.iter().sum::<f64>() / BATCH as f64)
        .collect();
    if batches.len() < 2 * KEPT || !batches.iter().all(|batch| batch.is_finite()) {
        return None;
    }
    let start = most_certain_start(&batches);
    (start <= batches.len() / 2).then_some(start * BATCH)
}

/// The first of the places with the least marginal standard error.
fn most_certain_start(batches: &[f64]) -> usize {
    let (mut best, mut least) = (batches.len(), f64::INFINITY);
    // Welford's mean and sum of squares of all batches from `start` on, which runs backward.
    let (mut mean, mut squares) = (0.0, 0.0);
    for (start, batch) in batches.iter().enumerate().rev() {
        let count = (batches.len() - start) as f64;
        let change = batch - mean;
        mean += change / count;
        squares += change * (batch - mean);
        let error = squares / (count * count);
        if batches.len() - start >= KEPT && error <= least {
            (best, least) = (start, error);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_core::Stream;
    use rand_distr::{Distribution, StandardNormal};

    /// The rule as it is defined, start by start.
    fn by_definition(means: &[f64]) -> Option<usize> {
        let batches: Vec<f64> =
            means.chunks_exact(5).map(|batch| batch.iter().sum::<f64>() / 5.0).collect();
        let n = batches.len();
        if n < 10 {
            return None;
        }
        let error = |start: usize| {
            let rest = &batches[start..];
            let mean = rest.iter().sum::<f64>() / rest.len() as f64;
            rest.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (rest.len() as f64).powi(2)
        };
        let best = (0..=n - 5).min_by(|&a, &b| error(a).total_cmp(&error(b)))?;
        (best <= n / 2).then_some(5 * best)
    }

    /// An autoregressive series about 1 that begins `bias` away from it.
    fn autoregressive(stream: &mut Stream, length: usize, phi: f64, bias: f64) -> Vec<f64> {
        let mut away = bias;
        (0..length)
            .map(|_| {
                let shock: f64 = StandardNormal.sample(stream);
                away = phi * away + 0.1 * shock;
                1.0 + away
            })
            .collect()
    }

    #[test]
    fn the_rule_is_as_defined() {
        let mut stream = Stream::from_seed(5);
        for length in [0, 4, 49, 50, 51, 73, 200, 501] {
            for bias in [0.0, -3.0, 20.0] {
                let series = autoregressive(&mut stream, length, 0.8, bias);
                assert_eq!(mser5(&series), by_definition(&series), "{length} {bias}");
            }
        }
    }

    /// A bias of 100 standard deviations that decays by 0.95 a step is below one of them (0.32)
    /// after 100 steps: the cut is there or later, and hardly ever in the second half of 2000.
    #[test]
    fn an_initial_bias_is_cut_off() {
        let mut stream = Stream::from_seed(6);
        let mut too_short = 0;
        for round in 0..200 {
            let series = autoregressive(&mut stream, 2_000, 0.95, -32.0);
            match mser5(&series) {
                Some(start) => assert!((60..=1_000).contains(&start), "round {round}: {start}"),
                None => too_short += 1,
            }
        }
        assert!(too_short <= 20, "{too_short} of 200");
    }

    #[test]
    fn special_series() {
        assert_eq!(mser5(&[0.3; 1000]), Some(0));
        assert_eq!(mser5(&[0.3; 49]), None);
        let climbing: Vec<f64> = (0..1000).map(f64::from).collect();
        assert_eq!(mser5(&climbing), None);
        let mut broken = vec![1.0; 100];
        broken[3] = f64::NAN;
        assert_eq!(mser5(&broken), None);
    }
}
