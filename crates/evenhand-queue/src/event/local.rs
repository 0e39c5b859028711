//! Counts that a dispatcher keeps of its own jobs.

use evenhand_core::ServerId;

use crate::dispatch::NOBODY;

/// The number of jobs that each dispatcher has at each server.
#[derive(Debug)]
pub(super) struct Local {
    servers: usize,
    /// By dispatcher, then by server.
    counts: Vec<u32>,
    /// Jobs of each dispatcher that have not left.
    jobs: Vec<u64>,
}

impl Local {
    pub(super) fn new(servers: u32, dispatchers: u32) -> Self {
        let (servers, dispatchers) = (servers as usize, dispatchers as usize);
        Self { servers, counts: vec![0; servers * dispatchers], jobs: vec![0; dispatchers] }
    }

    #[inline(always)]
    pub(super) fn count(&self, server: ServerId, dispatcher: u32) -> u32 {
        self.counts[self.place(server, dispatcher)]
    }

    /// Mean number of jobs at a server.
    pub(super) fn average(&self, dispatcher: u32) -> f64 {
        self.jobs[dispatcher as usize] as f64 / self.servers as f64
    }

    /// One job more; returns how many there were. Jobs that nobody sent are not seen.
    #[inline]
    pub(super) fn up(&mut self, server: ServerId, dispatcher: u32) -> Option<u32> {
        if dispatcher == NOBODY {
            return None;
        }
        self.jobs[dispatcher as usize] += 1;
        let place = self.place(server, dispatcher);
        let before = self.counts[place];
        self.counts[place] += 1;
        Some(before)
    }

    /// One job less; returns how many there were.
    #[inline]
    pub(super) fn down(&mut self, server: ServerId, dispatcher: u32) -> Option<u32> {
        if dispatcher == NOBODY {
            return None;
        }
        self.jobs[dispatcher as usize] -= 1;
        let place = self.place(server, dispatcher);
        let before = self.counts[place];
        self.counts[place] -= 1;
        Some(before)
    }

    #[inline(always)]
    fn place(&self, server: ServerId, dispatcher: u32) -> usize {
        dispatcher as usize * self.servers + server.index()
    }
}
