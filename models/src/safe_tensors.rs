//! A network's matrices with their names as a `safetensors` file, which most libraries of the field read.
//!
//! Every matrix of [`Shape::matrices`](crate::Shape::matrices) is a tensor `[rows, columns]` of 32-bit floating-point
//! numbers. The metadata tell what they are of; `docs/encoding.md` how they are used.

use std::collections::HashMap;

use safetensors::tensor::{Dtype, TensorView, serialize};

use crate::encoding::Encode;
use crate::identity::identity;
use crate::weights::Weights;

/// The bytes of the file.
///
/// # Errors
///
/// If the network is not one for `G`.
pub fn export<G: Encode>(weights: &Weights) -> Result<Vec<u8>, String> {
    weights.check(G::sizes())?;
    let matrices = weights.shape.matrices(G::sizes());
    let bytes: Vec<Vec<u8>> = weights
        .iter()
        .map(|numbers| numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
        .collect();
    let views = matrices.iter().zip(&bytes).map(|(matrix, bytes)| {
        let view = TensorView::new(Dtype::F32, matrix.dimensions().to_vec(), bytes);
        Ok((matrix.name.as_str(), view.map_err(|error| format!("{}: {error}", matrix.name))?))
    });
    let views: Vec<_> = views.collect::<Result<_, String>>()?;
    let metadata: HashMap<_, _> =
        identity::<G>(weights).into_iter().map(|(name, text)| (name.into(), text)).collect();
    serialize(views, Some(metadata)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use camelot_core::{Cam, Patience, Position};
    use safetensors::SafeTensors;

    use super::*;
    use crate::{ResidualShape, Shape, SparseShape};

    fn check<G: Encode>(shape: impl Into<Shape>) {
        let weights = Weights::random(G::sizes(), shape, 5);
        let file = export::<G>(&weights).unwrap();
        let read = SafeTensors::deserialize(&file).unwrap();
        let matrices = weights.shape.matrices(G::sizes());
        assert_eq!(read.len(), matrices.len());
        for (matrix, numbers) in matrices.iter().zip(weights.iter()) {
            let tensor = read.tensor(&matrix.name).unwrap();
            assert_eq!(tensor.shape(), matrix.dimensions());
            let found = tensor.data().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
            assert!(found.eq(numbers.iter().copied()), "{}", matrix.name);
        }
        let metadata = SafeTensors::read_metadata(&file).unwrap().1.metadata().clone().unwrap();
        assert_eq!((metadata["game"].as_str(), metadata["encoding"].as_str()), (G::NAME, "2"));
    }

    #[test]
    fn every_matrix_is_written_under_its_name() {
        check::<Position<Cam>>(SparseShape { accumulator: 32, hidden: 32, policy: 32 });
        check::<Patience>(SparseShape { accumulator: 64, hidden: 32, policy: 32 });
        check::<Position<Cam>>(ResidualShape { blocks: 1, channels: 32, hidden: 32, policy: 32 });
    }
}
