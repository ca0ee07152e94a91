//! What goes wrong in a run without stopping it, and is said in one line when it begins.

use camelot_models::Encode;
use camelot_train::{Assessment, Losses};
use serde_json::Value;

use super::alarm::{Alarm, Change, Limits};
use super::entry::Summary;

/// The numbers of an iteration that are watched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Vitals {
    pub(super) games: f64,
    /// Recorded ones.
    pub(super) positions: f64,
    /// Share of the games.
    pub(super) draws: f64,
    /// Share of the games that begin as no other of the iteration.
    pub(super) distinct_openings: f64,
    pub(super) policy_entropy: f64,
    /// How much larger the value's loss is on new games than on those that are learnt from.
    pub(super) value_gap: f64,
}

impl Vitals {
    pub(super) fn new(summary: &Summary, losses: &Losses, unseen: &Assessment) -> Self {
        let games = summary.games.max(1) as f64;
        Self {
            games,
            positions: summary.positions as f64,
            draws: summary.draws as f64 / games,
            distinct_openings: summary.openings as f64 / games,
            policy_entropy: losses.policy_entropy,
            value_gap: unseen.value_loss - losses.value,
        }
    }

    /// From an entry of the metrics; `before` are the games and positions until then, which are counted on.
    fn read(entry: &Value, before: &mut (f64, f64)) -> Option<Self> {
        let number = |name: &str| entry.get(name)?.as_f64();
        let counted = (number("games")?, number("positions")?);
        let (games, positions) = (counted.0 - before.0, counted.1 - before.1);
        *before = counted;
        Some(Self {
            games,
            positions,
            draws: number("draws")?,
            distinct_openings: number("distinct_openings")?,
            policy_entropy: number("policy_entropy")?,
            value_gap: number("value_gap")?,
        })
    }
}

/// One number with its alarm.
#[derive(Debug)]
struct Watched {
    /// Its name in the metrics.
    name: &'static str,
    alarm: Alarm,
    /// The weight of an iteration, and its number.
    number: fn(&Vitals) -> (f64, f64),
    /// What is said when the alarm is raised, and when it is taken off.
    raised: fn(f64) -> String,
    taken_off: fn(f64) -> String,
}

/// The alarms of a run.
#[derive(Debug)]
pub(super) struct Health {
    watched: Vec<Watched>,
}

impl Health {
    /// The alarms of `G`, as they stood after the iterations with these entries in the metrics.
    pub(super) fn new<G: Encode>(past: &[Value]) -> Self {
        let mut watched = vec![openings(), entropy(), over_fitting()];
        // Against chance nothing is drawn.
        if G::SEATS > 1 {
            watched.push(draws());
        }
        let mut health = Self { watched };
        let mut before = (0.0, 0.0);
        for entry in past {
            if let Some(vitals) = Vitals::read(entry, &mut before) {
                health.update(&vitals);
            }
        }
        health
    }

    /// Takes in an iteration, and returns what is to be said of it.
    pub(super) fn update(&mut self, vitals: &Vitals) -> Vec<String> {
        let say = |watched: &mut Watched| {
            let (weight, mean) = (watched.number)(vitals);
            Some(match watched.alarm.update(weight, mean)? {
                Change::Raised(mean) => format!("alarm: {}", (watched.raised)(mean)),
                Change::TakenOff(mean) => (watched.taken_off)(mean),
            })
        };
        self.watched.iter_mut().filter_map(say).collect()
    }

    /// The names of the alarms that stand.
    pub(super) fn raised(&self) -> Vec<&'static str> {
        self.watched.iter().filter(|watched| watched.alarm.raised()).map(|watched| watched.name).collect()
    }
}

fn draws() -> Watched {
    Watched {
        name: "draws",
        alarm: Alarm::new(Limits { limit: 0.35, relief: 0.3, over: 2_000.0 }),
        number: |vitals| (vitals.games, vitals.draws),
        raised: |mean| {
            format!("{:.0} % of the last 2000 games were drawn, expected at most 35 %", 100.0 * mean)
        },
        taken_off: |mean| format!("draws are down to {:.0} % of the last 2000 games", 100.0 * mean),
    }
}

fn openings() -> Watched {
    Watched {
        name: "openings",
        alarm: Alarm::new(Limits { limit: 0.5, relief: 0.6, over: 2_000.0 }),
        number: |vitals| (vitals.games, vitals.distinct_openings),
        raised: |mean| {
            format!(
                "only {:.0} % of the last 2000 games began differently, expected at least 50 %; more \
                 `selfplay.opening_plies` or `selfplay.noise` help",
                100.0 * mean
            )
        },
        taken_off: |mean| format!("{:.0} % of the last 2000 games began differently", 100.0 * mean),
    }
}

fn entropy() -> Watched {
    Watched {
        name: "entropy",
        alarm: Alarm::new(Limits { limit: 0.2, relief: 0.3, over: 50_000.0 }),
        number: |vitals| (vitals.positions, vitals.policy_entropy),
        raised: |mean| {
            format!(
                "the policy's entropy is down to {mean:.2}, expected at least 0.2: it tries hardly anything; a smaller \
                 `selfplay.value_scale` or more noise helps"
            )
        },
        taken_off: |mean| format!("the policy's entropy is up to {mean:.2}"),
    }
}

fn over_fitting() -> Watched {
    Watched {
        name: "over-fitting",
        alarm: Alarm::new(Limits { limit: 0.05, relief: 0.03, over: 50_000.0 }),
        number: |vitals| (vitals.positions, vitals.value_gap),
        raised: |mean| {
            format!(
                "the value's loss is {mean:.2} larger on new games than on those learnt from, expected at most 0.05: \
                 it learns them by heart; a larger window or fewer `training.passes` help"
            )
        },
        taken_off: |mean| format!("the value's loss is only {mean:.2} larger on new games"),
    }
}

#[cfg(test)]
mod tests {
    use camelot_core::{Cam, Patience, Position};
    use serde_json::json;

    use super::*;

    const SOUND: Vitals = Vitals {
        games: 400.0,
        positions: 7_000.0,
        draws: 0.1,
        distinct_openings: 0.98,
        policy_entropy: 2.0,
        value_gap: 0.01,
    };

    fn after(vitals: Vitals) -> (Vec<&'static str>, Vec<String>) {
        let mut health = Health::new::<Position<Cam>>(&[]);
        assert!((0..20).all(|_| health.update(&SOUND).is_empty()));
        let said = (0..20).flat_map(|_| health.update(&vitals)).collect();
        (health.raised(), said)
    }

    #[test]
    fn each_alarm_has_a_name_and_says_what_it_is_about() {
        for (vitals, name, words) in [
            (Vitals { draws: 0.5, ..SOUND }, "draws", "were drawn"),
            (Vitals { distinct_openings: 0.1, ..SOUND }, "openings", "began differently"),
            (Vitals { policy_entropy: 0.05, ..SOUND }, "entropy", "hardly anything"),
            (Vitals { value_gap: 0.3, ..SOUND }, "over-fitting", "by heart"),
        ] {
            let (raised, said) = after(vitals);
            assert_eq!(raised, [name]);
            assert!(
                matches!(&said[..], [line] if line.starts_with("alarm: ") && line.contains(words)),
                "{said:?}"
            );
        }
        assert_eq!(after(SOUND).0, [""; 0]);
    }

    #[test]
    fn the_alarms_of_a_run_that_goes_on_stand_as_they_stood() {
        let bad = Vitals { draws: 0.6, ..SOUND };
        let mut steady = Health::new::<Position<Cam>>(&[]);
        let mut entries = Vec::new();
        for iteration in 1..=12_u32 {
            let resumed = Health::new::<Position<Cam>>(&entries);
            assert_eq!(resumed.raised(), steady.raised());
            let vitals = if iteration > 3 { bad } else { SOUND };
            steady.update(&vitals);
            let so_far = f64::from(iteration);
            entries.push(json!({
                "games": vitals.games * so_far, "positions": vitals.positions * so_far, "draws": vitals.draws,
                "distinct_openings": vitals.distinct_openings, "policy_entropy": vitals.policy_entropy,
                "value_gap": vitals.value_gap
            }));
        }
        assert_eq!(steady.raised(), ["draws"]);
    }

    #[test]
    fn a_game_against_chance_knows_no_draws() {
        let mut health = Health::new::<Patience>(&[]);
        assert!((0..20).all(|_| health.update(&Vitals { draws: 1.0, ..SOUND }).is_empty()));
    }
}
