//! The command `evenhand`.
//!
//! Results go to standard output, all else to standard error. Exit codes: 0 done, 1 a run failed
//! or was interrupted, 2 the request was wrong.

#![allow(clippy::print_stderr, reason = "a command talks on standard error")]

mod allocate;
mod cli;
mod failure;
mod graph;
mod machine;
mod number;
mod output;
mod places;
mod policies;
mod predict;
mod progress;
mod queue;
mod request;
mod sink;
mod voronoi;

use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use cli::{Cli, Command};
use failure::Failure;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Allocate(args) => allocate::run(&args),
        Command::Queue(args) => queue::run(&args),
        Command::Predict { command } => predict::run(&command),
        Command::Graph(args) => graph::run(&args),
        Command::Voronoi(args) => voronoi::run(&args),
        Command::Policies(args) => policies::run(&args),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "evenhand", &mut io::stdout());
            Ok(())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has seen enough.
        Err(Failure::ReaderGone) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}
