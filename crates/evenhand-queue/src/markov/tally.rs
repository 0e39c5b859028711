//! Counts of servers at each length, and their averages over steps.

/// Most steps between two calls of [`Tally::close`].
pub(crate) const STRETCH: u64 = 1 << 16;

/// One crossing in a cell; the bits below add up remaining steps, of at most [`STRETCH`]
/// crossings with at most [`STRETCH`] steps each.
const ONE: u64 = 1 << 40;

/// The number of servers with at least 0, 1, 2, ... jobs, summed over steps.
///
/// A job that joins a server with `k` jobs raises the count of length k + 1 for all steps that
/// remain in the stretch, a departure lowers it: so a step costs one addition, to the cell of its
/// length and direction, whatever the number of servers. [`Tally::close`] turns cells into
/// counts and sums.
#[derive(Debug)]
pub(crate) struct Tally {
    at_least: Vec<u64>,
    /// At 2 k: departures from servers with k jobs; at 2 k + 1: arrivals there. In each the number
    /// of crossings (from bit 40 on) and the sum of steps that remained.
    cells: Vec<u64>,
    /// Sum of `at_least` over the counted steps, each before it is taken.
    sums: Vec<f64>,
    /// Counted jobs that joined a server with 0, 1, ... jobs.
    met: Vec<u64>,
    lost: u64,
    counting: bool,
    events: u64,
    /// Sum over the steps of this part of the number of jobs, and the jobs that joined.
    part_job_steps: f64,
    part_jobs: u64,
}

/// Cells that a byte of length can name.
pub(crate) const NARROW_CELLS: usize = 512;

impl Tally {
    /// From the number of servers with at least 0, 1, 2, ... jobs.
    pub(crate) fn new(at_least: Vec<u64>) -> Self {
        let mut tally = Self {
            at_least,
            cells: vec![0; NARROW_CELLS],
            sums: Vec::new(),
            met: Vec::new(),
            lost: 0,
            counting: false,
            events: 0,
            part_job_steps: 0.0,
            part_jobs: 0,
        };
        tally.trim();
        tally
    }

    /// The counts, down to the last that is not 0.
    pub(crate) fn at_least(&self) -> &[u64] {
        &self.at_least
    }

    /// Number of servers with at least `length` jobs.
    #[inline]
    pub(crate) fn count(&self, length: usize) -> u64 {
        self.at_least.get(length).copied().unwrap_or(0)
    }

    pub(crate) fn start_counting(&mut self) {
        self.counting = true;
    }

    pub(crate) fn counts(&self) -> bool {
        self.counting
    }

    /// The cells of lengths up to 255.
    pub(crate) fn narrow_cells(&mut self) -> &mut [u64; NARROW_CELLS] {
        self.cells.first_chunk_mut().expect("there are never fewer")
    }

    /// No server had more jobs since the stretch began.
    pub(crate) fn longest(&self) -> usize {
        let crossed = self.cells.iter().rposition(|&cell| cell > 0);
        crossed.map_or(0, |cell| cell / 2 + 1).max(self.at_least.len() - 1)
    }

    /// What a crossing adds to its cell when `remaining` steps of the stretch come after it.
    #[inline(always)]
    pub(crate) fn crossing(remaining: u64) -> u64 {
        ONE + remaining
    }

    /// A job joins a server with `length` jobs.
    #[inline]
    pub(crate) fn joins(&mut self, length: u32, remaining: u64) {
        *self.cell(2 * length as usize + 1) += Self::crossing(remaining);
    }

    /// A job leaves a server with `length` jobs, of at least 1.
    #[inline]
    pub(crate) fn leaves(&mut self, length: u32, remaining: u64) {
        *self.cell(2 * length as usize) += Self::crossing(remaining);
    }

    #[inline]
    fn cell(&mut self, index: usize) -> &mut u64 {
        if index >= self.cells.len() {
            self.cells.resize(2 * index, 0);
        }
        &mut self.cells[index]
    }

    /// A job finds its server full.
    #[inline]
    pub(crate) fn loses(&mut self, jobs: u64) {
        self.lost += if self.counting { jobs } else { 0 };
    }

    /// Ends a stretch of `steps` steps.
    pub(crate) fn close(&mut self, steps: u64) {
        let last = self.cells.iter().rposition(|&cell| cell > 0).unwrap_or(0);
        let top = (last / 2 + 1).max(self.at_least.len());
        self.reach(top);
        for length in 1..=top {
            let (joined, after) = split(self.cells.get(2 * length - 1).copied().unwrap_or(0));
            let (left, before) = split(self.cells.get(2 * length).copied().unwrap_or(0));
            let sum = i128::from(self.at_least[length]) * i128::from(steps) + i128::from(after)
                - i128::from(before);
            self.add(length, sum as f64, joined);
            self.events += joined + left;
            self.at_least[length] = self.at_least[length] + joined - left;
        }
        self.cells[..=last].fill(0);
        self.trim();
    }

    /// Adds `sum` to the sum of the count of `length` over steps, and `joined` jobs that reached
    /// that length.
    #[inline]
    fn add(&mut self, length: usize, sum: f64, joined: u64) {
        self.part_job_steps += sum;
        self.part_jobs += joined;
        if self.counting {
            self.sums[length] += sum;
            self.met[length - 1] += joined;
        }
    }

    /// Makes room up to `length`.
    pub(crate) fn reach(&mut self, length: usize) {
        if self.at_least.len() <= length {
            self.at_least.resize(length + 1, 0);
        }
        if self.sums.len() <= length {
            self.sums.resize(length + 1, 0.0);
            self.met.resize(length + 1, 0);
        }
    }

    pub(crate) fn trim(&mut self) {
        while self.at_least.len() > 1 && self.at_least.last() == Some(&0) {
            self.at_least.pop();
        }
    }

    /// `jobs` jobs join servers with `length` jobs, with `remaining` steps of the stretch after
    /// each on average. Needs [`Tally::reach`] up to `length + 1`.
    #[inline]
    pub(crate) fn join_many(&mut self, length: usize, jobs: u64, remaining: f64) {
        self.at_least[length + 1] += jobs;
        self.events += jobs;
        self.add(length + 1, jobs as f64 * remaining, jobs);
    }

    /// `jobs` jobs leave servers with `length` jobs, with `remaining` steps after each on average.
    #[inline]
    pub(crate) fn leave_many(&mut self, length: usize, jobs: u64, remaining: f64) {
        self.at_least[length] -= jobs;
        self.events += jobs;
        self.add(length, -(jobs as f64 * remaining), 0);
    }

    /// Adds `steps` steps in the state of now, or takes them back where `steps` is negative.
    pub(crate) fn stay(&mut self, steps: f64) {
        for length in 1..self.at_least.len() {
            self.add(length, self.at_least[length] as f64 * steps, 0);
        }
    }

    /// Adds the state of now, as of one step.
    pub(super) fn count_state(&mut self) {
        self.reach(self.at_least.len());
        self.stay(1.0);
        self.trim();
    }

    /// Job steps and joined jobs since the last call.
    pub(super) fn take_part(&mut self) -> (f64, u64) {
        (std::mem::take(&mut self.part_job_steps), std::mem::take(&mut self.part_jobs))
    }

    /// Jobs that came and went so far.
    pub(super) fn events(&self) -> u64 {
        self.events
    }

    pub(super) fn lost(&self) -> u64 {
        self.lost
    }

    /// Counted jobs that joined a server with 0, 1, ... jobs.
    pub(super) fn met(&self) -> &[u64] {
        let longest = self.met.iter().rposition(|&jobs| jobs > 0);
        &self.met[..longest.map_or(0, |length| length + 1)]
    }

    /// Average fraction of servers with at least 0, 1, ... jobs over `steps` counted states.
    pub(crate) fn averages(&self, steps: f64, servers: f64) -> Vec<f64> {
        let per_server_step = if steps > 0.0 { (steps * servers).recip() } else { 0.0 };
        let longest = self.sums.iter().rposition(|&sum| sum > 0.0).unwrap_or(0);
        let above = self.sums.iter().take(longest + 1).skip(1);
        std::iter::once(1.0).chain(above.map(|sum| sum.max(0.0) * per_server_step)).collect()
    }
}

/// Crossings and the sum of remaining steps.
fn split(cell: u64) -> (u64, u64) {
    (cell / ONE, cell % ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One server: a job comes at step 2, another at step 3, one leaves at step 5 of 6.
    #[test]
    fn sums_the_states_before_each_step() {
        let mut tally = Tally::new(vec![1]);
        tally.start_counting();
        tally.joins(0, 4);
        tally.joins(1, 3);
        tally.leaves(2, 1);
        tally.close(6);
        assert_eq!(tally.at_least(), [1, 1]);
        // Before steps 3 to 6 there is a job, before 4 and 5 there are two.
        assert_eq!(tally.averages(6.0, 1.0), [1.0, 4.0 / 6.0, 2.0 / 6.0]);
        assert_eq!((tally.met(), tally.events()), ([1, 1].as_slice(), 3));
        assert_eq!(tally.take_part(), (6.0, 2));
    }

    #[test]
    fn many_at_once_equal_one_at_a_time() {
        let mut tally = Tally::new(vec![10, 4]);
        tally.start_counting();
        tally.reach(3);
        tally.stay(5.0);
        tally.join_many(1, 2, 3.0);
        tally.leave_many(1, 1, 2.0);
        tally.stay(-1.0);
        tally.trim();
        assert_eq!(tally.at_least(), [10, 3, 2]);
        assert_eq!(tally.averages(4.0, 10.0), [1.0, (20.0 - 2.0 - 3.0) / 40.0, 4.0 / 40.0]);
    }
}
