//! The configuration of a run: read as written, then checked whole.
//!
//! [`Raw`] is what a TOML file holds, key by key. [`Config`] is what the program works with; it can only be
//! had through a check that names the first bad key, its value and what was expected.

mod check;
mod network;
mod raw;

pub(crate) use raw::{Architecture, BudgetKeys, CheckpointKeys, DeviceName, EvaluationKeys, Raw, WhenWeaker};

use std::path::Path;

use camelot_core::RuleSet;
use camelot_models::Shape;
use camelot_selfplay::{PlayerSpec, SelfPlaySettings};
use camelot_train::{LearnerConfig, LearningRate, WindowSize};

use crate::failure::Failure;

/// The configuration that `camelot train` uses when none is named.
pub(crate) const BUILT_IN: &str = include_str!("../configs/cam-quick.toml");

/// A configuration with a residual network, for measuring.
pub(crate) const RESIDUAL: &str = include_str!("../configs/cam-residual.toml");

/// The name of the run folder that belongs to the built-in configuration.
pub(crate) const BUILT_IN_NAME: &str = "cam-quick";

/// A checked configuration.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) game: &'static str,
    pub(crate) rules: RuleSet,
    pub(crate) seed: u64,
    pub(crate) budget: BudgetKeys,
    pub(crate) network: Shape,
    pub(crate) games_per_iteration: u64,
    pub(crate) selfplay: SelfPlaySettings,
    pub(crate) window: WindowSize,
    pub(crate) passes: f64,
    pub(crate) device: DeviceName,
    pub(crate) learner: LearnerConfig,
    pub(crate) learning_rate: LearningRate,
    pub(crate) when_weaker: WhenWeaker,
    pub(crate) gate: Gate,
    pub(crate) checkpoints: CheckpointKeys,
    pub(crate) evaluation: EvaluationKeys,
    pub(crate) opponents: Vec<PlayerSpec>,
    pub(crate) sparring_partner: PlayerSpec,
    /// What was read, for the run folder.
    pub(crate) raw: Raw,
}

/// When a new player takes over self-play from the last one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    /// Games between the two; 0 if every new player takes over.
    pub(crate) games: u64,
    /// Iterations between two such matches.
    pub(crate) every: u64,
}

/// Reads TOML text, sets the keys of `--set`, and returns the raw configuration.
///
/// # Errors
///
/// Names the file, the key, and what was expected.
pub(crate) fn read(text: &str, source: &str, set: &[String]) -> Result<Raw, Failure> {
    let mut table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        Failure::error(format!("{source}:{} {}", line_of(text, &error), one_line(&error)))
    })?;
    for assignment in set {
        assign(&mut table, assignment).map_err(Failure::usage)?;
    }
    serde_path_to_error::deserialize(table).map_err(|error| {
        let path = error.path().to_string();
        let key = if path == "." { String::new() } else { format!("configuration key `{path}`: ") };
        Failure::error(format!("{source}: {key}{}", one_line(error.inner())))
    })
}

/// Reads a configuration file.
pub(crate) fn read_file(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::error(format!("configuration {}: {error}", path.display())))
}

/// A TOML error on one line.
fn one_line(error: &toml::de::Error) -> String {
    error.message().lines().collect::<Vec<_>>().join(" ")
}

/// The line of `text` that a TOML error is about, as ` line N:`; nothing if it does not say.
fn line_of(text: &str, error: &toml::de::Error) -> String {
    error.span().map_or(String::new(), |span| {
        let before = text.get(..span.start).unwrap_or(text);
        format!(" line {}:", 1 + before.matches('\n').count())
    })
}

/// Applies one `--set KEY=VALUE`. The value is TOML; what is not is taken as a string.
fn assign(table: &mut toml::Table, assignment: &str) -> Result<(), String> {
    let (key, value) = assignment
        .split_once('=')
        .ok_or_else(|| format!("--set {assignment}: expected KEY=VALUE, such as selfplay.simulations=64"))?;
    let parsed = format!("value = {value}").parse::<toml::Table>().ok().and_then(|mut t| t.remove("value"));
    let mut value = parsed.unwrap_or_else(|| toml::Value::String(value.into()));
    let mut parts: Vec<&str> = key.trim().split('.').collect();
    let last = parts.pop().unwrap_or_default();
    let mut at = table;
    for part in parts {
        at = at
            .get_mut(part)
            .and_then(toml::Value::as_table_mut)
            .ok_or_else(|| format!("--set {assignment}: there is no configuration section `{part}`"))?;
    }
    let old =
        at.get(last).ok_or_else(|| format!("--set {assignment}: there is no configuration key `{key}`"))?;
    // A whole number is a fine value for a key that takes a fraction.
    if let (toml::Value::Float(_), toml::Value::Integer(whole)) = (old, &value) {
        value = toml::Value::Float(*whole as f64);
    }
    at.insert(last.into(), value);
    Ok(())
}

/// The first key in which two configurations differ, apart from those that may change during a run:
/// `key`, value here, value there.
pub(crate) fn first_difference(here: &Raw, there: &Raw) -> Option<(String, String, String)> {
    const CHANGEABLE: [&str; 3] = ["budget", "checkpoints", "evaluation"];
    let table = |raw: &Raw| toml::Table::try_from(raw).expect("a configuration is a table");
    let (here, there) = (table(here), table(there));
    for (key, value) in here.iter().filter(|(key, _)| !CHANGEABLE.contains(&key.as_str())) {
        let other = there.get(key)?;
        match (value.as_table(), other.as_table()) {
            (Some(section), Some(other)) => {
                for (name, value) in section {
                    if other.get(name) != Some(value) {
                        let other = other.get(name).map_or("nothing".into(), ToString::to_string);
                        return Some((format!("{key}.{name}"), value.to_string(), other));
                    }
                }
            }
            _ if value != other => return Some((key.clone(), value.to_string(), other.to_string())),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests;
