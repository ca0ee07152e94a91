//! The integration tests, by feature.

#[path = "suite/rules.rs"]
mod rules;
