use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use evenhand_expr::{Args, Call, Error, Problem};

use super::GraphSpec;
use crate::graph::implicit::SHORTEST_SIDE;

/// Larger whole numbers are not exact in expressions.
const LARGEST_SEED: u64 = 1 << 53;

const NAMES: [&str; 12] = [
    "complete",
    "ring",
    "torus",
    "hypercube",
    "regular",
    "circulant",
    "lps",
    "star",
    "gnp",
    "knn",
    "delaunay",
    "file",
];

impl GraphSpec {
    /// Names of all graphs.
    pub const NAMES: &'static [&'static str] = &NAMES;

    /// Parameters of the graph of this name, in positional order; none if unknown. The offsets of
    /// a circulant have no names.
    #[must_use]
    pub fn parameters(name: &str) -> &'static [&'static str] {
        match name {
            "torus" => &["rows", "cols"],
            "regular" => &["k", "seed"],
            "lps" => &["p", "q"],
            "gnp" => &["p", "seed"],
            "knn" => &["k"],
            "file" => &["path", "simplify", "largest-component"],
            _ => &[],
        }
    }

    /// Parses `complete`, `ring`, `torus`, `torus(rows, cols)`, `hypercube`, `regular(k, seed=)`,
    /// `circulant(offset, ...)`, `lps(p, q)`, `star`, `gnp(p, seed=)`, `knn(k)`, `delaunay` or
    /// `file("path", simplify=false, largest-component=false)`.
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
        let mut args = call.args(Self::parameters(&call.name));
        let spec = match call.name.as_str() {
            "complete" => Self::Complete,
            "ring" => Self::Ring,
            "torus" => Self::Torus { sides: sides(&mut args) },
            "hypercube" => Self::Hypercube,
            "regular" => Self::Regular { k: degree(&mut args), seed: seed(&mut args) },
            "circulant" => Self::Circulant { offsets: offsets(&mut args) },
            "lps" => Self::Lps { p: prime(&mut args, "p"), q: prime(&mut args, "q") },
            "star" => Self::Star,
            "gnp" => Self::Gnp { p: args.number("p", 0.0..=1.0), seed: seed(&mut args) },
            "knn" => Self::Knn { k: degree(&mut args) },
            "delaunay" => Self::Delaunay,
            "file" => Self::File {
                path: path(&mut args),
                simplify: args.flag("simplify"),
                largest_component: args.flag("largest-component"),
            },
            _ => return Err(vec![Problem::unknown("graph", call, NAMES)]),
        };
        args.finish().map(|()| spec)
    }

    /// The canonical expression.
    #[must_use]
    pub fn expression(&self) -> Call {
        let number = |number: u32| f64::from(number);
        match self {
            Self::Complete => Call::word("complete"),
            Self::Ring => Call::word("ring"),
            Self::Torus { sides: None } => Call::word("torus"),
            &Self::Torus { sides: Some((rows, cols)) } => {
                Call::word("torus").with(number(rows)).with(number(cols))
            }
            Self::Hypercube => Call::word("hypercube"),
            &Self::Regular { k, seed } => with_seed(Call::word("regular").with(number(k)), seed),
            Self::Circulant { offsets } => {
                offsets.iter().fold(Call::word("circulant"), |call, &o| call.with(number(o)))
            }
            &Self::Lps { p, q } => Call::word("lps").with(number(p)).with(number(q)),
            Self::Star => Call::word("star"),
            &Self::Gnp { p, seed } => with_seed(Call::word("gnp").with(p), seed),
            &Self::Knn { k } => Call::word("knn").with(number(k)),
            Self::Delaunay => Call::word("delaunay"),
            &Self::File { ref path, simplify, largest_component } => {
                let flags = [("simplify", simplify), ("largest-component", largest_component)];
                let set = flags.iter().filter(|(_, set)| *set);
                set.fold(Call::word("file").with(path.as_str()), |call, (name, _)| {
                    call.with(Call::word(name))
                })
            }
        }
    }
}

impl Display for GraphSpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.expression().fmt(f)
    }
}

impl FromStr for GraphSpec {
    type Err = Error;

    fn from_str(source: &str) -> Result<Self, Error> {
        Self::parse(source)
    }
}

fn with_seed(call: Call, seed: Option<u64>) -> Call {
    match seed {
        Some(seed) => call.with_key("seed", seed),
        None => call,
    }
}

fn sides(args: &mut Args<'_>) -> Option<(u32, u32)> {
    if args.span_of("rows").is_none() && args.span_of("cols").is_none() {
        return None;
    }
    let mut side = |name| args.integer(name, SHORTEST_SIDE.into()..=u32::MAX.into()) as u32;
    Some((side("rows"), side("cols")))
}

fn degree(args: &mut Args<'_>) -> u32 {
    args.integer("k", 1..=u32::MAX.into()) as u32
}

fn seed(args: &mut Args<'_>) -> Option<u64> {
    args.span_of("seed").map(|_| args.integer("seed", 0..=LARGEST_SEED))
}

fn prime(args: &mut Args<'_>, name: &str) -> u32 {
    args.integer(name, 2..=u32::MAX.into()) as u32
}

fn path(args: &mut Args<'_>) -> String {
    let span = args.span_of("path");
    let path = args.text("path");
    if span.is_some() && path.is_empty() && !args.has_problems() {
        args.problem(span, "`path` is empty", Some("name the file of the graph".to_owned()));
    }
    path
}

fn offsets(args: &mut Args<'_>) -> Vec<u32> {
    let given = args.numbers_rest();
    if given.is_empty() && !args.has_problems() {
        let help = "write circulant(offset, offset, ...)".to_owned();
        args.problem(None, "`circulant` needs at least one offset", Some(help));
    }
    let whole =
        |number: f64| number.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&number);
    for &(number, span) in given.iter().filter(|&&(number, _)| !whole(number)) {
        let message =
            format!("an offset must be a whole number from 1 to {}, got {number}", u32::MAX);
        args.problem(Some(span), message, None);
    }
    given.into_iter().map(|(number, _)| number as u32).collect()
}
