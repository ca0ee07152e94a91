//! How a command ends badly: what is said, and the exit code.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// The end of a command that did not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line asks for something that does not exist: exit code 2.
    Usage(String),
    /// Data or the machine stood in the way: exit code 1.
    Error(anyhow::Error),
    /// A test's verdict is not "passed": exit code 3. The verdict has been printed.
    NotPassed,
    /// Stopped by the user: exit code 130. What to do next has been printed.
    Interrupted,
}

impl Failure {
    /// A usage error.
    pub(crate) fn usage(why: impl Display) -> Self {
        Self::Usage(why.to_string())
    }

    /// Any other error.
    pub(crate) fn error(why: impl Display) -> Self {
        Self::Error(anyhow::anyhow!("{why}"))
    }

    /// Prints one line where none has been printed yet, and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Usage(why) => {
                eprintln!("error: {why}");
                ExitCode::from(2)
            }
            Self::Error(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
            Self::Error(error) => {
                eprintln!("error: {}", one_line(&error));
                ExitCode::from(1)
            }
            Self::NotPassed => ExitCode::from(3),
            Self::Interrupted => ExitCode::from(130),
        }
    }
}

/// An error with its causes, each said once: some errors name their cause themselves.
fn one_line(error: &anyhow::Error) -> String {
    let mut line = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !line.contains(&cause) {
            line = format!("{line}: {cause}");
        }
    }
    line
}

/// Whether whoever read our output has had enough.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::one_line;

    #[test]
    fn every_cause_is_said_once() {
        let error = std::fs::read("nowhere/at all").context("file `nowhere/at all`").unwrap_err();
        let line = one_line(&error);
        assert!(line.starts_with("file `nowhere/at all`: ") && line.len() > 25, "{line}");
        let named = anyhow::anyhow!("checksum").context("checkpoint: checksum");
        assert_eq!(one_line(&named), "checkpoint: checksum");
    }
}
