//! Matches of the patience: the same deals for both, and how they are scored.

use camelot_core::patience::Act;
use camelot_core::{Cam, Patience, Position};

use super::*;
use crate::players::{Greedy, Random, Thought};

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

/// Gives up at the second move.
struct Quitter;

impl<G: Game> Player<G> for Quitter {
    fn think(
        &mut self,
        line: &Line<G>,
        limits: &Limits,
        rng: &mut Generator,
    ) -> Result<Thought<G::Action>, Forfeit> {
        if line.actions().len() > 2 {
            Err(Forfeit("no more".into()))
        } else {
            Random.think(line, limits, rng)
        }
    }
}

fn with_a_quitter<G: Game>() -> MatchReport<G> {
    let mut players: [Box<dyn Player<G>>; 2] = [Box::new(Quitter), Box::new(Random)];
    let games = play_pair(&mut players, 1, &SETTINGS, &MatchProgress::default()).unwrap();
    let score = pair_score([&games[0], &games[1]]);
    report(games.into(), vec![score], None)
}

#[test]
fn a_player_that_gives_up_loses_and_is_named() {
    let whys = [Forfeit("no more".into())];
    let alone = with_a_quitter::<Patience>();
    assert_eq!((alone.wins, alone.draws + alone.losses), (0, 1));
    assert_eq!(alone.games[0].outcome, Outcome::win(Team::Two, Reason::Forfeit));
    assert!(alone.forfeits(0).eq(&whys) && alone.forfeits(1).count() == 0);
    let board = with_a_quitter::<Position<Cam>>();
    assert_eq!((board.wins, board.draws, board.losses), (0, 0, 2));
    assert!(board.forfeits(0).eq(&[whys[0].clone(), whys[0].clone()]) && board.forfeits(1).count() == 0);
    let text = crate::pgn::game_text(&board.games[0], ["q", "r"], 1);
    assert!(text.contains("[Termination \"forfeit: no more\"]") && text.contains("0-1"), "{text}");
}

#[test]
fn a_stopped_match_blames_nobody() {
    let progress = MatchProgress::default();
    progress.stop.store(true, Ordering::Relaxed);
    let mut players: [Box<dyn Player<Patience>>; 2] = [Box::new(Quitter), Box::new(Quitter)];
    assert!(play_pair(&mut players, 1, &SETTINGS, &progress).is_none());
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
    assert_eq!((report.forfeits(0).count(), report.forfeits(1).count()), (0, 0));
    let same = played(&LoadedPlayer::Greedy, &LoadedPlayer::Greedy);
    assert_eq!(same.games.len(), 120);
}
