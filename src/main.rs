//! The command line of Camelot Zero, a self-play trainer for the Camelot family of games.
#![expect(clippy::print_stdout, reason = "results on standard output are what a command line is for")]

mod arguments;
mod clock;
mod commands;
mod config;
mod failure;
mod games;
mod interrupt;
mod lines;
mod machine;
mod references;
mod run_folder;
mod training;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Verb};

fn main() -> ExitCode {
    let verb = match Arguments::try_parse() {
        Ok(arguments) => arguments.verb,
        Err(error) => return arguments::refuse(&error),
    };
    let result = match &verb {
        Verb::Train(arguments) => commands::train::run(arguments),
        Verb::Match(arguments) => commands::matches::run(arguments),
        Verb::Tournament(arguments) => commands::tournament::run(arguments),
        Verb::Ladder(arguments) => commands::ladder::run(arguments),
        Verb::Play(arguments) => commands::play::run(arguments),
        Verb::Engine(arguments) => commands::engine::run(arguments),
        Verb::Analyze(arguments) => commands::analyze::run(arguments),
        Verb::Moves(arguments) => commands::moves::run(arguments),
        Verb::Perft(arguments) => commands::perft::run(arguments),
        Verb::Records(arguments) => commands::records::run(arguments),
        Verb::Report(arguments) => commands::report::run(arguments),
        Verb::Export(arguments) => commands::export::run(arguments),
        Verb::Bench(arguments) => commands::bench::run(arguments),
        Verb::Completions(arguments) => commands::help::completions(arguments),
        Verb::Man(arguments) => commands::help::man(arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
