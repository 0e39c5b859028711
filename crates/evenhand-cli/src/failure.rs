use std::fmt;
use std::io;

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The request was wrong: all its problems.
    Request(Vec<Problem>),
    /// A run failed, or its results could not be written.
    Run(String),
    /// The reader of standard output has gone.
    ReaderGone,
}

/// One problem of a request.
#[derive(Debug)]
pub(crate) struct Problem {
    /// The option or file at fault.
    pub place: String,
    /// What is wrong; may span lines.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Problem {
    pub(crate) fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: place.into(), message: message.into(), help: None }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl Failure {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Request(_) => 2,
            Self::Run(_) => 1,
            Self::ReaderGone => 0,
        }
    }

    /// A failure to write to standard output.
    pub(crate) fn writing(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ReaderGone,
            _ => Self::Run(format!("error: cannot write to standard output: {error}")),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run(message) => f.write_str(message),
            Self::ReaderGone => Ok(()),
            Self::Request(problems) => {
                for (i, problem) in problems.iter().enumerate() {
                    if i > 0 {
                        f.write_str("\n\n")?;
                    }
                    write!(f, "error: {}: {}", problem.place, problem.message)?;
                    if let Some(help) = &problem.help {
                        write!(f, "\n  help: {help}")?;
                    }
                }
                Ok(())
            }
        }
    }
}
