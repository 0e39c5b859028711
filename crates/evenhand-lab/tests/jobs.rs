//! The jobs of a run as Parquet.

use std::fs::File;

use evenhand_lab::output::JobsWriter;
use evenhand_lab::study::{QueuePoint, Stop};
use evenhand_policies::PolicySpec;
use evenhand_queue::{Engine, JobRow, Queue};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;

fn point() -> QueuePoint {
    QueuePoint {
        model: Queue::new(PolicySpec::parse("two-choice").unwrap(), 10, 0.5),
        engine: Engine::Lazy,
        end: None,
        warm_up: None,
        stop: Stop::Runs(1),
        at: Vec::new(),
        is_overloaded: false,
        notes: Vec::new(),
    }
}

fn job(number: u32) -> JobRow {
    let arrival = f64::from(number) / 8.0;
    let dispatcher = u32::MAX - number;
    JobRow { arrival, dispatcher, server: number % 10, wait: 0.25, service: 1.5, sojourn: 1.75 }
}

/// The rows of a file of `count` jobs, and its number of row groups.
fn written(count: u32) -> (SerializedFileReader<File>, usize) {
    let mut file = tempfile::tempfile().unwrap();
    let mut jobs = JobsWriter::new(&mut file, &point(), "1.2.3").unwrap();
    (0..count).for_each(|number| jobs.push(&job(number)));
    jobs.finish().unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let groups = reader.num_row_groups();
    (reader, groups)
}

#[test]
fn jobs_of_several_row_groups_come_back() {
    let count = 300_000;
    let (reader, groups) = written(count);
    assert!((2..10).contains(&groups), "{groups} row groups");
    let mut rows = 0;
    for row in reader.get_row_iter(None).unwrap() {
        let row = row.unwrap();
        let read = JobRow {
            arrival: row.get_double(0).unwrap(),
            dispatcher: row.get_uint(1).unwrap(),
            server: row.get_uint(2).unwrap(),
            wait: row.get_double(3).unwrap(),
            service: row.get_double(4).unwrap(),
            sojourn: row.get_double(5).unwrap(),
        };
        assert_eq!(read, job(rows));
        rows += 1;
    }
    assert_eq!(rows, count);
}

#[test]
fn no_jobs_are_a_file_without_rows() {
    let (reader, groups) = written(0);
    assert_eq!((reader.get_row_iter(None).unwrap().count(), groups), (0, 0));
}

#[test]
fn metadata_say_what_was_simulated() {
    let (reader, _) = written(1);
    let metadata = reader.metadata().file_metadata();
    let get = |key: &str| {
        let pairs = metadata.key_value_metadata().unwrap();
        pairs.iter().find(|pair| pair.key == key).unwrap().value.clone().unwrap()
    };
    assert_eq!(get("evenhand.version"), "1.2.3");
    assert_eq!(get("evenhand.seed"), "1");
    let point: serde_json::Value = serde_json::from_str(&get("evenhand.point")).unwrap();
    assert_eq!(point["policy"], "two-choice");
    assert_eq!(point["rate"], 5.0);
    let columns: serde_json::Value = serde_json::from_str(&get("evenhand.columns")).unwrap();
    let names: Vec<_> = columns.as_array().unwrap().iter().map(|c| c["name"].clone()).collect();
    let schema: Vec<_> =
        metadata.schema().get_fields().iter().map(|field| field.name().to_string()).collect();
    assert_eq!(names, schema);
    assert_eq!(columns[3]["unit"], "time");
}

/// A full disk is an error of the end, not a panic in a run.
#[test]
fn a_refused_write_is_told_at_the_end() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
    }
    let point = point();
    let refused = JobsWriter::new(Full, &point, "1.2.3").and_then(|mut jobs| {
        (0..300_000).for_each(|number| jobs.push(&job(number)));
        jobs.finish()
    });
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("cannot write the jobs as Parquet"), "{said}");
}
