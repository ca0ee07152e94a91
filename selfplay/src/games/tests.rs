//! Records depend on the seed alone.

use super::*;
use crate::alphabeta::Budget;
use camelot_core::{Cam, Patience, Position};
use camelot_models::{ResidualShape, Shape, SparseShape, Wdl};

const SETTINGS: SelfPlaySettings = SelfPlaySettings {
    search: SearchSettings { quiet_ply_limit: Some(30), ..SearchSettings::PLAY },
    full: GumbelSettings { simulations: 12, considered: 8, visit_offset: 50.0, value_scale: 0.2, noise: 1.0 },
    fast_simulations: 4,
    fast_temperature: 0.5,
    full_share: 0.4,
    opening_plies: 6,
    cut_quiet_plies: 30,
    cut_plies: 60,
    sparring_share: 0.0,
};

/// The same evaluations, wanted in batches.
struct Wide<G>(NetEvaluator<G>, usize);

impl<G: Encode + Advance> Evaluator<G> for Wide<G> {
    fn evaluate(&mut self, position: &G, actions: &[G::Action], logits: &mut Vec<f32>) -> Wdl {
        self.0.evaluate(position, actions, logits)
    }

    fn batch_size(&self) -> usize {
        self.1
    }
}

const SPARSE: Shape = Shape::Sparse(SparseShape { accumulator: 32, hidden: 32, policy: 32 });
const RESIDUAL: Shape = Shape::Residual(ResidualShape { blocks: 1, channels: 32, hidden: 32, policy: 32 });

fn selfplay<G: Encode + Advance>(shape: Shape) -> SelfPlay<'static> {
    let weights = Arc::new(Weights::random(G::sizes(), shape, 7));
    SelfPlay {
        settings: &SETTINGS,
        weights,
        partner: None,
        compute: &Compute::Cpu,
        rules: RuleSet::Classic,
        seed: 3,
        iteration: 2,
    }
}

fn on_threads<G: Encode + Advance>(shape: Shape, threads: usize) -> GamesReport {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| selfplay::<G>(shape).run::<G>(20, &Progress::default())).unwrap()
}

fn side_by_side<G: Encode + Advance>(shape: Shape, width: usize) -> Vec<GameRecord> {
    let selfplay = selfplay::<G>(shape);
    let progress = Progress::default();
    let desk =
        Desk { next: AtomicU64::new(0), games: 20, finished: Mutex::new(Vec::new()), progress: &progress };
    let evaluator = Cached::new(Wide(NetEvaluator::<G>::new(&selfplay.weights), width), 8);
    selfplay.play_games::<G>(evaluator, selfplay.weights.hash(), &desk);
    let mut finished = desk.finished.into_inner().unwrap();
    finished.sort_unstable_by_key(|&(number, _)| number);
    finished.into_iter().map(|(_, record)| record).collect()
}

fn check<G: Encode + Advance>(shape: Shape) {
    let one = on_threads::<G>(shape, 1);
    assert_eq!(one.records.len(), 20);
    assert!(one.records.iter().any(|record| record.plies.iter().any(|ply| ply.search.is_some())));
    for threads in [2, 3] {
        assert_eq!(on_threads::<G>(shape, threads), one);
    }
    for width in [1, 7, 32] {
        assert_eq!(side_by_side::<G>(shape, width), one.records, "{width} games side by side");
    }
}

#[test]
fn neither_threads_nor_batches_change_the_records() {
    check::<Position<Cam>>(SPARSE);
    check::<Position<Cam>>(RESIDUAL);
    check::<Patience>(SPARSE);
}

/// A partner plays one side of some games, whatever the number of threads.
#[test]
fn a_sparring_partner_takes_part() {
    let settings = SelfPlaySettings { sparring_share: 1.0, ..SETTINGS };
    let partner = LoadedPlayer::AlphaBeta(Budget::Depth(1), None);
    let play = |threads: usize, settings: &SelfPlaySettings| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let selfplay = selfplay::<Position<Cam>>(SPARSE);
        let selfplay = SelfPlay { settings, partner: Some(&partner), ..selfplay };
        pool.install(|| selfplay.run::<Position<Cam>>(20, &Progress::default())).unwrap().records
    };
    let decided =
        |records: &[GameRecord]| records.iter().filter(|record| record.outcome.winner().is_some()).count();
    let sparring = play(1, &settings);
    assert_eq!(play(3, &settings), sparring);
    // The partner wins where two untrained networks come to nothing.
    let alone = play(1, &SETTINGS);
    assert_eq!(alone, on_threads::<Position<Cam>>(SPARSE, 1).records);
    assert!(decided(&sparring) > 16 && decided(&alone) < 14, "{} {}", decided(&sparring), decided(&alone));
    // Positions of both sides are searched.
    let searched = |parity: usize| {
        let plies = sparring.iter().flat_map(|record| record.plies.iter().enumerate());
        plies.filter(|(ply, record)| ply % 2 == parity && record.search.is_some()).count()
    };
    assert!(searched(0) > 50 && searched(1) > 50);
}

#[test]
fn self_play_that_is_stopped_has_no_report() {
    let progress = Progress::default();
    progress.stop.store(true, Ordering::Relaxed);
    assert!(selfplay::<Position<Cam>>(SPARSE).run::<Position<Cam>>(5, &progress).is_none());
}
