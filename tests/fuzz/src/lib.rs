//! What each fuzz target does with its input, and the inputs to begin with.
//!
//! A body panics where a parser breaks a promise: what is accepted must be written back the same, an accepted
//! move must be legal, an accepted record must replay and convert. The integration tests run the same bodies
//! on the seeds and on mutations of them, so that the targets keep up with the code.

mod seeds;

use std::fmt::Debug;
use std::sync::OnceLock;

use camelot_core::codec;
use camelot_core::pgn::{Games, PgnGame, RawGame};
use camelot_core::record::{GameRecord, sorted_actions};
use camelot_core::shard::FORMAT;
use camelot_core::toys::{Dice, Relay, Subtraction};
use camelot_core::{Cam, CamAllKnights, Camelot, Game, GrandCamelot, Patience, Position, RuleSet, Shard};

/// A target: its name, its body and its seeds.
pub type Target = (&'static str, fn(&[u8]), fn() -> Vec<Vec<u8>>);

/// All targets.
pub const TARGETS: [Target; 4] = [
    ("position", position, seeds::positions),
    ("action", action, seeds::actions),
    ("pgn", pgn, seeds::pgn),
    ("shard", shard, seeds::shards),
];

/// How many games [`by_number!`] knows.
const GAMES: u8 = 8;

/// Calls a function that is generic over the game for a game given by its number.
macro_rules! by_number {
    ($number:expr, $function:ident($($argument:expr),*)) => {
        match $number % GAMES {
            0 => $function::<Position<Cam>>($($argument),*),
            1 => $function::<Position<CamAllKnights>>($($argument),*),
            2 => $function::<Position<Camelot>>($($argument),*),
            3 => $function::<Position<GrandCamelot>>($($argument),*),
            4 => $function::<Patience>($($argument),*),
            5 => $function::<Relay>($($argument),*),
            6 => $function::<Subtraction>($($argument),*),
            _ => $function::<Dice>($($argument),*),
        }
    };
}
use by_number;

/// The game and the rule set that a byte stands for.
fn game_and_rules(byte: u8) -> (u8, RuleSet) {
    (byte >> 1, if byte & 1 == 0 { RuleSet::Classic } else { RuleSet::Wcf })
}

fn name<G: Game>() -> &'static str {
    G::NAME
}

/// The number of a game by its name.
fn number_of(game: &str) -> Option<u8> {
    (0..GAMES).find(|&number| by_number!(number, name()) == game)
}

/// A byte for game and rules, then the text of a position.
pub fn position(data: &[u8]) {
    let Some((&first, text)) = data.split_first() else { return };
    let Ok(text) = str::from_utf8(text) else { return };
    let (game, rules) = game_and_rules(first);
    by_number!(game, check_position(text, rules));
}

fn check_position<G: Game>(text: &str, rules: RuleSet) {
    let Ok(position) = G::parse(text, rules) else { return };
    check_text(&position);
    let actions = sorted_actions(&position);
    assert!(actions.windows(2).all(|pair| pair[0] < pair[1]), "a move twice in {position}");
    if position.outcome().is_some() {
        return;
    }
    assert!(!actions.is_empty(), "neither over nor a move: {position}");
    for &action in actions.iter().take(16) {
        let text = position.action_text(action);
        assert_eq!(position.parse_action(&text).as_ref(), Ok(&action), "{text} in {position}");
        let mut next = position.clone();
        next.play(action);
        check_text(&next);
    }
}

/// A position that was accepted or reached is read back as itself.
fn check_text<G: Game>(position: &G) {
    let text = position.to_string();
    let again = same(G::parse(&text, position.rules()), &text);
    assert_eq!(&again, position);
    assert_eq!((again.to_string(), again.key()), (text, position.key()));
}

fn same<T, E: Debug>(result: Result<T, E>, text: &str) -> T {
    result.unwrap_or_else(|error| panic!("what was written is refused: {error:?}\n{text}"))
}

/// A byte for game and rules, one for a position of the pool, then the text of a move.
pub fn action(data: &[u8]) {
    let [first, second, text @ ..] = data else { return };
    let Ok(text) = str::from_utf8(text) else { return };
    by_number!(game_and_rules(*first).0, check_action(*first, *second, text));
}

fn check_action<G: Game>(first: u8, second: u8, text: &str) {
    static POOLS: OnceLock<Vec<Vec<String>>> = OnceLock::new();
    let pools = POOLS.get_or_init(|| (0..2 * GAMES).map(seeds::pool).collect());
    let pool = &pools[usize::from(first % (2 * GAMES))];
    let start = &pool[usize::from(second) % pool.len()];
    let position = same(G::parse(start, game_and_rules(first).1), start);
    let Ok(action) = position.parse_action(text) else { return };
    assert!(sorted_actions(&position).contains(&action), "{text} is not legal in {position}");
    let canonical = position.action_text(action);
    assert_eq!(position.parse_action(&canonical).as_ref(), Ok(&action), "{canonical} in {position}");
}

/// The text of a PGN file.
pub fn pgn(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for game in Games::new(&text) {
        let number = game.variant().map_or(Some(0), |variant| number_of(&variant));
        if let Some(number) = number {
            by_number!(number, check_game(&game));
        }
    }
}

fn check_game<G: Game>(game: &RawGame<'_>) {
    if let Ok(game) = game.read::<G>(RuleSet::Classic) {
        check_pgn(&game);
    }
}

/// A game that was accepted is written so that it is read back as itself.
fn check_pgn<G: Game>(game: &PgnGame<G>) {
    let text = game.to_string();
    let games: Vec<_> = Games::new(&text).collect();
    assert_eq!(games.len(), 1, "{text}");
    let again = same(games[0].read::<G>(RuleSet::Wcf), &text);
    assert_eq!(again.line.start(), game.line.start(), "{text}");
    assert_eq!(again.line.actions(), game.line.actions(), "{text}");
    assert_eq!(again.outcome, game.outcome, "{text}");
    assert_eq!(again.to_string(), text);
}

/// An even byte and a shard's file, or an odd one and the body of its frame.
pub fn shard(data: &[u8]) {
    let Some((&first, bytes)) = data.split_first() else { return };
    let frame = if first & 1 == 0 { bytes.to_vec() } else { codec::framed(FORMAT, bytes) };
    let Ok(shard) = Shard::from_frame(&frame) else { return };
    let written = shard.to_frame().expect("what was read can be written");
    let again = Shard::from_frame(&written).expect("what was written can be read");
    assert_eq!(again.to_frame().ok(), Some(written));
    for record in &shard.records {
        if let Some(number) = number_of(&record.game) {
            by_number!(number, check_record(record));
        }
    }
}

fn check_record<G: Game>(record: &GameRecord) {
    let Ok(line) = record.replay::<G>(|_, _, _| {}) else { return };
    check_pgn(&PgnGame { line, outcome: Some(record.outcome), tags: Vec::new() });
}
