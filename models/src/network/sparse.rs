//! The sparse network in burn.
//!
//! With active features `F`, embeddings `e` of an action's origin, target, style and captures:
//!
//! ```text
//! a = relu(b_in + Σ_{f∈F} W_in[f])            [batch, accumulator]
//! value logits = relu(a·W_h + b_h)·W_v + b_v   [batch, 3]           win, draw, loss
//! p = a·W_p + b_p                              [batch, policy]
//! logit(action) = p · relu(Σ e)                one a legal action
//! ```
//!
//! The first layer is that of an NNUE (Nasu 2018); the policy scores only legal actions.

use burn::tensor::Tensor;
use burn::tensor::activation::relu;

use super::{Batch, Logits, Network};
use crate::weights::sparse::Parameter;

impl Network {
    pub(super) fn sparse(&self, batch: &Batch) -> Logits {
        let accumulator = relu(
            self.inputs(batch).matmul(self.get(Parameter::InputWeight)) + self.get(Parameter::InputBias),
        );
        let hidden = relu(
            accumulator.clone().matmul(self.get(Parameter::HiddenWeight)) + self.get(Parameter::HiddenBias),
        );
        let value = hidden.matmul(self.get(Parameter::ValueWeight)) + self.get(Parameter::ValueBias);
        let policy = accumulator.matmul(self.get(Parameter::PolicyWeight)) + self.get(Parameter::PolicyBias);
        Logits { logits: self.sparse_policy(batch, policy), value }
    }

    /// `[size, inputs]`, 1 where a feature is active.
    fn inputs(&self, batch: &Batch) -> Tensor<2> {
        let width = self.sizes.inputs;
        let mut inputs = vec![0.0; batch.size * width];
        for (row, features) in inputs.chunks_exact_mut(width).zip(batch.features()) {
            for &feature in features {
                row[usize::from(feature)] = 1.0;
            }
        }
        self.matrix(inputs, [batch.size, width])
    }

    fn sparse_policy(&self, batch: &Batch, policy: Tensor<2>) -> Tensor<1> {
        let mut embedding = self.rows(Parameter::Origin, &batch.origins)
            + self.rows(Parameter::Target, &batch.targets)
            + self.rows(Parameter::Style, &batch.styles);
        if !batch.captures.is_empty() {
            let captures = self.rows(Parameter::Capture, &batch.captures);
            embedding = self.add_captures(batch, embedding, captures);
        }
        let weights = policy.select(0, self.indices(&batch.position_of));
        (relu(embedding) * weights).sum_dim(1).squeeze_dim(1)
    }
}
