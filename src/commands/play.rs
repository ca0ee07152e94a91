//! `camelot play`: a game against a player in the terminal or on a page, or alone.

mod table;
mod web;

use std::io::{self, BufRead, IsTerminal, Write};

use camelot_core::record::sorted_actions;
use camelot_core::{Line, Team, Turn};
use camelot_selfplay::players::{LoadedPlayer, Player, Thought};
use camelot_selfplay::rng::Generator;
use camelot_selfplay::rollout::draw_outcome;
use camelot_selfplay::search::Limits;
use camelot_selfplay::{Purpose, generator};
use table::Shown;

use super::print_line;
use crate::arguments::{PlayArguments, Side};
use crate::failure::Failure;
use crate::games::{game_of_players, with_game};

const HELP: &str = "\
also:
  moves      list the legal moves
  undo       take back your last move
  hint       what the player would do in your place
  position   the position as text
  resign     give up
  quit       leave";

pub(crate) fn run(arguments: &PlayArguments) -> Result<(), Failure> {
    if let Some(address) = arguments.web {
        return web::run(arguments, address);
    }
    let game = game_of_players(arguments.game, std::slice::from_ref(&arguments.player))?;
    with_game!(game, G => play::<G>(arguments))
}

struct Table<'a, G: Shown> {
    line: Line<G>,
    player: Box<dyn Player<G>>,
    rng: Generator,
    seed: u64,
    side: Side,
    name: &'a str,
}

/// What to do after a line of input.
enum Next {
    Ask,
    Played,
    Leave,
}

fn play<G: Shown>(arguments: &PlayArguments) -> Result<(), Failure> {
    let rules = arguments.rules;
    if G::SEATS == 1 && arguments.side == Side::Black {
        return Err(Failure::usage(format!(
            "--side black: {} has one seat: expected `white` or `watch`",
            G::NAME
        )));
    }
    let position = match &arguments.position {
        Some(text) => G::parse(text, rules)?,
        None => G::start(rules),
    };
    let name = arguments.player.to_string();
    let mut table = Table {
        line: Line::new(position),
        player: LoadedPlayer::load::<G>(&arguments.player)?.seat(),
        rng: generator(arguments.seed, Purpose::Match, 0),
        seed: arguments.seed,
        side: arguments.side,
        name: &name,
    };
    let mut input = io::stdin().lock();
    if table.side != Side::Watch {
        Table::<G>::help()?;
    }
    loop {
        table.let_things_happen()?;
        print_line(&table.line.position().drawing(coloured()))?;
        if let Some(outcome) = table.line.outcome() {
            return print_line(&G::verdict(outcome));
        }
        if table.users_turn() {
            loop {
                match table.ask(&mut input)? {
                    Next::Ask => {}
                    Next::Played => break,
                    Next::Leave => return Ok(()),
                }
            }
        } else {
            table.reply()?;
        }
    }
}

impl<G: Shown> Table<'_, G> {
    fn help() -> Result<(), Failure> {
        print_line(&format!("{}; {HELP}", G::HELP))
    }

    /// Plays what chance shows, and in a game of one seat what the player has no choice in.
    fn let_things_happen(&mut self) -> Result<(), Failure> {
        while self.line.outcome().is_none() {
            let position = self.line.position();
            let mut actions = Vec::new();
            position.legal_actions(&mut actions);
            let action = match position.turn() {
                Turn::Chance => self.chance(&actions),
                Turn::Player(_) if G::SEATS == 1 && actions.len() == 1 => actions[0],
                Turn::Player(_) => return Ok(()),
            };
            print_line(&position.action_text(action))?;
            self.line.play(action);
        }
        Ok(())
    }

    /// What chance shows here. A move taken back does not change what comes.
    fn chance(&self, outcomes: &[G::Action]) -> G::Action {
        let ply = self.line.actions().len() as u64;
        draw_outcome(self.line.position(), outcomes, &mut generator(self.seed, Purpose::Chance, ply))
    }

    fn users_turn(&self) -> bool {
        let team = self.line.position().team_to_move();
        match self.side {
            Side::White => team == Team::One,
            Side::Black => team == Team::Two,
            Side::Watch => false,
        }
    }

    fn think(&mut self) -> Result<Thought<G::Action>, Failure> {
        let thought = self.player.think(&self.line, &Limits::default(), &mut self.rng);
        thought.map_err(|forfeit| Failure::error(format!("{}: {forfeit}", self.name)))
    }

    fn reply(&mut self) -> Result<(), Failure> {
        let thought = self.think()?;
        let text = self.line.position().action_text(thought.action);
        let opinion = thought.value.map_or(String::new(), |value| format!(" ({})", G::opinion(value)));
        let army = self.line.position().army_to_move().map_or(String::new(), |army| format!(" for {army}"));
        print_line(&format!("{} plays {text}{army}{opinion}", self.name))?;
        self.line.play(thought.action);
        Ok(())
    }

    fn ask(&mut self, input: &mut impl BufRead) -> Result<Next, Failure> {
        match self.line.position().army_to_move() {
            Some(army) => print!("your move for {army}> "),
            None => print!("your move> "),
        }
        io::stdout().flush()?;
        let mut text = String::new();
        if input.read_line(&mut text)? == 0 {
            print_line("")?;
            return Ok(Next::Leave);
        }
        match text.trim() {
            "" => {}
            "help" | "?" => Self::help()?,
            "quit" | "exit" => return Ok(Next::Leave),
            "resign" => {
                print_line("You resign.")?;
                return Ok(Next::Leave);
            }
            "position" => print_line(&self.line.position().to_string())?,
            "moves" => {
                let position = self.line.position();
                let actions = sorted_actions(position);
                let texts: Vec<_> = actions.iter().map(|&action| position.action_text(action)).collect();
                print_line(&texts.join(" "))?;
            }
            "hint" => {
                let thought = self.think()?;
                print_line(&self.line.position().action_text(thought.action))?;
            }
            "undo" => return self.undo(),
            text => match self.line.position().parse_action(text) {
                Ok(action) => {
                    self.line.play(action);
                    return Ok(Next::Played);
                }
                Err(error) => print_line(&format!("{error}; `moves` lists the legal ones"))?,
            },
        }
        Ok(Next::Ask)
    }

    /// Takes back the user's last move and what followed it.
    fn undo(&mut self) -> Result<Next, Failure> {
        let Some(ply) = self.users_last_move() else {
            print_line("nothing to take back")?;
            return Ok(Next::Ask);
        };
        let mut shorter = Line::new(self.line.start().clone());
        for &action in &self.line.actions()[..ply] {
            shorter.play(action);
        }
        self.line = shorter;
        Ok(Next::Played)
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
}

/// Whether output may be coloured.
fn coloured() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}
