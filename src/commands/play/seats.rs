//! A game with the user on one side of the table.

use std::path::Path;

use camelot_core::pgn::PgnGame;
use camelot_core::record::sorted_actions;
use camelot_core::{Line, Outcome, Reason, Team, Turn};
use camelot_models::files::write_atomically;
use camelot_selfplay::players::{Player, Thought};
use camelot_selfplay::rng::Generator;
use camelot_selfplay::search::Limits;

use super::clocks::{Clocks, shown};
use super::table::Shown;
use crate::arguments::Side;
use crate::commands::print_line;
use crate::failure::Failure;
use crate::lines::{shown_by_chance, texts};

/// So much of the line that is expected is told with a hint.
const HINTED_PLIES: usize = 5;

/// The game and who plays it.
pub(super) struct Seats<G: Shown> {
    pub(super) line: Line<G>,
    pub(super) player: Box<dyn Player<G>>,
    pub(super) rng: Generator,
    pub(super) seed: u64,
    pub(super) side: Side,
    /// The player's name.
    pub(super) name: String,
    pub(super) clocks: Option<Clocks>,
    /// How the game ended where its rules did not end it.
    pub(super) ruling: Option<Ruling>,
}

/// An end that is not on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ruling {
    loser: Team,
    why: &'static str,
}

impl<G: Shown> Seats<G> {
    /// Plays what chance shows, and in a game of one seat what the player has no choice in.
    pub(super) fn let_things_happen(&mut self) -> Result<(), Failure> {
        while self.line.outcome().is_none() {
            let position = self.line.position();
            let mut actions = Vec::new();
            position.legal_actions(&mut actions);
            let action = match position.turn() {
                Turn::Chance => shown_by_chance(&self.line, &actions, self.seed),
                Turn::Player(_) if G::SEATS == 1 && actions.len() == 1 => actions[0],
                Turn::Player(_) => return Ok(()),
            };
            print_line(&position.action_text(action))?;
            self.line.play(action);
        }
        Ok(())
    }

    /// The position with the last move marked where there are colours.
    pub(super) fn drawing(&self, coloured: bool) -> String {
        self.line.position().drawing(coloured, self.line.actions().last().copied())
    }

    /// How the game ended, if it did.
    pub(super) fn verdict(&self) -> Option<String> {
        match self.ruling {
            Some(Ruling { loser, why }) => {
                Some(format!("{} {why}.", if self.is_user(loser) { "You" } else { &self.name }))
            }
            None => self.line.outcome().map(G::verdict),
        }
    }

    fn is_user(&self, team: Team) -> bool {
        match self.side {
            Side::White => team == Team::One,
            Side::Black => team == Team::Two,
            Side::Watch => false,
        }
    }

    pub(super) fn users_turn(&self) -> bool {
        self.is_user(self.line.position().team_to_move())
    }

    pub(super) fn play(&mut self, action: G::Action) {
        let team = self.line.position().team_to_move();
        self.line.play(action);
        if let Some(clocks) = &mut self.clocks {
            clocks.press(team);
        }
    }

    fn think(&mut self) -> Result<Thought<G::Action>, Failure> {
        let team = self.line.position().team_to_move();
        let limits = match &self.clocks {
            Some(clocks) => Limits::time(clocks.time_for_a_move(team)),
            None => Limits::default(),
        };
        let thought = self.player.think(&self.line, &limits, &mut self.rng);
        thought.map_err(|forfeit| Failure::error(format!("{}: {forfeit}", self.name)))
    }

    /// The player moves.
    pub(super) fn reply(&mut self) -> Result<(), Failure> {
        let thought = self.think()?;
        if self.flag_falls() {
            return Ok(());
        }
        let position = self.line.position();
        let text = position.action_text(thought.action);
        let opinion = thought.value.map_or(String::new(), |value| format!(" ({})", G::opinion(value)));
        let army = position.army_to_move().map_or(String::new(), |army| format!(" for {army}"));
        print_line(&format!("{} plays {text}{army}{opinion}", self.name))?;
        self.play(thought.action);
        Ok(())
    }

    /// What the player would do in the user's place, and what it expects to follow.
    pub(super) fn hint(&mut self) -> Result<String, Failure> {
        let thought = self.think()?;
        let position = self.line.position();
        let mut text = position.action_text(thought.action);
        if let Some(value) = thought.value {
            text = format!("{text} ({})", G::opinion(value));
        }
        let line = texts(position, &thought.line[..thought.line.len().min(HINTED_PLIES)]);
        if line.len() > 1 {
            text = format!("{text}, then {}", line[1..].join(" "));
        }
        Ok(text)
    }

    /// What stands before the user's input.
    pub(super) fn prompt(&self) -> String {
        let position = self.line.position();
        let army = position.army_to_move().map_or(String::new(), |army| format!(" for {army}"));
        let mut legal = Vec::new();
        position.legal_actions(&mut legal);
        let duty = if position.must_capture(&legal) { ", you must capture" } else { "" };
        let left = |clocks: &Clocks| format!(" [{}]", shown(clocks.left(position.team_to_move())));
        format!("your move{army}{duty}{}> ", self.clocks.as_ref().map_or(String::new(), left))
    }

    /// The legal moves that begin so, in whatever case.
    pub(super) fn moves(&self, from: &str) -> String {
        let position = self.line.position();
        let number = from.ends_with(|last: char| last.is_ascii_digit());
        let begins = |text: &String| {
            let (head, rest) = text.split_at_checked(from.len()).unwrap_or(("", text));
            // `D1` is not the beginning of `D12`.
            let longer = number && rest.starts_with(|next: char| next.is_ascii_digit());
            head.eq_ignore_ascii_case(from) && !longer
        };
        let texts = sorted_actions(position).into_iter().map(|action| position.action_text(action));
        let texts: Vec<_> = texts.filter(begins).collect();
        if texts.is_empty() { format!("no legal move begins with `{from}`") } else { texts.join(" ") }
    }

    /// Whether the side to move has run out of time, which ends the game.
    pub(super) fn flag_falls(&mut self) -> bool {
        let loser = self.line.position().team_to_move();
        let fallen = self.clocks.as_ref().is_some_and(|clocks| clocks.left(loser).is_zero());
        if fallen {
            self.ruling = Some(Ruling { loser, why: "ran out of time" });
        }
        fallen
    }

    pub(super) fn resign(&mut self) {
        self.ruling = Some(Ruling { loser: self.line.position().team_to_move(), why: "resigned" });
    }

    /// Takes back the user's last move and what followed it. Whether there was one.
    pub(super) fn take_back(&mut self) -> bool {
        let Some(ply) = self.users_last_move() else { return false };
        let mut shorter = Line::new(self.line.start().clone());
        for &action in &self.line.actions()[..ply] {
            shorter.play(action);
        }
        self.line = shorter;
        true
    }

    /// The ply at which the user chose last.
    fn users_last_move(&self) -> Option<usize> {
        let team = self.line.position().team_to_move();
        let mut position = self.line.start().clone();
        let mut last = None;
        let mut legal = Vec::new();
        for (ply, &action) in self.line.actions().iter().enumerate() {
            legal.clear();
            position.legal_actions(&mut legal);
            let chose = matches!(position.turn(), Turn::Player(seat) if G::team(seat) == team);
            if chose && (G::SEATS > 1 || legal.len() > 1) {
                last = Some(ply);
            }
            position.play(action);
        }
        last
    }

    /// Writes the game to a file that does not exist yet, and says so, or why not.
    pub(super) fn save(&self, path: &Path) -> String {
        let shown = path.display();
        if path.as_os_str().is_empty() {
            return "expected a file: save FILE".into();
        }
        if path.exists() {
            return format!("{shown} exists: expected a new file");
        }
        match write_atomically(path, self.pgn().as_bytes()) {
            Ok(()) => format!("written: {shown}"),
            Err(error) => format!("{shown}: {error}"),
        }
    }

    /// Writes the game so far to a file, which it replaces.
    pub(super) fn write_pgn(&self, path: &Path) -> Result<(), Failure> {
        write_atomically(path, self.pgn().as_bytes())
            .map_err(|error| Failure::error(format!("{}: {error}", path.display())))
    }

    fn pgn(&self) -> String {
        let name = |team| if self.is_user(team) { "You" } else { &self.name };
        // Nobody sits opposite the player of a game of one seat.
        let black = if G::SEATS > 1 { name(Team::Two) } else { "-" };
        let tags = [("Event", "camelot play"), ("White", name(Team::One)), ("Black", black)];
        let mut tags = tags.map(|(name, value)| (name.to_string(), value.to_string())).to_vec();
        let outcome = match self.ruling {
            None => self.line.outcome(),
            Some(Ruling { loser, why }) => {
                tags.push(("Termination".into(), format!("{} {why}", name(loser))));
                Some(Outcome::win(loser.other(), Reason::Adjudication))
            }
        };
        PgnGame { line: self.line.clone(), outcome, tags }.to_string()
    }
}
