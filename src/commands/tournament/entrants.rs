//! Who takes part in a tournament: players by name, and the checkpoints of run folders.

use std::path::{Path, PathBuf};

use camelot_models::checkpoint;
use camelot_selfplay::PlayerSpec;
use camelot_selfplay::players::{NetOptions, NetSpec};

use crate::failure::Failure;
use crate::run_folder::is_run;

/// The players that the arguments name; of a run folder at most `checkpoints`, spread evenly, the newest among
/// them.
pub(super) fn entrants(arguments: &[String], checkpoints: usize) -> Result<Vec<PlayerSpec>, Failure> {
    let mut players = Vec::new();
    for argument in arguments {
        let path = Path::new(argument);
        if is_run(path) {
            let found: Vec<PathBuf> = checkpoint::list(path).into_iter().map(|(_, file)| file).collect();
            if found.is_empty() {
                return Err(Failure::error(format!("run folder {argument}: it has no checkpoint yet")));
            }
            players.extend(spread(found.len(), checkpoints).map(|index| {
                PlayerSpec::Net(NetSpec { path: found[index].clone(), options: NetOptions::default() })
            }));
        } else {
            players.push(
                argument.parse().map_err(|why| {
                    Failure::usage(format!("{why}; or a run folder, for all its checkpoints"))
                })?,
            );
        }
    }
    let twice = (1..players.len()).find(|&index| players[..index].contains(&players[index]));
    if let Some(index) = twice {
        return Err(Failure::usage(format!("`{}` is named twice", players[index])));
    }
    if players.len() < 2 {
        return Err(Failure::usage(format!(
            "{} player: expected at least two, or a run folder with two checkpoints",
            players.len()
        )));
    }
    Ok(players)
}

/// At most `wanted` indices below `count`, evenly spread, the last one among them.
fn spread(count: usize, wanted: usize) -> impl Iterator<Item = usize> {
    let taken = wanted.min(count);
    (1..=taken).map(move |number| (number * count).div_ceil(taken) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_are_spread_evenly_up_to_the_newest() {
        let of = |count, wanted| spread(count, wanted).collect::<Vec<_>>();
        assert_eq!(of(3, 8), [0, 1, 2]);
        assert_eq!(of(8, 4), [1, 3, 5, 7]);
        assert_eq!(of(10, 3), [3, 6, 9]);
        assert_eq!(of(5, 1), [4]);
    }

    #[test]
    fn what_cannot_take_part_is_named() {
        let error = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            match entrants(&names, 8) {
                Err(Failure::Usage(why)) => why,
                other => panic!("{other:?}"),
            }
        };
        assert!(error(&["random", "nobody"]).contains("`nobody`"));
        assert!(error(&["random", "greedy", "random"]).contains("`random` is named twice"));
        assert!(error(&["random"]).contains("at least two"));
    }
}
