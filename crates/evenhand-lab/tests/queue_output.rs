//! Tables and data formats of made-up records of queues.

mod common;

use std::collections::BTreeSet;

use bytes::Bytes;
use common::queues::{queue_record, sample_placed_queues, sample_queue, sample_queues};
use evenhand_lab::output::{self, Format};
use evenhand_lab::record::{Class, QueueResult, Record};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use proptest::prelude::*;

fn written(record: &Record<QueueResult>, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    output::write(record, format, &mut bytes).unwrap();
    bytes
}

fn text(record: &Record<QueueResult>, format: Format) -> String {
    String::from_utf8(written(record, format)).unwrap()
}

fn json(record: &Record<QueueResult>) -> serde_json::Value {
    serde_json::from_str(&text(record, Format::Json)).unwrap()
}

fn keys(value: &serde_json::Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn table_of_queues() {
    let expected = "\
1,000 servers · load 0.9 · service exponential · 10 runs · engine lazy · seed 7
─────────────────────────────────────────────────────────────────────────────────────────────
 policy             mean sojourn     p99   P(wait)    queue length   probes per job     time
─────────────────────────────────────────────────────────────────────────────────────────────
 one-choice       10.000 ± 0.062   46.05      0.75   9.000 ± 0.031                2   500 ms
 two-choice        2.625 ± 0.062   12.09      0.75   2.363 ± 0.031                2   500 ms
 walks(2, star)         unstable       —         —               —                2   500 ms
─────────────────────────────────────────────────────────────────────────────────────────────
± is half of the 95% confidence interval; mean sojourn and p99 are in the unit of the service law
note: made up
note: walks(2, star): the queues kept growing
";
    assert_eq!(text(&sample_queues(), Format::Table), expected);
}

#[test]
fn what_differs_becomes_a_column_and_the_table_keeps_its_width() {
    let mut record = sample_queues();
    for result in &mut record.results {
        result.policy = "choices(2, distinct)".into();
        result.dispatchers = 8;
        result.signal = "local".into();
    }
    record.results[1].subset = "balanced(4)".into();
    record.results[1].load = Some(0.999_999);
    record.results[1].runs = 12;
    record.results[2].subset = "random(4)".into();
    let table = text(&record, Format::Table);
    let caption =
        "1,000 servers · service exponential · 8 dispatchers · signal local · engine lazy · seed 7";
    assert_eq!(table.lines().next(), Some(caption), "{table}");
    for part in ["0.999999", " balanced(4) ", " unstable "] {
        assert!(table.contains(part), "{part} in {table}");
    }
    assert!(table.contains("note: choices(2, distinct), load 0.9, subset random(4): the queues"));
    assert!(table.lines().skip(1).all(|line| line.chars().count() <= 120), "{table}");
}

/// Columns that have little room break their words, and never the width.
#[test]
fn many_columns_keep_the_width() {
    let mut record = sample_queues();
    record.results[1].service = "hyperexponential(10)".into();
    record.results[1].load = Some(0.95);
    record.results[1].subset = "balanced(4)".into();
    record.results[2].arrivals = "mmpp(1, 2)".into();
    record.results[2].buffer = Some(10);
    let table = text(&record, Format::Table);
    assert!(table.lines().skip(1).all(|line| line.chars().count() <= 120), "{table}");
}

#[test]
fn the_caption_says_what_is_unusual() {
    let mut result = sample_queue("two-choice", 2.0, |i| i);
    result.arrivals = "renewal(erlang(2))".into();
    result.discipline = "ps".into();
    result.dispatchers = 8;
    result.signal = "local".into();
    result.load = None;
    result.speeds = Some("classes(0.5, 1, 0.5, 2)".into());
    result.utilisation =
        vec![Class { speed: 1.0, utilisation: 0.5 }, Class { speed: 2.0, utilisation: 0.875 }];
    let table = text(&queue_record(vec![result]), Format::Table);
    let caption = "1,000 servers · 900 jobs per unit of time · service exponential · \
                   arrivals renewal(erlang(2)) · discipline ps · speeds classes(0.5, 1, 0.5, 2) · \
                   8 dispatchers · signal local · 10 runs · engine lazy · seed 7";
    assert_eq!(table.lines().next(), Some(caption));
    assert!(table.contains("note: two-choice: servers work 50% at speed 1, 87.5% at speed 2\n"));
}

#[test]
fn moments_stand_below_the_table() {
    let table = text(&sample_placed_queues(), Format::Table);
    assert!(table.contains("note: nearest(1) at t = 0: queue length 0.000 ± 0.031\n"), "{table}");
    assert!(table.contains("p95 2.44 km"), "{table}");
}

#[test]
fn json_has_the_keys_that_were_promised() {
    let value = json(&sample_placed_queues());
    assert_eq!(value["command"], "queue");
    let result = &value["results"][0];
    let promised = [
        "policy",
        "engine",
        "servers",
        "load",
        "service",
        "arrivals",
        "discipline",
        "dispatchers",
        "subset",
        "signal",
        "runs",
        "jobs",
        "events",
        "stable",
        "sojourn",
        "wait",
        "queue_length",
        "fraction_at_least",
        "probes_per_job",
        "lost",
        "distance",
        "transient",
        "prediction",
        "notes",
        "seconds",
    ];
    let new = [
        "rate",
        "buffer",
        "dispatcher_shares",
        "comparison",
        "speeds",
        "server_places",
        "users",
        "warm_up",
        "fraction_at_least_ci95",
        "sojourn_by_little",
        "utilisation",
        "events_per_second",
    ];
    assert_eq!(keys(result), promised.into_iter().chain(new).collect());
    let times = BTreeSet::from(["mean", "ci95", "p50", "p90", "p99", "p99_ci95", "p999", "max"]);
    assert_eq!(keys(&result["sojourn"]), times);
    assert_eq!(keys(&result["wait"]), times.into_iter().chain(["probability"]).collect());
    assert_eq!(keys(&result["queue_length"]), BTreeSet::from(["mean", "ci95"]));
    assert_eq!(keys(&result["distance"]), BTreeSet::from(["unit", "mean", "p95", "max"]));
    assert_eq!(
        keys(&result["transient"][1]),
        BTreeSet::from(["t", "fraction_at_least", "queue_length", "queue_length_ci95"])
    );
    assert_eq!(keys(&result["utilisation"][0]), BTreeSet::from(["speed", "utilisation"]));
}

#[test]
fn unstable_results_are_null_and_never_nan() {
    let record = sample_queues();
    let result = &json(&record)["results"][2];
    assert_eq!(result["stable"], false);
    for key in ["queue_length", "fraction_at_least", "sojourn_by_little"] {
        assert!(result[key].is_null(), "{key}");
    }
    for times in ["sojourn", "wait"] {
        assert!(result[times].as_object().unwrap().values().all(serde_json::Value::is_null));
    }
    for format in [Format::Table, Format::Json, Format::Csv] {
        let text = text(&record, format);
        assert!(!text.to_lowercase().contains("nan\"") && !text.contains("NaN"), "{text}");
        assert!(!text.contains("inf,"), "{text}");
    }
}

#[test]
fn csv_text() {
    let csv = text(&sample_placed_queues(), Format::Csv);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().unwrap().clone();
    let expected_header = "policy,engine,servers,load,rate,service,arrivals,discipline,buffer,\
        dispatchers,dispatcher_shares,subset,signal,comparison,speeds,server_places,users,runs,\
        jobs,events,warm_up,stable,sojourn_mean,sojourn_ci95_low,sojourn_ci95_high,sojourn_p50,\
        sojourn_p90,sojourn_p99,sojourn_p99_ci95_low,sojourn_p99_ci95_high,sojourn_p999,\
        sojourn_max,wait_probability,wait_mean,wait_ci95_low,wait_ci95_high,wait_p50,wait_p90,\
        wait_p99,wait_p99_ci95_low,wait_p99_ci95_high,wait_p999,wait_max,queue_length_mean,\
        queue_length_ci95_low,queue_length_ci95_high,fraction_at_least,fraction_at_least_ci95_low,\
        fraction_at_least_ci95_high,sojourn_by_little,utilisation,probes_per_job,lost,\
        distance_unit,distance_mean,distance_p95,distance_max,transient,prediction,predicted_sojourn_mean,prediction_standard_errors,notes,seconds,\
        events_per_second,seed,evenhand";
    assert_eq!(csv.lines().next(), Some(expected_header));
    let row = reader.records().next().unwrap().unwrap();
    let cell = |name: &str| &row[header.iter().position(|n| n == name).unwrap()];
    for (name, value) in [
        ("policy", "nearest(1)"),
        ("servers", "1000"),
        ("load", "0.9"),
        ("buffer", ""),
        ("stable", "true"),
        ("sojourn_mean", "10.0"),
        ("sojourn_ci95_low", "9.9375"),
        ("wait_probability", "0.75"),
        ("wait_mean", "9.0"),
        ("queue_length_ci95_high", "9.03125"),
        ("utilisation", r#"[{"speed":1.0,"utilisation":0.9}]"#),
        ("distance_unit", "m"),
        ("notes", r#"["made up"]"#),
        ("seed", "7"),
    ] {
        assert_eq!(cell(name), value, "{name}");
    }
    let transient: serde_json::Value = serde_json::from_str(cell("transient")).unwrap();
    assert_eq!(transient.as_array().unwrap().len(), 7);
}

/// Every number of CSV stands in the JSON record, under the path that the column's name spells.
#[test]
fn csv_says_what_json_says() {
    let record = sample_queues();
    let value = json(&record);
    let csv = text(&record, Format::Csv);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().unwrap().clone();
    for (row, result) in reader.records().zip(value["results"].as_array().unwrap()) {
        let row = row.unwrap();
        for (name, cell) in header.iter().zip(row.iter()) {
            let path: Vec<&str> = match name.split_once('_') {
                Some((group @ ("sojourn" | "wait"), key)) if name != "sojourn_by_little" => {
                    let (key, side) = match key {
                        "ci95_low" => ("ci95", Some("0")),
                        "ci95_high" => ("ci95", Some("1")),
                        "p99_ci95_low" => ("p99_ci95", Some("0")),
                        "p99_ci95_high" => ("p99_ci95", Some("1")),
                        key => (key, None),
                    };
                    [Some(group), Some(key), side].into_iter().flatten().collect()
                }
                _ => continue,
            };
            let found = result.pointer(&format!("/{}", path.join("/")));
            let number = found.and_then(serde_json::Value::as_f64);
            assert_eq!(cell.is_empty(), number.is_none(), "{name}");
            let Some(number) = number else { continue };
            // The reader of JSON may be off in the last digit.
            let written: f64 = cell.parse().unwrap();
            assert!((written / number - 1.0).abs() < 1e-15, "{name}: {written}");
        }
    }
}

fn parquet_of(record: &Record<QueueResult>) -> SerializedFileReader<Bytes> {
    SerializedFileReader::new(Bytes::from(written(record, Format::Parquet))).unwrap()
}

fn field<'a>(row: &'a Row, name: &str) -> &'a Field {
    row.get_column_iter().find(|(n, _)| *n == name).unwrap().1
}

#[test]
fn parquet_reads_back() {
    let record = sample_queues();
    let reader = parquet_of(&record);
    let rows: Vec<Row> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!(field(&rows[0], "servers"), &Field::ULong(1000));
    assert_eq!(field(&rows[0], "stable"), &Field::Bool(true));
    assert_eq!(field(&rows[2], "stable"), &Field::Bool(false));
    assert_eq!(field(&rows[1], "sojourn_mean"), &Field::Double(2.625));
    for name in ["sojourn_mean", "wait_p99", "queue_length_mean", "fraction_at_least"] {
        assert_eq!(field(&rows[2], name), &Field::Null, "{name}");
    }
    let Field::ListInternal(levels) = field(&rows[1], "fraction_at_least") else {
        panic!("fraction_at_least is a list");
    };
    let expected = record.results[1].fraction_at_least.as_ref().unwrap();
    assert_eq!(levels.len(), expected.len());
    assert!(levels.elements().iter().zip(expected).all(|(a, b)| a == &Field::Double(*b)));
}

#[test]
fn parquet_tells_the_unit_of_times() {
    let reader = parquet_of(&sample_queues());
    let pairs = reader.metadata().file_metadata().key_value_metadata().unwrap().clone();
    let pair = pairs.iter().find(|pair| pair.key == "evenhand.columns").unwrap();
    let columns: serde_json::Value = serde_json::from_str(pair.value.as_ref().unwrap()).unwrap();
    let column = |name: &str| {
        columns.as_array().unwrap().iter().find(|column| column["name"] == name).unwrap()
    };
    assert_eq!(column("sojourn_p99")["unit"], "time");
    assert!(column("sojourn_p99")["description"].as_str().unwrap().contains("service law"));
    assert_eq!(column("seconds")["unit"], "s");
}

#[test]
fn a_record_without_results_is_written_in_every_format() {
    let record = queue_record(vec![]);
    assert_eq!(text(&record, Format::Table), "seed 7\n");
    assert_eq!(text(&record, Format::Csv).lines().count(), 1);
    assert_eq!(parquet_of(&record).get_row_iter(None).unwrap().count(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any numbers, finite or not: all formats are written, CSV has as many cells as its header
    /// and no NaN, and the table keeps to its width.
    #[test]
    fn any_numbers_are_written(
        mean in any::<f64>(),
        half in any::<f64>(),
        servers in any::<u64>(),
        policy in "[a-z\"<,]{0,150}",
        service in "[a-z(, ]{0,80}",
        stable in any::<bool>(),
        fractions in proptest::collection::vec(any::<f64>(), 0..6),
    ) {
        let mut record = sample_placed_queues();
        let result = &mut record.results[0];
        result.policy = policy;
        result.service = service;
        result.servers = servers;
        result.stable = stable;
        result.load = Some(half);
        result.sojourn.mean = Some(mean);
        result.sojourn.ci95 = Some([mean - half, mean + half]);
        result.wait.probability = Some(half);
        result.lost = mean;
        result.warm_up = half;
        result.utilisation[0].utilisation = mean;
        result.fraction_at_least = Some(fractions);
        for line in text(&record, Format::Table).lines().skip(1).take_while(|l| !l.starts_with('±')) {
            prop_assert!(line.chars().count() <= 120, "{line}");
        }
        let csv = text(&record, Format::Csv);
        for row in csv::Reader::from_reader(csv.as_bytes()).records().skip(1) {
            prop_assert!(row.unwrap().iter().all(|cell| cell != "NaN" && cell != "inf"));
        }
        prop_assert!(serde_json::from_slice::<serde_json::Value>(&written(&record, Format::Json)).is_ok());
        prop_assert_eq!(parquet_of(&record).get_row_iter(None).unwrap().count(), 2);
    }
}
