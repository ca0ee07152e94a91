//! Checks `[network]`: each architecture has keys of its own.

use camelot_models::shape::{self, LANES};
use camelot_models::{Encode, ResidualShape, Shape, Sizes, SparseShape};

use super::Raw;
use super::check::{between, within};
use super::raw::Architecture;
use crate::failure::Failure;
use crate::games::{NAMES, with_game};

/// The network that the keys describe, if the game can have it.
pub(super) fn check(raw: &Raw) -> Result<Shape, String> {
    let keys = raw.network;
    let shape: Shape = match keys.architecture {
        Architecture::Sparse => {
            absent("blocks", keys.blocks, "sparse")?;
            absent("channels", keys.channels, "sparse")?;
            let most = SparseShape::MAX_WIDTH;
            SparseShape {
                accumulator: width("accumulator", present("accumulator", keys.accumulator, "sparse")?, most)?,
                hidden: width("hidden", keys.hidden, most)?,
                policy: width("policy", keys.policy, most)?,
            }
            .into()
        }
        Architecture::Residual => {
            absent("accumulator", keys.accumulator, "residual")?;
            let most = ResidualShape::MAX_WIDTH;
            let blocks = present("blocks", keys.blocks, "residual")?;
            ResidualShape {
                blocks: within("network.blocks", blocks, between(1, ResidualShape::MAX_BLOCKS))?,
                channels: width("channels", present("channels", keys.channels, "residual")?, most)?,
                hidden: width("hidden", keys.hidden, most)?,
                policy: width("policy", keys.policy, most)?,
            }
            .into()
        }
    };
    let sizes = sizes(&raw.game)?;
    shape.check(sizes).map_err(|why| {
        format!("configuration key `network.architecture` is {}: {why}", shape.architecture())
    })?;
    Ok(shape)
}

fn sizes(game: &str) -> Result<Sizes, String> {
    let sizes: Result<Sizes, Failure> = with_game!(game, G => Ok(G::sizes()));
    sizes.map_err(|_| format!("configuration key `game` is {game}: expected one of {}", NAMES.join(", ")))
}

fn width(key: &str, value: usize, most: usize) -> Result<usize, String> {
    if shape::allows(value, most) {
        return Ok(value);
    }
    Err(format!("configuration key `network.{key}` is {value}: expected a multiple of {LANES} up to {most}"))
}

/// A key that the architecture must have.
fn present(key: &str, value: Option<usize>, architecture: &str) -> Result<usize, String> {
    value.ok_or_else(|| {
        format!("configuration key `network.{key}` is missing: {architecture} networks need it")
    })
}

/// A key that the architecture does not know.
fn absent(key: &str, value: Option<usize>, architecture: &str) -> Result<(), String> {
    match value {
        None => Ok(()),
        Some(value) => Err(format!(
            "configuration key `network.{key}` is {value}: expected none, {architecture} networks do not have it"
        )),
    }
}
