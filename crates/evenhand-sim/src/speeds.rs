//! Speeds of servers, capacities of bins.

use std::path::Path;
use std::sync::Arc;

use evenhand_core::{Rng, below};
use evenhand_expr::{Args, Call, Error, Problem};

use crate::column::read_column;

/// The speeds of a request (`--speeds`): an expression, or a file with one speed per bin.
#[derive(Clone, Debug)]
pub struct Speeds {
    name: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Equal,
    /// Shares that sum to 1, and their speeds.
    Classes(Vec<(f64, f64)>),
    /// Drawn independently from these.
    Samples(Arc<[f64]>),
    /// One per bin, in order.
    PerBin(Arc<[f64]>),
}

const NAMES: [&str; 3] = ["equal", "classes", "samples"];

impl Speeds {
    /// All equal.
    pub fn equal() -> Self {
        Self { name: "equal".to_string(), kind: Kind::Equal }
    }

    /// Parses `equal`, `classes(share, speed, ...)`, `samples("file", column="...")`; or, if
    /// `source` is the name of an existing file, reads one speed per bin from it.
    ///
    /// # Errors
    /// All problems of the expression, each with its place; or the first bad line of the file.
    pub fn parse(source: &str) -> Result<Self, Error> {
        if Path::new(source).is_file() {
            return Self::from_file(source);
        }
        let call = evenhand_expr::parse(source)?;
        Self::from_call(&call).map_err(|problems| Error::new(source, problems))
    }

    fn from_file(path: &str) -> Result<Self, Error> {
        let problem =
            |message: String| Error::new(path, vec![Problem { span: None, message, help: None }]);
        let speeds = read_column(Path::new(path), None).map_err(|e| problem(e.to_string()))?;
        if let Some(row) = speeds.iter().position(|&speed| speed <= 0.0) {
            return Err(problem(format!("{path}: speed {} is 0; speeds are positive", row + 1)));
        }
        Ok(Self { name: path.to_string(), kind: Kind::PerBin(speeds.into()) })
    }

    fn from_call(call: &Call) -> Result<Self, Vec<Problem>> {
        let parameters: &[&str] = match call.name.as_str() {
            "equal" | "classes" => &[],
            "samples" => &["file", "column"],
            _ => return Err(vec![Problem::unknown("speeds", call, NAMES)]),
        };
        let mut args = call.args(parameters);
        let kind = match call.name.as_str() {
            "equal" => Kind::Equal,
            "classes" => Kind::Classes(read_classes(&mut args)),
            _ => Kind::Samples(read_samples(&mut args)),
        };
        args.finish().map(|()| Self { name: call.to_string(), kind })
    }

    /// True if all bins are alike.
    pub fn are_equal(&self) -> bool {
        matches!(self.kind, Kind::Equal)
    }

    /// Number of bins that the speeds are for, where they are for a certain number.
    pub fn bins(&self) -> Option<usize> {
        match &self.kind {
            Kind::PerBin(speeds) => Some(speeds.len()),
            _ => None,
        }
    }

    /// Mean speed of `bins` bins; the expected one where speeds are drawn.
    pub fn mean(&self, bins: usize) -> f64 {
        let mean = |speeds: &[f64]| speeds.iter().sum::<f64>() / speeds.len() as f64;
        match &self.kind {
            Kind::Equal => 1.0,
            Kind::PerBin(speeds) | Kind::Samples(speeds) => mean(speeds),
            Kind::Classes(classes) => mean(&in_classes(classes, bins)),
        }
    }

    /// The speeds of `bins` bins in ascending order; `None` where they are drawn.
    pub fn sorted(&self, bins: usize) -> Option<Vec<f64>> {
        let mut speeds = match &self.kind {
            Kind::Equal => vec![1.0; bins],
            Kind::Samples(_) => return None,
            Kind::PerBin(speeds) => speeds.to_vec(),
            Kind::Classes(classes) => in_classes(classes, bins),
        };
        speeds.sort_unstable_by(f64::total_cmp);
        Some(speeds)
    }

    /// The speed of each of `bins` bins; `None` if all are equal. Classes are spread over the
    /// bins at random, in their exact shares (to within one bin).
    pub fn draw<R: Rng>(&self, bins: usize, rng: &mut R) -> Option<Arc<[f64]>> {
        match &self.kind {
            Kind::Equal => None,
            Kind::PerBin(speeds) => Some(speeds.clone()),
            Kind::Samples(samples) => {
                let any = |_| samples[below(rng, samples.len() as u64) as usize];
                Some((0..bins).map(any).collect())
            }
            Kind::Classes(classes) => Some(shuffled_classes(classes, bins, rng).into()),
        }
    }
}

impl std::fmt::Display for Speeds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// The speeds of all bins, class after class.
fn in_classes(classes: &[(f64, f64)], bins: usize) -> Vec<f64> {
    let mut speeds = Vec::with_capacity(bins);
    let mut share_so_far = 0.0;
    for &(share, speed) in classes {
        share_so_far += share;
        let end = (share_so_far * bins as f64).round() as usize;
        speeds.resize(end.clamp(speeds.len(), bins), speed);
    }
    speeds.resize(bins, classes[classes.len() - 1].1);
    speeds
}

fn shuffled_classes<R: Rng>(classes: &[(f64, f64)], bins: usize, rng: &mut R) -> Vec<f64> {
    let mut speeds = in_classes(classes, bins);
    for last in (1..bins).rev() {
        speeds.swap(last, below(rng, last as u64 + 1) as usize);
    }
    speeds
}

fn read_classes(args: &mut Args<'_>) -> Vec<(f64, f64)> {
    let numbers: Vec<f64> = args.numbers_rest().into_iter().map(|(number, _)| number).collect();
    let help = || Some("write classes(share, speed, share, speed, ...)".to_string());
    if numbers.is_empty() || !numbers.len().is_multiple_of(2) {
        args.problem(None, "`classes` needs pairs of share and speed", help());
        return vec![(1.0, 1.0)];
    }
    let classes: Vec<(f64, f64)> =
        numbers.as_chunks::<2>().0.iter().map(|&[a, b]| (a, b)).collect();
    let total: f64 = classes.iter().map(|(share, _)| share).sum();
    if classes.iter().any(|&(share, speed)| share < 0.0 || speed <= 0.0) {
        args.problem(None, "shares must not be negative and speeds must be positive", help());
    } else if (total - 1.0).abs() > 1e-9 {
        args.problem(None, format!("the shares sum to {total}, not to 1"), help());
    }
    classes
}

fn read_samples(args: &mut Args<'_>) -> Arc<[f64]> {
    let path = args.text("file");
    let column = args.text_or_none("column");
    if path.is_empty() {
        return Arc::new([1.0]);
    }
    match read_column(Path::new(&path), column.as_deref()) {
        Ok(speeds) if speeds.iter().all(|&speed| speed > 0.0) => speeds.into(),
        Ok(_) => {
            args.problem(args.span_of("file"), format!("{path}: speeds must be positive"), None);
            Arc::new([1.0])
        }
        Err(error) => {
            args.problem(args.span_of("file"), error.to_string(), None);
            Arc::new([1.0])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_core::Stream;

    #[test]
    fn classes_have_their_shares() {
        let speeds = Speeds::parse("classes(0.8, 1, 0.2, 0.25)").unwrap();
        let drawn = speeds.draw(10, &mut Stream::from_seed(1)).unwrap();
        assert_eq!(drawn.iter().filter(|&&speed| speed == 0.25).count(), 2);
        assert_eq!(drawn.len(), 10);
        assert!(Speeds::parse("classes(0.8, 1, 0.3, 0.25)").is_err());
        assert!(Speeds::parse("classes(0.8, 1, 0.2)").is_err());
        assert!(Speeds::parse("classes(1, 0)").is_err());
    }
}
