//! The least loaded candidate.
//!
//! Written without branches on loads: near balance the outcome of a comparison is a coin flip,
//! and a mispredicted branch waits for the load to come from memory.

use std::hint::select_unpredictable;

use evenhand_core::{Choice, Load, Rng, Rule, ServerId, Signal, below};

/// The least loaded candidate; on a tie the first drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct FirstLeast;

impl<L: Load> Rule<L> for FirstLeast {
    #[inline(always)]
    fn choose<S, R>(&mut self, candidates: &[ServerId], signal: &S, _: &mut R) -> Option<Choice>
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
        let mut rest = candidates.iter().copied().filter(|&s| signal.eligible(s));
        let mut server = rest.next()?;
        let mut least = signal.load(server);
        for challenger in rest {
            let load = signal.load(challenger);
            let wins = load < least;
            server = select_unpredictable(wins, challenger, server);
            least = select_unpredictable(wins, load, least);
        }
        Some(Choice::best_of(candidates, server))
    }
}

/// The least loaded candidate; a tie is decided uniformly among the tied draws.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomLeast;

impl<L: Load> Rule<L> for RandomLeast {
    #[inline(always)]
    fn choose<S, R>(&mut self, candidates: &[ServerId], signal: &S, rng: &mut R) -> Option<Choice>
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
        let server = match *candidates {
            [a, b] if signal.eligible(a) && signal.eligible(b) => of_two(a, b, signal, rng),
            _ => of_many(candidates, signal, rng)?,
        };
        Some(Choice::best_of(candidates, server))
    }
}

/// Two candidates need one random bit, drawn whether or not there is a tie.
#[inline(always)]
fn of_two<S, R>(a: ServerId, b: ServerId, signal: &S, rng: &mut R) -> ServerId
where
    S: Signal + ?Sized,
    R: Rng + ?Sized,
{
    let (load_a, load_b) = (signal.load(a), signal.load(b));
    let coin = rng.next_u64() >> 63 == 1;
    let second = (load_b < load_a) | ((load_b == load_a) & coin);
    select_unpredictable(second, b, a)
}

/// Reservoir sampling: the k-th tied draw replaces the current one with probability 1/k.
#[inline]
fn of_many<S, R>(candidates: &[ServerId], signal: &S, rng: &mut R) -> Option<ServerId>
where
    S: Signal + ?Sized,
    R: Rng + ?Sized,
{
    let mut rest = candidates.iter().copied().filter(|&s| signal.eligible(s));
    let mut server = rest.next()?;
    let (mut least, mut tied) = (signal.load(server), 1);
    for challenger in rest {
        let load = signal.load(challenger);
        if load < least {
            (server, least, tied) = (challenger, load, 1);
        } else if load == least {
            tied += 1;
            if below(rng, tied) == 0 {
                server = challenger;
            }
        }
    }
    Some(server)
}
