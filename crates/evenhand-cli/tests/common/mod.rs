//! Running the command.

use std::process::{Command, Output};

/// Runs `evenhand` with these arguments.
pub(crate) fn evenhand(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_evenhand")).args(args).output().expect("the command starts")
}

/// What it said on standard error.
#[allow(dead_code, reason = "not every test asks")]
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
