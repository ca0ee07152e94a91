//! The numbers of the evaluation, in hundredths of a Man.
//!
//! The terms and most weights were chosen by hand and kept where a player with them won more games than one
//! without. Those of Camelot were then moved about at random, in the direction of the winner of some thousand
//! pairs of games (simultaneous perturbation, Spall 1992).

use camelot_core::Variant;

/// By steps, from 0 on; what is further counts like the last.
type BySteps = [i16; 16];

/// By the moves that bring a piece into the goal castle, from 0 on; more count like the last.
pub(super) type ByMoves = [i16; 8];

/// What each term is worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// A Man and a Knight, by the steps to the goal castle.
    pub(super) pieces: [BySteps; 2],
    /// A piece by the steps from its own castle.
    pub(super) home: BySteps,
    /// A piece by its distance from the middle line of its way.
    pub(super) aside: [i16; 8],
    /// None, one, and more pieces of a seat within three steps of its castle.
    pub(super) guard: [i16; 3],
    /// How near the team is to its next entry: to move, and waiting, each with one entry missing to a win, and two.
    pub(super) race: [[ByMoves; 2]; 2],
    /// Where two entries are missing: by the steps of the second nearest piece.
    pub(super) second: BySteps,
    /// Pieces of the team to move that the enemy could jump now.
    pub(super) exposed: [i16; 4],
    /// A piece that can canter.
    pub(super) canter: i16,
    /// A piece beside an enemy one.
    pub(super) contact: i16,
    /// A piece beside one of its own team.
    pub(super) company: i16,
    /// A piece between two empty squares, open to capture if an enemy comes to one of them.
    pub(super) open: i16,
    /// Being on the move.
    pub(super) tempo: i16,
}

impl Weights {
    /// The weights of a game.
    pub(super) fn of<V: Variant>() -> &'static Self {
        match (V::CASTLE_PIECES_TO_WIN, V::SEATS) {
            (1, _) => &CAM,
            (_, 2) => &CAMELOT,
            _ => &GRAND,
        }
    }
}

/// Cam and Cam All Knights.
const CAM: Weights = Weights {
    pieces: [
        [132, 128, 124, 120, 116, 112, 108, 104, 100, 96, 92, 88, 84, 80, 76, 72],
        [182, 178, 174, 170, 166, 162, 158, 154, 150, 146, 142, 138, 134, 130, 126, 122],
    ],
    home: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    aside: [0, 0, 0, 0, 0, 0, 0, 0],
    guard: [0, 25, 35],
    race: [
        [[0, 400, 180, 100, 60, 30, 10, 0], [0, 0, 0, 0, 0, 0, 0, 0]],
        [[0, 300, 100, 60, 60, 30, 10, 0], [0, 0, 0, 0, 0, 0, 0, 0]],
    ],
    second: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    exposed: [0, 15, 45, 70],
    canter: 10,
    contact: 0,
    company: 0,
    open: 0,
    tempo: 10,
};

/// Camelot.
const CAMELOT: Weights = Weights {
    pieces: [
        [357, 231, 167, 153, 142, 132, 121, 111, 100, 89, 79, 68, 58, 47, 36, 26],
        [420, 294, 229, 216, 205, 195, 184, 173, 163, 152, 141, 131, 120, 110, 99, 88],
    ],
    home: [-14, -14, -7, -7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    aside: [0, -7, -14, -21, -29, -36, -43, -50],
    guard: [0, 13, 18],
    race: [
        [[0, 464, 264, 161, 48, 30, 10, 0], [0, 116, 73, 31, 20, 10, 3, 0]],
        [[0, 506, 171, 197, 65, 30, 10, 0], [0, 90, 63, 16, 20, 10, 3, 0]],
    ],
    second: [204, 179, 153, 128, 102, 77, 51, 26, 0, 0, 0, 0, 0, 0, 0, 0],
    exposed: [0, 4, 111, 164],
    canter: 9,
    contact: 9,
    company: -1,
    open: -10,
    tempo: 38,
};

/// Grand Camelot.
const GRAND: Weights = Weights {
    pieces: [
        [314, 156, 148, 140, 132, 124, 116, 108, 100, 92, 84, 76, 68, 60, 52, 44],
        [364, 206, 198, 190, 182, 174, 166, 158, 150, 142, 134, 126, 118, 110, 102, 94],
    ],
    home: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    aside: [0, 0, 0, 0, 0, 0, 0, 0],
    guard: [0, 25, 35],
    race: [
        [[0, 400, 180, 100, 60, 30, 10, 0], [0, 133, 60, 33, 20, 10, 3, 0]],
        [[0, 400, 180, 100, 60, 30, 10, 0], [0, 133, 60, 33, 20, 10, 3, 0]],
    ],
    second: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    exposed: [0, 15, 45, 70],
    canter: 10,
    contact: 0,
    company: 0,
    open: -10,
    tempo: 30,
};
