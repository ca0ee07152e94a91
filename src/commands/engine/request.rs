//! What the commands of the protocol say, before it is known whether it makes sense.

use std::time::Duration;

use camelot_core::Team;
use camelot_selfplay::search::Limits;

use crate::clock::Clock;
use crate::lines::short;

/// The most simulations that `setoption` takes, and the largest number of nodes or milliseconds of `go`.
pub(super) const LIMIT: u64 = 100_000_000;

/// The deepest `go perft`, as for the verb.
const PERFT_LIMIT: u64 = 20;

/// What `go` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Go {
    /// Counts of the game tree.
    Perft(u32),
    /// A move.
    Think(Thinking),
}

/// For how long to think. Where several bounds are set, the first to be reached counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Thinking {
    nodes: Option<u32>,
    depth: Option<u32>,
    movetime: Option<Duration>,
    left: [Option<Duration>; 2],
    increments: [Duration; 2],
    /// Until told to stop.
    pub(super) infinite: bool,
}

/// Reads what follows `go`.
pub(super) fn go<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Go, String> {
    const EXPECTED: &str = "expected nodes, depth, movetime, p1time, p2time, p1inc, p2inc, infinite or perft";
    let mut thinking = Thinking::default();
    let mut seen: Vec<&str> = Vec::new();
    while let Some(name) = words.next() {
        if seen.contains(&name) {
            return Err(format!("go: `{name}` twice"));
        }
        seen.push(name);
        let mut number = |least: i64, most: u64| number(name, words.next(), least, most);
        let ms = Duration::from_millis;
        match name {
            "nodes" => thinking.nodes = Some(number(1, LIMIT)? as u32),
            "depth" => thinking.depth = Some(number(1, LIMIT)? as u32),
            "movetime" => thinking.movetime = Some(ms(number(1, LIMIT)?)),
            // A runner may let a clock run below zero.
            "p1time" => thinking.left[0] = Some(ms(number(i64::MIN, LIMIT)?)),
            "p2time" => thinking.left[1] = Some(ms(number(i64::MIN, LIMIT)?)),
            "p1inc" => thinking.increments[0] = ms(number(0, LIMIT)?),
            "p2inc" => thinking.increments[1] = ms(number(0, LIMIT)?),
            "infinite" => thinking.infinite = true,
            "perft" if seen.len() == 1 => {
                let depth = number(0, PERFT_LIMIT)? as u32;
                return match words.next() {
                    None => Ok(Go::Perft(depth)),
                    Some(other) => Err(format!("go: `{}` after `perft`", short(other))),
                };
            }
            "perft" => return Err("go: `perft` stands alone".into()),
            other => return Err(format!("go: `{}`: {EXPECTED}", short(other))),
        }
    }
    if thinking.infinite && seen.len() > 1 {
        return Err("go: `infinite` stands alone".into());
    }
    Ok(Go::Think(thinking))
}

/// Reads a number; one below zero counts as zero where it is allowed at all.
fn number(name: &str, word: Option<&str>, least: i64, most: u64) -> Result<u64, String> {
    let fits = |value: &i64| *value >= least && u64::try_from(*value).unwrap_or(0) <= most;
    let value = word.and_then(|word| word.parse().ok()).filter(fits);
    let found = word.map_or("nothing".into(), |word| format!("`{}`", short(word)));
    let least = least.max(0);
    let value =
        value.ok_or_else(|| format!("{name} is {found}: expected a number from {least} to {most}"))?;
    Ok(u64::try_from(value).unwrap_or(0))
}

impl Thinking {
    /// The search's limits for a player of `team`. `simulations` hold where nothing else is asked for.
    pub(super) fn limits(self, team: Team, simulations: Option<u32>) -> Result<Limits, String> {
        if self.infinite {
            return Ok(Limits::simulations(u32::MAX));
        }
        let mover = usize::from(team == Team::Two);
        let timed = self.left != [None; 2] || self.increments != [Duration::ZERO; 2];
        let on_clock = match self.left[mover] {
            Some(left) => Some(Clock { left, increment: self.increments[mover] }.time_for_a_move()),
            None if timed => {
                return Err(format!("go: player {} is to move, but there is no p{0}time", mover + 1));
            }
            None => None,
        };
        let time = self.movetime.into_iter().chain(on_clock).min();
        let open = self.nodes.is_none() && self.depth.is_none() && time.is_none();
        let simulations = self.nodes.or(simulations.filter(|_| open));
        Ok(Limits { simulations, time, depth: self.depth, stop: None })
    }
}

/// Reads what follows `setoption`: `name NAME value VALUE`, where both may be several words.
pub(super) fn option<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<(String, String), String> {
    const EXPECTED: &str = "setoption: expected `name NAME value VALUE`";
    if words.next() != Some("name") {
        return Err(EXPECTED.into());
    }
    let name: Vec<_> = words.by_ref().take_while(|&word| word != "value").collect();
    let value: Vec<_> = words.collect();
    if name.is_empty() || value.is_empty() {
        return Err(EXPECTED.into());
    }
    Ok((name.join(" "), value.join(" ")))
}

/// Reads the value of an option that is a number.
pub(super) fn spin(name: &str, value: &str, most: u64) -> Result<u64, String> {
    spin_from(0, name, value, most)
}

/// The same with a least value.
pub(super) fn spin_from(least: i64, name: &str, value: &str, most: u64) -> Result<u64, String> {
    number(name, Some(value), least, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Go, String> {
        go(text.split_whitespace())
    }

    fn limits(text: &str, team: Team) -> Result<Limits, String> {
        match read(text)? {
            Go::Think(thinking) => thinking.limits(team, Some(7)),
            Go::Perft(_) => panic!("{text} is no search"),
        }
    }

    #[test]
    fn bounds_become_limits() {
        let given = |text| {
            let limits = limits(text, Team::Two).unwrap();
            (limits.simulations, limits.time.map(|time| time.as_millis()), limits.depth)
        };
        assert_eq!(given(""), (Some(7), None, None));
        assert_eq!(given("nodes 5 movetime 20"), (Some(5), Some(20), None));
        assert_eq!(given("depth 3"), (None, None, Some(3)));
        assert_eq!(given("infinite"), (Some(u32::MAX), None, None));
        assert_eq!(given("p1time 1 p2time 1060 p1inc 5 p2inc 40"), (None, Some(70), None));
        assert_eq!(given("p2time 1060 movetime 9"), (None, Some(9), None));
        assert_eq!(given("p2time -30"), (None, Some(1), None));
        assert_eq!(read("perft 3"), Ok(Go::Perft(3)));
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_name() {
        for (text, part) in [
            ("nodes", "nodes is nothing"),
            ("nodes 0", "from 1 to"),
            ("nodes 1 nodes 2", "twice"),
            ("movetime fast", "`fast`"),
            ("depth 99999999999999999999", "depth is"),
            ("perft 21", "from 0 to 20"),
            ("perft 1 nodes 2", "after `perft`"),
            ("nodes 2 perft 1", "stands alone"),
            ("infinite nodes 2", "stands alone"),
            ("ponder", "expected nodes, depth"),
            ("p1time 100", "no p2time"),
            ("p2inc 100", "no p2time"),
        ] {
            let error = limits(text, Team::Two).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn options_are_names_and_values() {
        let read = |text: &str| option(text.split_whitespace());
        assert_eq!(read("name Big Game value a b"), Ok(("Big Game".into(), "a b".into())));
        for text in ["", "Game value cam", "name value x", "name Game", "name Game value"] {
            assert!(read(text).unwrap_err().contains("expected"), "{text}");
        }
    }
}
