//! The integration tests, by feature.
#![cfg(test)]

#[path = "suite/rules.rs"]
mod rules;

#[path = "suite/command_line.rs"]
mod command_line;

#[path = "suite/fuzzing.rs"]
mod fuzzing;
