//! What the requests of several commands share.

use evenhand_expr::{Call, Error, Span};
use evenhand_policies::{Issue, PolicySpec};

use crate::cli::CommonArgs;
use crate::failure::{Failure, Problem};
use crate::machine;
use crate::sink;

/// A policy as it was written, for problems that point into it.
pub(crate) struct Written {
    pub source: String,
    pub call: Call,
    pub policy: PolicySpec,
}

/// Worker threads of the request.
pub(crate) fn threads(common: &CommonArgs) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    common.threads.map_or(cores, |threads| threads.min(1024) as usize)
}

/// Reads a policy.
pub(crate) fn written(source: &str) -> Result<Written, Problem> {
    let read = || -> Result<Written, Error> {
        let call = evenhand_expr::parse(source)?;
        let policy =
            PolicySpec::from_call(&call).map_err(|problems| Error::new(source, problems))?;
        Ok(Written { source: source.to_string(), call, policy })
    };
    read().map_err(|error| expression_problem("--policy", &error))
}

/// A problem that points into an expression.
pub(crate) fn expression_problem(option: &str, error: &Error) -> Problem {
    // The caret stands under the expression, so the expression starts its own line.
    Problem::new(option, format!("this cannot be read:\n{error}"))
}

/// The value, or its problem noted.
pub(crate) fn noted<T>(problems: &mut Vec<Problem>, result: Result<T, Problem>) -> Option<T> {
    result.map_err(|problem| problems.push(problem)).ok()
}

/// Reads the expressions of an option that may be repeated.
pub(crate) fn parsed<'s, T>(
    option: &str,
    sources: impl IntoIterator<Item = &'s String>,
    parse: impl Fn(&str) -> Result<T, Error>,
    problems: &mut Vec<Problem>,
) -> Vec<T> {
    let one = |source: &String| parse(source).map_err(|error| expression_problem(option, &error));
    sources.into_iter().filter_map(|source| noted(problems, one(source))).collect()
}

/// Notes outputs that cannot be written, before anything runs.
pub(crate) fn check_outputs(common: &CommonArgs, problems: &mut Vec<Problem>) {
    for (option, path) in
        [("--out", &common.out), ("--plot", &common.plot), ("--report", &common.report)]
    {
        problems.extend(path.as_ref().and_then(|path| sink::check_writable(option, path)));
    }
    if let Some(path) = &common.plot
        && let Err(error) = evenhand_lab::figure::check_path(path)
    {
        problems.push(Problem::new("--plot", error.to_string()));
    }
}

/// Turns issues between policy and setting into one problem that points into the expression.
pub(crate) fn issue_problem(written: &Written, issues: Vec<Issue>) -> Problem {
    let names = PolicySpec::parameters(&written.call.name);
    let span_of = |parameter: &str| -> Option<Span> { written.call.args(names).span_of(parameter) };
    let problems = issues
        .into_iter()
        .map(|issue| evenhand_expr::Problem {
            span: issue.parameter.and_then(span_of).or(Some(written.call.name_span)),
            message: issue.message,
            help: issue.help,
        })
        .collect();
    let error = Error::new(&written.source, problems);
    Problem::new("--policy", format!("this cannot run here:\n{error}"))
}

/// A pool of worker threads.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::Run(format!("error: cannot start {threads} threads: {error}")))
}

/// A problem where `at_once` runs of `bytes` each do not fit into memory. `what` runs, and
/// `option` sets its size.
pub(crate) fn check_memory(option: &str, what: &str, bytes: u64, at_once: u64) -> Option<Problem> {
    let available = machine::available_bytes()?;
    let needed = bytes.saturating_mul(at_once);
    if needed <= available {
        return None;
    }
    let gigabytes = |bytes: u64| format!("{:.1} GB", bytes as f64 / 1e9);
    let message = format!(
        "{what} needs {} of memory ({at_once} at once), and {} are available",
        gigabytes(needed),
        gigabytes(available),
    );
    let help = if at_once > 1 {
        "use fewer --threads, or a smaller system"
    } else {
        "use a smaller system"
    };
    Some(Problem::new(option, message).with_help(help))
}
