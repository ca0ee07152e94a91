//! The page: what is drawn, and in which order.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::chart::{Chart, Series, escaped, number_text};
use super::examples::Examples;
use crate::config::Config;
use crate::references;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("viewer.js");

/// All that is known of a run.
#[derive(Debug)]
pub(super) struct Run<'a> {
    pub(super) folder: &'a Path,
    pub(super) config: &'a Config,
    /// The entries of `metrics.jsonl`.
    pub(super) entries: &'a [Value],
    pub(super) evaluation: Option<Value>,
    pub(super) examples: Examples,
}

/// The lines of a chart, as field of the metrics and name.
type Fields<'a> = &'a [(&'a str, &'a str)];

impl Run<'_> {
    /// The page as HTML.
    pub(super) fn page(&self) -> String {
        let title = format!("{}: {}", self.config.game, self.folder.display());
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>\
             <meta name='viewport' content='width=device-width, initial-scale=1'><title>{title}</title>\
             <style>{STYLE}</style></head><body><main><h1>{title}</h1>",
            title = escaped(&title)
        );
        html += &self.summary();
        html += &self.alarms();
        html += "<section class='charts'>";
        html += &self.strength();
        html += &self.charts();
        html += &self.calibration();
        html += "</section>";
        html += &self.matches();
        html += &self.games();
        html += &self.configuration();
        let data = serde_json::to_string(&self.examples.shown).unwrap_or_default().replace('<', "\\u003c");
        let _ = writeln!(
            html,
            "</main><script type='application/json' id='games'>{data}</script><script>{SCRIPT}</script></body></html>"
        );
        html
    }

    fn last(&self, field: &str) -> f64 {
        self.entries.last().and_then(|entry| entry[field].as_f64()).unwrap_or(0.0)
    }

    /// A few sentences of numbers.
    fn summary(&self) -> String {
        let minutes = self.last("seconds") / 60.0;
        let rating = self.ratings().pop();
        let strength = rating.map_or(String::new(), |(_, [elo, low, high])| {
            format!("rated {elo:.0} [{low:.0}, {high:.0}] Elo, ")
        });
        format!(
            "<p>{} network, seed {}: {} iterations, {} games and {} positions in {:.1} minutes of training; {strength}\
             {} % of the last games drawn.</p>",
            escaped(&self.config.network.to_string()),
            self.config.seed,
            number_text(self.last("iteration")),
            number_text(self.last("games")),
            number_text(self.last("positions")),
            minutes,
            number_text((100.0 * self.last("draws")).round()),
        )
    }

    /// When which alarm stood.
    fn alarms(&self) -> String {
        let alarms = [
            ("draws", "Draws had taken over"),
            ("openings", "Many games began alike"),
            ("entropy", "The policy tried hardly anything"),
            ("over-fitting", "The value had learnt games by heart"),
            ("strength", "The player was weaker than before"),
        ];
        alarms.map(|(name, what)| self.alarm(name, what)).concat()
    }

    fn alarm(&self, name: &str, what: &str) -> String {
        let stands = |entry: &&Value| {
            entry["alarms"].as_array().is_some_and(|alarms| alarms.iter().any(|alarm| alarm == name))
        };
        let raised = self.entries.iter().filter(stands);
        let raised: Vec<u64> = raised.filter_map(|entry| entry["iteration"].as_u64()).collect();
        match (raised.first(), raised.last()) {
            (Some(first), Some(last)) => format!(
                "<p class='alarm'>{what} in {} iterations between {first} and {last}.</p>",
                raised.len()
            ),
            _ => String::new(),
        }
    }

    /// Ratings by minutes of training: value, low, high.
    fn ratings(&self) -> Vec<(f64, [f64; 3])> {
        let rating = |entry: &Value| {
            let rated = entry.get("rating")?;
            let [elo, low, high] = ["elo", "elo_low", "elo_high"].map(|name| rated[name].as_f64());
            Some((entry["seconds"].as_f64()? / 60.0, [elo?, low?, high?]))
        };
        self.entries.iter().filter_map(rating).collect()
    }

    fn strength(&self) -> String {
        let ratings = self.ratings();
        if ratings.is_empty() {
            return String::new();
        }
        let top = ratings.iter().map(|(_, [.., high])| *high).fold(0.0, f64::max);
        let references = references::of(self.config.game, self.config.rules).unwrap_or_default();
        let levels = references.iter().filter(|reference| reference.elo <= top + 150.0);
        let series = Series {
            name: "rating".into(),
            points: ratings.iter().map(|&(minute, [elo, ..])| (minute, elo)).collect(),
            intervals: ratings.iter().map(|&(_, [_, low, high])| (low, high)).collect(),
        };
        let chart = Chart {
            title: "Strength in Elo, 95 % intervals; dashed the references".into(),
            across: "minutes".into(),
            series: vec![series],
            levels: levels.map(|reference| (reference.elo, reference.player.to_string())).collect(),
            ..Chart::default()
        };
        chart.html()
    }

    /// A chart of fields of the metrics over the minutes of training; empty where the run has none of them.
    fn over_time(&self, title: &str, fields: Fields<'_>, factor: f64, includes: &[f64]) -> String {
        let line = |&(field, name): &(&str, &str)| {
            let point =
                |entry: &Value| Some((entry["seconds"].as_f64()? / 60.0, factor * entry[field].as_f64()?));
            let points: Vec<(f64, f64)> = self.entries.iter().filter_map(point).collect();
            (!points.is_empty()).then(|| Series { name: name.into(), points, intervals: Vec::new() })
        };
        let series: Vec<Series> = fields.iter().filter_map(line).collect();
        if series.is_empty() {
            return String::new();
        }
        let (title, across) = (title.into(), "minutes".into());
        Chart { title, across, series, includes: includes.to_vec(), levels: Vec::new() }.html()
    }

    fn charts(&self) -> String {
        let results: Fields<'_> = if self.entries.iter().any(|entry| entry.get("mean_points").is_some()) {
            &[("first_wins", "won")]
        } else {
            &[
                ("draws", "drawn"),
                ("first_wins", "won by the first"),
                ("castle_wins", "by castle"),
                ("cut_games", "cut"),
            ]
        };
        [
            self.over_time("Results of self-play, per cent", results, 100.0, &[0.0]),
            self.over_time("Points a game", &[("mean_points", "points")], 1.0, &[]),
            self.over_time("Loss of the value", &[("value_loss", "value")], 1.0, &[]),
            self.over_time("Loss of the policy", &[("policy_loss", "policy")], 1.0, &[]),
            self.over_time(
                "Entropy of the policy",
                &[("policy_entropy", "entropy"), ("target_entropy", "of the target")],
                1.0,
                &[0.0],
            ),
            self.over_time(
                "How much more the value errs on new games",
                &[("value_gap", "loss on new games, less that on learnt ones")],
                1.0,
                &[0.0],
            ),
            self.over_time(
                "Results of new games, from what was expected",
                &[("calibration_error", "calibration error")],
                1.0,
                &[0.0],
            ),
            self.over_time("Plies a game", &[("plies_per_game", "plies")], 1.0, &[0.0]),
            self.over_time("Simulations a second", &[("simulations_per_second", "simulations")], 1.0, &[0.0]),
            self.over_time(
                "Seconds an iteration",
                &[("selfplay_seconds", "self-play"), ("learning_seconds", "learning")],
                1.0,
                &[0.0],
            ),
            self.over_time("Positions in the window", &[("window_positions", "positions")], 1.0, &[0.0]),
            self.over_time("Memory in megabytes", &[("resident_megabytes", "resident")], 1.0, &[0.0]),
            self.over_time("Learning rate", &[("learning_rate", "rate")], 1.0, &[0.0]),
            self.over_time("Length of the gradient", &[("gradient_norm", "norm")], 1.0, &[0.0]),
        ]
        .concat()
    }

    fn calibration(&self) -> String {
        let classes = &self.examples.calibration;
        if classes.is_empty() {
            return String::new();
        }
        let found = Series {
            name: "newest games".into(),
            points: classes.iter().map(|class| (class.expected, class.came)).collect(),
            intervals: Vec::new(),
        };
        let even =
            Series { name: "as expected".into(), points: vec![(0.0, 0.0), (1.0, 1.0)], ..Series::default() };
        let positions: u64 = classes.iter().map(|class| class.positions).sum();
        let chart = Chart {
            title: format!("Do values come true? Result by what the search expected, {positions} positions"),
            across: "expected".into(),
            series: vec![found, even],
            ..Chart::default()
        };
        chart.html()
    }

    /// The matches at the end.
    fn matches(&self) -> String {
        let rows = self.evaluation.as_ref().and_then(|evaluation| evaluation["rows"].as_array());
        let Some(rows) = rows.filter(|rows| !rows.is_empty()) else { return String::new() };
        let simulations = self.evaluation.as_ref().map_or(0, |e| e["simulations"].as_u64().unwrap_or(0));
        let mut html = format!(
            "<h2>Matches at the end</h2><p>The player thinks for {simulations} simulations a move.</p><table><tr>\
             <th>opponent<th>won<th>drawn<th>lost<th>score (95 %)</tr>"
        );
        for row in rows {
            let number = |name: &str| row[name].as_f64().unwrap_or(0.0);
            let _ = write!(
                html,
                "<tr><td>{}<td>{}<td>{}<td>{}<td>{:.1} % [{:.1}, {:.1}]</tr>",
                escaped(row["opponent"].as_str().unwrap_or_default()),
                number("wins"),
                number("draws"),
                number("losses"),
                100.0 * number("score"),
                100.0 * number("score_low"),
                100.0 * number("score_high"),
            );
        }
        html + "</table>"
    }

    fn games(&self) -> String {
        if self.examples.shown.games.is_empty() {
            return String::new();
        }
        "<h2>Games of the last iterations</h2><div id='viewer'></div>".into()
    }

    fn configuration(&self) -> String {
        let text = toml::to_string(&self.config.raw).unwrap_or_default();
        format!("<details><summary>Configuration</summary><pre>{}</pre></details>", escaped(&text))
    }
}
