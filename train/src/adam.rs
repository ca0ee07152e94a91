//! burn's `AdamW` over the matrices of a network, with a state that goes to the host and back unchanged.

use burn::optim::{AdamW, AdamWConfig, AdamWState, AdaptiveMomentumState, Optimizer};
use burn::tensor::{Device, Tensor, TensorData};
use camelot_models::checkpoint::OptimizerState;
use camelot_models::weights::{Matrix, Weights};

/// Kept out of the way of small gradients: the value of Kingma and Ba 2015, not burn's larger one.
const EPSILON: f32 = 1e-8;

/// The optimizer (Loshchilov and Hutter 2019, algorithm 2). Decay applies to matrices, not to biases.
#[derive(Clone)]
pub(crate) struct Adam {
    decaying: AdamW,
    plain: AdamW,
    /// The matrices of the network.
    matrices: Vec<Matrix>,
    /// One for each matrix; none before the first step.
    states: Vec<Option<AdamWState<2>>>,
}

impl Adam {
    /// An optimizer of a network with these matrices that goes on from `state`.
    pub(crate) fn new(weight_decay: f32, matrices: Vec<Matrix>, state: Option<&OptimizerState>) -> Self {
        let config = || AdamWConfig::new().with_epsilon(EPSILON);
        let momentum = |index: usize, matrix, state: &OptimizerState| AdaptiveMomentumState {
            time: state.steps as usize,
            moment_1: to_tensor(state.first.get(index), matrix),
            moment_2: to_tensor(state.second.get(index), matrix),
            max_moment_2: None,
        };
        let of_matrix = |(index, matrix)| Some(AdamWState { momentum: momentum(index, matrix, state?) });
        Self {
            decaying: config().with_weight_decay(weight_decay).build(),
            plain: config().with_weight_decay(0.0).build(),
            states: matrices.iter().enumerate().map(of_matrix).collect(),
            matrices,
        }
    }

    /// Steps taken.
    pub(crate) fn steps(&self) -> u64 {
        self.states[0].as_ref().map_or(0, |state| state.momentum.time as u64)
    }

    /// Changes `weights` by one step along `gradients`, which have the same order and sizes.
    pub(crate) fn step(&mut self, weights: &mut Weights, gradients: Vec<Vec<f32>>, learning_rate: f64) {
        let matrices = self.matrices.iter().zip(&mut self.states);
        for (index, (gradient, (matrix, state))) in gradients.into_iter().zip(matrices).enumerate() {
            let optimizer = if matrix.decays { &self.decaying } else { &self.plain };
            let tensor = to_tensor(weights.get(index), matrix);
            let (tensor, next) =
                optimizer.step(learning_rate, tensor, to_tensor(&gradient, matrix), state.take());
            *state = next;
            weights.get_mut(index).copy_from_slice(&to_host(tensor));
        }
    }

    /// The state for a checkpoint; none before the first step. `like` has the same matrices.
    pub(crate) fn state(&self, like: &Weights) -> Option<OptimizerState> {
        let (mut first, mut second) = (like.clone(), like.clone());
        for (index, state) in self.states.iter().enumerate() {
            let momentum = &state.as_ref()?.momentum;
            first.get_mut(index).copy_from_slice(&to_host(momentum.moment_1.clone()));
            second.get_mut(index).copy_from_slice(&to_host(momentum.moment_2.clone()));
        }
        Some(OptimizerState { steps: self.steps(), first, second })
    }
}

fn to_tensor(numbers: &[f32], matrix: &Matrix) -> Tensor<2> {
    Tensor::from_data(TensorData::new(numbers.to_vec(), matrix.dimensions()), &Device::flex())
}

/// The numbers of a tensor of any device, row by row.
pub(crate) fn to_host(tensor: Tensor<2>) -> Vec<f32> {
    tensor.try_into_vec_as().expect("a tensor of f32 can be read")
}
