//! One server, in one cache line.

use bytemuck::{Pod, Zeroable};

use super::slab::NONE;

/// What a server needs at every event.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Server {
    /// Number of jobs.
    pub length: u32,
    /// Place of the job that leaves first.
    pub first: u32,
    /// Place of the job that came last; only first come, first served.
    pub last: u32,
    unused: u32,
    /// Work per unit of time.
    pub speed: f64,
    /// When all its work is done, whatever the order; it is idle if that is past.
    pub free: f64,
    /// Work that each job present since the server was idle has got, up to `since`; only
    /// processor sharing.
    pub attained: f64,
    /// Time of the last event; only processor sharing.
    pub since: f64,
    /// Attained work at which the first job leaves; only processor sharing.
    pub exit: f64,
    filler: f64,
}

impl Server {
    pub(super) fn idle(speed: f64) -> Self {
        Self { length: 0, first: NONE, last: NONE, speed, ..Self::zeroed() }
    }

    /// Adds the work of a job that arrives, and returns how long it would wait and be served
    /// under first come, first served.
    #[inline]
    pub(super) fn add_work(&mut self, now: f64, size: f64) -> (f64, f64) {
        let start = self.free.max(now);
        let service = size / self.speed;
        self.free = start + service;
        (start - now, service)
    }
}
