//! One table from name to policy. It drives parsing, `evenhand policies`, docs and suggestions.
//!
//! Adding a policy: write its file in `catalogue/`, add its line here.

use evenhand_expr::{Call, Error, Problem};
use evenhand_topology::graph::Graph;

use crate::catalogue::*;
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::network::{Movement, Network};

macro_rules! registry {
    ($($policy:ident),* $(,)?) => {
        /// Any registered policy, parsed.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum PolicySpec {
            $(
                #[doc = concat!("See [`", stringify!($policy), "`].")]
                $policy($policy)
            ),*
        }

        const TABLE: &[&[Info]] = &[$(<$policy as Definition>::INFO),*];

        fn read(call: &Call) -> Option<Result<PolicySpec, Vec<Problem>>> {
            $(
                if <$policy as Definition>::INFO.iter().any(|info| info.name == call.name) {
                    let mut args = call.args(<$policy as Definition>::PARAMETERS);
                    let policy = <$policy as Definition>::read(&call.name, &mut args);
                    return Some(args.finish().map(|()| PolicySpec::$policy(policy)));
                }
            )*
            None
        }

        impl PolicySpec {
            /// Parameters of the policy of this name, in positional order; none if unknown.
            pub fn parameters(name: &str) -> &'static [&'static str] {
                $(
                    if <$policy as Definition>::INFO.iter().any(|info| info.name == name) {
                        return <$policy as Definition>::PARAMETERS;
                    }
                )*
                &[]
            }

            /// The canonical expression.
            pub fn expression(&self) -> Call {
                match self { $(Self::$policy(policy) => policy.expression()),* }
            }

            /// What prevents the policy from running in this setting; empty if nothing does.
            pub fn check(&self, setting: &Setting) -> Vec<Issue> {
                match self { $(Self::$policy(policy) => policy.check(setting)),* }
            }

            /// Builds sampler and rule and hands them to `visitor`.
            pub fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
                match self { $(Self::$policy(policy) => policy.visit(world, visitor)),* }
            }

            /// Rough cost of one ball in nanoseconds, for estimates.
            pub fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
                match self { $(Self::$policy(policy) => policy.nanoseconds_per_ball(bins)),* }
            }

            /// How many nearest servers of a user the policy looks at.
            pub fn neighbours(&self, bins: u64) -> Option<u64> {
                match self { $(Self::$policy(policy) => policy.neighbours(bins)),* }
            }

            /// The graph that restricts the policy's choices, if there is one.
            pub fn network(&self) -> Option<&Network> {
                match self { $(Self::$policy(policy) => policy.network()),* }
            }

            /// True if replications gain from running interleaved.
            pub fn chases_memory(&self) -> bool {
                match self { $(Self::$policy(policy) => policy.chases_memory()),* }
            }

            fn movement(&self) -> Movement {
                match self { $(Self::$policy(policy) => policy.movement()),* }
            }

            /// True if the policy asks the signal for the least loaded server of all.
            pub fn reads_index(&self) -> bool {
                match self { $(Self::$policy(policy) => policy.reads_index()),* }
            }

            /// True if the policy asks the signal for the average load.
            pub fn reads_average(&self) -> bool {
                match self { $(Self::$policy(policy) => policy.reads_average()),* }
            }

            /// True if the signal has to show the policy unfinished work, not numbers of jobs.
            pub fn reads_work(&self) -> bool {
                match self { $(Self::$policy(policy) => policy.reads_work()),* }
            }
        }
    };
}

registry![
    Choices,
    Left,
    OnePlusBeta,
    Memory,
    Threshold,
    Groups,
    Windows,
    Edges,
    Neighbors,
    Walks,
    Trail,
    Hops,
    Nearest,
    Near,
    Decay,
    Ring,
    Cells,
    Thinning,
    Twinning,
    Packing,
    All,
    RoundRobin,
    Idle,
    LeastWork,
];

/// The table of policies, in the order of the registry.
pub fn policies() -> impl Iterator<Item = &'static Info> {
    TABLE.iter().copied().flatten()
}

impl PolicySpec {
    /// Parses an expression such as `choices(2, distinct)`.
    ///
    /// # Errors
    /// All problems of the expression, each with its place.
    pub fn parse(source: &str) -> Result<Self, Error> {
        let call = evenhand_expr::parse(source)?;
        Self::from_call(&call).map_err(|problems| Error::new(source, problems))
    }

    /// Reads a parsed expression.
    ///
    /// # Errors
    /// All problems of the call, each with its place.
    pub fn from_call(call: &Call) -> Result<Self, Vec<Problem>> {
        read(call).unwrap_or_else(|| Err(vec![unknown(call)]))
    }
}

impl PolicySpec {
    /// Number of servers, where the policy itself fixes it: the vertices of its graph.
    pub fn vertices(&self) -> Option<u64> {
        self.network().and_then(Network::vertices)
    }

    /// Memory of the policy's graph of this many vertices while it is built, in bytes.
    pub fn graph_bytes(&self, vertices: u64) -> f64 {
        self.network().map_or(0.0, |network| network.bytes(vertices))
    }

    /// What the reader of a result on this many servers should know of the policy's graph.
    ///
    /// `first` makes the graph of the first replication. It is called where the graph's name does
    /// not tell enough, and the graph is small. `places_vary` says that servers get other places
    /// in each replication.
    pub fn warnings(
        &self,
        servers: u64,
        places_vary: bool,
        first: impl FnOnce() -> Option<Graph>,
    ) -> Vec<String> {
        let Some(network) = self.network() else { return Vec::new() };
        network.warnings(self.movement(), servers, places_vary, first)
    }
}

fn unknown(call: &Call) -> Problem {
    let mut problem = Problem::unknown("policy", call, policies().map(|info| info.name));
    let list = "`evenhand policies` lists them all";
    problem.help = Some(match problem.help {
        Some(help) if help.starts_with("did you mean") => format!("{help} ({list})"),
        _ => list.to_string(),
    });
    problem
}

impl std::fmt::Display for PolicySpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.expression().fmt(f)
    }
}

impl std::str::FromStr for PolicySpec {
    type Err = Error;
    fn from_str(source: &str) -> Result<Self, Error> {
        Self::parse(source)
    }
}
