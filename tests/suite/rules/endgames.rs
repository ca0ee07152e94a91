//! A published endgame solved exactly: each side has one piece in the goal castle, its castle moves
//! used, and one Man outside. The published claim, and the counts of an independent solution, must
//! come out of this crate's rules.

use std::collections::HashMap;

use camelot_core::{Camelot, Game, Position, RuleSet, Team};

use super::legal;
use super::sheet::{Sheet, at, name};

/// What a move leads to: the end with its winner, or a position by number.
#[derive(Clone, Copy)]
enum Child {
    Over(Team),
    Number(usize),
}

/// The winner, and the plies that best play takes.
type Solution = (Team, u16);

fn position(white: &str, black: &str, army: char) -> Position<Camelot> {
    let mut sheet = Sheet::empty("camelot");
    for (square, letter) in [("F16", 'w'), (white, 'w'), ("F1", 'b'), (black, 'b')] {
        sheet.set(at(square), letter);
    }
    sheet.army = army;
    sheet.castle_moves = vec![2, 2];
    Position::parse(&sheet.to_string(), RuleSet::Classic).unwrap()
}

/// Every placement of the two Men outside their goal castles, with either side to move.
fn placements() -> Vec<Position<Camelot>> {
    let names: Vec<String> = Sheet::empty("camelot").squares().into_iter().map(name).collect();
    let mut positions = Vec::new();
    for white in names.iter().filter(|name| !["F1", "F16", "G16"].contains(&name.as_str())) {
        for black in names.iter().filter(|name| !["F16", "F1", "G1"].contains(&name.as_str())) {
            if white != black {
                positions.extend(['W', 'B'].map(|army| position(white, black, army)));
            }
        }
    }
    positions
}

/// Works backwards from the ends: in round `n` whatever is decided in `n` plies.
fn solve(positions: &[Position<Camelot>]) -> Vec<Option<Solution>> {
    let numbers: HashMap<u64, usize> = positions.iter().map(Game::key).zip(0..).collect();
    assert_eq!(numbers.len(), positions.len(), "keys tell positions apart");
    let children: Vec<Vec<Child>> = positions.iter().map(|position| children(position, &numbers)).collect();
    let mut solved: Vec<Option<Solution>> = vec![None; positions.len()];
    for round in 1.. {
        let winner = |child: &Child| match *child {
            Child::Over(team) => Some(team),
            Child::Number(number) => solved[number].map(|(team, _)| team),
        };
        let mut found = Vec::new();
        for (number, position) in positions.iter().enumerate().filter(|(number, _)| solved[*number].is_none())
        {
            let mover = Position::<Camelot>::team(position.to_move());
            if children[number].iter().any(|child| winner(child) == Some(mover)) {
                found.push((number, mover));
            } else if children[number].iter().all(|child| winner(child).is_some()) {
                found.push((number, mover.other()));
            }
        }
        if found.is_empty() {
            break;
        }
        for (number, team) in found {
            solved[number] = Some((team, round));
        }
    }
    solved
}

fn children(position: &Position<Camelot>, numbers: &HashMap<u64, usize>) -> Vec<Child> {
    assert_eq!(position.outcome(), None, "{position}");
    let child = |action| {
        let mut next = *position;
        next.play(action);
        match next.outcome() {
            Some(outcome) => Child::Over(outcome.winner().expect("no move leads to a draw")),
            None => Child::Number(numbers[&next.key()]),
        }
    };
    legal(position).into_iter().map(child).collect()
}

#[test]
fn the_published_endgame_is_won_as_claimed() {
    let positions = placements();
    let solved = solve(&positions);
    assert_eq!(positions.len(), 48_986);
    for team in [Team::One, Team::Two] {
        let won = solved.iter().flatten().filter(|(winner, _)| *winner == team).count();
        assert_eq!(won, 24_493, "won by {team:?}");
    }
    let solution = |white, black, army| {
        let key = position(white, black, army).key();
        solved[positions.iter().position(|position| position.key() == key).unwrap()].unwrap()
    };
    assert_eq!(solution("G5", "G7", 'W'), (Team::Two, 16));
    assert_eq!(solution("G5", "G7", 'B'), (Team::Two, 37));
    for (white, black) in [("F5", "H6"), ("H5", "F6")] {
        assert_eq!(solution(white, black, 'W').0, Team::Two, "after {white} {black}");
    }
}
