//! The candidates of policies by which a job joins the shorter of two queues that are drawn alike.

use evenhand_core::{Sampler, ServerId, Stream};
use evenhand_policies::PolicySpec;
use evenhand_policies::comparisons::Comparison;
use evenhand_policies::samplers::{DistinctPair, Uniform};
use evenhand_policies::subsets::SubsetSpec;

use crate::model::Queue;
use crate::signal::QueueSignal;

/// The sampler of such a policy, compiled into the drawing of blocks.
#[derive(Debug)]
pub(crate) struct PairSampler {
    kind: Kind,
    stream: Stream,
}

#[derive(Debug)]
enum Kind {
    Uniform(Uniform<2>),
    Distinct(DistinctPair),
}

impl PairSampler {
    /// `None` if the queue needs more than its engine's loop for pairs does.
    pub(crate) fn of(queue: &Queue, replication: u64) -> Option<Self> {
        let plain = queue.comparison == Comparison::Exact
            && queue.signal == QueueSignal::Exact
            && queue.buffer.is_none()
            && queue.speeds.are_equal()
            && queue.spatial.is_none()
            && queue.dispatchers == 1
            && queue.subset == SubsetSpec::All;
        let kind = match &queue.policy {
            PolicySpec::Choices(choices) if !plain || choices.d != 2 || choices.weighted => None,
            PolicySpec::Choices(choices) if choices.distinct => {
                Some(Kind::Distinct(DistinctPair::new(queue.servers)))
            }
            PolicySpec::Choices(_) => Some(Kind::Uniform(Uniform::new(queue.servers))),
            _ => None,
        };
        let stream = queue.policy_seed(replication, 0).streams().sample;
        kind.map(|kind| Self { kind, stream })
    }

    /// Draws the candidates of the next `count` jobs, and hands each pair to `put`.
    #[inline]
    pub(crate) fn draw(&mut self, count: usize, mut put: impl FnMut([ServerId; 2])) {
        let stream = &mut self.stream;
        match &mut self.kind {
            Kind::Uniform(sampler) => (0..count).for_each(|_| put(sampler.sample(&(), stream))),
            Kind::Distinct(sampler) => (0..count).for_each(|_| put(sampler.sample(&(), stream))),
        }
    }
}
