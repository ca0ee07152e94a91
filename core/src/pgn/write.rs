//! Writing a game.

use std::fmt;

use super::{DERIVED, Mark, PgnGame, SKIPPED, TEAMS, TERMINATION};
use crate::game::{Game, Seat, Turn};

/// Columns of move text.
const LINE_WIDTH: usize = 80;

/// The first tags of every game, in the order that the PGN standard asks for, and what stands for unknown.
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];

impl<G: Game> fmt::Display for PgnGame<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tags(f)?;
        f.write_str("\n")?;
        let mut words = move_words(self);
        words.push(Mark::of(self.outcome).to_string());
        write_wrapped(f, &words)?;
        f.write_str("\n\n")
    }
}

impl<G: Game> PgnGame<G> {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    fn write_tags(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, unknown) in ROSTER {
            match self.tag(name) {
                Some(value) => write_tag(f, name, value)?,
                None => write_tag(f, name, &self.team_name(name).unwrap_or_else(|| unknown.into()))?,
            }
        }
        write_tag(f, "Result", &Mark::of(self.outcome).to_string())?;
        for seat in Self::tagged_seats() {
            let army = G::seat_name(seat);
            let team = TEAMS.into_iter().find(|&(_, team)| team == G::team(seat));
            let name = self.tag(army).or(team.and_then(|(team, _)| self.tag(team)));
            write_tag(f, army, name.unwrap_or("?"))?;
        }
        write_tag(f, "Variant", G::NAME)?;
        let start = self.line.start();
        write_tag(f, "Rules", start.rules().name())?;
        if *start != G::start(start.rules()) {
            write_tag(f, "SetUp", "1")?;
        }
        write_tag(f, "FEN", &start.to_string())?;
        self.write_end(f)?;
        write_tag(f, "PlyCount", &self.line.actions().len().to_string())?;
        let written = |name: &str| {
            ROSTER.iter().any(|(roster, _)| *roster == name)
                || DERIVED.contains(&name)
                || name == TERMINATION
                || Self::tagged_seats().any(|seat| G::seat_name(seat) == name)
        };
        self.tags
            .iter()
            .filter(|(name, _)| !written(name))
            .try_for_each(|(name, value)| write_tag(f, name, value))
    }

    /// The seats that have tags of their own beside those of the teams.
    fn tagged_seats() -> impl Iterator<Item = Seat> {
        (0..G::SEATS).map(Seat).filter(|_| G::SEATS > 2)
    }

    /// The name for a team's tag where only its armies are named.
    fn team_name(&self, tag: &str) -> Option<String> {
        let (_, team) = TEAMS.into_iter().find(|&(team, _)| team == tag)?;
        let seats = Self::tagged_seats().filter(|&seat| G::team(seat) == team);
        let mut names: Vec<&str> = seats.filter_map(|seat| self.tag(G::seat_name(seat))).collect();
        names.dedup();
        (!names.is_empty()).then(|| names.join(" + "))
    }

    fn write_end(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = self.tag(TERMINATION);
        let Some(outcome) = self.outcome else {
            return own.map_or(Ok(()), |text| write_tag(f, TERMINATION, text));
        };
        let reason = outcome.reason.to_string();
        let text = own.filter(|_| outcome.reason.is_ruling()).unwrap_or(&reason);
        write_tag(f, TERMINATION, text)?;
        let value = outcome.value.absolute();
        if outcome.reason.is_ruling() && value.fract() != 0.0 {
            write_tag(f, "Value", &value.to_string())?;
        }
        Ok(())
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ");
    writeln!(f, "[{name} \"{value}\"]")
}

/// The moves with their numbers, a word each.
fn move_words<G: Game>(game: &PgnGame<G>) -> Vec<String> {
    let mut table = Table { words: Vec::new(), seats: G::SEATS, round: 0, column: 0 };
    let mut position = game.line.start().clone();
    for &action in game.line.actions() {
        if let Turn::Player(seat) = position.turn() {
            table.go_to(seat.0);
        }
        table.words.push(position.action_text(action));
        position.play(action);
    }
    table.words
}

/// The move text while it grows.
struct Table {
    words: Vec<String>,
    seats: u8,
    /// The rounds begun.
    round: usize,
    /// The column of the next word.
    column: u8,
}

impl Table {
    /// Goes on to a seat's column, with a mark for each player passed over.
    fn go_to(&mut self, seat: u8) {
        if self.seats == 2 && self.round == 0 && seat == 1 {
            self.words.push("1...".into());
            (self.round, self.column) = (1, 0);
            return;
        }
        for _ in 0..self.seats {
            if self.column == 0 {
                self.round += 1;
                self.words.push(format!("{}.", self.round));
            }
            let here = self.column;
            self.column = (here + 1) % self.seats;
            if here == seat {
                return;
            }
            self.words.push(SKIPPED.into());
        }
    }
}

fn write_wrapped(f: &mut fmt::Formatter<'_>, words: &[String]) -> fmt::Result {
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > LINE_WIDTH {
            f.write_str("\n")?;
            column = 0;
        }
        if column > 0 {
            f.write_str(" ")?;
            column += 1;
        }
        column += word.len();
        f.write_str(word)?;
    }
    Ok(())
}
