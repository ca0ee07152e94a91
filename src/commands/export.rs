//! `camelot export`: a network as a bundle, as plain tensors, or as an ONNX model.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use camelot_models::bundle::Bundle;
use camelot_models::encoding::ENCODING_VERSION;
use camelot_models::files::write_atomically;
use camelot_models::onnx::Dimension;
use camelot_models::{Encode, Stored, Weights, onnx, safe_tensors};
use camelot_selfplay::players::network_path;
use serde::Serialize;

use super::{print_json, print_line};
use crate::arguments::{ExportArguments, ExportFormat};
use crate::failure::Failure;
use crate::games::{parse_name, with_game};
use crate::run_folder;

/// The terms of a bundle where nobody has stated any.
const NO_TERMS: &str = "none stated";

/// What was written.
#[derive(Debug, Serialize)]
struct Written {
    path: String,
    format: &'static str,
    bytes: u64,
    game: &'static str,
    /// The version of the encoding.
    encoding: u32,
    network: String,
    /// Numbers in the network.
    parameters: usize,
    /// Of the weights, as records name them.
    hash: String,
    /// The dimensions of what the file holds by name: matrices, or a model's inputs and outputs.
    shapes: BTreeMap<String, Vec<Size>>,
}

/// A dimension: a number, or the name of one that may be any.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Size {
    Fixed(usize),
    Any(&'static str),
}

pub(crate) fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    if arguments.licence.as_ref().is_some_and(|licence| licence.contains(['\n', '\r'])) {
        return Err(Failure::usage("--licence: expected one line"));
    }
    let path = network_path(&arguments.network)?;
    let stored = Stored::load(&path)?;
    let game =
        parse_name(stored.game()).map_err(|why| Failure::error(format!("{}: {why}", path.display())))?;
    with_game!(game, G => export::<G>(&path, stored, arguments))
}

/// Writes the weights that play, and says what was written.
fn export<G: Encode>(path: &Path, stored: Stored, arguments: &ExportArguments) -> Result<(), Failure> {
    let bad = |why| Failure::error(format!("{}: {why}", path.display()));
    let output = &arguments.output;
    let write = |bytes: &[u8]| write_atomically(output, bytes).with_context(|| output.display().to_string());
    let (format, weights) = match arguments.format {
        ExportFormat::Onnx => {
            let weights = stored.into_player::<G>(path)?;
            write(&onnx::export::<G>(&weights).map_err(bad)?)?;
            ("onnx", weights)
        }
        ExportFormat::Safetensors => {
            let weights = stored.into_player::<G>(path)?;
            write(&safe_tensors::export::<G>(&weights).map_err(bad)?)?;
            ("safetensors", weights)
        }
        ExportFormat::Bundle => {
            let bundle = bundle::<G>(path, stored, arguments.licence.clone())?;
            bundle.save(output)?;
            ("bundle", bundle.weights)
        }
    };
    say::<G>(arguments, format, &weights)
}

/// A network as a bundle: that of a checkpoint with the configuration of its run, or a bundle as it is, under other
/// terms if they are stated.
fn bundle<G: Encode>(path: &Path, stored: Stored, licence: Option<String>) -> Result<Bundle, Failure> {
    stored.check::<G>(path)?;
    Ok(match stored {
        Stored::Checkpoint(checkpoint) => {
            Bundle::new(*checkpoint, configuration_of(path), licence.unwrap_or_else(|| NO_TERMS.into()))
        }
        Stored::Bundle(bundle) => {
            let licence = licence.unwrap_or_else(|| bundle.licence.clone());
            Bundle { licence, ..*bundle }
        }
    })
}

/// The configuration of the run that a checkpoint lies in; empty if it lies elsewhere.
fn configuration_of(checkpoint: &Path) -> String {
    let run = checkpoint.parent().and_then(Path::parent);
    let stored = run.and_then(|run| run_folder::stored_config(run).ok());
    stored.and_then(|raw| toml::to_string(&raw).ok()).unwrap_or_default()
}

/// The dimensions of what a file of a format holds.
fn shapes<G: Encode>(format: ExportFormat, weights: &Weights) -> BTreeMap<String, Vec<Size>> {
    let size = |dimension: &Dimension| match *dimension {
        Dimension::Fixed(size) => Size::Fixed(size),
        Dimension::Any(name) => Size::Any(name),
    };
    match format {
        ExportFormat::Onnx => {
            let ports = onnx::inputs(G::sizes()).into_iter().chain(onnx::outputs());
            ports.map(|port| (port.name.into(), port.dimensions.iter().map(size).collect())).collect()
        }
        ExportFormat::Safetensors | ExportFormat::Bundle => {
            let matrices = weights.shape.matrices(G::sizes()).into_iter();
            matrices.map(|it| (it.name.clone(), it.dimensions().map(Size::Fixed).into())).collect()
        }
    }
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
        encoding: ENCODING_VERSION,
        network: weights.shape.to_string(),
        parameters: weights.count(),
        hash: format!("{:016x}", weights.hash()),
        shapes: shapes::<G>(arguments.format, weights),
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
