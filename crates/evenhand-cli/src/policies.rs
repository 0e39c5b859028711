//! `evenhand policies`: the registry, for people and programs.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use evenhand_policies::{Info, policies};
use serde::Serialize;

use crate::cli::{ListFormat, PoliciesArgs};
use crate::failure::Failure;

#[derive(Serialize)]
struct Row {
    name: &'static str,
    syntax: &'static str,
    meaning: &'static str,
    source: &'static str,
}

pub(crate) fn run(args: &PoliciesArgs) -> Result<(), Failure> {
    let text = match args.format {
        ListFormat::Table => policies().map(paragraph).collect(),
        ListFormat::Json => json(),
        ListFormat::Markdown => markdown(),
    };
    io::stdout().write_all(text.as_bytes()).map_err(|error| Failure::writing(&error))
}

fn paragraph(info: &Info) -> String {
    format!("{}\n    {}\n    {}\n\n", info.syntax, info.meaning, info.source)
}

fn json() -> String {
    let rows: Vec<Row> = policies()
        .map(|info| Row {
            name: info.name,
            syntax: info.syntax,
            meaning: info.meaning,
            source: info.source,
        })
        .collect();
    let mut text = serde_json::to_string_pretty(&rows).expect("rows are plain text");
    text.push('\n');
    text
}

fn markdown() -> String {
    let mut text = "| policy | meaning | source |\n|---|---|---|\n".to_string();
    for info in policies() {
        let syntax = info.syntax.replace('|', "\\|");
        let _ = writeln!(text, "| `{syntax}` | {} | {} |", info.meaning, info.source);
    }
    text
}
