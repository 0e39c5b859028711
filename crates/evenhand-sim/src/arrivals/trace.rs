use std::path::Path;
use std::sync::Arc;

use evenhand_expr::{Args, Call};

use crate::column::{ColumnError, Instants, Unit, for_each_row};

pub(super) const PARAMETERS: [&str; 6] = ["file", "column", "unit", "service", "scale", "sort"];

/// Largest scale of service times.
const MOST_SCALE: f64 = 1e60;

/// The arrivals of a file,
/// `trace("file", column="...", unit=s, service="...", scale=1, sort=false)`.
///
/// - `column` holds the instants: numbers, in seconds unless `unit` is `ms`, `us` or `ns`; or
///   timestamps such as `2023-11-16T18:17:03.97Z` or, without an offset and read as UTC,
///   `2023-11-16 18:17:03.97`, with up to nine digits of a second. It may be left out where the
///   file has one column. The file is CSV or JSON lines, gzipped or not.
/// - `service` is a column of the same file: the service time of each job, times `scale`.
/// - `sort` puts the rows in the order of their instants; ties stay in the order of the file.
///   Without it, a row before the one above is an error.
///
/// The first arrival is at time 0. The unit of time is a second.
#[derive(Clone, Debug)]
pub struct Trace {
    expression: Call,
    times: Arc<[f64]>,
    services: Option<Arc<[f64]>>,
}

impl Trace {
    /// Reads the arguments and the file; `None` after a problem.
    pub(super) fn read(args: &mut Args<'_>) -> Option<Self> {
        let request = Request::read(args);
        if request.file.is_empty() {
            if !args.has_problems() {
                args.problem(args.span_of("file"), "the name of the file is empty", None);
            }
            return None;
        }
        let (rows, timestamps) = match request.rows() {
            Ok(rows) => rows,
            Err(error) => {
                let at = args.span_of("file");
                args.problem(at, format!("arrivals: {error}"), None);
                return None;
            }
        };
        if timestamps && let Some(span) = args.span_of("unit") {
            args.problem(Some(span), "`unit` is for numbers; the column has timestamps", None);
            return None;
        }
        let start = rows[0].time;
        let times = rows.iter().map(|row| row.time - start).collect();
        let services =
            request.service.as_ref().map(|_| rows.iter().map(|row| row.service).collect());
        Some(Self { expression: request.expression(), times, services })
    }

    pub(super) fn expression(&self) -> &Call {
        &self.expression
    }

    /// Number of jobs; at least one.
    pub fn jobs(&self) -> u64 {
        self.times.len() as u64
    }

    /// Seconds from the first arrival to the last.
    pub fn span_seconds(&self) -> f64 {
        self.times[self.times.len() - 1]
    }

    /// Arrivals per second: one less than there are jobs, over the span. `None` if all jobs
    /// arrive at one instant.
    pub fn rate(&self) -> Option<f64> {
        let span = self.span_seconds();
        (span > 0.0).then(|| (self.times.len() - 1) as f64 / span)
    }

    /// How many jobs arrive at the instant of the job before.
    pub fn ties(&self) -> u64 {
        self.times.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64
    }

    /// Arrival times in seconds, the first at 0.
    pub fn times_seconds(&self) -> &[f64] {
        &self.times
    }

    /// The jobs' own service times, scaled, in the order of arrival.
    pub fn services(&self) -> Option<&[f64]> {
        self.services.as_deref()
    }

    /// Mean of the jobs' own service times.
    pub fn mean_service(&self) -> Option<f64> {
        self.services().map(|services| {
            let n = services.len() as f64;
            services.iter().map(|service| service / n).sum()
        })
    }

    /// How many of the jobs' own service times are 0.
    pub fn zeros(&self) -> u64 {
        let services = self.services().unwrap_or_default();
        services.iter().filter(|&&service| service == 0.0).count() as u64
    }

    /// The arrays of a running process.
    pub(super) fn shared(&self) -> (Arc<[f64]>, Option<Arc<[f64]>>) {
        (self.times.clone(), self.services.clone())
    }
}

/// The arguments of a trace.
struct Request {
    file: String,
    column: Option<String>,
    unit: &'static str,
    service: Option<String>,
    scale: f64,
    sort: bool,
}

/// One job of the file.
struct Job {
    time: f64,
    service: f64,
}

impl Request {
    fn read(args: &mut Args<'_>) -> Self {
        let file = args.text("file");
        let column = args.text_or_none("column");
        let unit = args.word_or("unit", &Unit::WORDS, "s");
        let service = args.text_or_none("service");
        // Without service times, `scale` stays unread and is refused.
        let scale = if service.is_some() {
            args.number_or("scale", f64::MIN_POSITIVE..=MOST_SCALE, 1.0)
        } else {
            1.0
        };
        Self { file, column, unit, service, scale, sort: args.flag("sort") }
    }

    /// The jobs in order of arrival, and whether their instants are timestamps.
    fn rows(&self) -> Result<(Vec<Job>, bool), ColumnError> {
        let columns = [self.column.as_deref(), self.service.as_deref()];
        let wanted = if self.service.is_some() { &columns[..] } else { &columns[..1] };
        let mut instants = Instants::new(Unit::from_word(self.unit));
        let mut jobs: Vec<Job> = Vec::new();
        for_each_row(Path::new(&self.file), wanted, |row| {
            let time = instants.read(row, 0)?;
            if !self.sort && jobs.last().is_some_and(|last| time < last.time) {
                let (path, line, cell) = (row.path(), row.line(), row.cell(0).to_string());
                return Err(ColumnError::Unsorted { path, line, cell });
            }
            let service = match self.service {
                Some(_) => row.scaled_amount(1, self.scale)?,
                None => 0.0,
            };
            jobs.push(Job { time, service });
            Ok(())
        })?;
        if self.sort {
            jobs.sort_by(|a, b| a.time.total_cmp(&b.time));
        }
        Ok((jobs, instants.are_timestamps()))
    }

    fn expression(&self) -> Call {
        let mut call = Call::word("trace").with(self.file.as_str());
        if let Some(column) = &self.column {
            call = call.with_key("column", column.as_str());
        }
        if self.unit != "s" {
            call = call.with_key("unit", Call::word(self.unit));
        }
        if let Some(service) = &self.service {
            call = call.with_key("service", service.as_str());
        }
        if self.scale != 1.0 {
            call = call.with_key("scale", self.scale);
        }
        if self.sort { call.with_key("sort", true) } else { call }
    }
}
