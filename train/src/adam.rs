//! burn's `AdamW` over the matrices of a network, with a state that goes to the host and back unchanged.

use burn::optim::{AdamW, AdamWConfig, AdamWState, AdaptiveMomentumState, Optimizer};
use burn::tensor::{Device, Tensor, TensorData};
use camelot_models::checkpoint::OptimizerState;
use camelot_models::encoding::Sizes;
use camelot_models::weights::{Parameter, Weights};

/// Kept out of the way of small gradients: the value of Kingma and Ba 2015, not burn's larger one.
const EPSILON: f32 = 1e-8;

/// The optimizer (Loshchilov and Hutter 2019, algorithm 2). Decay applies to matrices, not to biases.
#[derive(Clone)]
pub(crate) struct Adam {
    decaying: AdamW,
    plain: AdamW,
    sizes: Sizes,
    /// In the order of [`Parameter::ALL`]; none before the first step.
    states: Vec<Option<AdamWState<2>>>,
}

impl Adam {
    /// An optimizer that goes on from `state`.
    pub(crate) fn new(weight_decay: f32, sizes: Sizes, state: Option<&OptimizerState>) -> Self {
        let config = || AdamWConfig::new().with_epsilon(EPSILON);
        let states = Parameter::ALL.map(|parameter| {
            state.map(|state| AdamWState {
                momentum: AdaptiveMomentumState {
                    time: state.steps as usize,
                    moment_1: to_tensor(&state.first, parameter, sizes),
                    moment_2: to_tensor(&state.second, parameter, sizes),
                    max_moment_2: None,
                },
            })
        });
        Self {
            decaying: config().with_weight_decay(weight_decay).build(),
            plain: config().with_weight_decay(0.0).build(),
            sizes,
            states: states.into(),
        }
    }

    /// Steps taken.
    pub(crate) fn steps(&self) -> u64 {
        self.states[0].as_ref().map_or(0, |state| state.momentum.time as u64)
    }

    /// Changes `weights` by one step along `gradients`, which have the same order and sizes.
    pub(crate) fn step(&mut self, weights: &mut Weights, gradients: Vec<Vec<f32>>, learning_rate: f64) {
        for ((parameter, gradient), state) in Parameter::ALL.into_iter().zip(gradients).zip(&mut self.states)
        {
            let optimizer = if parameter.decays() { &self.decaying } else { &self.plain };
            let tensor = to_tensor(weights, parameter, self.sizes);
            let dimensions = parameter.dimensions(self.sizes, weights.shape);
            let gradient = Tensor::from_data(TensorData::new(gradient, dimensions), &Device::flex());
            let (tensor, next) = optimizer.step(learning_rate, tensor, gradient, state.take());
            *state = next;
            weights.get_mut(parameter).copy_from_slice(&to_host(tensor));
        }
    }

    /// The state for a checkpoint; none before the first step. `like` gives the widths.
    pub(crate) fn state(&self, like: &Weights) -> Option<OptimizerState> {
        let mut first = Weights::zeros(self.sizes, like.shape);
        let mut second = first.clone();
        for (parameter, state) in Parameter::ALL.into_iter().zip(&self.states) {
            let momentum = &state.as_ref()?.momentum;
            first.get_mut(parameter).copy_from_slice(&to_host(momentum.moment_1.clone()));
            second.get_mut(parameter).copy_from_slice(&to_host(momentum.moment_2.clone()));
        }
        Some(OptimizerState { steps: self.steps(), first, second })
    }
}

fn to_tensor(weights: &Weights, parameter: Parameter, sizes: Sizes) -> Tensor<2> {
    let dimensions = parameter.dimensions(sizes, weights.shape);
    Tensor::from_data(TensorData::new(weights.get(parameter).to_vec(), dimensions), &Device::flex())
}

/// The numbers of a tensor, row by row.
pub(crate) fn to_host(tensor: Tensor<2>) -> Vec<f32> {
    tensor.try_into_vec_as().expect("flex tensors of f32 lie in this process's memory")
}
