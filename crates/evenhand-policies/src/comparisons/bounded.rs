/// An adversary decides between loads that differ by at most `g`, and sends the ball to the
/// heavier one. Equal loads stay a fair coin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounded {
    /// Greatest difference that is decided wrongly, in balls.
    pub g: f64,
}

impl Bounded {
    /// `Some(true)` if the challenger wins, `None` for a coin.
    pub(crate) fn compare(&self, current: f64, challenger: f64) -> Option<bool> {
        if challenger == current {
            None
        } else if (challenger - current).abs() <= self.g {
            Some(challenger > current)
        } else {
            Some(challenger < current)
        }
    }
}
