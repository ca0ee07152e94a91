//! `camelot engine`: a conversation by pipes, with commands of every kind, right and wrong.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::{SmallRun, assert_one_line_error, camelot, camelot_reading, command, text};

const START: &str = "1/3/5/2B1B2/1bbbbb1/7/7/7/1wwwww1/2W1W2/5/3/1 W - 0";

/// A running engine.
pub(super) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Engine {
    pub(super) fn start(arguments: &[&str]) -> Self {
        let arguments = [&["engine"], arguments].concat();
        let mut child = command(&arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (read, output) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| read.send(line)));
        Self { input: child.stdin.take(), child, output }
    }

    pub(super) fn tell(&mut self, line: &str) {
        self.tell_bytes(format!("{line}\n").as_bytes());
    }

    pub(super) fn tell_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// The next line.
    pub(super) fn line(&self) -> String {
        self.output.recv_timeout(Duration::from_mins(1)).expect("the engine keeps silent")
    }

    /// Tells a line and returns the next.
    pub(super) fn ask(&mut self, line: &str) -> String {
        self.tell(line);
        self.line()
    }

    /// Tells a line and returns what comes up to a line that starts with `last`.
    pub(super) fn ask_until(&mut self, line: &str, last: &str) -> Vec<String> {
        self.tell(line);
        let mut lines = vec![self.line()];
        while !lines[lines.len() - 1].starts_with(last) {
            lines.push(self.line());
        }
        lines
    }

    pub(super) fn best_move(&mut self, go: &str) -> String {
        self.ask_until(go, "bestmove ").pop().unwrap()
    }

    /// Waits for the end, which must be a good one; nothing more may have been said.
    pub(super) fn assert_ends(mut self) {
        self.input = None;
        assert!(self.child.wait().unwrap().success());
        assert_eq!(self.output.recv_timeout(Duration::from_mins(1)).ok(), None);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The legal moves of a position of Cam, by another verb.
fn legal_moves(position: &str) -> Vec<String> {
    let said = text(&camelot(&["moves", "--game", "cam", position]).stdout);
    let (_, moves) = said.split_once("legal moves: ").unwrap();
    moves.split_whitespace().map(String::from).collect()
}

#[test]
fn an_engine_introduces_itself_and_its_options() {
    let mut engine = Engine::start(&["mcts:sims=5", "--game", "camelot", "--seed", "7"]);
    let lines = engine.ask_until("ugi", "ugiok");
    assert!(lines[0].starts_with("id name Camelot Zero ") && lines[0].ends_with("mcts:sims=5"), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    assert_eq!(
        lines[2..],
        [
            "option name Game type combo default camelot var cam var cam-all-knights var camelot \
             var grand-camelot var patience",
            "option name Rules type combo default classic var classic var wcf",
            "option name Simulations type spin default 0 min 0 max 100000000",
            "option name Seed type spin default 7 min 0 max 9223372036854775807",
            "ugiok",
        ]
    );
    assert_eq!(engine.ask("isready"), "readyok");
    engine.tell("quit");
    engine.assert_ends();
}

#[test]
fn every_way_to_go_ends_in_a_legal_move() {
    let mut engine = Engine::start(&["mcts:sims=20"]);
    let legal = legal_moves(START);
    for go in [
        "go",
        "go nodes 30",
        "go movetime 5",
        "go depth 3",
        "go p1time 300 p2time 300",
        "go p1time 300 p2time 300 p1inc 10 p2inc 10",
        "go nodes 10 movetime 1000",
    ] {
        let lines = engine.ask_until(go, "bestmove ");
        let [info, best] = lines.as_slice() else { panic!("{lines:?}") };
        let best = best.strip_prefix("bestmove ").unwrap();
        assert!(legal.iter().any(|legal| legal == best), "{go}: {best}");
        assert!(info.starts_with("info nodes ") && info.contains(&format!(" pv {best}")), "{info}");
        assert!(info.contains(" time ") && info.contains(" score cp "), "{info}");
    }
    assert!(engine.ask("go nodes 30").starts_with("info nodes 30 "));
    assert!(engine.line().starts_with("bestmove "));
    engine.tell("setoption name Simulations value 12");
    assert!(engine.ask("go").starts_with("info nodes 12 "));
    engine.tell("quit");
}

#[test]
fn classical_search_says_what_each_depth_came_to() {
    let mut engine = Engine::start(&["alphabeta:depth=2"]);
    let lines = engine.ask_until("go depth 3", "bestmove ");
    let best = lines[4].strip_prefix("bestmove ").unwrap();
    let nodes = |line: &str| line.split(' ').nth(2).unwrap().parse::<u32>().unwrap();
    assert!(nodes(&lines[0]) < nodes(&lines[1]) && nodes(&lines[1]) < nodes(&lines[2]), "{lines:?}");
    assert!(lines[3].contains(" nps ") && lines[3].contains(&format!(" pv {best}")), "{lines:?}");
}

#[test]
fn positions_are_followed_and_asked_about() {
    let mut engine = Engine::start(&["greedy", "--game", "cam"]);
    assert_eq!(engine.ask("query p1turn"), "response true");
    engine.tell("position startpos moves C4-C6 c9-c8 D5-D6");
    assert_eq!(engine.ask("query p1turn"), "response false");
    assert_eq!(engine.ask("query gameover"), "response false");
    assert_eq!(engine.ask("query result"), "response none");
    engine.tell("position fen 1/1w1/5/7/7/7/b6/6b/7/w6/5/3/1 W - 0 moves D12-D13");
    assert_eq!(engine.ask("query gameover"), "response true");
    assert_eq!(engine.ask("query result"), "response p1win");
    assert_eq!(engine.ask("query p1turn"), "response false");
    assert_eq!(engine.ask("go nodes 5"), "bestmove none");
    engine.tell("uginewgame");
    assert_eq!(engine.ask("query result"), "response none");
    engine.tell("position fen 1/3/5/7/7/5b1/7/3b3/4w2/7/5/3/1 W - 0");
    assert_eq!(engine.best_move("go"), "bestmove E5xC7");
    engine.tell("setoption name game value grand-camelot");
    assert!(engine.ask_until("ugi", "ugiok")[2].contains("default grand-camelot"));
    assert!(engine.ask("position startpos moves E2-E3 x").contains("move "));
    assert!(engine.best_move("go").len() > "bestmove none".len());
}

#[test]
fn counts_of_the_tree_agree_with_the_verb() {
    let mut engine = Engine::start(&["random"]);
    let lines = engine.ask_until("go perft 3", "bestmove ");
    assert_eq!(lines.len(), 54 + 2);
    let below = |line: &String| line.strip_prefix("info string ")?.split_once(' ')?.1.parse::<u64>().ok();
    assert_eq!(lines.iter().filter_map(below).sum::<u64>(), 166_212);
    assert!(lines[54].starts_with("info depth 3 nodes 166212 time "), "{}", lines[54]);
    assert_eq!(lines[55], "bestmove none");
    assert!(engine.ask("go perft 0").starts_with("info depth 0 nodes 1 "));
    assert_eq!(engine.line(), "bestmove none");
    engine.tell("go perft 20");
    assert_eq!(engine.ask("isready"), "readyok");
    assert_eq!(engine.ask_until("stop", "bestmove "), ["info string stopped", "bestmove none"]);
}

#[test]
fn the_patience_is_played_with_its_draws() {
    let mut engine = Engine::start(&["mcts:sims=10", "--game", "patience"]);
    assert_eq!(engine.best_move("go"), "bestmove deal");
    engine.tell("position startpos moves deal");
    assert!(engine.ask("go").contains("error: go: chance is to draw"));
    assert_eq!(engine.ask("query p1turn"), "response false");
    engine.tell("position startpos moves deal draw:7");
    assert!(engine.best_move("go").starts_with("bestmove place:"));
    engine.tell("position fen KQQK/J9AJ/JT.J/KQQK - r 37 0000000000000 moves pair:5+6");
    assert_eq!(engine.ask("query gameover"), "response false");
}

/// Wrong commands, and what the answer must name.
const REFUSED: [(&str, &str); 28] = [
    ("bogus", "unknown command `bogus`"),
    ("GO", "unknown command `GO`"),
    ("position", "expected `startpos` or `fen"),
    ("position somewhere", "expected `startpos` or `fen"),
    ("position startpos D5-D6", "expected `startpos` or `fen"),
    ("position fen", "expected `startpos` or `fen"),
    ("position fen 7/7 W - 0", "the placement"),
    ("position startpos moves D5-D6 D5-D6", "move 2: bad move `D5-D6`"),
    ("position startpos moves nonsense", "move 1: bad move `nonsense`"),
    ("position fen 1/1w1/5/7/7/7/b6/6b/7/w6/5/3/1 W - 0 moves D12-D13 A7-A8", "after the end of the game"),
    ("go nodes", "nodes is nothing"),
    ("go nodes -1", "nodes is `-1`"),
    ("go nodes 1 infinite", "stands alone"),
    ("go fast", "`fast`"),
    ("go perft x", "perft is `x`"),
    ("go p1time 100 p1inc 5", "no p2time"),
    ("query", "expected p1turn, gameover or result"),
    ("query weather", "`weather`"),
    ("setoption", "expected `name NAME value VALUE`"),
    ("setoption name Game", "expected `name NAME value VALUE`"),
    ("setoption name Game value chess", "unknown game `chess`"),
    ("setoption name Rules value fide", "unknown rule set `fide`"),
    ("setoption name Simulations value many", "`many`"),
    ("setoption name Seed value -1", "`-1`"),
    ("setoption name Hash value 16", "unknown option"),
    ("setoption name Threads value 2", "only networks have it"),
    ("setoption name Memory value 16", "only networks have it"),
    ("\u{1b}[31m", "\\u{1b}[31m"),
];

#[test]
fn what_is_refused_is_named_and_changes_nothing() {
    let mut engine = Engine::start(&["greedy"]);
    // Black is to move here, unlike at the start: that shows whether the position is kept.
    let position = "position startpos moves C4-C6";
    for (line, part) in REFUSED {
        engine.tell(position);
        let answer = engine.ask(line);
        assert!(answer.starts_with("info string error: ") && answer.contains(part), "{line}: {answer}");
        assert_eq!(engine.ask("query p1turn"), "response false", "{line}");
    }
    engine.tell_bytes(b"position startpos \xff\xfe\n");
    engine.tell(&"x".repeat((1 << 20) + 5));
    engine.tell("\n  \t\r");
    assert!(engine.line().contains("not UTF-8"));
    assert!(engine.line().contains("a line of more than 1048576 bytes"));
    assert_eq!(engine.ask("query p1turn"), "response false");
}

#[test]
fn a_search_is_stopped_and_questions_are_answered_meanwhile() {
    let mut engine = Engine::start(&["mcts:sims=20"]);
    for round in ["go infinite", "go nodes 100000000", "go movetime 10000000"] {
        engine.tell("position startpos moves C4-C6");
        engine.tell(round);
        assert_eq!(engine.ask("isready"), "readyok");
        assert_eq!(engine.ask("query p1turn"), "response false");
        for refused in ["position startpos", "go nodes 1", "uginewgame", "setoption name Seed value 2"] {
            assert!(engine.ask(refused).contains("a search goes on"), "{refused}");
        }
        let asked = Instant::now();
        assert!(engine.best_move("stop").len() > "bestmove none".len());
        assert!(asked.elapsed() < Duration::from_secs(10));
        assert_eq!(engine.ask("isready"), "readyok");
    }
    engine.tell("stop");
    // A search without an end that finds its result early keeps it until it is asked.
    engine.tell("position fen 1/3/5/7/7/5b1/7/3b3/4w2/7/5/3/1 W - 0");
    engine.tell("go infinite");
    assert_eq!(engine.ask("isready"), "readyok");
    assert_eq!(engine.best_move("stop"), "bestmove E5xC7");
    engine.tell("go infinite");
    engine.tell("quit");
    assert!(engine.line().starts_with("info "));
    assert!(engine.line().starts_with("bestmove "));
    engine.assert_ends();
}

#[test]
fn the_end_of_the_input_ends_an_engine_in_the_middle_of_a_search() {
    let output = camelot_reading(&["engine", "mcts:sims=20"], "go infinite\nisready");
    let said = text(&output.stdout);
    assert!(output.status.success());
    assert!(said.contains("readyok\n") && said.contains("\nbestmove "), "{said}");
    assert_eq!(text(&camelot(&["engine", "random"]).stdout), "");
}

#[test]
fn one_seed_one_answer() {
    let mut engine = Engine::start(&["mcts:sims=40"]);
    let mut game = |seed: &str| {
        engine.tell(&format!("setoption name Seed value {seed}"));
        engine.tell("uginewgame");
        ["", " moves C4-C6 C9-C8"].map(|moves| {
            engine.tell(&format!("position startpos{moves}"));
            engine.best_move("go")
        })
    };
    let (one, other) = (game("1"), game("2"));
    assert_eq!(one, game("1"));
    assert_eq!(other, game("2"));
}

#[test]
fn a_network_brings_its_game_and_keeps_it() {
    let small = SmallRun::new();
    assert!(small.train("run", 1, &["--set", "game=cam-all-knights"]).status().unwrap().success());
    let player = format!("net:{},sims=8", small.run("run").display());
    let mut engine = Engine::start(&[&player]);
    assert!(engine.ask_until("ugi", "ugiok")[2].contains("default cam-all-knights "));
    engine.tell("position startpos moves C4-C6");
    let refused = engine.ask("setoption name Game value camelot");
    assert!(refused.starts_with("info string error: setoption Game: "), "{refused}");
    assert!(refused.contains("trained for `cam-all-knights`, expected `camelot`"), "{refused}");
    assert_eq!(engine.ask("query p1turn"), "response false");
    assert!(engine.best_move("go nodes 9").len() > "bestmove none".len());
    for (option, wrong, range) in [("Threads", "0", "from 1 to 256"), ("memory", "x", "from 1 to 1048576")] {
        let refused = engine.ask(&format!("setoption name {option} value {wrong}"));
        assert!(refused.contains(option) && refused.contains(range), "{refused}");
        engine.tell(&format!("setoption name {option} value 2"));
    }
    let options = engine.ask_until("ugi", "ugiok");
    assert!(options[0].ends_with(",sims=8,threads=2,memory=2"), "{options:?}");
    for line in ["Threads type spin default 2 min 1", "Memory type spin default 2 min 1"] {
        assert!(
            options.iter().any(|option| option.starts_with(&format!("option name {line}"))),
            "{options:?}"
        );
    }
    assert_eq!(engine.ask("query p1turn"), "response false");
    assert!(engine.best_move("go nodes 50").len() > "bestmove none".len());
    let wrong = camelot(&["engine", &player, "--game", "camelot"]);
    assert_one_line_error(&wrong, 1, &["trained for `cam-all-knights`"]);
}
