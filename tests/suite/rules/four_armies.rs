//! Grand Camelot over several moves (section 6): the order of turns and who is skipped, ends by team,
//! repetition and quiet plies with four players.

use camelot_core::record::sorted_actions;
use camelot_core::{Game, GrandCamelot, Line, Position, Reason, RuleSet, Seat, Team};

use super::scenarios::{play, reason, set_up};
use super::sheet::At;
use super::{Effect, legal};

const NAME: &str = "grand-camelot";

type Four = Position<GrandCamelot>;

/// A position by its pieces, the army to move, and the castle moves used by Red, Green, Blue, Yellow.
struct Setting {
    pieces: &'static str,
    army: char,
    used: [u8; 4],
    quiet_plies: u16,
}

impl Setting {
    fn new(pieces: &'static str, army: char) -> Self {
        Self { pieces, army, used: [0; 4], quiet_plies: 0 }
    }

    fn line(&self) -> Line<Four> {
        let mut sheet = set_up(NAME, self.pieces);
        sheet.army = self.army;
        sheet.castle_moves = self.used.to_vec();
        sheet.quiet_plies = self.quiet_plies;
        Line::new(Position::parse(&sheet.to_string(), RuleSet::Classic).unwrap())
    }
}

fn army_to_move(line: &Line<Four>) -> char {
    line.position().to_string().split(' ').nth(1).unwrap().chars().next().unwrap()
}

/// Plays moves written as `R H5-H6 B D8-D7`, checking before each whose turn it is.
fn play_turns(line: &mut Line<Four>, turns: &str) {
    let words: Vec<&str> = turns.split(' ').collect();
    for turn in words.chunks(2) {
        assert_eq!(army_to_move(line).to_string(), turn[0], "before {}", turn[1]);
        play(line, turn[1]);
    }
}

fn winner(line: &Line<Four>) -> Option<Team> {
    line.outcome().unwrap().winner()
}

#[test]
fn turns_go_red_green_blue_yellow() {
    let mut line = Line::new(Four::start(RuleSet::Classic));
    play_turns(&mut line, "R H5-G6 G H12-H11 B D9-E10 Y L9-K10 R G6-G7 G H11-H10 B E10-F10 Y K10-K11");
    assert_eq!(army_to_move(&line), 'R');
}

/// A player whose last piece is captured is skipped from then on, the partner plays on alone.
#[test]
fn a_player_without_pieces_is_skipped() {
    let setting = Setting::new("R: M C5, H5; G: M D6; B: M B12; Y: M O12, O10", 'R');
    let mut line = setting.line();
    play_turns(
        &mut line,
        "R C5xE7 B B12-B11 Y O12-O11 R E7-E8 B B11-B12 Y O11-N11 R E8-E7 B B12-B11 Y N11-N12",
    );
    assert_eq!(line.outcome(), None);
}

#[test]
fn lone_partners_play_on() {
    let setting = Setting::new("R: M H5, I5; G: M H12, I12", 'R');
    play_turns(&mut setting.line(), "R H5-H6 G H12-H11 R I5-I4 G I12-I13 R H6-G6 G H11-G11");
    let setting = Setting::new("B: M C8, C9; G: M H12, I12", 'B');
    play_turns(&mut setting.line(), "B C8-C7 G H12-H11 B C7-C8 G H11-H10 B C8-C7");
    // With Red and Green gone Yellow answers Blue at once, and the turn comes straight back.
    let setting = Setting::new("B: M C8, C9; Y: M N8, N9", 'B');
    play_turns(&mut setting.line(), "B C8-C7 Y N8-N7 B C7-C8 Y N7-N8 B C9-C10");
}

/// A player whose one piece has used up its castle moves is skipped as long as the partner can move.
#[test]
fn a_blocked_player_is_skipped_for_good() {
    let used = [0, 0, 1, 0];
    let setting = Setting { used, ..Setting::new("R: M H5, I7; G: M C13; B: M P8; Y: M O12", 'G') };
    let mut line = setting.line();
    play_turns(
        &mut line,
        "G C13-C12 B P8-P9 Y O12-O11 R H5-H6 G C12-C13 Y O11-O12 R H6-H5 G C13-C12 Y O12-O11",
    );
    assert_eq!(line.position().castle_moves(camelot_core::Seat(2)), 2);
}

/// Green's last castle move shuts Green in; Blue is skipped, for Red can move; then the turn comes to
/// Green and Yellow, of whom none can.
#[test]
fn a_team_can_stalemate_itself() {
    let used = [0, 1, 0, 0];
    let mut line = Setting { used, ..Setting::new("R: M H5, I7; G: M H1", 'G') }.line();
    play(&mut line, "H1-I1");
    assert_eq!((reason(&line), winner(&line)), (Some(Reason::Stalemate), Some(Team::One)));
    // With a move left on the other side of the team the game goes on.
    let mut line = Setting { used, ..Setting::new("R: M H5, I7; G: M H1; Y: M O12", 'G') }.line();
    play_turns(&mut line, "G H1-I1 Y O12-O11 R H5-H6 Y O11-O12");
    assert_eq!(line.outcome(), None);
}

#[test]
fn a_stalemate_is_of_the_team() {
    let pieces = "R: M H16; G: M C13, C12; Y: M O12";
    let mut line = Setting { used: [2, 0, 0, 0], ..Setting::new(pieces, 'G') }.line();
    play(&mut line, "C13-D13");
    assert_eq!((reason(&line), winner(&line)), (Some(Reason::Stalemate), Some(Team::Two)));
    let blue = Setting { used: [2, 0, 0, 0], ..Setting::new("R: M H16; B: M D6; G: M C13; Y: M O12", 'Y') };
    play_turns(&mut blue.line(), "Y O12-O11 G C13-C12 B D6-D7 Y O11-O12 G C12-C13 B D7-D6");
}

/// Any two pieces of a team in its goal castles win; one of each team does not.
#[test]
fn the_castles_are_won_by_the_team() {
    for (pieces, army, last, team) in [
        ("R: M H16, I15; G: M C13; B: M D6; Y: M O12", 'R', "I15-I16", Team::One),
        ("R: M H16; B: M O9; G: M C13; Y: M O12", 'B', "O9-P9", Team::One),
        ("B: M P8, O9; G: M C13; Y: M O12", 'B', "O9-P9", Team::One),
        ("G: M H1, I2; R: M H9, I9; Y: M O12", 'G', "I2-I1", Team::Two),
        ("G: M H1; Y: M B8; R: M H9; B: M D6", 'Y', "B8-A9", Team::Two),
        ("G: M I2; Y: M A8; R: M H9; B: M D6", 'G', "I2-H1", Team::Two),
    ] {
        let mut line = Setting::new(pieces, army).line();
        play(&mut line, last);
        assert_eq!((reason(&line), winner(&line)), (Some(Reason::Castle), Some(team)), "{pieces}");
    }
    let mut line = Setting::new("R: M H16; B: M D6; G: M C13; Y: M B8", 'Y').line();
    play(&mut line, "B8-A8");
    assert_eq!(line.outcome(), None);
}

/// Both teams down to one piece draw, however the pieces are shared; two of a team against one do not.
#[test]
fn pieces_are_counted_by_team() {
    let mut line = Setting::new("R: M C5; B: M B12; G: M D6; Y: M O12", 'R').line();
    play_turns(&mut line, "R C5xE7 B B12-B11");
    assert_eq!(line.outcome(), None);
    let mut line = Setting::new("R: M C5; G: M D6; Y: M O12", 'R').line();
    play(&mut line, "C5xE7");
    assert_eq!((reason(&line), winner(&line)), (Some(Reason::Material), None));
    let mut line = Setting::new("R: M C5; G: M D6, L12", 'R').line();
    play(&mut line, "C5xE7");
    assert_eq!((reason(&line), winner(&line)), (Some(Reason::Material), None));
    let mut line = Setting::new("R: M C5; B: M B12; G: M D6; Y: M F8", 'R').line();
    play(&mut line, "C5xE7xG9");
    assert_eq!((reason(&line), winner(&line)), (Some(Reason::Elimination), Some(Team::One)));
}

#[test]
fn the_third_occurrence_draws() {
    const THERE: &str = "R F3-F4 G F14-F13 B C6-D6 Y N6-M6";
    const BACK: &str = "R F4-F3 G F13-F14 B D6-C6 Y M6-N6";
    let mut line = Line::new(Four::start(RuleSet::Classic));
    for times in 2..=3 {
        play_turns(&mut line, THERE);
        assert_eq!((line.occurrences(), line.outcome()), (times - 1, None));
        play_turns(&mut line, BACK);
        assert_eq!(line.occurrences(), times);
    }
    assert_eq!((reason(&line), winner(&line)), (Some(Reason::Repetition), None));
}

/// The same board with the same player to move is another position while castle moves used differ.
#[test]
fn four_counters_tell_positions_apart() {
    let mut line = Setting::new("R: M H16, E5; G: M H1, L12; B: M C5; Y: M N12", 'R').line();
    let placement = |line: &Line<Four>| line.position().to_string().split(' ').next().unwrap().to_string();
    let before = placement(&line);
    play_turns(&mut line, "R H16-I16 G H1-I1 B C5-C6 Y N12-N11 R I16-H16 G I1-H1 B C6-C5 Y N11-N12");
    assert_eq!((placement(&line), line.occurrences()), (before, 1));
    assert!(line.position().to_string().ends_with(" R 2,2,0,0 8"), "{}", line.position());
    for _ in 0..2 {
        assert_eq!(line.outcome(), None);
        play_turns(&mut line, "R E5-E6 G L12-L11 B C5-D5 Y N12-M12 R E6-E5 G L11-L12 B D5-C5 Y M12-N12");
    }
    assert_eq!((line.occurrences(), reason(&line)), (3, Some(Reason::Repetition)));
}

/// Four lone pieces wander, each in its quarter and never to a position seen before, so that only the
/// count can end it: after fifty moves by each player and not before.
#[test]
fn two_hundred_quiet_plies_draw() {
    let mut line = Setting::new("R: M H4; G: M H13; B: M C8; Y: M N8", 'R').line();
    for ply in 1..=200 {
        assert_eq!(line.outcome(), None, "ply {ply}");
        let home: fn(At) -> bool = match army_to_move(&line) {
            'R' => |(file, rank)| (5..=10).contains(&file) && rank <= 4,
            'G' => |(file, rank)| (5..=10).contains(&file) && rank >= 11,
            'B' => |(file, rank)| file <= 3 && (5..=10).contains(&rank),
            _ => |(file, rank)| file >= 12 && (5..=10).contains(&rank),
        };
        let wanders = |action| {
            let mut next = line.clone();
            next.play(action);
            (home(Effect::of(action).to) && next.occurrences() == 1).then_some(action)
        };
        let action = sorted_actions(line.position()).into_iter().find_map(wanders).unwrap();
        line.play(action);
        assert_eq!(line.position().quiet_plies(), ply);
    }
    assert_eq!((reason(&line), winner(&line)), (Some(Reason::QuietPlies), None));
}

/// The last ply before the draw can still be a capture, or an entry into a goal castle, and then the
/// count starts again; a castle move does not start it again.
#[test]
fn captures_and_entries_start_the_count_again() {
    let line = |pieces, army| Setting { quiet_plies: 199, ..Setting::new(pieces, army) }.line();
    let mut capture = line("R: M C5, H5; G: M D6; B: M B12; Y: M O12, O10", 'R');
    play(&mut capture, "C5xE7");
    assert_eq!((capture.position().quiet_plies(), capture.outcome()), (0, None));
    let mut entry = line("R: M H5, H4; G: M C13; B: M O8; Y: M O12", 'B');
    play(&mut entry, "O8-P8");
    assert_eq!((entry.position().quiet_plies(), entry.outcome()), (0, None));
    let mut sideways = line("R: M H5, H4; G: M C13; B: M P8; Y: M O12", 'B');
    play(&mut sideways, "P8-P9");
    assert_eq!(reason(&sideways), Some(Reason::QuietPlies));
}

/// A position that no play leads to, with some ten billion chains of jumps for a lone Man: it is read, and
/// its list ends in good time.
#[test]
fn a_position_of_very_many_chains_is_answered() {
    let text =
        "2/8/10/12/4g1g1g5/3ggggggg4/4g1g1g5/4gggyyyy5/5y1y1y6/3yyyyyy5/3ry1y1y5/14/12/10/8/2 R 0,0,0,0 0";
    let position = Position::<GrandCamelot>::parse(text, RuleSet::Classic).unwrap();
    let moves = legal(&position);
    assert!(moves.len() > 1_000 && moves.iter().all(|action| action.captured.len() > 1));
    let mut scratch = Vec::new();
    assert_eq!(position.count_actions(&mut scratch), moves.len());
    let mut next = position;
    next.play(moves[0]);
    assert_eq!(next.army(Seat(0)).len(), 1);
    assert!(!position.action_text(moves[0]).is_empty());
}
