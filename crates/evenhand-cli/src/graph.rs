//! `evenhand graph`: what a graph is like.

use std::io::{self, Write};
use std::path::Path;

use evenhand_core::{PointHash, ReplicationSeed, Role};
use evenhand_topology::graph::measure::{GraphRecord, MeasureOptions, measure};
use evenhand_topology::graph::{Format, GraphSpec, NamedGraph, ReadError, Sampled, write_graph};
use evenhand_topology::space::{self, read_places};
use serde::Serialize;

use crate::cli::{GraphArgs, GraphFormat};
use crate::failure::{Failure, Problem};
use crate::sink::{check_writable, write_file};

/// The whole answer of the command.
#[derive(Serialize)]
struct Record<'r> {
    evenhand: &'static str,
    command: &'static str,
    seed: u64,
    threads: usize,
    results: [&'r GraphRecord; 1],
}

pub(crate) fn run(args: &GraphArgs) -> Result<(), Failure> {
    let threads = args.threads.map_or_else(cores, |threads| threads.min(1024) as usize);
    let format = output_format(args)?;
    let spec = specification(args)?;
    let (graph, notes) = build(args, &spec)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::Run(format!("error: cannot start {threads} threads: {error}")))?;
    let parts = !args.counts_only;
    let options = MeasureOptions { girth: parts, diameter: parts, spectrum: parts };
    let mut record = pool.install(|| measure(&graph.graph, &spec.to_string(), &options));
    record.notes.splice(0..0, notes);
    if let (Some(path), Some(format)) = (&args.write, format) {
        write_file(path, |file| {
            write_graph(&graph, format, &mut io::BufWriter::new(file)).map_err(|e| e.to_string())
        })
        .map_err(|error| Failure::Run(format!("error: {error}")))?;
    }
    let text = match args.format {
        GraphFormat::Table => table(&record),
        GraphFormat::Json => json(&Record {
            evenhand: env!("CARGO_PKG_VERSION"),
            command: "graph",
            seed: args.seed,
            threads,
            results: [&record],
        }),
    };
    io::stdout().write_all(text.as_bytes()).map_err(|error| Failure::writing(&error))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn request(problem: Problem) -> Failure {
    Failure::Request(vec![problem])
}

/// The format of `--write`, by the ending of the name.
fn output_format(args: &GraphArgs) -> Result<Option<Format>, Failure> {
    let Some(path) = &args.write else { return Ok(None) };
    if let Some(problem) = check_writable("--write", path) {
        return Err(request(problem));
    }
    let zipped = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    match Format::from_path(path).filter(|_| !zipped) {
        Some(format @ (Format::EdgeList | Format::GraphMl | Format::Graph6)) => Ok(Some(format)),
        _ => {
            let message = format!("cannot tell the format from the name {}", path.display());
            let help = "end it in .txt (edge list), .graphml or .g6";
            Err(request(Problem::new("--write", message).with_help(help)))
        }
    }
}

/// The graph asked for; options for files are those of its expression.
fn specification(args: &GraphArgs) -> Result<GraphSpec, Failure> {
    let mut spec = GraphSpec::parse(&args.graph).map_err(|error| {
        request(Problem::new("the graph", format!("this cannot be read:\n{error}")))
    })?;
    match &mut spec {
        GraphSpec::File { simplify, largest_component, .. } => {
            *simplify |= args.simplify;
            *largest_component |= args.largest_component;
        }
        _ if args.simplify || args.largest_component => {
            let message = "--simplify and --largest-component are for files";
            return Err(request(Problem::new("the graph", message).with_help("leave them out")));
        }
        _ => {}
    }
    Ok(spec)
}

/// The graph, and what was done to it.
fn build(args: &GraphArgs, spec: &GraphSpec) -> Result<(NamedGraph, Vec<String>), Failure> {
    if let Some(read) = spec.read() {
        return of_file(args, read);
    }
    let places = args.servers.as_ref().map(|path| places(path)).transpose()?;
    let of_places = places.as_ref().map(|places| places.len() as u64);
    let Some(vertices) = args.vertices.or(of_places).or_else(|| spec.vertices()) else {
        let problem = Problem::new("--vertices", "the number of vertices is missing");
        return Err(request(problem.with_help("give --vertices N")));
    };
    let issues = spec.check(Some(vertices), places.is_some());
    if !issues.is_empty() {
        let problems = issues.iter().map(|issue| {
            let mut problem = Problem::new(format!("the graph {spec}"), issue.message.clone());
            problem.help.clone_from(&issue.help);
            problem
        });
        return Err(Failure::Request(problems.collect()));
    }
    let point = PointHash::of(&format!("graph;{spec};{vertices}"));
    let seed = ReplicationSeed { master: args.seed, point, replication: 0 };
    let graph = spec
        .build(vertices, places.as_ref(), &mut seed.stream(Role::World))
        .map_err(|error| request(Problem::new("the graph", error.to_string())))?;
    let notes = match spec.sampled(vertices) {
        Some(Sampled::Exact) => vec!["the random graph has exactly the law named".to_string()],
        Some(Sampled::Asymptotic) => {
            vec!["uniform in the limit of many vertices (repaired by switchings)".to_string()]
        }
        None => Vec::new(),
    };
    let mut named = NamedGraph::new(graph, spec.to_string());
    // Files hold positions in degrees.
    let degrees = |places: &space::Places| places.metric == space::Metric::GreatCircle;
    let points = places.filter(degrees).map(|places| places.points);
    named.positions = points.map(|points| points.into_iter().map(Some).collect());
    Ok((named, notes))
}

fn of_file(
    args: &GraphArgs,
    read: Result<NamedGraph, ReadError>,
) -> Result<(NamedGraph, Vec<String>), Failure> {
    let graph = read.map_err(|error| request(Problem::new("the graph", error.to_string())))?;
    if let Some(vertices) = args.vertices.filter(|&n| n != graph.graph.vertices() as u64) {
        let message = format!("it is {vertices}, but the file has {}", graph.graph.vertices());
        return Err(request(Problem::new("--vertices", message).with_help("leave it out")));
    }
    let notes = graph.notes.clone();
    Ok((graph, notes))
}

fn places(path: &Path) -> Result<space::Places, Failure> {
    read_places(path, &space::ReadOptions::default())
        .map_err(|error| request(Problem::new("--servers", error.to_string())))
}

fn json(record: &Record<'_>) -> String {
    let mut text = serde_json::to_string_pretty(record).expect("a record is plain data");
    text.push('\n');
    text
}

/// Keys of the table, in their order.
const KEYS: [&str; 20] = [
    "graph",
    "vertices",
    "edges",
    "degree",
    "components",
    "isolated",
    "self_loops",
    "parallel_edges",
    "bipartite",
    "girth",
    "diameter",
    "largest_eigenvalue",
    "second_eigenvalue",
    "smallest_eigenvalue",
    "lambda",
    "eigenvalue_error",
    "ramanujan",
    "ramanujan_margin",
    "spectral_gap",
    "non_backtracking_mixing_rate",
];

/// One line per key, then conditions and notes.
fn table(record: &GraphRecord) -> String {
    let value = serde_json::to_value(record).expect("a record is plain data");
    let mut lines = Vec::new();
    for key in KEYS {
        let value = &value[key];
        let shown = match value {
            serde_json::Value::Null => "-".to_string(),
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Object(parts) => parts
                .iter()
                .map(|(name, part)| format!("{name} {part}"))
                .collect::<Vec<_>>()
                .join(", "),
            other => other.to_string(),
        };
        lines.push(format!("{:<30} {shown}", key.replace('_', " ")));
    }
    for condition in &record.conditions {
        let holds = match condition.holds {
            Some(true) => "holds",
            Some(false) => "does not hold",
            None => "open",
        };
        lines.push(format!("{holds}: {} ({})", condition.statement, condition.source));
        let numbers = serde_json::to_value(&condition.numbers).expect("plain data");
        let numbers = numbers.as_object().into_iter().flatten();
        let numbers: Vec<String> =
            numbers.map(|(name, number)| format!("{name} {number}")).collect();
        lines.push(format!("    {}", numbers.join(", ")));
    }
    lines.extend(record.notes.iter().map(|note| format!("note: {note}")));
    lines.join("\n") + "\n"
}
