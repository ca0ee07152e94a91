use std::fmt::Write;

use super::*;
use crate::game::{Reason, RuleSet, Value};
use crate::patience::Patience;
use crate::position::{Position, mix};
use crate::record::sorted_actions;
use crate::toys::{Dice, Relay, Subtraction};
use crate::variant::{Cam, CamAllKnights, Camelot, GrandCamelot};

type CamGame = Position<Cam>;

fn only(text: &str) -> RawGame<'_> {
    let games: Vec<_> = Games::new(text).collect();
    assert_eq!(games.len(), 1, "{games:?}");
    games.into_iter().next().unwrap()
}

fn read<G: Game>(text: &str) -> Result<PgnGame<G>, PgnError> {
    only(text).read(RuleSet::Classic)
}

fn random_game<G: Game>(start: G, seed: u64, plies: usize) -> PgnGame<G> {
    let mut line = Line::new(start);
    while line.outcome().is_none() && line.actions().len() < plies {
        let actions = sorted_actions(line.position());
        let draw = mix(seed << 32 | line.actions().len() as u64);
        line.play(actions[draw as usize % actions.len()]);
    }
    let cut = Outcome { value: Value::new(0.25).unwrap(), reason: Reason::Adjudication };
    let outcome = Some(line.outcome().unwrap_or(cut));
    PgnGame { line, outcome, tags: vec![] }
}

fn comes_back<G: Game>() {
    for rules in [RuleSet::Classic, RuleSet::Wcf] {
        for seed in 0..20 {
            let whole = random_game(G::start(rules), seed, 500);
            // A game that starts in the middle of another has a start position and columns to skip.
            let (start, plies) = (whole.line.start().clone(), seed as usize % 9);
            let cut = random_game(start, seed, plies);
            let tail = random_game(cut.line.position().clone(), seed + 100, 300);
            for game in [whole, cut, tail] {
                let text = game.to_string();
                let again = read::<G>(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!(again.line.start(), game.line.start(), "{text}");
                assert_eq!(again.line.actions(), game.line.actions(), "{text}");
                assert_eq!(again.outcome, game.outcome, "{text}");
                assert_eq!(again.to_string(), text);
            }
        }
    }
}

#[test]
fn random_games_come_back() {
    comes_back::<Position<Camelot>>();
    comes_back::<CamGame>();
    comes_back::<Position<CamAllKnights>>();
    comes_back::<Position<GrandCamelot>>();
    comes_back::<Relay>();
    comes_back::<Subtraction>();
    comes_back::<Dice>();
}

/// The move text of a line of actions.
fn moves<G: Game>(start: G, actions: &[&str]) -> String {
    let mut line = Line::new(start);
    for text in actions {
        let action = line.position().parse_action(text).unwrap();
        line.play(action);
    }
    let outcome = line.outcome();
    let text = PgnGame { line, outcome, tags: vec![] }.to_string();
    let (_, moves) = text.split_once("\n\n").unwrap();
    moves.trim_end().replace('\n', " ").replace("stones:", "s").replace("take:", "t")
}

#[test]
fn a_round_has_a_column_a_seat() {
    let start = Relay::start(RuleSet::Classic);
    let one = ["stones:1"; 8];
    assert_eq!(moves(start.clone(), &one[..3]), "1. s1 s1 s1 *");
    assert_eq!(moves(start, &one), "1. s1 s1 s1 s1 2. s1 -- s1 s1 3. -- -- s1 1/2-1/2");
    let middle = Relay::parse("9 1 1 1 1 2 1", RuleSet::Classic).unwrap();
    assert_eq!(moves(middle, &one[..3]), "1. -- -- s1 s1 2. s1 *");
    let alone = Relay::parse("9 0 0 0 3 3 2", RuleSet::Classic).unwrap();
    assert_eq!(moves(alone, &one[..2]), "1. -- -- -- s1 2. -- -- -- s1 *");
    let second = Subtraction::parse("9 1", RuleSet::Classic).unwrap();
    assert_eq!(moves(second, &["take:1", "take:2", "take:1"]), "1... t1 2. t2 t1 *");
    let dice = Dice::start(RuleSet::Classic);
    assert_eq!(moves(dice, &["roll", "face:3", "roll", "face:2"]), "1. roll face:3 2. roll face:2 *");
}

#[test]
fn an_army_that_is_gone_keeps_its_column_in_grand_camelot() {
    let no_green = "2/8/10/12/14/1B10Y1/1bB8Yy1/2bbb6yyy2/2bbb6yyy2/1bB8Yy1/1B10Y1/6rr6/4RrrR4/2RrrrrR2/8/2";
    for (army, columns) in [
        ("R", ["1.", "", "--", "", "", "2.", "", "--"]),
        ("B", ["1.", "--", "--", "", "", "2.", "", "--"]),
        ("Y", ["1.", "--", "--", "--", "", "2.", "", "--"]),
    ] {
        let start =
            Position::<GrandCamelot>::parse(&format!("{no_green} {army} 0,0,0,0 0"), RuleSet::Classic);
        let text = random_game(start.unwrap(), 3, 6).to_string();
        let (_, moves) = text.split_once("\n\n").unwrap();
        for (word, column) in moves.split_whitespace().zip(columns) {
            assert!(if column.is_empty() { word.len() > 4 } else { word == column }, "{army}: {moves}");
        }
        assert_eq!(read::<Position<GrandCamelot>>(&text).unwrap().to_string(), text);
    }
}

#[test]
fn the_tags_name_seats_and_teams() {
    let mut game = random_game(Relay::start(RuleSet::Classic), 1, 100);
    game.tags = vec![
        ("White".into(), "a \"b\" \\c".into()),
        ("Black".into(), "d\ne".into()),
        ("X".into(), "y".into()),
    ];
    let text = game.to_string();
    for line in
        ["[White \"a \\\"b\\\" \\\\c\"]", "[Blue \"a \\\"b\\\" \\\\c\"]", "[Yellow \"d e\"]", "[X \"y\"]"]
    {
        assert!(text.contains(line), "{text}");
    }
    assert!(
        text.starts_with("[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n"),
        "{text}"
    );
    assert_eq!(read::<Relay>(&text).unwrap().tag("White"), Some("a \"b\" \\c"));
    game.tags = vec![("Red".into(), "r".into()), ("Blue".into(), "b".into()), ("Green".into(), "g".into())];
    let text = game.to_string();
    assert!(text.contains("[White \"r + b\"]\n[Black \"g\"]\n"), "{text}");
}

const BY_HAND: &str = "\u{feff}% made by hand\r\n; a comment\r\n[Result \"1/2-1/2\"] [Variant \"Cam\"]\r\n\
    [Odd \"a\\\\b \\\"c\\\" \\d\"]\r\n{before}\r\n1.C4-C6!? $14 (1. C5-C6 {no )} (1. x) ; )\r\n\
    2. e4-e5) c9-c8 ! 2... 2 d5-d6 {a\r\n[comment]} e9-E8 1/2 ";

#[test]
fn what_people_write_is_read() {
    let game = read::<CamGame>(BY_HAND).unwrap();
    assert!(game.to_string().ends_with("\n\n1. C4-C6 C9-C8 2. D5-D6 E9-E8 1/2-1/2\n\n"), "{game}");
    assert_eq!(game.outcome, Some(Outcome::draw(Reason::Adjudication)));
    assert_eq!(game.tag("Odd"), Some("a\\b \"c\" \\d"));
    assert_eq!(read::<CamGame>("C4-C6 *").unwrap().outcome, None);
    let resigned = read::<CamGame>("[Termination \"White resigns\"] 1. C4-C6 0-1").unwrap();
    assert_eq!(resigned.outcome, Some(Outcome::win(Team::Two, Reason::Adjudication)));
    assert!(resigned.to_string().contains("[Termination \"White resigns\"]"));
}

#[test]
fn a_forfeit_keeps_its_reason_and_its_words() {
    for termination in ["forfeit", "Forfeit: no answer", "forfeit:"] {
        let text = format!("[Termination \"{termination}\"] 1. C4-C6 0-1");
        let game = read::<CamGame>(&text).unwrap();
        assert_eq!(game.outcome, Some(Outcome::win(Team::Two, Reason::Forfeit)), "{text}");
        let written = game.to_string();
        assert!(written.contains(&format!("[Termination \"{termination}\"]")), "{written}");
        assert_eq!(read::<CamGame>(&written).unwrap().outcome, game.outcome);
    }
    for (text, outcome) in [
        ("[Termination \"forfeit\"] 1. C4-C6 1/2-1/2", Some(Outcome::draw(Reason::Adjudication))),
        ("[Termination \"forfeited\"] 1. C4-C6 1-0", Some(Outcome::win(Team::One, Reason::Adjudication))),
        ("[Termination \"forfeit\"] 1. C4-C6 *", None),
    ] {
        let game = read::<CamGame>(text).unwrap();
        assert_eq!(game.outcome, outcome, "{text}");
        assert_eq!(read::<CamGame>(&game.to_string()).unwrap().outcome, outcome, "{text}");
    }
    let mut game = random_game(CamGame::start(RuleSet::Classic), 1, 500);
    game.tags.push(("Termination".into(), "forfeit: no answer".into()));
    let text = game.to_string();
    let named = Reason::ALL.into_iter().find(|reason| text.contains(&format!("Termination \"{reason}\"")));
    assert_eq!(named, game.outcome.map(|outcome| outcome.reason), "the rules come first: {text}");
}

#[test]
fn a_bare_number_is_a_move_in_the_patience_and_a_round_elsewhere() {
    let short = read::<Patience>("1. deal draw:5 6 2.deal draw:A 3.0 *").unwrap().to_string();
    assert!(short.contains("\n1. deal draw:5 2. place:6 3. deal draw:A 4. place:0 *"), "{short}");
    let error = read::<Patience>("1. deal draw:5 16 *").unwrap_err();
    assert_eq!((error.ply, error.place.column), (Some(3), 16), "{error}");
    let board = read::<CamGame>("1 C4-C6 C9-C8 2 1.D5-D6 99 *").unwrap().to_string();
    assert!(board.contains("\n1. C4-C6 C9-C8 2. D5-D6 *"), "{board}");
}

/// Found by fuzzing: text beyond ASCII wherever it may stand.
#[test]
fn other_alphabets_are_passed_over() {
    let text = "[White \"Zoë\"] {é} (\né\n é {ü} é) 1. C4-C6!? ; ß\n *";
    assert_eq!(read::<CamGame>(text).unwrap().tag("White"), Some("Zoë"));
    assert_eq!(read::<CamGame>("1. C4-C6 é *").unwrap_err().place, Place { line: 1, column: 10 });
}

#[test]
fn an_unsaid_result_is_that_of_the_moves() {
    let text = "[FEN \"3 1 0 0 1 0 3\"] 1. stones:2 -- -- stones:1 *";
    assert_eq!(read::<Relay>(text).unwrap().outcome, Some(Outcome::win(Team::Two, Reason::Objective)));
}

#[test]
fn every_fault_is_named_with_its_place() {
    let long = "x".repeat(300);
    let deep = "(".repeat(100);
    for (text, place, part) in [
        ("C4-C6", (1, 6), "no result at the end"),
        ("1. C4-C6\nC4-C8 *", (2, 1), "bad move `C4-C8`"),
        ("1. C4-C6 2.C4-C8 *", (1, 12), "bad move `C4-C8`"),
        ("C4-C6 {open", (1, 7), "comment that is never closed"),
        ("C4-C6 (D4-D5 *", (1, 7), "variation that is never closed"),
        (&format!("{deep} *"), (1, 65), "more than 64 deep"),
        ("C4-C6 ) *", (1, 7), "a `)` out of place"),
        ("C4-C6 $x *", (1, 7), "`$` without a number"),
        ("[Event \"x\n\"] *", (1, 10), "a broken tag"),
        ("[Event x] *", (1, 8), "a broken tag"),
        ("[E \"x\"]\n[E \"y\"] *", (2, 1), "the tag E for the second time"),
        (&long, (1, 1), "a word longer than"),
        ("[Variant \"camelot\"] *", (1, 1), "the variant is `camelot`, expected `cam`"),
        ("[Rules \"fide\"] *", (1, 1), "unknown rule set `fide`"),
        ("\n[FEN \"7 W - 0\"] *", (2, 1), "the placement"),
        ("[PlyCount \"2\"] C4-C6 *", (1, 1), "the ply count is `2`, the game has 1"),
        ("[Result \"1-0\"] C4-C6 0-1", (1, 1), "the result is `1-0`, the moves end with `0-1`"),
        ("[Termination \"castle\"] C4-C6 1-0", (1, 1), "the moves lead to a game that goes on"),
        ("[Value \"-0.5\"] C4-C6 1-0", (1, 1), "the value is `-0.5`"),
        ("[Value \"NaN\"] C4-C6 1-0", (1, 1), "the value is `NaN`"),
        ("1. -- C4-C6 *", (1, 4), "in a turn that is not skipped"),
    ] {
        let error = read::<CamGame>(text).unwrap_err();
        assert!(error.to_string().contains(part), "{text}: {error}");
        assert_eq!((error.place.line, error.place.column), place, "{text}: {error}");
    }
    let ply = read::<CamGame>("C4-C6 C9-C8 C4-C8 *").unwrap_err().ply;
    assert_eq!(ply, Some(3));
}

#[test]
fn ends_and_columns_that_do_not_fit_are_refused() {
    for (text, part) in [
        ("1. stones:1 -- *", "in a turn that is not skipped"),
        ("[FEN \"9 1 1 1 1 2 1\"] 1. -- stones:1 *", "the column of a skipped player"),
        ("[FEN \"2 1 1 1 1 0 3\"] 1. stones:2 0-1", "the moves lead to `1-0`"),
        ("[FEN \"2 1 1 1 1 0 3\"] 1. stones:2 stones:1 1-0", "after the end of the game by objective"),
        ("[FEN \"2 1 1 1 1 0 3\"] [Termination \"Castle\"] 1. stones:2 1-0", "an end by objective"),
    ] {
        let error = read::<Relay>(text).unwrap_err();
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
}

#[test]
fn a_broken_game_does_not_hide_the_next() {
    let mut text = String::new();
    for fault in
        ["[Event \"x", "C4-C6", "C4-C6 }", "C4-C6 (D4-D5", "{} C4-C6 ]", "[A \"\"]\n[A \"\"]\n\n", "1."]
    {
        write!(text, "{fault}\n\n[Event \"good\"]\n[Variant \"cam\"]\n\n1. C4-C6 *\n\n").unwrap();
    }
    text.push_str("C4-C6 {never closed\n\n[Event \"good\"]\n\n1. C4-C6 *");
    let games: Vec<_> = Games::new(&text).map(|game| game.read::<CamGame>(RuleSet::Classic)).collect();
    let good: Vec<bool> = games.iter().map(Result::is_ok).collect();
    assert_eq!(good, [false, true].repeat(8));
    assert_eq!(Games::new(" \r\n{nothing} ; here").count(), 0);
}

/// Texts made to be slow to read are read in time that grows with their length; a test that is not would
/// take hours.
#[test]
fn hostile_texts_take_no_longer_than_others() {
    let count = 200_000;
    for part in
        ["{\n[", "(\n[", "( {} ", "[A \"", "\"\n[\n", "{}", "x ", "1-0 ", ";", "$1 ", "( ) ", "[A \"\\"]
    {
        let games: Vec<_> = Games::new(&part.repeat(count))
            .map(|game| game.read::<CamGame>(RuleSet::Classic).is_ok())
            .collect();
        assert!(games.len() <= count);
    }
    assert!(Games::new(&"[A \"\"]\n".repeat(count)).count() <= 1);
}
