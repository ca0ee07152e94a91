//! Players of the page: the one of the command line for the games that it plays, and some that need no network.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use camelot_core::{Game, Line, Team, Turn};
use camelot_selfplay::alphabeta::Budget;
use camelot_selfplay::players::{LoadedPlayer, NetPlayer, Thought};
use camelot_selfplay::rollout::RolloutEvaluator;
use camelot_selfplay::search::{Limits, puct_search};
use camelot_selfplay::{PlayerSpec, Purpose, Search, SearchSettings, generator};
use serde::{Deserialize, Serialize};

use super::game::Posted;
use super::http::Refused;
use super::playable::Playable;
use crate::failure::Failure;
use crate::games::{NAMES, game_of_network, game_of_players, with_game};
use crate::lines::texts;

/// The most simulations that a page may ask for.
const SIMULATIONS_LIMIT: u32 = 20_000;
/// The most plies of looking ahead.
const DEPTH_LIMIT: u32 = 5;
/// A search of so many simulations ends here at the latest.
const TIME_LIMIT: Duration = Duration::from_mins(1);
/// Moves of which more is told than their name.
const CANDIDATES: usize = 12;

/// The player of the command line, loaded for each game that it plays.
#[derive(Debug)]
pub(super) struct OwnPlayer {
    pub(super) name: String,
    loaded: Vec<(&'static str, LoadedPlayer)>,
}

/// A player to choose on the page.
#[derive(Debug, Serialize)]
pub(super) struct Choice {
    id: &'static str,
    label: String,
    /// What its effort counts; empty for players without.
    unit: &'static str,
    /// Efforts to choose from; 0 is the player's own.
    efforts: Vec<u32>,
    effort: u32,
}

/// A question to a player.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    pub(super) play: Posted,
    player: String,
    /// Simulations or plies, by the player's kind; its own where this is absent or 0.
    #[serde(default)]
    effort: u32,
}

/// What a player says. Shares and values are in the view of the first team.
#[derive(Debug, Serialize)]
pub(super) struct Opinion {
    #[serde(rename = "move")]
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    shares: Option<Shares>,
    /// The value as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    says: Option<String>,
    exact: bool,
    simulations: u32,
    line: Vec<String>,
    candidates: Vec<CandidateAnswer>,
}

/// How often each result is expected, from 0 to 1.
#[derive(Clone, Copy, Debug, Serialize)]
struct Shares {
    first: f32,
    draw: f32,
    second: f32,
}

/// A move that the search looked at.
#[derive(Debug, Serialize)]
struct CandidateAnswer {
    #[serde(rename = "move")]
    text: String,
    route: Vec<String>,
    prior: f32,
    visits: u32,
    /// In the view of the first team; absent where the search did not try it.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f32>,
}

/// What every kind of search comes to, in the view of the player to move.
struct Found<A> {
    thought: Thought<A>,
    /// Win, draw and loss.
    shares: Option<[f32; 3]>,
    exact: bool,
    candidates: Vec<camelot_selfplay::search::RootEdge<A>>,
}

impl<A> From<Thought<A>> for Found<A> {
    fn from(thought: Thought<A>) -> Self {
        let shares = thought.value.map(|value| [f32::midpoint(1.0, value), 0.0, f32::midpoint(1.0, -value)]);
        Self { thought, shares, exact: false, candidates: Vec::new() }
    }
}

impl OwnPlayer {
    /// Loads the player for every game that it plays: a network for its own, an engine for the one asked for.
    pub(super) fn load(spec: &PlayerSpec, asked: Option<&'static str>) -> Result<Self, Failure> {
        let players = std::slice::from_ref(spec);
        let only = match spec {
            PlayerSpec::Ugi(_) => Some(game_of_players(asked, players)?),
            _ => game_of_network(players)?,
        };
        let mut loaded = Vec::new();
        for game in NAMES.into_iter().filter(|&game| only.is_none_or(|only| only == game)) {
            let player = with_game!(game, G => LoadedPlayer::load::<G>(spec).map_err(Failure::from));
            match player {
                Ok(player) => loaded.push((game, player)),
                Err(failure) if only.is_some() || asked == Some(game) => return Err(failure),
                Err(_) => {}
            }
        }
        Ok(Self { name: spec.to_string(), loaded })
    }

    /// The first game that it plays, or the one asked for.
    pub(super) fn game(&self, asked: Option<&'static str>) -> &'static str {
        let only = if let [(game, _)] = self.loaded[..] { Some(game) } else { None };
        asked.or(only).unwrap_or("camelot")
    }

    fn of(&self, game: &str) -> Option<&LoadedPlayer> {
        self.loaded.iter().find(|(name, _)| *name == game).map(|(_, player)| player)
    }

    /// The players to choose from in a game, the best first.
    pub(super) fn choices<G: Playable>(&self) -> Vec<Choice> {
        let simulations = || vec![50, 200, 1_000, 5_000, 20_000];
        let choice = |id, label: &str, unit, efforts: Vec<u32>, effort| Choice {
            id,
            label: label.into(),
            unit,
            efforts,
            effort,
        };
        let mut choices = Vec::new();
        if let Some(player) = self.of(G::NAME) {
            let searches = matches!(player, LoadedPlayer::Net(..) | LoadedPlayer::Mcts(_));
            let efforts = if searches { [vec![0], simulations()].concat() } else { Vec::new() };
            let unit = if searches { "simulations" } else { "" };
            choices.push(choice("own", &self.name, unit, efforts, 0));
        }
        choices.push(choice("mcts", "tree search with random playouts", "simulations", simulations(), 1_000));
        if G::classical(Budget::Depth(1), None).is_some() {
            choices.push(choice("alphabeta", "classical search", "plies", vec![1, 2, 3, 4, 5], 2));
        }
        choices.push(choice("greedy", "greedy, one ply ahead", "", Vec::new(), 0));
        choices.push(choice("random", "random moves", "", Vec::new(), 0));
        choices
    }
}

impl Question {
    /// Asks the player; `stop` ends a search early.
    pub(super) fn answer<G: Playable>(
        &self,
        own: &OwnPlayer,
        stop: &Arc<AtomicBool>,
    ) -> Result<Opinion, Refused> {
        let line = self.play.settled_line::<G>()?;
        if line.outcome().is_some() {
            return Err(Refused::bad("the game is over: expected a player to move"));
        }
        let loaded = self.player::<G>(own)?;
        let limits = Limits { stop: Some(Arc::clone(stop)), ..self.limits(&loaded)? };
        let found = self.search::<G>(&line, &loaded, &limits)?;
        Ok(opinion(&line, &found))
    }

    fn player<G: Playable>(&self, own: &OwnPlayer) -> Result<LoadedPlayer, Refused> {
        let effort = |usual: u32| if self.effort == 0 { usual } else { self.effort };
        let unknown =
            || Refused::bad(format!("player `{}`: {} has none", self.player.escape_debug(), G::NAME));
        match self.player.as_str() {
            "own" => own.of(G::NAME).cloned().ok_or_else(unknown),
            "mcts" => Ok(LoadedPlayer::Mcts(effort(1_000))),
            "alphabeta" if G::classical(Budget::Depth(1), None).is_some() => {
                Ok(LoadedPlayer::AlphaBeta(Budget::Depth(effort(2).min(DEPTH_LIMIT) as u8), None))
            }
            "greedy" => Ok(LoadedPlayer::Greedy),
            "random" => Ok(LoadedPlayer::Random),
            _ => Err(unknown()),
        }
    }

    /// The effort as limits, where it is within bounds.
    fn limits(&self, player: &LoadedPlayer) -> Result<Limits, Refused> {
        let (most, unit) = match player {
            LoadedPlayer::AlphaBeta(..) => (DEPTH_LIMIT, "plies"),
            _ => (SIMULATIONS_LIMIT, "simulations"),
        };
        if self.effort > most {
            return Err(Refused::bad(format!("`effort` is {}: expected at most {most} {unit}", self.effort)));
        }
        Ok(match (player, self.effort) {
            (LoadedPlayer::Net(..) | LoadedPlayer::Mcts(_), effort) if effort > 0 => {
                Limits { time: Some(TIME_LIMIT), ..Limits::simulations(effort) }
            }
            _ => Limits::default(),
        })
    }

    fn search<G: Playable>(
        &self,
        line: &Line<G>,
        player: &LoadedPlayer,
        limits: &Limits,
    ) -> Result<Found<G::Action>, Refused> {
        let ply = line.actions().len() as u64;
        let mut rng = generator(self.play.seed, Purpose::Match, ply);
        match player {
            LoadedPlayer::Net(weights, options) => {
                let analysis = NetPlayer::<G>::new(weights, *options).analyse(line, limits);
                let best = &analysis.candidates[0];
                let thought = Thought {
                    action: best.edge.action,
                    value: Some(analysis.wdl.value()),
                    simulations: analysis.simulations,
                    line: best.line.clone(),
                };
                let shares = Some([analysis.wdl.win, analysis.wdl.draw, analysis.wdl.loss]);
                let candidates = analysis.candidates.into_iter().map(|candidate| candidate.edge).collect();
                Ok(Found { thought, shares, exact: analysis.settled, candidates })
            }
            LoadedPlayer::Mcts(simulations) => {
                let mut search = Search::<G>::new(SearchSettings::PLAY);
                let limits = limits.or(&Limits::simulations(*simulations));
                let decision = puct_search(&mut search, line, &limits, &mut RolloutEvaluator::new(rng));
                let shares = Some([decision.wdl.win, decision.wdl.draw, decision.wdl.loss]);
                let exact = decision.settled;
                // Without a choice nothing is searched, and a single playout is no opinion.
                let judged = exact || decision.simulations > 0;
                let mut candidates: Vec<_> = search.root_edges().collect();
                candidates.sort_by_key(|edge| std::cmp::Reverse(edge.visits));
                let mut thought = Thought::from(decision);
                thought.value = thought.value.filter(|_| judged);
                Ok(Found { thought, shares: shares.filter(|_| judged), exact, candidates })
            }
            other => match other.seat::<G>().think(line, limits, &mut rng) {
                Ok(thought) => Ok(thought.into()),
                Err(forfeit) => Err(Refused::failed(format!("the player forfeits: {forfeit}"))),
            },
        }
    }
}

/// What was found, for the page.
fn opinion<G: Playable>(line: &Line<G>, found: &Found<G::Action>) -> Opinion {
    let position = line.position();
    let team = position.team_to_move();
    let shares = found.shares.map(|[win, draw, loss]| match team {
        Team::One => Shares { first: win, draw, second: loss },
        Team::Two => Shares { first: loss, draw, second: win },
    });
    let Thought { action, value, simulations, .. } = found.thought;
    let candidates = found.candidates.iter().take(CANDIDATES).map(|edge| CandidateAnswer {
        text: position.action_text(edge.action),
        route: position.effect(edge.action).routes.into_iter().next().unwrap_or_default(),
        prior: edge.prior,
        visits: edge.visits,
        value: edge.value.map(|value| value * team.sign()),
    });
    Opinion {
        text: position.action_text(action),
        shares,
        says: value.map(|value| format!("{} {}", mover(position), G::opinion(value))),
        exact: found.exact,
        simulations,
        line: texts(position, &found.thought.line),
        candidates: candidates.collect(),
    }
}

fn mover<G: Game>(position: &G) -> &'static str {
    match position.turn() {
        Turn::Player(_) if G::SEATS == 1 => "The engine",
        Turn::Player(seat) => G::seat_name(seat),
        Turn::Chance => "Chance",
    }
}
