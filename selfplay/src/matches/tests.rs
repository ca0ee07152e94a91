//! Matches of the patience: the same deals for both, and how they are scored.

use camelot_core::Patience;
use camelot_core::patience::Act;

use super::*;
use crate::players::{Greedy, Random};

const SETTINGS: MatchSettings =
    MatchSettings { pairs: 60, opening_plies: 4, seed: 3, rules: RuleSet::Classic, sprt: None };

fn played(first: &LoadedPlayer, second: &LoadedPlayer) -> MatchReport<Patience> {
    play_match(first, second, &SETTINGS, &MatchProgress::default()).unwrap()
}

fn cards(game: &MatchGame<Patience>) -> Vec<Act> {
    game.line.actions().iter().copied().filter(|action| matches!(action, Act::Draw(_))).collect()
}

#[test]
fn both_players_meet_the_same_cards_in_the_same_order() {
    let report = played(&LoadedPlayer::Greedy, &LoadedPlayer::Random);
    let mut compared = 0;
    let mut decks = HashSet::new();
    for pair in report.games.chunks_exact(2) {
        assert_eq!((pair[0].first_player, pair[1].first_player), (Team::One, Team::Two));
        let (one, two) = (cards(&pair[0]), cards(&pair[1]));
        let common = one.len().min(two.len());
        assert_eq!(one[..common], two[..common]);
        assert_ne!(pair[0].line.actions(), pair[1].line.actions());
        compared += common;
        decks.insert(one[..4].to_vec());
        assert_eq!(pair[0].line.actions()[0], Act::Deal, "no random plies before the players");
    }
    assert!(compared > 600 && decks.len() > 55, "{compared} cards, {} decks", decks.len());
}

#[test]
fn cards_do_not_depend_on_how_much_chance_the_players_use() {
    let mut boxed: [Box<dyn Player<Patience>>; 2] = [Box::new(Greedy), Box::new(Random)];
    let progress = MatchProgress::default();
    let [one, _] = play_pair(&mut boxed, 7, &SETTINGS, &progress).unwrap();
    boxed.reverse();
    let [_, two] = play_pair(&mut boxed, 7, &SETTINGS, &progress).unwrap();
    // The same player sat in both games with different random numbers.
    let common = cards(&one).len().min(cards(&two).len());
    assert!(common > 0 && cards(&one)[..common] == cards(&two)[..common]);
}

#[test]
fn the_better_result_wins_the_deal() {
    let report = played(&LoadedPlayer::Greedy, &LoadedPlayer::Random);
    let mut expected = [0; 3];
    for pair in report.games.chunks_exact(2) {
        let [mine, theirs] = [&pair[0], &pair[1]].map(|game| game.line.position().removed());
        expected[match mine.cmp(&theirs) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 2,
        }] += 1;
    }
    assert_eq!([report.wins, report.draws, report.losses], expected);
    assert_eq!(report.wins + report.draws + report.losses, SETTINGS.pairs);
    let [greedy, random] = report.solo.unwrap();
    let mean = |player: Team| {
        let games = report.games.iter().filter(|game| game.first_player == player);
        games.map(|game| f64::from(game.line.position().removed())).sum::<f64>() / SETTINGS.pairs as f64
    };
    assert!((greedy.points.value - mean(Team::One)).abs() < 1e-9);
    assert!((random.points.value - mean(Team::Two)).abs() < 1e-9);
    let same = played(&LoadedPlayer::Greedy, &LoadedPlayer::Greedy);
    assert_eq!(same.games.len(), 120);
}
