//! The loop for policies by which a job joins the shorter of two queues that are drawn alike.

use evenhand_core::{Rule, ServerId, Signal, Stream};
use evenhand_policies::rules::FirstLeast;

use super::steps::{Pairs, unpack};
use crate::markov::{NARROW_CELLS, Tally};

/// The length that a step leaves, at 2 x length + 1 for an arrival, 2 x length for a completion.
const AFTER: [u8; NARROW_CELLS] = {
    let mut after = [0; NARROW_CELLS];
    let mut length = 0;
    while length < NARROW_CELLS / 2 {
        after[2 * length] = length.saturating_sub(1) as u8;
        after[2 * length + 1] = (length + 1) as u8;
        length += 1;
    }
    after
};

/// Carries out steps whose arrivals join the shorter of two queues, none as long as 255.
///
/// `remaining` steps of the stretch are to be taken, these included. The rule of the policy draws
/// nothing from `unused`.
pub(super) fn least_of_pairs(
    lengths: &mut [u8],
    steps: &Pairs<'_>,
    mut remaining: u64,
    cells: &mut [u64; NARROW_CELLS],
    unused: &mut Stream,
) {
    let mut kinds = steps.kinds;
    for &pair in steps.servers {
        remaining -= 1;
        let choice = FirstLeast.choose(&unpack(pair), &Bytes(lengths), unused);
        let length = &mut lengths[choice.expect("every server is eligible").server.index()];
        let cell = 2 * usize::from(*length) + (kinds & 1) as usize;
        kinds >>= 1;
        cells[cell] += Tally::crossing(remaining);
        *length = AFTER[cell];
    }
    // Completions at empty servers changed nothing.
    cells[0] = 0;
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
