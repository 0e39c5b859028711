use std::collections::BTreeMap;

use evenhand_core::ServerId;

/// The servers sorted by load, so that a least loaded one is found without a scan.
#[derive(Debug)]
pub(crate) struct LoadIndex {
    /// Servers of each load, by the ordered bits of the load.
    levels: BTreeMap<u64, Vec<ServerId>>,
    /// Load and position in its level, of each server.
    positions: Vec<(u64, u32)>,
}

impl LoadIndex {
    /// All servers, with the loads that `load` gives.
    pub(crate) fn new(servers: usize, load: impl Fn(ServerId) -> f64) -> Self {
        let mut index = Self { levels: BTreeMap::new(), positions: vec![(0, 0); servers] };
        for server in (0..servers).map(|s| ServerId(s as u32)) {
            index.insert(server, load(server));
        }
        index
    }

    /// Moves `server` to its new load.
    pub(crate) fn update(&mut self, server: ServerId, load: f64) {
        self.remove(server);
        self.insert(server, load);
    }

    /// A least loaded server, uniform among equals given 64 uniform bits.
    pub(crate) fn least(&self, word: u64) -> Option<ServerId> {
        let (_, servers) = self.levels.first_key_value()?;
        let pick = (u128::from(word) * servers.len() as u128) >> 64;
        Some(servers[pick as usize])
    }

    fn insert(&mut self, server: ServerId, load: f64) {
        // Bits of non-negative floats are ordered as the floats are.
        let bits = load.max(0.0).to_bits();
        let level = self.levels.entry(bits).or_default();
        self.positions[server.index()] = (bits, level.len() as u32);
        level.push(server);
    }

    fn remove(&mut self, server: ServerId) {
        let (bits, position) = self.positions[server.index()];
        let level = self.levels.get_mut(&bits).expect("every server stands in its level");
        level.swap_remove(position as usize);
        match level.get(position as usize) {
            Some(moved) => self.positions[moved.index()].1 = position,
            None if level.is_empty() => drop(self.levels.remove(&bits)),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_core::{Stream, below};

    #[test]
    fn least_is_the_least_after_any_updates() {
        let mut stream = Stream::from_seed(2);
        let mut loads = vec![0.0; 50];
        let mut index = LoadIndex::new(50, |_| 0.0);
        for _ in 0..5000 {
            let server = below(&mut stream, 50) as usize;
            loads[server] = below(&mut stream, 6) as f64 / 2.0;
            index.update(ServerId(server as u32), loads[server]);
            let least = index.least(stream.next_word()).unwrap();
            let minimum = loads.iter().copied().fold(f64::INFINITY, f64::min);
            assert_eq!(loads[least.index()], minimum);
        }
    }
}
