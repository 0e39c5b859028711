//! The loop for policies by which a job joins the shorter of two queues that are drawn alike.
//!
//! The same jobs get the same servers and the same times as in the loop for any policy. What does
//! not depend on queues is done for a block of jobs at a time: drawing them before, recording them
//! after.

use std::ops::Range;

use evenhand_core::{Rule, ServerId, Signal};
use evenhand_policies::rules::FirstLeast;
use evenhand_sim::{Control, Interrupted};

use super::lines::{Lines, Servers};
use super::{Run, stands_for};
use crate::dispatch::{Front, Times};
use crate::pairs::PairSampler;
use crate::recorder::ServedJobs;

/// Jobs in a block: their lines fit the nearest cache, and wait there for one block.
const BLOCK: usize = 64;

/// Jobs and their candidates; then their servers and waiting times.
struct Block {
    times: Times,
    pairs: [[ServerId; 2]; BLOCK],
    servers: [ServerId; BLOCK],
    waits: [f64; BLOCK],
}

impl Default for Block {
    fn default() -> Self {
        Self {
            times: Times::default(),
            pairs: [[ServerId(0); 2]; BLOCK],
            servers: [ServerId(0); BLOCK],
            waits: [0.0; BLOCK],
        }
    }
}

impl Block {
    fn len(&self) -> usize {
        self.times.arrivals.len()
    }

    fn draw(&mut self, front: &mut Front<'_, Lines>, candidates: &mut PairSampler, lines: &Lines) {
        front.draw_times(BLOCK, &mut self.times);
        let mut pairs = self.pairs.iter_mut();
        candidates.draw(self.times.arrivals.len(), |pair| {
            *pairs.next().expect("a block is not longer") = pair;
        });
        if lines.are_far() {
            let drawn = &self.pairs[..self.len()];
            drawn.as_flattened().iter().for_each(|&server| lines.prefetch(server));
        }
    }

    fn served(&self) -> ServedJobs<'_> {
        ServedJobs {
            arrivals: &self.times.arrivals,
            services: &self.times.sizes,
            servers: &self.servers[..self.len()],
            waits: &self.waits[..self.len()],
        }
    }
}

/// Queue lengths at a moment.
struct Lengths<'s, 'l>(&'s Servers<'l>, f64);

impl Signal for Lengths<'_, '_> {
    type Load = u32;

    #[inline(always)]
    fn load(&self, server: ServerId) -> u32 {
        self.0.length(server, self.1)
    }
}

impl Run<'_, '_> {
    /// Serves all jobs, whose candidates are pairs.
    pub(super) fn serve_pairs(
        &mut self,
        mut candidates: PairSampler,
        front: &mut Front<'_, Lines>,
        lines: &mut Lines,
        control: &Control,
    ) -> Result<(), Interrupted> {
        let (mut current, mut next) = (Block::default(), Block::default());
        current.draw(front, &mut candidates, lines);
        while current.len() > 0 {
            next.draw(front, &mut candidates, lines);
            self.place_block(&mut current, lines);
            self.look(current.len(), control)?;
            std::mem::swap(&mut current, &mut next);
        }
        Ok(())
    }

    fn place_block(&mut self, block: &mut Block, lines: &mut Lines) {
        let mut placed = 0;
        while placed < block.len() {
            let arrivals = &block.times.arrivals;
            self.record_until(arrivals[placed], lines);
            // Lengths are recorded before the jobs that arrive at that time or later.
            let next = self.at.first().copied().unwrap_or(f64::INFINITY);
            let until = placed + arrivals[placed..].partition_point(|&arrival| arrival < next);
            self.place_pairs(block, placed..until, lines.servers());
            placed = until;
        }
        if let Some(&last) = block.times.arrivals.last() {
            lines.advance(last);
        }
        self.recorder.served_alike(self.number, &block.served(), 2);
        self.number += block.len() as u64;
    }

    /// Places jobs of a block. The work is the counting of jobs in lines: the same source compiled
    /// for wider vectors is taken where the machine has them, and counts the same.
    fn place_pairs(&mut self, block: &mut Block, jobs: Range<usize>, servers: Servers<'_>) {
        #[cfg(target_arch = "x86_64")]
        {
            if std::is_x86_feature_detected!("avx512dq") {
                // SAFETY: the machine has AVX-512DQ.
                return unsafe { place_avx512(self, block, jobs, servers) };
            }
            if std::is_x86_feature_detected!("avx2") {
                // SAFETY: the machine has AVX2.
                return unsafe { place_avx2(self, block, jobs, servers) };
            }
        }
        place(self, block, jobs, servers);
    }
}

#[inline(always)]
fn place(run: &mut Run<'_, '_>, block: &mut Block, jobs: Range<usize>, mut servers: Servers<'_>) {
    let count = block.len();
    let times = block.times.arrivals[jobs.clone()].iter().zip(&block.times.sizes[jobs.clone()]);
    let places = block.servers[jobs.clone()].iter_mut().zip(&mut block.waits[jobs.clone()]);
    let pairs = &block.pairs[jobs.clone()];
    let each = jobs.zip(times).zip(pairs).zip(places);
    for (((i, (&arrival, &size)), pair), (chosen, wait)) in each {
        let lengths = Lengths(&servers, arrival);
        let choice = FirstLeast.choose(pair, &lengths, &mut run.unused);
        let server = choice.expect("every server is eligible").server;
        let stands_for = stands_for(i, count);
        *wait = run.positions.admit(&mut servers, server, arrival, size, stands_for);
        *chosen = server;
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512dq")]
fn place_avx512(run: &mut Run<'_, '_>, block: &mut Block, jobs: Range<usize>, all: Servers<'_>) {
    place(run, block, jobs, all);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn place_avx2(run: &mut Run<'_, '_>, block: &mut Block, jobs: Range<usize>, all: Servers<'_>) {
    place(run, block, jobs, all);
}
