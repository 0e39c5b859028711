//! Figures and the report of made-up records of queues.

mod common;

use std::collections::HashSet;

use common::queues::{
    queue_record, sample_moments, sample_placed_queues, sample_queue, sample_queues,
    sample_unstable,
};
use evenhand_lab::Error;
use evenhand_lab::figure::{self, Figure};
use evenhand_lab::record::{Curve, QueueResult, Record};
use evenhand_lab::report::{self, Context};
use proptest::prelude::*;

fn ids(figures: &[Figure]) -> Vec<&str> {
    figures.iter().map(|figure| figure.id.as_str()).collect()
}

fn texts(figure: &Figure) -> Vec<String> {
    let document = roxmltree::Document::parse(&figure.svg).unwrap();
    document.descendants().filter_map(|node| node.text()).map(str::to_owned).collect()
}

fn page(record: &Record<QueueResult>) -> String {
    let context = Context { title: "Made up".into(), seed: 7, ..Context::default() };
    let mut bytes = Vec::new();
    report::write(record, &[], &context, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Service times with a heavy tail: P(T > t) = 1 / (1 + t).
fn heavy() -> Record<QueueResult> {
    let mut result = sample_queue("two-choice", 3.0, |i| i);
    result.sojourn.p50 = Some(1.0);
    result.sojourn.p999 = Some(999.0);
    let point = |i: i32| 1.05_f64.powi(i - 150);
    result.curve = Curve((0..400).map(point).map(|t| (t, 1.0 / (1.0 + t))).collect());
    queue_record(vec![result])
}

#[test]
fn figures_follow_the_data() {
    assert_eq!(ids(&figure::render(&sample_queues(), &[])), ["queue-tail", "sojourn"]);
    assert_eq!(
        ids(&figure::render(&sample_placed_queues(), &[])),
        ["queue-tail", "sojourn", "transient", "trade-off"]
    );
    let mut growing = sample_unstable("walks(2, star)");
    assert!(figure::render(&queue_record(vec![growing.clone()]), &[]).is_empty());
    let settled = sample_queue("one-choice", 10.0, |i| i);
    growing.transient = Some(sample_moments(&settled, &[1.0, 2.0, 3.0]));
    assert_eq!(ids(&figure::render(&queue_record(vec![growing]), &[])), ["transient"]);
}

#[test]
fn every_svg_is_well_formed_with_its_own_ids() {
    for record in [sample_queues(), sample_placed_queues(), heavy()] {
        let mut seen = HashSet::new();
        for figure in figure::render(&record, &[]) {
            let document = roxmltree::Document::parse(&figure.svg).unwrap();
            let root = document.root_element();
            assert_eq!(root.attribute("aria-label"), Some(figure.alt_text.as_str()));
            for id in document.descendants().filter_map(|node| node.attribute("id")) {
                assert!(id.starts_with(&figure.id), "{id}");
                assert!(seen.insert(id.to_owned()), "{id} twice");
            }
            assert!(!figure.svg.contains("NaN"), "{}", figure.id);
        }
    }
}

#[test]
fn alt_texts_tell_the_numbers() {
    let figures = figure::render(&sample_placed_queues(), &[]);
    let parts = [
        "fraction of servers with at least i jobs",
        "Median and 99th percentile: nearest(1) 6.931 and 46.05 and nearest(2)",
        "at time 6",
        "nearest(1) mean sojourn time 10 at 812 m",
    ];
    for (figure, part) in figures.iter().zip(parts) {
        assert!(figure.alt_text.contains(part), "{}", figure.alt_text);
    }
}

#[test]
fn axes_and_legends_name_what_they_show() {
    let figures = figure::render(&sample_placed_queues(), &[]);
    for figure in &figures[..3] {
        let texts = texts(figure);
        for policy in ["nearest(1)", "nearest(2)"] {
            assert!(texts.iter().any(|text| text == policy), "{policy} in {texts:?}");
        }
    }
    assert_eq!(figures[2].title, "Queue lengths over time, from the top: i = 1 to 4");
    assert!(texts(&figures[1]).iter().any(|text| text == "t (unit of the service law)"));
}

#[test]
fn long_tails_get_a_logarithmic_axis() {
    let linear = figure::render(&sample_queues(), &[]);
    let logarithmic = figure::render(&heavy(), &[]);
    let has = |figure: &Figure, tick: &str| texts(figure).iter().any(|text| text == tick);
    assert!(has(&linear[1], "60") || has(&linear[1], "80"), "{:?}", texts(&linear[1]));
    assert!(!has(&logarithmic[1], "20"), "{:?}", texts(&logarithmic[1]));
}

/// What is too rare for the axis is left out, never drawn as something more frequent.
#[test]
fn lines_end_where_the_axis_ends() {
    let mut result = sample_queue("two-choice", 3.0, |i| i);
    result.fraction_at_least = Some(vec![1.0, 0.5, 1e-5, 1e-20, 1e-80]);
    let figures = figure::render(&queue_record(vec![result]), &[]);
    let document = roxmltree::Document::parse(&figures[0].svg).unwrap();
    let lines = document.descendants().filter_map(|node| node.attribute("d"));
    let points = lines.map(|d| d.matches(['M', 'L']).count()).max();
    assert_eq!(points, Some(3));
    assert!(figures[0].alt_text.contains("two-choice up to 4"), "{}", figures[0].alt_text);
}

#[test]
fn plot_files_are_svg_or_png() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("all.svg");
    figure::write_plot(&sample_placed_queues(), &[], &svg).unwrap();
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(roxmltree::Document::parse(&svg).is_ok());
    assert!(svg.len() < 400_000, "{} bytes", svg.len());
    let png = folder.path().join("all.png");
    figure::write_plot(&sample_placed_queues(), &[], &png).unwrap();
    assert_eq!(&std::fs::read(png).unwrap()[..8], b"\x89PNG\r\n\x1a\n");

    let unstable = queue_record(vec![sample_unstable("one-choice")]);
    let nothing = figure::write_plot(&unstable, &[], &folder.path().join("a.svg")).unwrap_err();
    assert!(matches!(nothing, Error::NothingToDraw { .. }));
    assert!(nothing.to_string().contains("lower the load"));
}

#[test]
fn the_report_stands_alone() {
    let html = page(&sample_placed_queues());
    for outside in ["src=", "href=", "@import", "<script", "<link", "<iframe"] {
        assert!(!html.contains(outside), "{outside}");
    }
    assert_eq!(html.matches("<svg").count(), 4);
    let ids: Vec<_> = html.split(" id=\"").skip(1).map(|rest| rest.split('"').next()).collect();
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
    assert!(!html.contains("NaN"));
}

#[test]
fn the_report_says_which_policy_was_fastest() {
    let html = page(&sample_queues());
    let expected = "Jobs with service exponential and arrivals poisson came to 1,000 servers at \
        load 0.9. 9,000,000 jobs in 10 runs were counted for each result. Of 2 policies, \
        two-choice kept the sojourn time shortest: 2.625 in the mean (95% interval 2.562 to \
        2.688). The longest was 10, under one-choice. The 99th percentile was also shortest under \
        two-choice, 12.09, and longest under one-choice, 46.05. Under walks(2, star), queues kept \
        growing: times have no limit there. Times are in the unit of the service law.";
    assert!(html.contains(expected), "{html}");
    let html = page(&sample_placed_queues());
    assert!(html.contains(
        "Under nearest(2), the mean distance from user to server was 1.23 km; nearest(1) kept it \
         lowest, at 812 m, with a mean sojourn time of 10."
    ));
}

#[test]
fn the_report_of_one_or_no_result() {
    let one = queue_record(vec![sample_queue("two-choice", 2.625, |i| i)]);
    assert!(page(&one).contains(
        "Under two-choice, the sojourn time was 2.625 in the mean (95% interval 2.562 to 2.688), \
         its 99th percentile 12.09."
    ));
    let growing = page(&queue_record(vec![sample_unstable("one-choice")]));
    assert!(growing.contains("Under one-choice, queues kept growing"));
    assert!(growing.contains("unstable"));
    assert!(page(&queue_record(vec![])).contains("No run finished."));
}

#[test]
fn the_report_does_not_rank_what_cannot_be_ranked() {
    let mut record = sample_queues();
    record.results[0].sojourn.mean = Some(2.65);
    record.results[0].sojourn.ci95 = Some([2.55, 2.75]);
    let html = page(&record);
    assert!(html.contains("The 95% intervals of two-choice and one-choice overlap"), "{html}");
    record.results[1].load = Some(0.95);
    assert!(page(&record).contains("not ranked against each other"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any name and any numbers, finite or not, give well-formed pictures.
    #[test]
    fn any_record_is_drawn(
        policy in any::<String>(),
        number in any::<f64>(),
        fractions in proptest::collection::vec(any::<f64>(), 0..5),
        curve in proptest::collection::vec(any::<(f64, f64)>(), 0..5),
        median in any::<f64>(),
    ) {
        let mut record = sample_placed_queues();
        let result = &mut record.results[0];
        result.policy = policy;
        result.sojourn.mean = Some(number);
        result.sojourn.p50 = Some(median);
        result.sojourn.p999 = Some(number);
        result.fraction_at_least = Some(fractions.clone());
        result.curve = Curve(curve);
        let moment = &mut result.transient.as_mut().unwrap()[2];
        moment.t = number;
        moment.fraction_at_least = fractions;
        for figure in figure::render(&record, &[]) {
            prop_assert!(roxmltree::Document::parse(&figure.svg).is_ok());
        }
    }
}
