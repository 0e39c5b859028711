/// Loads that differ by at most `g` cannot be told apart: a fair coin decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Myopic {
    /// Greatest difference that is not seen, in balls.
    pub g: f64,
}

impl Myopic {
    /// `Some(true)` if the challenger wins, `None` for a coin.
    pub(crate) fn compare(&self, current: f64, challenger: f64) -> Option<bool> {
        let seen = (challenger - current).abs() > self.g;
        seen.then_some(challenger < current)
    }
}
