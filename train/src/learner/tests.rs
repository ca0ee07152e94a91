use super::*;
use crate::fixtures::{Cam, Camelot, SMALL, SMALL_RESIDUAL, random_samples, rng, sizeable_weights};
use camelot_core::{Game, RuleSet};
use camelot_models::{Compute, Shape, SparseShape};

const CONFIG: LearnerConfig = LearnerConfig {
    batch_size: 100,
    weight_decay: 1e-4,
    clip_norm: 1.0,
    value_weight: 0.5,
    search_value_share: 0.5,
    average_decay: 0.99,
};

fn learner<G: Encode>(weights: &Weights) -> Learner<G> {
    Learner::new(weights.clone(), weights.clone(), None, CONFIG, &Compute::Cpu)
}

fn straight<G>(samples: &[Sample<G>]) -> Vec<Viewed<'_, G>> {
    samples.iter().map(|sample| (sample, Mirror::Straight)).collect()
}

/// Takes steps over random batches of `samples`, each of three parts.
fn train<G: Encode>(learner: &mut Learner<G>, samples: &[Sample<G>], steps: std::ops::Range<u64>) {
    for step in steps {
        let mut rng = rng(step);
        let batch: Vec<_> =
            (0..2 * PART + 10).map(|_| &samples[rng.random_range(0..samples.len())]).collect();
        learner.step(&batch, &mut rng, 0.01).unwrap();
    }
}

fn check_gradients<G: Encode>(shape: Shape, samples: usize) {
    let samples = random_samples::<G>(samples, 3);
    let weights = sizeable_weights::<G>(shape, 4);
    let mut learner = learner::<G>(&weights);
    let (_, gradients) = learner.losses(&straight(&samples));
    for (index, (matrix, gradient)) in shape.matrices(G::sizes()).iter().zip(gradients).enumerate() {
        assert!(gradient.iter().any(|&g| g != 0.0), "{} has no gradient", matrix.name);
        check_slopes(&mut learner, (index, &matrix.name), &gradient, &straight(&samples));
    }
}

/// Compares some of the gradient's entries, its largest among them, with differences of the loss.
fn check_slopes<G: Encode>(
    learner: &mut Learner<G>,
    (matrix, name): (usize, &str),
    gradient: &[f32],
    samples: &[Viewed<'_, G>],
) {
    let mut largest: Vec<usize> = (0..gradient.len()).collect();
    largest.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
    for &entry in largest.iter().take(4).chain(largest.iter().skip(gradient.len() / 50).step_by(97).take(4)) {
        let at = learner.weights.get(matrix)[entry];
        let mut loss_at = |number: f32| {
            learner.weights.get_mut(matrix)[entry] = number;
            learner.losses(samples).0.total
        };
        let change = 2e-3;
        let slope = (loss_at(at + change) - loss_at(at - change)) / (2.0 * f64::from(change));
        learner.weights.get_mut(matrix)[entry] = at;
        let expected = f64::from(gradient[entry]);
        let error = (slope - expected).abs();
        // The rectifiers' kinks that lie within the change account for a few per cent.
        assert!(error < 2e-4 + 0.05 * expected.abs(), "{name} [{entry}]: slope {slope}, gradient {expected}");
    }
}

#[test]
fn gradients_reach_every_matrix_and_agree_with_differences() {
    check_gradients::<Cam>(SMALL, PART + 10);
    check_gradients::<Camelot>(SMALL, PART + 10);
}

#[test]
fn gradients_of_the_residual_network_agree_with_differences() {
    check_gradients::<Cam>(SMALL_RESIDUAL, 30);
}

#[test]
fn a_fixed_batch_is_learnt_by_heart() {
    learn_by_heart(SMALL, 600);
}

#[test]
fn the_residual_network_learns_a_batch_by_heart() {
    learn_by_heart(SMALL_RESIDUAL, 150);
}

fn learn_by_heart(shape: Shape, steps: u64) {
    // The start position is its own mirror image, so that one best move of it cannot be learnt.
    let mut samples = random_samples::<Cam>(200, 8);
    samples.retain(|sample| sample.position != Cam::start(RuleSet::Classic));
    samples.truncate(32);
    for (i, sample) in samples.iter_mut().enumerate() {
        sample.outcome = std::array::from_fn(|kind| f32::from(u8::from(kind == i % 3)));
        let best = i % sample.policy.len();
        sample.policy.iter_mut().for_each(|weight| *weight = 0);
        sample.policy[best] = u16::MAX;
    }
    let weights = Weights::random(Cam::sizes(), shape, 5);
    let config = LearnerConfig { search_value_share: 0.0, weight_decay: 0.0, ..CONFIG };
    let mut learner = Learner::<Cam>::new(weights.clone(), weights, None, config, &Compute::Cpu);
    let batch: Vec<_> = samples.iter().collect();
    let mut rng = rng(0);
    let first = learner.step(&batch, &mut rng, 0.003).unwrap();
    for _ in 0..steps {
        learner.step(&batch, &mut rng, 0.003).unwrap();
    }
    let last = learner.step(&batch, &mut rng, 0.003).unwrap();
    assert!(first.policy > 1.0 && first.value > 0.5, "{first:?}");
    assert!(last.policy < 0.02 && last.value < 0.02, "{last:?}");
}

#[test]
fn a_rebuilt_learner_goes_on_bit_for_bit() {
    let samples = random_samples::<Cam>(300, 1);
    let mut steady = learner::<Cam>(&sizeable_weights::<Cam>(SMALL, 2));
    assert_eq!(steady.optimizer_state(), None);
    train(&mut steady, &samples, 0..4);
    let state = steady.optimizer_state();
    let mut resumed = Learner::new(
        steady.weights().clone(),
        steady.averaged().clone(),
        state.as_ref(),
        CONFIG,
        &Compute::Cpu,
    );
    assert_eq!(resumed.optimizer_state(), state);
    train(&mut steady, &samples, 4..8);
    train(&mut resumed, &samples, 4..8);
    assert_eq!((steady.steps(), resumed.steps()), (8, 8));
    assert_eq!(steady.weights(), resumed.weights());
    assert_eq!(steady.averaged(), resumed.averaged());
    assert_eq!(steady.optimizer_state(), resumed.optimizer_state());
    assert_ne!(steady.weights(), steady.averaged());
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let samples = random_samples::<Camelot>(300, 1);
    // Wide enough that burn would share out the first layer's product among threads.
    let shape = SparseShape { accumulator: 128, hidden: 32, policy: 32 };
    let weights = sizeable_weights::<Camelot>(shape, 2);
    let trained = [1, 2, 5].map(|threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut learner = pool.install(|| learner::<Camelot>(&weights));
        assert_eq!(learner.pools.len(), threads);
        pool.install(|| train(&mut learner, &samples, 0..5));
        learner
    });
    for other in &trained[1..] {
        assert_eq!(trained[0].weights(), other.weights());
        assert_eq!(trained[0].averaged(), other.averaged());
    }
}

#[test]
fn a_step_that_is_not_finite_changes_nothing() {
    let samples = random_samples::<Cam>(10, 1);
    let mut batch: Vec<_> = samples.iter().collect();
    let mut learner = learner::<Cam>(&sizeable_weights::<Cam>(SMALL, 2));
    let before = (learner.weights().clone(), learner.averaged().clone());
    let step = |learner: &mut Learner<Cam>, batch: &[&Sample<Cam>], rate| {
        learner.step(batch, &mut rng(0), rate).unwrap_err()
    };
    assert_eq!(step(&mut learner, &[], 0.1), LearnerError::Empty);
    let rate = LearnerError::NotFinite { what: "learning rate" };
    assert_eq!(step(&mut learner, &batch, f64::NAN), rate);
    let mut bad = samples[3].clone();
    bad.search[1] = f32::NAN;
    bad.search[0] = f32::INFINITY;
    batch[3] = &bad;
    assert_eq!(step(&mut learner, &batch, 0.1), LearnerError::NotFinite { what: "value loss" });
    assert_eq!(before, (learner.weights().clone(), learner.averaged().clone()));
    assert_eq!(learner.optimizer_state(), None);
}

#[test]
fn long_gradients_are_scaled_down() {
    let mut gradients = vec![vec![3.0, 0.0], vec![4.0]];
    let length = norm(&gradients);
    clip(&mut gradients, length, 10.0);
    assert_eq!(gradients, [vec![3.0, 0.0], vec![4.0]]);
    clip(&mut gradients, length, 1.0);
    assert!((norm(&gradients) - 1.0).abs() < 1e-6);
}

#[test]
fn the_average_follows_a_young_run_closely() {
    let samples = random_samples::<Cam>(100, 1);
    let weights = sizeable_weights::<Cam>(SMALL, 2);
    let mut learner = learner::<Cam>(&weights);
    train(&mut learner, &samples, 0..1);
    let mut expected = weights;
    expected.average_with(learner.weights(), 2.0 / 11.0);
    assert_eq!(learner.averaged(), &expected);
}

#[test]
fn what_is_learnt_by_heart_is_foreseen_and_nothing_else() {
    let samples = random_samples::<Cam>(400, 8);
    let (learnt, others) = (&samples[..30], &samples[370..]);
    let mut learner = learner::<Cam>(&sizeable_weights::<Cam>(SMALL, 4));
    let refs: Vec<_> = learnt.iter().collect();
    let before = learner.assess(&refs);
    assert!((before.value_loss - learner.losses(&straight(learnt)).0.value).abs() < 1e-5);
    train(&mut learner, learnt, 0..150);
    let (learnt, others) = (learner.assess(&refs), learner.assess(&others.iter().collect::<Vec<_>>()));
    assert_eq!((learnt.positions, others.positions), (30, 30));
    assert!(learnt.value_loss + 0.1 < others.value_loss, "{learnt:?} {others:?}");
    assert_eq!(learner.assess(&[]).positions, 0);
}
