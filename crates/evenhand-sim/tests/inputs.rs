//! Laws of service times, arrivals and shares: moments, canonical forms, errors.

use evenhand_core::Stream;
use evenhand_sim::{ArrivalError, ArrivalProcess, ArrivalSpec, Service, draw_shares};

fn service(source: &str) -> Service {
    Service::parse(source).unwrap_or_else(|error| panic!("{error}"))
}

fn arrivals(source: &str) -> ArrivalSpec {
    ArrivalSpec::parse(source).unwrap_or_else(|error| panic!("{error}"))
}

/// Mean and its standard error.
fn mean_and_error(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let values: Vec<f64> = values.into_iter().collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// Mean and mean square of 10^6 draws within 6 standard errors of what the law says: a false
/// alarm below 1e-8 each, as fourth moments are finite.
#[test]
fn draws_have_the_moments_of_their_law() {
    for (source, scv) in [
        ("exponential", 1.0),
        ("exponential(mean=3)", 1.0),
        ("deterministic", 0.0),
        ("erlang(4)", 0.25),
        ("hyperexponential(3)", 3.0),
        ("hyperexponential(3, f=0.25, mean=0.1)", 3.0),
        ("gamma(0.5)", 0.5),
        ("lognormal(0.5, mean=2)", 0.5),
        ("weibull(2)", 4.0 / std::f64::consts::PI - 1.0),
        ("uniform(1)", 1.0 / 3.0),
        ("pareto(6)", 1.0 / 24.0),
        // Squares of the law on [1, 10] with density in proportion to x^-2.5: mean 3 (1 - 10^-0.5),
        // mean square 3 (10^0.5 - 1), over 1 - 10^-1.5 each.
        ("bounded-pareto(1.5, 10)", 0.492_835_142_1),
    ] {
        let law = service(source);
        let mut stream = Stream::from_seed(12);
        let draws: Vec<f64> = (0..1_000_000).map(|_| law.sample(&mut stream)).collect();
        let (mean, error) = mean_and_error(draws.iter().copied());
        assert!((mean - law.mean()).abs() <= 6.0 * error + 1e-12, "{source}: mean {mean}");
        let (square, error) = mean_and_error(draws.iter().map(|x| x * x));
        let exact = law.second_moment();
        assert!((square - exact).abs() <= 6.0 * error + 1e-12, "{source}: {square}, not {exact}");
        assert!((law.scv() - scv).abs() < 1e-9, "{source}: scv {}", law.scv());
        if let Some(max) = law.max() {
            assert!(draws.iter().all(|&x| x <= max * (1.0 + 1e-12)), "{source}: above {max}");
        }
    }
}

#[test]
fn moments_in_closed_form() {
    // Pareto: alpha (alpha - 2) = 1 / scv.
    assert_eq!(service("pareto(2.5)").scv(), 0.8);
    assert!((service("pareto(2.000001)").scv() - 499_999.75).abs() < 1.0);
    assert!(service("pareto(1e300)").scv() == 0.0);
    for heavy in ["pareto(2)", "pareto(1.5, mean=7)"] {
        let law = service(heavy);
        assert!(law.scv().is_infinite() && law.second_moment().is_infinite());
        assert!(!law.has_finite_variance());
    }
    assert_eq!(service("pareto(1.5)").tail_index(), Some(1.5));
    assert_eq!(service("bounded-pareto(1.5, 1000)").tail_index(), None);
    // Bounded Pareto where a formula divides by 0: the values at its sides.
    for (at, beside) in [(2.0, 1e-9), (1.0, 1e-9)] {
        let scv = |alpha: f64| service(&format!("bounded-pareto({alpha}, 1000)")).scv();
        assert!((scv(at) / scv(at + beside) - 1.0).abs() < 1e-6, "{at}");
        assert!((scv(at) / scv(at - beside) - 1.0).abs() < 1e-6, "{at}");
    }
    // Weibull with shape 1/2 is a squared exponential: mean 2, square 24 before scaling.
    assert!((service("weibull(0.5)").scv() - 5.0).abs() < 1e-9);
    assert_eq!(service("exponential").max(), None);
    assert_eq!(service("uniform(0.5, mean=2)").max(), Some(3.0));
    assert_eq!(service("deterministic(mean=2)").second_moment(), 4.0);
    assert!((service("bounded-pareto(1.5, 1000)").max().expect("bounded") - 344.2).abs() < 0.1);
    for (source, exponential) in [
        ("exponential", true),
        ("erlang(1)", true),
        ("gamma(1, mean=2)", true),
        ("weibull(1)", true),
        ("hyperexponential(1)", true),
        ("erlang(2)", false),
        ("deterministic", false),
    ] {
        assert_eq!(service(source).is_exponential(), exponential, "{source}");
    }
}

#[test]
fn extreme_laws_stay_finite() {
    for source in [
        "gamma(1e6)",
        "lognormal(1e6)",
        "lognormal(0)",
        "hyperexponential(1e6, f=0.001)",
        "weibull(0.05)",
        "weibull(1000)",
        "pareto(1.000001)",
        "pareto(1e300)",
        "bounded-pareto(0.01, 1e60)",
        "bounded-pareto(100, 1.000001)",
        "bounded-pareto(2, 1e60, mean=1e60)",
        "exponential(mean=1e-60)",
    ] {
        let law = service(source);
        let mut stream = Stream::from_seed(13);
        let fine = |x: f64| x.is_finite() && x >= 0.0;
        assert!((0..10_000).all(|_| fine(law.sample(&mut stream))), "{source}");
        assert!(!law.has_finite_variance() || fine(law.second_moment()), "{source}");
        assert!(law.scv() >= 0.0, "{source}: {}", law.scv());
    }
}

#[test]
fn canonical_forms() {
    for (source, canonical) in [
        ("exponential(mean=1)", "exponential"),
        ("erlang(k=2)", "erlang(2)"),
        ("hyperexponential(10, 0.5)", "hyperexponential(10)"),
        ("hyperexponential(mean=2, f=0.25, scv=10)", "hyperexponential(10, f=0.25, mean=2)"),
        ("lognormal(4, 1.0)", "lognormal(4)"),
        ("bounded-pareto(ratio=1_000, alpha=1.5)", "bounded-pareto(1.5, 1000)"),
    ] {
        assert_eq!(service(source).to_string(), canonical);
        assert_eq!(service(canonical).to_string(), canonical);
    }
    for (source, canonical) in [
        ("poisson", "poisson"),
        ("renewal(erlang(k=2))", "renewal(erlang(2))"),
        ("renewal(law=pareto(2.5))", "renewal(pareto(2.5))"),
        ("mmpp(1, 90, 1e1, 10)", "mmpp(1, 90, 10, 10)"),
    ] {
        assert_eq!(arrivals(source).to_string(), canonical);
        assert_eq!(arrivals(canonical).to_string(), canonical);
    }
}

#[test]
fn problems_are_named() {
    for (source, message) in [
        ("lognornal(4)", "did you mean `lognormal`?"),
        ("pareto(0.9)", "`alpha` must be above 1"),
        ("pareto(1)", "the mean is finite only for alpha above 1"),
        ("pareto", "`pareto` needs `alpha`"),
        ("samples(\"no such file\")", "no such file"),
        ("exponential(mean=0)", "`mean` must be greater than 0"),
        ("bounded-pareto(2, 1)", "`ratio` must be between"),
    ] {
        let error = Service::parse(source).expect_err(source).to_string();
        assert!(error.contains(message), "{source}: {error}");
    }
    for (source, message) in [
        ("poison", "did you mean `poisson`?"),
        ("poisson(2)", "`poisson` takes no arguments"),
        ("renewal", "`renewal` needs a distribution"),
        ("renewal(3)", "`law` must be a word or an expression"),
        ("renewal(erlong(3))", "column 9: unknown distribution `erlong`"),
        ("renewal(erlang(0))", "column 16: `k` must be"),
        ("mmpp", "needs two or more pairs of rate and sojourn time"),
        ("mmpp(1, 2)", "needs two or more pairs"),
        ("mmpp(1, 2, 3)", "needs two or more pairs"),
        ("mmpp(-1, 2, 3, 4)", "rates must be at least 0"),
        ("mmpp(0, 2, 0, 4)", "one of the rates must be positive"),
        ("mmpp(1, 0, 2, 4)", "sojourn times must be positive"),
        ("mmpp(1, x, 2, 4)", "argument 2 must be a number"),
    ] {
        let error = ArrivalSpec::parse(source).expect_err(source).to_string();
        assert!(error.contains(message), "{source}: {error}");
    }
}

#[test]
fn impossible_rates_are_refused() {
    for source in ["poisson", "renewal(exponential)", "mmpp(1, 2, 3, 4)"] {
        let spec = arrivals(source);
        assert_eq!(spec.process(None).unwrap_err(), ArrivalError::NeedsRate);
        assert_eq!(spec.rate(), None);
        for rate in [0.0, -1.0, 1e-61, f64::INFINITY] {
            assert_eq!(spec.process(Some(rate)).unwrap_err(), ArrivalError::Rate { rate });
        }
        assert!(matches!(spec.process(Some(f64::NAN)), Err(ArrivalError::Rate { .. })));
        assert!(spec.process(Some(900.0)).is_ok());
    }
    let error = arrivals("mmpp(0, 1e-9, 1, 1e-9)").process(Some(1.0)).unwrap_err();
    assert!(error.to_string().contains("give longer sojourn times"), "{error}");
}

/// Times of the first `count` arrivals.
fn times(process: &mut ArrivalProcess, count: usize, seed: u64) -> Vec<f64> {
    let mut stream = Stream::from_seed(seed);
    (0..count).map(|_| process.next_arrival(&mut stream).expect("no end")).collect()
}

/// Means of gaps and of squared gaps, over 4 10^5 arrivals at rate 8, within 6 standard errors (a
/// false alarm below 1e-8 each; gaps of these are independent).
#[test]
fn gaps_have_the_moments_of_their_law() {
    for (source, scv) in [
        ("poisson", 1.0),
        ("renewal(erlang(2, mean=5))", 0.5),
        ("renewal(deterministic)", 0.0),
        ("renewal(hyperexponential(4))", 4.0),
    ] {
        let times = times(&mut arrivals(source).process(Some(8.0)).unwrap(), 400_000, 5);
        let gap = |i: usize| times[i] - if i == 0 { 0.0 } else { times[i - 1] };
        let (mean, error) = mean_and_error((0..times.len()).map(gap));
        assert!((mean - 0.125).abs() < 6.0 * error + 1e-9, "{source}: {mean}");
        let (square, error) = mean_and_error((0..times.len()).map(|i| gap(i).powi(2)));
        let exact = (1.0 + scv) / 64.0;
        assert!((square - exact).abs() < 6.0 * error + 1e-9, "{source}: {square}");
    }
}

/// The number of arrivals of `mmpp(1, 3, 5, 2, 0, 1)` in [0, 2], from the stationary start, over
/// 10^5 processes at rate 4. The mean is exactly 8. The variance is 8 + 2 times the integral over
/// s < t of the covariance of the rates, here computed from the generator of the three phases by
/// uniformisation. Within 6 standard errors each: a false alarm below 1e-8.
#[test]
fn phases_modulate_the_rate() {
    let spec = arrivals("mmpp(1, 3, 5, 2, 0, 1)");
    let horizon = 2.0;
    let counts: Vec<f64> = (0..100_000)
        .map(|seed| {
            let mut process = spec.process(Some(4.0)).unwrap();
            let mut stream = Stream::from_seed(seed);
            let mut next = || process.next_arrival(&mut stream).expect("no end");
            (0..).take_while(|_| next() <= horizon).count() as f64
        })
        .collect();
    let (mean, error) = mean_and_error(counts.iter().copied());
    assert!((mean - 8.0).abs() < 6.0 * error, "mean {mean}");
    let variance = 8.0 + 2.0 * rate_covariance_integral(horizon);
    let (spread, error) = mean_and_error(counts.iter().map(|count| (count - 8.0).powi(2)));
    assert!((spread - variance).abs() < 6.0 * error, "variance {spread}, not {variance}");
}

/// Integral over 0 < u < horizon of (horizon - u) Cov(rate at 0, rate at u), for phases with
/// relative rates 1, 5, 0 and sojourns 3, 2, 1, at a mean rate of 4, by small steps of the chain.
fn rate_covariance_integral(horizon: f64) -> f64 {
    let (sojourns, share) = ([3.0, 2.0, 1.0], [0.5, 1.0 / 3.0, 1.0 / 6.0]);
    // The relative mean rate is 13 / 6.
    let rates = [1.0, 5.0, 0.0].map(|rate| rate * 4.0 * 6.0 / 13.0);
    let steps = 20_000;
    let step = horizon / f64::from(steps);
    // E[rate at u | phase at 0], forward in u (midpoint rule of second order).
    let mut expected = rates;
    let slope = |e: [f64; 3]| [0, 1, 2].map(|i| (e[(i + 1) % 3] - e[i]) / sojourns[i]);
    let mut integral = 0.0;
    for i in 0..=steps {
        let product: f64 = (0..3).map(|i| share[i] * rates[i] * expected[i]).sum();
        let weight = if i == 0 || i == steps { 0.5 } else { 1.0 };
        integral += weight * step * (horizon - f64::from(i) * step) * (product - 16.0);
        let first = slope(expected);
        let middle = [0, 1, 2].map(|i| expected[i] + step / 2.0 * first[i]);
        let second = slope(middle);
        expected = [0, 1, 2].map(|i| expected[i] + step * second[i]);
    }
    integral
}

/// In the long run the rate is the one asked for: counts over 2000 stretches of 50 units of time,
/// which are nearly independent (phases last 3 at most); within 8 standard errors of the mean.
#[test]
fn modulated_arrivals_keep_their_rate() {
    let mut process = arrivals("mmpp(1, 3, 5, 2, 0, 1)").process(Some(4.0)).unwrap();
    let all = times(&mut process, 410_000, 6);
    assert!(all.is_sorted());
    let mut counts = vec![0.0; 2_000];
    for time in all {
        if let Some(count) = counts.get_mut((time / 50.0) as usize) {
            *count += 1.0;
        }
    }
    let (mean, error) = mean_and_error(counts);
    assert!((mean - 200.0).abs() < 8.0 * error, "{mean}");
}

#[test]
fn shares_sum_to_one() {
    let mut stream = Stream::from_seed(7);
    assert!(draw_shares(&service("exponential"), 0, &mut stream).is_empty());
    assert_eq!(draw_shares(&service("pareto(1.1)"), 1, &mut stream), [1.0]);
    for source in ["deterministic", "lognormal(0.5, mean=9)", "exponential"] {
        let shares = draw_shares(&service(source), 40, &mut stream);
        assert_eq!(shares.len(), 40);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{source}");
        assert!(shares.iter().all(|&share| share > 0.0), "{source}");
    }
    // Two exponential draws: the share of the first is uniform. 10^5 draws, 6 standard errors.
    let law = service("exponential");
    let (mean, error) =
        mean_and_error((0..100_000).map(|_| draw_shares(&law, 2, &mut stream)[0].powi(2)));
    assert!((mean - 1.0 / 3.0).abs() < 6.0 * error, "{mean}");
}

#[test]
fn draws_are_pinned() {
    let mut stream = Stream::from_seed(1);
    let mut one = |source: &str| service(source).sample(&mut stream);
    let drawn =
        ["exponential", "lognormal(4)", "pareto(1.5)", "bounded-pareto(1.5, 10)"].map(&mut one);
    assert_eq!(drawn, GOLDEN_LAWS);
    for (source, golden) in GOLDEN_ARRIVALS {
        let drawn = times(&mut arrivals(source).process(Some(2.0)).unwrap(), 3, 1);
        assert_eq!(drawn, golden, "{source}");
    }
}

const GOLDEN_LAWS: [f64; 4] =
    [1.0967939502649782, 0.26362041249485096, 1.299321820437657, 0.5784034170203093];
const GOLDEN_ARRIVALS: [(&str, [f64; 3]); 3] = [
    ("poisson", [0.5483969751324891, 1.082383600882895, 1.6556632222515808]),
    ("renewal(erlang(2))", [0.7527391695071716, 1.5762351016528857, 1.65094473309596]),
    ("mmpp(1, 3, 5, 2)", [0.29810540311171657, 0.4039342193083254, 0.4584740224351456]),
];
