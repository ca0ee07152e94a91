//! The keys of a configuration file as they are written. Their meaning, units and ranges stand as
//! comments in `configs/`.

use camelot_core::RuleSet;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// A whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Raw {
    pub(crate) game: String,
    pub(crate) rules: RuleSet,
    pub(crate) seed: u64,
    pub(crate) budget: BudgetKeys,
    pub(crate) network: NetworkKeys,
    pub(crate) selfplay: SelfPlayKeys,
    pub(crate) training: TrainingKeys,
    pub(crate) checkpoints: CheckpointKeys,
    pub(crate) evaluation: EvaluationKeys,
}

/// `[budget]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BudgetKeys {
    pub(crate) minutes: f64,
    pub(crate) iterations: u64,
}

/// `[network]`. Which widths there are depends on the architecture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NetworkKeys {
    #[serde(default)]
    pub(crate) architecture: Architecture,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accumulator: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) blocks: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) channels: Option<usize>,
    pub(crate) hidden: usize,
    pub(crate) policy: usize,
}

/// `network.architecture`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Architecture {
    /// Sums over active features.
    #[default]
    Sparse,
    /// Convolutions over the board.
    Residual,
}

/// `[selfplay]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelfPlayKeys {
    pub(crate) games_per_iteration: u64,
    pub(crate) simulations: u32,
    pub(crate) considered: usize,
    pub(crate) visit_offset: f32,
    pub(crate) value_scale: f32,
    pub(crate) noise: f32,
    pub(crate) fast_simulations: u32,
    pub(crate) fast_temperature: f32,
    pub(crate) full_share: f32,
    pub(crate) cpuct: f32,
    pub(crate) fpu_reduction: f32,
    pub(crate) draw_value: f32,
    pub(crate) avoid_repetition: bool,
    pub(crate) capture_choices: u32,
    pub(crate) offers: u32,
    pub(crate) opening_plies: u32,
    pub(crate) cut_quiet_plies: u16,
    pub(crate) cut_plies: usize,
    pub(crate) sparring_share: f32,
    pub(crate) sparring_partner: String,
}

/// `[training]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TrainingKeys {
    #[serde(default)]
    pub(crate) device: DeviceName,
    pub(crate) window_positions: usize,
    /// Absent in a window that does not grow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) window_first: Option<usize>,
    pub(crate) passes: f64,
    pub(crate) batch_size: usize,
    pub(crate) learning_rate: f64,
    pub(crate) warmup_steps: u64,
    pub(crate) decay_start: f64,
    pub(crate) final_fraction: f64,
    pub(crate) weight_decay: f32,
    pub(crate) clip_norm: f32,
    pub(crate) value_weight: f32,
    pub(crate) search_value_share: f32,
    pub(crate) average_decay: f32,
    #[serde(default)]
    pub(crate) when_weaker: WhenWeaker,
    #[serde(default)]
    pub(crate) gate_games: u64,
    #[serde(default = "usual_gate_every")]
    pub(crate) gate_every: u64,
}

fn usual_gate_every() -> u64 {
    10
}

/// `training.when_weaker`: what is done when the player has become weaker than it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WhenWeaker {
    /// It is said.
    #[default]
    Tell,
    /// The learning rate is halved.
    LowerRate,
    /// Training goes on from the strongest checkpoint, at half the learning rate.
    RollBack,
}

/// `training.device`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DeviceName {
    #[default]
    Cpu,
    Gpu,
}

impl std::fmt::Display for DeviceName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Cpu => "processor",
            Self::Gpu => "graphics card",
        })
    }
}

/// `[checkpoints]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckpointKeys {
    pub(crate) keep: usize,
    pub(crate) keep_every: u64,
}

/// `[evaluation]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvaluationKeys {
    pub(crate) opponents: Vec<String>,
    pub(crate) games: u64,
    pub(crate) simulations: u32,
    pub(crate) opening_plies: u32,
    /// Runs begun before there were ratings have none.
    #[serde(default)]
    pub(crate) ratings: u32,
    #[serde(default = "usual_rating_games")]
    pub(crate) rating_games: u64,
}

fn usual_rating_games() -> u64 {
    20
}
