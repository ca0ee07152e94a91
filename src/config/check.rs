//! Checks a configuration key by key.

use std::fmt::Display;
use std::ops::Bound::{self, Excluded, Included};
use std::ops::RangeBounds;

use camelot_core::GrandCamelot;
use camelot_core::ending::quiet_ply_limit;
use camelot_core::record::PLY_LIMIT;
use camelot_models::device::BUILT_FOR_GPU;
use camelot_selfplay::search::GumbelSettings;
use camelot_selfplay::{PlayerError, PlayerSpec, SearchSettings, SelfPlaySettings};
use camelot_train::{LearnerConfig, LearningRate, WindowSize};

use super::{Config, DeviceName, Gate, Raw, network};
use crate::games::parse_name;

/// Refuses a value outside its range, naming the key.
pub(super) fn within<T: PartialOrd + Display + Copy>(
    key: &str,
    value: T,
    range: (Bound<T>, Bound<T>),
) -> Result<T, String> {
    if range.contains(&value) {
        return Ok(value);
    }
    let expected = match range {
        (Included(low), Included(high)) => format!("from {low} to {high}"),
        (Excluded(low), Included(high)) => format!("above {low}, up to {high}"),
        (Included(low), Excluded(high)) => format!("from {low}, below {high}"),
        (Excluded(low), Excluded(high)) => format!("above {low}, below {high}"),
        _ => "another number".into(),
    };
    Err(format!("configuration key `{key}` is {value}: expected {expected}"))
}

pub(super) fn between<T>(low: T, high: T) -> (Bound<T>, Bound<T>) {
    (Included(low), Included(high))
}

fn above<T>(low: T, high: T) -> (Bound<T>, Bound<T>) {
    (Excluded(low), Included(high))
}

impl TryFrom<Raw> for Config {
    type Error = String;

    fn try_from(raw: Raw) -> Result<Self, String> {
        within("budget.minutes", raw.budget.minutes, above(0.0, 1e7))?;
        within("budget.iterations", raw.budget.iterations, between(1, 1_000_000_000))?;
        within("checkpoints.keep", raw.checkpoints.keep, between(1, 1_000_000))?;
        within("checkpoints.keep_every", raw.checkpoints.keep_every, between(1, 1_000_000_000))?;
        Ok(Self {
            game: parse_name(&raw.game).map_err(|why| format!("configuration key `game`: {why}"))?,
            rules: raw.rules,
            // TOML, which the run folder keeps the seed in, knows no larger numbers.
            seed: within("seed", raw.seed, between(0, i64::MAX as u64))?,
            budget: raw.budget,
            network: network::check(&raw)?,
            games_per_iteration: within(
                "selfplay.games_per_iteration",
                raw.selfplay.games_per_iteration,
                between(1, 20_000),
            )?,
            selfplay: selfplay(&raw)?,
            window: window(&raw)?,
            passes: within("training.passes", raw.training.passes, above(0.0, 100.0))?,
            device: device(&raw)?,
            learner: learner(&raw)?,
            learning_rate: learning_rate(&raw)?,
            when_weaker: raw.training.when_weaker,
            gate: gate(&raw)?,
            checkpoints: raw.checkpoints,
            evaluation: raw.evaluation.clone(),
            opponents: opponents(&raw)?,
            sparring_partner: sparring_partner(&raw)?,
            raw,
        })
    }
}

fn selfplay(raw: &Raw) -> Result<SelfPlaySettings, String> {
    let keys = &raw.selfplay;
    let simulations = |key, value| within(key, value, between(1, 1_000_000));
    // The game with the longest limit allows the longest cut; the rules of the others end a game first.
    let cuts = between(1, quiet_ply_limit::<GrandCamelot>());
    let cut_quiet_plies = within("selfplay.cut_quiet_plies", keys.cut_quiet_plies, cuts)?;
    Ok(SelfPlaySettings {
        search: SearchSettings {
            draw_value: within("selfplay.draw_value", keys.draw_value, (Excluded(-1.0), Excluded(1.0)))?,
            cpuct: within("selfplay.cpuct", keys.cpuct, above(0.0, 100.0))?,
            fpu_reduction: within("selfplay.fpu_reduction", keys.fpu_reduction, between(0.0, 2.0))?,
            quiet_ply_limit: Some(cut_quiet_plies),
            avoid_repetition: keys.avoid_repetition,
            capture_choices: within("selfplay.capture_choices", keys.capture_choices, between(0, 1_000))?,
            offers: within("selfplay.offers", keys.offers, between(0, 1_000))?,
            ..SearchSettings::PLAY
        },
        full: GumbelSettings {
            simulations: simulations("selfplay.simulations", keys.simulations)?,
            considered: within("selfplay.considered", keys.considered, between(2, 1_000))?,
            visit_offset: within("selfplay.visit_offset", keys.visit_offset, between(0.0, 1e6))?,
            value_scale: within("selfplay.value_scale", keys.value_scale, above(0.0, 100.0))?,
            noise: within("selfplay.noise", keys.noise, between(0.0, 100.0))?,
        },
        fast_simulations: simulations("selfplay.fast_simulations", keys.fast_simulations)?,
        fast_temperature: within("selfplay.fast_temperature", keys.fast_temperature, between(0.0, 10.0))?,
        full_share: within("selfplay.full_share", keys.full_share, above(0.0, 1.0))?,
        opening_plies: within("selfplay.opening_plies", keys.opening_plies, between(0, 1_000))?,
        cut_quiet_plies,
        cut_plies: within("selfplay.cut_plies", keys.cut_plies, between(1, PLY_LIMIT))?,
        sparring_share: within("selfplay.sparring_share", keys.sparring_share, between(0.0, 1.0))?,
    })
}

/// Self-play spars with players of this program alone: what others do cannot be repeated.
fn sparring_partner(raw: &Raw) -> Result<PlayerSpec, String> {
    let name = &raw.selfplay.sparring_partner;
    let wrong = |why: String| format!("configuration key `selfplay.sparring_partner`: {why}");
    match name.parse().map_err(|error: PlayerError| wrong(error.to_string()))? {
        PlayerSpec::Ugi(_) => Err(wrong(format!("is `{name}`: expected a player of this program"))),
        partner => Ok(partner),
    }
}

/// A graphics card needs a program that was built for one.
fn device(raw: &Raw) -> Result<DeviceName, String> {
    if raw.training.device == DeviceName::Gpu && !BUILT_FOR_GPU {
        return Err(
            "configuration key `training.device` is gpu: expected cpu, since this program was built \
                    without the feature wgpu or cuda"
                .into(),
        );
    }
    Ok(raw.training.device)
}

fn window(raw: &Raw) -> Result<WindowSize, String> {
    let keys = raw.training;
    let most = within("training.window_positions", keys.window_positions, between(1_000, 100_000_000))?;
    let first = keys.window_first.unwrap_or(most);
    let first = within("training.window_first", first, between(1_000, 100_000_000))?;
    Ok(WindowSize { first: first.min(most), most })
}

fn gate(raw: &Raw) -> Result<Gate, String> {
    let keys = raw.training;
    Ok(Gate {
        games: even(
            "training.gate_games",
            within("training.gate_games", keys.gate_games, between(0, 100_000))?,
        )?,
        every: within("training.gate_every", keys.gate_every, between(1, 1_000_000))?,
    })
}

fn even(key: &str, number: u64) -> Result<u64, String> {
    if number.is_multiple_of(2) {
        return Ok(number);
    }
    Err(format!("configuration key `{key}` is {number}: expected an even number"))
}

fn learner(raw: &Raw) -> Result<LearnerConfig, String> {
    let keys = raw.training;
    Ok(LearnerConfig {
        batch_size: within("training.batch_size", keys.batch_size, between(1, 65_536))?,
        weight_decay: within("training.weight_decay", keys.weight_decay, between(0.0, 1.0))?,
        clip_norm: within("training.clip_norm", keys.clip_norm, above(0.0, 1e6))?,
        value_weight: within("training.value_weight", keys.value_weight, between(0.0, 1e3))?,
        search_value_share: within(
            "training.search_value_share",
            keys.search_value_share,
            between(0.0, 1.0),
        )?,
        average_decay: within("training.average_decay", keys.average_decay, (Included(0.0), Excluded(1.0)))?,
    })
}

fn learning_rate(raw: &Raw) -> Result<LearningRate, String> {
    let keys = raw.training;
    Ok(LearningRate {
        peak: within("training.learning_rate", keys.learning_rate, above(0.0, 1.0))?,
        warmup_steps: within("training.warmup_steps", keys.warmup_steps, between(0, 1_000_000_000))?,
        final_fraction: within("training.final_fraction", keys.final_fraction, between(0.0, 1.0))?,
        decay_start: within("training.decay_start", keys.decay_start, between(0.0, 1.0))?,
    })
}

fn opponents(raw: &Raw) -> Result<Vec<PlayerSpec>, String> {
    let keys = &raw.evaluation;
    even("evaluation.games", within("evaluation.games", keys.games, between(0, 1_000_000))?)?;
    within("evaluation.ratings", keys.ratings, between(0, 10_000))?;
    let rating_games = within("evaluation.rating_games", keys.rating_games, between(2, 100_000))?;
    even("evaluation.rating_games", rating_games)?;
    if keys.ratings > 0 && raw.rules != camelot_core::RuleSet::Classic {
        return Err(format!(
            "configuration key `evaluation.ratings` is {}: expected 0, as the references were measured under \
             classic rules",
            keys.ratings
        ));
    }
    within("evaluation.simulations", keys.simulations, between(1, 1_000_000))?;
    within("evaluation.opening_plies", keys.opening_plies, between(0, 1_000))?;
    keys.opponents
        .iter()
        .map(|name| {
            name.parse().map_err(|error| format!("configuration key `evaluation.opponents`: {error}"))
        })
        .collect()
}
