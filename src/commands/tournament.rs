//! `camelot tournament`: everybody against everybody, and ratings on one scale.

mod entrants;
mod table;

use camelot_models::Encode;
use camelot_selfplay::players::{Advance, LoadedPlayer};
use camelot_selfplay::rating::{Anchor, Pairing, ratings};
use camelot_selfplay::{PlayerSpec, Purpose, generator};

use super::matches::{warn, watched_match};
use super::pgn_file::PgnFile;
use super::{print_json, print_text, thread_pool};
use crate::arguments::TournamentArguments;
use crate::failure::Failure;
use crate::games::{game_of_players, with_game};
use table::{Meeting, Standings};

pub(crate) fn run(arguments: &TournamentArguments) -> Result<(), Failure> {
    let players = entrants::entrants(&arguments.players, arguments.checkpoints)?;
    let game = game_of_players(arguments.game, &players)?;
    with_game!(game, G => play::<G>(arguments, &players))
}

fn play<G: Encode + Advance>(arguments: &TournamentArguments, players: &[PlayerSpec]) -> Result<(), Failure> {
    let loaded: Vec<LoadedPlayer> = players.iter().map(LoadedPlayer::load::<G>).collect::<Result<_, _>>()?;
    let mut pgn = arguments.pgn.as_deref().map(PgnFile::open).transpose()?;
    let pool = thread_pool(arguments.meetings.threads)?;
    let settings = arguments.meetings.settings();
    let pairs: Vec<[usize; 2]> = (0..players.len())
        .flat_map(|first| (first + 1..players.len()).map(move |second| [first, second]))
        .collect();
    eprintln!(
        "{} players of {}, {} meetings of {} games each",
        players.len(),
        G::NAME,
        pairs.len(),
        arguments.meetings.games
    );
    let (mut pairings, mut meetings) = (Vec::new(), Vec::new());
    for (number, &[first, second]) in pairs.iter().enumerate() {
        let both = [loaded[first].clone(), loaded[second].clone()];
        let names = [&players[first], &players[second]];
        let Some(report) = watched_match::<G>(&pool, &both, &settings) else { break };
        warn([names[0], names[1]], &report);
        eprintln!(
            "{} of {}: {} - {}: +{} ={} -{}",
            number + 1,
            pairs.len(),
            names[0],
            names[1],
            report.wins,
            report.draws,
            report.losses
        );
        if let Some(pgn) = &mut pgn {
            pgn.add(&report, names);
        }
        meetings.push(Meeting::new([first, second], &report));
        pairings.push(Pairing { players: [first, second], pair_scores: report.pair_scores });
    }
    let anchor = players.iter().position(|player| *player == PlayerSpec::Random);
    let from = anchor.map_or(Anchor::Mean, |player| Anchor::Player(player, 0.0));
    let mut rng = generator(arguments.meetings.seed, Purpose::Rating, 0);
    let found = ratings(players.len(), &pairings, from, &mut rng);
    let standings = Standings::new(G::NAME, players, &found, meetings);
    if arguments.json {
        print_json(&standings)?;
    } else {
        print_text(&standings.to_string())?;
    }
    if let Some(pgn) = pgn {
        pgn.write()?;
    }
    if pairings.len() < pairs.len() {
        eprintln!("stopped after {} of {} meetings; the table holds those", pairings.len(), pairs.len());
        return Err(Failure::Interrupted);
    }
    Ok(())
}
