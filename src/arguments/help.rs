//! The arguments of the verbs that help with the command line itself.

use clap::Args;
use clap_complete::Shell;

/// `camelot completions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  camelot completions bash > ~/.local/share/bash-completion/completions/camelot
  camelot completions zsh > ~/.zfunc/_camelot
  camelot completions fish > ~/.config/fish/completions/camelot.fish")]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// `camelot man`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  camelot man | man -l -                   the page about the program
  camelot man train > camelot-train.1      the page of a verb")]
pub(crate) struct ManArguments {
    /// The verb [default: the program itself]
    pub(crate) verb: Option<String>,
}
