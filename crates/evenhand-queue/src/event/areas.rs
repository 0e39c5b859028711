//! How many servers have how many jobs, now and integrated over time.

/// The servers with at least 1, 2, ... jobs.
#[derive(Debug)]
pub(super) struct Areas {
    servers: u64,
    /// Time before which nothing is integrated.
    from: f64,
    levels: Vec<Level>,
}

/// The servers with at least a certain number of jobs.
#[derive(Clone, Copy, Debug)]
struct Level {
    servers: u64,
    /// Integral of their number over time, up to `until`.
    area: f64,
    until: f64,
}

impl Level {
    #[inline]
    fn advance(&mut self, now: f64) {
        if now > self.until {
            self.area += self.servers as f64 * (now - self.until);
            self.until = now;
        }
    }
}

impl Areas {
    /// Empty servers; integrals are over the time after `from`.
    pub(super) fn new(servers: u64, from: f64) -> Self {
        Self { servers, from, levels: Vec::new() }
    }

    /// A server got its job number `length`, from 1.
    #[inline]
    pub(super) fn up(&mut self, length: u32, now: f64) {
        if self.levels.len() < length as usize {
            self.levels.push(Level { servers: 0, area: 0.0, until: self.from });
        }
        let level = &mut self.levels[length as usize - 1];
        level.advance(now);
        level.servers += 1;
    }

    /// A server lost its job number `length`.
    #[inline]
    pub(super) fn down(&mut self, length: u32, now: f64) {
        let level = &mut self.levels[length as usize - 1];
        level.advance(now);
        level.servers -= 1;
    }

    /// Number of servers with at least 0, 1, 2, ... jobs now.
    pub(super) fn at_least(&self) -> Vec<u64> {
        let levels = self.levels.iter().map(|level| level.servers).take_while(|&count| count > 0);
        std::iter::once(self.servers).chain(levels).collect()
    }

    /// Fraction of servers with at least 0, 1, 2, ... jobs, averaged over the time to `end`;
    /// without such time only the first.
    pub(super) fn average(&mut self, end: f64) -> Vec<f64> {
        let server_time = self.servers as f64 * (end - self.from);
        let mut average = vec![1.0];
        if server_time > 0.0 {
            self.levels.iter_mut().for_each(|level| level.advance(end));
            average.extend(self.levels.iter().map(|level| level.area / server_time));
        }
        average
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrals_start_after_the_warm_up() {
        let mut areas = Areas::new(2, 10.0);
        areas.up(1, 2.0);
        areas.up(2, 4.0);
        areas.down(2, 15.0);
        areas.up(1, 18.0);
        assert_eq!(areas.at_least(), [2, 2]);
        assert_eq!(areas.average(20.0), [1.0, (10.0 + 2.0) / 20.0, 5.0 / 20.0]);
        assert_eq!(areas.average(10.0), [1.0]);
    }
}
