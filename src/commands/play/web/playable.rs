//! What the page must know of a game beyond its rules: names of places, ways of moves, duties in words.

use camelot_core::movegen::Move;
use camelot_core::patience::{Act, Cell, Rank, Waste};
use camelot_core::{Game, Patience, Position, Seat};
use camelot_models::encoding::EncodedVariant;
use serde::Serialize;

use super::super::table::Shown;
use crate::commands::picture::Pictured;

/// Where the card that is to be placed lies.
const HAND: &str = "hand";
/// Where cards come from.
const STOCK: &str = "stock";

/// What a move does on the board.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Effect {
    /// The places of the pieces or cards that go.
    pub(super) captures: Vec<String>,
    /// The places to point at, one after the other, for this move to be meant; several ways may mean it.
    pub(super) routes: Vec<Vec<String>>,
}

/// What lies beside the tableau of the patience.
#[derive(Clone, Debug, Serialize)]
pub(super) struct CardTable {
    hand: Option<char>,
    stock: u8,
    removed: u8,
    /// How many of each rank are still to come, by its letter, ace to king.
    left: Vec<(char, u8)>,
}

/// A game that can be played on the page.
pub(super) trait Playable: Pictured + Shown {
    /// The game's name for people.
    const TITLE: &'static str;

    /// The names of the fields, in the order of [`Pictured::fields`].
    fn places() -> Vec<String>;

    /// What a legal action does here.
    fn effect(&self, action: Self::Action) -> Effect;

    /// What the player to move has to do, where the rules leave less than a free choice.
    fn duty(&self, actions: &[Self::Action]) -> Option<String>;

    /// Whether an action that is the only one needs no hand to play it.
    fn plays_itself(_action: Self::Action) -> bool {
        false
    }

    /// The cards beside the tableau, in a game of cards.
    fn card_table(&self) -> Option<CardTable> {
        None
    }
}

/// The name of a game for people: `Cam All Knights` for `cam-all-knights`.
const fn title(name: &str) -> &'static str {
    match name.as_bytes() {
        b"cam" => "Cam",
        b"cam-all-knights" => "Cam All Knights",
        b"camelot" => "Camelot",
        b"grand-camelot" => "Grand Camelot",
        _ => "Camelot, the patience",
    }
}

impl<V: EncodedVariant> Playable for Position<V> {
    const TITLE: &'static str = title(V::NAME);

    fn places() -> Vec<String> {
        V::board().squares().iter().map(ToString::to_string).collect()
    }

    /// The ways are the routes of the notation.
    fn effect(&self, action: Move) -> Effect {
        let name = |square: camelot_core::Square| square.to_string();
        let routes = self.routes(action).into_iter().map(|route| route.into_iter().map(name).collect());
        Effect { captures: action.captured.squares().map(name).collect(), routes: routes.collect() }
    }

    fn duty(&self, actions: &[Move]) -> Option<String> {
        let castle = V::board().castle(self.to_move());
        let leaves = !actions.is_empty() && actions.iter().all(|action| castle.contains(action.from));
        let captures = !actions.is_empty() && self.must_capture(actions);
        let duty = match (leaves, captures) {
            (true, true) => "The piece in your own castle must leave it, by a capture.",
            (true, false) => "The piece in your own castle must leave it.",
            (false, true) => "You must capture.",
            (false, false) => return None,
        };
        Some(duty.into())
    }
}

impl Playable for Patience {
    const TITLE: &'static str = title(Patience::NAME);

    fn places() -> Vec<String> {
        Cell::all().map(name).collect()
    }

    fn effect(&self, action: Act) -> Effect {
        let route = |places: &[String]| places.to_vec();
        let (captures, routes) = match action {
            Act::Deal | Act::Draw(_) => (Vec::new(), vec![route(&[STOCK.into()])]),
            Act::Place(cell) => (Vec::new(), vec![route(&[HAND.into(), name(cell)])]),
            Act::Remove(cell) => (vec![name(cell)], vec![route(&[name(cell)])]),
            Act::Pair(one, other) => {
                let pair = [name(one), name(other)];
                let back = [name(other), name(one)];
                (pair.to_vec(), vec![route(&pair), route(&back)])
            }
        };
        Effect { captures, routes }
    }

    fn duty(&self, actions: &[Act]) -> Option<String> {
        let removes = actions.iter().any(|action| matches!(action, Act::Remove(_) | Act::Pair(..)));
        let deals = actions.contains(&Act::Deal);
        Some(match self.waste() {
            Waste::Card(rank) => format!("Place the {}.", rank_name(rank)),
            _ if removes && deals => "Remove tens and pairs that sum to ten, or turn over a card.".into(),
            _ if removes => "Remove tens and pairs that sum to ten.".into(),
            _ if deals => "Turn over a card.".into(),
            _ => return None,
        })
    }

    fn plays_itself(action: Act) -> bool {
        action == Act::Deal
    }

    fn card_table(&self) -> Option<CardTable> {
        let hand = match self.waste() {
            Waste::Card(rank) => Some(rank.symbol()),
            Waste::Empty | Waste::Turning => None,
        };
        let left = Rank::all().map(|rank| (rank.symbol(), self.stock(rank))).collect();
        Some(CardTable { hand, stock: self.stock_left(), removed: self.removed(), left })
    }
}

fn name(cell: Cell) -> String {
    cell.index().to_string()
}

fn rank_name(rank: Rank) -> String {
    match rank.symbol() {
        'A' => "ace".into(),
        'T' => "ten".into(),
        'J' => "jack".into(),
        'Q' => "queen".into(),
        'K' => "king".into(),
        number => number.to_string(),
    }
}

/// The armies of a game by name, and the seats of each team.
pub(super) fn seats_and_teams<G: Game>() -> (Vec<&'static str>, Vec<Vec<u8>>) {
    let seats = (0..G::SEATS).map(|seat| G::seat_name(Seat(seat))).collect();
    let teams = [camelot_core::Team::One, camelot_core::Team::Two];
    let of = |team| G::seats_of(team).map(|seat| seat.0).collect::<Vec<u8>>();
    (seats, teams.into_iter().map(of).filter(|seats| !seats.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use camelot_core::{Cam, Camelot, GrandCamelot, RuleSet};

    use super::*;

    fn legal<G: Game>(position: &G) -> Vec<G::Action> {
        let mut actions = Vec::new();
        position.legal_actions(&mut actions);
        actions
    }

    #[test]
    fn duties_are_told() {
        let duty = |text: &str| {
            let position = Position::<Cam>::parse(text, RuleSet::Classic).unwrap();
            position.duty(&legal(&position))
        };
        assert_eq!(duty("1/3/5/2B1B2/1bbbbb1/7/7/7/1wwwww1/2W1W2/5/3/1 W - 0"), None);
        assert_eq!(duty("1/3/5/7/7/5b1/7/3b3/4w2/7/5/3/1 W - 0").as_deref(), Some("You must capture."));
        let in_castle = duty("1/3/5/7/7/5b1/7/7/4w2/7/5/3/w W - 0");
        assert_eq!(in_castle.as_deref(), Some("The piece in your own castle must leave it."));
    }

    #[test]
    fn a_chain_of_jumps_can_be_walked_either_way_round() {
        let text = "2/8/10/12/12/12/12/12/12/4b1b5/3W8/4b1b5/11w/10/8/2 W 0,0 0";
        let position = Position::<Camelot>::parse(text, RuleSet::Classic).unwrap();
        let round = legal(&position).into_iter().find(|action| action.from == action.to).unwrap();
        let effect = position.effect(round);
        assert_eq!(effect.captures.len(), 4);
        let routes: Vec<String> = effect.routes.iter().map(|route| route.join("x")).collect();
        assert_eq!(routes[0], position.action_text(round));
        assert!(
            ["D6xF8xH6xF4xD6", "D6xF4xH6xF8xD6"].iter().all(|way| routes.iter().any(|route| route == way))
        );
    }

    #[test]
    fn a_removal_is_meant_by_its_cards_in_either_order() {
        let position = Patience::parse("KQQK/J9AJ/JT.J/KQQK - r 37 0000000000000", RuleSet::Classic).unwrap();
        let effect = |text: &str| position.effect(position.parse_action(text).unwrap()).routes;
        assert_eq!(effect("5+6"), [["5", "6"], ["6", "5"]]);
        assert_eq!(effect("9"), [["9"]]);
        assert!(Patience::plays_itself(Act::Deal) && position.card_table().unwrap().removed == 37);
    }

    #[test]
    fn places_have_a_name_each_and_seats_a_team() {
        assert_eq!(Position::<Cam>::places().len(), Position::<Cam>::fields().len());
        assert_eq!(Patience::places().len(), Patience::fields().len());
        assert_eq!(seats_and_teams::<Patience>().1, [[0]]);
        assert_eq!(seats_and_teams::<Position<GrandCamelot>>().1, [[0, 2], [1, 3]]);
    }
}
