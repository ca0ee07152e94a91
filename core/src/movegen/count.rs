//! How many legal moves there are, without listing the common ones.

use pulp::{Arch, NullaryFnOnce};

use crate::position::Position;
use crate::set::{SquareSet, each_direction};
use crate::variant::Variant;

use super::canters::Canters;
use super::{Chain, Generator, Move, View};

/// The number of legal moves of the player to move. `scratch` is overwritten.
///
/// Steps and canters are counted as sets; what is rare in play (duties, captures, charges and castle
/// moves) is listed.
pub(crate) fn count<V: Variant>(position: &Position<V>, scratch: &mut Vec<Move>) -> usize {
    scratch.clear();
    let view = View::new(position);
    Arch::new().dispatch(Counting { view: &view, scratch })
}

/// Counts the moves of a view; compiled once for each kind of processor.
struct Counting<'a> {
    view: &'a View,
    scratch: &'a mut Vec<Move>,
}

impl NullaryFnOnce for Counting<'_> {
    type Output = usize;

    #[inline(always)]
    fn call(self) -> usize {
        let Self { view, scratch } = self;
        let jumps = view.jumps();
        let canters = Canters::new(view, view.open());
        let free = view.free();
        if view.own.intersects(view.own_castle) || free.intersects(jumps.starts()) {
            Generator::new(view, &jumps, &canters, scratch).all();
            return scratch.len();
        }
        let mut counted = steps(free, view.open());
        let bound = view.bound_squares(&jumps);
        let knights = free & view.knights;
        if canters.may_reach(knights, bound) && canters.reach_of(knights).intersects(bound) {
            counted += canters.count(free & !view.knights);
            counted += Canters::new(view, view.open() & !bound).count(knights);
            let mut generator = Generator::new(view, &jumps, &canters, scratch);
            counted += charges(&mut generator, knights, bound);
        } else {
            counted += canters.count(free);
        }
        if !view.castle_movers().is_empty() {
            Generator::new(view, &jumps, &canters, scratch).castle_moves();
        }
        counted as usize + scratch.len()
    }
}

/// How many charges of one jump the Knights have; lists the longer ones.
#[inline(always)]
fn charges(generator: &mut Generator, knights: SquareSet, bound: SquareSet) -> u32 {
    let (jumps, forks) = (generator.jumps, generator.view.forks(generator.jumps));
    let mut count = 0;
    for from in knights.squares() {
        let launches = generator.canters.reach(from) & bound;
        if launches.is_empty() {
            continue;
        }
        let start = generator.out.len();
        let chain = Chain { jumps, forks, from };
        each_direction!(D => {
            let landings = jumps.sources::<D>(launches).leap::<D>();
            count += (landings & !forks).len();
            if landings.intersects(forks) {
                generator.go_on(&chain, landings & forks, D);
            }
        });
        generator.drop_repeated(start);
    }
    count
}

/// How many single steps lead from `pieces` to squares of `open`.
#[inline(always)]
fn steps(pieces: SquareSet, open: SquareSet) -> u32 {
    let mut count = 0;
    each_direction!(D => count += (pieces.step::<D>() & open).len());
    count
}
