use evenhand_core::Signal;

use super::{Batch, Front, Job, NOWHERE};

/// A job where times and sizes are not drawn.
pub(crate) const SOME_JOB: Job = Job { arrival: 0.0, size: 0.0, dispatcher: 0, user: NOWHERE };

impl<G: Signal<Load = f64> + 'static> Front<'_, G> {
    /// Draws the next `count` jobs, without times of arrival and sizes, and their candidates into
    /// `batch`.
    pub(crate) fn fill_untimed(&mut self, count: usize, batch: &mut Batch) {
        batch.candidates.clear();
        if self.users.is_none() && self.dispatchers.len() == 1 {
            batch.jobs.resize(count, SOME_JOB);
            self.scratch.resize(count, NOWHERE);
            self.dispatchers[0].sample(&self.scratch, &mut batch.candidates);
            return;
        }
        batch.jobs.clear();
        for _ in 0..count {
            let user = self.users.as_mut().map_or(NOWHERE, |users| users.draw());
            let dispatcher = self.shares.next();
            batch.jobs.push(Job { dispatcher, user, ..SOME_JOB });
        }
        self.sample(batch);
    }
}
