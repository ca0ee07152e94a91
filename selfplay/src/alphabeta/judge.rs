//! What the search must know of a game beyond its rules.

use camelot_core::Game;

/// Whether a position can be judged as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tension {
    /// It can.
    Quiet,
    /// It can, but some loud action may be better.
    Loud,
    /// It cannot: whoever is to move has to act.
    Forced,
}

/// What the search must know of a game beyond its rules.
pub(super) trait Judge<G: Game> {
    /// How the team to move stands, in hundredths of a Man, within ±[`WINNING`](super::scores::WINNING).
    fn judge(&self, position: &G) -> i32;

    /// Whether a judgement means something here.
    fn tension(&self, position: &G) -> Tension;

    /// How promising an action looks at first sight. [`super::ordering::LOUD`] and above are the actions that
    /// are followed beyond the horizon: wins and captures.
    fn promise(&self, position: &G, action: G::Action) -> i32;

    /// The place of an action in the counts of history, below 2<sup>16</sup>.
    fn slot(&self, action: G::Action) -> usize;
}
