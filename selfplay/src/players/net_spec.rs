//! How a network is named as a player: `PATH[,sims=N|,movetime=MS][,threads=N][,KEY=VALUE…]`.

use std::fmt::{self, Display};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::spec::count;
use crate::search::{Limits, SearchSettings};

/// Simulations a move where a network's name does not say.
const DEFAULT_SIMULATIONS: u32 = 200;

/// The most threads of one search.
pub const THREAD_LIMIT: u32 = 256;

/// The most memory of one search tree, in MiB.
pub const MEMORY_LIMIT_MIB: usize = 1 << 20;

/// How long a player thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Simulations a move.
    Simulations(u32),
    /// Milliseconds a move.
    MoveTimeMs(u32),
}

impl Effort {
    /// The search's limits.
    #[must_use]
    pub fn limits(self) -> Limits {
        match self {
            Self::Simulations(count) => Limits::simulations(count),
            Self::MoveTimeMs(ms) => Limits::time(Duration::from_millis(u64::from(ms))),
        }
    }
}

/// A network as a player.
#[derive(Clone, Debug, PartialEq)]
pub struct NetSpec {
    /// A checkpoint file or a run folder.
    pub path: PathBuf,
    /// How it thinks.
    pub options: NetOptions,
}

/// How a network thinks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetOptions {
    /// How long.
    pub effort: Effort,
    /// On how many threads.
    pub threads: u32,
    /// The tree's settings.
    pub search: SearchSettings,
}

impl Default for NetOptions {
    fn default() -> Self {
        let search =
            SearchSettings { reuse_tree: true, capture_choices: 4, offers: 30, ..SearchSettings::PLAY };
        Self { effort: Effort::Simulations(DEFAULT_SIMULATIONS), threads: 1, search }
    }
}

/// The tree's settings that a name can change, with their ranges.
const KEYS: [(&str, f32, f32); 6] = [
    ("cpuct", 0.01, 100.0),
    ("growth", 0.0, 10.0),
    ("spread", 0.0, 1.0),
    ("fpu", 0.0, 2.0),
    ("temperature", 0.1, 10.0),
    ("even", 0.0, 1.0),
];

fn setting<'a>(search: &'a mut SearchSettings, key: &str) -> &'a mut f32 {
    match key {
        "cpuct" => &mut search.cpuct,
        "growth" => &mut search.cpuct_growth,
        "spread" => &mut search.cpuct_spread,
        "even" => &mut search.even_share,
        "temperature" => &mut search.prior_temperature,
        _ => &mut search.fpu_reduction,
    }
}

impl FromStr for NetSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (path, parts) = path_and_options(text);
        if path.is_empty() {
            return Err("expected a path after `net:`".into());
        }
        let mut options = NetOptions::default();
        let mut effort = None;
        for part in parts {
            let (key, value) = part;
            let next = match key {
                "sims" => Effort::Simulations(count(value)?),
                "movetime" => Effort::MoveTimeMs(count(value)?),
                _ => {
                    options.set(key, value)?;
                    continue;
                }
            };
            if effort.replace(next).is_some() {
                return Err("expected one of `sims` and `movetime`, once".into());
            }
        }
        options.effort = effort.unwrap_or(options.effort);
        Ok(Self { path: path.into(), options })
    }
}

/// Splits a path, which may have commas, from the options behind it: the last parts with an equals sign.
fn path_and_options(text: &str) -> (&str, Vec<(&str, &str)>) {
    let (mut path, mut options) = (text, Vec::new());
    while let Some((before, option)) =
        path.rsplit_once(',').and_then(|(before, last)| last.split_once('=').map(|option| (before, option)))
    {
        path = before;
        options.insert(0, option);
    }
    (path, options)
}

impl NetOptions {
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let number = |low: f32, high: f32| {
            let number = value.parse().ok().filter(|number| (low..=high).contains(number));
            number.ok_or_else(|| format!("`{key}={value}`: expected a number from {low} to {high}"))
        };
        if key == "threads" {
            self.threads = number(1.0, THREAD_LIMIT as f32)? as u32;
        } else if key == "memory" {
            self.search.memory_bytes = (number(1.0, MEMORY_LIMIT_MIB as f32)? as usize) << 20;
        } else if key == "captures" {
            self.search.capture_choices = number(0.0, 1000.0)? as u32;
        } else if key == "offers" {
            self.search.offers = number(0.0, 1000.0)? as u32;
        } else if key == "reuse" {
            self.search.reuse_tree = number(0.0, 1.0)? > 0.0;
        } else if let Some((_, low, high)) = KEYS.into_iter().find(|(name, ..)| *name == key) {
            *setting(&mut self.search, key) = number(low, high)?;
        } else {
            return Err(format!(
                "unknown option `{key}`: expected `sims=N`, `movetime=MS`, `threads=N`, `memory=MIB`, `cpuct=X`, \
                 `growth=X`, `spread=X`, `fpu=X`, `temperature=X`, `even=X`, `captures=N`, `offers=N` or `reuse=0`"
            ));
        }
        Ok(())
    }
}

impl Display for NetSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NetOptions { effort, threads, mut search } = self.options;
        write!(f, "net:{}", self.path.display())?;
        match effort {
            Effort::Simulations(n) => write!(f, ",sims={n}")?,
            Effort::MoveTimeMs(n) => write!(f, ",movetime={n}")?,
        }
        if threads != 1 {
            write!(f, ",threads={threads}")?;
        }
        let mut usual = NetOptions::default().search;
        if search.memory_bytes != usual.memory_bytes {
            write!(f, ",memory={}", search.memory_bytes >> 20)?;
        }
        if search.capture_choices != usual.capture_choices {
            write!(f, ",captures={}", search.capture_choices)?;
        }
        if search.offers != usual.offers {
            write!(f, ",offers={}", search.offers)?;
        }
        for (key, ..) in KEYS {
            let value = *setting(&mut search, key);
            if value != *setting(&mut usual, key) {
                write!(f, ",{key}={value}")?;
            }
        }
        if search.reuse_tree { Ok(()) } else { f.write_str(",reuse=0") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_as_they_are_written() {
        for text in [
            "a b,sims=7",
            "a,b,c,sims=7",
            "x,movetime=50,threads=4,memory=64",
            "x,sims=1,captures=1,offers=0",
            "x,sims=1,cpuct=0.5,spread=1,fpu=0,even=0.5,reuse=0",
        ] {
            assert_eq!(text.parse::<NetSpec>().unwrap().to_string(), format!("net:{text}"));
        }
        assert_eq!("r".parse::<NetSpec>().unwrap().to_string(), "net:r,sims=200");
    }

    #[test]
    fn a_wrong_option_says_what_was_expected() {
        for (text, part) in [
            ("", "expected a path"),
            (",sims=1", "expected a path"),
            ("a,memory=0", "`memory=0`: expected a number from 1 to"),
            ("a,sims=1,sims=2", "once"),
            ("a,sims=1,movetime=2", "once"),
            ("a,depth=1", "unknown option `depth`"),
            ("a,threads=0", "`threads=0`: expected a number from 1 to 256"),
            ("a,cpuct=nan", "`cpuct=nan`"),
            ("a,spread=2", "from 0 to 1"),
        ] {
            let error = text.parse::<NetSpec>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
