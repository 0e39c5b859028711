//! Which servers a dispatcher knows.
//!
//! - `balanced.rs`: every server known to the same number of dispatchers
//! - `random.rs`: independent uniform subsets
//! - `shuffled.rs`: slices of shuffled lists, in rounds
//! - `contiguous.rs`: slices of a ring
//! - `shuffle.rs`: a random part of a list

mod balanced;
mod contiguous;
mod random;
mod shuffle;
mod shuffled;

use evenhand_core::{ServerId, Stream};
use evenhand_expr::{Call, Error, Problem};

use crate::definition::Issue;

/// The subsets of a request (`--subset`): which servers each dispatcher knows.
///
/// ```
/// use evenhand_core::Stream;
/// use evenhand_policies::subsets::SubsetSpec;
///
/// let spec = SubsetSpec::parse("contiguous(4)").unwrap();
/// let subsets = spec.draw(3, 9, &mut Stream::from_seed(1)).unwrap();
/// let ids = subsets[2].iter().map(|server| server.0);
/// assert_eq!(ids.collect::<Vec<_>>(), [0, 6, 7, 8]);
/// assert!(spec.draw(3, 2, &mut Stream::from_seed(1)).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SubsetSpec {
    /// Every dispatcher knows all servers.
    #[default]
    All,
    /// Each of n servers is known to the same number of the m dispatchers, to within 1: m k / n,
    /// rounded down or up. The servers are shuffled and dealt out, `k` to each dispatcher; at
    /// the end of the deck they are shuffled again, such that no dispatcher gets a server twice.
    /// Every single subset is uniform; subsets from one deck have no server in common. The first
    /// dispatchers alone are balanced too. Where `k` divides n, this is `shuffled(k)`.
    Balanced {
        /// Servers of each dispatcher.
        k: u64,
    },
    /// Each dispatcher draws `k` distinct servers, independently of the others. How many
    /// dispatchers know a server varies.
    Random {
        /// Servers of each dispatcher.
        k: u64,
    },
    /// Deterministic subsetting (Beyer, Jones, Petoff, Murphy 2016, "Site Reliability
    /// Engineering", chapter 20), with the random lists drawn here: dispatchers come in rounds
    /// of n / k, rounded down. Each round shuffles the servers and cuts the list into slices of
    /// `k`, one a dispatcher. The n mod k servers at the end of the list are not used in this
    /// round, and a last round that is not full leaves out more.
    Shuffled {
        /// Servers of each dispatcher.
        k: u64,
    },
    /// Dispatcher i of m knows the `k` servers from number i n / m (rounded down) on, around a
    /// ring. Each server is known to the same number of dispatchers, to within 1. No randomness.
    Contiguous {
        /// Servers of each dispatcher.
        k: u64,
    },
}

const NAMES: [&str; 5] = ["all", "balanced", "random", "shuffled", "contiguous"];

impl SubsetSpec {
    /// Parses `all`, `balanced(k)`, `random(k)`, `shuffled(k)` or `contiguous(k)`.
    ///
    /// # Errors
    /// All problems of the expression, each with its place.
    pub fn parse(source: &str) -> Result<Self, Error> {
        let call = evenhand_expr::parse(source)?;
        Self::read(&call).map_err(|problems| Error::new(source, problems))
    }

    fn read(call: &Call) -> Result<Self, Vec<Problem>> {
        if !NAMES.contains(&call.name.as_str()) {
            return Err(vec![Problem::unknown("subsets", call, NAMES)]);
        }
        if call.name == "all" {
            return call.args(&[]).finish().map(|()| Self::All);
        }
        let mut args = call.args(&["k"]);
        let k = args.integer("k", 1..=1 << 32);
        args.finish()?;
        Ok(match call.name.as_str() {
            "balanced" => Self::Balanced { k },
            "random" => Self::Random { k },
            "shuffled" => Self::Shuffled { k },
            _ => Self::Contiguous { k },
        })
    }

    /// The canonical expression.
    pub fn expression(&self) -> Call {
        match *self {
            Self::All => Call::word("all"),
            Self::Balanced { k } => Call::word("balanced").with(k),
            Self::Random { k } => Call::word("random").with(k),
            Self::Shuffled { k } => Call::word("shuffled").with(k),
            Self::Contiguous { k } => Call::word("contiguous").with(k),
        }
    }

    /// Servers of each dispatcher; `None` for all.
    pub fn k(&self) -> Option<u64> {
        match *self {
            Self::All => None,
            Self::Balanced { k }
            | Self::Random { k }
            | Self::Shuffled { k }
            | Self::Contiguous { k } => Some(k),
        }
    }

    /// What prevents such subsets of `servers` servers.
    pub fn check(&self, servers: u64) -> Option<Issue> {
        const MOST_SERVERS: u64 = 1 << 32;
        if servers == 0 || servers > MOST_SERVERS {
            let message = format!("subsets of {servers} servers are not possible");
            return Some(Issue::whole(message, format!("give 1 to {MOST_SERVERS} servers")));
        }
        let k = self.k()?;
        if (1..=servers).contains(&k) {
            return None;
        }
        let message = format!("a subset of {k} servers cannot be drawn from {servers}");
        Some(Issue::of("k", message, format!("`k` can be 1 to {servers}")))
    }

    /// The servers that each of `dispatchers` dispatchers knows, in ascending order.
    ///
    /// # Errors
    /// What [`SubsetSpec::check`] says.
    pub fn draw(
        &self,
        dispatchers: usize,
        servers: u64,
        stream: &mut Stream,
    ) -> Result<Vec<Vec<ServerId>>, Issue> {
        if let Some(issue) = self.check(servers) {
            return Err(issue);
        }
        let mut subsets = match *self {
            Self::All => vec![all(servers); dispatchers],
            Self::Balanced { k } => balanced::draw(dispatchers, all(servers), k as usize, stream),
            Self::Random { k } => random::draw(dispatchers, all(servers), k as usize, stream),
            Self::Shuffled { k } => shuffled::draw(dispatchers, all(servers), k as usize, stream),
            Self::Contiguous { k } => contiguous::draw(dispatchers, servers, k),
        };
        subsets.iter_mut().for_each(|subset| subset.sort_unstable());
        Ok(subsets)
    }
}

impl std::fmt::Display for SubsetSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.expression().fmt(f)
    }
}

/// The servers from 0 on.
fn all(servers: u64) -> Vec<ServerId> {
    (0..servers).map(|server| ServerId(server as u32)).collect()
}
