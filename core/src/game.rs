//! The [`Game`] trait and the small types that every game shares.

use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Whose decision comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// A player chooses.
    Player(Seat),
    /// Chance draws, with the weights of [`Game::chance_weight`].
    Chance,
}

/// A place at the table, counted from 0 in turn order. Partners hold different seats of one team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an array index.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The side that owns the value of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Team {
    /// The first team: White, Red with Blue, or the lone player.
    One,
    /// The second team.
    Two,
}

impl Team {
    /// The opposing team.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// `1.0` for team One and `-1.0` for team Two: multiplies an absolute value into the team's view.
    #[must_use]
    pub fn sign(self) -> f32 {
        match self {
            Self::One => 1.0,
            Self::Two => -1.0,
        }
    }
}

/// An absolute value in `[-1, 1]`: `1` is a win for team One, `-1` a win for team Two.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
pub struct Value(f32);

impl Value {
    /// A drawn game.
    pub const DRAW: Self = Self(0.0);

    /// Wraps `value`, or refuses what is not a number in `[-1, 1]`.
    #[must_use]
    pub fn new(value: f32) -> Option<Self> {
        (-1.0..=1.0).contains(&value).then_some(Self(value))
    }

    /// A win for `team`.
    #[must_use]
    pub fn win(team: Team) -> Self {
        Self(team.sign())
    }

    /// The number, from team One's point of view.
    #[must_use]
    pub fn absolute(self) -> f32 {
        self.0
    }

    /// The number, from `team`'s point of view.
    #[must_use]
    pub fn for_team(self, team: Team) -> f32 {
        self.0 * team.sign()
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Reason {
    /// A team holds the goal castle.
    Castle,
    /// A team has no pieces left.
    Elimination,
    /// The player to move has no legal move. In the patience a loss: the card in hand has no cell, or
    /// nothing can be removed.
    Stalemate,
    /// Neither team has the two pieces that a win needs.
    Material,
    /// The position occurred for the third time.
    Repetition,
    /// Fifty moves by each side without a capture or a castle entry.
    QuietPlies,
    /// Cut by whoever ran the game, at a ply or quiet-ply limit of its own.
    Adjudication,
    /// The objective of a game without castles: a patience that comes out, and the toy games.
    Objective,
    /// Lost by a player that failed or played illegally.
    Forfeit,
}

impl Reason {
    /// All of them, for readers of their names.
    pub const ALL: [Self; 9] = [
        Self::Castle,
        Self::Elimination,
        Self::Stalemate,
        Self::Material,
        Self::Repetition,
        Self::QuietPlies,
        Self::Adjudication,
        Self::Objective,
        Self::Forfeit,
    ];

    /// Whether whoever ran the game ended it, not its rules.
    #[must_use]
    pub fn is_ruling(self) -> bool {
        matches!(self, Self::Adjudication | Self::Forfeit)
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Castle => "castle",
            Self::Elimination => "elimination",
            Self::Stalemate => "stalemate",
            Self::Material => "material",
            Self::Repetition => "repetition",
            Self::QuietPlies => "quiet plies",
            Self::Adjudication => "adjudication",
            Self::Objective => "objective",
            Self::Forfeit => "forfeit",
        })
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The result, absolute.
    pub value: Value,
    /// Why.
    pub reason: Reason,
}

impl Outcome {
    /// A win of `team`.
    #[must_use]
    pub fn win(team: Team, reason: Reason) -> Self {
        Self { value: Value::win(team), reason }
    }

    /// A draw.
    #[must_use]
    pub fn draw(reason: Reason) -> Self {
        Self { value: Value::DRAW, reason }
    }

    /// The team that won, if one did.
    #[must_use]
    pub fn winner(&self) -> Option<Team> {
        match self.value.absolute() {
            v if v > 0.0 => Some(Team::One),
            v if v < 0.0 => Some(Team::Two),
            _ => None,
        }
    }

    /// `p1win`, `p2win` or `draw`: the result as programs write it.
    #[must_use]
    pub fn token(&self) -> &'static str {
        match self.winner() {
            Some(Team::One) => "p1win",
            Some(Team::Two) => "p2win",
            None => "draw",
        }
    }
}

/// Which reading of the rules is in force where the sources differ (rulings A3 and A6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuleSet {
    /// Troyka's texts where they speak, the federation's elsewhere.
    #[default]
    Classic,
    /// The World Camelot Federation's texts throughout.
    Wcf,
}

impl RuleSet {
    /// The name used on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Wcf => "wcf",
        }
    }
}

impl FromStr for RuleSet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "classic" => Ok(Self::Classic),
            "wcf" => Ok(Self::Wcf),
            other => Err(format!("unknown rule set `{other}`: expected `classic` or `wcf`")),
        }
    }
}

/// A position string that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("bad position: {field} is `{found}`: expected {expected}")]
pub struct PositionError {
    /// The field of the position string.
    pub field: &'static str,
    /// What stands there, shortened.
    pub found: String,
    /// What would be right.
    pub expected: String,
}

impl PositionError {
    /// Builds the error, shortening what was found so that a message stays one line.
    #[must_use]
    pub fn new(field: &'static str, found: &str, expected: impl Into<String>) -> Self {
        Self { field, found: shorten(found), expected: expected.into() }
    }
}

/// A move text that cannot be read, or that names no legal move.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("bad move `{text}`: {why}")]
pub struct ActionError {
    /// The text, shortened.
    pub text: String,
    /// What is wrong with it.
    pub why: String,
}

impl ActionError {
    /// Builds the error, shortening the text so that a message stays one line.
    #[must_use]
    pub fn new(text: &str, why: impl Into<String>) -> Self {
        Self { text: shorten(text), why: why.into() }
    }
}

/// At most 60 printable characters of `text`.
fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() {
        short.push('…');
    }
    short
}

/// A game with perfect information, of any number of seats in two teams, with or without chance.
///
/// A state holds no random generator and no hidden order, so that search cannot peek.
pub trait Game: Clone + Eq + Debug + Display + Send + Sync + 'static {
    /// One decision, identified by its effect.
    type Action: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static;

    /// The name on the command line and in files.
    const NAME: &'static str;

    /// How many seats the game has.
    const SEATS: u8;

    /// The start position.
    fn start(rules: RuleSet) -> Self;

    /// Reads what `Display` writes.
    ///
    /// # Errors
    ///
    /// Names the field that is wrong and what was expected there.
    fn parse(text: &str, rules: RuleSet) -> Result<Self, PositionError>;

    /// The rule set in force.
    fn rules(&self) -> RuleSet;

    /// Who decides next. Meaningless once the game is over.
    fn turn(&self) -> Turn;

    /// Appends every legal action, without duplicates and in a fixed order. Never appends nothing
    /// unless the game is over.
    fn legal_actions(&self, out: &mut Vec<Self::Action>);

    /// How many legal actions there are. `scratch` is overwritten; games that can count without
    /// listing override this.
    fn count_actions(&self, scratch: &mut Vec<Self::Action>) -> usize {
        scratch.clear();
        self.legal_actions(scratch);
        scratch.len()
    }

    /// The place in `actions`, which are the legal ones, of one that wins at once; none where there is none,
    /// or none that is seen without playing them.
    fn winning_action(&self, _actions: &[Self::Action]) -> Option<usize> {
        None
    }

    /// Whether a judgement of the position had better wait: the player to move must capture, and what
    /// stands on the board will be another thing in a moment. `actions` are the legal ones.
    fn must_capture(&self, _actions: &[Self::Action]) -> bool {
        false
    }

    /// Whether the action captures nothing, obliges the next player to capture, and whatever that player takes
    /// obliges the one after to capture in turn: an exchange, or more. `scratch` is overwritten.
    fn offers(&self, _action: Self::Action, _scratch: &mut Vec<Self::Action>) -> bool {
        false
    }

    /// Plays a legal action.
    fn play(&mut self, action: Self::Action);

    /// The outcome, if this position ends the game by itself. Repetition needs the history and is
    /// the business of [`crate::Line`].
    fn outcome(&self) -> Option<Outcome>;

    /// A hash of everything that makes two positions the same for the repetition rule.
    fn key(&self) -> u64;

    /// How many plies back an equal position can lie; 0 where play cannot return.
    fn reversible_plies(&self) -> u16 {
        0
    }

    /// The team of a seat. Seats alternate unless a game says otherwise.
    #[must_use]
    fn team(seat: Seat) -> Team {
        if seat.0.is_multiple_of(2) { Team::One } else { Team::Two }
    }

    /// What people call a seat.
    #[must_use]
    fn seat_name(seat: Seat) -> &'static str {
        let names: &[&str] = match Self::SEATS {
            1 => &["player"],
            2 => &["White", "Black"],
            _ => &["Red", "Green", "Blue", "Yellow"],
        };
        names[seat.index()]
    }

    /// The seats of a team, in turn order.
    fn seats_of(team: Team) -> impl Iterator<Item = Seat> {
        (0..Self::SEATS).map(Seat).filter(move |&seat| Self::team(seat) == team)
    }

    /// The team from whose view the position is judged: the one to move, team One where chance decides.
    fn team_to_move(&self) -> Team {
        match self.turn() {
            Turn::Player(seat) => Self::team(seat),
            Turn::Chance => Team::One,
        }
    }

    /// The probability of a chance outcome; only asked when [`Game::turn`] is [`Turn::Chance`].
    fn chance_weight(&self, _outcome: Self::Action) -> f32 {
        0.0
    }

    /// The outcome if the game is broken off here: a draw, where a game does not say otherwise.
    fn broken_off(&self) -> Outcome {
        Outcome::draw(Reason::Adjudication)
    }

    /// What people count in a finished game of this value, where they count more than wins: the cards
    /// removed in the patience.
    #[must_use]
    fn points(_value: Value) -> Option<f32> {
        None
    }

    /// Writes an action the way people do. Games whose notation needs the position override it.
    fn action_text(&self, action: Self::Action) -> String {
        action.to_string()
    }

    /// Reads a legal action in any spelling that people use.
    ///
    /// # Errors
    ///
    /// Says whether the text is no move at all or a move that the rules forbid here.
    fn parse_action(&self, text: &str) -> Result<Self::Action, ActionError>;
}
