//! Processor sharing.
//!
//! All jobs of a server get the same amount of work at any time. So a server keeps one number,
//! the work attained by a job that was there since the last idle time; a job of size x that
//! enters when it is v leaves when it is v + x, whoever comes in between.

use bytemuck::{Pod, Zeroable};
use evenhand_policies::User;
use evenhand_topology::space::Point;

use super::server::Server;
use super::slab::{NONE, Slab};
use crate::dispatch::Job;

/// The jobs of all servers: one pairing heap (Fredman, Sedgewick, Sleator, Tarjan 1986) per
/// server, ordered by exit. A job enters in constant time.
#[derive(Debug)]
pub(super) struct Ps {
    jobs: Slab<Sharing>,
}

/// A job in service: one cache line.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
struct Sharing {
    /// Attained work at which the job leaves.
    exit: f64,
    /// Its first child in the heap.
    child: u32,
    /// The next child of its parent.
    sibling: u32,
    number: u64,
    arrival: f64,
    size: f64,
    dispatcher: u32,
    user: u32,
    x: f64,
    y: f64,
}

/// A job with its number among the arrivals, from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrived {
    pub number: u64,
    pub job: Job,
}

impl Sharing {
    fn new(exit: f64, Arrived { number, job }: Arrived) -> Self {
        let Job { arrival, size, dispatcher, user } = job;
        let User { index: user, point: Point { x, y } } = user;
        let (child, sibling) = (NONE, NONE);
        Self { exit, child, sibling, number, arrival, size, dispatcher, user, x, y }
    }

    fn arrived(&self) -> Arrived {
        let &Self { number, arrival, size, dispatcher, user, x, y, .. } = self;
        let user = User { index: user, point: Point { x, y } };
        Arrived { number, job: Job { arrival, size, dispatcher, user } }
    }
}

impl Ps {
    pub(super) fn new() -> Self {
        Self { jobs: Slab::new() }
    }

    /// Asks the memory system for the job at a place.
    #[inline(always)]
    pub(super) fn prefetch(&self, place: u32) {
        self.jobs.prefetch(place);
    }

    /// Asks the memory system for a job that may be next.
    #[inline(always)]
    pub(super) fn prefetch_next(&self, place: u32) {
        self.jobs.prefetch(self.jobs[place].child);
    }

    /// Lets a job in, and returns the next departure.
    #[inline]
    pub(super) fn admit(&mut self, server: &mut Server, now: f64, arrived: Arrived) -> f64 {
        if server.length == 0 {
            server.attained = 0.0;
        } else {
            let attained = (now - server.since) * server.speed / f64::from(server.length);
            server.attained = (server.attained + attained).min(server.exit);
        }
        server.since = now;
        let exit = server.attained + arrived.job.size;
        let place = self.jobs.insert(Sharing::new(exit, arrived));
        server.length += 1;
        server.first = if server.length == 1 { place } else { self.meld(server.first, place) };
        if server.first == place {
            server.exit = exit;
        }
        next_departure(server)
    }

    /// Takes out the job that leaves now. Returns it and the next departure.
    #[inline]
    pub(super) fn depart(&mut self, server: &mut Server, now: f64) -> (Arrived, Option<f64>) {
        let place = server.first;
        let left = self.jobs[place];
        let arrived = left.arrived();
        self.jobs.release(place);
        server.length -= 1;
        server.attained = left.exit;
        server.since = now;
        server.first = self.meld_all(left.child);
        if server.length == 0 {
            return (arrived, None);
        }
        server.exit = self.jobs[server.first].exit;
        (arrived, Some(next_departure(server)))
    }

    /// Makes one heap of two; equal exits leave in the order of the arguments.
    #[inline]
    fn meld(&mut self, a: u32, b: u32) -> u32 {
        let (root, child) = if self.jobs[b].exit < self.jobs[a].exit { (b, a) } else { (a, b) };
        self.jobs[child].sibling = std::mem::replace(&mut self.jobs[root].child, child);
        root
    }

    /// Makes one heap of a list of siblings: pairs first, then one after the other.
    #[inline]
    fn meld_all(&mut self, mut list: u32) -> u32 {
        let mut pairs = NONE;
        while list != NONE {
            let (a, b) = (list, self.jobs[list].sibling);
            let pair = if b == NONE {
                list = NONE;
                a
            } else {
                list = self.jobs[b].sibling;
                self.meld(a, b)
            };
            self.jobs[pair].sibling = std::mem::replace(&mut pairs, pair);
        }
        let mut root = NONE;
        while pairs != NONE {
            let pair = pairs;
            pairs = self.jobs[pair].sibling;
            root = if root == NONE { pair } else { self.meld(root, pair) };
        }
        root
    }
}

/// When the first job leaves, if nobody comes before.
#[inline]
fn next_departure(server: &Server) -> f64 {
    server.since + (server.exit - server.attained) * f64::from(server.length) / server.speed
}
