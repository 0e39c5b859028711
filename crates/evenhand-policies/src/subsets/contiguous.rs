use evenhand_core::ServerId;

/// Slices of `k` neighbours on the ring of servers, with starts spread evenly.
pub(super) fn draw(dispatchers: usize, servers: u64, k: u64) -> Vec<Vec<ServerId>> {
    let slice = |dispatcher: usize| {
        let start = dispatcher as u128 * u128::from(servers) / dispatchers as u128;
        let server = |step| ServerId(((start as u64 + step) % servers) as u32);
        (0..k).map(server).collect()
    };
    (0..dispatchers).map(slice).collect()
}
