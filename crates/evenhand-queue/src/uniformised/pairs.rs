use std::hint::select_unpredictable;

use evenhand_core::{Rule, ServerId, Signal, Stream};
use evenhand_policies::rules::FirstLeast;

use super::steps::Taken;
use crate::markov::{NARROW_CELLS, Tally};

/// Carries out steps whose arrivals join the shorter of two queues.
///
/// A completion at server j is carried out as a choice between j and j, so that the kind of a
/// step, a coin that no predictor can guess, decides nothing but operands. Returns the longest
/// queue that a step left.
pub(super) fn least_of_pairs(
    lengths: &mut [u8],
    steps: &Taken<'_>,
    mut remaining: u64,
    cells: &mut [u64; NARROW_CELLS],
    unused: &mut Stream,
) -> u8 {
    let (mut kinds, mut greatest) = (steps.kinds, 0);
    let (pairs, _) = steps.candidates.as_chunks::<2>();
    let mut arrived = 0;
    for &completing in steps.completing {
        remaining -= 1;
        let arrives = kinds & 1 == 1;
        kinds >>= 1;
        // After the last arrival of a block there is no pair any more, and none is looked at.
        let [a, b] = pairs.get(arrived).copied().unwrap_or_default();
        arrived += usize::from(arrives);
        let a = select_unpredictable(arrives, a, ServerId(completing));
        let b = select_unpredictable(arrives, b, ServerId(completing));
        let choice = FirstLeast.choose(&[a, b], &Bytes(lengths), unused);
        let length = &mut lengths[choice.expect("every server is eligible").server.index()];
        let step = u8::from(arrives);
        cells[2 * usize::from(*length) + usize::from(arrives)] += Tally::crossing(remaining);
        *length = (*length + step).saturating_sub(1 - step);
        greatest = greatest.max(*length);
    }
    // Completions at empty servers changed nothing.
    cells[0] = 0;
    greatest
}

/// Lengths as they are.
struct Bytes<'l>(&'l [u8]);

impl Signal for Bytes<'_> {
    type Load = u32;

    #[inline(always)]
    fn load(&self, server: ServerId) -> u32 {
        self.0[server.index()].into()
    }
}
