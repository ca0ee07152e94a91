//! `camelot report`: one page, on its own, that shows how a run went.
//!
//! Everything comes from the run folder: `metrics.jsonl`, `evaluation.json`, the configuration, and the newest games of
//! the replay window. A run can be reported on while it trains.

mod chart;
mod examples;
mod page;

use std::path::{Path, PathBuf};

use camelot_models::files::write_atomically;
use serde::Serialize;

use super::{print_json, print_line};
use crate::arguments::ReportArguments;
use crate::config::Config;
use crate::failure::Failure;
use crate::games::with_game;
use crate::run_folder::{is_run, stored_config};
use examples::Examples;
use page::Run;

/// The answer for `--json`.
#[derive(Debug, Serialize)]
struct Answer {
    path: PathBuf,
    iterations: usize,
    bytes: usize,
}

pub(crate) fn run(arguments: &ReportArguments) -> Result<(), Failure> {
    let folder = &arguments.run;
    if !is_run(folder) {
        return Err(Failure::error(format!("{}: no run there: expected a run folder", folder.display())));
    }
    let config = Config::try_from(stored_config(folder)?).map_err(Failure::error)?;
    let entries = camelot_train::metrics::read(folder)?;
    if entries.is_empty() {
        return Err(Failure::error(format!(
            "run folder {}: it has no finished iteration yet",
            folder.display()
        )));
    }
    let examples = with_game!(config.game, G => Ok(Examples::of_run::<G>(folder)))?;
    let run = Run { folder, config: &config, entries: &entries, evaluation: evaluation(folder), examples };
    let html = run.page();
    let path = arguments.output.clone().unwrap_or_else(|| folder.join("report.html"));
    write_atomically(&path, html.as_bytes())
        .map_err(|error| Failure::error(format!("{}: {error}", path.display())))?;
    if arguments.json {
        return print_json(&Answer { path, iterations: entries.len(), bytes: html.len() });
    }
    print_line(&path.display().to_string())
}

/// The matches at the end of a run, if they have been played.
fn evaluation(folder: &Path) -> Option<serde_json::Value> {
    serde_json::from_str(&std::fs::read_to_string(folder.join("evaluation.json")).ok()?).ok()
}
