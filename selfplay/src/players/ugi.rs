//! External engines as players, over the protocol of `docs/ugi.md`.
//!
//! Every thread has a process of its own, started when it is first asked and handed on when it is not needed
//! any more. An engine that fails, keeps silent or plays illegally forfeits its game; its process is killed
//! and the next game starts another.

mod process;
mod spec;

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use camelot_core::{Game, Line, RuleSet};
use rand::Rng;

use super::{Forfeit, Player, Thought};
use crate::rng::Generator;
use crate::search::Limits;
use process::{Process, complaint};
pub use spec::{Spend, UgiSpec};

/// How long an engine may go on after `stop`.
const STOP_PATIENCE: Duration = Duration::from_secs(1);

/// How long an engine may look at as many nodes or plies as it was told from outside: whoever says so may
/// also say when to stop.
const ENDLESS: Duration = Duration::from_hours(24);

/// How often a wait for a move looks whether it was stopped.
const LOOK: Duration = Duration::from_millis(10);

/// An external engine that can be started, and the processes that nobody uses at present.
#[derive(Debug)]
pub struct UgiEngine {
    spec: UgiSpec,
    words: Vec<String>,
    idle: Mutex<Vec<Process>>,
}

impl UgiEngine {
    /// Tries an engine out: it must start, introduce itself and take the game. It is ended again, since it may
    /// be long until it is needed.
    pub(super) fn load<G: Game>(spec: &UgiSpec) -> Result<Self, String> {
        let words = spec::split(&spec.command)?;
        let engine = Self { spec: spec.clone(), words, idle: Mutex::default() };
        begin_game::<G>(&mut engine.start()?, RuleSet::default(), 0)?;
        Ok(engine)
    }

    fn start(&self) -> Result<Process, String> {
        Process::start(&self.words, Duration::from_millis(u64::from(self.spec.timeout_ms)))
    }

    /// A process that was handed back, or else a new one.
    fn take(&self) -> Result<Process, String> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(mut process) = idle.pop() {
            if process.is_usable() {
                return Ok(process);
            }
        }
        drop(idle);
        self.start()
    }

    fn hand_back(&self, mut process: Process) {
        if process.is_usable() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
        }
    }
}

/// An external engine at the table.
#[derive(Debug)]
pub struct UgiPlayer {
    engine: Arc<UgiEngine>,
    /// The process in use, and whether it knows of the game.
    process: Option<(Process, bool)>,
}

impl UgiPlayer {
    /// A player whose process starts when it is first asked.
    #[must_use]
    pub fn new(engine: Arc<UgiEngine>) -> Self {
        Self { engine, process: None }
    }

    /// What the engine plays. On an error the process is gone.
    fn ask<G: Game>(
        &mut self,
        line: &Line<G>,
        limits: &Limits,
        rng: &Generator,
    ) -> Result<G::Action, String> {
        let (mut process, knows_game) = match self.process.take() {
            Some(used) => used,
            None => (self.engine.take()?, false),
        };
        process.sound = false;
        if !knows_game {
            // A copy is asked for the seed, so that whoever else draws meets the same numbers as without.
            begin_game::<G>(&mut process, line.position().rules(), rng.clone().next_u32() >> 1)?;
        }
        process.tell(&position_text(line))?;
        process.wait_until_ready()?;
        let (go, time) = go_text(limits, self.engine.spec.spend);
        process.tell(&go)?;
        let text = best_move(&mut process, &go, time, limits)?;
        let action = line.position().parse_action(&text).map_err(|error| error.to_string())?;
        process.sound = true;
        self.process = Some((process, true));
        Ok(action)
    }
}

impl<G: Game> Player<G> for UgiPlayer {
    fn new_game(&mut self) {
        if let Some((_, knows_game)) = &mut self.process {
            *knows_game = false;
        }
    }

    fn think(
        &mut self,
        line: &Line<G>,
        limits: &Limits,
        rng: &mut Generator,
    ) -> Result<Thought<G::Action>, Forfeit> {
        self.ask(line, limits, rng).map(Thought::without_opinion).map_err(Forfeit)
    }
}

impl Drop for UgiPlayer {
    fn drop(&mut self) {
        if let Some((process, _)) = self.process.take() {
            self.engine.hand_back(process);
        }
    }
}

/// Tells an engine what will be played. Options that it does not offer are its own affair.
fn begin_game<G: Game>(process: &mut Process, rules: RuleSet, seed: u32) -> Result<(), String> {
    for (name, value) in [("Game", G::NAME), ("Rules", rules.name()), ("Seed", &seed.to_string())] {
        let Some(offer) = process.offers.iter().find(|offer| offer.name.eq_ignore_ascii_case(name)) else {
            continue;
        };
        if !offer.values.is_empty() && !offer.values.iter().any(|known| known == value) {
            return Err(format!("its option `{name}` knows no `{value}`"));
        }
        process.tell(&format!("setoption name {name} value {value}"))?;
    }
    process.tell("uginewgame")?;
    process.wait_until_ready()
}

/// The command that sets up the end of `line`.
fn position_text<G: Game>(line: &Line<G>) -> String {
    let mut position = line.start().clone();
    let mut text = String::from("position ");
    if position == G::start(position.rules()) {
        text.push_str("startpos");
    } else {
        write!(text, "fen {position}").expect("a string takes everything");
    }
    for (ply, &action) in line.actions().iter().enumerate() {
        text.push_str(if ply == 0 { " moves " } else { " " });
        text.push_str(&position.action_text(action));
        position.play(action);
    }
    text
}

/// The command to think, and how long that takes, where it says so.
fn go_text(limits: &Limits, own: Spend) -> (String, Option<Duration>) {
    let ms = |time: Duration| u32::try_from(time.as_millis().max(1)).unwrap_or(u32::MAX);
    let given = [
        limits.simulations.map(Spend::Nodes),
        limits.time.map(|time| Spend::MoveTimeMs(ms(time))),
        limits.depth.map(Spend::Depth),
    ];
    let own = given.iter().all(Option::is_none).then_some(own);
    let mut text = String::from("go");
    let mut time = None;
    for spend in given.into_iter().chain([own]).flatten() {
        let (name, amount) = match spend {
            Spend::MoveTimeMs(ms) => ("movetime", ms),
            Spend::Nodes(nodes) => ("nodes", nodes),
            Spend::Depth(plies) => ("depth", plies),
        };
        write!(text, " {name} {amount}").expect("a string takes everything");
        if name == "movetime" {
            time = Some(Duration::from_millis(u64::from(amount)));
        }
    }
    (text, time)
}

/// Waits for the move, at most `time` and what silence is allowed beyond it. An engine that is told to stop
/// has a moment to say what it has found.
fn best_move(
    process: &mut Process,
    go: &str,
    time: Option<Duration>,
    limits: &Limits,
) -> Result<String, String> {
    let open = time.is_none() && limits.simulations.or(limits.depth).is_some();
    let allowed = if open { ENDLESS } else { time.unwrap_or_default() + process.timeout };
    let mut end = Instant::now() + allowed;
    let mut stopped = false;
    loop {
        let look = end.min(Instant::now() + LOOK);
        let found = process.wait_until(look, |line| {
            let mut words = line.split_whitespace();
            let found = words.next() == Some("bestmove");
            found
                .then(|| Ok(words.next().unwrap_or_default().to_string()))
                .or_else(|| complaint(line).map(Err))
        })?;
        if let Some(found) = found {
            return found;
        }
        if !stopped && limits.stopped() {
            process.tell("stop")?;
            stopped = true;
            end = end.min(Instant::now() + STOP_PATIENCE);
        }
        if Instant::now() >= end {
            return Err(format!("no answer to `{go}` within {} ms", allowed.as_millis()));
        }
    }
}

#[cfg(test)]
mod tests;
