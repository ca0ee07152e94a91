//! `camelot engine`: a player for match runners and board programs, over standard input and output.
//!
//! The protocol is UGI as `docs/ugi.md` has it. One thread reads commands, another thinks, so everything but
//! a change of what is thought about is answered during a search.

mod request;
mod search;
mod session;

use std::io;

use camelot_core::{Cam, Variant};
use camelot_selfplay::ugi::Lines;
use session::{End, Session, Settings};

use crate::arguments::EngineArguments;
use crate::failure::Failure;
use crate::games::{game_of_network, with_game};

/// Longer lines are refused; a game of many thousand plies fits.
const LINE_LIMIT_BYTES: usize = 1 << 20;

pub(crate) fn run(arguments: &EngineArguments) -> Result<(), Failure> {
    let mut game = first_game(arguments)?;
    let mut settings = Settings {
        player: arguments.player.clone(),
        rules: arguments.rules,
        simulations: None,
        seed: arguments.seed,
    };
    let mut input = Lines::new(io::stdin().lock(), LINE_LIMIT_BYTES);
    loop {
        let end = with_game!(game, G => Session::<G>::new(&mut settings)?.serve(&mut input))?;
        match end {
            End::Game(next) => game = next,
            End::Quit => return Ok(()),
        }
    }
}

/// The game to begin with: the one asked for, or the one that the network plays.
fn first_game(arguments: &EngineArguments) -> Result<&'static str, Failure> {
    let named = game_of_network(std::slice::from_ref(&arguments.player))?;
    Ok(arguments.game.or(named).unwrap_or(Cam::NAME))
}
