//! Leading terms of the maximum load as n grows, as theorems give them.
//!
//! These say how the maximum grows, not what it is: additive constants are unknown, and at
//! practical n they outweigh the terms. For numbers use [`maximum_load`](super::maximum_load).

use statrs::function::gamma::{digamma, ln_gamma};

use crate::Error;

/// The leading term of a maximum load, or of its excess over the mean.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct LeadingTerm {
    /// What is bounded, for which process.
    pub name: &'static str,
    /// The term at the given n and parameters.
    pub value: f64,
    /// Always true: a term to leading order, not a bound at finite n.
    pub leading: bool,
    /// Author, year, and theorem where it has a number.
    pub source: &'static str,
    /// The term with what is left open.
    pub formula: &'static str,
    /// When it holds.
    pub condition: &'static str,
}

type Term = Result<LeadingTerm, Error>;

/// One choice, n balls: the expected maximum is Γ⁻¹(n) - 3/2 + o(1) (Gonnet 1981).
///
/// # Errors
/// [`Error::OutOfRange`] if n is less than 3.
///
/// ```
/// let term = evenhand_theory::fluid::bounds::one_choice(1 << 20)?;
/// assert!((term.value - 8.6).abs() < 0.5);
/// # Ok::<(), evenhand_theory::Error>(())
/// ```
pub fn one_choice(bins: u64) -> Term {
    let n = many(bins)?;
    Ok(LeadingTerm {
        name: "maximum load of one choice",
        value: inverse_gamma(n) - 1.5,
        leading: true,
        source: "Gonnet 1981",
        formula: "inverse gamma function of n, less 3/2, + o(1)",
        condition: "n balls",
    })
}

/// d choices: ln ln n / ln d (Azar, Broder, Karlin and Upfal 1999; for any number of balls
/// Berenbrink, Czumaj, Steger and Vöcking 2006).
///
/// # Errors
/// [`Error::OutOfRange`] if n is less than 3 or d less than 2.
pub fn choices(bins: u64, choices: u32) -> Term {
    let d = at_least_two(choices)?;
    Ok(LeadingTerm {
        name: "excess over the mean of d choices",
        value: many(bins)?.ln().ln() / d.ln(),
        leading: true,
        source: "Azar, Broder, Karlin, Upfal 1999, theorem 1.1; Berenbrink, Czumaj, Steger, Vöcking 2006",
        formula: "ln ln n / ln d + O(1)",
        condition: "d at least 2, any number m >= n of balls",
    })
}

/// Always go left: ln ln n / (d ln φ_d), where φ_d is the growth rate of d-bonacci numbers
/// (Vöcking 2003).
///
/// # Errors
/// [`Error::OutOfRange`] if n is less than 3 or d less than 2.
pub fn left(bins: u64, blocks: u32) -> Term {
    let d = at_least_two(blocks)?;
    Ok(LeadingTerm {
        name: "excess over the mean of always-go-left",
        value: many(bins)?.ln().ln() / (d * bonacci_growth(blocks).ln()),
        leading: true,
        source: "Vöcking 2003; Berenbrink, Czumaj, Steger, Vöcking 2006",
        formula: "ln ln n / (d ln phi_d) + O(1)",
        condition: "d at least 2, any number m >= n of balls",
    })
}

/// One fresh and one remembered bin: ln ln n / (2 ln φ), φ the golden ratio (Mitzenmacher,
/// Prabhakar and Shah 2002).
///
/// # Errors
/// [`Error::OutOfRange`] if n is less than 3.
pub fn memory(bins: u64) -> Term {
    Ok(LeadingTerm {
        name: "maximum load of one choice and one remembered bin",
        value: many(bins)?.ln().ln() / (2.0 * bonacci_growth(2).ln()),
        leading: true,
        source: "Mitzenmacher, Prabhakar, Shah 2002",
        formula: "ln ln n / (2 ln phi) + O(1)",
        condition: "n balls, one fresh bin, one remembered",
    })
}

/// The lesser end of a random edge of a Δ-regular graph, from above (Kenthapadi and Panigrahy
/// 2006). Logarithms to base 2.
///
/// # Errors
/// [`Error::OutOfRange`] if n is less than 3, or Δ not above log⁴ n, where the term says nothing.
pub fn edges_upper(bins: u64, degree: u64) -> Term {
    let log = many(bins)?.log2();
    let ratio = degree as f64 / log.powi(4);
    if ratio <= 1.0 {
        return out_of_range("the upper term for edges needs a degree above log^4 n");
    }
    Ok(LeadingTerm {
        name: "maximum load of random edges of a regular graph, from above",
        value: log.log2() + log / ratio.log2(),
        leading: true,
        source: "Kenthapadi, Panigrahy 2006",
        formula: "log log n + O(log n / log(degree / log^4 n)) + O(1), base 2",
        condition: "n balls, regular graph of degree above log^4 n",
    })
}

/// The lesser end of a random edge of a Δ-regular graph, from below (Kenthapadi and Panigrahy
/// 2006). Logarithms to base 2.
///
/// # Errors
/// [`Error::OutOfRange`] if n is less than 3 or Δ is 0.
pub fn edges_lower(bins: u64, degree: u64) -> Term {
    let log = many(bins)?.log2();
    if degree == 0 {
        return out_of_range("a graph with edges has a degree of at least 1");
    }
    Ok(LeadingTerm {
        name: "maximum load of random edges of a regular graph, from below",
        value: log.log2() + log / (degree as f64 * log).log2(),
        leading: true,
        source: "Kenthapadi, Panigrahy 2006",
        formula: "Omega(log log n + log n / log(degree log n)), base 2",
        condition: "n balls, regular graph",
    })
}

/// Two aligned groups of d/2 bins each: log log n / d, base 2 (Kenthapadi and Panigrahy 2006).
///
/// # Errors
/// [`Error::OutOfRange`] if n is less than 3 or d less than 2.
pub fn groups(bins: u64, choices: u32) -> Term {
    let d = at_least_two(choices)?;
    Ok(LeadingTerm {
        name: "maximum load of two aligned groups of d/2 bins",
        value: many(bins)?.log2().log2() / d,
        leading: true,
        source: "Kenthapadi, Panigrahy 2006",
        formula: "log log n / d + O(1), base 2, up to a constant factor",
        condition: "n balls, groups compared by total load",
    })
}

/// Two random windows of d/2 contiguous bins: ln ln n / ln d (Kenthapadi and Panigrahy 2006).
///
/// # Errors
/// [`Error::OutOfRange`] if n is less than 3 or d less than 2.
pub fn windows(bins: u64, choices: u32) -> Term {
    let d = at_least_two(choices)?;
    Ok(LeadingTerm {
        name: "maximum load of two windows of d/2 bins",
        value: many(bins)?.ln().ln() / d.ln(),
        leading: true,
        source: "Kenthapadi, Panigrahy 2006",
        formula: "log log n / log d + O(1)",
        condition: "n balls, least loaded of all d bins",
    })
}

/// d positions of non-backtracking walkers: ln ln n / ln d (Pourmiri 2016; Tang and Subramanian
/// 2018).
///
/// # Errors
/// [`Error::OutOfRange`] if n is less than 3 or d less than 2.
pub fn walks(bins: u64, choices: u32) -> Term {
    let d = at_least_two(choices)?;
    Ok(LeadingTerm {
        name: "maximum load of d positions of non-backtracking walks",
        value: many(bins)?.ln().ln() / d.ln(),
        leading: true,
        source: "Pourmiri 2016; Tang, Subramanian 2018",
        formula: "log log n / log d + O(1)",
        condition: "n balls, regular graph of high girth; for walkers that go on, an expander and resets",
    })
}

/// (1 + beta), any number of balls: the gap is of order ln n / β (Peres, Talwar and Wieder 2010).
///
/// # Errors
/// [`Error::OutOfRange`] if n is less than 3, or β is not above 0 and below 1.
pub fn one_plus_beta(bins: u64, beta: f64) -> Term {
    if !(beta > 0.0 && beta < 1.0) {
        return out_of_range("the gap of (1 + beta) is known for beta between 0 and 1");
    }
    Ok(LeadingTerm {
        name: "excess over the mean of (1 + beta)",
        value: many(bins)?.ln() / beta,
        leading: true,
        source: "Peres, Talwar, Wieder 2010",
        formula: "Theta(ln n / beta)",
        condition: "many balls a bin; beta bounded away from 1 for the lower side",
    })
}

fn out_of_range<T>(message: &str) -> Result<T, Error> {
    Err(Error::OutOfRange(message.to_owned()))
}

fn many(bins: u64) -> Result<f64, Error> {
    if bins < 3 { out_of_range("leading terms need at least 3 bins") } else { Ok(bins as f64) }
}

fn at_least_two(choices: u32) -> Result<f64, Error> {
    if choices < 2 { out_of_range("the term needs at least 2 choices") } else { Ok(choices.into()) }
}

/// The y > 2 with Γ(y) = n, by Newton's method on ln Γ, which is convex.
fn inverse_gamma(n: f64) -> f64 {
    let mut y = 2.0 + n.ln();
    for _ in 0..60 {
        y = (y - (ln_gamma(y) - n.ln()) / digamma(y)).max(2.0);
    }
    y
}

/// φ_d, the root between 1 and 2 of φ = 2 - φ^-d, by iteration from above.
fn bonacci_growth(d: u32) -> f64 {
    let mut phi: f64 = 2.0;
    for _ in 0..200 {
        phi = 2.0 - phi.powi(-(d as i32));
    }
    phi
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_of_bonacci_numbers() {
        assert!((bonacci_growth(2) - (1.0 + 5.0_f64.sqrt()) / 2.0).abs() < 1e-14);
        assert!((bonacci_growth(3) - 1.839_286_755_214_161).abs() < 1e-14);
    }

    #[test]
    fn inverse_of_factorials() {
        for (n, y) in [(6.0, 4.0), (120.0, 6.0), (3_628_800.0, 11.0)] {
            assert!((inverse_gamma(n) - y).abs() < 1e-9, "{n}");
        }
    }

    #[test]
    fn terms_out_of_range_are_errors() {
        assert!(
            one_choice(2).is_err() && choices(100, 1).is_err() && edges_upper(100, 50).is_err()
        );
        assert!(one_plus_beta(100, 0.0).is_err() && edges_lower(100, 0).is_err());
    }
}
