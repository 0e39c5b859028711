use evenhand_core::{ServerId, Stream};

use super::shuffle::shuffle_front;

/// Independent uniform subsets of `k` servers. Any order of the servers serves for the next
/// draw, so the list is never put back.
pub(super) fn draw(
    dispatchers: usize,
    mut servers: Vec<ServerId>,
    k: usize,
    stream: &mut Stream,
) -> Vec<Vec<ServerId>> {
    let mut one = || {
        shuffle_front(&mut servers, k, stream);
        servers[..k].to_vec()
    };
    (0..dispatchers).map(|_| one()).collect()
}
