//! A position of a board game, and how a move changes it.

use crate::board::Board;
use crate::game::{ActionError, Game, Outcome, PositionError, RuleSet, Seat, Team, Turn};
use crate::movegen::{self, Move};
use crate::notation;
use crate::set::{Square, SquareSet};
use crate::variant::Variant;

/// A position of one of the board games.
#[derive(Clone, Copy, Debug)]
pub struct Position<V: Variant> {
    pub(crate) armies: V::Armies,
    pub(crate) knights: SquareSet,
    pub(crate) castle_moves: [u8; 4],
    pub(crate) quiet_plies: u16,
    pub(crate) to_move: Seat,
    pub(crate) rules: RuleSet,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) key: u64,
}

/// Positions are equal when their text and rule set are.
impl<V: Variant> PartialEq for Position<V> {
    fn eq(&self, other: &Self) -> bool {
        self.armies == other.armies
            && self.knights == other.knights
            && self.castle_moves == other.castle_moves
            && self.quiet_plies == other.quiet_plies
            && self.to_move == other.to_move
            && self.rules == other.rules
    }
}

impl<V: Variant> Eq for Position<V> {}

/// What a square can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A Man.
    Man,
    /// A Knight.
    Knight,
}

/// A well-mixed number for each input: the finaliser of Steele, Lea and Flood's `SplitMix64`
/// ("Fast splittable pseudorandom number generators", 2014).
#[must_use]
pub const fn mix(input: u64) -> u64 {
    let mut z = input.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn piece_key(seat: Seat, kind: Kind, square: Square) -> u64 {
    let kind = u64::from(kind == Kind::Knight);
    mix(u64::from(seat.0) << 16 | kind << 8 | u64::from(square.0))
}

fn seat_key(seat: Seat) -> u64 {
    mix(1 << 32 | u64::from(seat.0))
}

fn castle_moves_key(seat: Seat, used: u8) -> u64 {
    mix(2 << 32 | u64::from(seat.0) << 8 | u64::from(used))
}

impl<V: Variant> Position<V> {
    /// A position with no pieces, for the readers of positions to fill.
    pub(crate) fn empty(rules: RuleSet) -> Self {
        Self {
            armies: V::no_armies(),
            knights: SquareSet::EMPTY,
            castle_moves: [0; 4],
            quiet_plies: 0,
            to_move: Seat(0),
            rules,
            outcome: None,
            key: 0,
        }
    }

    /// Sets what is derived from the other fields; called once after filling an empty position.
    pub(crate) fn complete(&mut self) {
        self.outcome = self.decide(Self::after(self.to_move, V::SEATS - 1));
        self.key = self.fresh_key();
    }

    /// The seat that comes `turns` after `seat` in turn order.
    pub(crate) fn after(seat: Seat, turns: u8) -> Seat {
        Seat((seat.0 + turns) % V::SEATS)
    }

    /// The board's tables.
    #[must_use]
    pub fn board(&self) -> &'static Board {
        V::board()
    }

    /// The pieces of a seat.
    #[must_use]
    pub fn army(&self, seat: Seat) -> SquareSet {
        self.armies.as_ref()[seat.index()]
    }

    /// The Knights of all armies.
    #[must_use]
    pub fn knights(&self) -> SquareSet {
        self.knights
    }

    /// The seat to move.
    #[must_use]
    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    /// How many castle moves a seat has made.
    #[must_use]
    pub fn castle_moves(&self, seat: Seat) -> u8 {
        self.castle_moves[seat.index()]
    }

    /// Plies since the last capture or entry into a goal castle.
    #[must_use]
    pub fn quiet_plies(&self) -> u16 {
        self.quiet_plies
    }

    /// The empty squares.
    #[must_use]
    pub fn vacant(&self) -> SquareSet {
        let occupied = self.armies.as_ref().iter().fold(SquareSet::EMPTY, |all, army| all | *army);
        self.board().all & !occupied
    }

    /// The castle that a seat attacks: the one straight across.
    #[must_use]
    pub fn goal_castle(&self, seat: Seat) -> SquareSet {
        self.board().goal_castle(seat)
    }

    /// The pieces of a team.
    #[must_use]
    pub fn team_pieces(&self, team: Team) -> SquareSet {
        Self::seats_of(team).fold(SquareSet::EMPTY, |all, seat| all | self.army(seat))
    }

    /// The key computed from scratch; equals the key kept up move by move.
    ///
    /// Ruling A13: equal positions have the same board, player to move and castle-move counters.
    #[must_use]
    pub fn fresh_key(&self) -> u64 {
        let mut key = seat_key(self.to_move);
        for seat in (0..V::SEATS).map(Seat) {
            for square in self.army(seat).squares() {
                key ^= piece_key(seat, self.kind(square), square);
            }
            key ^= castle_moves_key(seat, self.castle_moves[seat.index()]);
        }
        key
    }

    /// What kind of piece stands on an occupied square.
    #[must_use]
    pub fn kind(&self, square: Square) -> Kind {
        if self.knights.contains(square) { Kind::Knight } else { Kind::Man }
    }

    /// Ways to walk a legal move, as squares from its origin on: the canonical route first, and of a capture of
    /// several pieces some more. None for a few composed positions with more routes than anyone can follow.
    #[must_use]
    pub fn routes(&self, action: Move) -> Vec<Vec<Square>> {
        notation::routes(self, action)
    }

    fn lift(&mut self, seat: Seat, square: Square) -> Kind {
        let kind = self.kind(square);
        self.armies.as_mut()[seat.index()].remove(square);
        self.knights.remove(square);
        self.key ^= piece_key(seat, kind, square);
        kind
    }

    fn put(&mut self, seat: Seat, kind: Kind, square: Square) {
        self.armies.as_mut()[seat.index()].insert(square);
        if kind == Kind::Knight {
            self.knights.insert(square);
        }
        self.key ^= piece_key(seat, kind, square);
    }

    fn owner(&self, square: Square) -> Option<Seat> {
        (0..V::SEATS).map(Seat).find(|&seat| self.army(seat).contains(square))
    }

    fn make(&mut self, action: Move) {
        let seat = self.to_move;
        let goal = self.goal_castle(seat);
        let from_goal = goal.contains(action.from);
        let kind = self.lift(seat, action.from);
        for square in action.captured.squares() {
            let victim = self.owner(square).expect("a captured square holds a piece");
            self.lift(victim, square);
        }
        self.put(seat, kind, action.to);
        if from_goal {
            let used = self.castle_moves[seat.index()];
            self.castle_moves[seat.index()] = used + 1;
            self.key ^= castle_moves_key(seat, used) ^ castle_moves_key(seat, used + 1);
        }
        // Ruling A21: only an entry from outside counts against the quiet plies, not a castle move.
        let entered = goal.contains(action.to) && !from_goal;
        self.quiet_plies = if entered || !action.captured.is_empty() { 0 } else { self.quiet_plies + 1 };
        self.to_move = Self::after(seat, 1);
    }
}

impl<V: Variant> Game for Position<V> {
    type Action = Move;

    const NAME: &'static str = V::NAME;
    const SEATS: u8 = V::SEATS;

    fn start(rules: RuleSet) -> Self {
        Self::parse(V::shape().start, rules).expect("start positions are well formed")
    }

    fn parse(text: &str, rules: RuleSet) -> Result<Self, PositionError> {
        crate::position_text::parse(text, rules)
    }

    fn rules(&self) -> RuleSet {
        self.rules
    }

    fn turn(&self) -> Turn {
        Turn::Player(self.to_move)
    }

    fn legal_actions(&self, out: &mut Vec<Move>) {
        movegen::generate(self, out);
    }

    fn count_actions(&self, scratch: &mut Vec<Move>) -> usize {
        movegen::count(self, scratch)
    }

    fn winning_action(&self, actions: &[Move]) -> Option<usize> {
        self.entry_or_elimination(actions)
    }

    fn offers(&self, action: Move, scratch: &mut Vec<Move>) -> bool {
        if !action.captured.is_empty() || !self.exposes(action) {
            return false;
        }
        let mut next = *self;
        next.play(action);
        next.outcome.is_none() && movegen::obliges(&next) && next.every_capture_is_answered(scratch)
    }

    fn must_capture(&self, actions: &[Move]) -> bool {
        actions.iter().all(|action| !action.captured.is_empty())
    }

    fn play(&mut self, action: Move) {
        let mover = self.to_move;
        self.make(action);
        self.outcome = if self.quiet_plies == 0 { self.decide(mover) } else { self.decide_quietly(mover) };
        self.key ^= seat_key(mover) ^ seat_key(self.to_move);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn reversible_plies(&self) -> u16 {
        self.quiet_plies
    }

    fn action_text(&self, action: Move) -> String {
        notation::write(self, action)
    }

    fn parse_action(&self, text: &str) -> Result<Move, ActionError> {
        notation::read(self, text)
    }
}
