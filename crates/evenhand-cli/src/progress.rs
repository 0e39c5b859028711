//! A progress bar on a terminal, and a clean stop on Ctrl-C.

use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use evenhand_sim::Control;
use indicatif::{ProgressBar, ProgressStyle};

/// Lets Ctrl-C stop running replications; a second one ends the process at once.
pub(crate) fn stop_on_ctrl_c(control: &Arc<Control>) {
    let control = control.clone();
    let handler = move || {
        if control.is_stopped() {
            std::process::exit(130);
        }
        control.stop();
        eprintln!("\nstopping; what is finished is kept (press Ctrl-C again to end at once)");
    };
    // Without a handler Ctrl-C ends the process as usual.
    let _ = ctrlc::set_handler(handler);
}

/// Shows how many jobs have arrived while `work` runs, if standard error is a terminal.
pub(crate) fn counted<T>(
    show: bool,
    label: &str,
    control: &Control,
    work: impl FnOnce() -> T,
) -> T {
    let style = ProgressStyle::with_template("{msg} {spinner} {human_pos} jobs, {elapsed}");
    let bar = ProgressBar::no_length().with_style(style.expect("a fixed template"));
    watched(show, &bar.with_message(label.to_string()), control, work)
}

/// Shows a bar of `balls` balls while `work` runs, if standard error is a terminal.
pub(crate) fn shown<T>(
    show: bool,
    label: &str,
    balls: u64,
    control: &Control,
    work: impl FnOnce() -> T,
) -> T {
    watched(show, &bar(label, balls), control, work)
}

fn watched<T>(show: bool, bar: &ProgressBar, control: &Control, work: impl FnOnce() -> T) -> T {
    if !show || !stderr().is_terminal() {
        return work();
    }
    let before = control.thrown();
    let done = AtomicBool::new(false);
    let result = thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                bar.set_position(control.thrown() - before);
                thread::sleep(Duration::from_millis(100));
            }
        });
        let result = work();
        done.store(true, Ordering::Relaxed);
        result
    });
    bar.finish_and_clear();
    result
}

fn bar(label: &str, balls: u64) -> ProgressBar {
    let template = "{msg} {wide_bar} {percent}% of {len} balls, {eta} left";
    let style = ProgressStyle::with_template(template).expect("a fixed template");
    ProgressBar::new(balls).with_style(style).with_message(label.to_string())
}
