//! The departures of every server, one cache line each.

use std::collections::VecDeque;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use evenhand_core::{ServerId, Signal};
use evenhand_topology::buffer::Buffer;

use crate::model::Queue;
use crate::signal::QueueSignal;

/// Departure times in a cache line.
const SLOTS: usize = 6;
/// The word with minus the number of the slot of the last departure.
const NEWEST: usize = 6;
/// The word with the last departure once more.
const LAST: usize = 7;
/// So many lines stay in the second-level cache by themselves.
const NEAR_LINES: usize = 1 << 12;

/// The latest departures of a server. Under first come, first served they do not decrease from
/// one job to the next, so the ring of them is sorted. A slot whose time has passed is free.
///
/// Times are kept as the bits of doubles: those of non-negative numbers are ordered as the numbers
/// are, and integers are compared in vectors on every machine. The number of a slot, negated, is
/// never after a time. The last departure stands twice, so that it is read at once, without its
/// slot: it is what the next job waits for.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u64; 8]);

impl Line {
    /// Number of departures after `now`.
    #[inline(always)]
    fn live(&self, now: f64) -> u32 {
        let now = now.to_bits();
        let words = self.0.iter().map(|&time| now.wrapping_sub(time) >> 63).sum::<u64>() as u32;
        // The last departure is after all others: if any counts, it counts twice.
        words - u32::from(words > 0)
    }

    fn times(&self) -> impl Iterator<Item = f64> {
        self.0[..SLOTS].iter().map(|&time| f64::from_bits(time))
    }

    #[inline(always)]
    fn last(&self) -> f64 {
        f64::from_bits(self.0[LAST])
    }

    /// Adds a departure, not before the last one, and returns the one that it displaces: the
    /// earliest.
    #[inline(always)]
    fn push(&mut self, time: f64) -> f64 {
        let slot = (self.0[NEWEST].wrapping_neg() as usize).min(SLOTS - 1) + 1;
        let slot = if slot < SLOTS { slot } else { 0 };
        self.0[NEWEST] = (slot as u64).wrapping_neg();
        self.0[LAST] = time.to_bits();
        f64::from_bits(std::mem::replace(&mut self.0[slot], time.to_bits()))
    }
}

/// All servers at one moment.
#[derive(Debug)]
pub(super) struct Lines {
    lines: Buffer<Line>,
    /// What a line does not hold; empty until a queue is that long.
    overflow: Overflow,
    speeds: Option<Arc<[f64]>>,
    shown: Shown,
    now: f64,
}

/// What rules are shown.
#[derive(Clone, Copy, Debug)]
enum Shown {
    Length,
    /// Time until the server is free.
    Work,
    PerSpeed {
        after: f64,
    },
}

impl Lines {
    pub(super) fn new(queue: &Queue, speeds: Option<Arc<[f64]>>) -> Self {
        let shown = match queue.signal {
            QueueSignal::PerSpeed { after } => {
                Shown::PerSpeed { after: f64::from(u8::from(after)) }
            }
            _ if queue.policy.reads_work() => Shown::Work,
            _ => Shown::Length,
        };
        Self {
            lines: Buffer::zeroed(queue.servers as usize),
            overflow: Overflow::default(),
            speeds,
            shown,
            now: 0.0,
        }
    }

    /// True if lines are worth fetching before they are read.
    pub(super) fn are_far(&self) -> bool {
        self.lines.len() > NEAR_LINES
    }

    pub(super) fn now(&self) -> f64 {
        self.now
    }

    #[inline]
    pub(super) fn advance(&mut self, now: f64) {
        self.now = now;
    }

    /// Number of jobs at a server.
    #[inline(always)]
    pub(super) fn length(&self, server: ServerId) -> u32 {
        self.length_at(server, self.now)
    }

    #[inline(always)]
    fn length_at(&self, server: ServerId, now: f64) -> u32 {
        length(&self.lines, &self.overflow, server, now)
    }

    /// How long a job of this size is served at a server.
    #[inline(always)]
    pub(super) fn service(&self, server: ServerId, size: f64) -> f64 {
        self.speeds.as_ref().map_or(size, |speeds| size / speeds[server.index()])
    }

    /// The servers as a loop over many jobs wants them.
    pub(super) fn servers(&mut self) -> Servers<'_> {
        Servers { lines: &mut self.lines, overflow: &mut self.overflow }
    }

    /// What is shown where that is not the length.
    #[inline(never)]
    fn other_load(&self, server: ServerId) -> f64 {
        match self.shown {
            Shown::Length => self.length(server).into(),
            Shown::Work => (self.lines[server.index()].last() - self.now).max(0.0),
            Shown::PerSpeed { after } => {
                let speeds = self.speeds.as_ref().expect("checked: per-speed needs speeds");
                (f64::from(self.length(server)) + after) / speeds[server.index()]
            }
        }
    }

    /// Number of servers with at least 0, 1, 2, ... jobs at `time`, before any later arrival.
    pub(super) fn at_least(&self, time: f64) -> Vec<u64> {
        let mut exactly = vec![0_u64];
        for server in 0..self.lines.len() {
            let length = self.length_at(ServerId(server as u32), time) as usize;
            if exactly.len() <= length {
                exactly.resize(length + 1, 0);
            }
            exactly[length] += 1;
        }
        for k in (1..exactly.len()).rev() {
            exactly[k - 1] += exactly[k];
        }
        exactly
    }

    /// Total time that jobs stay after `end`.
    pub(super) fn beyond(&self, end: f64) -> f64 {
        let in_lines = self.lines.iter().flat_map(Line::times);
        in_lines.chain(self.overflow.all()).map(|time| (time - end).max(0.0)).sum()
    }
}

impl Signal for Lines {
    type Load = f64;

    #[inline(always)]
    fn load(&self, server: ServerId) -> f64 {
        match self.shown {
            Shown::Length => f64::from(self.length(server) as i32),
            _ => self.other_load(server),
        }
    }

    #[inline(always)]
    fn prefetch(&self, server: ServerId) {
        evenhand_core::prefetch(self.lines.as_ptr().wrapping_add(server.index()));
    }
}

/// Servers whose service times are known, as a loop over many jobs wants them.
pub(super) struct Servers<'l> {
    lines: &'l mut [Line],
    overflow: &'l mut Overflow,
}

impl Servers<'_> {
    /// Number of jobs at a server.
    #[inline(always)]
    pub(super) fn length(&self, server: ServerId, now: f64) -> u32 {
        length(self.lines, self.overflow, server, now)
    }

    /// Adds a job, and returns how long it waits, and whether it came to a queue that fills a
    /// line.
    #[inline(always)]
    pub(super) fn admit(&mut self, server: ServerId, service: f64, now: f64) -> (f64, bool) {
        let line = &mut self.lines[server.index()];
        let last = line.last();
        let start = if last > now { last } else { now };
        let displaced = line.push(start + service);
        let is_long = displaced > now;
        if is_long {
            self.overflow.push(server, displaced, now);
        }
        (start - now, is_long)
    }

    /// The departures still to come at a server, ascending.
    pub(super) fn departures(&self, server: ServerId, now: f64, times: &mut Vec<f64>) {
        times.clear();
        let line = &self.lines[server.index()];
        times.extend(line.times().filter(|&time| time > now));
        if times.len() == SLOTS {
            times.extend(self.overflow.times(server).filter(|&time| time > now));
        }
        times.sort_unstable_by(f64::total_cmp);
    }
}

#[inline(always)]
fn length(lines: &[Line], overflow: &Overflow, server: ServerId, now: f64) -> u32 {
    let live = lines[server.index()].live(now);
    if live < SLOTS as u32 { live } else { live + overflow.live(server, now) }
}

/// Departures that found no room in their line: earlier than all in the line, in order.
#[derive(Debug, Default)]
struct Overflow {
    /// Where a server's queue is, plus 1; 0 for none. Empty until the first overflow.
    place: Vec<u32>,
    queues: Vec<VecDeque<f64>>,
}

impl Overflow {
    #[cold]
    fn push(&mut self, server: ServerId, time: f64, now: f64) {
        if self.place.len() <= server.index() {
            self.place.resize((server.index() + 1).next_power_of_two(), 0);
        }
        let place = &mut self.place[server.index()];
        if *place == 0 {
            self.queues.push(VecDeque::new());
            *place = self.queues.len() as u32;
        }
        let queue = &mut self.queues[*place as usize - 1];
        while queue.front().is_some_and(|&first| first <= now) {
            queue.pop_front();
        }
        queue.push_back(time);
    }

    fn queue(&self, server: ServerId) -> Option<&VecDeque<f64>> {
        let place = *self.place.get(server.index())?;
        self.queues.get((place as usize).checked_sub(1)?)
    }

    #[cold]
    fn live(&self, server: ServerId, now: f64) -> u32 {
        let live = |queue: &VecDeque<f64>| queue.len() - queue.partition_point(|&time| time <= now);
        self.queue(server).map_or(0, live) as u32
    }

    fn times(&self, server: ServerId) -> impl Iterator<Item = f64> {
        self.queue(server).into_iter().flatten().copied()
    }

    fn all(&self) -> impl Iterator<Item = f64> {
        self.queues.iter().flatten().copied()
    }
}
