//! The network in burn, for training.
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

use burn::tensor::activation::{log_softmax, relu};
use burn::tensor::{Device, IndexingUpdateOp, Int, Tensor, TensorData};

use crate::encoding::{Encoded, Sizes};
use crate::weights::{Parameter, Weights};

/// A logit that no legal action has: pads the rows of a batch.
const MASKED_LOGIT: f32 = -1e9;

/// Positions and their actions, gathered for one pass.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Positions.
    pub size: usize,
    /// `[size, inputs]`, 1 where a feature is active.
    inputs: Vec<f32>,
    /// A row index for each action of each position.
    position_of: Vec<i32>,
    origins: Vec<i32>,
    targets: Vec<i32>,
    styles: Vec<i32>,
    /// For each captured piece: the action, and its row of the capture table.
    capture_actions: Vec<i32>,
    captures: Vec<i32>,
    /// How many actions each position has.
    action_counts: Vec<usize>,
}

impl Batch {
    /// Adds one position with its actions.
    pub fn push(&mut self, encoded: &Encoded, sizes: Sizes) {
        let row = self.inputs.len();
        self.inputs.resize(row + sizes.inputs, 0.0);
        for &feature in &encoded.features {
            self.inputs[row + usize::from(feature)] = 1.0;
        }
        for (i, action) in encoded.actions.iter().enumerate() {
            let index = self.origins.len() as i32;
            self.position_of.push(self.size as i32);
            self.origins.push(i32::from(action.origin));
            self.targets.push(i32::from(action.target));
            self.styles.push(i32::from(action.style));
            for &capture in encoded.captures_of(i) {
                self.capture_actions.push(index);
                self.captures.push(i32::from(capture));
            }
        }
        self.action_counts.push(encoded.actions.len());
        self.size += 1;
    }

    /// The most actions that a position has: the width of the padded policy.
    #[must_use]
    pub fn width(&self) -> usize {
        self.action_counts.iter().copied().max().unwrap_or(0)
    }

    /// Lays one number an action, position after position, out in padded rows `[size, width]`.
    #[must_use]
    pub fn pad(&self, numbers: &[f32]) -> Vec<f32> {
        let width = self.width();
        let mut padded = vec![0.0; self.size * width];
        let mut start = 0;
        for (row, &count) in self.action_counts.iter().enumerate() {
            padded[row * width..][..count].copy_from_slice(&numbers[start..start + count]);
            start += count;
        }
        padded
    }

    /// For each cell of the padded policy its action, and what to add to its logit.
    fn padding(&self) -> (Vec<i32>, Vec<f32>) {
        let width = self.width();
        let mut index = vec![0; self.size * width];
        let mut mask = vec![MASKED_LOGIT; self.size * width];
        let mut action = 0;
        for (row, &count) in self.action_counts.iter().enumerate() {
            for cell in row * width..row * width + count {
                index[cell] = action;
                mask[cell] = 0.0;
                action += 1;
            }
        }
        (index, mask)
    }
}

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

/// The network's tensors on a device, in the order of [`Parameter::ALL`].
#[derive(Clone, Debug)]
pub struct Network {
    tensors: Vec<Tensor<2>>,
    device: Device,
}

impl Network {
    /// Puts weights on a device. With an autodiff device, gradients reach every tensor.
    #[must_use]
    pub fn new(weights: &Weights, sizes: Sizes, device: &Device) -> Self {
        let tensors = Parameter::ALL
            .into_iter()
            .map(|parameter| {
                let dimensions = parameter.dimensions(sizes, weights.shape);
                let data = TensorData::new(weights.get(parameter).to_vec(), dimensions);
                let tensor = Tensor::from_data(data, device);
                if device.is_autodiff() { tensor.require_grad() } else { tensor }
            })
            .collect();
        Self { tensors, device: device.clone() }
    }

    /// The tensors, in the order of [`Parameter::ALL`].
    #[must_use]
    pub fn tensors(&self) -> &[Tensor<2>] {
        &self.tensors
    }

    fn get(&self, parameter: Parameter) -> Tensor<2> {
        self.tensors[parameter as usize].clone()
    }

    fn indices(&self, numbers: &[i32]) -> Tensor<1, Int> {
        Tensor::from_data(TensorData::new(numbers.to_vec(), [numbers.len()]), &self.device)
    }

    /// Runs the network over a batch, which must not be empty.
    #[must_use]
    pub fn forward(&self, batch: &Batch) -> Output {
        let sizes = [batch.size, batch.inputs.len() / batch.size];
        let inputs = Tensor::<2>::from_data(TensorData::new(batch.inputs.clone(), sizes), &self.device);
        let accumulator =
            relu(inputs.matmul(self.get(Parameter::InputWeight)) + self.get(Parameter::InputBias));
        let hidden = relu(
            accumulator.clone().matmul(self.get(Parameter::HiddenWeight)) + self.get(Parameter::HiddenBias),
        );
        let wdl = hidden.matmul(self.get(Parameter::ValueWeight)) + self.get(Parameter::ValueBias);
        let policy = accumulator.matmul(self.get(Parameter::PolicyWeight)) + self.get(Parameter::PolicyBias);
        let logits = self.action_logits(batch, policy);
        Output { log_policy: log_softmax(logits.clone(), 1), logits, log_wdl: log_softmax(wdl, 1) }
    }

    fn action_logits(&self, batch: &Batch, policy: Tensor<2>) -> Tensor<2> {
        let rows = |parameter, indices: &[i32]| self.get(parameter).select(0, self.indices(indices));
        let mut embedding = rows(Parameter::Origin, &batch.origins)
            + rows(Parameter::Target, &batch.targets)
            + rows(Parameter::Style, &batch.styles);
        if !batch.captures.is_empty() {
            embedding = embedding.select_assign(
                0,
                self.indices(&batch.capture_actions),
                rows(Parameter::Capture, &batch.captures),
                IndexingUpdateOp::Add,
            );
        }
        let weights = policy.select(0, self.indices(&batch.position_of));
        let logits: Tensor<1> = (relu(embedding) * weights).sum_dim(1).squeeze_dim(1);
        let (index, mask) = batch.padding();
        let cells = [batch.size, batch.width()];
        let padded: Tensor<2> = logits.select(0, self.indices(&index)).reshape(cells);
        padded + Tensor::<2>::from_data(TensorData::new(mask, cells), &self.device)
    }
}
