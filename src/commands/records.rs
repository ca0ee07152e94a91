//! `camelot records`: shows, checks and converts the games in shards and PGN files.
//!
//! Every game is replayed, whatever is asked. A broken one is named and the others go on; the same holds for
//! files.

mod game;
mod show;
mod source;
mod summary;

use rayon::prelude::*;
use serde::Serialize;

use super::{print_json, print_line, print_text};
use crate::arguments::RecordsArguments;
use crate::failure::Failure;
use game::{Fault, Opened, Stored};
use source::Source;
use summary::{Facts, Summary};

/// Games that are worked on at once; what is held in memory beside their file.
const GAMES_AT_ONCE: usize = 512;

/// Broken games of a file that are named one by one; the others are counted. A file of hundreds of megabytes
/// can hold a broken game every other byte.
const NAMED_AT_MOST: usize = 1000;

/// What is wanted of each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Summarise,
    Show,
    Verify,
    Convert,
}

/// What comes of a game.
struct Digest {
    facts: Facts,
    /// What to print, in modes that print games.
    text: String,
}

/// What was found in all files.
#[derive(Debug, Default)]
struct Tally {
    files: usize,
    files_lost: usize,
    games: usize,
    games_broken: usize,
}

/// The verdict on a file, for programs.
#[derive(Debug, Default, Serialize)]
struct Verdict {
    file: String,
    games: usize,
    broken: Vec<Broken>,
    /// Broken games beyond those that are named.
    broken_unnamed: usize,
    error: Option<String>,
}

/// A broken game.
#[derive(Debug, Serialize)]
struct Broken {
    game: usize,
    ply: Option<usize>,
    why: String,
}

pub(crate) fn run(arguments: &RecordsArguments) -> Result<(), Failure> {
    if arguments.files.iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        return Err(Failure::usage("`-` for the second time: standard input can be read once"));
    }
    let mut tally = Tally::default();
    let mut total = Summary::new("in all", None);
    for path in &arguments.files {
        match source::find(path) {
            Ok(sources) => {
                for source in sources {
                    take_file(&source, arguments, &mut tally, &mut total)?;
                }
            }
            Err(why) => tally.lose(&path.display().to_string(), why, arguments)?,
        }
    }
    if !arguments.json {
        print_end(arguments, &tally, &total)?;
    }
    tally.verdict()
}

impl RecordsArguments {
    fn mode(&self) -> Mode {
        match (self.verify, self.pgn, &self.games) {
            (true, ..) => Mode::Verify,
            (_, true, _) => Mode::Convert,
            (.., Some(_)) => Mode::Show,
            _ => Mode::Summarise,
        }
    }

    /// Whether the answer holds a list of the broken games.
    fn lists_broken(&self) -> bool {
        self.mode() == Mode::Verify && self.json
    }

    /// Prints what is wrong: as the result where it is asked for, else as a warning.
    fn print_problem(&self, line: &str) -> Result<(), Failure> {
        match (self.mode(), self.json) {
            (Mode::Verify, false) => print_line(line),
            (Mode::Verify, true) => Ok(()),
            _ => {
                eprintln!("warning: {line}");
                Ok(())
            }
        }
    }
}

/// What is said at the end, for people.
fn print_end(arguments: &RecordsArguments, tally: &Tally, total: &Summary) -> Result<(), Failure> {
    match arguments.mode() {
        Mode::Summarise if tally.files > 1 => print_line(&total.to_string()),
        Mode::Verify => {
            let (games, files) = (count(tally.games, "game"), count(tally.files, "file"));
            print_line(&format!("{games} in {files}, {} broken", tally.games_broken))
        }
        _ => Ok(()),
    }
}

fn take_file(
    source: &Source,
    arguments: &RecordsArguments,
    tally: &mut Tally,
    total: &mut Summary,
) -> Result<(), Failure> {
    let contents = match source.read() {
        Ok(contents) => contents,
        Err(why) => return tally.lose(&source.name, why, arguments),
    };
    tally.files += 1;
    let mut summary = Summary::new(&source.name, Some(&contents));
    let mut verdict = Verdict { file: source.name.clone(), ..Verdict::default() };
    let mut games = wanted(contents.games(), arguments.games);
    loop {
        let some: Vec<_> = games.by_ref().take(GAMES_AT_ONCE).collect();
        if some.is_empty() {
            break;
        }
        let numbers: Vec<usize> = some.iter().map(|&(_, number)| number).collect();
        let digests: Vec<_> =
            some.into_par_iter().map(|(game, number)| digest(source, &game, number, arguments)).collect();
        for (number, digest) in numbers.into_iter().zip(digests) {
            verdict.games += 1;
            match digest {
                Ok(digest) => {
                    summary.add(&digest.facts);
                    print_text(&digest.text)?;
                }
                Err(fault) => {
                    summary.broken += 1;
                    if summary.broken > NAMED_AT_MOST {
                        continue;
                    }
                    arguments.print_problem(&format!("{}: game {number}{fault}", source.name))?;
                    if arguments.lists_broken() {
                        verdict.broken.push(Broken { game: number, ply: fault.ply, why: fault.why });
                    }
                }
            }
        }
    }
    verdict.broken_unnamed = summary.broken.saturating_sub(NAMED_AT_MOST);
    if verdict.broken_unnamed > 0 {
        let more = count(verdict.broken_unnamed, "more broken game");
        arguments.print_problem(&format!("{}: {more}", source.name))?;
    }
    tally.games += verdict.games;
    tally.games_broken += summary.broken;
    total.merge(&summary);
    match (arguments.mode(), arguments.json) {
        (Mode::Verify, true) => print_json(&verdict),
        (Mode::Summarise, true) => print_json(&summary),
        (Mode::Summarise, false) => print_line(&summary.to_string()),
        _ => Ok(()),
    }
}

/// The games of a range, the first and the last from 1, with their numbers; none behind it is asked for.
fn wanted<T>(
    games: impl Iterator<Item = T>,
    range: Option<(usize, usize)>,
) -> impl Iterator<Item = (T, usize)> {
    let (first, last) = range.unwrap_or((1, usize::MAX));
    games.take(last).zip(1..).skip(first - 1)
}

fn digest(
    source: &Source,
    game: &Stored<'_>,
    number: usize,
    arguments: &RecordsArguments,
) -> Result<Digest, Fault> {
    game::with_opened!(game, arguments, opened => {
        let text = match (arguments.mode(), arguments.json) {
            (Mode::Summarise | Mode::Verify, _) => String::new(),
            (Mode::Convert, _) => opened.pgn(number).to_string(),
            (Mode::Show, true) => show::json(&source.name, number, &opened),
            (Mode::Show, false) => show::text(&source.name, number, &opened),
        };
        Ok(Digest { facts: Facts::of(&opened), text })
    })
}

impl Tally {
    /// Counts a file that cannot be used, and says why.
    fn lose(&mut self, file: &str, why: String, arguments: &RecordsArguments) -> Result<(), Failure> {
        self.files += 1;
        self.files_lost += 1;
        arguments.print_problem(&format!("{file}: {why}"))?;
        if arguments.mode() == Mode::Verify && arguments.json {
            print_json(&Verdict { file: file.into(), error: Some(why), ..Verdict::default() })?;
        }
        Ok(())
    }

    /// A failure if anything was wrong.
    fn verdict(&self) -> Result<(), Failure> {
        let lost = format!("{} of {} cannot be read", self.files_lost, count(self.files, "file"));
        let broken = format!("{} of {} broken", self.games_broken, count(self.games, "game"));
        match (self.files_lost, self.games_broken) {
            (0, 0) => Ok(()),
            (_, 0) => Err(Failure::error(lost)),
            (0, _) => Err(Failure::error(broken)),
            _ => Err(Failure::error(format!("{lost}, {broken}"))),
        }
    }
}

/// A number and what it counts.
fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_behind_the_last_wanted_game_is_read() {
        let games = || ["a", "b", "c", "d"].into_iter().inspect(|&game| assert_ne!(game, "d"));
        let numbered = |range| wanted(games(), Some(range)).collect::<Vec<_>>();
        assert_eq!(numbered((2, 3)), [("b", 2), ("c", 3)]);
        assert_eq!(numbered((1, 1)), [("a", 1)]);
        assert_eq!(wanted(["a"].into_iter(), None).collect::<Vec<_>>(), [("a", 1)]);
        assert_eq!(wanted(["a"].into_iter(), Some((3, usize::MAX))).count(), 0);
    }
}
