//! Inputs to begin with: random games, the composed positions of the tests, and text by hand.

use camelot_core::codec;
use camelot_core::pgn::PgnGame;
use camelot_core::position::mix;
use camelot_core::record::{GameRecord, PlyRecord, SearchRecord, quantise_policy, sorted_actions};
use camelot_core::toys::{Dice, Relay, Subtraction};
use camelot_core::{
    Cam, CamAllKnights, Camelot, Game, GrandCamelot, Line, Outcome, Patience, Position, Reason, RuleSet,
    Shard,
};

use super::{GAMES, by_number, game_and_rules, number_of};

/// Composed positions, most of them with many captures.
const COMPOSED: &str = include_str!("../../data/moves.jsonl");

/// What people may write.
const BY_HAND: [&str; 3] = [
    "% by hand\r\n[Variant \"Cam\"] [Odd \"\\\\ \\\"\"]\r\n\r\n1.C4-C6!? $14 (1. C5-C6 {no )} ; )\r\n) \
     C9-C8 2... {a} E9-E8 1/2",
    "[FEN \"9 1 1 1 1 2 1\"]\n[Variant \"toy-relay\"]\n\n1. -- -- stones:1 stones:2 2. stones:1 *",
    "[Rules \"wcf\"]\n[Termination \"White resigns\"]\n[Value \"-0.5\"]\n\n1. c4-c6 0-1\n\n[Event \"next\"]\n\n*",
];

/// A line of random play of at most `plies` plies.
fn random_line<G: Game>(rules: RuleSet, seed: u64, plies: usize) -> Line<G> {
    let mut line = Line::new(G::start(rules));
    while line.outcome().is_none() && line.actions().len() < plies {
        let actions = sorted_actions(line.position());
        let draw = mix(seed << 32 | line.actions().len() as u64);
        line.play(actions[draw as usize % actions.len()]);
    }
    line
}

fn position_text<G: Game>(rules: RuleSet, seed: u64) -> String {
    random_line::<G>(rules, seed, mix(seed) as usize % 60).position().to_string()
}

fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split(&format!("\"{name}\":\"")).nth(1)?.split('"').next()
}

/// The positions in which moves are read, for a byte that stands for game and rules.
pub(crate) fn pool(byte: u8) -> Vec<String> {
    let (game, rules) = game_and_rules(byte);
    let composed = COMPOSED.lines().filter(|line| field(line, "game").and_then(number_of) == Some(game));
    let composed = composed.filter_map(|line| field(line, "position")).take(128).map(String::from);
    (0..64).map(|seed| by_number!(game, position_text(rules, seed))).chain(composed).collect()
}

/// Texts of positions.
pub(crate) fn positions() -> Vec<Vec<u8>> {
    let seeds =
        (0..2 * GAMES).flat_map(|byte| pool(byte).into_iter().step_by(16).map(move |text| (byte, text)));
    seeds.map(|(byte, text)| [&[byte], text.as_bytes()].concat()).collect()
}

fn action_texts<G: Game>(rules: RuleSet, text: &str) -> Vec<String> {
    let position = G::parse(text, rules).expect("the pool holds positions");
    let actions = sorted_actions(&position);
    let longest = actions.into_iter().map(|action| position.action_text(action)).max_by_key(String::len);
    longest.into_iter().collect()
}

/// Texts of moves in positions of the pool.
pub(crate) fn actions() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for byte in 0..2 * GAMES {
        let (game, rules) = game_and_rules(byte);
        for (place, position) in pool(byte).iter().enumerate().step_by(8) {
            let texts = by_number!(game, action_texts(rules, position));
            seeds.extend(texts.iter().map(|text| [&[byte, place as u8], text.as_bytes()].concat()));
        }
    }
    seeds
}

fn pgn_text<G: Game>(rules: RuleSet, seed: u64) -> String {
    let line = random_line::<G>(rules, seed, 24);
    PgnGame { outcome: line.outcome(), line, tags: vec![("White".into(), "\"a\" \\ b".into())] }.to_string()
}

/// Texts of PGN files.
pub(crate) fn pgn() -> Vec<Vec<u8>> {
    let games = (0..2 * GAMES).map(|byte| {
        let (game, rules) = game_and_rules(byte);
        by_number!(game, pgn_text(rules, 1))
    });
    games.chain(BY_HAND.map(String::from)).map(String::into_bytes).collect()
}

/// A record of a game cut after a few plies, with a search at every other.
fn record<G: Game>(rules: RuleSet, seed: u64) -> GameRecord {
    let line = random_line::<G>(rules, seed, 6);
    let mut position = line.start().clone();
    let plies = line.actions().iter().enumerate().map(|(ply, &action)| {
        let actions = sorted_actions(&position);
        position.play(action);
        let policy = quantise_policy(&vec![1.0 / actions.len() as f32; actions.len()]);
        let search = SearchRecord { policy, wdl: [0.25, 0.5, 0.25], simulations: 16 };
        let place = actions.binary_search(&action).expect("a played action is legal");
        PlyRecord { action: place as u16, search: (ply % 2 == 0).then_some(search) }
    });
    GameRecord {
        game: G::NAME.into(),
        rules,
        start: line.start().to_string(),
        plies: plies.collect(),
        outcome: line.outcome().unwrap_or(Outcome::draw(Reason::Adjudication)),
        seed,
        network: 0,
        engine: "fuzz".into(),
    }
}

/// Shards whole, and as the bodies of their frames.
pub(crate) fn shards() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for byte in 0..2 * GAMES {
        let (game, rules) = game_and_rules(byte);
        let records: Vec<_> = (0..2).map(|seed| by_number!(game, record(rules, seed))).collect();
        let shard = Shard { game: records[0].game.clone(), iteration: 1, records };
        let frame = shard.to_frame().expect("a small shard");
        seeds.push([&[1], &frame[codec::HEADER_BYTES..]].concat());
        seeds.push([&[0], &frame[..]].concat());
    }
    seeds
}
