//! From the command line to points, with all problems of the request at once.

use evenhand_expr::Error;
use evenhand_lab::study::{QueuePoint, Statistic, Stop};
use evenhand_policies::comparisons::Comparison;
use evenhand_policies::subsets::SubsetSpec;
use evenhand_queue::{Discipline, End, Engine, Initial, Queue, QueueSignal};
use evenhand_sim::{ArrivalSpec, Service, Speeds};

use super::args::{DisciplineChoice, EngineChoice, QueueArgs, QueueModelArgs, StatisticChoice};
use super::jobs;
use super::places::{self, Fleet};
use crate::failure::{Failure, Problem};
use crate::number;
use crate::request::{
    Written, check_memory, check_outputs, issue_problem, noted, parsed, threads, written,
};

/// Without `--precision` and `--runs`.
const PRECISION: f64 = 0.01;
/// Runs of a trace without `--precision` and `--runs`: policies are random, the jobs are not.
const TRACE_RUNS: u64 = 10;

/// The expressions of a model, read.
pub(crate) struct Read {
    policies: Vec<Written>,
    services: Vec<Service>,
    arrivals: ArrivalSpec,
    speeds: Speeds,
    signals: Vec<QueueSignal>,
    comparisons: Vec<Comparison>,
    subsets: Vec<SubsetSpec>,
    shares: Option<Service>,
    initial: Initial,
}

/// The points of the request, ready to run.
pub(super) fn points(args: &QueueArgs) -> Result<Vec<QueuePoint>, Failure> {
    let mut problems = Vec::new();
    let read = read(&args.model, &mut problems);
    let warm_up = read_warm_up(&args.warmup, &mut problems);
    let fleet = places::read(&args.model, None, &mut problems);
    check_outputs(&args.common, &mut problems);
    problems.extend(jobs::check_path(args));
    check_model(&args.model, &mut problems);
    check_run(args, &mut problems);
    let (Some(read), Some(warm_up), Some(fleet), true) =
        (read, warm_up, fleet, problems.is_empty())
    else {
        return Err(Failure::Request(problems));
    };
    let mut points = Vec::new();
    for (written, mut model) in models(&args.model, &read, &fleet, &mut problems) {
        model.seed = args.common.seed;
        points.extend(point(args, warm_up, &fleet, written, model, &mut problems));
    }
    if problems.is_empty() {
        problems.extend(jobs::check_engine(args, &points));
    }
    if problems.is_empty() { Ok(points) } else { Err(Failure::Request(problems)) }
}

impl Read {
    /// Number of servers, where a graph or a file of speeds fixes it.
    pub(crate) fn servers(&self) -> Option<u64> {
        let of_graph = self.policies.iter().find_map(|written| written.policy.vertices());
        of_graph.or(self.speeds.bins().map(|speeds| speeds as u64))
    }
}

/// Reads the expressions of a model; `None` after a problem.
pub(crate) fn read(args: &QueueModelArgs, problems: &mut Vec<Problem>) -> Option<Read> {
    let policies: Vec<Written> =
        args.policy.iter().filter_map(|source| noted(problems, written(source))).collect();
    let services = parsed("--service", &args.service, Service::parse, problems);
    let arrivals = if args.sort { ArrivalSpec::parse_sorting } else { ArrivalSpec::parse };
    let arrivals = parsed("--arrivals", [&args.arrivals], arrivals, problems).pop();
    let speeds = parsed("--speeds", &args.speeds, Speeds::parse, problems).pop();
    let signals = parsed("--signal", &args.signal, QueueSignal::parse, problems);
    let comparisons = parsed("--comparison", &args.comparison, Comparison::parse, problems);
    let subsets = parsed("--subset", &args.subset, SubsetSpec::parse, problems);
    let shares = parsed("--dispatcher-shares", &args.dispatcher_shares, Service::parse, problems);
    let initial = parsed("--initial", [&args.initial], read_initial, problems).pop();
    Some(Read {
        policies,
        services,
        arrivals: arrivals?,
        speeds: speeds.unwrap_or_else(Speeds::equal),
        signals,
        comparisons,
        subsets,
        shares: shares.into_iter().next(),
        initial: initial?,
    })
}

fn read_initial(source: &str) -> Result<Initial, Error> {
    let call = evenhand_expr::parse(source)?;
    let mut args = call.args(&[]);
    let initial = match call.name.as_str() {
        "empty" => Initial::Empty,
        "profile" => {
            let fractions: Vec<f64> = args.numbers_rest().into_iter().map(|(x, _)| x).collect();
            let falls = fractions.windows(2).all(|pair| pair[0] >= pair[1]);
            if !falls || fractions.iter().any(|x| !(0.0..=1.0).contains(x)) {
                let help =
                    "fractions of servers with at least 1, 2, ... jobs: profile(0.9, 0.5, 0.1)";
                args.problem(
                    None,
                    "a profile falls from at most 1 to at least 0",
                    Some(help.into()),
                );
            }
            Initial::Profile(fractions)
        }
        _ => {
            let problem = evenhand_expr::Problem::unknown("start", &call, ["empty", "profile"]);
            return Err(Error::new(source, vec![problem]));
        }
    };
    args.finish().map(|()| initial).map_err(|problems| Error::new(source, problems))
}

/// `None` after a problem; inside, `None` for `auto`.
fn read_warm_up(text: &str, problems: &mut Vec<Problem>) -> Option<Option<f64>> {
    if text == "auto" {
        return Some(None);
    }
    match number::not_negative(text) {
        Ok(time) => Some(Some(time)),
        Err(error) => {
            let message = format!("`{text}`: {error}");
            problems.push(Problem::new("--warmup", message).with_help("give a time, or auto"));
            None
        }
    }
}

/// What can be said of a model before it is read.
pub(crate) fn check_model(args: &QueueModelArgs, problems: &mut Vec<Problem>) {
    if args.dispatchers == 0 {
        problems.push(Problem::new("--dispatchers", "it must be at least 1"));
    }
    if args.dispatchers > 1 << 20 {
        problems.push(Problem::new("--dispatchers", "it must be at most 2^20"));
    }
    if args.buffer.is_some_and(|buffer| buffer > u64::from(u32::MAX)) {
        problems.push(Problem::new("--buffer", "it must be below 2^32"));
    }
}

/// What can be said of a run before its model is read.
fn check_run(args: &QueueArgs, problems: &mut Vec<Problem>) {
    if let (Some(horizon), Ok(warm_up)) = (args.horizon, number::not_negative(&args.warmup))
        && warm_up >= horizon
    {
        let message = format!("the run ends at {horizon}, before the warm-up of {warm_up} does");
        problems.push(Problem::new("--horizon", message).with_help("run longer, or warm up less"));
    }
    if let (Some(horizon), Some(last)) =
        (args.horizon, args.model.at.iter().copied().reduce(f64::max))
        && last > horizon
    {
        let message = format!("{last} is after the end of the run at {horizon}");
        problems.push(Problem::new("--at", message).with_help("give a longer --horizon"));
    }
}

/// All combinations of what was asked for, policies last.
pub(crate) fn models<'r>(
    args: &QueueModelArgs,
    read: &'r Read,
    fleet: &Fleet,
    problems: &mut Vec<Problem>,
) -> Vec<(&'r Written, Queue)> {
    let mut models = Vec::new();
    let rates = Rates::of(args, read, problems);
    for service in &read.services {
        for rate in &rates {
            for subset in &read.subsets {
                for signal in &read.signals {
                    for comparison in &read.comparisons {
                        for written in &read.policies {
                            let mut model = Queue::new(written.policy.clone(), fleet.servers, 0.5);
                            model.service = service.clone();
                            model.arrivals = read.arrivals.clone();
                            model.speeds = read.speeds.clone();
                            model.discipline = discipline(args.discipline);
                            model.buffer = args.buffer.map(|buffer| buffer as u32);
                            model.dispatchers = args.dispatchers as u32;
                            model.shares = read.shares.clone();
                            model.subset = *subset;
                            model.signal = *signal;
                            model.comparison = *comparison;
                            model.spatial = fleet.spatial.clone();
                            model.latency_per_km = args.latency_per_km.unwrap_or(0.0);
                            model.initial = read.initial.clone();
                            model.rate = rate.of_model(&model);
                            models.push((written, model));
                        }
                    }
                }
            }
        }
    }
    models
}

/// How the arrival rate is given.
#[derive(Clone, Copy)]
enum Rates {
    Load(f64),
    Total(f64),
    Own,
}

impl Rates {
    fn of(args: &QueueModelArgs, read: &Read, problems: &mut Vec<Problem>) -> Vec<Self> {
        if let Some(rate) = args.rate {
            return vec![Self::Total(rate)];
        }
        if !args.load.is_empty() {
            return args.load.iter().map(|&load| Self::Load(load)).collect();
        }
        if read.arrivals.trace().is_some() {
            return vec![Self::Own];
        }
        let message = "how many jobs arrive is not given";
        problems.push(Problem::new("--load", message).with_help("give --load or --rate"));
        Vec::new()
    }

    fn of_model(self, model: &Queue) -> Option<f64> {
        match self {
            Self::Own => None,
            Self::Total(rate) => Some(rate),
            Self::Load(load) => {
                let capacity = model.servers as f64 * model.mean_speed();
                Some(load * capacity / model.mean_size())
            }
        }
    }
}

fn discipline(choice: DisciplineChoice) -> Discipline {
    match choice {
        DisciplineChoice::Fifo => Discipline::Fifo,
        DisciplineChoice::Ps => Discipline::Ps,
    }
}

/// Checks a model, and settles engine, length and notes.
fn point(
    args: &QueueArgs,
    warm_up: Option<f64>,
    fleet: &Fleet,
    written: &Written,
    model: Queue,
    problems: &mut Vec<Problem>,
) -> Option<QueuePoint> {
    if !is_sound(&model, written, problems) {
        return None;
    }
    let overload = model.overload();
    if let Some(reason) = overload.as_ref().filter(|_| !args.unstable) {
        let help = "lower --load, or give --unstable to run it all the same";
        problems.push(Problem::new("--load", reason.clone()).with_help(help));
        return None;
    }
    let engine = engine(args, written, &model, problems)?;
    let mut notes = fleet.notes.clone();
    notes.extend(model.warnings());
    notes.extend(overload);
    notes.extend(notes_on_service(&model));
    notes.push(format!("engine {}: {}", engine.name(), engine.reason()));
    let stop = stop(args, &model);
    let at = times(&args.model.at);
    let end = args.jobs.map(End::Jobs).or(args.horizon.map(End::Time));
    let needed = model.memory_bytes(engine);
    let at_once = threads(&args.common) as u64;
    problems.extend(check_memory("--servers", &model.policy.to_string(), needed, at_once));
    let is_overloaded = model.overload().is_some();
    Some(QueuePoint { model, engine, end, warm_up, stop, at, is_overloaded, notes })
}

/// True unless the parts of a model do not fit together.
pub(crate) fn is_sound(model: &Queue, written: &Written, problems: &mut Vec<Problem>) -> bool {
    if let Some(speeds) = model.speeds.bins().filter(|&speeds| speeds as u64 != model.servers) {
        let message = format!("the file has {speeds} speeds for {} servers", model.servers);
        problems.push(Problem::new("--speeds", message).with_help("give one speed per server"));
        return false;
    }
    if let Err(error) = model.arrivals.process(model.rate) {
        problems.push(Problem::new("--arrivals", error.to_string()));
        return false;
    }
    let issues = model.check();
    if !issues.is_empty() {
        problems.push(issue_problem(written, issues));
        return false;
    }
    true
}

/// Times, ascending, each once.
pub(crate) fn times(at: &[f64]) -> Vec<f64> {
    let mut times = at.to_vec();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

fn engine(
    args: &QueueArgs,
    written: &Written,
    model: &Queue,
    problems: &mut Vec<Problem>,
) -> Option<Engine> {
    let name = match args.engine {
        EngineChoice::Auto => return Some(model.auto_engine()),
        EngineChoice::Profile => "profile",
        EngineChoice::Uniformised => "uniformised",
        EngineChoice::Lazy => "lazy",
        EngineChoice::Event => "event",
    };
    let engine = Engine::ALL.into_iter().find(|engine| engine.name() == name)?;
    let Some(reason) = model.unsupported(engine) else { return Some(engine) };
    let auto = model.auto_engine().name();
    let problem = Problem::new(format!("--policy '{}'", written.source), reason);
    problems.push(problem.with_help(format!("the engine {auto} does")));
    None
}

fn stop(args: &QueueArgs, model: &Queue) -> Stop {
    let of = match args.precision_of {
        StatisticChoice::Mean => Statistic::Mean,
        StatisticChoice::P50 => Statistic::Quantile(500),
        StatisticChoice::P90 => Statistic::Quantile(900),
        StatisticChoice::P99 => Statistic::Quantile(990),
        StatisticChoice::P999 => Statistic::Quantile(999),
    };
    match (args.runs, args.precision) {
        (Some(runs), _) => Stop::Runs(runs),
        (None, None) if model.arrivals.trace().is_some() => Stop::Runs(TRACE_RUNS),
        (None, precision) => Stop::Precision { relative: precision.unwrap_or(PRECISION), of },
    }
}

/// What became of jobs that take no time.
pub(crate) fn zeros(service: &Service) -> Option<String> {
    let (zeros, all) = (service.zeros(), service.samples().unwrap_or(0));
    (zeros > 0).then(|| {
        format!(
            "{zeros} of the {all} service times are 0: such jobs are kept, and leave as soon as \
             they are served"
        )
    })
}

/// What the service law means for the reader: zeros, long runs, infinite moments.
fn notes_on_service(model: &Queue) -> Vec<String> {
    /// From here on a few long jobs dominate a run's mean.
    const LARGE_SCV: f64 = 10.0;
    let service = &model.service;
    let mut notes = Vec::from_iter(zeros(service));
    if !service.has_finite_variance() {
        notes.push(
            "the service law has an infinite variance: means converge slowly, and intervals \
             from runs are too narrow"
                .to_string(),
        );
    } else if service.scv() > LARGE_SCV {
        notes.push(format!(
            "the squared coefficient of variation of the service times is {:.0}: a few long jobs \
             dominate a run, so it needs a long run",
            service.scv()
        ));
    }
    notes.extend(model.power_law());
    notes
}
