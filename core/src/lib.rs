//! Rules of the Camelot family: positions, move generation, notation, perft and game records.
//!
//! This crate knows the games and nothing else: no tensors, threads, files, clocks or random
//! numbers. Everything above it speaks through [`Game`], the one trait that all shapes of game
//! share (two players, partnerships, one player against chance).
//!
//! Sources: the rules of the World Camelot Federation and of Troyka's Cam, as gathered in
//! `docs/rules.md`; section numbers in comments refer to that file.

pub mod board;
pub mod codec;
pub mod ending;
pub mod game;
pub mod line;
pub mod movegen;
pub mod notation;
pub mod patience;
pub mod perft;
pub mod pgn;
pub mod position;
pub mod position_text;
pub mod record;
pub mod set;
pub mod shard;
pub mod toys;
pub mod variant;

pub use game::{ActionError, Game, Outcome, PositionError, Reason, RuleSet, Seat, Team, Turn, Value};
pub use line::Line;
pub use movegen::Move;
pub use patience::Patience;
pub use perft::{divide, perft};
pub use position::Position;
pub use set::{Square, SquareSet};
pub use shard::Shard;
pub use variant::{Cam, CamAllKnights, Camelot, GrandCamelot, Variant};
