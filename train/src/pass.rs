//! One forward and backward pass over a part of a batch: losses and gradients.

use burn::tensor::{Device, Tensor, TensorData};
use camelot_core::record::sorted_actions;
use camelot_models::encoding::{Encode, Encoded, Mirror};
use camelot_models::network::{Batch, Network, Output};
use camelot_models::weights::Weights;

use crate::adam::to_host;
use crate::learner::LearnerConfig;
use crate::sample::Sample;

/// A sample and the side it is looked at from.
pub(crate) type Viewed<'a, G> = (&'a Sample<G>, Mirror);

/// Sums over the samples of a pass.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    /// Divergence of the policy from its target.
    pub(crate) policy: f64,
    /// Cross entropy of the value with its target.
    pub(crate) value: f64,
    /// Divergence of the value from its target.
    pub(crate) value_divergence: f64,
    /// Entropy of the policy.
    pub(crate) policy_entropy: f64,
    /// Entropy of the policy's target.
    pub(crate) target_entropy: f64,
}

/// What a pass yields.
#[derive(Debug)]
pub(crate) struct Pass {
    pub(crate) sums: Sums,
    /// Gradients of the pass's share of the batch's mean loss, in the order of
    /// [`camelot_models::Shape::matrices`]; empty where the pass did not touch a matrix.
    pub(crate) gradients: Vec<Vec<f32>>,
}

/// A batch with what it should come to.
#[derive(Default)]
struct Lesson {
    batch: Batch,
    /// The target of the policy, one probability an action.
    policy: Vec<f32>,
    /// How many of them belong to each position.
    counts: Vec<usize>,
    /// The targets of win, draw and loss.
    wdl: Vec<f32>,
}

impl Lesson {
    fn new<G: Encode>(samples: &[Viewed<'_, G>], search_value_share: f32) -> Self {
        let mut lesson = Self::default();
        let mut encoded = Encoded::default();
        for (sample, mirror) in samples {
            sample.position.encode(*mirror, &sorted_actions(&sample.position), &mut encoded);
            lesson.batch.push(&encoded);
            let total: f32 = sample.policy.iter().map(|&weight| f32::from(weight)).sum();
            lesson.policy.extend(sample.policy.iter().map(|&weight| f32::from(weight) / total));
            lesson.counts.push(sample.policy.len());
            lesson.wdl.extend(value_target(sample, search_value_share));
        }
        lesson
    }
}

/// The search's shares mixed with the game's outcome. Stored shares are rounded, hence the division.
fn value_target<G>(sample: &Sample<G>, search_value_share: f32) -> [f32; 3] {
    let search = sample.search.map(|share| share.max(0.0));
    let total: f32 = search.iter().sum();
    std::array::from_fn(|i| {
        search_value_share * search[i] / total + (1.0 - search_value_share) * sample.outcome[i]
    })
}

/// Runs forward and backward over a part of a batch of `batch_size` samples, on a device that keeps track of
/// gradients.
pub(crate) fn run<G: Encode>(
    weights: &Weights,
    samples: &[Viewed<'_, G>],
    batch_size: usize,
    config: &LearnerConfig,
    device: &Device,
) -> Pass {
    let lesson = Lesson::new(samples, config.search_value_share);
    let network = Network::new(weights, G::sizes(), device);
    let output = network.forward(&lesson.batch);
    let target = |numbers: Vec<f32>, of: &Tensor<2>| -> Tensor<2> {
        Tensor::from_data(TensorData::new(numbers, of.dims()), device)
    };
    let policy_target = target(lesson.batch.pad(&lesson.policy), &output.log_policy);
    let wdl_target = target(lesson.wdl.clone(), &output.log_wdl);
    let share = -1.0 / batch_size as f32;
    let loss = (policy_target * output.log_policy.clone()).sum() * share
        + (wdl_target * output.log_wdl.clone()).sum() * (share * config.value_weight);
    let mut gradients = loss.backward();
    let gradients = network
        .tensors()
        .iter()
        .map(|tensor| tensor.grad_remove(&mut gradients).map(to_host).unwrap_or_default())
        .collect();
    Pass { sums: sums(&lesson, output).0, gradients }
}

/// What the network says of samples that it does not learn from: the losses, and win, draw and loss of each. On a
/// device of either kind.
pub(crate) fn look<G: Encode>(
    weights: &Weights,
    samples: &[Viewed<'_, G>],
    config: &LearnerConfig,
    device: &Device,
) -> (Sums, Vec<[f32; 3]>) {
    let lesson = Lesson::new(samples, config.search_value_share);
    let output = Network::new(weights, G::sizes(), device).forward(&lesson.batch);
    let (sums, log_wdl) = sums(&lesson, output);
    (sums, log_wdl.as_chunks().0.iter().map(|log| log.map(f32::exp)).collect())
}

/// The losses, and the logarithms of win, draw and loss.
fn sums(lesson: &Lesson, output: Output) -> (Sums, Vec<f32>) {
    let width = lesson.batch.width();
    let log_policy = to_host(output.log_policy.inner());
    let log_wdl = to_host(output.log_wdl.inner());
    let mut sums = Sums::default();
    let mut start = 0;
    for (row, &count) in log_policy.chunks_exact(width).zip(&lesson.counts) {
        let target = &lesson.policy[start..start + count];
        start += count;
        let entropy = entropy(target);
        sums.target_entropy += entropy;
        sums.policy += cross_entropy(target, row) - entropy;
        sums.policy_entropy -= row[..count].iter().map(|&log| f64::from(log.exp() * log)).sum::<f64>();
    }
    for (log, target) in log_wdl.chunks_exact(3).zip(lesson.wdl.chunks_exact(3)) {
        let cross = cross_entropy(target, log);
        sums.value += cross;
        sums.value_divergence += cross - entropy(target);
    }
    (sums, log_wdl)
}

fn cross_entropy(target: &[f32], log: &[f32]) -> f64 {
    -target.iter().zip(log).map(|(&t, &log)| f64::from(t) * f64::from(log)).sum::<f64>()
}

fn entropy(target: &[f32]) -> f64 {
    -target.iter().filter(|&&t| t > 0.0).map(|&t| f64::from(t) * f64::from(t).ln()).sum::<f64>()
}
