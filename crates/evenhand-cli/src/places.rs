//! Where servers and users are: files and layouts that an option names.

use std::path::Path;
use std::sync::Arc;

use evenhand_expr::{Call, Error};
use evenhand_topology::space::{self, Layout, Metric, ReadOptions, read_places};

use crate::failure::Problem;

/// Where places come from.
pub(crate) enum Source {
    File(Arc<space::Places>),
    Drawn(Layout),
}

impl Source {
    /// Rows that were left out of a file.
    pub(crate) fn note(&self) -> Option<String> {
        match self {
            Self::File(places) if places.skipped > 0 => {
                let (file, skipped) = (&places.source, places.skipped);
                Some(format!("{file}: {skipped} rows without a usable place were skipped"))
            }
            _ => None,
        }
    }
}

/// The source that an option names; `None` if it has a problem.
pub(crate) fn source(
    option: &str,
    text: &str,
    weight_column: Option<String>,
    skip_invalid: bool,
    problems: &mut Vec<Problem>,
) -> Option<Source> {
    if let Some(layout) = layout(text) {
        let refused = match &layout {
            Ok(Layout::Grid) if option == "--users" => Some("users do not come on a grid"),
            Ok(_) if weight_column.is_some() => Some("drawn users have no columns to weigh by"),
            _ => None,
        };
        if let Some(message) = refused {
            problems.push(Problem::new(option, message).with_help("use uniform, or a file"));
            return None;
        }
        return match layout {
            Ok(layout) => Some(Source::Drawn(layout)),
            Err(error) => {
                problems.push(Problem::new(option, format!("this cannot be read:\n{error}")));
                None
            }
        };
    }
    match read_places(Path::new(text), &ReadOptions { skip_invalid, weight_column }) {
        Ok(places) => Some(Source::File(Arc::new(places))),
        Err(error) => {
            problems.push(Problem::new(option, error.to_string()));
            None
        }
    }
}

/// A layout, if the text names one and is no file.
fn layout(text: &str) -> Option<Result<Layout, Error>> {
    if Path::new(text).exists() {
        return None;
    }
    let name = text.split('(').next().unwrap_or("").trim();
    let known = ["uniform", "grid", "clustered"];
    known.contains(&name).then(|| {
        let call = evenhand_expr::parse(text)?;
        read_layout(&call).map_err(|problems| Error::new(text, problems))
    })
}

fn read_layout(call: &Call) -> Result<Layout, Vec<evenhand_expr::Problem>> {
    let parameters: &[&str] = if call.name == "clustered" { &["clusters", "spread"] } else { &[] };
    let mut args = call.args(parameters);
    let layout = match call.name.as_str() {
        "uniform" => Layout::Uniform,
        "grid" => Layout::Grid,
        _ => Layout::Clustered {
            clusters: args.integer("clusters", 1..=1_000_000) as u32,
            spread: args.number_or("spread", 0.0..=1.0, 0.05),
        },
    };
    args.finish().map(|()| layout)
}

/// One metric for both: servers and users must speak of the same kind of place.
pub(crate) fn metric(
    torus: bool,
    servers: &Source,
    users: &Source,
    problems: &mut Vec<Problem>,
) -> Metric {
    let square = if torus { Metric::Torus } else { Metric::Euclidean };
    let of = |source: &Source| match source {
        Source::File(places) => places.metric,
        Source::Drawn(_) => Metric::Euclidean,
    };
    let (of_servers, of_users) = (of(servers), of(users));
    if of_servers != of_users {
        let kind = |metric| match metric {
            Metric::GreatCircle => "degrees",
            _ => "coordinates of a plane",
        };
        let message =
            format!("servers are given in {}, users in {}", kind(of_servers), kind(of_users));
        problems.push(Problem::new("--users", message).with_help("give both in the same way"));
    } else if torus && of_servers == Metric::GreatCircle {
        problems.push(
            Problem::new("--torus", "the globe is round already")
                .with_help("--torus wraps a unit square; leave it out for degrees"),
        );
    }
    if of_servers == Metric::GreatCircle { of_servers } else { square }
}
