//! The search against plain minimax, and what the player promises.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use camelot_core::toys::{Relay, Subtraction, exact_value};
use camelot_core::{Cam, CamAllKnights, Camelot, Game, GrandCamelot, Move, Patience, RuleSet, Team};
use camelot_models::EncodedVariant;
use rand::RngExt;

use super::judge::{Judge, Tension};
use super::ordering::LOUD;
use super::reach::Side;
use super::scores::WIN;
use super::*;
use crate::players::{LoadedPlayer, PlayerSpec};
use crate::rng::{Purpose, generator};

/// Sees nothing in a position that is not over.
#[derive(Debug)]
struct Blank;

impl<G: Game> Judge<G> for Blank {
    fn judge(&self, _: &G) -> i32 {
        0
    }

    fn tension(&self, _: &G) -> Tension {
        Tension::Quiet
    }

    fn promise(&self, _: &G, _: G::Action) -> i32 {
        0
    }

    fn slot(&self, _: G::Action) -> usize {
        0
    }
}

/// A search that does what minimax does: to the depth and no further, remembering nothing.
const PLAIN: Settings = Settings { table_entries: 0, horizon: Horizon::Fixed };

fn unlimited() -> Clock {
    Clock::start(Limits::default())
}

fn after<G: Game>(position: &G, action: G::Action) -> G {
    let mut next = position.clone();
    next.play(action);
    next
}

fn legal<G: Game>(position: &G) -> Vec<G::Action> {
    let mut actions = Vec::new();
    position.legal_actions(&mut actions);
    actions
}

/// A line of random play that is not over, with some moves taken back and made again, so that positions
/// repeat on it and below it.
fn random_line<V: Variant>(start: Position<V>, plies: u32, rng: &mut Generator) -> Line<Position<V>> {
    let mut line = Line::new(start);
    for _ in 0..plies {
        let actions = legal(line.position());
        let known = |action: &&Move| line.past_keys().contains(&after(line.position(), **action).key());
        let back = actions.iter().find(known).filter(|_| rng.random_range(0..2) == 0);
        let action = *back.unwrap_or(&actions[rng.random_range(0..actions.len())]);
        let mut next = line.clone();
        next.play(action);
        if next.outcome().is_none() {
            line = next;
        }
    }
    line
}

/// The score for team One by plain minimax; counts the repetitions it meets.
fn minimax<G: Game>(
    judge: &impl Judge<G>,
    position: &G,
    depth: i32,
    keys: &mut Vec<u64>,
    repetitions: &mut u32,
) -> i32 {
    minimax_below(judge, position, (depth, 0), keys, repetitions)
}

fn minimax_below<G: Game>(
    judge: &impl Judge<G>,
    position: &G,
    (depth, ply): (i32, i32),
    keys: &mut Vec<u64>,
    repetitions: &mut u32,
) -> i32 {
    if let Some(outcome) = position.outcome() {
        return outcome.value.absolute() as i32 * (WIN - ply);
    }
    let recent = keys.len().saturating_sub(usize::from(position.reversible_plies()));
    if ply > 0 && keys[recent..].contains(&position.key()) {
        *repetitions += 1;
        return 0;
    }
    let one = position.team_to_move() == Team::One;
    if depth == 0 {
        return if one { judge.judge(position) } else { -judge.judge(position) };
    }
    keys.push(position.key());
    let scores = legal(position).into_iter().map(|action| {
        minimax_below(judge, &after(position, action), (depth - 1, ply + 1), keys, repetitions)
    });
    let best = if one { scores.max() } else { scores.min() };
    keys.pop();
    best.unwrap()
}

fn agrees_with_minimax<V: Variant>(start: &str, depth: u8, games: u64) -> u32 {
    let judge = Evaluation::<V>::new();
    let mut search = Search::new(Evaluation::<V>::new(), PLAIN);
    let mut repetitions = 0;
    for game in 0..games {
        let mut rng = generator(2, Purpose::Bench, game);
        let start = Position::<V>::parse(start, RuleSet::Classic).unwrap();
        let line = random_line(start, 3 * game as u32, &mut rng);
        let position = line.position();
        let mut keys = line.past_keys().to_vec();
        let exact = minimax(&judge, position, i32::from(depth), &mut keys, &mut repetitions);
        let exact = exact * position.team_to_move().sign() as i32;
        let found = search.run(&line, depth, unlimited(), &mut rng, &mut |_| {});
        if legal(position).len() > 1 {
            assert_eq!(found.score, Some(exact), "{}: {position}", V::NAME);
        }
    }
    repetitions
}

#[test]
fn scores_are_those_of_plain_minimax() {
    agrees_with_minimax::<Cam>(Cam::shape().start, 3, 16);
    agrees_with_minimax::<CamAllKnights>(CamAllKnights::shape().start, 3, 12);
    agrees_with_minimax::<Camelot>(Camelot::shape().start, 2, 16);
    agrees_with_minimax::<GrandCamelot>(GrandCamelot::shape().start, 2, 12);
    // Few pieces: castles, stalemates, lone pieces, and the same positions again and again.
    let repetitions = agrees_with_minimax::<Cam>("1/3/2w2/7/7/2b4/7/7/4b2/5W1/5/1B1/1 W - 0", 4, 40)
        + agrees_with_minimax::<GrandCamelot>(
            "2/8/10/4R7/3g10/14/14/16/16/6b7/14/14/5y6/3Y6/8/2 B 0,0,0,0 0",
            3,
            24,
        );
    assert!(repetitions > 1000, "{repetitions}");
}

/// Compares with brute force on every position in reach.
fn solves<G: Game>(position: &G, search: &mut Search<G, Blank>, rng: &mut Generator) {
    if position.outcome().is_some() {
        return;
    }
    let sign = position.team_to_move().sign();
    let found = search.run(&Line::new(position.clone()), 16, unlimited(), rng, &mut |_| {});
    let chosen = exact_value(&after(position, found.line[0]));
    assert_eq!(chosen, exact_value(position), "{position}: {:?}", found.line);
    if legal(position).len() > 1 {
        let score = found.score.unwrap();
        assert_eq!(f32::from(i8::from(score > 0) - i8::from(score < 0)), sign * exact_value(position));
        let mut end = position.clone();
        found.line.iter().for_each(|&action| end.play(action));
        assert!(score == 0 || end.outcome().is_some(), "{position}: {found:?}");
        assert!(score == 0 || score.abs() == WIN - found.line.len() as i32);
    }
    for action in legal(position) {
        solves(&after(position, action), search, rng);
    }
}

/// Partners may move twice in a row in the second game.
#[test]
fn toy_games_are_solved_however_turns_go_round() {
    let mut rng = generator(3, Purpose::Bench, 0);
    for table_entries in [0, 1 << 8] {
        let settings = Settings { table_entries, horizon: Horizon::Fixed };
        solves(&Subtraction::with_heap(12), &mut Search::new(Blank, settings), &mut rng);
        for turns in [[2, 1, 3, 2], [0, 3, 0, 3], [3, 0, 0, 3]] {
            solves(&Relay::new(8, turns), &mut Search::new(Blank, settings), &mut rng);
        }
    }
}

fn cam_line(text: &str) -> Line<Position<Cam>> {
    Line::new(Position::parse(text, RuleSet::Classic).unwrap())
}

fn think<V: EncodedVariant>(budget: Budget, line: &Line<Position<V>>, limits: &Limits) -> Thought<Move> {
    let mut rng = generator(4, Purpose::Bench, 0);
    classical(budget, None).think(line, limits, &mut rng).unwrap()
}

#[test]
fn the_quickest_win_is_played() {
    // A piece beside the castle among others that could follow it.
    let next = cam_line("1/1w1/2w2/3w3/7/7/7/7/7/1b3b1/5/3/1 W - 0");
    // Three moves away, with nobody in the way.
    let far = cam_line("1/3/2w2/7/7/6w/7/7/7/b5b/5/3/1 W - 0");
    for depth in 3..=6 {
        let thought = think(Budget::Depth(depth), &next, &Limits::default());
        assert_eq!((thought.line.len(), thought.value), (1, Some(1.0)));
        assert_eq!(thought.action.to.to_string(), "D13");
        let thought = think(Budget::Depth(depth), &far, &Limits::default());
        assert_eq!((thought.line.len(), thought.value), (3, Some(1.0)), "{thought:?}");
    }
}

#[test]
fn a_loss_is_put_off_as_long_as_it_can_be() {
    let line = cam_line("1/3/2w2/7/7/6w/7/7/7/b5b/5/3/1 B - 1");
    let thought = think(Budget::Depth(5), &line, &Limits::default());
    assert_eq!(thought.value, Some(-1.0));
    assert_eq!(thought.line.len(), 4, "{thought:?}");
}

#[test]
fn a_captured_piece_is_not_counted_before_the_answer() {
    // D7 can take E8 and is then taken from G10; A4 can take B5 for nothing.
    let line = cam_line("1/3/5/6b/7/4b2/3w3/7/1b5/w6/5/w2/1 W - 0");
    let thought = think(Budget::Depth(1), &line, &Limits::default());
    assert_eq!(thought.action.to.to_string(), "C6", "{thought:?}");
}

#[test]
fn a_budget_of_nodes_is_never_exceeded() {
    let mut rng = generator(5, Purpose::Bench, 0);
    let line = random_line(Position::<Camelot>::start(RuleSet::Classic), 12, &mut rng);
    for count in [1, 2, 3, 50, 1_000, 4_321] {
        let thought = think(Budget::Nodes(count), &line, &Limits::default());
        assert_eq!(thought.simulations, count);
        assert!(legal(line.position()).contains(&thought.action));
        assert_eq!(thought.line[0], thought.action);
        // What others ask for goes before the player's own budget.
        let asked = think(Budget::Depth(1), &line, &Limits::simulations(count));
        assert_eq!(asked, thought);
    }
}

#[test]
fn a_search_stops_when_it_is_told_to() {
    let line = Line::new(Position::<Cam>::start(RuleSet::Classic));
    let stop = Some(Arc::new(AtomicBool::new(true)));
    let thought = think(Budget::Depth(9), &line, &Limits { stop, ..Limits::default() });
    assert_eq!((thought.simulations, thought.value), (0, None));
    let timed = think(Budget::Depth(1), &line, &Limits::time(Duration::ZERO));
    assert_eq!((timed.simulations, timed.value), (0, None));
}

#[test]
fn a_move_does_not_depend_on_what_was_searched_before() {
    let mut used = classical::<Cam>(Budget::Depth(3), None);
    for game in 0..12 {
        let mut rng = generator(6, Purpose::Bench, game);
        let line = random_line(Position::<Cam>::start(RuleSet::Classic), 2 * game as u32, &mut rng);
        let mut again = rng.clone();
        let one = used.think(&line, &Limits::default(), &mut rng).unwrap();
        let two = classical(Budget::Depth(3), None).think(&line, &Limits::default(), &mut again).unwrap();
        assert_eq!(one, two);
    }
}

/// A position string seen from the other side of the table: turned by half a circle, every army that of its
/// opponent.
fn turned(text: &str) -> String {
    let fields: Vec<&str> = text.split(' ').collect();
    let (armies, opponents) = ("WBRGYwbrgy", "BWGRBbwgry");
    // Blue is Black's letter as well; four armies are told by Red's.
    let four = text.contains(['R', 'r', 'G', 'g']);
    let opponent = |letter: char| match (letter, four) {
        ('B', true) => 'Y',
        ('b', true) => 'y',
        ('Y', _) => 'B',
        ('y', _) => 'b',
        _ => armies.find(letter).map_or(letter, |place| opponents.as_bytes()[place].into()),
    };
    let rank = |rank: &str| {
        let digits = |c: char| c.is_ascii_digit();
        let (mut parts, mut rest) = (Vec::new(), rank);
        while let Some(first) = rest.chars().next() {
            let length = if digits(first) { rest.find(|c| !digits(c)).unwrap_or(rest.len()) } else { 1 };
            parts.push(rest[..length].chars().map(opponent).collect::<String>());
            rest = &rest[length..];
        }
        parts.into_iter().rev().collect::<String>()
    };
    let placement: Vec<String> = fields[0].split('/').rev().map(rank).collect();
    let mut counts: Vec<&str> = fields[2].split(',').collect();
    counts.chunks_exact_mut(2).for_each(<[&str]>::reverse);
    let mover: String = fields[1].chars().map(opponent).collect();
    [&placement.join("/"), &mover, &counts.join(","), fields[3]].join(" ")
}

/// A position string seen in a mirror, left and right exchanged.
fn mirrored(text: &str) -> String {
    let swap = |c: char| match c {
        'W' => 'B',
        'B' => 'W',
        'w' => 'b',
        'b' => 'w',
        c => c,
    };
    // Turned, then turned over: ranks from the bottom, the armies exchanged again.
    let text = turned(text);
    let fields: Vec<&str> = text.split(' ').collect();
    let placement: Vec<&str> = fields[0].split('/').rev().collect();
    let counts: Vec<&str> = fields[2].split(',').rev().collect();
    let rest = [&placement.join("/"), fields[1]].join(" ").chars().map(swap).collect::<String>();
    [&rest, &counts.join(","), fields[3]].join(" ")
}

fn looks_the_same_from_everywhere<V: Variant>() {
    let evaluation = Evaluation::<V>::new();
    for game in 0..40 {
        let mut rng = generator(7, Purpose::Bench, game);
        let line = random_line(Position::<V>::start(RuleSet::Classic), 4 * game as u32, &mut rng);
        let text = line.position().to_string();
        let images = if V::SEATS == 2 { vec![turned(&text), mirrored(&text)] } else { vec![turned(&text)] };
        for image in images {
            let seen = Position::<V>::parse(&image, RuleSet::Classic).unwrap();
            assert_eq!(evaluation.judge(line.position()), evaluation.judge(&seen), "{text} {image}");
            assert_eq!(evaluation.tension(line.position()), evaluation.tension(&seen), "{text} {image}");
        }
    }
}

#[test]
fn judgements_do_not_depend_on_the_colour_or_on_left_and_right() {
    looks_the_same_from_everywhere::<Cam>();
    looks_the_same_from_everywhere::<CamAllKnights>();
    looks_the_same_from_everywhere::<Camelot>();
    looks_the_same_from_everywhere::<GrandCamelot>();
}

/// Tension is told without a list of moves; the list must bear it out.
fn tension_is_told_rightly<V: Variant>() -> [u32; 3] {
    let evaluation = Evaluation::<V>::new();
    let mut seen = [0; 3];
    for game in 0..200 {
        let mut rng = generator(8, Purpose::Bench, game);
        let line = random_line(Position::<V>::start(RuleSet::Classic), 4 + game as u32 / 4, &mut rng);
        let position = line.position();
        let seat = position.to_move();
        if position.army(seat).intersects(position.board().castle(seat)) {
            continue;
        }
        let moves = legal(position);
        let captures = moves.iter().filter(|action| !action.captured.is_empty()).count();
        let goal = position.goal_castle(seat);
        let enters = |action: &&Move| goal.contains(action.to) && !goal.contains(action.from);
        let entries = moves.iter().filter(enters).count();
        let tension = evaluation.tension(position);
        seen[tension as usize] += 1;
        match tension {
            Tension::Forced => assert_eq!(captures, moves.len(), "{position}"),
            Tension::Loud => assert!(captures < moves.len() && captures + entries > 0, "{position}"),
            Tension::Quiet => assert_eq!(captures, 0, "{position}"),
        }
        let near = Side::of(position, seat).count_moves(1);
        assert!(tension != Tension::Quiet || near.is_some() == (entries > 0), "{position}");
        for action in moves {
            let loud = evaluation.promise(position, action) >= LOUD;
            assert_eq!(loud, enters(&&action) || !action.captured.is_empty());
        }
    }
    seen
}

#[test]
fn captures_and_entries_are_seen_before_they_are_listed() {
    for seen in [tension_is_told_rightly::<Cam>(), tension_is_told_rightly::<Camelot>()] {
        assert!(seen.iter().all(|&count| count > 3), "{seen:?}");
    }
    tension_is_told_rightly::<CamAllKnights>();
    tension_is_told_rightly::<GrandCamelot>();
}

fn plays_by_the_rules<V: EncodedVariant>() {
    let mut player = classical::<V>(Budget::Depth(2), None);
    for game in 0..4 {
        let mut rng = generator(9, Purpose::Bench, game);
        let mut line = random_line(Position::<V>::start(RuleSet::Wcf), 8 * game as u32, &mut rng);
        while line.outcome().is_none() && line.actions().len() < 120 {
            let limits = Limits::simulations(rng.random_range(1..400));
            let thought = player.think(&line, &limits, &mut rng).unwrap();
            assert!(thought.value.is_none_or(|value| (-1.0..=1.0).contains(&value)));
            assert_eq!(thought.line[0], thought.action);
            let mut shown = line.clone();
            for &action in &thought.line {
                assert!(legal(shown.position()).contains(&action), "{} {thought:?}", line.position());
                shown.play(action);
            }
            line.play(thought.action);
        }
    }
}

#[test]
fn a_depth_that_is_asked_for_takes_the_place_of_the_players_own_effort() {
    let line = Line::new(Position::<Cam>::start(RuleSet::Classic));
    let asked = |depth| Limits { depth: Some(depth), ..Limits::default() };
    let own = think(Budget::Depth(3), &line, &Limits::default());
    for budget in [Budget::Depth(1), Budget::Depth(6), Budget::Nodes(5), Budget::MoveTimeMs(1)] {
        assert_eq!(think(budget, &line, &asked(3)), own, "{budget:?}");
    }
    let both = Limits { simulations: Some(7), ..asked(60) };
    assert_eq!(think(Budget::Depth(1), &line, &both).simulations, 7);
}

#[test]
fn every_move_and_every_line_shown_is_legal() {
    plays_by_the_rules::<Cam>();
    plays_by_the_rules::<CamAllKnights>();
    plays_by_the_rules::<Camelot>();
    plays_by_the_rules::<GrandCamelot>();
}

#[test]
fn it_is_loaded_for_board_games_alone() {
    let spec: PlayerSpec = "alphabeta:depth=2".parse().unwrap();
    assert!(LoadedPlayer::load::<Position<GrandCamelot>>(&spec).is_ok());
    let error = LoadedPlayer::load::<Patience>(&spec).unwrap_err().to_string();
    for part in ["alphabeta:depth=2", "patience", "expected"] {
        assert!(error.contains(part), "{error}");
    }
}
