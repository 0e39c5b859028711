use std::path::Path;
use std::sync::{Arc, OnceLock};

use evenhand_core::{Index, Rng};
use evenhand_expr::Args;

use crate::column::read_column;

/// Equally likely numbers of a file, with what is known of them.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    values: Arc<[f64]>,
    /// The values in ascending order, from the first time that they are asked for.
    sorted: Arc<OnceLock<Vec<f64>>>,
    index: Index,
    pub(super) mean: f64,
    pub(super) scv: f64,
    pub(super) max: f64,
    pub(super) zeros: u64,
}

impl Samples {
    /// Reads `file` and `column` of a call; `None` after a problem.
    pub(super) fn read(args: &mut Args<'_>) -> Option<Self> {
        let path = args.text("file");
        let column = args.text_or_none("column");
        if path.is_empty() {
            if args.span_of("file").is_some() && !args.has_problems() {
                args.problem(args.span_of("file"), "the name of the file is empty", None);
            }
            return None;
        }
        let problem = match read_column(Path::new(&path), column.as_deref()) {
            Ok(values) => match Self::of(values) {
                Ok(samples) => return Some(samples),
                Err(problem) => format!("{path}: {problem}"),
            },
            Err(error) => error.to_string(),
        };
        args.problem(args.span_of("file"), problem, None);
        None
    }

    /// The samples, or why they are of no use.
    fn of(values: Vec<f64>) -> Result<Self, &'static str> {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let max = values.iter().copied().fold(0.0, f64::max);
        if mean == 0.0 {
            return Err("all samples are 0; at least one must be positive");
        }
        // Relative to the mean, so that squares stay in range.
        let scv = values.iter().map(|x| (x / mean - 1.0).powi(2)).sum::<f64>() / n;
        if !mean.is_finite() || !scv.is_finite() {
            return Err("the samples are too large for their sum; use a larger unit");
        }
        let zeros = values.iter().filter(|&&x| x == 0.0).count() as u64;
        let index = Index::new(values.len() as u64);
        let sorted = Arc::default();
        Ok(Self { values: values.into(), sorted, index, mean, scv, max, zeros })
    }

    pub(super) fn len(&self) -> u64 {
        self.values.len() as u64
    }

    fn sorted(&self) -> &[f64] {
        self.sorted.get_or_init(|| {
            let mut sorted = self.values.to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            sorted
        })
    }

    /// How many of the samples are above x.
    pub(super) fn above(&self, x: f64) -> usize {
        let sorted = self.sorted();
        sorted.len() - sorted.partition_point(|&value| value <= x)
    }

    /// The distinct values with their shares of the samples, ascending.
    pub(super) fn atoms(&self) -> Vec<(f64, f64)> {
        let n = self.len() as f64;
        let equal = self.sorted().chunk_by(|a, b| a == b);
        equal.map(|group| (group[0], group.len() as f64 / n)).collect()
    }

    #[inline]
    pub(super) fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        self.values[self.index.draw(rng) as usize]
    }
}
