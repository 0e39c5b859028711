//! Queue lengths in bytes, as long as they fit.

use std::ops::AddAssign;
use std::sync::Arc;

use bytemuck::Pod;
use evenhand_core::{ServerId, Signal};
use evenhand_topology::buffer::Buffer;

use crate::model::Queue;
use crate::signal::QueueSignal;

/// The queue length of each server: a byte until one comes near 255, then 32 bits.
#[derive(Debug)]
pub(super) struct Lengths {
    counters: Counters,
    /// No queue is longer.
    greatest: u32,
    jobs: u64,
    servers: u64,
    shown: Shown,
}

#[derive(Debug)]
enum Counters {
    Narrow(Buffer<u8>),
    Wide(Buffer<u32>),
}

/// What rules are shown.
#[derive(Debug)]
enum Shown {
    Length,
    PerSpeed { after: f64, speeds: Arc<[f64]> },
}

impl Lengths {
    /// The first `at_least[k]` servers have at least k jobs.
    pub(super) fn new(queue: &Queue, speeds: Option<Arc<[f64]>>, at_least: &[u64]) -> Self {
        let shown = match (queue.signal, speeds) {
            (QueueSignal::PerSpeed { after }, Some(speeds)) => {
                Shown::PerSpeed { after: f64::from(u8::from(after)), speeds }
            }
            _ => Shown::Length,
        };
        let servers = queue.servers;
        let jobs = at_least[1..].iter().sum();
        let greatest = at_least.len() as u32 - 1;
        let counters = if greatest > u32::from(u8::MAX) {
            Counters::Wide(starting(at_least))
        } else {
            Counters::Narrow(starting(at_least))
        };
        Self { counters, greatest, jobs, servers, shown }
    }

    #[inline(always)]
    pub(super) fn get(&self, server: u32) -> u32 {
        match &self.counters {
            Counters::Narrow(lengths) => lengths[server as usize].into(),
            Counters::Wide(lengths) => lengths[server as usize],
        }
    }

    /// Adds a job.
    #[inline]
    pub(super) fn raise(&mut self, server: u32) {
        if self.greatest == u32::from(u8::MAX) {
            self.make_room(1);
        }
        let grown = match &mut self.counters {
            Counters::Narrow(lengths) => {
                let length = &mut lengths[server as usize];
                *length += 1;
                u32::from(*length)
            }
            Counters::Wide(lengths) => {
                let length = &mut lengths[server as usize];
                *length += 1;
                *length
            }
        };
        self.greatest = self.greatest.max(grown);
        self.jobs += 1;
    }

    /// Takes a job away, where there is one.
    #[inline]
    pub(super) fn lower(&mut self, server: u32) {
        match &mut self.counters {
            Counters::Narrow(lengths) => lengths[server as usize] -= 1,
            Counters::Wide(lengths) => lengths[server as usize] -= 1,
        }
        self.jobs -= 1;
    }

    /// Widens the counters, if `jobs` jobs more at one server could overflow them.
    #[inline]
    pub(super) fn make_room(&mut self, jobs: u32) {
        if self.greatest + jobs > u32::from(u8::MAX) {
            self.widen();
        }
    }

    #[cold]
    fn widen(&mut self) {
        if let Counters::Narrow(lengths) = &self.counters {
            let mut wide = Buffer::zeroed(lengths.len());
            for (to, &from) in wide.iter_mut().zip(lengths.iter()) {
                *to = from.into();
            }
            self.counters = Counters::Wide(wide);
        }
    }

    /// The bytes, with room for `jobs` jobs more at any server, for who changes lengths by
    /// itself. `longest` tells the longest queue; it is asked when needed.
    pub(super) fn narrow(&mut self, jobs: u32, longest: impl Fn() -> usize) -> Option<&mut [u8]> {
        if let Counters::Wide(_) = self.counters {
            return None;
        }
        self.greatest += jobs;
        if self.greatest > u32::from(u8::MAX) {
            self.greatest = longest() as u32 + jobs;
            self.make_room(0);
        }
        match &mut self.counters {
            Counters::Narrow(lengths) => Some(lengths),
            Counters::Wide(_) => None,
        }
    }

    /// Asks the memory system for a length.
    #[inline(always)]
    pub(super) fn fetch(&self, server: ServerId) {
        match &self.counters {
            Counters::Narrow(lengths) => {
                evenhand_core::prefetch(lengths.as_ptr().wrapping_add(server.index()));
            }
            Counters::Wide(lengths) => {
                evenhand_core::prefetch(lengths.as_ptr().wrapping_add(server.index()));
            }
        }
    }
}

/// The first `at_least[k]` counters are at least k, which fits.
fn starting<C: Pod + AddAssign + From<u8>>(at_least: &[u64]) -> Buffer<C> {
    let mut lengths = Buffer::<C>::zeroed(at_least[0] as usize);
    for &count in &at_least[1..] {
        lengths[..count as usize].iter_mut().for_each(|length| *length += C::from(1));
    }
    lengths
}

impl Signal for Lengths {
    type Load = f64;

    #[inline(always)]
    fn load(&self, server: ServerId) -> f64 {
        let length = f64::from(self.get(server.0));
        match &self.shown {
            Shown::Length => length,
            Shown::PerSpeed { after, speeds } => (length + after) / speeds[server.index()],
        }
    }

    fn average(&self) -> Option<f64> {
        Some(self.jobs as f64 / self.servers as f64)
    }

    #[inline(always)]
    fn prefetch(&self, server: ServerId) {
        self.fetch(server);
    }
}
