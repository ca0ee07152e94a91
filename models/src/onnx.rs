//! Networks as ONNX models, for other programs and for other engines.
//!
//! A model is complete: it takes features and the rows of actions ([`inputs`]) and gives the value and a logit for
//! each action ([`outputs`]), alike for both architectures. `docs/encoding.md` says what they hold. For engines that
//! are compared with our own there is the residual network without the scoring of actions ([`export_for_engine`]).

mod actions;
mod graph;
mod interface;
mod proto;
mod residual;
mod sparse;

pub use interface::{Dimension, Kind, Port, inputs, outputs};

use interface::POSITIONS;
use proto::int;
use residual::Builder;

use crate::encoding::{Encode, Sizes};
use crate::identity::identity;
use crate::shape::Shape;
use crate::weights::Weights;

/// Whether cells off the board are kept at zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Masks {
    /// They are, as the network is defined.
    Applied,
    /// They are not: another function with the same products, to see what the masks cost.
    LeftOut,
}

/// The bytes of an ONNX file with the whole network, whose metadata say what it is.
///
/// # Errors
///
/// If the network is not one for `G`.
pub fn export<G: Encode>(weights: &Weights) -> Result<Vec<u8>, String> {
    let sizes = G::sizes();
    weights.check(sizes)?;
    let mut graph = match weights.shape {
        Shape::Sparse(shape) => sparse::build(weights, shape, sizes),
        Shape::Residual(shape) => Builder::new(weights, shape, sizes, Masks::Applied).complete(),
    };
    graph.node("Softmax", &["value"], "wdl", &[int("axis", 1)]);
    Ok(graph.into_file(&inputs(sizes), &outputs(), &identity::<G>(weights)))
}

/// The bytes of an ONNX file for an engine.
///
/// Inputs, with any number of positions as the first dimension: `planes`, `[n, planes, rows, columns]`, and
/// `scalars`, `[n, scalars]`. Outputs: `value`, `[n, 3]`, logits; `maps`, `[n, squares, 3 policy]`, for each square
/// what it adds to an action that leaves it, reaches it, captures on it; and `everywhere`, `[n, policy]`.
///
/// # Errors
///
/// If the network is not a residual one, or not of a game with `sizes`.
pub fn export_for_engine(weights: &Weights, sizes: Sizes, masks: Masks) -> Result<Vec<u8>, String> {
    weights.check(sizes)?;
    let (Shape::Residual(shape), Some(grid)) = (weights.shape, sizes.grid) else {
        return Err(format!("a {} network: expected a residual one", weights.shape));
    };
    let port = |name, dimensions: &[usize]| {
        let fixed = dimensions.iter().map(|&size| Dimension::Fixed(size));
        let dimensions: Vec<_> = std::iter::once(POSITIONS).chain(fixed).collect();
        Port::new(name, Kind::Float, &dimensions)
    };
    let inputs = [
        port("planes", &[grid.planes, grid.rows, grid.columns]),
        port("scalars", &[sizes.inputs - grid.square_features()]),
    ];
    let outputs = [
        port("value", &[3]),
        port("maps", &[grid.squares(), 3 * shape.policy]),
        port("everywhere", &[shape.policy]),
    ];
    let graph = Builder::new(weights, shape, sizes, masks).up_to_maps();
    Ok(graph.into_file(&inputs, &outputs, &[]))
}

#[cfg(test)]
mod tests {
    use camelot_core::{Cam, Patience, Position};

    use super::*;
    use crate::{ResidualShape, SparseShape};

    const SPARSE: SparseShape = SparseShape { accumulator: 64, hidden: 32, policy: 32 };

    fn check<G: Encode>(shape: impl Into<Shape>) {
        let weights = Weights::random(G::sizes(), shape, 1);
        let bytes = export::<G>(&weights).unwrap();
        // The format's version comes first; the numbers make up nearly all of the rest.
        assert_eq!(bytes[..2], [0x08, graph::FORMAT as u8]);
        assert!(bytes.len() > 4 * weights.count() && bytes.len() < 5 * weights.count(), "{}", bytes.len());
        for (_, text) in identity::<G>(&weights) {
            assert!(bytes.windows(text.len()).any(|window| window == text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn both_architectures_are_written_with_what_they_are() {
        check::<Position<Cam>>(SPARSE);
        check::<Patience>(SPARSE);
        check::<Position<Cam>>(ResidualShape { blocks: 2, channels: 32, hidden: 32, policy: 32 });
    }

    #[test]
    fn engines_get_residual_networks_without_tables() {
        type G = Position<Cam>;
        let sizes = G::sizes();
        let shape = ResidualShape { blocks: 2, channels: 32, hidden: 32, policy: 32 };
        let weights = Weights::random(sizes, shape, 1);
        let engine = |masks| export_for_engine(&weights, sizes, masks).unwrap().len();
        assert!(engine(Masks::LeftOut) < engine(Masks::Applied));
        assert!(engine(Masks::Applied) < export::<G>(&weights).unwrap().len());
        let error = export_for_engine(&Weights::random(sizes, SPARSE, 1), sizes, Masks::Applied).unwrap_err();
        assert!(error.contains("expected a residual one"), "{error}");
    }

    #[test]
    fn a_network_of_another_game_is_refused() {
        let weights = Weights::random(Patience::sizes(), SPARSE, 1);
        assert!(export::<Position<Cam>>(&weights).is_err());
    }
}
