//! Servers sorted by their number of jobs, so that a least loaded one is found without a scan.

use evenhand_core::ServerId;

/// The servers of each speed in order of their number of jobs.
///
/// All servers stand in one list, those of a speed together and in ascending order. A server
/// that gets a job changes places with the last of its equals, one that loses a job with the
/// first, so that a change costs constant time.
#[derive(Clone, Debug)]
pub(super) struct Index {
    order: Vec<u32>,
    /// Where each server stands.
    place: Vec<u32>,
    /// Group of each server; empty if there is only one.
    group: Vec<u32>,
    groups: Vec<Group>,
}

/// The servers of one speed.
#[derive(Clone, Debug)]
struct Group {
    speed: f64,
    /// Place of the first server with at least 0, 1, 2, ... jobs.
    starts: Vec<u32>,
    /// Place after the last server.
    end: u32,
    /// Least number of jobs.
    least: u32,
}

impl Group {
    #[inline]
    fn start(&self, length: u32) -> u32 {
        self.starts.get(length as usize).copied().unwrap_or(self.end)
    }

    /// Places of the servers with the least number of jobs.
    fn leaders(&self) -> std::ops::Range<u32> {
        self.start(self.least)..self.start(self.least + 1)
    }
}

impl Index {
    /// Empty servers, grouped by speed if `speeds` are given.
    pub(super) fn new(servers: u32, speeds: Option<&[f64]>) -> Self {
        let mut order: Vec<u32> = (0..servers).collect();
        let Some(speeds) = speeds else {
            let group = Group { speed: 1.0, starts: vec![0], end: servers, least: 0 };
            return Self { place: order.clone(), order, group: Vec::new(), groups: vec![group] };
        };
        order.sort_by(|&a, &b| speeds[a as usize].total_cmp(&speeds[b as usize]));
        let mut place = vec![0; servers as usize];
        let mut group = vec![0; servers as usize];
        let mut groups: Vec<Group> = Vec::new();
        for (&server, at) in order.iter().zip(0..) {
            let speed = speeds[server as usize];
            if groups.last().is_none_or(|last| last.speed != speed) {
                groups.push(Group { speed, starts: vec![at], end: at, least: 0 });
            }
            let number = groups.len() - 1;
            groups[number].end = at + 1;
            place[server as usize] = at;
            group[server as usize] = number as u32;
        }
        Self { order, place, group, groups }
    }

    /// A server with `length` jobs gets one more.
    #[inline]
    pub(super) fn up(&mut self, server: ServerId, length: u32) {
        let group = self.group.get(server.index()).map_or(0, |&group| group as usize);
        let group = &mut self.groups[group];
        if group.starts.len() == length as usize + 1 {
            group.starts.push(group.end);
        }
        let start = &mut group.starts[length as usize + 1];
        *start -= 1;
        let last = *start;
        if length == group.least && group.leaders().is_empty() {
            group.least += 1;
        }
        self.exchange(server, last);
    }

    /// A server with `length` jobs loses one.
    #[inline]
    pub(super) fn down(&mut self, server: ServerId, length: u32) {
        let group = self.group.get(server.index()).map_or(0, |&group| group as usize);
        let group = &mut self.groups[group];
        let start = &mut group.starts[length as usize];
        let first = *start;
        *start += 1;
        group.least = group.least.min(length - 1);
        self.exchange(server, first);
    }

    /// A server of the least load, uniform among equals given 64 uniform bits. `load` is that of
    /// a server with a number of jobs and a speed.
    pub(super) fn least(&self, word: u64, load: impl Fn(u32, f64) -> f64) -> ServerId {
        let loads = || self.groups.iter().map(|group| load(group.least, group.speed));
        let least = loads().fold(f64::INFINITY, f64::min);
        let leaders = || {
            let tied = self.groups.iter().zip(loads()).filter(|&(_, load)| load == least);
            tied.map(|(group, _)| group.leaders())
        };
        let count: usize = leaders().map(|places| places.len()).sum();
        let mut pick = among(word, count);
        for places in leaders() {
            if pick < places.len() {
                return ServerId(self.order[places.start as usize + pick]);
            }
            pick -= places.len();
        }
        unreachable!("the pick is one of the leaders")
    }

    #[inline]
    fn exchange(&mut self, server: ServerId, to: u32) {
        let from = self.place[server.index()];
        let other = self.order[to as usize];
        self.order[from as usize] = other;
        self.order[to as usize] = server.0;
        self.place[other as usize] = from;
        self.place[server.index()] = to;
    }
}

/// One of `0..count` from 64 uniform bits.
pub(super) fn among(word: u64, count: usize) -> usize {
    ((u128::from(word) * count as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_core::{Stream, below};

    /// Random walks of lengths against a scan; every one of the least loaded is found.
    #[test]
    fn finds_all_least_loaded_and_no_other() {
        const SERVERS: u32 = 12;
        let speeds: Vec<f64> = (0..SERVERS).map(|server| f64::from(1 + server % 3)).collect();
        for speeds in [None, Some(speeds.as_slice())] {
            let load = |length: u32, speed: f64| f64::from(length + 1) / speed;
            let speed = |server: usize| speeds.map_or(1.0, |speeds| speeds[server]);
            let mut stream = Stream::from_seed(3);
            let mut lengths = [0_u32; SERVERS as usize];
            let mut index = Index::new(SERVERS, speeds);
            for _ in 0..3000 {
                let server = below(&mut stream, SERVERS.into()) as usize;
                let length = &mut lengths[server];
                if *length > 0 && below(&mut stream, 2) == 0 {
                    index.down(ServerId(server as u32), *length);
                    *length -= 1;
                } else {
                    index.up(ServerId(server as u32), *length);
                    *length += 1;
                }
                let loads: Vec<f64> =
                    lengths.iter().enumerate().map(|(s, &l)| load(l, speed(s))).collect();
                let least = loads.iter().copied().fold(f64::INFINITY, f64::min);
                let expected: Vec<u32> =
                    (0..SERVERS).filter(|&s| loads[s as usize] == least).collect();
                let count = expected.len() as u64;
                let word = |pick: u64| (u64::MAX / count) * pick + u64::MAX / count / 2;
                let mut found: Vec<u32> =
                    (0..count).map(|pick| index.least(word(pick), load).0).collect();
                found.sort_unstable();
                assert_eq!(found, expected);
            }
        }
    }
}
