//! The next departure of every busy server, in order of time.

use std::cmp::Ordering;

use bytemuck::{Pod, Zeroable};
use evenhand_topology::buffer::Buffer;

use super::slab::NONE;

/// Mean times between departures in the width of a bucket: fewer, and empty buckets cost; more,
/// and the search within a bucket does.
const GAPS: f64 = 3.0;

/// The width is left as it is while a bucket's share of departures is within this factor of
/// [`GAPS`].
const TOLERANCE: f64 = 2.0;

/// A calendar queue (Brown 1988) of one time per server.
///
/// Time is cut into ticks of one width, and tick t belongs to bucket t modulo their number. A
/// bucket is a doubly linked list through the servers, so that a server is inserted, removed and
/// moved in constant time. Entries of a later turn stay in their bucket and are passed over. The
/// order is exact: by time, then by server; it does not depend on the width.
#[derive(Debug)]
pub(super) struct Wheel {
    entries: Buffer<Entry>,
    /// First server of each bucket.
    buckets: Vec<u32>,
    ticks_per_time: f64,
    /// Time in a tick.
    width: f64,
    /// No entry is before this tick.
    tick: u64,
    /// The earliest entry, if it is known.
    first: Option<(f64, u32)>,
    len: usize,
    pace: Pace,
}

/// Ticks ahead at which the entries of a bucket come from memory.
const FAR: u64 = 8;

/// From here on a tick as a double is not exact to a fraction of a tick.
const MOST_TICKS: u64 = 1 << 50;

/// Most ticks up to now after the width was adapted: bursts do not make it arbitrarily small.
const FINEST: f64 = (1_u64 << 40) as f64;

/// Servers from here on do not fit in the caches near to a core.
const LARGE: usize = 1 << 14;

/// Ticks ahead at which something comes from memory; each is found by way of the one before.
#[derive(Clone, Copy, Debug)]
pub(super) enum Near {
    /// What is known of a server.
    Server = 6,
    /// Its job that leaves.
    Job = 4,
    /// A job behind that.
    NextJob = 2,
}

/// A server's time and its neighbours in its bucket; infinite if the server is not there.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Entry {
    time: f64,
    previous: u32,
    next: u32,
}

/// How fast entries come due: it sets the width.
#[derive(Debug)]
struct Pace {
    /// Entries found since the last look.
    found: usize,
    /// Time of the last look.
    since: f64,
    /// Entries between two looks.
    every: usize,
}

impl Wheel {
    /// No server in it. `gap` is the expected time between two departures.
    pub(super) fn new(servers: usize, gap: f64) -> Self {
        let buckets = (servers / 2).next_power_of_two().max(16);
        let absent = Entry { time: f64::INFINITY, previous: NONE, next: NONE };
        Self {
            entries: Buffer::filled(servers, absent),
            buckets: vec![NONE; buckets],
            ticks_per_time: ticks_per_time(gap),
            width: ticks_per_time(gap).recip(),
            tick: 0,
            first: None,
            len: 0,
            pace: Pace { found: 0, since: 0.0, every: buckets.max(1 << 12) },
        }
    }

    /// Sets the time of a server, whether it is there or not. No time may be before one that was
    /// found, or before a limit that was given.
    #[inline]
    pub(super) fn set(&mut self, server: u32, time: f64) {
        debug_assert!(time.is_finite() && self.tick_of(time) >= self.tick);
        self.remove(server);
        self.link(server, time);
        self.len += 1;
        if self.first.is_some_and(|first| before((time, server), first)) {
            self.first = Some((time, server));
        }
    }

    /// Removes a server, if it is there.
    #[inline]
    pub(super) fn remove(&mut self, server: u32) {
        let Entry { time, previous, next } = self.entries[server as usize];
        if time == f64::INFINITY {
            return;
        }
        if previous == NONE {
            let bucket = self.bucket_of(self.tick_of(time));
            self.buckets[bucket] = next;
        } else {
            self.entries[previous as usize].next = next;
        }
        if next != NONE {
            self.entries[next as usize].previous = previous;
        }
        self.entries[server as usize].time = f64::INFINITY;
        self.len -= 1;
        if self.first.is_some_and(|(_, first)| first == server) {
            self.first = None;
        }
    }

    /// The earliest entry, if its time is at most `limit`. It stays where it is.
    #[inline]
    pub(super) fn earliest_until(
        &mut self,
        limit: f64,
        soon: impl Fn(Near, u32),
    ) -> Option<(f64, u32)> {
        if self.first.is_none() {
            self.first = self.search(limit, soon);
        }
        self.first.filter(|&(time, _)| time <= limit)
    }

    /// Asks the memory system for the entry of a server, which need not exist.
    #[inline(always)]
    pub(super) fn prefetch(&self, server: u32) {
        evenhand_core::prefetch(self.entries.as_ptr().wrapping_add(server as usize));
    }

    /// True if it pays to look ahead.
    #[inline(always)]
    pub(super) fn is_large(&self) -> bool {
        self.entries.len() >= LARGE
    }

    /// Asks the memory system for what is changed where a server is moved; its entry is read.
    #[inline(always)]
    pub(super) fn prefetch_neighbours(&self, server: u32) {
        let Entry { previous, next, .. } = self.entries[server as usize];
        self.prefetch(previous);
        self.prefetch(next);
    }

    /// Tells of the servers whose turn is in some ticks.
    #[inline(always)]
    fn look_ahead(&self, soon: &impl Fn(Near, u32)) {
        let bucket = |ahead| self.buckets[self.bucket_of(self.tick + ahead)];
        self.prefetch(bucket(FAR));
        for near in [Near::Server, Near::Job, Near::NextJob] {
            let mut server = bucket(near as u64);
            while server != NONE {
                soon(near, server);
                server = self.entries[server as usize].next;
            }
        }
    }

    /// The earliest entry up to the tick of `limit`, or some later entry that is the earliest.
    fn search(&mut self, limit: f64, soon: impl Fn(Near, u32)) -> Option<(f64, u32)> {
        let last = self.tick_of(limit);
        if self.len == 0 {
            self.tick = last;
            return None;
        }
        for _ in 0..self.buckets.len() {
            if self.tick >= MOST_TICKS {
                break;
            }
            let found = self.least_of_tick();
            if let Some((time, _)) = found {
                self.found(time, limit);
                return found;
            }
            if self.tick >= last {
                return None;
            }
            self.tick += 1;
            if self.is_large() {
                self.look_ahead(&soon);
            }
        }
        // A turn without an entry, or ticks that cannot be told apart: all are looked at.
        let entries = self.entries.iter().zip(0..).map(|(entry, server)| (entry.time, server));
        let found = entries.min_by(order);
        self.tick = found.map_or(last, |(time, _)| self.tick_of(time).min(last));
        found
    }

    #[inline]
    fn least_of_tick(&self) -> Option<(f64, u32)> {
        // Other entries of the bucket are a turn away: half a tick more avoids a boundary.
        let end = (self.tick as f64 + 1.5) * self.width;
        let mut least = (f64::INFINITY, NONE);
        let mut server = self.buckets[self.bucket_of(self.tick)];
        while server != NONE {
            let entry = self.entries[server as usize];
            if entry.time < end && before((entry.time, server), least) {
                least = (entry.time, server);
            }
            server = entry.next;
        }
        (least.1 != NONE).then_some(least)
    }

    /// Adapts the width to the departures since the last look.
    fn found(&mut self, time: f64, limit: f64) {
        self.pace.found += 1;
        if self.pace.found < self.pace.every || time <= self.pace.since {
            return;
        }
        let gap = (time - self.pace.since) / self.pace.found as f64;
        self.pace.found = 0;
        self.pace.since = time;
        let wanted = ticks_per_time(gap).min(FINEST / time);
        let ratio = wanted / self.ticks_per_time;
        if !(TOLERANCE.recip()..=TOLERANCE).contains(&ratio) {
            self.rebuild(wanted, time.min(limit));
        }
    }

    /// Links all entries anew, none of which is before `now`.
    fn rebuild(&mut self, ticks_per_time: f64, now: f64) {
        self.ticks_per_time = ticks_per_time;
        self.width = ticks_per_time.recip();
        self.tick = self.tick_of(now);
        self.buckets.fill(NONE);
        for server in 0..self.entries.len() {
            let time = self.entries[server].time;
            if time < f64::INFINITY {
                self.link(server as u32, time);
            }
        }
    }

    #[inline]
    fn link(&mut self, server: u32, time: f64) {
        let bucket = self.bucket_of(self.tick_of(time));
        let next = std::mem::replace(&mut self.buckets[bucket], server);
        self.entries[server as usize] = Entry { time, previous: NONE, next };
        if next != NONE {
            self.entries[next as usize].previous = server;
        }
    }

    #[inline(always)]
    fn tick_of(&self, time: f64) -> u64 {
        (time * self.ticks_per_time) as u64
    }

    #[inline(always)]
    fn bucket_of(&self, tick: u64) -> usize {
        tick as usize & (self.buckets.len() - 1)
    }
}

/// Ticks in a unit of time, where departures are `gap` apart.
fn ticks_per_time(gap: f64) -> f64 {
    (GAPS * gap).recip().clamp(1e-100, 1e100)
}

/// True if `a` comes before `b`.
#[inline(always)]
fn before(a: (f64, u32), b: (f64, u32)) -> bool {
    a.0 < b.0 || (a.0 == b.0 && a.1 < b.1)
}

fn order(a: &(f64, u32), b: &(f64, u32)) -> Ordering {
    if before(*a, *b) { Ordering::Less } else { Ordering::Greater }
}

#[cfg(test)]
mod tests;
