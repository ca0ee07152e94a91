//! What a tournament came to: ratings, and who scored what against whom.

use std::fmt;

use camelot_core::Game;
use camelot_selfplay::rating::Rating;
use camelot_selfplay::{MatchReport, PlayerSpec};
use serde::Serialize;

/// The result of two players' games.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Meeting {
    /// The players' numbers in [`Standings::players`].
    players: [usize; 2],
    wins: u64,
    draws: u64,
    losses: u64,
    distinct_games: u64,
}

impl Meeting {
    pub(super) fn new<G: Game>(players: [usize; 2], report: &MatchReport<G>) -> Self {
        let MatchReport { wins, draws, losses, distinct_games, .. } = *report;
        Self { players, wins, draws, losses, distinct_games }
    }

    fn decided(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// What one of the two scored, in points.
    fn points(&self, player: usize) -> Option<f64> {
        let [first, second] = self.players;
        let wins = [(first, self.wins), (second, self.losses)].into_iter().find(|&(who, _)| who == player)?.1;
        Some(wins as f64 + self.draws as f64 / 2.0)
    }
}

/// A player's row.
#[derive(Clone, Debug, Serialize)]
struct Row {
    player: String,
    elo: f64,
    /// `null` for a player who has met nobody.
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    points: f64,
    /// Games, or deals in the patience.
    games: u64,
}

/// The table, the best player first.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Standings {
    game: &'static str,
    players: Vec<Row>,
    meetings: Vec<Meeting>,
}

impl Standings {
    /// `players`, `ratings` and the numbers in `meetings` go together.
    pub(super) fn new(
        game: &'static str,
        players: &[PlayerSpec],
        ratings: &[Rating],
        mut meetings: Vec<Meeting>,
    ) -> Self {
        let mut order: Vec<usize> = (0..players.len()).collect();
        order.sort_by(|&one, &other| ratings[other].elo.total_cmp(&ratings[one].elo));
        let row = |&number: &usize| {
            let met = || meetings.iter().filter(|meeting| meeting.players.contains(&number));
            let finite = |elo: f64| elo.is_finite().then_some(elo);
            Row {
                player: players[number].to_string(),
                elo: ratings[number].elo,
                elo_low: finite(ratings[number].low),
                elo_high: finite(ratings[number].high),
                points: met().filter_map(|meeting| meeting.points(number)).sum(),
                games: met().map(Meeting::decided).sum(),
            }
        };
        let rows = order.iter().map(row).collect();
        for meeting in &mut meetings {
            for number in &mut meeting.players {
                *number = order.iter().position(|player| player == number).expect("every player has a rank");
            }
        }
        Self { game, players: rows, meetings }
    }

    /// What a player scored against another, in per cent.
    fn percent(&self, player: usize, other: usize) -> Option<f64> {
        let met = |meeting: &&Meeting| meeting.players.contains(&player) && meeting.players.contains(&other);
        let meeting = self.meetings.iter().find(met).filter(|_| player != other)?;
        Some(100.0 * meeting.points(player)? / (meeting.decided() as f64).max(1.0))
    }
}

/// The table for people; the columns of scores go by rank.
impl fmt::Display for Standings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  #    Elo  (95 %)             score  games  player")?;
        for (rank, row) in self.players.iter().enumerate() {
            let interval = match (row.elo_low, row.elo_high) {
                (Some(low), Some(high)) => format!("[{low:+.0}, {high:+.0}]"),
                _ => "[-inf, +inf]".into(),
            };
            let score = 100.0 * row.points / (row.games as f64).max(1.0);
            writeln!(
                f,
                "{:>3} {:>+6.0}  {interval:<16} {score:>6.1} % {:>6}  {}",
                rank + 1,
                row.elo,
                row.games,
                row.player
            )?;
        }
        writeln!(f, "\nscore in per cent, row against column:")?;
        write!(f, "   ")?;
        for rank in 1..=self.players.len() {
            write!(f, "{rank:>5}")?;
        }
        writeln!(f)?;
        for player in 0..self.players.len() {
            write!(f, "{:>3}", player + 1)?;
            for other in 0..self.players.len() {
                match self.percent(player, other) {
                    Some(percent) => write!(f, "{percent:>5.0}")?,
                    None => write!(f, "    -")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
