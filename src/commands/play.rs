//! `camelot play`: a game against a player in the terminal or on a page, or alone.

mod clocks;
mod command;
mod seats;
mod short;
mod table;
mod web;

use std::io::{self, BufRead, IsTerminal, Write};

use camelot_core::Line;
use camelot_selfplay::players::LoadedPlayer;
use camelot_selfplay::{Purpose, generator};
use clocks::Clocks;
use command::{Command, HELP};
use seats::Seats;
use table::Shown;

use super::pgn_file::PgnFile;
use super::print_line;
use crate::arguments::{PlayArguments, Side};
use crate::failure::Failure;
use crate::games::{game_of_players, with_game};

pub(crate) fn run(arguments: &PlayArguments) -> Result<(), Failure> {
    if let Some(address) = arguments.web {
        return web::run(arguments, address);
    }
    let game = game_of_players(arguments.game, std::slice::from_ref(&arguments.player))?;
    with_game!(game, G => play::<G>(arguments))
}

/// What to do after a line of input.
enum Next {
    Ask,
    Played,
    Leave,
}

fn play<G: Shown>(arguments: &PlayArguments) -> Result<(), Failure> {
    let mut seats = sit_down::<G>(arguments)?;
    if let Some(path) = &arguments.pgn {
        PgnFile::open(path)?;
    }
    let mut input = io::stdin().lock();
    if arguments.side != Side::Watch {
        print_line(&format!("{}; {HELP}", G::HELP))?;
    }
    loop {
        seats.let_things_happen()?;
        if let Some(path) = &arguments.pgn {
            seats.write_pgn(path)?;
        }
        print_line(&seats.drawing(coloured()))?;
        if let Some(verdict) = seats.verdict() {
            return print_line(&verdict);
        }
        if !seats.users_turn() {
            seats.reply()?;
            continue;
        }
        loop {
            match ask(&mut seats, &mut input)? {
                Next::Ask => {}
                Next::Played => break,
                Next::Leave => return Ok(()),
            }
        }
    }
}

/// The game as the arguments want it begun.
fn sit_down<G: Shown>(arguments: &PlayArguments) -> Result<Seats<G>, Failure> {
    if G::SEATS == 1 && arguments.side == Side::Black {
        return Err(Failure::usage(format!(
            "--side black: {} has one seat: expected `white` or `watch`",
            G::NAME
        )));
    }
    if G::SEATS == 1 && arguments.clock.is_some() {
        return Err(Failure::usage(format!("--clock: {} is played without an opponent", G::NAME)));
    }
    let rules = arguments.rules;
    let position = match &arguments.position {
        Some(text) => G::parse(text, rules)?,
        None => G::start(rules),
    };
    Ok(Seats {
        line: Line::new(position),
        player: LoadedPlayer::load::<G>(&arguments.player)?.seat(),
        rng: generator(arguments.seed, Purpose::Match, 0),
        seed: arguments.seed,
        side: arguments.side,
        name: arguments.player.to_string(),
        clocks: arguments.clock.map(Clocks::new),
        ruling: None,
    })
}

/// Asks the user, once, and does what is answered.
fn ask<G: Shown>(seats: &mut Seats<G>, input: &mut impl BufRead) -> Result<Next, Failure> {
    print!("{}", seats.prompt());
    io::stdout().flush()?;
    let mut text = String::new();
    if input.read_line(&mut text)? == 0 {
        print_line("")?;
        return Ok(Next::Leave);
    }
    if seats.flag_falls() {
        return Ok(Next::Played);
    }
    match Command::read(&text) {
        Command::Nothing => {}
        Command::Help => print_line(&format!("{}; {HELP}", G::HELP))?,
        Command::Quit => return Ok(Next::Leave),
        Command::Resign => {
            seats.resign();
            return Ok(Next::Played);
        }
        Command::Board => print_line(&seats.drawing(coloured()))?,
        Command::Position => print_line(&seats.line.position().to_string())?,
        Command::Moves(from) => print_line(&seats.moves(from))?,
        Command::Hint => print_line(&seats.hint()?)?,
        Command::Undo if seats.take_back() => return Ok(Next::Played),
        Command::Undo => print_line("nothing to take back")?,
        Command::Save(path) => print_line(&seats.save(path))?,
        Command::Move(text) => match short::read(seats.line.position(), text) {
            Ok(action) => {
                seats.play(action);
                return Ok(Next::Played);
            }
            Err(why) => print_line(&format!("{why}; `moves` lists the legal ones"))?,
        },
    }
    Ok(Next::Ask)
}

/// Whether output may be coloured.
fn coloured() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}
