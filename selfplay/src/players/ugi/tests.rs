//! What engines are told; how they fail is tested on whole matches, with processes.

use camelot_core::{Cam, Patience, Position};

use super::*;

#[test]
fn positions_are_told_with_their_moves() {
    let mut line = Line::new(Position::<Cam>::start(RuleSet::Wcf));
    assert_eq!(position_text(&line), "position startpos");
    for text in ["C4-C6", "C9-C8"] {
        line.play(line.position().parse_action(text).unwrap());
    }
    assert_eq!(position_text(&line), "position startpos moves C4-C6 C9-C8");
    let later = Line::new(*line.position());
    assert_eq!(position_text(&later), format!("position fen {}", line.position()));
    let mut patience = Line::new(Patience::start(RuleSet::Classic));
    for text in ["deal", "draw:7", "3"] {
        patience.play(patience.position().parse_action(text).unwrap());
    }
    assert_eq!(position_text(&patience), "position startpos moves deal draw:7 place:3");
}

#[test]
fn limits_from_outside_come_before_the_engines_own() {
    let own = Spend::Nodes(5);
    assert_eq!(go_text(&Limits::default(), own), ("go nodes 5".into(), None));
    let time = Duration::from_millis(20);
    assert_eq!(go_text(&Limits::time(time), own), ("go movetime 20".into(), Some(time)));
    let both = Limits { simulations: Some(9), depth: Some(2), ..Limits::time(time) };
    assert_eq!(go_text(&both, own), ("go nodes 9 movetime 20 depth 2".into(), Some(time)));
    let moment = Limits::time(Duration::from_micros(3));
    assert_eq!(go_text(&moment, own).0, "go movetime 1");
    assert_eq!(go_text(&Limits::default(), Spend::MoveTimeMs(20)), ("go movetime 20".into(), Some(time)));
}
