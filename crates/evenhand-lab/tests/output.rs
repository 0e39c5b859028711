//! Tables and data formats of made-up records.

mod common;

use bytes::Bytes;
use evenhand_lab::Error;
use evenhand_lab::output::{self, Format};
use evenhand_lab::record::{AllocateResult, Estimate, Record};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use proptest::prelude::*;

fn written(record: &Record<AllocateResult>, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    output::write(record, format, &mut bytes).unwrap();
    bytes
}

fn text(record: &Record<AllocateResult>, format: Format) -> String {
    String::from_utf8(written(record, format)).unwrap()
}

#[test]
fn table_of_runs() {
    let expected = "\
1,000,000 bins · 1,000,000 balls · 100 runs · engine profile · seed 7
───────────────────────────────────────────────────────────────────────────────────────
 policy                    max load           gap     empty   probes per ball     time
───────────────────────────────────────────────────────────────────────────────────────
 two-choice             4.00 ± 0.12   3.00 ± 0.12   250,000                 2   500 ms
                             4:100%                     25%
 walks(2, regular(8))   4.25 ± 0.12   3.25 ± 0.12   250,000                 2   500 ms
                        4:75% 5:25%                     25%
───────────────────────────────────────────────────────────────────────────────────────
± is half of the 95% confidence interval; below the max load, load:share of runs, or their range
note: made up
note: walks(2, regular(8)): a random graph per run
";
    assert_eq!(text(&common::sample_record(), Format::Table), expected);
}

#[test]
fn table_of_single_runs_with_places() {
    let table = text(&common::sample_places(), Format::Table);
    let caption = "200 bins · 5,000 balls · 1 run · engine profile · servers servers.csv · \
                   users users.csv · seed 7\n";
    assert!(table.starts_with(caption), "{table}");
    assert!(table.contains("812 m"), "{table}");
    assert!(table.contains("1.23 km"), "{table}");
    assert!(table.contains("p95 4.1 km"), "{table}");
    assert!(!table.contains('±'), "{table}");
}

#[test]
fn what_differs_becomes_a_column() {
    let mut record = common::sample_record();
    record.results[1].policy = "two-choice".into();
    record.results[1].signal = "batched(1000)".into();
    record.results[1].bins = 500;
    record.results[1].max_load_per_speed = Some(Estimate { mean: 2.5, ci95: None });
    let table = text(&record, Format::Table);
    let header = table.lines().nth(2).unwrap();
    for title in ["bins", "signal", "max load"] {
        assert!(header.contains(title), "{table}");
    }
    assert!(table.contains("batched(1000)"), "{table}");
    assert!(table.contains("4.25 ±\n") || table.contains("4.25 ± "), "{table}");
    assert!(table.contains("note: two-choice, 500 bins, signal batched(1000): a random"));
    assert!(!table.lines().next().unwrap().contains("bins ·"), "{table}");
}

#[test]
fn json_is_one_object_and_a_newline() {
    let json = text(&common::sample_record(), Format::Json);
    assert!(json.ends_with("}\n"));
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["evenhand"], "0.1.0");
    assert_eq!(value["seed"], 7);
    assert_eq!(value["results"][1]["max_load"]["counts"]["5"], 25);
    assert_eq!(value["results"][1]["max_load"]["ci95"][0], 4.125);
    assert!(value["results"][0]["distance"].is_null());
}

#[test]
fn csv_text() {
    let csv = text(&common::sample_record(), Format::Csv);
    let expected_header = "policy,engine,bins,balls,runs,signal,comparison,weights,speeds,\
        deletions,servers,users,max_load_mean,max_load_ci95_low,max_load_ci95_high,max_load_min,\
        max_load_max,max_load_counts,gap_mean,gap_ci95_low,gap_ci95_high,max_load_per_speed_mean,\
        max_load_per_speed_ci95_low,max_load_per_speed_ci95_high,fraction_at_least,\
        fraction_at_least_ci95_low,fraction_at_least_ci95_high,empty_mean,empty_ci95_low,\
        empty_ci95_high,probes_per_ball,distance_unit,distance_mean,distance_p95,distance_max,\
        snapshots,prediction,predicted_max_load_mean,prediction_standard_errors,notes,seconds,balls_per_second,seed,evenhand";
    let expected_row = "two-choice,profile,1000000,1000000,100,exact,exact,,,,,,4.0,3.875,4.125,\
        4.0,4.0,\"{\"\"4\"\":100}\",3.0,2.875,3.125,,,,\"[1.0,0.75,0.25,0.01,1e-6]\",\
        \"[0.5,0.375,0.125,0.005,5e-7]\",\"[1.0,0.75,0.25,0.01,1e-6]\",250000.0,249984.0,\
        250016.0,2.0,,,,,,,,,\"[\"\"made up\"\"]\",0.5,200000000.0,7,0.1.0";
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some(expected_header));
    assert_eq!(lines.next(), Some(expected_row));
    assert_eq!(lines.count(), 1);
}

fn parquet_of(record: &Record<AllocateResult>) -> SerializedFileReader<Bytes> {
    SerializedFileReader::new(Bytes::from(written(record, Format::Parquet))).unwrap()
}

fn field<'a>(row: &'a Row, name: &str) -> &'a Field {
    row.get_column_iter().find(|(n, _)| *n == name).unwrap().1
}

#[test]
fn parquet_reads_back() {
    let mut record = common::sample_record();
    record.results[1].fraction_at_least = None;
    let reader = parquet_of(&record);
    let rows: Vec<Row> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(field(&rows[0], "policy"), &Field::Str("two-choice".into()));
    assert_eq!(field(&rows[0], "bins"), &Field::ULong(1_000_000));
    assert_eq!(field(&rows[1], "max_load_mean"), &Field::Double(4.25));
    assert_eq!(field(&rows[1], "weights"), &Field::Null);
    assert_eq!(field(&rows[1], "fraction_at_least"), &Field::Null);
    assert_eq!(
        field(&rows[0], "fraction_at_least").to_string(),
        "[1.0, 0.75, 0.25, 0.01, 0.000001]"
    );
    assert_eq!(field(&rows[1], "max_load_counts").to_string(), r#""{"4":75,"5":25}""#);
}

#[test]
fn parquet_carries_units_version_and_seed() {
    let reader = parquet_of(&common::sample_record());
    let metadata = reader.metadata().file_metadata();
    let pairs = metadata.key_value_metadata().unwrap();
    let value = |key: &str| {
        let pair = pairs.iter().find(|pair| pair.key == key).unwrap();
        pair.value.clone().unwrap()
    };
    assert_eq!(value("evenhand.version"), "0.1.0");
    assert_eq!(value("evenhand.seed"), "7");
    let columns: serde_json::Value = serde_json::from_str(&value("evenhand.columns")).unwrap();
    let seconds =
        columns.as_array().unwrap().iter().find(|column| column["name"] == "seconds").unwrap();
    assert_eq!(seconds["unit"], "s");
    assert_eq!(
        columns.as_array().unwrap().len(),
        metadata.schema_descr().root_schema().get_fields().len()
    );
}

#[test]
fn a_record_without_results_is_written_in_every_format() {
    let mut record = common::sample_record();
    record.results.clear();
    assert_eq!(text(&record, Format::Table), "seed 7\n");
    assert_eq!(text(&record, Format::Csv).lines().count(), 1);
    assert_eq!(parquet_of(&record).get_row_iter(None).unwrap().count(), 0);
}

#[test]
fn formats_are_known_by_name() {
    for format in Format::ALL {
        assert_eq!(format.name().parse::<Format>().unwrap(), format);
    }
    let error = "xml".parse::<Format>().unwrap_err();
    assert!(error.to_string().contains("choose table, json, csv or parquet"));
}

#[test]
fn a_closed_pipe_is_told_apart() {
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for format in Format::ALL {
        let error = output::write(&common::sample_record(), format, &mut Closed).unwrap_err();
        assert!(
            matches!(&error, Error::Stream { source, .. } if source.kind() == std::io::ErrorKind::BrokenPipe)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any numbers, finite or not: all formats are written, CSV has as many cells as its header,
    /// and the table keeps to its width.
    #[test]
    fn any_numbers_are_written(
        mean in any::<f64>(),
        half in any::<f64>(),
        bins in any::<u64>(),
        policy in "[a-z\"<,]{0,150}",
        fractions in proptest::collection::vec(any::<f64>(), 0..6),
    ) {
        let mut record = common::sample_record();
        let result = &mut record.results[0];
        result.policy = policy;
        result.bins = bins;
        result.gap = Estimate { mean, ci95: Some([mean - half, mean + half]) };
        result.empty = Estimate { mean, ci95: None };
        result.seconds = mean;
        result.fraction_at_least = Some(fractions);
        for line in text(&record, Format::Table).lines().skip(1).take_while(|l| !l.starts_with('±')) {
            prop_assert!(line.chars().count() <= 120, "{line}");
        }
        let csv = written(&record, Format::Csv);
        prop_assert!(csv::Reader::from_reader(csv.as_slice()).records().all(|row| row.is_ok()));
        prop_assert!(serde_json::from_slice::<serde_json::Value>(&written(&record, Format::Json)).is_ok());
        prop_assert_eq!(parquet_of(&record).get_row_iter(None).unwrap().count(), 2);
    }
}
