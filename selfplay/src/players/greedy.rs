//! The greedy player: looks one ply ahead and likes wins, captures and getting closer to the castle; in the
//! patience, removed cards and cells kept free for kings, queens and jacks.

use camelot_core::patience::Rank;
use camelot_core::{Game, Line, Outcome, Patience, Position, Square, Team};
use camelot_models::{EncodedVariant, Weights};

use super::{Forfeit, Player, Thought};
use crate::alphabeta::{self, Budget};
use crate::rng::Generator;
use crate::search::Limits;
use rand::RngExt;

/// A game with a rough measure of who is ahead, and perhaps a better one.
pub trait Advance: Game {
    /// How well a team stands, in no particular unit; larger is better.
    fn advance(&self, team: Team) -> f32;

    /// The classical player of the game, where there is one; with the value of a network if there are weights.
    #[must_use]
    fn classical(_budget: Budget, _weights: Option<&Weights>) -> Option<Box<dyn Player<Self>>> {
        None
    }
}

/// A piece is worth this many steps towards the goal.
const PIECE_WORTH: f32 = 10.0;
const KNIGHT_WORTH: f32 = 15.0;

impl<V: EncodedVariant> Advance for Position<V> {
    fn advance(&self, team: Team) -> f32 {
        let worth = |side: Team| -> f32 {
            let pieces = self.team_pieces(side);
            let knights = (pieces & self.knights()).len() as f32;
            (pieces.len() as f32 - knights) * PIECE_WORTH + knights * KNIGHT_WORTH
        };
        let distances = Self::seats_of(team).flat_map(|seat| {
            let goal = self.goal_castle(seat);
            let to_goal = move |piece| goal.squares().map(move |end| steps(piece, end)).min();
            self.army(seat).squares().filter_map(to_goal)
        });
        let nearest = distances.min();
        worth(team) - worth(team.other()) - nearest.map_or(0.0, f32::from)
    }

    fn classical(budget: Budget, weights: Option<&Weights>) -> Option<Box<dyn Player<Self>>> {
        Some(alphabeta::classical(budget, weights))
    }
}

/// How far apart two squares are, in steps on an open board.
fn steps(one: Square, two: Square) -> u8 {
    one.file().abs_diff(two.file()).max(one.rank().abs_diff(two.rank()))
}

impl Advance for Patience {
    /// `PIECE_WORTH` for a removed card, less for kings, queens and jacks that are still to come, the more
    /// so the fewer of their cells are free. So number cards go to the centre first, leave the edge first,
    /// and spread over it.
    fn advance(&self, _team: Team) -> f32 {
        let crowded = [Rank::KING, Rank::QUEEN, Rank::JACK]
            .map(|court| f32::from(self.stock(court)) / f32::from(1 + self.homes(court).len()));
        PIECE_WORTH * (f32::from(self.removed()) - crowded.iter().sum::<f32>())
    }
}

/// Plays the action after which it stands best; equals are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Greedy;

impl<G: Advance> Player<G> for Greedy {
    fn think(
        &mut self,
        line: &Line<G>,
        _limits: &Limits,
        rng: &mut Generator,
    ) -> Result<Thought<G::Action>, Forfeit> {
        let position = line.position();
        let team = position.team_to_move();
        let mut actions = Vec::new();
        position.legal_actions(&mut actions);
        let score = |action: G::Action| {
            let mut next = position.clone();
            next.play(action);
            let result = next.outcome().map_or(0.0, |o: Outcome| o.value.for_team(team));
            1000.0 * result + next.advance(team)
        };
        let scored: Vec<(f32, G::Action)> = actions.iter().map(|&a| (score(a), a)).collect();
        let best = scored.iter().map(|&(score, _)| score).fold(f32::MIN, f32::max);
        let equals: Vec<_> = scored.iter().filter(|(score, _)| *score == best).collect();
        Ok(Thought::without_opinion(equals[rng.random_range(0..equals.len())].1))
    }
}
