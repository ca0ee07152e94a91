//! What follows a move, written from the printed rules: the board after it, and then, in the printed
//! order, castle, elimination, too few pieces, quiet plies, and who can move next.

use camelot_core::{Reason, RuleSet};

use super::super::sheet::Sheet;
use super::printed::{self, Route};

/// How a position stands before anyone moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The game goes on with a move of this army.
    Next(char),
    /// The game is over; the letters of the winning team, if there is one.
    Over(Option<&'static str>, Reason),
}

/// The board after a move of the player to move. The next army in turn order is put down as the one to
/// move, whether or not it can.
pub(super) fn make(sheet: &Sheet, route: &Route) -> Sheet {
    let goal = sheet.goal(sheet.army);
    let mut after = sheet.clone();
    let piece = sheet.get(route.from);
    after.set(route.from, '.');
    for &square in &route.captured {
        after.set(square, '.');
    }
    after.set(route.to, piece);
    if goal.contains(&route.from) {
        after.castle_moves[sheet.place(sheet.army)] += 1;
    }
    let entered = goal.contains(&route.to) && !goal.contains(&route.from);
    after.quiet_plies = if route.captures() || entered { 0 } else { sheet.quiet_plies + 1 };
    after.army = sheet.following(sheet.army);
    after
}

/// What the rules say of a position in which the turn comes to `sheet.army`, after a move of the army
/// before it.
pub(super) fn judge(game: &str, sheet: &Sheet, rules: RuleSet) -> Verdict {
    // The armies before and after one another belong to opposing teams.
    let sides = [sheet.opponents(sheet.army), sheet.team(sheet.army)];
    let is_cam = game != "camelot" && game != "grand-camelot";
    let castle_pieces = if is_cam { 1 } else { 2 };
    if let Some(side) = sides.into_iter().find(|side| in_goals(sheet, side) >= castle_pieces) {
        return Verdict::Over(Some(side), Reason::Castle);
    }
    // The federation's Cam knows no draw of one against one, and one piece may take the last.
    let needed = if is_cam && rules == RuleSet::Wcf { 1 } else { 2 };
    let [moved, moves] = sides.map(|side| count(sheet, side));
    if moves == 0 && moved >= needed {
        return Verdict::Over(Some(sides[0]), Reason::Elimination);
    }
    if moved == 0 && moves >= needed {
        return Verdict::Over(Some(sides[1]), Reason::Elimination);
    }
    if moved < needed && moves < needed {
        return Verdict::Over(None, Reason::Material);
    }
    let players = sheet.armies().len() as u16;
    if sheet.quiet_plies >= 50 * players {
        return Verdict::Over(None, Reason::QuietPlies);
    }
    turn(sheet, rules)
}

/// The next army that can move; or the end, where the turn comes to a team of which none can.
fn turn(sheet: &Sheet, rules: RuleSet) -> Verdict {
    let can_move = |army| {
        let mut view = sheet.clone();
        view.army = army;
        !printed::legal_routes(&view, rules).is_empty()
    };
    let mut army = sheet.army;
    loop {
        if can_move(army) {
            return Verdict::Next(army);
        }
        if !sheet.team(army).chars().any(can_move) {
            let winner = sheet.opponents(army);
            let wins = count(sheet, winner) >= 2;
            return Verdict::Over(wins.then_some(winner), Reason::Stalemate);
        }
        army = sheet.following(army);
    }
}

fn count(sheet: &Sheet, team: &str) -> usize {
    team.chars().map(|army| sheet.pieces(army).len()).sum()
}

/// How many pieces of a team stand in goal castles, each in that of its own army.
fn in_goals(sheet: &Sheet, team: &str) -> usize {
    let stand = |army| sheet.goal(army).iter().filter(|&&at| sheet.pieces(army).contains(&at)).count();
    team.chars().map(stand).sum()
}
