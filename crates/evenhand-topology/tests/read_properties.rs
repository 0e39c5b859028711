//! Reading never panics, and finds the line of a bad row.

use evenhand_topology::space::{Error, Places, ReadOptions, read_places_from};
use proptest::prelude::*;
use proptest::sample::{Index, select};

fn read(bytes: &[u8], skip_invalid: bool, weight: bool) -> Result<Places, Error> {
    let options = ReadOptions { skip_invalid, weight_column: weight.then(|| "w".to_owned()) };
    read_places_from(bytes, "p.csv", &options)
}

/// Reads in all four ways and checks what must hold of every answer.
fn check(bytes: &[u8]) {
    for (skip_invalid, weight) in [(false, false), (false, true), (true, false), (true, true)] {
        match read(bytes, skip_invalid, weight) {
            Ok(places) => check_places(&places, skip_invalid, weight),
            Err(error) => {
                assert!(error.to_string().contains("p.csv"));
                assert!(!(skip_invalid && matches!(error, Error::InvalidRow { .. })));
            }
        }
    }
}

fn check_places(places: &Places, skip_invalid: bool, weight: bool) {
    assert!(!places.is_empty());
    assert!(places.points.iter().all(|p| p.x.is_finite() && p.y.is_finite()));
    assert!(skip_invalid || places.skipped == 0);
    assert_eq!(places.weights.is_some(), weight);
    assert!(places.weights.iter().all(|w| w.len() == places.len()));
    assert!(places.names.iter().all(|n| n.len() == places.len()));
}

/// A well-formed file with a name, both kinds of coordinates and a weight.
fn sample() -> Vec<u8> {
    let rows = "\u{feff}\"name\",lat,lon,w,x,y\r\n\"Zürich, CH\",47.4,8.5,3,0,1\r\n\
                \"two\r\nlines\",-90,180,0.5,1,2\n\nlast,1e1,-0,7,3,4";
    rows.as_bytes().to_vec()
}

/// One change of a file: bytes replaced, removed or inserted.
fn change() -> impl Strategy<Value = (Index, Index, Vec<u8>)> {
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..4),
        select(vec!["\"", ",", "\n", "\r\n", "\r", "NaN", "", "-", "91", "\u{feff}", "lat", "w"])
            .prop_map(|s| s.as_bytes().to_vec()),
    ];
    (any::<Index>(), any::<Index>(), piece)
}

/// A name field as written, and the number of line ends in it.
fn name_field() -> impl Strategy<Value = (&'static str, u64)> {
    select(vec![
        ("plain", 0),
        ("", 0),
        ("\"a, b\"", 0),
        ("\"a\nb\"", 1),
        ("\"a\r\nb\r\n\"", 2),
        ("\"say \"\"hi\"\"\"", 0),
        ("Łódź", 0),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check(&bytes);
    }

    #[test]
    fn any_rows_are_survived(rows in "(lat|lon|w|name|[0-9]{1,3}|[,\n\r\"\\-. ]){0,60}") {
        check(format!("lat,lon,w\n{rows}").as_bytes());
    }

    #[test]
    fn any_zipped_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        check(&[&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3][..], &bytes].concat());
    }

    #[test]
    fn changed_files_are_survived(changes in prop::collection::vec(change(), 1..6)) {
        let mut bytes = sample();
        for (from, to, piece) in changes {
            let (from, to) = (from.index(bytes.len() + 1), to.index(bytes.len() + 1));
            let to = to.min(from + 5);
            bytes.splice(from.min(to)..to, piece);
        }
        check(&bytes);
    }

    #[test]
    fn the_first_bad_line_is_found(
        names in prop::collection::vec((name_field(), 0u64..3), 1..20),
        bad in any::<Index>(),
        bom in any::<bool>(),
        end in select(vec!["\n", "\r\n", "\r"]),
    ) {
        let bad = bad.index(names.len());
        let mut text = String::from(if bom { "\u{feff}" } else { "" });
        text.push_str(&format!("name,lat,lon{end}"));
        let mut line = 2;
        let mut expected = 0;
        for (row, ((name, breaks), blank_lines)) in names.iter().enumerate() {
            text.push_str(&end.repeat(*blank_lines as usize));
            line += blank_lines;
            if row == bad {
                expected = line;
            }
            let lat = if row == bad { "" } else { "1" };
            text.push_str(&format!("{name},{lat},2{end}"));
            line += breaks + 1;
        }
        match read(text.as_bytes(), false, false) {
            Err(Error::InvalidRow { line, invalid, rows, .. }) => {
                prop_assert_eq!((line, invalid), (expected, 1));
                prop_assert_eq!(rows, names.len() as u64);
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }
}

#[test]
fn the_unchanged_sample_is_read() {
    let places = read(&sample(), false, true).unwrap();
    assert_eq!(places.names.unwrap(), ["Zürich, CH", "two\r\nlines", "last"]);
    assert_eq!(places.weights.unwrap(), [3.0, 0.5, 7.0]);
}
