//! Single games, move by move.

use std::collections::BTreeMap;
use std::fmt::Write;

use camelot_core::record::{GameRecord, POLICY_ONE, PlyRecord};
use camelot_core::{Game, Turn};
use serde::Serialize;

use super::game::{Opened, network_name};

/// What a search said of a position, for programs.
#[derive(Debug, Serialize)]
struct Search {
    /// Win, draw and loss, from the view of the player to move.
    wdl: [f32; 3],
    /// The policy's share of the move that was played.
    policy: f32,
    simulations: u32,
}

/// A game, for programs.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    file: &'a str,
    number: usize,
    game: &'static str,
    rules: &'static str,
    start: String,
    result: Option<&'static str>,
    reason: Option<String>,
    plies: usize,
    moves: Vec<String>,
    searches: Vec<Option<Search>>,
    /// Seed and network are numbers of 64 bits, which not every reader of JSON keeps; so they are text.
    seed: Option<String>,
    network: Option<String>,
    engine: Option<&'a str>,
    tags: BTreeMap<&'a str, &'a str>,
}

/// A ply in words.
struct Row {
    mover: &'static str,
    text: String,
    search: Option<Search>,
}

/// A line of JSON.
pub(super) fn json<G: Game>(file: &str, number: usize, game: &Opened<'_, G>) -> String {
    let record = game.record.map(|(_, record)| record);
    let start = game.line.start();
    let (moves, searches) = rows(game).into_iter().map(|row| (row.text, row.search)).unzip();
    let answer = Answer {
        file,
        number,
        game: G::NAME,
        rules: start.rules().name(),
        start: start.to_string(),
        result: game.outcome.map(|outcome| outcome.token()),
        reason: game.outcome.map(|outcome| outcome.reason.to_string()),
        plies: game.line.actions().len(),
        moves,
        searches,
        seed: record.map(|record| record.seed.to_string()),
        network: record.map(|record| format!("{:016x}", record.network)),
        engine: record.map(|record| record.engine.as_str()),
        tags: game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
    };
    serde_json::to_string(&answer).expect("an answer has no keys but strings") + "\n"
}

/// Some lines for people.
pub(super) fn text<G: Game>(file: &str, number: usize, game: &Opened<'_, G>) -> String {
    let start = game.line.start();
    let result = game
        .outcome
        .map_or("unfinished".into(), |outcome| format!("{} by {}", outcome.token(), outcome.reason));
    let plies = game.line.actions().len();
    let mut out = format!(
        "{file}, game {number}: {}, {} rules, {result}, plies: {plies}\n",
        G::NAME,
        start.rules().name()
    );
    if let Some((_, record)) = game.record {
        writeln!(out, "  {}", origin(record)).expect(WRITES);
    }
    for (name, value) in &game.tags {
        writeln!(out, "  {name}: {value}").expect(WRITES);
    }
    if *start != G::start(start.rules()) {
        writeln!(out, "  from {start}").expect(WRITES);
    }
    for (ply, row) in rows(game).into_iter().enumerate() {
        let line = format!("{:>5} {:<7} {:<16}", ply + 1, row.mover, row.text);
        let said = row.search.map_or(String::new(), |search| {
            let [win, draw, loss] = search.wdl.map(|share| (100.0 * share).round().abs());
            let policy = 100.0 * search.policy;
            format!(
                "  win {win:>3} draw {draw:>3} loss {loss:>3} %, {} simulations, policy {policy:.0} %",
                search.simulations
            )
        });
        writeln!(out, "{}", (line + &said).trim_end()).expect(WRITES);
    }
    out + "\n"
}

const WRITES: &str = "writing to a string succeeds";

fn origin(record: &GameRecord) -> String {
    format!("{}, seed {}, engine {}", network_name(record.network), record.seed, record.engine)
}

fn rows<G: Game>(game: &Opened<'_, G>) -> Vec<Row> {
    let mut position = game.line.start().clone();
    let row = |(ply, &action): (usize, &G::Action)| {
        let record = game.record.map(|(_, record)| &record.plies[ply]);
        let row = Row {
            mover: mover(&position),
            text: position.action_text(action),
            search: record.and_then(search),
        };
        position.play(action);
        row
    };
    game.line.actions().iter().enumerate().map(row).collect()
}

fn search(ply: &PlyRecord) -> Option<Search> {
    let search = ply.search.as_ref()?;
    let weight = search.policy.get(usize::from(ply.action)).copied().unwrap_or(0);
    let policy = f32::from(weight) / f32::from(POLICY_ONE);
    Some(Search { wdl: search.wdl, policy, simulations: search.simulations })
}

/// What people call whoever is to move.
fn mover<G: Game>(position: &G) -> &'static str {
    match position.turn() {
        Turn::Chance => "chance",
        Turn::Player(seat) => G::seat_name(seat),
    }
}
