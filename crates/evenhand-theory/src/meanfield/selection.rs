//! How a job selects its server, as a function of the state.

use super::inputs::check_choices;
use crate::Error;
use crate::memory_chain::remembered;

/// How a job selects its server.
///
/// All that the limit needs of a rule is phi\[k\], the probability that the selected server has at
/// least k jobs, as a function of the fractions s. Draws are uniform; the limit is the same with
/// and without replacement, and for any way to break ties.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Selection {
    /// The least loaded of `d` uniform draws: phi\[k\] = s\[k\]^d.
    ///
    /// Vvedenskaya, Dobrushin, Karpelevich 1996; Mitzenmacher 1996.
    Choices {
        /// Draws, at least 1.
        d: u32,
    },
    /// With probability `beta` the least loaded of `d` draws, else one draw:
    /// phi\[k\] = (1 - beta) s\[k\] + beta s\[k\]^d.
    ///
    /// Mitzenmacher 2001; Peres, Talwar, Wieder 2015.
    OnePlusBeta {
        /// Probability of looking at loads, 0 to 1.
        beta: f64,
        /// Draws, at least 1.
        d: u32,
    },
    /// Up to `d` draws, one after the other: the first with load at most `limit`, else the least
    /// loaded of the `d`.
    ///
    /// With L the whole part of the limit and t = s\[L+1\]: above L, phi\[k\] = s\[k\]^d; up to L,
    /// phi\[k\] = t^d + (s\[k\] - t)(1 - t^d)/(1 - t), as the first draw within the limit is a
    /// uniform one of the servers within the limit.
    ///
    /// Eager, Lazowska, Zahorjan 1986; Czumaj, Stemann 2001.
    Threshold {
        /// Most draws, at least 1.
        d: u32,
        /// Greatest load that is taken at once, at least 0.
        limit: f64,
    },
    /// The least loaded of `d` fresh draws and one remembered server; after that the least loaded
    /// of them is remembered: phi\[k\] = q\[k\] s\[k\]^d with q\[k\] the probability that the
    /// remembered server has at least k jobs.
    ///
    /// The remembered server changes at the rate of arrivals, N times as fast as s, so its load is
    /// a Markov chain at rest while s stands still. The balance of that chain across the cut of k
    /// and k + 1 gives
    /// q\[k+1\] = q\[k\] s\[k+1\]^d / (1 - d (s\[k\] - s\[k+1\]) s\[k+1\]^(d-1)).
    ///
    /// Mitzenmacher, Prabhakar, Shah 2002.
    Memory {
        /// Fresh draws, at least 1.
        d: u32,
    },
}

impl Selection {
    /// Writes the probabilities `phi[k]` that the selected server has at least k jobs.
    ///
    /// `tails[k]` is the fraction of servers with at least k jobs, with `tails[0]` = 1; both slices
    /// have the same length, and no server has more jobs than they hold.
    pub(super) fn selected(&self, tails: &[f64], phi: &mut [f64]) {
        match *self {
            Self::Choices { d } => each(tails, phi, |s| power(s, d)),
            Self::OnePlusBeta { beta, d } => {
                each(tails, phi, |s| (1.0 - beta) * s + beta * power(s, d));
            }
            Self::Threshold { d, limit } => {
                let within = within(limit).min(tails.len());
                let above = tails.get(within).copied().unwrap_or(0.0);
                let (rate, all) = (draws(d, above), power(above, d));
                each(&tails[..within], phi, |s| rate * (s - above) + all);
                each(&tails[within..], &mut phi[within..], |s| power(s, d));
            }
            Self::Memory { d } => {
                remembered(tails, d, phi);
                phi.iter_mut().zip(tails).for_each(|(phi, &s)| *phi *= power(s, d));
            }
        }
    }

    /// The parts a and b and the number d of phi\[k\] = a s\[k\] + b s\[k\]^d, for rules of that form.
    pub(super) fn polynomial(&self) -> Option<(f64, f64, u32)> {
        match *self {
            Self::Choices { d } => Some((0.0, 1.0, d)),
            Self::OnePlusBeta { beta, d } => Some((1.0 - beta, beta, d)),
            Self::Threshold { .. } | Self::Memory { .. } => None,
        }
    }

    /// Refuses parameters out of range.
    pub(super) fn check(&self) -> Result<(), Error> {
        let (Self::Choices { d }
        | Self::OnePlusBeta { d, .. }
        | Self::Threshold { d, .. }
        | Self::Memory { d }) = *self;
        check_choices(d)?;
        match *self {
            Self::OnePlusBeta { beta, .. } if !(0.0..=1.0).contains(&beta) => {
                Err(Error::OutOfRange(format!("beta is a probability, not {beta}")))
            }
            Self::Threshold { limit, .. } if limit.is_nan() || limit < 0.0 => {
                Err(Error::OutOfRange(format!("a limit is at least 0, not {limit}")))
            }
            _ => Ok(()),
        }
    }
}

/// The number of loads, from 0 on, that are within the limit.
pub(super) fn within(limit: f64) -> usize {
    (limit.floor() as usize).saturating_add(1)
}

/// Mean number of draws, of `d` at most, that a threshold makes where a draw fails with
/// probability `above`: 1 + above + ... + above^(d-1).
pub(super) fn draws(d: u32, above: f64) -> f64 {
    if above >= 1.0 { f64::from(d) } else { -(f64::from(d) * above.ln()).exp_m1() / (1.0 - above) }
}

/// s^d.
pub(super) fn power(s: f64, d: u32) -> f64 {
    s.powi(d as i32)
}

fn each(tails: &[f64], phi: &mut [f64], of: impl Fn(f64) -> f64) {
    phi.iter_mut().zip(tails).for_each(|(phi, &s)| *phi = of(s));
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAILS: [f64; 5] = [1.0, 0.8, 0.5, 0.2, 0.01];

    fn phi(selection: Selection) -> [f64; 5] {
        let mut phi = [0.0; 5];
        selection.selected(&TAILS, &mut phi);
        phi
    }

    /// The law by enumeration of the loads of two draws.
    fn of_two_draws(select: impl Fn(usize, usize) -> usize) -> [f64; 5] {
        let exactly = |k: usize| TAILS[k] - TAILS.get(k + 1).unwrap_or(&0.0);
        let mut phi = [0.0; 5];
        for (a, b) in (0..25).map(|pair| (pair / 5, pair % 5)) {
            phi[..=select(a, b)].iter_mut().for_each(|phi| *phi += exactly(a) * exactly(b));
        }
        phi
    }

    fn close(a: [f64; 5], b: [f64; 5]) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15), "{a:?} {b:?}");
    }

    #[test]
    fn rules_follow_their_draws() {
        close(phi(Selection::Choices { d: 2 }), of_two_draws(usize::min));
        for limit in [0, 1, 2, 3, 9] {
            let threshold = Selection::Threshold { d: 2, limit: limit as f64 + 0.5 };
            close(phi(threshold), of_two_draws(|a, b| if a <= limit { a } else { a.min(b) }));
        }
    }

    #[test]
    fn special_cases_agree() {
        let (one, two) = (phi(Selection::Choices { d: 1 }), phi(Selection::Choices { d: 2 }));
        close(phi(Selection::OnePlusBeta { beta: 0.0, d: 2 }), one);
        close(phi(Selection::OnePlusBeta { beta: 1.0, d: 2 }), two);
        close(phi(Selection::Threshold { d: 1, limit: 1.0 }), one);
        close(phi(Selection::Threshold { d: 2, limit: f64::INFINITY }), one);
    }

    #[test]
    fn parameters_out_of_range_are_errors() {
        assert!(Selection::Choices { d: 0 }.check().is_err());
        assert!(Selection::OnePlusBeta { beta: 1.5, d: 2 }.check().is_err());
        assert!(Selection::OnePlusBeta { beta: f64::NAN, d: 2 }.check().is_err());
        assert!(Selection::Threshold { d: 2, limit: -1.0 }.check().is_err());
    }
}
