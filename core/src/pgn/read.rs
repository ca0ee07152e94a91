//! Playing a game that was read.

use super::{DERIVED, Mark, PgnError, PgnGame, Place, RawGame, SKIPPED, TERMINATION, Tag, Word};
use crate::game::{Game, Outcome, Reason, RuleSet, Team, Turn, Value};
use crate::line::Line;
use crate::record::PLY_LIMIT;

impl RawGame<'_> {
    /// The name of the game, as the command line spells it, if a tag says it.
    #[must_use]
    pub fn variant(&self) -> Option<String> {
        self.tag("Variant").map(|tag| spelled(&tag.value))
    }

    /// A tag by its name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// Why the text could not be cut up, if it could not.
    #[must_use]
    pub fn fault(&self) -> Option<&PgnError> {
        self.end.as_ref().err()
    }

    /// Plays the game. `rules` hold where no tag names a rule set.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, and where: what could not be cut up, a tag, a move, the result.
    pub fn read<G: Game>(&self, rules: RuleSet) -> Result<PgnGame<G>, PgnError> {
        let (mark, place) = self.end.clone()?;
        let mut player = Player { line: Line::new(self.start::<G>(rules)?), column: 0, marked: false };
        self.words.iter().try_for_each(|word| player.take(word))?;
        let line = player.line;
        self.check_counts(&line)?;
        let outcome = self.outcome(&line, mark, place)?;
        let keeps_termination = outcome.is_none_or(|outcome| outcome.reason.is_ruling());
        let kept = |name: &str| !DERIVED.contains(&name) && (name != TERMINATION || keeps_termination);
        let tags = self.tags.iter().filter(|tag| kept(&tag.name));
        let tags = tags.map(|tag| (tag.name.clone(), tag.value.clone())).collect();
        Ok(PgnGame { line, outcome, tags })
    }

    fn start<G: Game>(&self, rules: RuleSet) -> Result<G, PgnError> {
        if let Some(tag) = self.tag("Variant").filter(|tag| spelled(&tag.value) != G::NAME) {
            return Err(tag.wrong(format!("the variant is `{}`, expected `{}`", short(&tag.value), G::NAME)));
        }
        let rules = match self.tag("Rules") {
            Some(tag) => spelled(&tag.value).parse().map_err(|why: String| tag.wrong(why))?,
            None => rules,
        };
        match self.tag("FEN") {
            Some(tag) => G::parse(&tag.value, rules).map_err(|error| tag.wrong(error.to_string())),
            None => Ok(G::start(rules)),
        }
    }

    fn check_counts<G: Game>(&self, line: &Line<G>) -> Result<(), PgnError> {
        let plies = line.actions().len();
        match self.tag("PlyCount") {
            Some(tag) if tag.value.parse() != Ok(plies) => {
                Err(tag.wrong(format!("the ply count is `{}`, the game has {plies}", short(&tag.value))))
            }
            _ => Ok(()),
        }
    }

    /// How the game ended, by its moves, its result and its tags, which must agree.
    fn outcome<G: Game>(
        &self,
        line: &Line<G>,
        mark: Mark,
        place: Place,
    ) -> Result<Option<Outcome>, PgnError> {
        if let Some(tag) = self.tag("Result").filter(|tag| Mark::parse(&tag.value) != Some(mark)) {
            return Err(
                tag.wrong(format!("the result is `{}`, the moves end with `{mark}`", short(&tag.value)))
            );
        }
        let wrong = |why: String| PgnError { place, ply: None, why };
        let played = line.outcome();
        if mark != Mark::Open && played.is_some() && Mark::of(played) != mark {
            let played = Mark::of(played);
            return Err(wrong(format!("the result is `{mark}`, the moves lead to `{played}`")));
        }
        let fits = |named: Reason| played.map_or(named.is_ruling(), |outcome| outcome.reason == named);
        if let Some((tag, named)) = self.named_reason().filter(|&(_, named)| !fits(named)) {
            let end = |outcome: Outcome| format!("an end by {}", outcome.reason);
            let reached = played.map_or("a game that goes on".into(), end);
            return Err(tag.wrong(format!("the termination is `{named}`, the moves lead to {reached}")));
        }
        match (played, mark) {
            (Some(_), _) | (None, Mark::Open) => Ok(played),
            (None, _) => Ok(Some(Outcome { value: self.value(mark)?, reason: self.ruling(mark) })),
        }
    }

    /// The reason that the termination tag names, if it is one that the rules know.
    fn named_reason(&self) -> Option<(&Tag, Reason)> {
        let tag = self.tag(TERMINATION)?;
        let named = |reason: &Reason| tag.value.eq_ignore_ascii_case(&reason.to_string());
        Reason::ALL.into_iter().find(named).map(|reason| (tag, reason))
    }

    /// Why a game ended that its rules had not ended.
    fn ruling(&self, mark: Mark) -> Reason {
        let forfeit = Reason::Forfeit.to_string();
        let head = self.tag(TERMINATION).and_then(|tag| tag.value.split(':').next());
        let named = head.is_some_and(|head| head.eq_ignore_ascii_case(&forfeit));
        if named && mark != Mark::Draw { Reason::Forfeit } else { Reason::Adjudication }
    }

    /// The value of a game that its rules had not ended.
    fn value(&self, mark: Mark) -> Result<Value, PgnError> {
        let Some(tag) = self.tag("Value") else {
            return Ok(match mark {
                Mark::One => Value::win(Team::One),
                Mark::Two => Value::win(Team::Two),
                Mark::Draw | Mark::Open => Value::DRAW,
            });
        };
        let value = tag.value.parse().ok().and_then(Value::new);
        let fits =
            |value: &Value| Mark::of(Some(Outcome { value: *value, reason: Reason::Adjudication })) == mark;
        value.filter(fits).ok_or_else(|| {
            tag.wrong(format!(
                "the value is `{}`, expected one from -1 to 1 that fits `{mark}`",
                short(&tag.value)
            ))
        })
    }
}

/// A game while its words are taken.
struct Player<G: Game> {
    line: Line<G>,
    /// The column of the next word.
    column: u8,
    /// Whether skipped players have been marked since the last move.
    marked: bool,
}

impl<G: Game> Player<G> {
    fn take(&mut self, word: &Word<'_>) -> Result<(), PgnError> {
        // In a game of one a bare number may be a move, as a cell of the patience is; elsewhere none is.
        if G::SEATS > 1 && word.text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(());
        }
        let plies = self.line.actions().len();
        let wrong = |why: String| Err(PgnError { place: word.place, ply: Some(plies + 1), why });
        let position = self.line.position();
        if let Some(outcome) = self.line.outcome() {
            return wrong(format!("`{}` after the end of the game by {}", short(word.text), outcome.reason));
        }
        let mover = match position.turn() {
            Turn::Player(seat) => Some(seat.0),
            Turn::Chance => None,
        };
        if word.text == SKIPPED {
            if mover.is_none_or(|seat| seat == self.column) {
                return wrong(format!("`{SKIPPED}` in a turn that is not skipped"));
            }
            self.column = (self.column + 1) % G::SEATS;
            self.marked = true;
            return Ok(());
        }
        if mover.is_some_and(|seat| self.marked && seat != self.column) {
            return wrong(format!("`{}` in the column of a skipped player", short(word.text)));
        }
        if plies >= PLY_LIMIT {
            return wrong(format!("more than {PLY_LIMIT} plies"));
        }
        match position.parse_action(word.text) {
            Ok(action) => self.line.play(action),
            Err(error) => return wrong(error.to_string()),
        }
        if let Some(seat) = mover {
            self.column = (seat + 1) % G::SEATS;
            self.marked = false;
        }
        Ok(())
    }
}

impl Tag {
    fn wrong(&self, why: String) -> PgnError {
        PgnError { place: self.place, ply: None, why }
    }
}

/// A name the way the command line spells it: `Cam All Knights` is `cam-all-knights`.
fn spelled(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '_'], "-")
}

/// At most 60 characters, for messages of one line.
fn short(text: &str) -> String {
    text.chars().take(60).flat_map(char::escape_debug).collect()
}
