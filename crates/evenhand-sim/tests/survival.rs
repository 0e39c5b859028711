//! Survival functions of laws against their moments, and hazard rates.

use evenhand_sim::{Hazard, Service};

const LAWS: [&str; 18] = [
    "exponential(mean=3)",
    "deterministic(mean=0.3)",
    "erlang(4)",
    "erlang(20, mean=2)",
    "hyperexponential(10)",
    "hyperexponential(3, f=0.25, mean=0.1)",
    "gamma(0.3)",
    "gamma(2)",
    "gamma(10)",
    "lognormal(0.5, mean=2)",
    "lognormal(4)",
    "weibull(0.5)",
    "weibull(3)",
    "uniform(1)",
    "uniform(0.2, mean=5)",
    "pareto(6)",
    "bounded-pareto(1.5, 1000)",
    "bounded-pareto(1, 10, mean=7)",
];

fn service(source: &str) -> Service {
    Service::parse(source).unwrap_or_else(|error| panic!("{error}"))
}

/// The integral of f over [a, b] by Gauss-Legendre of order 5 on 200 equal parts.
fn integral(f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    const NODES: [(f64, f64); 3] = [
        (0.0, 0.568_888_888_888_888_9),
        (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
        (0.906_179_845_938_664, 0.236_926_885_056_189_1),
    ];
    let half = (b - a) / 400.0;
    let mut sum = 0.0;
    for part in 0..200 {
        let middle = a + half * f64::from(2 * part + 1);
        for (node, weight) in NODES {
            let count = if node == 0.0 { 0.5 } else { 1.0 };
            sum += count * weight * half * (f(middle - node * half) + f(middle + node * half));
        }
    }
    sum
}

/// Integral over [0, infinity): octaves from tiny to huge, cut at the breaks.
fn integral_to_infinity(law: &Service, f: impl Fn(f64) -> f64) -> f64 {
    let octaves = (-100..60).map(|octave| law.mean() * 2_f64.powi(octave));
    let mut ends: Vec<f64> = octaves.chain(law.breaks()).collect();
    ends.sort_by(f64::total_cmp);
    ends.windows(2).map(|ends| integral(&f, ends[0], ends[1])).sum()
}

#[test]
fn survival_integrates_to_the_mean_and_half_the_second_moment() {
    for source in LAWS {
        let law = service(source);
        let mean = integral_to_infinity(&law, |x| law.survival(x));
        assert!((mean / law.mean() - 1.0).abs() < 1e-10, "{source}: mean {mean}");
        let square = integral_to_infinity(&law, |x| 2.0 * x * law.survival(x));
        assert!((square / law.second_moment() - 1.0).abs() < 1e-9, "{source}: square {square}");
    }
}

#[test]
fn survival_has_its_closed_forms_far_in_the_tail() {
    let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a}, not {b}");
    close(service("exponential(mean=2)").survival(1_000.0), (-500.0_f64).exp());
    close(service("weibull(0.5)").survival(8.0e4), (-400.0_f64).exp());
    close(service("pareto(2.5)").survival(6e9), 1e-10_f64.powf(2.5));
    // Erlang(2): (1 + 2x) e^(-2x).
    close(service("erlang(2)").survival(300.0), 601.0 * (-600.0_f64).exp());
    // The normal tail at 0.75 deviations, where a constant of single precision would show.
    let sigma2 = 5.0_f64.ln();
    let at = (0.75 * sigma2.sqrt() - sigma2 / 2.0).exp();
    close(service("lognormal(4)").survival(at), 0.226_627_352_376_868_2);
    // The normal tail at 30 deviations (to 20 digits by its asymptotic series).
    let at = (30.0 * sigma2.sqrt() - sigma2 / 2.0).exp();
    let tail = service("lognormal(4)").survival(at);
    assert!((tail / 4.906_713_927_148_187e-198 - 1.0).abs() < 1e-11, "{tail:e}");
}

/// The share of 10^5 draws above a quantile lies within 6 standard errors.
#[test]
fn survival_agrees_with_draws() {
    for source in LAWS {
        let law = service(source);
        let mut stream = evenhand_core::Stream::from_seed(3);
        let draws: Vec<f64> = (0..100_000).map(|_| law.sample(&mut stream)).collect();
        for factor in [0.1, 0.5, 0.9, 1.5, 4.0] {
            let x = factor * law.mean();
            let share = draws.iter().filter(|&&draw| draw > x).count() as f64 / 1e5;
            let exact = law.survival(x);
            let bound = 6.0 * (exact * (1.0 - exact) / 1e5).sqrt() + 1e-4;
            assert!((share - exact).abs() < bound, "{source} at {x}: {share}, not {exact}");
        }
    }
}

#[test]
fn samples_are_steps() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("samples.csv");
    std::fs::write(&path, "3\n0\n1\n1\n").unwrap();
    let law = service(&format!("samples({:?}, mean=5)", path.to_str().unwrap()));
    assert_eq!(law.atoms().unwrap(), [(0.0, 0.25), (4.0, 0.5), (12.0, 0.25)]);
    assert_eq!(law.breaks(), [4.0, 12.0]);
    let survival = [-1.0, 0.0, 3.9, 4.0, 11.9, 12.0].map(|x| law.survival(x));
    assert_eq!(survival, [1.0, 0.75, 0.75, 0.25, 0.25, 0.0]);
    assert_eq!(law.hazard(), Hazard::Neither);
}

#[test]
fn hazard_rates_are_known_by_law() {
    for (source, hazard, light) in [
        ("exponential", Hazard::Constant, true),
        ("erlang(1)", Hazard::Constant, true),
        ("erlang(3)", Hazard::Increasing, true),
        ("deterministic", Hazard::Increasing, true),
        ("uniform(0.5)", Hazard::Increasing, true),
        ("hyperexponential(1)", Hazard::Constant, true),
        ("hyperexponential(4)", Hazard::Decreasing, true),
        ("gamma(4)", Hazard::Decreasing, true),
        ("gamma(0.4)", Hazard::Increasing, true),
        ("weibull(0.5)", Hazard::Decreasing, false),
        ("weibull(2)", Hazard::Increasing, true),
        ("lognormal(4)", Hazard::Neither, false),
        ("lognormal(0)", Hazard::Increasing, true),
        ("pareto(2)", Hazard::Neither, false),
        ("bounded-pareto(2, 10)", Hazard::Neither, true),
    ] {
        let law = service(source);
        assert_eq!((law.hazard(), law.has_light_tail()), (hazard, light), "{source}");
    }
}
