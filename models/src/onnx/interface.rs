//! What goes into an exported model and what comes out.

use std::fmt;

use crate::encoding::Sizes;

/// One dimension of an input or output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Of any size; the same for all that have its name.
    Any(&'static str),
    /// Always of this size.
    Fixed(usize),
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any(name) => f.write_str(name),
            Self::Fixed(size) => write!(f, "{size}"),
        }
    }
}

/// What the numbers of an input or output are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 32-bit floating point.
    Float,
    /// 64-bit whole numbers.
    Integer,
}

/// One input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name in the model.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Its shape.
    pub dimensions: Vec<Dimension>,
}

impl Port {
    pub(super) fn new(name: &'static str, kind: Kind, dimensions: &[Dimension]) -> Self {
        Self { name, kind, dimensions: dimensions.to_vec() }
    }
}

pub(super) const POSITIONS: Dimension = Dimension::Any("positions");
const ACTIONS: Dimension = Dimension::Any("actions");
const CAPTURES: Dimension = Dimension::Any("captures");

/// The inputs of a model of a game with `sizes`, of either architecture.
#[must_use]
pub fn inputs(sizes: Sizes) -> Vec<Port> {
    let integers = |name| Port::new(name, Kind::Integer, &[ACTIONS]);
    vec![
        Port::new("features", Kind::Float, &[POSITIONS, Dimension::Fixed(sizes.inputs)]),
        integers("position_of"),
        integers("origins"),
        integers("targets"),
        integers("styles"),
        Port::new("captures", Kind::Integer, &[ACTIONS, CAPTURES]),
    ]
}

/// The outputs of a model of any game and architecture.
#[must_use]
pub fn outputs() -> Vec<Port> {
    let three = [POSITIONS, Dimension::Fixed(3)];
    vec![
        Port::new("value", Kind::Float, &three),
        Port::new("wdl", Kind::Float, &three),
        Port::new("logits", Kind::Float, &[ACTIONS]),
    ]
}
