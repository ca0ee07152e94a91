//! Tree search, self-play over all cores, players, matches between them, and what the results mean.
//!
//! This crate knows neither optimizers nor the replay window: it takes networks and hands back records.

pub mod alphabeta;
pub mod cache;
pub mod games;
pub mod matches;
pub mod pgn;
pub mod players;
pub mod rating;
pub mod rng;
pub mod rollout;
pub mod search;
pub mod ugi;

pub use games::{GamesReport, Progress, SelfPlay, SelfPlaySettings};
pub use matches::{MatchReport, MatchSettings, play_match};
pub use players::{Player, PlayerError, PlayerSpec};
pub use rng::{Purpose, generator};
pub use search::{Search, SearchSettings};
