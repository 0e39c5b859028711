use evenhand_core::ServerId;

use crate::dispatch::Site;
use crate::recorder::Busy;

/// The number of working servers of each speed, summed over steps.
pub(super) struct Working {
    busy: Busy,
    /// Of each class.
    classes: Vec<Class>,
    counted_steps: u64,
}

#[derive(Clone, Debug, Default)]
struct Class {
    /// Servers that worked when the stretch began.
    working: i64,
    /// Change since then.
    change: i64,
    /// What the changes add to the sum over the stretch.
    added: i64,
    /// Sum of working servers over the counted steps.
    sum: f64,
}

impl Working {
    pub(super) fn new(servers: u64, site: &Site) -> Self {
        let busy = Busy::new(servers as usize, site);
        let classes = vec![Class::default(); busy.classes()];
        Self { busy, classes, counted_steps: 0 }
    }

    /// Servers from 0 to below `busy` work at time 0.
    pub(super) fn start(&mut self, busy: u64) {
        for server in 0..busy {
            self.classes[self.busy.class_of(ServerId(server as u32))].working += 1;
        }
    }

    /// A server starts to work, with `remaining` steps left in the stretch.
    pub(super) fn starts(&mut self, server: u32, remaining: u64) {
        self.change(server, 1, remaining);
    }

    /// A server stops working.
    pub(super) fn stops(&mut self, server: u32, remaining: u64) {
        self.change(server, -1, remaining);
    }

    fn change(&mut self, server: u32, by: i64, remaining: u64) {
        let class = &mut self.classes[self.busy.class_of(ServerId(server))];
        class.change += by;
        class.added += by * remaining as i64;
    }

    /// Ends a stretch.
    pub(super) fn close(&mut self, steps: u64, counts: bool) {
        self.counted_steps += if counts { steps } else { 0 };
        for class in &mut self.classes {
            if counts {
                class.sum += class.working as f64 * steps as f64 + class.added as f64;
            }
            class.working += class.change;
            (class.change, class.added) = (0, 0);
        }
    }

    /// Speed and utilisation of each class, in a counted time of `duration`.
    pub(super) fn finish(mut self, duration: f64) -> Vec<(f64, f64)> {
        let step_time = duration / self.counted_steps.max(1) as f64;
        for (number, class) in self.classes.iter().enumerate() {
            self.busy.add_to(number, class.sum * step_time);
        }
        self.busy.finish(duration)
    }
}
