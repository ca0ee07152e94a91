//! The matches at the end of a run, kept with it so that they are played once.

use std::sync::Arc;

use anyhow::Context;
use camelot_models::files::write_atomically;
use camelot_models::{Encode, Weights};
use camelot_selfplay::players::{Advance, LoadedPlayer};
use camelot_selfplay::{MatchReport, MatchSettings, PlayerSpec};
use rayon::ThreadPool;
use serde::{Deserialize, Serialize};

use crate::commands::matches::{Alone, warn, watched_match};
use crate::commands::print_line;
use crate::config::Config;
use crate::failure::Failure;
use crate::run_folder::RunFolder;

/// What was measured, and of which player.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Evaluation {
    iteration: u64,
    network: u64,
    simulations: u32,
    opening_plies: u32,
    rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    opponent: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    score_low: f64,
    score_high: f64,
    distinct_games: u64,
    /// In the patience: the player's own result and the opponent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    alone: Option<[Alone; 2]>,
}

impl Row {
    /// The row of the table, and in the patience what each player did.
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "{:<20} {:>5} {:>5} {:>5} {:>6}   {:.1} % [{:.1}, {:.1}]",
            self.opponent,
            self.wins + self.draws + self.losses,
            self.wins,
            self.draws,
            self.losses,
            100.0 * self.score,
            100.0 * self.score_low,
            100.0 * self.score_high
        )];
        for (who, alone) in ["the player", "the opponent"].iter().zip(self.alone.iter().flatten()) {
            lines.push(format!("  {who}: {alone}"));
        }
        lines
    }

    fn new<G: Encode>(opponent: &PlayerSpec, report: &MatchReport<G>) -> Self {
        let (score_low, score_high) = report.elo.score_interval;
        Self {
            opponent: opponent.to_string(),
            games: report.games.len() as u64,
            wins: report.wins,
            draws: report.draws,
            losses: report.losses,
            score: report.score(),
            score_low,
            score_high,
            distinct_games: report.distinct_games,
            alone: report.solo.map(|both| both.map(Alone::from)),
        }
    }
}

/// The opponents of the configuration.
pub(super) fn load_opponents<G: Encode + Advance>(config: &Config) -> Result<Vec<LoadedPlayer>, Failure> {
    config.opponents.iter().map(|opponent| Ok(LoadedPlayer::load::<G>(opponent)?)).collect()
}

/// Plays the trained player against each opponent of the configuration. Matches that this very player has
/// played before are not played again.
pub(super) fn evaluate<G: Encode + Advance>(
    config: &Config,
    run: &RunFolder,
    pool: &ThreadPool,
    weights: &Arc<Weights>,
    iteration: u64,
    opponents: &[LoadedPlayer],
) -> Result<Evaluation, Failure> {
    let keys = &config.evaluation;
    let mut done = Evaluation {
        iteration,
        network: weights.hash(),
        simulations: keys.simulations,
        opening_plies: keys.opening_plies,
        rows: Vec::new(),
    };
    let stored = stored_rows(run, &done);
    let player = super::strength::player(weights, config);
    for (spec, opponent) in config.opponents.iter().zip(opponents).filter(|_| keys.games > 0) {
        let name = spec.to_string();
        if let Some(row) = stored.iter().find(|row| row.opponent == name && row.games == keys.games) {
            done.rows.push(row.clone());
            continue;
        }
        eprintln!("measuring the player: {} games against {name}", keys.games);
        let settings = MatchSettings {
            pairs: keys.games / 2,
            opening_plies: keys.opening_plies,
            seed: config.seed,
            rules: config.rules,
            sprt: None,
        };
        let players = [player.clone(), opponent.clone()];
        let report = watched_match::<G>(pool, &players, &settings).ok_or_else(|| {
            eprintln!("stopped while measuring; the same command measures again");
            Failure::Interrupted
        })?;
        warn([&"the player", spec], &report);
        done.rows.push(Row::new(spec, &report));
        done.save(run)?;
    }
    done.save(run)?;
    Ok(done)
}

/// The rows measured before, if they are of the same player under the same conditions.
fn stored_rows(run: &RunFolder, wanted: &Evaluation) -> Vec<Row> {
    let text = std::fs::read_to_string(run.evaluation()).unwrap_or_default();
    let stored: Option<Evaluation> = serde_json::from_str(&text).ok();
    let same = |stored: &Evaluation| {
        (stored.network, stored.simulations, stored.opening_plies)
            == (wanted.network, wanted.simulations, wanted.opening_plies)
    };
    stored.filter(same).map_or(Vec::new(), |stored| stored.rows)
}

impl Evaluation {
    fn save(&self, run: &RunFolder) -> Result<(), Failure> {
        let path = run.evaluation();
        write_atomically(&path, serde_json::to_string_pretty(self)?.as_bytes())
            .with_context(|| path.display().to_string())?;
        Ok(())
    }

    /// What is counted, and what the games began with.
    fn conditions(&self) -> (&'static str, String) {
        if self.rows.iter().any(|row| row.alone.is_some()) {
            return ("deals", "each deal played by both".into());
        }
        ("games", format!("openings of {} random plies", self.opening_plies))
    }

    /// Prints the table; with `--json` on standard error, since standard output holds iterations only.
    pub(super) fn print(&self, run: &RunFolder, json: bool) -> Result<(), Failure> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let (counted, conditions) = self.conditions();
        let mut lines = vec![
            format!(
                "player net:{},sims={} after {} iterations, {}:",
                run.path.display(),
                self.simulations,
                self.iteration,
                conditions
            ),
            format!(
                "{:<20} {:>5} {:>5} {:>5} {:>6}   score (95 %)",
                "opponent", counted, "won", "drawn", "lost"
            ),
        ];
        lines.extend(self.rows.iter().flat_map(Row::lines));
        for line in lines {
            if json {
                eprintln!("{line}");
            } else {
                print_line(&line)?;
            }
        }
        Ok(())
    }
}
