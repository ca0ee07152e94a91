//! The crate's rules against slow ones written from the printed rules: the legal moves, and what
//! follows them, on random play and on random positions crowded about the castles, which random play
//! almost never reaches.

#[path = "slow/aftermath.rs"]
mod aftermath;
#[path = "slow/counts.rs"]
mod counts;
#[path = "slow/met.rs"]
mod met;
#[path = "slow/printed.rs"]
mod printed;
#[path = "slow/routes.rs"]
mod routes;

use std::collections::BTreeSet;

use camelot_core::{Cam, CamAllKnights, Camelot, Game, GrandCamelot, Position, RuleSet, Team, Variant};
use rand::{Rng, RngExt};

use super::sheet::{At, Sheet};
use super::{Effect, RULE_SETS, effects, legal, random_game, rng};
use aftermath::Verdict;
use met::Met;
use printed::Route;

/// Positions a game, half of them from random play and half crowded; each is tried under both rule
/// sets. The environment variable `CAMELOT_SLOW_POSITIONS` overrides it.
const POSITIONS: usize = 3_000;

/// Moves that are followed from each position under each rule set.
const FOLLOWED: usize = 2;

fn positions() -> usize {
    match std::env::var("CAMELOT_SLOW_POSITIONS") {
        Ok(text) => text.parse().expect("CAMELOT_SLOW_POSITIONS is a number"),
        Err(_) => POSITIONS,
    }
}

/// The legal moves of the player to move by the printed rules.
pub(super) fn slow_effects(sheet: &Sheet, rules: RuleSet) -> BTreeSet<Effect> {
    effects_of(&printed::legal_routes(sheet, rules))
}

fn effects_of(routes: &[Route]) -> BTreeSet<Effect> {
    routes.iter().map(Route::effect).collect()
}

/// How the crate sees a position, in the words of the slow rules.
fn verdict<V: Variant>(sheet: &Sheet, position: &Position<V>) -> Verdict {
    let Some(outcome) = position.outcome() else {
        return Verdict::Next(char::from(V::LETTERS[position.to_move().index()]));
    };
    let letters = |team| sheet.team(sheet.armies()[usize::from(team == Team::Two)]);
    Verdict::Over(outcome.winner().map(letters), outcome.reason)
}

/// Judges a position by the slow rules. Where the army to move cannot and a later one can, checks that
/// the reader refuses that and names the later one, and gives it the turn.
fn settle<V: Variant>(sheet: &mut Sheet, rules: RuleSet, met: &mut Met) -> Verdict {
    let verdict = aftermath::judge(V::NAME, sheet, rules);
    if let Verdict::Next(army) = verdict
        && army != sheet.army
    {
        let error = Position::<V>::parse(&sheet.to_string(), rules).expect_err("a blocked army to move");
        let passes = format!("the turn passes to `{army}`");
        assert!(error.to_string().contains(&passes), "{sheet}: `{error}` lacks `{passes}`");
        met.add("refused by the reader");
        sheet.army = army;
    }
    verdict
}

/// Compares both rules on one position under both rule sets, and after some of its moves.
fn compare<V: Variant>(sheet: &Sheet, picks: &mut impl Rng, met: &mut Met) {
    let listed = RULE_SETS.map(|rules| {
        let mut sheet = sheet.clone();
        let expected = settle::<V>(&mut sheet, rules, met);
        let position = Position::<V>::parse(&sheet.to_string(), rules).unwrap();
        assert_eq!(verdict(&sheet, &position), expected, "{} {sheet} under {}", V::NAME, rules.name());
        let routes = printed::legal_routes(&sheet, rules);
        let slow = effects_of(&routes);
        assert_eq!(effects(&position), slow, "{} {sheet} under {}", V::NAME, rules.name());
        met.position(&sheet, &routes, expected);
        if matches!(expected, Verdict::Next(_)) {
            for _ in 0..FOLLOWED {
                follow(&position, &sheet, &routes[picks.random_range(0..routes.len())], met);
            }
        }
        slow
    });
    if listed[0] != listed[1] {
        met.add("rule sets differ");
    }
}

/// Compares what a move leads to: board, counters, next player or outcome.
fn follow<V: Variant>(position: &Position<V>, sheet: &Sheet, route: &Route, met: &mut Met) {
    let played = |action: &_| Effect::of(*action) == route.effect();
    let action = legal(position).into_iter().find(played).expect("the lists were compared");
    let mut fast = *position;
    fast.play(action);
    let mut slow = aftermath::make(sheet, route);
    let expected = aftermath::judge(V::NAME, &slow, position.rules());
    let case = format!("{} {sheet} {} under {}", V::NAME, route.text(), position.rules().name());
    assert_eq!(verdict(sheet, &fast), expected, "after {case}");
    met.move_made(sheet, route, expected);
    // Whose turn it is means nothing once the game is over.
    slow.army = match expected {
        Verdict::Next(army) => army,
        Verdict::Over(..) => char::from(V::LETTERS[fast.to_move().index()]),
    };
    assert_eq!(fast.to_string(), slow.to_string(), "after {case}");
    assert_eq!(fast.key(), fast.fresh_key(), "after {case}");
}

fn random_play<V: Variant>(count: usize, met: &mut Met) {
    let (mut choices, mut picks) = (rng(0xC0FF_EE01), rng(0xC0FF_EE04));
    let mut left = count;
    while left > 0 {
        random_game(Position::<V>::start(RuleSet::Classic), &mut choices, |line| {
            if left > 0 {
                compare::<V>(&Sheet::read(V::NAME, &line.position().to_string()), &mut picks, met);
                left -= 1;
            }
        });
    }
}

/// A few pieces of both kinds in and near the castles, all else random. Of four castles some are left
/// out, so that the others are more crowded. One position in four has a piece or two an army, most of
/// them in castles, so that players run out of moves.
fn crowded(game: &str, rng: &mut impl Rng) -> Sheet {
    let mut sheet = Sheet::empty(game);
    let (squares, armies) = (sheet.squares(), sheet.armies());
    let mut besieged = armies.clone();
    besieged.retain(|_| armies.len() == 2 || rng.random_bool(0.6));
    let besieged = if besieged.is_empty() { &armies } else { &besieged };
    let castles: Vec<At> = besieged.iter().flat_map(|&army| sheet.castle(army)).collect();
    let distance = |at: At| castles.iter().map(|to| (at.0 - to.0).abs().max((at.1 - to.1).abs())).min();
    let near: Vec<At> = squares.iter().copied().filter(|&at| distance(at) <= Some(3)).collect();
    let (most, in_castle, spent) = if rng.random_bool(0.25) { (2, 0.5, 0.7) } else { (7, 0.12, 0.3) };
    for &army in &armies {
        let closed = sheet.side_castles(army);
        for _ in 0..rng.random_range(0..=most) {
            let place = match rng.random_range(0..8) {
                _ if rng.random_bool(in_castle) => castles[rng.random_range(0..castles.len())],
                0 => squares[rng.random_range(0..squares.len())],
                _ => near[rng.random_range(0..near.len())],
            };
            let knight = rng.random_bool(0.5);
            if !closed.contains(&place) {
                sheet.set(place, if knight { army } else { army.to_ascii_lowercase() });
            }
        }
    }
    sheet.army = armies[rng.random_range(0..armies.len())];
    sheet.castle_moves.fill_with(|| if rng.random_bool(spent) { 2 } else { rng.random_range(0..=2) });
    let limit = 50 * armies.len() as u16;
    sheet.quiet_plies = if rng.random_bool(0.2) { limit - 1 } else { rng.random_range(0..=limit) };
    sheet
}

/// What every game must meet on the way, and how often in ten thousand positions.
const OFTEN: [(&str, usize); 7] = [
    ("guards", 500),
    ("captures", 1_000),
    ("rule sets differ", 3),
    ("won by castle", 10),
    ("won by elimination", 100),
    ("drawn by material", 5),
    ("drawn by quiet plies", 500),
];

/// What the games with castles of two squares must meet besides.
const CASTLES: [(&str, usize); 3] = [("visitors", 500), ("castle moves", 20), ("won by stalemate", 20)];

/// What four armies must meet besides.
const FOUR_ARMIES: [(&str, usize); 9] = [
    ("canters over a partner", 1_000),
    ("captures of both opponents", 200),
    ("charges over a partner", 200),
    ("side castles: steps refused", 500),
    ("side castles: canters refused", 100),
    ("side castles: jumps refused", 50),
    ("skips", 1_000),
    ("refused by the reader", 500),
    ("found over: stalemate", 20),
];

fn check<V: Variant>(besides: &[(&str, usize)]) {
    let mut met = Met::default();
    let count = positions();
    random_play::<V>(count / 2, &mut met);
    let (mut choices, mut picks) = (rng(0xC0FF_EE02), rng(0xC0FF_EE05));
    for _ in 0..count - count / 2 {
        compare::<V>(&crowded(V::NAME, &mut choices), &mut picks, &mut met);
    }
    eprintln!("{}: {count} positions, {met:?}", V::NAME);
    for (what, least) in OFTEN.iter().chain(besides).filter(|_| count >= POSITIONS) {
        assert!(10_000 * met.count(what) >= least * count, "{} met too little: {what}", V::NAME);
    }
}

#[test]
fn camelot_agrees_with_the_printed_rules() {
    check::<Camelot>(&CASTLES);
}

#[test]
fn cam_agrees_with_the_printed_rules() {
    check::<Cam>(&[]);
}

#[test]
fn cam_all_knights_agrees_with_the_printed_rules() {
    check::<CamAllKnights>(&[]);
}

#[test]
fn grand_camelot_agrees_with_the_printed_rules() {
    check::<GrandCamelot>(&[&CASTLES[..], &FOUR_ARMIES].concat());
}

/// First moves by effect and by route: Camelot's hundred are published, the others computed.
#[test]
fn the_slow_generator_finds_the_known_number_of_first_routes() {
    fn first<V: Variant>() -> (usize, usize) {
        let start = Sheet::read(V::NAME, &Position::<V>::start(RuleSet::Classic).to_string());
        let routes = printed::legal_routes(&start, RuleSet::Classic);
        (effects_of(&routes).len(), routes.len())
    }
    assert_eq!(first::<Camelot>(), (100, 112));
    assert_eq!(first::<GrandCamelot>(), (80, 92));
}
