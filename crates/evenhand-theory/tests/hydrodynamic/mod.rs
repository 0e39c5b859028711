//! Reference values of queues with general service, and their laws.

#![allow(dead_code, reason = "each test file uses its part")]

use evenhand_sim::Service;
use serde_json::Value;

/// A value that an independent program computed, with its error.
pub(crate) struct Reference {
    pub(crate) id: String,
    pub(crate) service: String,
    pub(crate) choices: u32,
    pub(crate) load: f64,
    pub(crate) quantity: String,
    pub(crate) time: Option<f64>,
    pub(crate) starts_empty: bool,
    values: Vec<f64>,
    errors: Vec<f64>,
}

impl Reference {
    fn read(entry: &Value) -> Self {
        let text = |key: &str| entry[key].as_str().unwrap().to_string();
        let numbers = |key: &str| match &entry[key] {
            Value::Array(numbers) => numbers.iter().map(|x| x.as_f64().unwrap()).collect(),
            number => vec![number.as_f64().unwrap()],
        };
        Self {
            id: text("id"),
            service: text("service"),
            choices: entry["choices"].as_u64().unwrap() as u32,
            load: entry["load"].as_f64().unwrap(),
            quantity: text("quantity"),
            time: entry["time"].as_f64(),
            starts_empty: entry["start"] != "aged 0",
            values: numbers("value"),
            errors: numbers("abs_error"),
        }
    }

    /// Each value to its own error and the relative error `own`; those past the end of `ours`
    /// are 0.
    pub(crate) fn check(&self, ours: &[f64], own: f64) {
        self.check_by(ours, |value| own * value.abs());
    }

    /// Each value to its own error and the absolute error `own`.
    pub(crate) fn check_absolute(&self, ours: &[f64], own: f64) {
        self.check_by(ours, |_| own);
    }

    fn check_by(&self, ours: &[f64], own: impl Fn(f64) -> f64) {
        let ours = ours.iter().copied().chain(std::iter::repeat(0.0));
        for (k, ((&value, &error), ours)) in
            self.values.iter().zip(&self.errors).zip(ours).enumerate()
        {
            let id = &self.id;
            let off = (ours - value).abs();
            assert!(off <= error + own(value), "{id} [{k}]: {ours}, not {value}: off {off:e}");
        }
    }
}

/// The entries that `wanted` picks.
pub(crate) fn references(wanted: impl Fn(&Reference) -> bool) -> Vec<Reference> {
    let all: Vec<Value> = serde_json::from_str(include_str!("../data/hydrodynamic.json")).unwrap();
    all.iter().map(Reference::read).filter(|reference| wanted(reference)).collect()
}

/// A law by its expression; `samples` are ten samples of a file, scaled to mean 1.
pub(crate) fn law(expression: &str) -> Service {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/ten_samples.csv");
    let samples = format!("samples({path:?}, mean=1)");
    Service::parse(if expression == "samples" { &samples } else { expression }).unwrap()
}
