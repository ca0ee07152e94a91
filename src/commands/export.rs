//! `camelot export`: a network as an ONNX model.

use std::path::Path;

use anyhow::Context;
use camelot_models::files::write_atomically;
use camelot_models::{Checkpoint, Encode, onnx};
use camelot_selfplay::players::network_path;

use crate::arguments::{ExportArguments, ExportFormat};
use crate::failure::Failure;
use crate::games::{parse_name, with_game};

pub(crate) fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let path = network_path(&arguments.network)?;
    let game = Checkpoint::load(&path)?.game;
    let game =
        parse_name(&game).map_err(|why| Failure::error(format!("checkpoint {}: {why}", path.display())))?;
    with_game!(game, G => write::<G>(&path, arguments))
}

/// Writes the weights that play.
fn write<G: Encode>(path: &Path, arguments: &ExportArguments) -> Result<(), Failure> {
    let weights = Checkpoint::load_for::<G>(path)?.into_player();
    let ExportFormat::Onnx = arguments.format;
    let model = onnx::export(&weights, G::sizes())
        .map_err(|why| Failure::error(format!("checkpoint {}: {why}", path.display())))?;
    write_atomically(&arguments.output, &model).with_context(|| arguments.output.display().to_string())?;
    Ok(())
}
