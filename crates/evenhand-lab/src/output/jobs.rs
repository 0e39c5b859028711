//! The jobs of one run as Parquet, one row a job.
//!
//! Rows go to the file in groups while the run goes on, so that memory does not grow with the
//! number of jobs. Unit and meaning of the columns are in the key-value metadata as for
//! [results](super::parquet), and under `evenhand.point` what was simulated, as JSON.

use std::io::Write;
use std::sync::Arc;

use evenhand_queue::JobRow;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{DataType, DoubleType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type};

use crate::Error;
use crate::study::QueuePoint;

/// Rows of a row group: 5 MB before compression.
const ROWS_OF_GROUP: usize = 1 << 17;

/// The unit of times.
const TIME: &str = "time";

/// A column: name, unit, what it is, and its value.
struct Column {
    name: &'static str,
    unit: &'static str,
    description: &'static str,
    get: Get,
}

#[derive(Clone, Copy)]
enum Get {
    Number(fn(&JobRow) -> f64),
    Id(fn(&JobRow) -> u32),
}

const COLUMNS: [Column; 6] = [
    Column {
        name: "arrival",
        unit: TIME,
        description: "when the job arrived",
        get: Get::Number(|job| job.arrival),
    },
    Column {
        name: "dispatcher",
        unit: "",
        description: "dispatcher that it came to, from 0",
        get: Get::Id(|job| job.dispatcher),
    },
    Column {
        name: "server",
        unit: "",
        description: "server that got it, from 0",
        get: Get::Id(|job| job.server),
    },
    Column {
        name: "wait",
        unit: TIME,
        description: "from arrival to service; under processor sharing the time beyond service",
        get: Get::Number(|job| job.wait),
    },
    Column {
        name: "service",
        unit: TIME,
        description: "service time at the speed of the server",
        get: Get::Number(|job| job.service),
    },
    Column {
        name: "sojourn",
        unit: TIME,
        description: "wait and service, and travel where that takes time",
        get: Get::Number(|job| job.sojourn),
    },
];

/// A Parquet file that grows by one job at a time. Times are in the unit of the service law.
pub struct JobsWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    waiting: Vec<JobRow>,
    /// Why a row group could not be written; rows after it are left out.
    failed: Option<ParquetError>,
}

impl<W: Write + Send> JobsWriter<W> {
    /// Begins a file of the jobs of the first run of `point`. `version` is the version of
    /// Evenhand.
    ///
    /// # Errors
    /// [`Error::Jobs`] when `to` refuses the first bytes.
    pub fn new(to: W, point: &QueuePoint, version: &str) -> Result<Self, Error> {
        let properties = COLUMNS.iter().filter(|column| matches!(column.get, Get::Number(_))).fold(
            // Times hardly ever repeat, so a dictionary of them is longer than they are.
            WriterProperties::builder(),
            |properties, times| {
                properties.set_column_dictionary_enabled(ColumnPath::from(times.name), false)
            },
        );
        let properties = properties
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("evenhand {version}"))
            .set_key_value_metadata(Some(metadata(point, version)))
            .build();
        let begun = || SerializedFileWriter::new(to, schema()?, Arc::new(properties));
        let file = begun().map_err(|source| Error::Jobs { source })?;
        Ok(Self { file, waiting: Vec::new(), failed: None })
    }

    /// Adds a job. A failure to write is kept for [`JobsWriter::finish`].
    pub fn push(&mut self, job: &JobRow) {
        if self.failed.is_some() {
            return;
        }
        self.waiting.push(*job);
        if self.waiting.len() == ROWS_OF_GROUP {
            self.failed = self.write_group().err();
        }
    }

    /// Writes what is left, and the end of the file.
    ///
    /// # Errors
    /// [`Error::Jobs`] when a job could not be written.
    pub fn finish(mut self) -> Result<(), Error> {
        self.end().map_err(|source| Error::Jobs { source })
    }

    fn end(&mut self) -> Result<(), ParquetError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if !self.waiting.is_empty() {
            self.write_group()?;
        }
        self.file.finish().map(|_| ())
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        for column in &COLUMNS {
            let jobs = &self.waiting;
            match column.get {
                Get::Number(of) => write_column::<DoubleType, _>(&mut group, jobs.iter().map(of)),
                // Parquet keeps unsigned integers in the bits of signed ones.
                Get::Id(of) => write_column::<Int32Type, _>(
                    &mut group,
                    jobs.iter().map(|job| of(job).cast_signed()),
                ),
            }?;
        }
        group.close()?;
        self.waiting.clear();
        Ok(())
    }
}

fn write_column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: impl Iterator<Item = T::T>,
) -> Result<(), ParquetError> {
    let values: Vec<T::T> = values.collect();
    let Some(mut writer) = group.next_column()? else {
        return Err(ParquetError::General("the schema lacks a column".to_string()));
    };
    writer.typed::<T>().write_batch(&values, None, None)?;
    writer.close()
}

fn schema() -> Result<Arc<Type>, ParquetError> {
    let fields = COLUMNS.iter().map(field).collect::<Result<_, _>>()?;
    Ok(Arc::new(Type::group_type_builder("jobs").with_fields(fields).build()?))
}

fn field(column: &Column) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match column.get {
        Get::Number(_) => (Physical::DOUBLE, None),
        Get::Id(_) => (Physical::INT32, Some(LogicalType::integer(32, false))),
    };
    let field = Type::primitive_type_builder(column.name, physical)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(logical)
        .build()?;
    Ok(Arc::new(field))
}

fn metadata(point: &QueuePoint, version: &str) -> Vec<KeyValue> {
    let columns: Vec<_> = COLUMNS
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
        ("evenhand.version", version.to_string()),
        ("evenhand.command", "queue".to_string()),
        ("evenhand.seed", point.model.seed.to_string()),
        ("evenhand.point", described(point).to_string()),
        ("evenhand.columns", serde_json::Value::from(columns).to_string()),
    ];
    pairs.into_iter().map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect()
}

/// What was simulated, by the keys of the record.
fn described(point: &QueuePoint) -> serde_json::Value {
    let model = &point.model;
    serde_json::json!({
        "policy": model.policy.to_string(),
        "engine": point.engine.name(),
        "servers": model.servers,
        "rate": model.total_rate().filter(|rate| rate.is_finite()),
        "service": model.service.to_string(),
        "arrivals": model.arrivals.to_string(),
        "discipline": model.discipline.name(),
        "buffer": model.buffer,
        "dispatchers": model.dispatchers,
        "dispatcher_shares": model.shares.as_ref().map(ToString::to_string),
        "subset": model.subset.to_string(),
        "signal": model.signal.to_string(),
        "comparison": model.comparison.to_string(),
        "speeds": (!model.speeds.are_equal()).then(|| model.speeds.to_string()),
    })
}
