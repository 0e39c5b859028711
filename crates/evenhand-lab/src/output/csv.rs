//! The results as CSV: one row a result, lists as JSON text, null as an empty cell.

use super::columns::{Row, Value};
use crate::Error;
use crate::record::{Record, Reported};

/// A header line and one line a result.
pub(super) fn encode<R: Reported>(record: &Record<R>) -> Result<Vec<u8>, Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    write_all(record, &mut writer).map_err(|source| Error::Csv { source })?;
    writer.into_inner().map_err(|error| Error::Csv { source: error.into_error().into() })
}

fn write_all<R: Reported>(
    record: &Record<R>,
    writer: &mut csv::Writer<Vec<u8>>,
) -> Result<(), csv::Error> {
    writer.write_record(R::COLUMNS.iter().map(|column| column.name))?;
    for result in &record.results {
        let row = Row { record, result };
        writer.write_record(R::COLUMNS.iter().map(|column| cell(&column.get.value(&row))))?;
    }
    Ok(())
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Text(text) | Value::Json(text) => text.clone(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Integer(integer) => integer.to_string(),
        Value::Number(number) => serde_json::Value::from(*number).to_string(),
        Value::Numbers(numbers) => serde_json::Value::from(numbers.as_slice()).to_string(),
    }
}
