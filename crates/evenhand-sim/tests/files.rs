//! Samples and traces from files: forms that are read, and what is refused with which words.

use std::io::Write;
use std::path::PathBuf;

use evenhand_core::Stream;
use evenhand_sim::{ArrivalError, ArrivalSpec, Service, Trace, read_column};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use tempfile::TempDir;

/// A directory with one file.
struct File {
    _dir: TempDir,
    path: PathBuf,
}

impl File {
    fn new(content: impl AsRef<[u8]>) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("jobs");
        std::fs::write(&path, content).expect("a file");
        Self { _dir: dir, path }
    }

    fn zipped(content: &str) -> Self {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content.as_bytes()).expect("memory");
        Self::new(encoder.finish().expect("memory"))
    }

    fn column(&self, column: Option<&str>) -> Result<Vec<f64>, String> {
        read_column(&self.path, column).map_err(|error| error.to_string())
    }

    /// `name("path", rest)`, with backslashes of a path escaped.
    fn call(&self, name: &str, rest: &str) -> String {
        let path = self.path.display().to_string().replace('\\', "\\\\");
        format!("{name}(\"{path}\"{rest})")
    }

    fn samples(&self, rest: &str) -> Result<Service, String> {
        Service::parse(&self.call("samples", rest)).map_err(|error| error.to_string())
    }

    fn arrivals(&self, rest: &str) -> Result<ArrivalSpec, String> {
        ArrivalSpec::parse(&self.call("trace", rest)).map_err(|error| error.to_string())
    }

    fn trace(&self, rest: &str) -> Trace {
        let spec = self.arrivals(rest).unwrap_or_else(|error| panic!("{error}"));
        spec.trace().expect("a trace").clone()
    }
}

#[track_caller]
fn assert_says<T>(result: Result<T, String>, words: &str) {
    let error = result.err().expect("an error");
    assert!(error.contains(words), "{error}\nlacks {words}");
}

#[test]
fn columns_in_many_forms() {
    for content in [
        "1\n2.5\n0\n",
        "x\n1\n2.5\n0",
        "x\r\n1\r\n2.5\r\n0\r\n",
        "x\r1\r2.5\r0\r",
        "\u{feff}x\n1\n 2.5 \n0\n",
        "\u{feff}\"x\"\n1\n\n\"2.5\"\n-0\n\n",
        "{\"x\": 1}\n{\"x\": \"2.5\"}\r\n\n{\"x\": 0.0}",
    ] {
        assert_eq!(File::new(content).column(None), Ok(vec![1.0, 2.5, 0.0]), "{content:?}");
        assert_eq!(File::zipped(content).column(None), Ok(vec![1.0, 2.5, 0.0]), "{content:?}");
    }
}

#[test]
fn columns_are_found_by_name() {
    let file = File::new("Time,time,other,dup,dup\n1,2,3,4,5\n6,7,8,9,10\n");
    assert_eq!(file.column(Some("Time")), Ok(vec![1.0, 6.0]));
    assert_eq!(file.column(Some("time")), Ok(vec![2.0, 7.0]));
    assert_eq!(file.column(Some("OTHER")), Ok(vec![3.0, 8.0]));
    assert_says(file.column(Some("TIME")), "several columns are named `TIME`");
    assert_says(file.column(Some("dup")), "several columns are named `dup`");
    assert_says(file.column(Some("no")), "no column `no`; there are Time, time, other, dup, dup");
    assert_says(file.column(None), "several columns (Time, time, other, dup, dup); name one");
    let json = File::new("{\"a\": 1, \"b\": [1, {}]}\n{\"b\": null, \"a\": 2}\n");
    assert_eq!(json.column(Some("a")), Ok(vec![1.0, 2.0]));
    assert_says(json.column(Some("b")), "line 1: `[1, {}]` is not a finite number");
    assert_says(json.column(Some("c")), "line 1: no key `c`; there are a, b");
    assert_says(json.column(None), "name one with column=");
}

#[test]
fn bad_rows_are_named_by_line() {
    for (content, words) in [
        ("", "there are no rows"),
        ("x\n", "there are no rows"),
        ("x\n1\n-2\n", "line 3: `-2` is negative"),
        ("x\r\n\r\n1\r\n-2\r\n", "line 4: `-2` is negative"),
        ("-1\n2\n", "line 1: `-1` is negative"),
        ("x\n1\n2 s\n", "line 3: `2 s` is not a finite number"),
        ("x\nnan\n", "line 2: `nan` is not a finite number"),
        ("2024-02-28\n1\n", "line 1: `2024-02-28` is not a finite number"),
        ("1\ninf\n", "line 2: `inf` is not a finite number"),
        ("1\n\"\"\n", "line 2: `` is not a finite number"),
        ("x\n1\n2,3\n", "line 3: 2 cells where the first row has 1"),
        ("{\"x\": 1}\n{\"x\": 2\n", "line 2: not a JSON object"),
        ("{\"x\": 1}\n{\"x\": -2}\n", "line 2: `-2` is negative"),
    ] {
        assert_says(File::new(content).column(None), words);
    }
    assert_says(File::new(b"x\n\xff\n").column(None), "line 2: `\u{fffd}` is not a finite");
    let mut broken = File::zipped("x\n1\n2\n");
    let bytes = std::fs::read(&broken.path).expect("bytes");
    broken = File::new(&bytes[..bytes.len() - 6]);
    assert!(broken.column(None).is_err());
    assert_says(read_column("no such".as_ref(), None).map_err(|e| e.to_string()), "no such");
}

#[test]
fn samples_keep_their_units() {
    let file = File::new("id,seconds\na,0\nb,2\nc,4\nd,0\n");
    let own = file.samples(", column=\"seconds\"").unwrap();
    assert_eq!((own.mean(), own.second_moment()), (1.5, 5.0));
    assert!((own.scv() - 11.0 / 9.0).abs() < 1e-15);
    assert_eq!((own.zeros(), own.samples(), own.max()), (2, Some(4), Some(4.0)));
    assert!(own.has_finite_variance() && own.tail_index().is_none());
    let scaled = file.samples(", \"seconds\", scale=0.5").unwrap();
    assert_eq!((scaled.mean(), scaled.max()), (0.75, Some(2.0)));
    let unit = file.samples(", \"seconds\", mean=3, scale=1").unwrap();
    assert_eq!((unit.mean(), unit.max()), (3.0, Some(8.0)));
    assert!(unit.to_string().ends_with("column=\"seconds\", mean=3)"), "{unit}");
    let mut stream = Stream::from_seed(1);
    for _ in 0..100 {
        assert!([0.0, 4.0, 8.0].contains(&unit.sample(&mut stream)));
    }
}

#[test]
fn useless_samples_are_refused() {
    assert_says(File::new("x\n0\n0\n").samples(""), "all samples are 0");
    assert_says(File::new("x\n1e308\n1e308\n").samples(""), "too large");
    assert_says(File::new("x\n1\n").samples(", scale=0"), "`scale` must be greater than 0");
    assert_says(File::new("x\n1\n").samples(", mean=-1"), "`mean` must be greater than 0");
    assert_says(File::new("x\n1\n-2\n").samples(""), "line 3: `-2` is negative");
}

#[test]
fn instants_in_many_forms() {
    for (content, unit) in [
        ("t\n10\n10.25\n13\n", ""),
        ("t\n-1\n-0.75\n2\n", ""),
        ("10000\n10250\n13000\n", ", unit=ms"),
        ("1e7\n10250000\n1.3e7\n", ", unit=us"),
        ("{\"t\": 1000000000}\n{\"t\": 1250000000}\n{\"t\": 4000000000}\n", ", unit=ns"),
        (
            "t\r\n2023-11-16 23:59:58.0000000\r\n2023-11-16 23:59:58.2500000\r\n\
             2023-11-17 00:00:01.0000000",
            "",
        ),
        ("2024-02-28T23:59:58Z\n2024-02-28T23:59:58.25Z\n2024-02-29T01:00:01+01:00\n", ""),
    ] {
        let file = File::new(content);
        let trace = file.trace(unit);
        assert_eq!(trace.times_seconds(), [0.0, 0.25, 3.0], "{content}");
        assert_eq!((trace.jobs(), trace.span_seconds(), trace.ties()), (3, 3.0, 0));
        assert_eq!(trace.rate(), Some(2.0 / 3.0));
        assert_eq!((trace.services(), trace.mean_service(), trace.zeros()), (None, None, 0));
    }
    // Nanoseconds of a timestamp count, although the seconds since 1970 have no room for them.
    let fine = File::new("2023-11-16T18:17:03.000000001Z\n2023-11-16T18:17:03.000000003Z\n");
    assert_eq!(fine.trace("").times_seconds(), [0.0, 2e-9]);
}

#[test]
fn bad_instants_are_named_by_line() {
    for (content, rest, words) in [
        ("t\nsoon\n", "", "line 2: `soon` is neither a number nor a timestamp"),
        ("t\n1\n2023-11-16 18:17:03\n", "", "line 3: `2023-11-16 18:17:03` is not a number, as"),
        ("t\n1\nnan\n", "", "line 3: `nan` is not a number"),
        ("t\n-1e308\n1e308\n", "", "line 3: `1e308` is not a number"),
        ("t\n2023-11-16T18:17:03Z\n2023-11-16T18:17:04\n", "", "with an offset from UTC"),
        ("t\n2023-11-16 18:17:03\n2023-13-16 18:17:03\n", "", "without an offset from UTC"),
        ("t\n1\n3\n2.5\n", "", "line 4: `2.5` is before the row above; sort the file, or"),
        ("t\n2023-11-16 18:17:03\n", ", unit=ms", "the column has timestamps"),
        ("t,s\n1,2\n2,-3\n", ", \"t\", service=\"s\"", "line 3: `-3` is negative"),
        ("t,s\n1,2\n", ", \"t\", service=\"x\"", "no column `x`; there are t, s"),
        ("t\n1\n", ", scale=2", "`scale` has no effect here"),
        ("t\n1\n", ", unit=h", "`unit` must be"),
        ("t\n", "", "there are no rows"),
    ] {
        assert_says(File::new(content).arrivals(rest), words);
    }
    let missing = ArrivalSpec::parse("trace(\"\")").unwrap_err().to_string();
    assert!(missing.contains("the name of the file is empty"), "{missing}");
    assert!(ArrivalSpec::parse("trace").unwrap_err().to_string().contains("needs `file`"));
}

#[test]
fn jobs_have_their_own_service_times() {
    let file = File::new("t,tokens\n5,10\n3,20\n5,0\n4,40\n3,50\n");
    let rest = ", column=\"t\", service=\"tokens\", scale=0.1";
    assert_says(file.arrivals(rest), "line 3: `3` is before the row above");
    // Sorted by time; ties in the order of the file.
    let spec = file.arrivals(&format!("{rest}, sort")).unwrap();
    let trace = spec.trace().expect("a trace");
    assert_eq!(trace.times_seconds(), [0.0, 0.0, 1.0, 2.0, 2.0]);
    assert_eq!(trace.services(), Some(&[2.0, 5.0, 4.0, 1.0, 0.0][..]));
    assert_eq!((trace.ties(), trace.zeros(), trace.rate()), (2, 1, Some(2.0)));
    assert!((trace.mean_service().expect("service times") - 2.4).abs() < 1e-15);
    // `--sort` is the same, and the canonical form says so.
    let sorted = ArrivalSpec::parse_sorting(&file.call("trace", rest)).unwrap();
    assert_eq!(sorted.to_string(), spec.to_string());
    assert!(spec.to_string().ends_with("service=\"tokens\", scale=0.1, sort=true)"), "{spec}");
    assert!(ArrivalSpec::parse_sorting(&file.call("trace", ", \"t\", sort=false")).is_err());
    assert!(ArrivalSpec::parse_sorting(&file.call("trace", ", \"t\", sort")).is_ok());
    assert!(ArrivalSpec::parse_sorting("poisson").is_ok());
}

#[test]
fn a_trace_runs_at_its_own_rate_or_at_another() {
    let file = File::new("t,s\n10,1\n11,2\n11,3\n14,0\n");
    let spec = file.arrivals(", \"t\", service=\"s\"").unwrap();
    let mut stream = Stream::from_seed(1);
    let mut process = spec.process(None).unwrap();
    assert_eq!(process.own_services(1), None);
    for (time, service) in [(0.0, 1.0), (1.0, 2.0), (1.0, 3.0), (4.0, 0.0)] {
        assert_eq!(process.next_arrival(&mut stream), Some(time));
        assert_eq!(process.own_services(1), Some([service].as_slice()));
    }
    assert_eq!(process.next_arrival(&mut stream), None);
    assert_eq!(process.next_arrival(&mut stream), None);
    // 3 arrivals in 4 seconds; at rate 1.5 in 2.
    assert_eq!(spec.rate(), Some(0.75));
    let mut fast = spec.process(Some(1.5)).unwrap();
    let times: Vec<f64> = std::iter::from_fn(|| fast.next_arrival(&mut stream)).collect();
    assert_eq!(times, [0.0, 0.5, 0.5, 2.0]);
    let once = File::new("t\n3\n3\n").arrivals("").unwrap();
    assert_eq!(once.rate(), None);
    assert_eq!(once.process(Some(1.0)).unwrap_err(), ArrivalError::NoOwnRate { jobs: 2 });
    assert!(once.process(None).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    /// What is written comes back, in CSV and in JSON lines.
    #[test]
    fn written_numbers_are_read(values in prop::collection::vec(0.0..1e300_f64, 1..40)) {
        let csv: String = values.iter().map(|v| format!("a,{v}\n")).collect();
        let json: String = values.iter().map(|v| format!("{{\"x\":{v:e},\"y\":1}}\n")).collect();
        prop_assert_eq!(&File::new(format!("y,x\n{csv}")).column(Some("x")).unwrap(), &values);
        prop_assert_eq!(&File::new(json).column(Some("x")).unwrap(), &values);
    }

    /// Sorting gives what a stable sort of the rows gives.
    #[test]
    fn sorted_traces(rows in prop::collection::vec((0..20_i32, 0..100_i32), 1..40)) {
        let text: String = rows.iter().map(|(t, s)| format!("{t},{s}\n")).collect();
        let trace = File::new(format!("t,s\n{text}")).trace(", \"t\", service=\"s\", sort");
        let mut sorted = rows.clone();
        sorted.sort_by_key(|row| row.0);
        let times: Vec<f64> = sorted.iter().map(|row| f64::from(row.0 - sorted[0].0)).collect();
        let services: Vec<f64> = sorted.iter().map(|row| f64::from(row.1)).collect();
        prop_assert_eq!(trace.times_seconds(), &times[..]);
        prop_assert_eq!(trace.services(), Some(&services[..]));
    }

    /// Any bytes give rows or an error, never a panic.
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..80), json: bool) {
        let bytes = if json { [b"{\"a\":".as_slice(), &bytes].concat() } else { bytes };
        let file = File::new(&bytes);
        for values in file.column(None).iter().chain(&file.column(Some("a"))) {
            prop_assert!(values.iter().all(|v| v.is_finite() && *v >= 0.0));
        }
        let _ = file.arrivals(", sort");
    }
}
