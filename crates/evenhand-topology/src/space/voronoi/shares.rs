//! Shares of users, and how they were found.

/// How many nearest servers make a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The nearest server: cells of single servers.
    One,
    /// The two nearest, in either order: cells of pairs.
    Two,
}

impl Order {
    /// 1 or 2.
    #[must_use]
    pub fn number(self) -> usize {
        match self {
            Order::One => 1,
            Order::Two => 2,
        }
    }
}

/// How shares were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Areas, for uniform users.
    Exact,
    /// A count of independent random users.
    Estimated {
        /// Number of users drawn.
        samples: u64,
    },
    /// A count of all users there are.
    Counted {
        /// Number of users.
        users: u64,
    },
}

/// A server or a pair of servers, with its share of the users.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Number of the server; of a pair, the lesser number.
    pub first: u32,
    /// The greater number of a pair.
    pub second: Option<u32>,
    /// Share of the users, above 0, at most 1.
    pub share: f64,
}

/// All cells that are not empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Shares {
    /// Cells of servers or of pairs.
    pub order: Order,
    /// How they were found.
    pub method: Method,
    /// Number of servers.
    pub servers: usize,
    /// The cells, ordered by numbers. Shares add up to 1.
    pub cells: Vec<Cell>,
}

impl Shares {
    /// Standard error of a share; `None` unless shares are estimated.
    #[must_use]
    pub fn standard_error(&self, share: f64) -> Option<f64> {
        match self.method {
            Method::Estimated { samples } => {
                Some((share * (1.0 - share).max(0.0) / samples as f64).sqrt())
            }
            Method::Exact | Method::Counted { .. } => None,
        }
    }

    /// For each server the share of users that have it among their nearest. These add up to the
    /// order, so each would be `order / servers` if all were alike.
    #[must_use]
    pub fn of_servers(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.servers];
        for cell in &self.cells {
            for server in [Some(cell.first), cell.second].into_iter().flatten() {
                sums[server as usize] += cell.share;
            }
        }
        sums
    }

    /// The cells of the largest shares, largest first, equal ones by numbers.
    #[must_use]
    pub fn largest(&self, count: usize) -> Vec<Cell> {
        let mut cells = self.cells.clone();
        cells.sort_by(|a, b| b.share.total_cmp(&a.share));
        cells.truncate(count);
        cells
    }
}
