//! `camelot completions` and `camelot man`: what shells and manuals show of the command line.

use clap::CommandFactory;

use super::print_text;
use crate::arguments::{Arguments, CompletionsArguments, ManArguments};
use crate::failure::Failure;

/// Prints the completion script of a shell.
pub(crate) fn completions(arguments: &CompletionsArguments) -> Result<(), Failure> {
    let mut command = Arguments::command();
    let name = command.get_name().to_string();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    print_text(&String::from_utf8_lossy(&script))
}

/// Prints a manual page in the format of `man`.
pub(crate) fn man(arguments: &ManArguments) -> Result<(), Failure> {
    let mut command = Arguments::command();
    command.build();
    let wanted = match &arguments.verb {
        None => command,
        Some(verb) => {
            let found = command.find_subcommand(verb).cloned();
            let verbs: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
            let unknown =
                || Failure::usage(format!("unknown verb `{verb}`: expected one of {}", verbs.join(", ")));
            found.ok_or_else(unknown)?
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(wanted).render(&mut page)?;
    print_text(&String::from_utf8_lossy(&page))
}
