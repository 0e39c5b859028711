//! Numbers of jobs that are refreshed at multiples of a period.

use evenhand_core::ServerId;

use super::index::Index;

/// Numbers of jobs as they were at the last refresh.
///
/// A refresh touches only the servers that changed, and refreshes that nobody looks at are left
/// out, so that a short period costs no more than a long one.
#[derive(Debug)]
pub(super) struct Stale {
    period: f64,
    refreshed: f64,
    lengths: Vec<u32>,
    total: u64,
    /// Servers that changed since the last refresh, some of them more than once.
    changed: Vec<ServerId>,
    /// True if so many changed that all are looked at.
    all_changed: bool,
}

impl Stale {
    /// Empty servers.
    pub(super) fn new(servers: u32, period: f64) -> Self {
        let lengths = vec![0; servers as usize];
        Self { period, refreshed: 0.0, lengths, total: 0, changed: Vec::new(), all_changed: false }
    }

    #[inline(always)]
    pub(super) fn length(&self, server: ServerId) -> u32 {
        self.lengths[server.index()]
    }

    /// Mean number of jobs at a server.
    pub(super) fn average(&self) -> f64 {
        self.total as f64 / self.lengths.len() as f64
    }

    #[inline]
    pub(super) fn changed(&mut self, server: ServerId) {
        if self.all_changed {
            return;
        }
        if self.changed.len() < self.lengths.len() {
            self.changed.push(server);
        } else {
            self.all_changed = true;
        }
    }

    /// The last multiple of the period up to `now`, if it is after the last refresh.
    #[inline]
    pub(super) fn due(&self, now: f64) -> Option<f64> {
        let time = ((now / self.period).floor() * self.period).min(now);
        (time > self.refreshed).then_some(time)
    }

    /// Shows the numbers of jobs of now.
    pub(super) fn refresh(
        &mut self,
        now: f64,
        length: impl Fn(ServerId) -> u32,
        mut index: Option<&mut Index>,
    ) {
        self.refreshed = now;
        let mut changed = std::mem::take(&mut self.changed);
        if std::mem::take(&mut self.all_changed) {
            changed.clear();
            changed.extend((0..self.lengths.len()).map(|server| ServerId(server as u32)));
        }
        for server in changed.drain(..) {
            self.show(server, length(server), &mut index);
        }
        self.changed = changed;
    }

    fn show(&mut self, server: ServerId, length: u32, index: &mut Option<&mut Index>) {
        let seen = &mut self.lengths[server.index()];
        self.total = self.total + u64::from(length) - u64::from(*seen);
        if let Some(index) = index {
            (*seen..length).for_each(|from| index.up(server, from));
            (length..*seen).rev().for_each(|to| index.down(server, to + 1));
        }
        *seen = length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_last_refresh() {
        let mut stale = Stale::new(2, 0.5);
        let mut index = Index::new(2, None);
        assert_eq!(stale.due(0.4), None);
        for changes in [1, 9] {
            (0..changes).for_each(|_| stale.changed(ServerId(1)));
            assert_eq!(stale.due(1.7), Some(1.5));
        }
        stale.refresh(1.5, |server| 3 * server.0, Some(&mut index));
        assert_eq!((stale.length(ServerId(0)), stale.length(ServerId(1))), (0, 3));
        assert_eq!((stale.average(), stale.due(1.9)), (1.5, None));
        assert_eq!(index.least(u64::MAX, |length, _| f64::from(length)), ServerId(0));
        stale.changed(ServerId(0));
        stale.changed(ServerId(1));
        stale.refresh(2.0, |server| 2 - 2 * server.0, Some(&mut index));
        assert_eq!((stale.length(ServerId(0)), stale.length(ServerId(1))), (2, 0));
        assert_eq!(index.least(0, |length, _| f64::from(length)), ServerId(1));
    }
}
