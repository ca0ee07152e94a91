//! Players of known strength for each game, and their ratings, as measured and stored in `src/references.toml`.

use std::collections::BTreeMap;

use camelot_core::RuleSet;
use camelot_selfplay::PlayerSpec;
use serde::Deserialize;

use crate::failure::Failure;

const STORED: &str = include_str!("references.toml");

/// A player of known strength.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) player: PlayerSpec,
    /// Its rating; random play is 0.
    pub(crate) elo: f64,
    pub(crate) elo_low: f64,
    pub(crate) elo_high: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// The command that measured it.
    #[expect(dead_code, reason = "it is for readers of the file")]
    command: String,
    references: Vec<Stored>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    player: String,
    elo: f64,
    low: f64,
    high: f64,
}

/// The references of a game, the weakest first.
///
/// # Errors
///
/// If they were not measured under these rules.
pub(crate) fn of(game: &str, rules: RuleSet) -> Result<Vec<Reference>, Failure> {
    if rules != RuleSet::Classic {
        return Err(Failure::usage(format!(
            "--rules {}: the references were measured under `classic` rules",
            rules.name()
        )));
    }
    let mut tables = tables()?;
    let table = tables.remove(game).ok_or_else(|| Failure::error(format!("{game} has no references")))?;
    table.references.into_iter().map(Reference::try_from).collect()
}

fn tables() -> Result<BTreeMap<String, Table>, Failure> {
    Ok(toml::from_str(STORED)?)
}

impl TryFrom<Stored> for Reference {
    type Error = Failure;

    fn try_from(stored: Stored) -> Result<Self, Failure> {
        let Stored { player, elo, low: elo_low, high: elo_high } = stored;
        Ok(Self { player: player.parse()?, elo, elo_low, elo_high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::NAMES;

    /// Each game's scale begins with random play at 0 and goes up from reference to reference.
    #[test]
    fn every_game_has_references_in_order() {
        assert_eq!(tables().unwrap().len(), NAMES.len());
        for game in NAMES {
            let references = of(game, RuleSet::Classic).unwrap();
            assert!(references.len() >= 3, "{game}");
            assert_eq!((references[0].player.clone(), references[0].elo), (PlayerSpec::Random, 0.0));
            for pair in references.windows(2) {
                assert!(pair[0].elo < pair[1].elo, "{game}: {pair:?}");
            }
            for reference in &references {
                let Reference { elo, elo_low, elo_high, .. } = reference;
                assert!(elo_low <= elo && elo <= elo_high, "{game}: {reference:?}");
            }
        }
    }
}
