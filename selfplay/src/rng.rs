//! Random generators, every one derived from (root seed, purpose, index).
//!
//! So a game's random numbers do not depend on which thread plays it or what was played before.

use camelot_core::position::mix;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator used everywhere; its output is fixed across versions and platforms.
pub type Generator = Xoshiro256PlusPlus;

/// What a generator is for. Generators of different purposes are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// The numbers of a new network.
    Weights = 1,
    /// A self-play game; the index combines iteration and game number.
    SelfPlay = 2,
    /// Sampling of training batches; the index is the iteration.
    Training = 3,
    /// The opening of a pair of match games.
    Opening = 4,
    /// The players of a match game.
    Match = 5,
    /// Benchmarks.
    Bench = 6,
    /// What chance shows in the games of a pair; the index is the pair.
    Chance = 7,
    /// Intervals of ratings, and simulated matches.
    Rating = 8,
    /// Matches of the promotion gate; the index is the iteration.
    Gate = 9,
}

/// The seed for (root seed, purpose, index).
#[must_use]
pub fn derive_seed(root: u64, purpose: Purpose, index: u64) -> u64 {
    mix(mix(mix(root) ^ purpose as u64) ^ index)
}

/// The generator for (root seed, purpose, index).
#[must_use]
pub fn generator(root: u64, purpose: Purpose, index: u64) -> Generator {
    Generator::seed_from_u64(derive_seed(root, purpose, index))
}
