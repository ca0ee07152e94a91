//! A conversation about one game.

use std::io::BufRead;
use std::sync::{Arc, Mutex, PoisonError};

use camelot_core::{Line, RuleSet, Team, Turn};
use camelot_models::Encode;
use camelot_selfplay::players::{
    Advance, LoadedPlayer, MEMORY_LIMIT_MIB, NetOptions, PlayerSpec, THREAD_LIMIT,
};
use camelot_selfplay::rng::Generator;
use camelot_selfplay::ugi::Lines;
use camelot_selfplay::{Purpose, generator};

use super::request::{self, Go};
use super::search::{Answer, Mind, Search, Task};
use crate::commands::{print_line, print_text};
use crate::failure::Failure;
use crate::games::{self, with_game};
use crate::lines::{played, short};

/// What holds for every game.
pub(super) struct Settings {
    pub(super) player: PlayerSpec,
    pub(super) rules: RuleSet,
    /// Simulations of a `go` that sets no bound; the player's own if `None`.
    pub(super) simulations: Option<u32>,
    pub(super) seed: u64,
}

impl Settings {
    /// The random numbers of a game.
    fn generator(&self) -> Generator {
        generator(self.seed, Purpose::Match, 0)
    }
}

/// How a conversation about one game ends.
pub(super) enum End {
    /// Another game is to be talked about.
    Game(&'static str),
    /// There is nothing more to say.
    Quit,
}

/// The state of a conversation. Refused commands leave it as it was.
pub(super) struct Session<'a, G: Encode + Advance> {
    settings: &'a mut Settings,
    line: Line<G>,
    mind: Arc<Mutex<Mind<G>>>,
    search: Option<Search>,
}

/// The commands of the protocol.
const EXPECTED: &str = "expected ugi, isready, uginewgame, setoption, position, go, stop, query or quit";

impl<'a, G: Encode + Advance> Session<'a, G> {
    /// Begins at the start position.
    pub(super) fn new(settings: &'a mut Settings) -> Result<Self, Failure> {
        let player = LoadedPlayer::load::<G>(&settings.player)?.seat();
        let mind = Mind { player, rng: settings.generator() };
        let line = Line::new(G::start(settings.rules));
        Ok(Self { settings, line, mind: Arc::new(Mutex::new(mind)), search: None })
    }

    /// Answers lines until one ends the conversation. What is refused is said in one line.
    pub(super) fn serve(mut self, input: &mut Lines<impl BufRead>) -> Result<End, Failure> {
        for line in input {
            let end = match line {
                Ok(line) => self.obey(&line),
                Err(error) => Err(Failure::usage(error)),
            };
            match end {
                Ok(None) => {}
                Ok(Some(end)) => {
                    self.stop();
                    return Ok(end);
                }
                Err(Failure::Usage(why)) => print_line(&format!("info string error: {why}"))?,
                Err(failure) => return Err(failure),
            }
        }
        self.stop();
        Ok(End::Quit)
    }

    fn obey(&mut self, line: &str) -> Result<Option<End>, Failure> {
        let mut words = line.split_whitespace();
        let Some(command) = words.next() else { return Ok(None) };
        match command {
            "ugi" => self.introduce()?,
            "isready" => print_line("readyok")?,
            "stop" => self.stop(),
            "quit" => return Ok(Some(End::Quit)),
            "query" => self.answer(words)?,
            "uginewgame" | "setoption" | "position" | "go" if self.is_searching() => {
                return Err(Failure::usage(format!("{command}: a search goes on: expected stop before it")));
            }
            "uginewgame" => self.begin(),
            "setoption" => return self.set_option(words),
            "position" => self.line = self.position(words).map_err(|why| usage("position", why))?,
            "go" => self.go(words)?,
            other => return Err(Failure::usage(format!("unknown command `{}`: {EXPECTED}", short(other)))),
        }
        Ok(None)
    }

    fn introduce(&self) -> Result<(), Failure> {
        let rules = [RuleSet::Classic, RuleSet::Wcf].map(RuleSet::name);
        let Settings { player, simulations, seed, .. } = &*self.settings;
        let resources = match player {
            PlayerSpec::Net(network) => resources(&network.options),
            _ => String::new(),
        };
        print_text(&format!(
            "id name Camelot Zero {} {player}\n\
             id author Camelot Zero\n\
             option name Game type combo default {} var {}\n\
             option name Rules type combo default {} var {}\n\
             option name Simulations type spin default {} min 0 max {}\n\
             option name Seed type spin default {seed} min 0 max {}\n\
             {resources}ugiok\n",
            env!("CARGO_PKG_VERSION"),
            G::NAME,
            games::NAMES.join(" var "),
            self.settings.rules.name(),
            rules.join(" var "),
            simulations.unwrap_or(0),
            request::LIMIT,
            i64::MAX,
        ))
    }

    fn is_searching(&mut self) -> bool {
        if let Some(search) = self.search.take_if(|search| search.is_done()) {
            search.finish();
        }
        self.search.is_some()
    }

    /// Ends a search, with its last line.
    fn stop(&mut self) {
        if let Some(search) = self.search.take() {
            search.finish();
        }
    }

    /// A new game, from the start position and with the random numbers of the seed.
    fn begin(&mut self) {
        self.line = Line::new(G::start(self.settings.rules));
        let mut mind = self.mind.lock().unwrap_or_else(PoisonError::into_inner);
        mind.player.new_game();
        mind.rng = self.settings.generator();
    }

    fn set_option<'w>(&mut self, words: impl Iterator<Item = &'w str>) -> Result<Option<End>, Failure> {
        let (name, value) = request::option(words).map_err(Failure::Usage)?;
        let wrong = |why: String| usage(&format!("setoption {}", short(&name)), why);
        match name.to_ascii_lowercase().as_str() {
            "game" => {
                let game = games::parse_name(&value).map_err(wrong)?;
                if game != G::NAME {
                    let player = &self.settings.player;
                    // The player is loaded to see that it can be; a network plays one game only.
                    with_game!(game, H => LoadedPlayer::load::<H>(player).map(drop).map_err(Failure::usage))
                        .map_err(|failure| wrong_value(failure, &wrong))?;
                    return Ok(Some(End::Game(game)));
                }
            }
            "rules" => self.settings.rules = value.parse().map_err(wrong)?,
            "simulations" => {
                let count = request::spin(&name, &value, request::LIMIT).map_err(wrong)?;
                self.settings.simulations = (count > 0).then_some(count as u32);
                return Ok(None);
            }
            "threads" | "memory" => return self.set_resource(&name, &value).map(|()| None),
            "seed" => self.settings.seed = request::spin(&name, &value, i64::MAX as u64).map_err(wrong)?,
            _ => {
                let known = "Game, Rules, Simulations, Seed, Threads or Memory";
                return Err(wrong(format!("unknown option: expected {known}")));
            }
        }
        self.begin();
        Ok(None)
    }

    /// Changes on what a network's search runs. The position stays.
    fn set_resource(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let wrong = |why: String| usage(&format!("setoption {}", short(name)), why);
        let PlayerSpec::Net(mut network) = self.settings.player.clone() else {
            return Err(wrong(format!("`{}` does without it: only networks have it", self.settings.player)));
        };
        let options = &mut network.options;
        if name.eq_ignore_ascii_case("threads") {
            options.threads =
                request::spin_from(1, name, value, u64::from(THREAD_LIMIT)).map_err(wrong)? as u32;
        } else {
            let mib = request::spin_from(1, name, value, MEMORY_LIMIT_MIB as u64).map_err(wrong)?;
            options.search.memory_bytes = (mib as usize) << 20;
        }
        let player = PlayerSpec::Net(network);
        let seat = LoadedPlayer::load::<G>(&player).map_err(|error| wrong(error.to_string()))?.seat();
        self.mind.lock().unwrap_or_else(PoisonError::into_inner).player = seat;
        self.settings.player = player;
        Ok(())
    }

    /// Reads what follows `position`.
    fn position<'w>(&self, mut words: impl Iterator<Item = &'w str>) -> Result<Line<G>, String> {
        let kind = words.next();
        let text: Vec<_> = words.by_ref().take_while(|&word| word != "moves").collect();
        let start = match (kind, text.as_slice()) {
            (Some("startpos"), []) => G::start(self.settings.rules),
            (Some("fen"), [_, ..]) => {
                G::parse(&text.join(" "), self.settings.rules).map_err(|error| error.to_string())?
            }
            _ => return Err("expected `startpos` or `fen POSITION`, then `moves` if there are any".into()),
        };
        played(start, words)
    }

    fn go<'w>(&mut self, words: impl Iterator<Item = &'w str>) -> Result<(), Failure> {
        let task = match request::go(words).map_err(Failure::Usage)? {
            Go::Perft(depth) => Task::Perft(depth),
            Go::Think(_) if self.line.outcome().is_some() => return print_line("bestmove none"),
            Go::Think(thinking) => {
                let Turn::Player(seat) = self.line.position().turn() else {
                    return Err(Failure::usage("go: chance is to draw: expected a position with the draw"));
                };
                let limits = thinking.limits(G::team(seat), self.settings.simulations);
                let answer = if thinking.infinite { Answer::WhenStopped } else { Answer::AtOnce };
                Task::Think(limits.map_err(Failure::Usage)?, answer)
            }
        };
        self.search = Some(Search::start(self.line.clone(), Arc::clone(&self.mind), task)?);
        Ok(())
    }

    /// Answers `query`.
    fn answer<'w>(&self, mut words: impl Iterator<Item = &'w str>) -> Result<(), Failure> {
        let outcome = self.line.outcome();
        let what = words.next().unwrap_or_default();
        let answer = match what {
            "p1turn" => {
                let turn = self.line.position().turn();
                let first = matches!(turn, Turn::Player(seat) if G::team(seat) == Team::One);
                (outcome.is_none() && first).to_string()
            }
            "gameover" => outcome.is_some().to_string(),
            "result" => outcome.map_or("none", |outcome| outcome.token()).to_string(),
            other => {
                let why = format!("`{}`: expected p1turn, gameover or result", short(other));
                return Err(usage("query", why));
            }
        };
        print_line(&format!("response {answer}"))
    }
}

/// The options that only networks have, as `ugi` lists them.
fn resources(options: &NetOptions) -> String {
    let (threads, mib) = (options.threads, options.search.memory_bytes >> 20);
    format!(
        "option name Threads type spin default {threads} min 1 max {THREAD_LIMIT}\n\
         option name Memory type spin default {mib} min 1 max {MEMORY_LIMIT_MIB}\n"
    )
}

/// What is wrong about a command.
fn usage(command: &str, why: impl std::fmt::Display) -> Failure {
    Failure::usage(format!("{command}: {why}"))
}

/// The same failure with the option named, if it is about the value.
fn wrong_value(failure: Failure, wrong: &impl Fn(String) -> Failure) -> Failure {
    match failure {
        Failure::Usage(why) => wrong(why),
        other => other,
    }
}
