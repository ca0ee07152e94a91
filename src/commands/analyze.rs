//! `camelot analyze`: what a network thinks of positions, as JSON lines, in the manner of `KataGo`'s analysis engine.
//!
//! Queries are worked on side by side, one a thread, and answered in the order in which they are done; their ids tell
//! which is which. What is wrong with a query is its answer, and the others go on.

mod query;

use std::io;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use camelot_models::{Encode, Stored};
use camelot_selfplay::PlayerSpec;
use camelot_selfplay::players::{NetPlayer, NetSpec, network_path};
use camelot_selfplay::ugi::{LineError, Lines};

use super::print_json;
use crate::arguments::AnalyzeArguments;
use crate::failure::Failure;
use crate::games::{game_of_network, with_game};

/// Longer lines are refused.
const LINE_LIMIT_BYTES: usize = 1 << 20;

/// A line as it was read.
type Input = Result<String, LineError>;

/// Queries that are read ahead of the threads, for each of them.
const AHEAD: usize = 4;

pub(crate) fn run(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let PlayerSpec::Net(network) = &arguments.player else {
        return Err(Failure::usage(format!("`{}`: expected a network, net:PATH", arguments.player)));
    };
    let found = game_of_network(std::slice::from_ref(&arguments.player))?;
    let game = found.expect("a network has a game");
    if let Some(asked) = arguments.game.filter(|&asked| asked != game) {
        return Err(Failure::usage(format!("--game {asked}: the network was trained for {game}")));
    }
    with_game!(game, G => serve::<G>(network, arguments))
}

fn serve<G: Encode>(network: &NetSpec, arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let path = network_path(&network.path)?;
    let weights = Stored::load(&path)?.into_player::<G>(&path)?;
    let threads = super::thread_count(arguments.threads);
    let (sender, receiver) = sync_channel(AHEAD * threads);
    let receiver = Arc::new(Mutex::new(receiver));
    thread::scope(|scope| {
        let work = |receiver: Arc<Mutex<Receiver<Input>>>| {
            let mut player = NetPlayer::<G>::new(&weights, network.options);
            while let Some(line) = next(&receiver) {
                print_json(&query::answer(&mut player, line, arguments.rules))?;
            }
            Ok(())
        };
        let worker = |_| {
            let receiver = Arc::clone(&receiver);
            scope.spawn(move || work(receiver))
        };
        let workers: Vec<_> = (0..threads).map(worker).collect();
        // The threads' are the only ends left: once nobody hears the answers, nobody takes lines.
        drop(receiver);
        for line in Lines::new(io::stdin().lock(), LINE_LIMIT_BYTES) {
            let blank = line.as_ref().is_ok_and(|line| line.trim().is_empty());
            if !blank && sender.send(line).is_err() {
                break;
            }
        }
        drop(sender);
        workers.into_iter().try_for_each(|worker| worker.join().expect("analysis does not panic"))
    })
}

/// The next line for a thread; none after the last.
fn next(lines: &Mutex<Receiver<Input>>) -> Option<Input> {
    lines.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}
