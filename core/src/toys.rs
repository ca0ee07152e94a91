//! Toy games of the three shapes, small enough to solve by hand or by brute force.
//!
//! They hold search and training to account: their exact values are known ([`exact_value`]).

mod dice;
mod relay;
mod subtraction;

pub use dice::{Dice, Throw};
pub use relay::{Relay, Stones};
pub use subtraction::{Subtraction, Take};

use crate::game::{Game, Turn};

/// The exact absolute value of a position, by brute force. For games whose tree is small.
#[must_use]
pub fn exact_value<G: Game>(position: &G) -> f32 {
    if let Some(outcome) = position.outcome() {
        return outcome.value.absolute();
    }
    let mut actions = Vec::new();
    position.legal_actions(&mut actions);
    let after = |action: G::Action| {
        let mut next = position.clone();
        next.play(action);
        exact_value(&next)
    };
    match position.turn() {
        Turn::Chance => actions.iter().map(|&a| position.chance_weight(a) * after(a)).sum(),
        Turn::Player(seat) => {
            let sign = G::team(seat).sign();
            let best = actions.iter().map(|&a| sign * after(a)).fold(f32::NEG_INFINITY, f32::max);
            sign * best
        }
    }
}
