//! `camelot export`: a network as a bundle, as plain tensors, or as an ONNX model.

use std::path::Path;

use anyhow::Context;
use camelot_models::bundle::Bundle;
use camelot_models::files::write_atomically;
use camelot_models::{Checkpoint, Encode, Weights, onnx, safe_tensors};
use camelot_selfplay::players::network_path;
use serde::Serialize;

use super::{print_json, print_line};
use crate::arguments::{ExportArguments, ExportFormat};
use crate::failure::Failure;
use crate::games::{parse_name, with_game};
use crate::run_folder;

/// What was written.
#[derive(Debug, Serialize)]
struct Written {
    path: String,
    format: &'static str,
    bytes: u64,
    game: &'static str,
    network: String,
    /// Numbers in the network.
    parameters: usize,
    /// Of the weights, as records name them.
    hash: String,
}

pub(crate) fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let path = network_path(&arguments.network)?;
    let game = Checkpoint::load(&path)?.game;
    let game =
        parse_name(&game).map_err(|why| Failure::error(format!("checkpoint {}: {why}", path.display())))?;
    with_game!(game, G => export::<G>(&path, arguments))
}

/// Writes the weights that play, and says what was written.
fn export<G: Encode>(path: &Path, arguments: &ExportArguments) -> Result<(), Failure> {
    if arguments.licence.contains(['\n', '\r']) {
        return Err(Failure::usage("--licence: expected one line"));
    }
    let checkpoint = Checkpoint::load_for::<G>(path)?;
    let weights = checkpoint.clone().into_player();
    let bad = |why| Failure::error(format!("checkpoint {}: {why}", path.display()));
    let output = &arguments.output;
    let write = |bytes: &[u8]| write_atomically(output, bytes).with_context(|| output.display().to_string());
    let format = match arguments.format {
        ExportFormat::Onnx => {
            write(&onnx::export(&weights, G::sizes()).map_err(bad)?)?;
            "onnx"
        }
        ExportFormat::Safetensors => {
            write(&safe_tensors::export::<G>(&weights).map_err(bad)?)?;
            "safetensors"
        }
        ExportFormat::Bundle => {
            let configuration = configuration_of(path);
            Bundle::new(checkpoint, configuration, arguments.licence.clone()).save(output)?;
            "bundle"
        }
    };
    say::<G>(arguments, format, &weights)
}

/// The configuration of the run that a checkpoint lies in; empty if it lies elsewhere.
fn configuration_of(checkpoint: &Path) -> String {
    let run = checkpoint.parent().and_then(Path::parent);
    let stored = run.and_then(|run| run_folder::stored_config(run).ok());
    stored.and_then(|raw| toml::to_string(&raw).ok()).unwrap_or_default()
}

fn say<G: Encode>(
    arguments: &ExportArguments,
    format: &'static str,
    weights: &Weights,
) -> Result<(), Failure> {
    let written = Written {
        path: arguments.output.display().to_string(),
        format,
        bytes: std::fs::metadata(&arguments.output)?.len(),
        game: G::NAME,
        network: weights.shape.to_string(),
        parameters: weights.count(),
        hash: format!("{:016x}", weights.hash()),
    };
    if arguments.json {
        return print_json(&written);
    }
    print_line(&format!(
        "{}: {} of {} bytes, {} network of {} with {} numbers, hash {}",
        written.path,
        written.format,
        written.bytes,
        written.network,
        written.game,
        written.parameters,
        written.hash
    ))
}
