//! Predictions of queues.

use clap::Parser;
use evenhand_lab::record::PredictedQueue;
use evenhand_queue::Queue;
use evenhand_theory::predict;

use super::args::PredictCompareArgs;
use super::{finish, note_on, timed};
use crate::cli::CommonArgs;
use crate::failure::{Failure, Problem};
use crate::queue::{QueueModelArgs, places, request};
use crate::request::check_outputs;

/// The number of servers of a model for the limit: graphs of many kinds have so many vertices.
const MANY_SERVERS: u64 = 1 << 20;

/// Service laws that `predict compare` takes.
const LAWS: [&str; 5] =
    ["deterministic", "erlang(2)", "exponential", "hyperexponential(4)", "lognormal(4)"];

pub(super) fn run(args: &QueueModelArgs, common: &CommonArgs) -> Result<(), Failure> {
    let at = request::times(&args.at);
    let predict = |model: Queue| predicted(&model, args.servers.is_some(), &at);
    finish(models(args, common)?, predict, common)
}

/// A table over numbers of choices.
pub(super) fn compare(args: &PredictCompareArgs) -> Result<(), Failure> {
    /// The options of a model alone.
    #[derive(Parser)]
    struct Options {
        #[command(flatten)]
        model: QueueModelArgs,
    }
    let policies = args.choices.iter().map(|d| format!("--policy=choices({d})"));
    let loads = args.load.iter().map(|load| format!("--load={load}"));
    let laws: Vec<String> = match args.service.as_slice() {
        [] => LAWS.map(str::to_string).to_vec(),
        laws => laws.to_vec(),
    };
    let laws = laws.iter().map(|law| format!("--service={law}"));
    let words = ["predict".to_string()].into_iter().chain(policies).chain(loads).chain(laws);
    let options = Options::parse_from(words);
    run(&options.model, &args.common)
}

/// The models of the request.
fn models(args: &QueueModelArgs, common: &CommonArgs) -> Result<Vec<Queue>, Failure> {
    let mut problems = Vec::new();
    let read = request::read(args, &mut problems);
    let default = read.as_ref().map(|read| read.servers().unwrap_or(MANY_SERVERS));
    let fleet = places::read(args, default.or(Some(MANY_SERVERS)), &mut problems);
    check_outputs(common, &mut problems);
    request::check_model(args, &mut problems);
    let (Some(read), Some(fleet), true) = (read, fleet, problems.is_empty()) else {
        return Err(Failure::Request(problems));
    };
    let mut sound = Vec::new();
    for (written, model) in request::models(args, &read, &fleet, &mut problems) {
        if !request::is_sound(&model, written, &mut problems) {
            continue;
        }
        match model.overload() {
            Some(reason) => {
                let reason = format!("{reason}; so there is no fixed point");
                problems.push(Problem::new("--load", reason).with_help("lower --load"));
            }
            None => sound.push(model),
        }
    }
    if problems.is_empty() { Ok(sound) } else { Err(Failure::Request(problems)) }
}

fn predicted(model: &Queue, finite: bool, at: &[f64]) -> PredictedQueue {
    let (prediction, seconds) = timed(|| predict::queue(model, finite, at));
    let nothing = PredictedQueue {
        policy: model.policy.to_string(),
        servers: finite.then_some(model.servers),
        load: model.load().filter(|load| load.is_finite()),
        service: model.service.to_string(),
        discipline: model.discipline.name().to_string(),
        speeds: (!model.speeds.are_equal()).then(|| model.speeds.to_string()),
        sojourn: predict::Times::default(),
        wait: predict::Waits::default(),
        queue_length: None,
        fraction_at_least: None,
        error: None,
        limit: None,
        refined: None,
        refined_second_order: None,
        at: None,
        theorem: None,
        notes: Vec::from_iter(request::zeros(&model.service)),
        seconds,
        curve: Vec::new(),
    };
    match prediction {
        Ok(prediction) => nothing.with(prediction),
        Err(error) => {
            let mut nothing = nothing;
            nothing.notes.push(note_on(&error));
            nothing
        }
    }
}
