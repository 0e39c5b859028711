//! Figures and the report of made-up records.

mod common;

use std::collections::HashSet;

use evenhand_lab::Error;
use evenhand_lab::figure::{self, Figure};
use evenhand_lab::record::{AllocateResult, LoadMap, Record};
use evenhand_lab::report::{self, Context};
use proptest::prelude::*;

fn ids(figures: &[Figure]) -> Vec<&str> {
    figures.iter().map(|figure| figure.id.as_str()).collect()
}

fn context() -> Context {
    Context {
        title: "Made up".into(),
        command: "evenhand allocate --policy 'nearest(2)' <in.csv".into(),
        version: "0.1.0".into(),
        seed: 7,
        machine: "x86-64, 2 cores".into(),
        started: "2026-01-02T03:04:05Z".into(),
        attribution: None,
    }
}

fn page(record: &Record<AllocateResult>, maps: &[LoadMap], context: &Context) -> String {
    let mut bytes = Vec::new();
    report::write(record, maps, context, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn figures_follow_the_data() {
    assert_eq!(
        ids(&figure::render(&common::sample_record(), &[])),
        ["load-distribution", "maximum-load"]
    );
    let maps = [common::sample_map(true), common::sample_map(false)];
    assert_eq!(
        ids(&figure::render(&common::sample_places(), &maps)),
        ["load-distribution", "trade-off", "map-1", "map-2"]
    );
}

#[test]
fn every_svg_is_well_formed_with_its_own_ids() {
    let maps = [common::sample_map(true), common::sample_map(true)];
    let mut seen = HashSet::new();
    for record in [common::sample_record(), common::sample_places()] {
        seen.clear();
        for figure in figure::render(&record, &maps) {
            let document = roxmltree::Document::parse(&figure.svg).unwrap();
            let root = document.root_element();
            assert_eq!(root.tag_name().name(), "svg");
            assert_eq!(root.attribute("aria-label"), Some(figure.alt_text.as_str()));
            assert!(root.attribute("viewBox").is_some());
            for id in document.descendants().filter_map(|node| node.attribute("id")) {
                assert!(id.starts_with(&figure.id), "{id}");
                assert!(seen.insert(id.to_owned()), "{id} twice");
            }
        }
    }
}

#[test]
fn graphs_are_drawn_with_edges_below_vertices() {
    let bare = common::sample_graph();
    let placed = LoadMap { placed: true, geographic: true, first_run: true, ..bare.clone() };
    let figures = figure::render(&common::sample_record(), &[bare, placed]);
    assert_eq!(ids(&figures)[2..], ["map-1", "map-2"]);
    assert_eq!(figures[2].title, "Load on the graph: edges(ring)");
    assert_eq!(figures[3].title, "Load on the graph of the first run: edges(ring)");
    for figure in &figures[2..] {
        assert!(figure.alt_text.contains("Graph of 12 servers and 12 edges"));
        let document = roxmltree::Document::parse(&figure.svg).unwrap();
        let paths = document.descendants().filter_map(|node| node.attribute("d"));
        let edges = paths.filter(|d| d.matches('M').count() == 12).count();
        assert_eq!(edges, 1);
        assert!(figure.svg.find("stroke=\"#999999\"") < figure.svg.rfind("<circle"));
    }
    assert!(!figures[2].svg.contains("longitude"));
}

#[test]
fn the_same_record_gives_the_same_picture() {
    let draw = || figure::render(&common::sample_places(), &[common::sample_map(true)]);
    assert_eq!(draw(), draw());
}

#[test]
fn alt_texts_tell_the_numbers() {
    let figures = figure::render(&common::sample_places(), &[common::sample_map(true)]);
    assert!(figures[1].alt_text.contains("nearest(1) load 93 at 812 m"));
    assert!(figures[2].alt_text.contains("Map of 12 servers"));
    let figures = figure::render(&common::sample_record(), &[]);
    assert!(figures[1].alt_text.contains("walks(2, regular(8)) 4 in 75% of runs"));
}

#[test]
fn the_trade_off_names_every_policy() {
    let figures = figure::render(&common::sample_places(), &[]);
    let document = roxmltree::Document::parse(&figures[1].svg).unwrap();
    let texts: Vec<_> = document.descendants().filter_map(|node| node.text()).collect();
    for policy in ["nearest(1)", "nearest(2)", "near(2, 10)"] {
        assert!(texts.contains(&policy), "{policy} in {texts:?}");
    }
}

#[test]
fn loads_have_integer_ticks() {
    let figures = figure::render(&common::sample_record(), &[]);
    let document = roxmltree::Document::parse(&figures[0].svg).unwrap();
    let texts: Vec<_> = document.descendants().filter_map(|node| node.text()).collect();
    for tick in ["0", "1", "2", "3", "4"] {
        assert!(texts.contains(&tick), "{tick} in {texts:?}");
    }
    assert!(!texts.contains(&"0.5"), "{texts:?}");
}

#[test]
fn plot_files_are_svg_or_png() {
    let folder = tempfile::tempdir().unwrap();
    let maps = [common::sample_map(true)];
    let svg = folder.path().join("all.svg");
    figure::write_plot(&common::sample_places(), &maps, &svg).unwrap();
    let svg = std::fs::read_to_string(svg).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let clips = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "clipPath")));
    let ids: Vec<_> = clips.filter_map(|node| node.attribute("id")).collect();
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());

    let png = folder.path().join("all.PNG");
    figure::write_plot(&common::sample_places(), &maps, &png).unwrap();
    let png = std::fs::read(png).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    let (width, height) = (side(16), side(20));
    assert_eq!(width, 1520);
    assert!(height > width && height < 6000, "{height}");
    assert!(png.len() > 20_000, "{} bytes", png.len());
}

#[test]
fn bad_plot_requests_say_what_to_do() {
    let record = common::sample_record();
    let folder = tempfile::tempdir().unwrap();
    let pdf = figure::write_plot(&record, &[], &folder.path().join("a.pdf")).unwrap_err();
    assert!(matches!(pdf, Error::PlotExtension { .. }));
    assert!(pdf.to_string().contains("end it in .svg or .png"));
    assert!(figure::check_path(std::path::Path::new("plot")).is_err());
    let missing = folder.path().join("no/such/a.svg");
    let missing = figure::write_plot(&record, &[], &missing).unwrap_err();
    assert!(matches!(missing, Error::File { .. }));

    let mut weighted = common::sample_record();
    for result in &mut weighted.results {
        result.fraction_at_least = None;
        result.max_load.counts = None;
    }
    let nothing = figure::write_plot(&weighted, &[], &folder.path().join("a.svg")).unwrap_err();
    assert!(matches!(nothing, Error::NothingToDraw { .. }));
}

#[test]
fn the_report_stands_alone_and_escapes() {
    let mut record = common::sample_places();
    record.results[1].policy = "<script>alert(\"1\")</script>".into();
    let context = Context { attribution: Some("Places & people".into()), ..context() };
    let html = page(&record, &[common::sample_map(true)], &context);
    for outside in ["src=", "href=", "@import", "<script", "<link", "<iframe"] {
        assert!(!html.contains(outside), "{outside}");
    }
    let addresses = html.matches("http").count();
    assert_eq!(addresses, html.matches("xmlns=\"http://www.w3.org/2000/svg\"").count());
    assert!(html.contains("&#60;in.csv"), "the command is escaped");
    assert!(html.contains("Places &#38; people"));
    assert!(html.contains("2026-01-02T03:04:05Z"));
    assert_eq!(html.matches("<svg").count(), 3);
    let ids: Vec<_> = html.split(" id=\"").skip(1).map(|rest| rest.split('"').next()).collect();
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
}

#[test]
fn the_report_says_who_balanced_best_and_at_what_distance() {
    let html = page(&common::sample_places(), &[], &context());
    assert!(html.contains(
        "5,000 balls were placed into 200 bins in one run. Of 3 policies, near(2, 10) balanced \
         best: the maximum load was 32. The highest was 93, under nearest(1)."
    ));
    assert!(html.contains(
        "the mean distance from user to server was 2.47 km; nearest(1) kept it lowest, at 812 m"
    ));
}

#[test]
fn the_report_does_not_rank_what_cannot_be_ranked() {
    let mut record = common::sample_record();
    let html = page(&record, &[], &context());
    assert!(html.contains("The 95% intervals of two-choice and walks(2, regular(8)) overlap"));
    record.results[1].balls = 5;
    let html = page(&record, &[], &context());
    assert!(html.contains("not ranked against each other"));
    record.results.clear();
    assert!(page(&record, &[], &context()).contains("No run finished."));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any name and any numbers, finite or not, give well-formed pictures.
    #[test]
    fn any_record_is_drawn(
        policy in any::<String>(),
        load in any::<f64>(),
        place in any::<(f64, f64)>(),
        fractions in proptest::collection::vec(any::<f64>(), 0..5),
        counts in proptest::collection::btree_map(0u64..100_000, 1u64..5, 0..5),
        geographic in any::<bool>(),
    ) {
        let mut record = common::sample_places();
        let result = &mut record.results[0];
        result.policy = policy.clone();
        result.max_load.mean = load;
        result.max_load.counts = Some(counts);
        result.fraction_at_least = Some(fractions);
        if let Some(distance) = &mut result.distance {
            distance.mean = place.0;
        }
        let mut map = common::sample_map(geographic);
        map.policy = policy;
        map.points[0].load = load;
        (map.points[1].x, map.points[1].y) = place;
        for figure in figure::render(&record, &[map]) {
            prop_assert!(roxmltree::Document::parse(&figure.svg).is_ok());
        }
    }
}
