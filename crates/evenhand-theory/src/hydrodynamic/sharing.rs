//! Processor sharing: the stationary state does not see the service law.

use crate::Error;

/// The fraction of servers with at least k jobs, by k from 0 to `levels`, if servers share their
/// speed equally among their jobs: load^((d^k - 1) / (d - 1)), or load^k for one choice.
///
/// It is the same for every service law of that mean, as a server with state-dependent Poisson
/// arrivals and processor sharing is insensitive (Bramson, Lu and Prabhakar 2010, given
/// that servers become independent). The state in time is not insensitive.
///
/// ```
/// use evenhand_theory::hydrodynamic::processor_sharing_fractions;
/// let fractions = processor_sharing_fractions(2, 0.5, 3).unwrap();
/// assert_eq!(fractions, [1.0, 0.5, 0.125, 0.0078125]);
/// ```
///
/// # Errors
/// [`Error::Unstable`] at loads of 1 and more; [`Error::OutOfRange`] if the load is negative or not
/// a number, or if there are no choices.
pub fn processor_sharing_fractions(
    choices: u32,
    load: f64,
    levels: usize,
) -> Result<Vec<f64>, Error> {
    super::stationary::check(choices, load)?;
    let next = |fraction: &f64| Some(load * fraction.powi(choices as i32));
    Ok(std::iter::successors(Some(1.0), next).take(levels + 1).collect())
}
