//! What dispatchers see of the queues.

use std::sync::Arc;

use evenhand_core::ServerId;

use super::index::Index;
use super::local::Local;
use super::stale::Stale;
use crate::model::Queue;
use crate::signal::QueueSignal;

/// What rules are shown.
#[derive(Debug)]
pub(super) enum Shown {
    /// Number of jobs.
    Length,
    /// Time until the server has done all its work.
    Work,
    /// Number of jobs over speed.
    PerSpeed {
        /// 1 to count the arriving job too.
        after: f64,
    },
    /// Number of jobs of the dispatcher that looks.
    Local(Local),
    /// Number of jobs at the last refresh.
    Stale(Stale),
}

/// What the dispatchers see, and what they know.
#[derive(Debug)]
pub(super) struct View {
    pub shown: Shown,
    /// The dispatcher that looks.
    pub viewer: u32,
    /// The servers that each dispatcher knows; empty if all know all.
    known: Vec<Arc<[ServerId]>>,
    /// For policies that look at all servers: as all see them, or as each dispatcher does.
    indexes: Vec<Index>,
}

impl View {
    pub(super) fn new(queue: &Queue, speeds: Option<&[f64]>, known: Vec<Arc<[ServerId]>>) -> Self {
        let servers = queue.servers as u32;
        let (shown, speeds, views) = match queue.signal {
            QueueSignal::PerSpeed { after } => {
                (Shown::PerSpeed { after: f64::from(u8::from(after)) }, speeds, 1)
            }
            QueueSignal::Local => {
                (Shown::Local(Local::new(servers, queue.dispatchers)), None, queue.dispatchers)
            }
            QueueSignal::Periodic { period } => {
                (Shown::Stale(Stale::new(servers, period)), None, 1)
            }
            QueueSignal::Exact if queue.policy.reads_work() => (Shown::Work, None, 1),
            QueueSignal::Exact => (Shown::Length, None, 1),
        };
        let indexed = queue.policy.reads_index() && known.is_empty();
        let views = if indexed { views } else { 0 };
        let indexes = (0..views).map(|_| Index::new(servers, speeds)).collect();
        Self { shown, viewer: 0, known, indexes }
    }

    /// A server with `length` jobs gets one more, from `dispatcher`.
    #[inline]
    pub(super) fn up(&mut self, server: ServerId, length: u32, dispatcher: u32) {
        match &mut self.shown {
            Shown::Local(local) => {
                if let Some(seen) = local.up(server, dispatcher)
                    && let Some(index) = self.indexes.get_mut(dispatcher as usize)
                {
                    index.up(server, seen);
                }
            }
            Shown::Stale(stale) => stale.changed(server),
            _ => self.indexes.iter_mut().for_each(|index| index.up(server, length)),
        }
    }

    /// A server with `length` jobs loses one, which `dispatcher` had sent.
    #[inline]
    pub(super) fn down(&mut self, server: ServerId, length: u32, dispatcher: u32) {
        match &mut self.shown {
            Shown::Local(local) => {
                if let Some(seen) = local.down(server, dispatcher)
                    && let Some(index) = self.indexes.get_mut(dispatcher as usize)
                {
                    index.down(server, seen);
                }
            }
            Shown::Stale(stale) => stale.changed(server),
            _ => self.indexes.iter_mut().for_each(|index| index.down(server, length)),
        }
    }

    /// The time of a refresh that is due before `now`, if loads are refreshed.
    #[inline]
    pub(super) fn refresh_due(&self, now: f64) -> Option<f64> {
        match &self.shown {
            Shown::Stale(stale) => stale.due(now),
            _ => None,
        }
    }

    /// Shows the numbers of jobs of now.
    pub(super) fn refresh(&mut self, now: f64, length: impl Fn(ServerId) -> u32) {
        if let Shown::Stale(stale) = &mut self.shown {
            stale.refresh(now, length, self.indexes.first_mut());
        }
    }

    /// The servers that the viewer knows; `None` if it knows all.
    pub(super) fn known(&self) -> Option<&[ServerId]> {
        self.known.get(self.viewer as usize).map(|known| &**known)
    }

    /// A least loaded server of all, by the index.
    pub(super) fn least_of_all(&self, word: u64) -> Option<ServerId> {
        let own = if self.indexes.len() > 1 { self.viewer as usize } else { 0 };
        let load = |length, speed| match self.shown {
            Shown::PerSpeed { after } => (f64::from(length) + after) / speed,
            _ => f64::from(length),
        };
        Some(self.indexes.get(own)?.least(word, load))
    }
}
