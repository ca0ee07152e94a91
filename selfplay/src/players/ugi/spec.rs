//! The name of an external engine: `ugi:[OPTION=N,]…COMMAND`.

use std::fmt::{self, Display};
use std::str::FromStr;

/// What an engine is told to spend on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spend {
    /// Milliseconds.
    MoveTimeMs(u32),
    /// Nodes, whatever the engine counts as one.
    Nodes(u32),
    /// Plies of looking ahead.
    Depth(u32),
}

/// An external engine by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UgiSpec {
    /// What it is told to spend on a move.
    pub spend: Spend,
    /// How long it may keep silent, beyond the time it is told to spend on a move.
    pub timeout_ms: u32,
    /// The program and its arguments.
    pub command: String,
}

const DEFAULT_SPEND: Spend = Spend::MoveTimeMs(1_000);
const DEFAULT_TIMEOUT_MS: u32 = 10_000;

/// The largest number that an option takes.
const LIMIT: u32 = 100_000_000;

impl FromStr for UgiSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (mut spend, mut timeout) = (None, None);
        let mut command = text;
        while let Some((option, rest)) = leading_option(command) {
            let (name, number) = option;
            let once = match name {
                "movetime" => spend.replace(Spend::MoveTimeMs(amount(number)?)).is_none(),
                "nodes" => spend.replace(Spend::Nodes(amount(number)?)).is_none(),
                "depth" => spend.replace(Spend::Depth(amount(number)?)).is_none(),
                _ => timeout.replace(amount(number)?).is_none(),
            };
            if !once {
                return Err("expected one of `movetime`, `nodes` and `depth`, and `timeout`, once".into());
            }
            command = rest;
        }
        split(command)?;
        Ok(Self {
            spend: spend.unwrap_or(DEFAULT_SPEND),
            timeout_ms: timeout.unwrap_or(DEFAULT_TIMEOUT_MS),
            command: command.into(),
        })
    }
}

/// The option that `text` starts with, as name and value, and what follows its comma.
fn leading_option(text: &str) -> Option<((&str, &str), &str)> {
    let (option, rest) = text.split_once(',')?;
    let (name, value) = option.split_once('=')?;
    ["movetime", "nodes", "depth", "timeout"].contains(&name).then_some(((name, value), rest))
}

fn amount(number: &str) -> Result<u32, String> {
    let parsed = number.parse().ok().filter(|value| (1..=LIMIT).contains(value));
    parsed.ok_or_else(|| format!("`{number}`: expected a number from 1 to {LIMIT}"))
}

/// Splits a command line at white space; quotes, single or double, keep it together.
pub(super) fn split(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in command.chars() {
        if quote == Some(character) {
            quote = None;
        } else if quote.is_none() && matches!(character, '"' | '\'') {
            quote = Some(character);
            word.get_or_insert_default();
        } else if quote.is_none() && character.is_whitespace() {
            words.extend(word.take());
        } else {
            word.get_or_insert_default().push(character);
        }
    }
    words.extend(word);
    match (quote, words.first()) {
        (Some(quote), _) => Err(format!("expected another {quote} in the command")),
        (None, Some(program)) if !program.is_empty() => Ok(words),
        (None, _) => Err("expected a command after `ugi:`".into()),
    }
}

impl Display for UgiSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ugi:")?;
        match self.spend {
            DEFAULT_SPEND => {}
            Spend::MoveTimeMs(n) => write!(f, "movetime={n},")?,
            Spend::Nodes(n) => write!(f, "nodes={n},")?,
            Spend::Depth(n) => write!(f, "depth={n},")?,
        }
        if self.timeout_ms != DEFAULT_TIMEOUT_MS {
            write!(f, "timeout={},", self.timeout_ms)?;
        }
        f.write_str(&self.command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_before_the_command() {
        let spec: UgiSpec = "timeout=50,nodes=7,engine --seed=1,2".parse().unwrap();
        assert_eq!((spec.spend, spec.timeout_ms), (Spend::Nodes(7), 50));
        assert_eq!(spec.command, "engine --seed=1,2");
        assert_eq!(spec.to_string(), "ugi:nodes=7,timeout=50,engine --seed=1,2");
        let plain: UgiSpec = "a=1,b c".parse().unwrap();
        assert_eq!((plain.spend, plain.command.as_str()), (DEFAULT_SPEND, "a=1,b c"));
        assert_eq!(plain.to_string(), "ugi:a=1,b c");
        for text in ["movetime=20,x", "depth=3,x 'y z'"] {
            assert_eq!(text.parse::<UgiSpec>().unwrap().to_string(), format!("ugi:{text}"));
        }
    }

    #[test]
    fn a_wrong_name_says_what_was_expected() {
        for (text, part) in [
            ("", "expected a command"),
            ("  ", "expected a command"),
            ("nodes=5,", "expected a command"),
            ("'' x", "expected a command"),
            ("nodes=0,x", "from 1 to"),
            ("timeout=soon,x", "`soon`"),
            ("nodes=1,depth=1,x", "once"),
            ("timeout=1,timeout=1,x", "once"),
            ("say 'it", "expected another '"),
        ] {
            let error = text.parse::<UgiSpec>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn quotes_keep_words_together() {
        let words = split(" a  'b c'd \"e 'f'\" '' \\g\\h ").unwrap();
        assert_eq!(words, ["a", "b cd", "e 'f'", "", "\\g\\h"]);
    }
}
