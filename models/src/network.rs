//! The networks in burn, for training and for devices that search has no code of its own for.
//!
//! Both architectures give, for a position, three logits of a win, a draw and a loss, and one logit for
//! each legal action; what lies between stands in their own modules and in `docs/encoding.md`.

mod batch;
mod residual;
mod sparse;

use burn::tensor::activation::log_softmax;
use burn::tensor::{Device, IndexingUpdateOp, Int, Tensor, TensorData};

use crate::encoding::Sizes;
use crate::shape::Shape;
use crate::weights::Weights;

pub use batch::Batch;

/// What the network says of a batch.
#[derive(Debug)]
pub struct Output {
    /// Logarithms of the policy, `[size, width]`; padded cells are very negative.
    pub log_policy: Tensor<2>,
    /// Logits of the actions, `[size, width]`, padded cells very negative.
    pub logits: Tensor<2>,
    /// Logarithms of win, draw and loss, `[size, 3]`.
    pub log_wdl: Tensor<2>,
}

/// A network's tensors on a device, in the order of [`Shape::matrices`].
#[derive(Clone, Debug)]
pub struct Network {
    tensors: Vec<Tensor<2>>,
    shape: Shape,
    sizes: Sizes,
    device: Device,
}

impl Network {
    /// Puts weights on a device. With an autodiff device, gradients reach every tensor.
    #[must_use]
    pub fn new(weights: &Weights, sizes: Sizes, device: &Device) -> Self {
        let tensors = weights
            .shape
            .matrices(sizes)
            .iter()
            .zip(weights.iter())
            .map(|(matrix, numbers)| {
                let data = TensorData::new(numbers.to_vec(), matrix.dimensions());
                let tensor = Tensor::from_data(data, device);
                if device.is_autodiff() { tensor.require_grad() } else { tensor }
            })
            .collect();
        Self { tensors, shape: weights.shape, sizes, device: device.clone() }
    }

    /// The tensors, in the order of [`Shape::matrices`].
    #[must_use]
    pub fn tensors(&self) -> &[Tensor<2>] {
        &self.tensors
    }

    fn get(&self, matrix: impl Into<usize>) -> Tensor<2> {
        self.tensors[matrix.into()].clone()
    }

    /// Rows of a matrix.
    fn rows(&self, matrix: impl Into<usize>, indices: &[i32]) -> Tensor<2> {
        self.get(matrix).select(0, self.indices(indices))
    }

    fn indices(&self, numbers: &[i32]) -> Tensor<1, Int> {
        Tensor::from_data(TensorData::new(numbers.to_vec(), [numbers.len()]), &self.device)
    }

    fn matrix(&self, numbers: Vec<f32>, dimensions: [usize; 2]) -> Tensor<2> {
        Tensor::from_data(TensorData::new(numbers, dimensions), &self.device)
    }

    /// Adds a row for each captured piece to the embedding of its action.
    fn add_captures(&self, batch: &Batch, embedding: Tensor<2>, captures: Tensor<2>) -> Tensor<2> {
        let actions = self.indices(&batch.capture_actions);
        embedding.select_assign(0, actions, captures, IndexingUpdateOp::Add)
    }

    /// Runs the network over a batch, which must not be empty.
    #[must_use]
    pub fn forward(&self, batch: &Batch) -> Output {
        let answer = match self.shape {
            Shape::Sparse(_) => self.sparse(batch),
            Shape::Residual(shape) => self.residual(shape, batch),
        };
        let (index, mask) = batch.padding();
        let cells = [batch.size, batch.width()];
        let padded: Tensor<2> = answer.logits.select(0, self.indices(&index)).reshape(cells);
        let logits = padded + self.matrix(mask, cells);
        Output { log_policy: log_softmax(logits.clone(), 1), logits, log_wdl: log_softmax(answer.value, 1) }
    }
}

/// The logits of a batch before they are laid out.
struct Logits {
    /// One a legal action, position after position.
    logits: Tensor<1>,
    /// `[size, 3]`.
    value: Tensor<2>,
}
