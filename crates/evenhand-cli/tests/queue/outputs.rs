//! Formats, pictures, and the jobs of a run.

use std::fs;
use std::path::Path;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;

use super::{SMALL, folder, refused, result, run};

#[test]
fn every_format_and_output_is_written() {
    let (dir, path) = folder(&[]);
    let base = format!("{SMALL} --policy two-choice --policy random --quiet");
    for (format, start) in
        [("json", &b"{"[..]), ("csv", b"policy,"), ("parquet", b"PAR1"), ("table", b"10 servers")]
    {
        let out = path(format);
        let (printed, said) = run(&format!("{base} --format {format} --out '{out}'"));
        assert!(printed.is_empty() && said.is_empty(), "{printed}{said}");
        let bytes = fs::read(&out).unwrap();
        assert!(bytes.starts_with(start), "{format}");
        assert!(!bytes.windows(3).any(|part| part == b"NaN"), "{format}");
    }
    let (svg, png, html) = (path("plot.svg"), path("plot.png"), path("report.html"));
    for plot in [&svg, &png] {
        run(&format!("{base} --plot '{plot}' --report '{html}' --credit 'Data: <made>'"));
    }
    assert!(fs::read_to_string(&svg).unwrap().contains("<svg"));
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    let page = fs::read_to_string(&html).unwrap();
    for part in ["two-choice", "evenhand queue --servers 10", "Data: &#60;made&#62;"] {
        assert!(page.contains(part), "no `{part}` in the report");
    }
    assert!(!page.contains("NaN") && !fs::read_to_string(&svg).unwrap().contains("NaN"));
    assert_no_parts(dir.path());
}

fn assert_no_parts(dir: &Path) {
    let left: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().ends_with(".part")), "{left:?}");
}

#[test]
fn jobs_of_the_first_run() {
    let (dir, path) = folder(&[]);
    let file = path("jobs.parquet");
    for discipline in ["fifo", "ps"] {
        let line = format!(
            "queue --servers 10 --load 0.5 --jobs 2000 --warmup 20 --dispatchers 3 --policy random \
             --policy two-choice --discipline {discipline}"
        );
        let many = result(&format!("{line} --runs 3 --trace-out '{file}'"));
        let first = result(&format!("{line} --runs 1"));
        let plain = result(&format!("{line} --runs 3"));
        assert_eq!(many["sojourn"], plain["sojourn"], "to write jobs changes nothing");
        let jobs = SerializedFileReader::new(fs::File::open(&file).unwrap()).unwrap();
        let mut total = 0.0;
        let mut count = 0;
        for row in jobs.get_row_iter(None).unwrap() {
            let row = row.unwrap();
            let [arrival, wait, service, sojourn] =
                [0, 3, 4, 5].map(|column| row.get_double(column).unwrap());
            assert!(arrival >= 20.0 && wait >= 0.0 && service > 0.0);
            assert!((wait + service - sojourn).abs() < 1e-9);
            assert!(row.get_uint(1).unwrap() < 3 && row.get_uint(2).unwrap() < 10);
            total += sojourn;
            count += 1;
        }
        assert_eq!(first["jobs"], count);
        let mean = first["sojourn"]["mean"].as_f64().unwrap();
        assert!((total / f64::from(count) - mean).abs() < 1e-9 * mean, "{discipline}");
    }
    assert_no_parts(dir.path());
}

#[test]
fn jobs_that_cannot_be_written() {
    let (dir, path) = folder(&[]);
    let line = format!("{SMALL} --policy two-choice --trace-out");
    refused(
        &format!("{line} '{}'", path("jobs.csv")),
        &["--trace-out", "end the name in .parquet"],
    );
    refused(&format!("{line} '{}'", path("no/jobs.parquet")), &["--trace-out", "cannot write"]);
    for engine in ["uniformised", "profile"] {
        refused(
            &format!("{line} '{}' --engine {engine}", path("jobs.parquet")),
            &["--trace-out", engine, "--engine lazy, --engine event"],
        );
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "nothing is left");
}
