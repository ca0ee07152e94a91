//! `camelot play`: a game against a player in the terminal.

use std::io::{self, BufRead, IsTerminal, Write};

use camelot_core::{Game, Line, Position, Seat, Square, Team, Variant};
use camelot_models::encoding::EncodedVariant;
use camelot_selfplay::players::{LoadedPlayer, Player};
use camelot_selfplay::rng::Generator;
use camelot_selfplay::{Purpose, generator};

use super::print_line;
use crate::arguments::{PlayArguments, Side};
use crate::failure::Failure;
use crate::games::with_game;

const HELP: &str = "\
Type a move by its squares, such as C4-C6 or D5xD7xF9; also:
  moves      list the legal moves
  undo       take back your last move
  hint       what the player would do in your place
  position   the position as text
  resign     give up
  quit       leave";

pub(crate) fn run(arguments: &PlayArguments) -> Result<(), Failure> {
    with_game!(arguments.game.game, G => start::<G>(arguments))
}

struct Table<'a, V: EncodedVariant> {
    line: Line<Position<V>>,
    player: Box<dyn Player<Position<V>>>,
    rng: Generator,
    side: Side,
    name: &'a str,
}

/// What to do after a line of input.
enum Next {
    Ask,
    Played,
    Leave,
}

/// Unpacks the variant from its position type.
trait Board {
    type Variant: EncodedVariant;
}

impl<V: EncodedVariant> Board for Position<V> {
    type Variant = V;
}

fn start<G: Board>(arguments: &PlayArguments) -> Result<(), Failure> {
    play::<G::Variant>(arguments)
}

fn play<V: EncodedVariant>(arguments: &PlayArguments) -> Result<(), Failure> {
    let rules = arguments.game.rules;
    let position = match &arguments.position {
        Some(text) => Position::<V>::parse(text, rules)?,
        None => Position::<V>::start(rules),
    };
    let name = arguments.player.to_string();
    let mut table = Table {
        line: Line::new(position),
        player: LoadedPlayer::load::<Position<V>>(&arguments.player)?.seat(),
        rng: generator(arguments.seed, Purpose::Match, 0),
        side: arguments.side,
        name: &name,
    };
    let mut input = io::stdin().lock();
    if table.side != Side::Watch {
        print_line(HELP)?;
    }
    loop {
        print_line(&drawing(table.line.position()))?;
        if let Some(outcome) = table.line.outcome() {
            let winner = outcome.winner().map_or("Drawn", |team| match team {
                Team::One => "White wins",
                Team::Two => "Black wins",
            });
            return print_line(&format!("{winner} by {}.", outcome.reason));
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

impl<V: EncodedVariant> Table<'_, V> {
    fn users_turn(&self) -> bool {
        let team = self.line.position().team_to_move();
        match self.side {
            Side::White => team == Team::One,
            Side::Black => team == Team::Two,
            Side::Watch => false,
        }
    }

    fn reply(&mut self) -> Result<(), Failure> {
        let thought = self.player.think(&self.line, &mut self.rng);
        let text = self.line.position().action_text(thought.action);
        let opinion = thought
            .value
            .map_or(String::new(), |value| format!(" (expects {:.0} % of the points)", 50.0 * (value + 1.0)));
        print_line(&format!("{} plays {text}{opinion}", self.name))?;
        self.line.play(thought.action);
        Ok(())
    }

    fn ask(&mut self, input: &mut impl BufRead) -> Result<Next, Failure> {
        print!("your move> ");
        io::stdout().flush()?;
        let mut text = String::new();
        if input.read_line(&mut text)? == 0 {
            print_line("")?;
            return Ok(Next::Leave);
        }
        match text.trim() {
            "" => {}
            "help" | "?" => print_line(HELP)?,
            "quit" | "exit" => return Ok(Next::Leave),
            "resign" => {
                print_line("You resign.")?;
                return Ok(Next::Leave);
            }
            "position" => print_line(&self.line.position().to_string())?,
            "moves" => {
                let position = self.line.position();
                let mut actions = Vec::new();
                position.legal_actions(&mut actions);
                let texts: Vec<_> = actions.iter().map(|&action| position.action_text(action)).collect();
                print_line(&texts.join(" "))?;
            }
            "hint" => {
                let thought = self.player.think(&self.line, &mut self.rng);
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
        let actions = self.line.actions().to_vec();
        let mut shorter = Line::new(*self.line.start());
        for &action in &actions[..actions.len().saturating_sub(2)] {
            shorter.play(action);
        }
        if actions.len() < 2 {
            print_line("nothing to take back")?;
            return Ok(Next::Ask);
        }
        self.line = shorter;
        Ok(Next::Played)
    }
}

/// The board with its coordinates, White at the bottom. Knights are upper case, Men lower case; colours
/// are added on a terminal.
fn drawing<V: Variant>(position: &Position<V>) -> String {
    let colours = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let board = position.board();
    let mut text = String::new();
    for rank in (0..board.ranks).rev() {
        let number = rank + 1;
        text.push_str(if number < 10 { "  " } else { " " });
        text.push_str(&number.to_string());
        text.push(' ');
        for file in 0..board.files {
            let cell = match board.at(file, rank) {
                None => " ".to_string(),
                Some(square) => {
                    let seat = (0..V::SEATS).map(Seat).find(|&seat| position.army(seat).contains(square));
                    match seat {
                        None => ".".to_string(),
                        Some(seat) => piece::<V>(position, square, seat, colours),
                    }
                }
            };
            text.push(' ');
            text.push_str(&cell);
        }
        text.push('\n');
    }
    text.push_str("    ");
    for file in 0..board.files {
        text.push(' ');
        text.push(char::from(b'A' + file));
    }
    text
}

fn piece<V: Variant>(position: &Position<V>, square: Square, seat: Seat, colours: bool) -> String {
    let letter = char::from(V::LETTERS[seat.index()]);
    let knight = position.knights().contains(square);
    let letter = if knight { letter } else { letter.to_ascii_lowercase() };
    match (colours, seat.index()) {
        (true, 0) => format!("\x1b[1;33m{letter}\x1b[0m"),
        (true, _) => format!("\x1b[1;36m{letter}\x1b[0m"),
        (false, _) => letter.to_string(),
    }
}
