//! The results as Parquet: the columns of CSV, typed, with real lists of numbers.
//!
//! Unit and meaning of every column are in the file's key-value metadata, under
//! `evenhand.columns`, as a JSON list of `{name, unit, description}`; version, command and seed
//! under `evenhand.version`, `evenhand.command` and `evenhand.seed`.

use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::columns::{Column, Get, Row, Value};
use crate::Error;
use crate::record::{Record, Reported};

/// A whole Parquet file with one row group.
pub(super) fn encode<R: Reported>(record: &Record<R>) -> Result<Vec<u8>, Error> {
    encode_table(record).map_err(|source| Error::Parquet { source })
}

fn encode_table<R: Reported>(record: &Record<R>) -> Result<Vec<u8>, ParquetError> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!("evenhand {}", record.evenhand))
        .set_key_value_metadata(Some(metadata(record)))
        .build();
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema::<R>()?, Arc::new(properties))?;
    let mut rows = file.next_row_group()?;
    let mut columns = R::COLUMNS.iter();
    while let (Some(mut writer), Some(column)) = (rows.next_column()?, columns.next()) {
        let cells = record.results.iter().map(|result| column.get.value(&Row { record, result }));
        write_column(&mut writer, cells)?;
        writer.close()?;
    }
    rows.close()?;
    file.close()?;
    Ok(bytes)
}

fn metadata<R: Reported>(record: &Record<R>) -> Vec<KeyValue> {
    let columns: Vec<_> = R::COLUMNS
        .iter()
        .map(|column| {
            serde_json::json!({
                "name": column.name,
                "unit": column.unit,
                "description": column.description,
            })
        })
        .collect();
    let pairs = [
        ("evenhand.version", record.evenhand.clone()),
        ("evenhand.command", record.command.clone()),
        ("evenhand.seed", record.seed.to_string()),
        ("evenhand.columns", serde_json::Value::from(columns).to_string()),
    ];
    pairs.into_iter().map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect()
}

fn schema<R: Reported>() -> Result<Arc<Type>, ParquetError> {
    let fields = R::COLUMNS.iter().map(field).collect::<Result<_, _>>()?;
    let root = Type::group_type_builder("results").with_fields(fields);
    Ok(Arc::new(root.build()?))
}

fn field<R>(column: &Column<R>) -> Result<Arc<Type>, ParquetError> {
    let optional = |physical, logical| {
        Type::primitive_type_builder(column.name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()
    };
    let unsigned = LogicalType::integer(64, false);
    let field = match column.get {
        Get::Text(_) | Get::Json(_) => optional(Physical::BYTE_ARRAY, Some(LogicalType::String))?,
        Get::Boolean(_) => optional(Physical::BOOLEAN, None)?,
        Get::Integer(_) => optional(Physical::INT64, Some(unsigned))?,
        Get::Number(_) => optional(Physical::DOUBLE, None)?,
        Get::Numbers(_) => list_of_numbers(column.name)?,
    };
    Ok(Arc::new(field))
}

/// The three-level list of the Parquet format: `optional name { repeated list { element } }`.
fn list_of_numbers(name: &str) -> Result<Type, ParquetError> {
    let element = Type::primitive_type_builder("element", Physical::DOUBLE)
        .with_repetition(Repetition::REQUIRED)
        .build()?;
    let list = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![Arc::new(element)])
        .build()?;
    Type::group_type_builder(name)
        .with_repetition(Repetition::OPTIONAL)
        .with_converted_type(ConvertedType::LIST)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(list)])
        .build()
}

/// The values of one column with their definition and repetition levels.
#[derive(Default)]
struct Levels {
    text: Vec<ByteArray>,
    booleans: Vec<bool>,
    integers: Vec<i64>,
    numbers: Vec<f64>,
    /// 0: null. Plain columns: 1 = a value. Lists: 1 = an empty list, 2 = an element.
    definition: Vec<i16>,
    /// 0: starts a row. 1: continues the list of the row.
    repetition: Vec<i16>,
}

impl Levels {
    fn push(&mut self, value: Value) {
        match value {
            Value::Null => self.push_levels(0, 0),
            Value::Text(text) | Value::Json(text) => {
                self.text.push(text.into_bytes().into());
                self.push_levels(1, 0);
            }
            Value::Boolean(truth) => {
                self.booleans.push(truth);
                self.push_levels(1, 0);
            }
            Value::Integer(integer) => {
                // Parquet keeps unsigned integers in the bits of signed ones.
                self.integers.push(integer.cast_signed());
                self.push_levels(1, 0);
            }
            Value::Number(number) => {
                self.numbers.push(number);
                self.push_levels(1, 0);
            }
            Value::Numbers(list) => self.push_list(&list),
        }
    }

    fn push_list(&mut self, list: &[f64]) {
        if list.is_empty() {
            self.push_levels(1, 0);
        }
        for (index, number) in list.iter().enumerate() {
            self.numbers.push(*number);
            self.push_levels(2, i16::from(index > 0));
        }
    }

    fn push_levels(&mut self, definition: i16, repetition: i16) {
        self.definition.push(definition);
        self.repetition.push(repetition);
    }

    fn write<T: DataType>(
        &self,
        writer: &mut SerializedColumnWriter<'_>,
        values: &[T::T],
    ) -> Result<(), ParquetError> {
        writer.typed::<T>().write_batch(values, Some(&self.definition), Some(&self.repetition))?;
        Ok(())
    }
}

fn write_column(
    writer: &mut SerializedColumnWriter<'_>,
    cells: impl Iterator<Item = Value>,
) -> Result<(), ParquetError> {
    use parquet::column::writer::ColumnWriter;

    let mut levels = Levels::default();
    cells.for_each(|cell| levels.push(cell));
    match writer.untyped() {
        ColumnWriter::ByteArrayColumnWriter(_) => {
            levels.write::<ByteArrayType>(writer, &levels.text)
        }
        ColumnWriter::BoolColumnWriter(_) => levels.write::<BoolType>(writer, &levels.booleans),
        ColumnWriter::Int64ColumnWriter(_) => levels.write::<Int64Type>(writer, &levels.integers),
        _ => levels.write::<DoubleType>(writer, &levels.numbers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_get_the_levels_of_the_format() {
        let mut levels = Levels::default();
        for value in [
            Value::Numbers(vec![1.0, 0.5]),
            Value::Null,
            Value::Numbers(vec![]),
            Value::Numbers(vec![0.25]),
        ] {
            levels.push(value);
        }
        assert_eq!(levels.definition, [2, 2, 0, 1, 2]);
        assert_eq!(levels.repetition, [0, 1, 0, 0, 0]);
        assert_eq!(levels.numbers, [1.0, 0.5, 0.25]);
    }
}
