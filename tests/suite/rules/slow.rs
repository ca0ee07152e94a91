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

/// Moves that are followed from each position under each rule set, besides one into the goal castle.
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
            let goal = sheet.goal(sheet.army);
            let picked: Vec<usize> = (0..FOLLOWED).map(|_| picks.random_range(0..routes.len())).collect();
            let to_goal = routes.iter().position(|route| goal.contains(&route.to));
            for number in picked.into_iter().chain(to_goal) {
                follow(&position, &sheet, &routes[number], met);
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

/// How crowded positions are laid out.
#[derive(Clone, Copy)]
struct Layout {
    /// Pieces an army, and how near to the castles most of them stand.
    least: usize,
    most: usize,
    reach: i8,
    /// Shares of pieces in castles and of armies that have no castle move left.
    in_castle: f64,
    spent: f64,
}

const CROWD: Layout = Layout { least: 0, most: 7, reach: 3, in_castle: 0.12, spent: 0.3 };
/// A piece or two an army, most of them in castles, so that players run out of moves.
const THIN: Layout = Layout { least: 0, most: 2, reach: 3, in_castle: 0.5, spent: 0.7 };
/// One castle walled in, with a piece or two of its own army in or about it.
const SIEGE: Layout = Layout { least: 5, most: 14, reach: 2, in_castle: 0.05, spent: 0.7 };

/// Some pieces of both kinds in and near the castles, all else random. Of four castles some are left
/// out, so that the others are more crowded.
fn crowded(game: &str, rng: &mut impl Rng) -> Sheet {
    let layout = [CROWD, CROWD, THIN, SIEGE][rng.random_range(0..4)];
    let siege = layout.most == SIEGE.most;
    let mut sheet = Sheet::empty(game);
    let mut armies = sheet.armies();
    let first = rng.random_range(0..armies.len());
    armies.rotate_left(first);
    let mut besieged = armies.clone();
    besieged.retain(|_| armies.len() == 2 || rng.random_bool(0.6));
    // The last army of a siege is laid down last, or it would be laid over.
    if siege || besieged.is_empty() {
        besieged = vec![armies[armies.len() - 1]];
    }
    let castles: Vec<At> = besieged.iter().flat_map(|&army| sheet.castle(army)).collect();
    for (left, &army) in (0..armies.len()).rev().zip(&armies) {
        let guards = siege && left == 0;
        let pieces =
            if guards { rng.random_range(1..=2) } else { rng.random_range(layout.least..=layout.most) };
        let in_castle = if guards { 0.7 } else { layout.in_castle };
        for _ in 0..pieces {
            let place = random_place(&sheet, &castles, in_castle, layout.reach, rng);
            let knight = rng.random_bool(0.5);
            if !sheet.side_castles(army).contains(&place) {
                sheet.set(place, if knight { army } else { army.to_ascii_lowercase() });
            }
        }
    }
    sheet.army = armies[if siege { armies.len() - 1 } else { 0 }];
    sheet.castle_moves.fill_with(|| if rng.random_bool(layout.spent) { 2 } else { rng.random_range(0..=2) });
    let limit = 50 * armies.len() as u16;
    sheet.quiet_plies = if rng.random_bool(0.2) { limit - 1 } else { rng.random_range(0..=limit) };
    sheet
}

/// A square in one of the castles, or more often near them, now and then anywhere.
fn random_place(sheet: &Sheet, castles: &[At], in_castle: f64, reach: i8, rng: &mut impl Rng) -> At {
    let distance = |at: At| castles.iter().map(|to| (at.0 - to.0).abs().max((at.1 - to.1).abs())).min();
    let mut squares = sheet.squares();
    if rng.random_bool(in_castle) {
        squares.retain(|at| castles.contains(at));
    } else if rng.random_bool(0.88) {
        squares.retain(|&at| distance(at) <= Some(reach));
    }
    squares[rng.random_range(0..squares.len())]
}

/// What every game must meet on the way, and how often in ten thousand positions.
const OFTEN: [(&str, usize); 7] = [
    ("guards", 500),
    ("captures", 1_000),
    ("rule sets differ", 3),
    ("won by castle", 50),
    ("won by elimination", 100),
    ("drawn by material", 5),
    ("drawn by quiet plies", 500),
];

/// What the games with castles of two squares must meet besides.
const CASTLES: [(&str, usize); 4] =
    [("visitors", 500), ("castle moves", 100), ("won by stalemate", 20), ("walled guards", 3)];

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
