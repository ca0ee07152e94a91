//! Perft of every board game, in turns with a well-known chess generator on the chess start position, so
//! that figures from different machines can be compared: `cargo bench --package camelot-core`.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

use camelot_core::{Cam, CamAllKnights, Camelot, Game, GrandCamelot, Patience, Position, RuleSet, perft};

/// How often each count is timed. The rounds go through all games, so that a busy machine hits all alike.
const ROUNDS: usize = 7;

/// One count: what it is called, how it is made, and what it must come to.
type Count = (&'static str, fn() -> u64, u64);

const COUNTS: [Count; 6] = [
    ("chess (cozy-chess) 6", || chess(&cozy_chess::Board::default(), 6), 119_060_324),
    ("camelot 4", || from_start::<Position<Camelot>>(4), 111_509_838),
    ("grand-camelot 4", || from_start::<Position<GrandCamelot>>(4), 41_126_569),
    ("cam 4", || from_start::<Position<Cam>>(4), 9_420_260),
    ("cam-all-knights 4", || from_start::<Position<CamAllKnights>>(4), 9_448_092),
    ("patience 11", || from_start::<Patience>(11), 54_245_880),
];

fn from_start<G: Game>(depth: u32) -> u64 {
    perft(black_box(&G::start(RuleSet::Classic)), depth)
}

/// Perft of chess, the last ply counted in bulk as in [`perft`].
fn chess(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for action in moves {
                let mut next = board.clone();
                next.play_unchecked(action);
                nodes += chess(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn main() -> io::Result<()> {
    let mut speeds = [const { Vec::new() }; COUNTS.len()];
    for _ in 0..ROUNDS {
        for ((name, count, nodes), speeds) in COUNTS.iter().zip(&mut speeds) {
            let start = Instant::now();
            assert_eq!(count(), *nodes, "{name}");
            speeds.push(*nodes as f64 / start.elapsed().as_secs_f64() / 1e6);
        }
    }
    let mut out = io::stdout().lock();
    writeln!(out, "million nodes a second, one core: median of {ROUNDS} rounds [lowest, highest]")?;
    writeln!(out, "{:<22} {:>24} {:>26}", "perft", "speed", "share of chess")?;
    for ((name, ..), own) in COUNTS.iter().zip(&speeds) {
        let shares: Vec<f64> = own.iter().zip(&speeds[0]).map(|(own, chess)| own / chess).collect();
        let [low, middle, high] = spread(own.clone());
        let [least, typical, most] = spread(shares);
        let speed = format!("{middle:.0} [{low:.0}, {high:.0}]");
        let share = format!("{typical:.2} [{least:.2}, {most:.2}]");
        writeln!(out, "{name:<22} {speed:>24} {share:>26}")?;
    }
    Ok(())
}

/// The lowest, the middle and the highest of some numbers.
fn spread(mut numbers: Vec<f64>) -> [f64; 3] {
    numbers.sort_by(f64::total_cmp);
    [numbers[0], numbers[numbers.len() / 2], numbers[numbers.len() - 1]]
}
