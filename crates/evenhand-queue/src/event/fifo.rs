//! First come, first served.

use bytemuck::{Pod, Zeroable};

use super::server::Server;
use super::slab::{NONE, Slab};

/// The jobs of all servers: one list per server, in order of arrival.
#[derive(Debug)]
pub(super) struct Fifo {
    jobs: Slab<Queued>,
}

#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Queued {
    departure: f64,
    /// The job behind.
    next: u32,
    dispatcher: u32,
}

impl Fifo {
    pub(super) fn new() -> Self {
        Self { jobs: Slab::new() }
    }

    /// Asks the memory system for the job at a place.
    #[inline(always)]
    pub(super) fn prefetch(&self, place: u32) {
        self.jobs.prefetch(place);
    }

    /// Asks the memory system for the job behind.
    #[inline(always)]
    pub(super) fn prefetch_next(&self, place: u32) {
        self.jobs.prefetch(self.jobs[place].next);
    }

    /// Puts a job at the end of the queue; it leaves when the work present is done. Returns the
    /// next departure if it has changed.
    #[inline]
    pub(super) fn admit(&mut self, server: &mut Server, dispatcher: u32) -> Option<f64> {
        let departure = server.free;
        let place = self.jobs.insert(Queued { departure, next: NONE, dispatcher });
        let before = std::mem::replace(&mut server.last, place);
        server.length += 1;
        if server.length == 1 {
            server.first = place;
            return Some(departure);
        }
        self.jobs[before].next = place;
        None
    }

    /// Takes the first job out of the queue. Returns its dispatcher and the next departure.
    #[inline]
    pub(super) fn depart(&mut self, server: &mut Server) -> (u32, Option<f64>) {
        let Queued { next, dispatcher, .. } = self.jobs[server.first];
        self.jobs.release(server.first);
        server.first = next;
        server.length -= 1;
        let due = (server.length > 0).then(|| self.jobs[next].departure);
        (dispatcher, due)
    }
}
