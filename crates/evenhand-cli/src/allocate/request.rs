//! From the command line to points, with all problems of the request at once.

use evenhand_lab::study::{MOST_DRAWN_VERTICES, Point};
use evenhand_policies::comparisons::Comparison;
use evenhand_policies::signals::SignalSpec;
use evenhand_sim::{Allocation, Engine, Service, Spatial, Speeds};

use super::places::{self, Places};
use crate::cli::{AllocateArgs, EngineChoice};
use crate::failure::{Failure, Problem};
use crate::request::{
    Written, check_memory, check_outputs, issue_problem, noted, parsed, threads, written,
};

/// Without `--runs`, a point gets as many runs as fit this time by the estimate, whatever the
/// machine, so that the same request does the same everywhere.
const POINT_SECONDS: f64 = 2.0;
const MOST_RUNS: f64 = 100.0;

/// The points of the request, ready to run.
pub(super) fn points(args: &AllocateArgs) -> Result<Vec<Point>, Failure> {
    let mut problems = Vec::new();
    let policies: Vec<Written> =
        args.policy.iter().filter_map(|source| noted(&mut problems, written(source))).collect();
    let signals: Vec<SignalSpec> =
        parsed("--signal", &args.signal, SignalSpec::parse, &mut problems);
    let comparisons: Vec<Comparison> =
        parsed("--comparison", &args.comparison, Comparison::parse, &mut problems);
    let weights = parsed("--weights", &args.weights, Service::parse, &mut problems).pop();
    let speeds = parsed("--speeds", &args.speeds, Speeds::parse, &mut problems).pop();
    let places = places::read(args, &mut problems);
    check_outputs(&args.common, &mut problems);
    if !problems.is_empty() {
        return Err(Failure::Request(problems));
    }
    let of_graph = policies.iter().find_map(|written| written.policy.vertices());
    let size = size(args, places.as_ref(), speeds.as_ref(), of_graph, &mut problems);
    let skipped = places.as_ref().map_or_else(Vec::new, Places::notes);
    let mut points = Vec::new();
    if let Some((bins, balls)) = size {
        let spatial = places.and_then(|places| places.spatial(bins, &mut problems));
        if !problems.is_empty() {
            return Err(Failure::Request(problems));
        }
        for written in &policies {
            for signal in &signals {
                for comparison in &comparisons {
                    let mut model = Allocation::new(written.policy.clone(), bins, balls);
                    model.seed = args.common.seed;
                    model.signal = *signal;
                    model.comparison = *comparison;
                    model.weights = weights.clone();
                    model.speeds = speeds.clone().unwrap_or_else(Speeds::equal);
                    model.deletions = args.deletions.unwrap_or(0.0);
                    model.snapshots = snapshots(&args.snapshots, balls);
                    model.spatial = spatial.clone();
                    model.keep_loads = wants_map(args, &model);
                    points.extend(point(args, written, model, &skipped, &mut problems));
                }
            }
        }
    }
    if problems.is_empty() { Ok(points) } else { Err(Failure::Request(problems)) }
}

fn wants_map(args: &AllocateArgs, model: &Allocation) -> bool {
    let fixed = matches!(
        &model.spatial,
        Some(Spatial { servers: evenhand_sim::Servers::Fixed { .. }, .. })
    );
    let graph = model.policy.network().is_some() && model.bins <= MOST_DRAWN_VERTICES;
    wants_pictures(args) && (fixed || graph)
}

fn wants_pictures(args: &AllocateArgs) -> bool {
    args.common.plot.is_some() || args.common.report.is_some()
}

/// Why the graph of a policy will not be drawn, where a picture was asked for.
fn undrawn_graph(args: &AllocateArgs, model: &Allocation) -> Option<String> {
    let large = model.policy.network().is_some() && model.bins > MOST_DRAWN_VERTICES;
    (wants_pictures(args) && large).then(|| {
        format!(
            "the graph is not drawn: it has {} vertices, and graphs of up to {MOST_DRAWN_VERTICES} are drawn",
            model.bins
        )
    })
}

/// Numbers of bins and balls.
fn size(
    args: &AllocateArgs,
    places: Option<&Places>,
    speeds: Option<&Speeds>,
    of_graph: Option<u64>,
    problems: &mut Vec<Problem>,
) -> Option<(u64, u64)> {
    let known = places.and_then(Places::fixed_servers);
    let per_bin = speeds.and_then(Speeds::bins).map(|bins| bins as u64);
    let bins = match (args.bins.or(known).or(per_bin).or(of_graph), known) {
        (Some(bins), Some(known)) if bins != known => {
            let message = format!("it is {bins}, but the servers file has {known} servers");
            problems.push(Problem::new("--bins", message).with_help("leave out --bins"));
            return None;
        }
        (Some(bins), _) => bins,
        (None, _) => {
            let message = "the number of bins is missing";
            let help = "give --bins N, or --servers FILE and --users FILE";
            problems.push(Problem::new("--bins", message).with_help(help));
            return None;
        }
    };
    if let Some(per_bin) = per_bin.filter(|&per_bin| per_bin != bins) {
        let message = format!("the file has {per_bin} speeds for {bins} bins");
        problems.push(Problem::new("--speeds", message).with_help("give one speed per bin"));
        return None;
    }
    Some((bins, balls(args, places, bins, problems)?))
}

fn balls(
    args: &AllocateArgs,
    places: Option<&Places>,
    bins: u64,
    problems: &mut Vec<Problem>,
) -> Option<u64> {
    if let Some(balls) = args.balls {
        return Some(balls);
    }
    if let Some(per_bin) = args.balls_per_bin {
        let balls = (per_bin * bins as f64).round();
        if balls < 1.0 || balls > 2_f64.powi(53) {
            let message = format!("that is {balls:e} balls; it must be from 1 to 2^53");
            problems.push(Problem::new("--balls-per-bin", message));
            return None;
        }
        return Some(balls as u64);
    }
    Some(places.and_then(Places::users_in_order).unwrap_or(bins))
}

fn snapshots(parts: &[f64], balls: u64) -> Vec<u64> {
    let mut at: Vec<u64> =
        parts.iter().map(|part| ((part * balls as f64).round() as u64).max(1)).collect();
    at.sort_unstable();
    at.dedup();
    at
}

/// Checks a model, and settles engine, runs and notes.
fn point(
    args: &AllocateArgs,
    written: &Written,
    model: Allocation,
    skipped: &[String],
    problems: &mut Vec<Problem>,
) -> Option<Point> {
    let issues = model.check();
    if !issues.is_empty() {
        problems.push(issue_problem(written, issues));
        return None;
    }
    let engine = match args.engine {
        EngineChoice::Auto => model.auto_engine(),
        EngineChoice::Bins => Engine::Bins,
        EngineChoice::Profile => Engine::Profile,
    };
    if let Some(reason) = model.unsupported(engine) {
        let why_not = match args.engine {
            EngineChoice::Auto => model.unsupported(Engine::Profile),
            _ => None,
        };
        let mut problem = Problem::new(format!("--policy '{}'", written.source), reason);
        problem.help = why_not.map(|why| format!("the other engine is no help: {why}"));
        problems.push(problem);
        return None;
    }
    let mut notes = skipped.to_vec();
    notes.extend(model.warnings());
    notes.extend(undrawn_graph(args, &model));
    let runs = args.runs.unwrap_or_else(|| automatic_runs(args, &model, engine, &mut notes));
    let point = Point { model, engine, runs, notes };
    let at_once = point.runs.min(threads(&args.common) as u64);
    let what = format!("{} on {} bins", point.model.policy, point.model.bins);
    let needed = point.model.memory_bytes(point.engine);
    if let Some(problem) = check_memory("--bins", &what, needed, at_once) {
        problems.push(problem);
        return None;
    }
    Some(point)
}

fn automatic_runs(
    args: &AllocateArgs,
    model: &Allocation,
    engine: Engine,
    notes: &mut Vec<String>,
) -> u64 {
    let in_order = args.balls.is_none()
        && args.balls_per_bin.is_none()
        && matches!(&model.spatial, Some(spatial) if spatial.users_in_order());
    if in_order {
        notes.push("each user of the file once, in order: one run".to_string());
        return 1;
    }
    let fitting = POINT_SECONDS / model.estimated_seconds(engine).max(1e-9);
    let runs = fitting.clamp(1.0, MOST_RUNS) as u64;
    notes.push(format!("number of runs chosen to take a few seconds: {runs}"));
    runs
}
