//! Which column holds what, and the numbers in a row.

use std::str::from_utf8;

use csv::ByteRecord;

use crate::space::metric::{MAX_LATITUDE, MAX_LONGITUDE};
use crate::space::{Error, Metric, Places, Point, RowProblem};

/// A coordinate that a file can have.
struct Coordinate {
    what: &'static str,
    names: &'static [&'static str],
    expected: &'static str,
}

const LATITUDE: Coordinate =
    Coordinate { what: "latitude", names: &["lat", "latitude"], expected: "lat or latitude" };
const LONGITUDE: Coordinate = Coordinate {
    what: "longitude",
    names: &["lon", "lng", "long", "longitude"],
    expected: "lon, lng, long or longitude",
};
const X: Coordinate = Coordinate { what: "x coordinate", names: &["x"], expected: "x" };
const Y: Coordinate = Coordinate { what: "y coordinate", names: &["y"], expected: "y" };
/// Columns that name a place, the best first.
const NAMES: [&str; 5] = ["name", "city", "colo", "site_id", "id"];

/// The columns of a file that are used.
pub(super) struct Columns<'a> {
    file: &'a str,
    header: Vec<String>,
    x: usize,
    y: usize,
    pub(super) metric: Metric,
    pub(super) name: Option<usize>,
    pub(super) weight: Option<usize>,
}

/// What is used of one row.
pub(super) struct Row<'a> {
    pub(super) point: Point,
    pub(super) name: Option<&'a str>,
    pub(super) weight: Option<f64>,
}

impl<'a> Columns<'a> {
    /// Finds the columns in the header.
    pub(super) fn new(
        header: Vec<String>,
        file: &'a str,
        weight_column: Option<&str>,
    ) -> Result<Self, Error> {
        let (metric, x, y) = coordinates(&header, file)?;
        let weight = match weight_column {
            Some(column) => Some(weight(&header, file, column)?),
            None => None,
        };
        Ok(Columns {
            file,
            x,
            y,
            metric,
            name: NAMES.iter().find_map(|name| position(&header, name)),
            weight,
            header,
        })
    }

    /// Takes what is used from a row.
    pub(super) fn row<'r>(&self, record: &'r ByteRecord) -> Result<Row<'r>, RowProblem> {
        if record.len() != self.header.len() {
            return Err(RowProblem::FieldCount {
                found: record.len(),
                expected: self.header.len(),
            });
        }
        if let Some(column) = record.iter().position(|field| from_utf8(field).is_err()) {
            return Err(RowProblem::NotUtf8 { column: self.header[column].clone() });
        }
        let (y, x) = match self.metric {
            Metric::GreatCircle => (
                self.degrees(record, self.y, &LATITUDE, MAX_LATITUDE)?,
                self.degrees(record, self.x, &LONGITUDE, MAX_LONGITUDE)?,
            ),
            Metric::Euclidean | Metric::Torus => {
                (self.number(record, self.y, Y.what)?, self.number(record, self.x, X.what)?)
            }
        };
        Ok(Row {
            point: Point { x, y },
            name: self.name.map(|column| text(record, column)),
            weight: self.row_weight(record)?,
        })
    }

    /// Checks that places can be drawn by weight.
    pub(super) fn check_weights(&self, places: &Places) -> Result<(), Error> {
        let (Some(column), Some(weights)) = (self.weight, &places.weights) else {
            return Ok(());
        };
        let sum: f64 = weights.iter().sum();
        if sum > 0.0 && sum.is_finite() {
            return Ok(());
        }
        Err(Error::WeightSum {
            file: self.file.to_owned(),
            column: self.header[column].clone(),
            sum,
        })
    }

    fn row_weight(&self, record: &ByteRecord) -> Result<Option<f64>, RowProblem> {
        let Some(column) = self.weight else {
            return Ok(None);
        };
        let value = self.number(record, column, "weight")?;
        if value < 0.0 {
            return Err(RowProblem::NegativeWeight { column: self.header[column].clone(), value });
        }
        Ok(Some(value))
    }

    fn degrees(
        &self,
        record: &ByteRecord,
        column: usize,
        coordinate: &Coordinate,
        limit: f64,
    ) -> Result<f64, RowProblem> {
        let value = self.number(record, column, coordinate.what)?;
        if value.abs() <= limit {
            return Ok(value);
        }
        Err(RowProblem::OutOfRange {
            what: coordinate.what,
            column: self.header[column].clone(),
            value,
            low: -limit,
            high: limit,
        })
    }

    fn number(
        &self,
        record: &ByteRecord,
        column: usize,
        what: &'static str,
    ) -> Result<f64, RowProblem> {
        let field = text(record, column);
        let name = || self.header[column].clone();
        if field.is_empty() {
            return Err(RowProblem::Blank { what, column: name() });
        }
        match field.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(RowProblem::NotANumber { what, column: name(), value: shortened(field) }),
        }
    }
}

/// A field without surrounding blanks. All fields of a row are checked to be
/// UTF-8 before.
fn text(record: &ByteRecord, column: usize) -> &str {
    from_utf8(&record[column]).unwrap_or_default().trim()
}

fn shortened(field: &str) -> String {
    const SHOWN: usize = 40;
    match field.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &field[..end]),
        None => field.to_owned(),
    }
}

fn position(header: &[String], name: &str) -> Option<usize> {
    header.iter().position(|c| c.eq_ignore_ascii_case(name))
}

/// The metric and the columns of x and y. Degrees win where a file has both.
fn coordinates(header: &[String], file: &str) -> Result<(Metric, usize, usize), Error> {
    let kinds = [(Metric::GreatCircle, &LONGITUDE, &LATITUDE), (Metric::Euclidean, &X, &Y)];
    let mut single = None;
    for (metric, x, y) in kinds {
        match (find(header, x), find(header, y)) {
            (Some(x_column), Some(y_column)) => {
                only_one(header, file, x)?;
                only_one(header, file, y)?;
                return Ok((metric, x_column, y_column));
            }
            (Some(found), None) => single = single.or(Some((found, y))),
            (None, Some(found)) => single = single.or(Some((found, x))),
            (None, None) => {}
        }
    }
    let (file, columns) = (file.to_owned(), header.to_vec());
    Err(match single {
        Some((found, missing)) => Error::OneCoordinate {
            file,
            found: header[found].clone(),
            missing: missing.what,
            expected: missing.expected,
            columns,
        },
        None => Error::NoCoordinates { file, columns },
    })
}

fn is_for(column: &str, coordinate: &Coordinate) -> bool {
    coordinate.names.iter().any(|name| column.eq_ignore_ascii_case(name))
}

fn find(header: &[String], coordinate: &Coordinate) -> Option<usize> {
    header.iter().position(|column| is_for(column, coordinate))
}

fn only_one(header: &[String], file: &str, coordinate: &Coordinate) -> Result<(), Error> {
    let mut columns = header.iter().filter(|column| is_for(column, coordinate));
    match (columns.next(), columns.next()) {
        (Some(first), Some(second)) => Err(Error::RepeatedColumn {
            file: file.to_owned(),
            coordinate: coordinate.what,
            first: first.clone(),
            second: second.clone(),
        }),
        _ => Ok(()),
    }
}

fn weight(header: &[String], file: &str, column: &str) -> Result<usize, Error> {
    header.iter().position(|c| c == column).or_else(|| position(header, column)).ok_or_else(|| {
        Error::NoWeightColumn {
            file: file.to_owned(),
            column: column.to_owned(),
            similar: similar(header, column),
            columns: header.to_vec(),
        }
    })
}

/// Up to three columns that a typing error may have meant.
fn similar(header: &[String], column: &str) -> Vec<String> {
    const ALIKE: f64 = 0.8;
    let wanted = column.to_lowercase();
    let mut scored: Vec<_> = header
        .iter()
        .map(|c| (strsim::jaro_winkler(&c.to_lowercase(), &wanted), c))
        .filter(|(score, _)| *score >= ALIKE)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(3).map(|(_, c)| c.clone()).collect()
}
