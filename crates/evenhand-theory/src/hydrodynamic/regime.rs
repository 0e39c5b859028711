//! How fast the tail of the stationary queue falls.

use evenhand_sim::Service;

use crate::Error;

/// Shape of the tail of the stationary queue, served first come first served.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TailRegime {
    /// Logarithms of the fractions grow geometrically with the number of jobs.
    DoublyExponential,
    /// Fractions fall geometrically.
    Exponential,
    /// One choice, and service with a tail between exponentials and powers: the queue has that
    /// tail too.
    Subexponential,
    /// The fraction with at least k jobs falls like k^-exponent. The mean queue is infinite if
    /// the exponent is at most 1.
    PowerLaw {
        /// (b - 1) / (1 - (d - 1)(b - 1)) for d choices and service with tail index b.
        exponent: f64,
    },
}

/// The regime for a service law and d choices.
///
/// For service with tail x^-b, the tail is doubly exponential if b > d / (d - 1), exponential at
/// equality and a power law below (Bramson, Lu and Prabhakar 2013). The
/// exponent is our own, by balance of powers in the equations of [`super::Stationary`]. With one
/// choice it is b - 1, as for M/G/1.
///
/// ```
/// use evenhand_sim::Service;
/// use evenhand_theory::hydrodynamic::{TailRegime, tail_regime};
///
/// let service = Service::parse("pareto(1.5)").unwrap();
/// assert_eq!(tail_regime(&service, 2), Ok(TailRegime::PowerLaw { exponent: 1.0 }));
/// assert_eq!(tail_regime(&service, 3), Ok(TailRegime::Exponential));
/// assert_eq!(tail_regime(&service, 4), Ok(TailRegime::DoublyExponential));
/// ```
///
/// # Errors
/// [`Error::OutOfRange`] if there are no choices, or if the mean service time is infinite.
pub fn tail_regime(service: &Service, choices: u32) -> Result<TailRegime, Error> {
    if choices == 0 {
        return Err(Error::OutOfRange("there must be at least one choice".into()));
    }
    let Some(index) = service.tail_index() else {
        return Ok(match choices {
            1 if service.has_light_tail() => TailRegime::Exponential,
            1 => TailRegime::Subexponential,
            _ => TailRegime::DoublyExponential,
        });
    };
    if index <= 1.0 {
        return Err(Error::OutOfRange(format!(
            "a tail index of {index} gives an infinite mean service time; it must be above 1"
        )));
    }
    // The sign of d / (d - 1) - b, without a quotient.
    let margin = 1.0 - f64::from(choices - 1) * (index - 1.0);
    Ok(match margin {
        _ if margin.abs() < 1e-12 => TailRegime::Exponential,
        _ if margin < 0.0 => TailRegime::DoublyExponential,
        _ => TailRegime::PowerLaw { exponent: (index - 1.0) / margin },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regime(law: &str, choices: u32) -> Result<TailRegime, Error> {
        tail_regime(&Service::parse(law).unwrap(), choices)
    }

    #[test]
    fn regimes_of_laws_without_a_power_tail() {
        assert_eq!(regime("lognormal(4)", 2), Ok(TailRegime::DoublyExponential));
        assert_eq!(regime("lognormal(4)", 1), Ok(TailRegime::Subexponential));
        assert_eq!(regime("bounded-pareto(1.1, 100)", 1), Ok(TailRegime::Exponential));
        assert!(regime("exponential", 0).is_err());
    }

    #[test]
    fn one_choice_loses_one_moment() {
        assert_eq!(regime("pareto(2.5)", 1), Ok(TailRegime::PowerLaw { exponent: 1.5 }));
    }
}
