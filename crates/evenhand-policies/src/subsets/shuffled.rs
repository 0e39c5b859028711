use evenhand_core::{ServerId, Stream};

use super::shuffle::shuffle_front;

/// Slices of `k` servers from a list that is shuffled anew for each round of dispatchers.
pub(super) fn draw(
    dispatchers: usize,
    mut servers: Vec<ServerId>,
    k: usize,
    stream: &mut Stream,
) -> Vec<Vec<ServerId>> {
    let slices = servers.len() / k;
    let mut subsets = Vec::with_capacity(dispatchers);
    for dispatcher in 0..dispatchers {
        let slice = dispatcher % slices;
        if slice == 0 {
            let all = servers.len();
            shuffle_front(&mut servers, all, stream);
        }
        subsets.push(servers[slice * k..(slice + 1) * k].to_vec());
    }
    subsets
}
