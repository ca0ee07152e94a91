//! Moves as people write them: the federation's notation (`docs/rules.md`, section 8).
//!
//! `-` joins the squares of a plain move, castle move or canter, `x` those of a jump; captured squares
//! are not written. Any legal route of a move is read; the canonical one is written: fewest squares,
//! then the smallest squares in order.

use std::collections::{HashSet, VecDeque};

use crate::game::ActionError;
use crate::movegen::{self, Move, View};
use crate::position::Position;
use crate::set::{Square, SquareSet};
use crate::variant::Variant;

/// More squares than any move can visit; longer texts are refused unread.
const LONGEST_ROUTE: usize = 64;

/// More stops than the route of any move of play needs; a composed position can have billions.
const STOP_LIMIT: usize = 1 << 16;

/// The most routes that are told of a move.
const ROUTE_LIMIT: usize = 12;

/// Stops that are visited for them.
const WALK_LIMIT: usize = 1 << 11;

/// How one square of a route leads to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    Quiet,
    Jump,
}

/// Writes a legal move by its canonical route.
pub(crate) fn write<V: Variant>(position: &Position<V>, action: Move) -> String {
    if action.captured.is_empty() && V::board().steps(action.from).contains(action.to) {
        return format!("{}-{}", action.from, action.to);
    }
    let Some(route) = canonical_route(position, action) else {
        return action.to_string();
    };
    let mut text = action.from.to_string();
    for (square, link) in route {
        text.push(if link == Link::Jump { 'x' } else { '-' });
        text.push_str(&square.to_string());
    }
    text
}

/// A point on a route: where the piece is and what it has captured.
type Stop<S> = (Square, S);

/// A legal move while its routes are looked for.
struct Way {
    /// The position while the piece is in the hand.
    view: View,
    knight: bool,
    action: Move,
}

impl Way {
    fn new<V: Variant>(position: &Position<V>, action: Move) -> Self {
        let view = View::new(position).lifted(action.from);
        Self { view, knight: position.knights().contains(action.from), action }
    }

    /// The stops that can follow one on a route of the move, in ascending order.
    fn next(&self, (at, captured): Stop<SquareSet>) -> Vec<(Stop<SquareSet>, Link)> {
        let Self { view, knight, action } = self;
        let quiet = action.captured.is_empty();
        let ended = at != action.from && view.goal.contains(at);
        let mut next = Vec::new();
        for leap in view.board.leaps(at).iter().filter(|_| !ended) {
            if !view.vacant.contains(leap.land) {
                continue;
            }
            let may_canter = captured.is_empty()
                && (quiet || *knight)
                && view.team.contains(leap.over)
                && leap.land != action.from
                && !view.own_castle.contains(leap.land)
                && !(quiet && *knight && !view.goal.contains(leap.land) && view.jumps_from(leap.land));
            let may_jump = action.captured.contains(leap.over) && !captured.contains(leap.over);
            if may_canter {
                next.push(((leap.land, captured), Link::Quiet));
            } else if may_jump {
                next.push(((leap.land, captured | SquareSet::of(leap.over)), Link::Jump));
            }
        }
        next.sort_by_key(|&((square, _), _)| square);
        next
    }

    fn arrives(&self, stop: Stop<SquareSet>) -> bool {
        stop == (self.action.to, self.action.captured)
    }
}

/// The canonical route of a canter or capture, without its origin.
///
/// Breadth first over stops, neighbours in ascending order, so that the first route to any stop is the
/// shortest and among those the smallest.
fn canonical_route<V: Variant>(position: &Position<V>, action: Move) -> Option<Vec<(Square, Link)>> {
    let way = Way::new(position, action);
    let mut stops: Vec<(Stop<SquareSet>, Option<usize>, Link)> =
        vec![((action.from, SquareSet::EMPTY), None, Link::Quiet)];
    let mut seen: HashSet<Stop<SquareSet>> = HashSet::from([stops[0].0]);
    let mut queue = VecDeque::from([0]);
    while let Some(index) = queue.pop_front() {
        if stops.len() > STOP_LIMIT {
            return None;
        }
        if index > 0 && way.arrives(stops[index].0) {
            return Some(trace(&stops, index));
        }
        for (stop, link) in way.next(stops[index].0) {
            if seen.insert(stop) {
                queue.push_back(stops.len());
                stops.push((stop, Some(index), link));
            }
        }
    }
    None
}

/// The routes of a legal move as squares, its origin first: the canonical one, and of a capture of several
/// pieces up to [`ROUTE_LIMIT`] in all. None where even the canonical one takes too long to find.
pub(crate) fn routes<V: Variant>(position: &Position<V>, action: Move) -> Vec<Vec<Square>> {
    if action.captured.is_empty() && V::board().steps(action.from).contains(action.to) {
        return vec![vec![action.from, action.to]];
    }
    let Some(canonical) = canonical_route(position, action) else { return Vec::new() };
    let canonical = canonical.into_iter().map(|(square, _)| square);
    let mut routes = vec![std::iter::once(action.from).chain(canonical).collect()];
    if action.captured.len() < 2 {
        return routes;
    }
    let way = Way::new(position, action);
    let mut open = vec![(vec![action.from], SquareSet::EMPTY)];
    let mut stops = 0;
    while let Some((route, captured)) =
        open.pop().filter(|_| stops < WALK_LIMIT && routes.len() < ROUTE_LIMIT)
    {
        stops += 1;
        let at = route[route.len() - 1];
        if route.len() > 1 && way.arrives((at, captured)) {
            if !routes.contains(&route) {
                routes.push(route);
            }
            continue;
        }
        for ((square, captured), link) in way.next((at, captured)) {
            if link == Link::Jump || !route.contains(&square) {
                open.push(([&route[..], &[square]].concat(), captured));
            }
        }
    }
    routes
}

fn trace<S: Copy>(stops: &[(Stop<S>, Option<usize>, Link)], last: usize) -> Vec<(Square, Link)> {
    let mut route = Vec::new();
    let mut at = last;
    while let Some(previous) = stops[at].1 {
        route.push((stops[at].0.0, stops[at].2));
        at = previous;
    }
    route.reverse();
    route
}

/// Reads a legal move by any of its legal routes.
pub(crate) fn read<V: Variant>(position: &Position<V>, text: &str) -> Result<Move, ActionError> {
    let route = split(text, |name| V::board().parse_square(name))?;
    let action = walk(position, &route).map_err(|why| ActionError::new(text, why))?;
    let mut legal = Vec::new();
    movegen::generate(position, &mut legal);
    if legal.contains(&action) {
        Ok(action)
    } else {
        Err(ActionError::new(text, "not a legal move in this position"))
    }
}

/// The squares of a move text, each but the first with the link that leads to it.
fn split(
    text: &str,
    parse_square: impl Fn(&str) -> Option<Square>,
) -> Result<Vec<(Square, Link)>, ActionError> {
    let mut route = Vec::new();
    let mut link = Link::Quiet;
    for part in text.split_inclusive(['-', 'x', 'X']) {
        let name = part.trim_end_matches(['-', 'x', 'X']);
        let square = parse_square(name).ok_or_else(|| {
            ActionError::new(text, "expected squares of the board joined by `-` or `x`, such as E6-C8")
        })?;
        route.push((square, link));
        link = if part.ends_with('-') { Link::Quiet } else { Link::Jump };
        if route.len() > LONGEST_ROUTE {
            return Err(ActionError::new(text, "too many squares for a move"));
        }
    }
    if route.len() < 2 || text.ends_with(['-', 'x', 'X']) {
        return Err(ActionError::new(text, "expected at least two squares joined by `-` or `x`"));
    }
    Ok(route)
}

/// Follows a route step by step and says what it does, or why it cannot be walked. Whether the move as
/// a whole is legal (duties, chains that must go on) is left to the generator.
fn walk<V: Variant>(position: &Position<V>, route: &[(Square, Link)]) -> Result<Move, String> {
    let from = route[0].0;
    let on_board = View::new(position);
    if !on_board.own.contains(from) {
        return Err(format!("no piece of the player to move stands on {from}"));
    }
    let view = on_board.lifted(from);
    let knight = position.knights().contains(from);
    let mut captured = SquareSet::EMPTY;
    let mut cantered = SquareSet::of(from);
    if let [_, (to, Link::Quiet)] = *route
        && view.board.steps(from).contains(to)
    {
        return Ok(Move { from, to, captured });
    }
    for pair in route.windows(2) {
        let [(at, _), (to, link)] = [pair[0], pair[1]];
        let leap = view.board.leaps(at).iter().find(|leap| leap.land == to);
        let Some(leap) = leap.filter(|leap| view.vacant.contains(leap.land)) else {
            return Err(format!("no way from {at} to {to}"));
        };
        if at != from && view.goal.contains(at) {
            return Err(format!("a move ends in the goal castle at {at}"));
        }
        match link {
            Link::Jump if !view.enemy.contains(leap.over) || captured.contains(leap.over) => {
                return Err(format!("no enemy piece to jump between {at} and {to}"));
            }
            Link::Jump => captured.insert(leap.over),
            Link::Quiet if !view.team.contains(leap.over) => {
                return Err(format!("no own piece to canter over between {at} and {to}"));
            }
            Link::Quiet if !captured.is_empty() => return Err("a canter cannot follow a jump".into()),
            Link::Quiet if cantered.contains(to) => {
                return Err(format!("a canter visits {to} twice"));
            }
            Link::Quiet if view.own_castle.contains(to) => {
                return Err("the own castle is entered by a jump only".into());
            }
            Link::Quiet => cantered.insert(to),
        }
    }
    if !captured.is_empty() && cantered != SquareSet::of(from) && !knight {
        return Err("only a Knight may canter and jump in one move".into());
    }
    let passed = cantered & !SquareSet::of(from) & !view.goal;
    if captured.is_empty() && knight && passed.squares().any(|square| view.jumps_from(square)) {
        return Err("a Knight that canters next to an exposed enemy piece must capture in that move".into());
    }
    Ok(Move { from, to: route[route.len() - 1].0, captured })
}
