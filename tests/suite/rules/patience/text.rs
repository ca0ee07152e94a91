//! Malformed and impossible positions and actions: one line that names the field, what stands there and
//! what would be right.

use camelot_core::{Game, Patience, RuleSet};
use rand::RngExt;

use super::super::{legal, rng};
use super::read;

const FULL: &str = "AAAA/2222/3333/4444";

#[test]
fn bad_positions_are_refused_by_name() {
    let empty = "..../..../..../....";
    for (text, parts) in [
        (String::new(), ["the whole string", "five fields"]),
        (format!("{empty} - - 0"), ["the whole string", "five fields"]),
        (format!("{empty} - - 0 4444444444444 -"), ["the whole string", "five fields"]),
        (format!("{empty}  - - 0 4444444444444"), ["the whole string", "five fields"]),
        (format!("{empty}/.... - - 0 4444444444444"), ["the grid", "four rows of four cells"]),
        ("..../..../.... - - 0 4444444444444".into(), ["the grid", "four rows"]),
        (".../...../..../.... - - 0 4444444444444".into(), ["the grid", "four rows"]),
        ("X.../..../..../.... - - 0 4444444444444".into(), ["the grid", "X..."]),
        ("a.../..../..../.... - - 0 3444444444444".into(), ["the grid", "A23456789TJQK"]),
        (".K../..../..../.... - - 0 4444444444443".into(), ["the grid", "K on none but the cells 0 3 12 15"]),
        ("Q.../..../..../.... - - 0 4444444444434".into(), ["the grid", "Q on none but the cells 1 2 13 14"]),
        ("..../.J../..../.... - - 0 4444444444344".into(), ["the grid", "J on none but the cells 4 7 8 11"]),
        (format!("{empty} X - 0 4444444444444"), ["the waste is `X`", "`?` or `-`"]),
        (format!("{empty} AA - 0 4444444444444"), ["the waste is `AA`", "`?` or `-`"]),
        (format!("{empty} - x 0 4444444444444"), ["the removal flag is `x`", "`r` or `-`"]),
        (format!("{empty} - - +0 4444444444444"), ["the removed cards is `+0`", "from 0 to 40"]),
        (format!("{empty} - - 41 4444444444444"), ["the removed cards is `41`", "from 0 to 40"]),
        (format!("{empty} - - 00 4444444444444"), ["the removed cards is `00`", "from 0 to 40"]),
        (format!("{empty} - - 0 444444444444"), ["the stock", "13 digits"]),
        (format!("{empty} - - 0 44444444444444"), ["the stock", "13 digits"]),
        (format!("{empty} - - 0 4444544444444"), ["the stock", "from 0 to 4"]),
        (format!("{empty} - - 0 444444444444x"), ["the stock", "13 digits"]),
        ("A.../..../..../.... - - 0 4444444444444".into(), ["more than four of A", "at most four"]),
        (format!("{empty} A - 0 4444444444444"), ["more than four of A", "at most four"]),
        ("5555/..../..../.... 5 - 0 4444044444444".into(), ["more than four of 5", "at most four"]),
        (format!("{FULL} - r 0 0000444443444"), ["the removed cards is `0`", "expected 1, the cards"]),
        (format!("{FULL} - r 2 0000444444444"), ["the removed cards is `2`", "expected 0"]),
        (format!("{FULL} - r 1 0000444444443"), ["1 of K gone", "never removed"]),
        (format!("{FULL} - r 1 0000344444444"), ["1 of 5 gone", "an even number"]),
        (format!("{FULL} - r 1 0000444434444"), ["1 of 9 gone", "as many gone as of A"]),
        ("22../3333/4444/AAAA - r 2 0000444444444".into(), ["2 of 2 gone", "as many gone as of 8"]),
        (format!("{FULL} 5 - 0 0000344444444"), ["the waste is `5`", "full grid"]),
        (format!("{FULL} ? - 0 0000444444444"), ["the waste is `?`", "full grid"]),
        (format!("{FULL} - - 0 0000444444444"), ["the removal flag is `-`", "expected `r`"]),
        ("KQQK/J..J/J..J/KQQK - - 40 0000000000000".into(), ["the removal flag is `-`", "expected `r`"]),
        ("KQQK/J..J/J..J/KQQK ? - 40 0000000000000".into(), ["the waste is `?`", "the stock is empty"]),
        (format!("{empty} ? r 0 4444444444444"), ["the removal flag is `r`", "not placed"]),
        (format!("{empty} 7 r 0 4444443444444"), ["the removal flag is `r`", "not placed"]),
        (format!("{empty} - r 0 4444444444444"), ["the removal flag is `r`", "cleared from a full grid"]),
        ("222./3333/4444/AAAA - r 2 0000444344444".into(), ["the removal flag is `r`", "cleared"]),
        ("...A/2222/3333/4444 - r 2 3000444442444".into(), ["the removal flag is `r`", "cleared"]),
        (format!("{empty} - - 1 4444444443444"), ["the removed cards is `1`", "fewer than 16"]),
        ("AAA./2222/3333/444. ? - 1 1001444443444".into(), ["the removed cards is `1`", "fewer than 16"]),
        ("AAA./2222/3333/4444 - - 1 1000444443444".into(), ["the removed cards is `1`", "fewer than 16"]),
    ] {
        let Err(error) = Patience::parse(&text, RuleSet::Classic) else { panic!("{text} was read") };
        let message = error.to_string();
        assert!(parts.iter().all(|part| message.contains(part)), "{text}: {message}");
        assert!(!message.contains('\n') && message.len() < 300, "{message}");
    }
}

#[test]
fn a_card_being_turned_over_is_part_of_the_text() {
    let turning = super::after(Patience::start(RuleSet::Classic), &["deal"]);
    assert_eq!(turning.to_string(), "..../..../..../.... ? - 0 4444444444444");
    assert_eq!(read(&turning.to_string()), turning);
    let shown = super::after(turning, &["draw:Q"]);
    assert_eq!(shown.to_string(), "..../..../..../.... Q - 0 4444444444434");
}

#[test]
fn bad_actions_are_refused() {
    let start = Patience::start(RuleSet::Classic);
    for text in [
        "", "fold", "place", "place:", "place:16", "place:-1", "place:01", "pair:1", "pair:1+1", "draw:KK",
        "draw:", "1+2+3", "é",
    ] {
        let message = start.parse_action(text).unwrap_err().to_string();
        assert!(message.contains("expected `deal`"), "{message}");
    }
    for text in ["place:3", "remove:3", "pair:1+2", "draw:K", "7", "3+4"] {
        assert!(start.parse_action(text).unwrap_err().to_string().contains("not legal"), "{text}");
    }
}

/// Random single changes of texts from random games: read back as they are, or refused; never a panic.
#[test]
fn mutated_texts_are_read_or_refused() {
    let (mut tried, mut taken) = (0, 0);
    for seed in 0..150 {
        let mut rng = rng(seed);
        let mut position = Patience::start(RuleSet::Classic);
        while position.outcome().is_none() {
            let mut letters: Vec<char> = position.to_string().chars().collect();
            let symbols: Vec<char> = "A23456789TJQK.-?r/ 01é".chars().collect();
            for _ in 0..rng.random_range(1..=2) {
                let at = rng.random_range(0..letters.len());
                letters[at] = symbols[rng.random_range(0..symbols.len())];
            }
            let text: String = letters.into_iter().collect();
            tried += 1;
            if let Ok(read) = Patience::parse(&text, RuleSet::Classic) {
                assert_eq!(read.to_string(), text);
                assert!(read.outcome().is_some() || !legal(&read).is_empty(), "{text}");
                taken += 1;
            }
            let actions = legal(&position);
            position.play(actions[rng.random_range(0..actions.len())]);
        }
    }
    assert!(tried > 5_000 && taken > 50 && taken < tried / 2, "{taken} of {tried}");
}
