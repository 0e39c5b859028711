//! Reading places from CSV.

use std::io::Write;

use evenhand_topology::space::{
    Error, Metric, Places, ReadOptions, RowProblem, read_places, read_places_from,
};

fn read(text: impl AsRef<[u8]>) -> Result<Places, Error> {
    read_places_from(text.as_ref(), "p.csv", &ReadOptions::default())
}

fn skipping(text: &str) -> Result<Places, Error> {
    let options = ReadOptions { skip_invalid: true, weight_column: None };
    read_places_from(text.as_bytes(), "p.csv", &options)
}

fn weighted(text: &str, column: &str) -> Result<Places, Error> {
    let options = ReadOptions { skip_invalid: false, weight_column: Some(column.to_owned()) };
    read_places_from(text.as_bytes(), "p.csv", &options)
}

fn pairs(places: &Places) -> Vec<(f64, f64)> {
    places.points.iter().map(|p| (p.x, p.y)).collect()
}

fn message(result: Result<Places, Error>) -> String {
    result.unwrap_err().to_string()
}

/// Line and problem of the first row that cannot be used.
fn problem(text: impl AsRef<[u8]>) -> (u64, RowProblem) {
    match read(text) {
        Err(Error::InvalidRow { line, problem, .. }) => (line, problem),
        other => panic!("{other:?}"),
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn columns_come_in_any_order_and_case() {
    for header in ["Latitude,note,LONGITUDE", "LAT,id2,lng", "lat,z,Long", " lat , y,lon "] {
        let places = read(format!("{header}\n1.5,a,-2.5\n3,b,4e1\n")).unwrap();
        assert_eq!(places.metric, Metric::GreatCircle);
        assert_eq!(pairs(&places), [(-2.5, 1.5), (40.0, 3.0)]);
        assert_eq!((places.names, places.weights, places.skipped), (None, None, 0));
        assert_eq!(places.source, "p.csv");
    }
    let plane = read("Y,x\n1000,-2\n").unwrap();
    assert_eq!((plane.metric, pairs(&plane)), (Metric::Euclidean, vec![(-2.0, 1000.0)]));
    let both = read("x,y,lon,lat\n1,2,3,4\n").unwrap();
    assert_eq!((both.metric, pairs(&both)), (Metric::GreatCircle, vec![(3.0, 4.0)]));
    let plane = read("x,y,lat\n1,2,?\n").unwrap();
    assert_eq!((plane.metric, pairs(&plane)), (Metric::Euclidean, vec![(1.0, 2.0)]));
}

#[test]
fn the_best_name_column_is_taken() {
    let names = |text: &str| read(text).unwrap().names.unwrap();
    assert_eq!(names("id,CITY,lat,lon\n7,Oslo,1,2\n"), ["Oslo"]);
    assert_eq!(names("colo,name,lat,lon\nAMS,\"Amsterdam, NL\",1,2\n"), ["Amsterdam, NL"]);
    assert_eq!(names("Site_ID,lat,lon\n17,1,2\n"), ["17"]);
    assert_eq!(names("x,y,name\n1,2,\"São \"\"x\"\" Tomé\"\n3,4,\n"), ["São \"x\" Tomé", ""]);
}

#[test]
fn harmless_variations_are_read() {
    let plain = b"name,lat,lon\nA,1,2\nB,3,4\n".to_vec();
    let expected = read(&plain).unwrap();
    let variations: [&[u8]; 7] = [
        b"\xef\xbb\xbfname,lat,lon\nA,1,2\nB,3,4\n",
        b"\xef\xbb\xbf\"name\",lat,lon\nA,1,2\nB,3,4\n",
        b"name,lat,lon\r\nA,1,2\r\nB,3,4\r\n",
        b"name,lat,lon\nA,1,2\nB,3,4",
        b"name,lat,lon\rA,1,2\rB,3,4\r",
        b"\n\nname,lat,lon\n\nA, 1 ,2\n\n\"B\",\"3\",4\n\n",
        b"name,lat,lon\nA,+1,2.0\nB,3e0,4.\n",
    ];
    for text in variations {
        assert_eq!(read(text).unwrap(), expected, "{:?}", String::from_utf8_lossy(text));
        assert_eq!(read(gzip(text)).unwrap(), expected);
    }
    let (first, second) = plain.split_at(20);
    let members = [gzip(first), gzip(second)].concat();
    assert_eq!(read(members).unwrap(), expected);
}

#[test]
fn a_blank_coordinate_names_line_column_and_remedy() {
    let text = "name,lat,lon\nA,1,2\nB,,3\nC,4,5\nD, ,\n";
    assert_eq!(
        message(read(text)),
        "p.csv, line 3: no latitude (column `lat` is blank); correct the row, or pass \
         --skip-invalid to leave such rows out (2 of 4 rows cannot be used)"
    );
    let places = skipping(text).unwrap();
    assert_eq!((places.skipped, pairs(&places)), (2, vec![(2.0, 1.0), (5.0, 4.0)]));
    assert_eq!(places.names.unwrap(), ["A", "C"]);
}

#[test]
fn lines_are_those_of_the_file() {
    let line = |text: &str| problem(text).0;
    assert_eq!(line("lat,lon\nx,1\n"), 2);
    assert_eq!(line("lat,lon\n1,1\n\n\n1,x"), 5);
    assert_eq!(line("lat,lon\r\n1,1\r\n1,x\r\n"), 3);
    assert_eq!(line("lat,lon\r\n\r\n1,x\r\n"), 3);
    assert_eq!(line("lat,lon\r1,1\r1,x\r"), 3);
    assert_eq!(line("\u{feff}\"lat\",lon\n1,1\n1,x\n"), 3);
    assert_eq!(line("\n\nlat,lon\n1,x\n"), 4);
    assert_eq!(line("lat,lon,name\n1,1,\"a\nb\r\nc\"\n1,x,d\n"), 5);
    assert_eq!(line("lat,lon,name\n1,x,\"a\nb\"\n"), 2);
}

#[test]
fn each_problem_of_a_row_is_told() {
    let told = |text: &str| problem(text).1.to_string();
    assert_eq!(told("lat,lon\n1,2,3\n"), "the field count is 3, but the header has 2 columns");
    assert_eq!(told("lat,lon\n1\n"), "the field count is 1, but the header has 2 columns");
    assert_eq!(
        told("lat,Lng\n1,37W\n"),
        "the longitude is not a finite number (column `Lng` is \"37W\")"
    );
    for value in ["NaN", "inf", "-Infinity", "1e999", "0x1", "\"1,5\"", "1 2"] {
        let (_, problem) = problem(format!("x,y\n0,{value}\n"));
        assert!(matches!(problem, RowProblem::NotANumber { what: "y coordinate", .. }));
    }
    assert_eq!(
        told("lat,lon\n-90.5,0\n"),
        "the latitude is not from -90 to 90 (column `lat` is -90.5)"
    );
    assert_eq!(
        told("lat,lon\n0,200\n"),
        "the longitude is not from -180 to 180 (column `lon` is 200)"
    );
    assert!(read("lat,lon\n90,-180\n-90,180\n").is_ok());
    let (line, problem) = problem(b"lat,lon,name\n1,2,ok\n1,2,S\xe3o\n");
    let column = "name".to_owned();
    assert_eq!((line, problem), (3, RowProblem::NotUtf8 { column }));
    let long = told(&format!("lat,lon\n{},0\n", "é".repeat(500)));
    assert!(long.contains(&format!("{}...", "é".repeat(40))) && long.len() < 250, "{long}");
}

#[test]
fn headers_without_coordinates_are_told() {
    assert_eq!(
        message(read("name,breadth\nA,1\n")),
        "p.csv has no coordinates: its columns are `name`, `breadth`; name them lat or latitude \
         and lon, lng, long or longitude for degrees, or x and y for a plane, separated by commas"
    );
    assert!(message(read("lat;lon\n1;2\n")).contains("its columns are `lat;lon`"));
    assert_eq!(
        message(read("id,lat\nA,1\n")),
        "p.csv has column `lat` but no longitude: its columns are `id`, `lat`; \
         name the missing one lon, lng, long or longitude"
    );
    assert!(message(read("y,z\n1,2\n")).contains("column `y` but no x coordinate"));
    assert_eq!(
        message(read("lat,lon,LATITUDE\n1,2,3\n")),
        "p.csv has two columns for the latitude, `lat` and `LATITUDE`; rename one"
    );
    let many: Vec<_> = (0..50).map(|i| format!("c{i}")).collect();
    assert!(message(read(many.join(","))).contains("`c19` and 30 more; "));
    let utf16: Vec<u8> =
        "\u{feff}lat,lon\n1,2\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(
        message(read(utf16)),
        "p.csv, line 1: the header is not UTF-8 text; save the file as UTF-8"
    );
}

#[test]
fn files_without_rows_are_told() {
    for text in ["", "\u{feff}", "\n\r\n", "  \n"] {
        let expected = "p.csv is empty; it needs a header line and a row for each place";
        assert_eq!(message(read(text)), expected);
    }
    assert!(message(read(gzip(b""))).contains("is empty"));
    assert_eq!(
        message(read("lat,lon\n")),
        "p.csv has no usable rows (0 invalid rows were skipped); it needs one row for each place"
    );
    assert!(message(skipping("lat,lon\n1,\n,2\n")).contains("(2 invalid rows were skipped)"));
}

#[test]
fn an_open_quote_is_told_even_when_skipping() {
    for text in ["lat,lon,name\n1,2,A\n3,4,\"B\n5,6,C\n", "lat,lon,name\n1,2,A\n\"3,4,B\n5,6,C"] {
        let error = message(skipping(text));
        assert!(
            error.starts_with("p.csv, line 3: a quoted field of this row never ends"),
            "{error}"
        );
    }
    assert!(matches!(read("lat,lon,\"name\n1,2,A\n"), Err(Error::UnclosedQuote { line: 1, .. })));
    // A quotation mark inside an unquoted field is text.
    let names = read("lat,lon,name\n1,2,5\" pipe\n3,4,\"6\"\" pipe\"").unwrap().names;
    assert_eq!(names.unwrap(), ["5\" pipe", "6\" pipe"]);
}

#[test]
fn weights_are_read_and_checked() {
    let places = weighted("lat,lon,People\n1,2,10\n3,4,0\n", "people").unwrap();
    assert_eq!(places.weights.unwrap(), [10.0, 0.0]);
    assert_eq!(
        message(weighted("lat,lon,population\n1,2,3\n", "poplation")),
        "p.csv has no column `poplation` for the weights (did you mean `population`?); \
         its columns are `lat`, `lon`, `population`"
    );
    assert_eq!(
        message(weighted("lat,lon\n1,2\n", "people")),
        "p.csv has no column `people` for the weights; its columns are `lat`, `lon`"
    );
    let row = |value: &str| message(weighted(&format!("lat,lon,w\n1,2,1\n3,4,{value}\n"), "w"));
    assert!(row("-1").starts_with("p.csv, line 3: the weight is negative (column `w` is -1)"));
    assert!(row("").starts_with("p.csv, line 3: no weight (column `w` is blank)"));
    assert!(row("NaN").starts_with("p.csv, line 3: the weight is not a finite number"));
    assert_eq!(
        message(weighted("lat,lon,w\n1,2,0\n3,4,0\n", "w")),
        "p.csv: the weights in column `w` add up to 0; the sum must be positive and finite"
    );
    assert!(message(weighted("x,y,w\n1,2,1e308\n3,4,1e308\n", "w")).contains("add up to inf"));
}

#[test]
fn unreadable_files_are_told() {
    let missing = std::env::temp_dir().join("evenhand-no-such-directory/places.csv");
    let error = message(read_places(&missing, &ReadOptions::default()));
    assert!(error.starts_with("cannot read ") && error.contains("places.csv: "), "{error}");
    let directory = read_places(&std::env::temp_dir(), &ReadOptions::default());
    assert!(matches!(directory, Err(Error::Read { .. })));
    let mut cut = gzip(b"lat,lon\n1,2\n");
    cut.truncate(cut.len() - 6);
    assert!(matches!(read(cut), Err(Error::Read { .. })));
}
