//! The columns of CSV and Parquet: one line each in the file of a kind of result.

use serde::Serialize;

use crate::record::Record;

/// A result with columns.
pub trait Tabular: Sized + 'static {
    /// Every column, in order.
    const COLUMNS: &'static [Column<Self>];
}

/// What a column sees: one result and the record that it stands in.
pub(super) struct Row<'a, R> {
    pub(super) record: &'a Record<R>,
    pub(super) result: &'a R,
}

/// A column: name, unit (empty for a pure number or text), meaning and content.
pub struct Column<R> {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    pub(super) description: &'static str,
    pub(super) get: Get<R>,
}

/// Takes the content of a column from a row. The variant is the type of the column.
pub(super) enum Get<R> {
    Text(fn(&Row<'_, R>) -> Option<String>),
    /// JSON text: objects and lists of anything but numbers.
    Json(fn(&Row<'_, R>) -> Option<String>),
    Boolean(fn(&Row<'_, R>) -> Option<bool>),
    Integer(fn(&Row<'_, R>) -> Option<u64>),
    Number(fn(&Row<'_, R>) -> Option<f64>),
    Numbers(fn(&Row<'_, R>) -> Option<Vec<f64>>),
}

/// The content of one cell. A number that is not finite is null, as in JSON.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Text(String),
    Json(String),
    Boolean(bool),
    Integer(u64),
    Number(f64),
    Numbers(Vec<f64>),
}

impl<R> Get<R> {
    /// The cell of this column in `row`.
    pub(super) fn value(&self, row: &Row<'_, R>) -> Value {
        let value = match self {
            Self::Text(get) => get(row).map(Value::Text),
            Self::Json(get) => get(row).map(Value::Json),
            Self::Boolean(get) => get(row).map(Value::Boolean),
            Self::Integer(get) => get(row).map(Value::Integer),
            Self::Number(get) => get(row).filter(|x| x.is_finite()).map(Value::Number),
            Self::Numbers(get) => get(row).map(Value::Numbers),
        };
        value.unwrap_or(Value::Null)
    }
}

fn json<T: Serialize>(value: &T) -> Option<String> {
    // Only strings, numbers and lists of them come here: they always have a JSON form.
    serde_json::to_string(value).ok()
}

fn side(intervals: Option<&Vec<[f64; 2]>>, side: usize) -> Option<Vec<f64>> {
    intervals.map(|list| list.iter().map(|interval| interval[side]).collect())
}

/// The columns of a kind of result: type, name, unit, meaning and content.
macro_rules! columns {
    ($result:ty; $($kind:ident $name:literal [$unit:literal] $description:literal, $get:expr;)*) => {
        impl crate::output::Tabular for $result {
            const COLUMNS: &'static [crate::output::columns::Column<Self>] = &[$(crate::output::columns::Column {
                name: $name,
                unit: $unit,
                description: $description,
                get: crate::output::columns::Get::$kind($get),
            }),*];
        }
    };
}

mod allocate;
mod predict;
mod queue;
