//! How two loads are compared, when the comparison is not exact.
//!
//! Settings of Los, Sauerwald 2022 ("Balanced allocations with the choice of noise").

mod bounded;
mod myopic;
mod noisy;

pub use bounded::Bounded;
pub use myopic::Myopic;
pub use noisy::Noisy;

use evenhand_core::{Rng, below};
use evenhand_expr::{Call, Error, Problem};

/// How a rule compares loads.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Comparison {
    /// The lesser load wins; a tie is a fair coin.
    #[default]
    Exact,
    /// Each load is read with an independent normal error.
    Noisy(Noisy),
    /// The heavier wins where loads differ by at most `g`.
    Bounded(Bounded),
    /// A fair coin where loads differ by at most `g`.
    Myopic(Myopic),
}

const NAMES: [&str; 4] = ["exact", "noisy", "bounded", "myopic"];

impl Comparison {
    /// Parses `exact`, `noisy(sigma)`, `bounded(g)` or `myopic(g)`.
    ///
    /// # Errors
    /// All problems of the expression, each with its place.
    pub fn parse(source: &str) -> Result<Self, Error> {
        let call = evenhand_expr::parse(source)?;
        Self::read(&call).map_err(|problems| Error::new(source, problems))
    }

    fn read(call: &Call) -> Result<Self, Vec<Problem>> {
        let parameters: &[&str] = match call.name.as_str() {
            "exact" => &[],
            "noisy" => &["sigma"],
            "bounded" | "myopic" => &["g"],
            _ => return Err(vec![Problem::unknown("comparison", call, NAMES)]),
        };
        let mut args = call.args(parameters);
        let comparison = match call.name.as_str() {
            "noisy" => Self::Noisy(Noisy { sigma: args.number("sigma", 0.0..) }),
            "bounded" => Self::Bounded(Bounded { g: args.number("g", 0.0..) }),
            "myopic" => Self::Myopic(Myopic { g: args.number("g", 0.0..) }),
            _ => Self::Exact,
        };
        args.finish().map(|()| comparison)
    }

    /// The canonical expression.
    pub fn expression(&self) -> Call {
        match self {
            Self::Exact => Call::word("exact"),
            Self::Noisy(noisy) => Call::word("noisy").with(noisy.sigma),
            Self::Bounded(bounded) => Call::word("bounded").with(bounded.g),
            Self::Myopic(myopic) => Call::word("myopic").with(myopic.g),
        }
    }

    /// The load as the rule reads it.
    #[inline]
    pub(crate) fn observe<R: Rng + ?Sized>(&self, load: f64, rng: &mut R) -> f64 {
        match self {
            Self::Noisy(noisy) => noisy.observe(load, rng),
            _ => load,
        }
    }

    /// True if the challenger takes the place of the current candidate.
    #[inline]
    pub(crate) fn challenger_wins<R: Rng + ?Sized>(
        &self,
        current: f64,
        challenger: f64,
        rng: &mut R,
    ) -> bool {
        let lighter = match self {
            Self::Exact | Self::Noisy(_) => exact(current, challenger),
            Self::Bounded(bounded) => bounded.compare(current, challenger),
            Self::Myopic(myopic) => myopic.compare(current, challenger),
        };
        lighter.unwrap_or_else(|| below(rng, 2) == 0)
    }
}

/// `Some(true)` if the challenger is lighter, `None` on a tie.
fn exact(current: f64, challenger: f64) -> Option<bool> {
    (challenger != current).then_some(challenger < current)
}

impl std::fmt::Display for Comparison {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.expression().fmt(f)
    }
}
