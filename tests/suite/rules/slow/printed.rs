//! A slow move generator written from the printed rules alone.
//!
//! It walks every route square by square on a plain grid, really removing what is captured, and then
//! applies the duties to the list of routes. It shares no table, set or idea of speed with the crate.

use camelot_core::RuleSet;

use super::super::Effect;
use super::super::sheet::{self, At, Sheet};

pub(super) const DIRECTIONS: [At; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// One way to make a move.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) from: At,
    pub(super) to: At,
    pub(super) captured: Vec<At>,
    /// The squares after the first, each with the sign before it.
    path: Vec<(char, At)>,
}

impl Route {
    pub(super) fn effect(&self) -> Effect {
        Effect::new(self.from, self.to, self.captured.clone())
    }

    /// The route in the federation's notation.
    pub(super) fn text(&self) -> String {
        let step = |&(sign, at): &(char, At)| format!("{sign}{}", sheet::name(at));
        sheet::name(self.from) + &self.path.iter().map(step).collect::<String>()
    }

    /// Canonical routes come first: fewest squares, then the smallest squares, ranks before files.
    pub(super) fn rank(&self) -> (usize, Vec<(i8, i8)>) {
        (self.path.len(), self.path.iter().map(|&(_, (file, rank))| (rank, file)).collect())
    }

    /// The squares cantered over.
    pub(super) fn cantered_over(&self) -> Vec<At> {
        let starts = std::iter::once(self.from).chain(self.path.iter().map(|&(_, at)| at));
        let steps = starts.zip(&self.path).filter(|(_, (sign, _))| *sign == '-');
        let leaps = steps.filter(|(at, (_, to))| (at.0 - to.0).abs() == 2 || (at.1 - to.1).abs() == 2);
        leaps.map(|(at, (_, to))| (i8::midpoint(at.0, to.0), i8::midpoint(at.1, to.1))).collect()
    }

    pub(super) fn captures(&self) -> bool {
        !self.captured.is_empty()
    }

    fn is_direct_jump(&self) -> bool {
        self.captures() && self.path[0].0 == 'x'
    }
}

/// Every legal route of the player to move.
pub(super) fn legal_routes(sheet: &Sheet, rules: RuleSet) -> Vec<Route> {
    let own_castle = sheet.castle(sheet.army);
    let goal = sheet.goal(sheet.army);
    let own = sheet.pieces(sheet.army);
    let leaving: Vec<Route> = own
        .iter()
        .filter(|at| own_castle.contains(at))
        .flat_map(|&at| leaving_routes(&Walk::routes(sheet, at), rules))
        .collect();
    if !leaving.is_empty() {
        return leaving;
    }
    let (in_goal, free): (Vec<At>, Vec<At>) =
        own.into_iter().filter(|at| !own_castle.contains(at)).partition(|at| goal.contains(at));
    let routes: Vec<Route> = free.into_iter().flat_map(|at| Walk::routes(sheet, at)).collect();
    if routes.iter().any(Route::is_direct_jump) {
        return routes.into_iter().filter(Route::captures).collect();
    }
    let sideways = in_goal.into_iter().flat_map(|at| castle_moves(sheet, at, &goal));
    routes.into_iter().chain(sideways).collect()
}

/// A piece in its own castle leaves by capturing if it can; a charge is bound to that under `classic`
/// only where there is no jump.
fn leaving_routes(routes: &[Route], rules: RuleSet) -> Vec<Route> {
    let must_capture = routes.iter().any(Route::is_direct_jump)
        || (rules == RuleSet::Classic && routes.iter().any(Route::captures));
    routes.iter().filter(|route| route.captures() || !must_capture).cloned().collect()
}

/// Two sideways moves a player and game, where the castle has a second square.
fn castle_moves(sheet: &Sheet, from: At, goal: &[At]) -> Vec<Route> {
    let used = sheet.castle_moves.get(sheet.place(sheet.army)).copied().unwrap_or(2);
    let open = goal.iter().filter(|&&to| used < 2 && sheet.get(to) == '.');
    open.map(|&to| Route { from, to, captured: Vec::new(), path: vec![('-', to)] }).collect()
}

pub(super) fn beyond(at: At, direction: At, squares: i8) -> At {
    (at.0 + squares * direction.0, at.1 + squares * direction.1)
}

/// One piece in the hand, its origin empty, and the routes found for it.
struct Walk {
    sheet: Sheet,
    from: At,
    knight: bool,
    /// The letters of those that may be cantered over, and of those that may be captured.
    team: &'static str,
    opponents: &'static str,
    own_castle: Vec<At>,
    goal: Vec<At>,
    side_castles: Vec<At>,
    path: Vec<(char, At)>,
    captured: Vec<At>,
    routes: Vec<Route>,
}

impl Walk {
    /// Every route of a piece that does not stand in the goal castle, duties of other pieces aside.
    fn routes(sheet: &Sheet, from: At) -> Vec<Route> {
        let army = sheet.army;
        let mut walk = Self {
            sheet: sheet.clone(),
            from,
            knight: sheet.get(from).is_ascii_uppercase(),
            team: sheet.team(army),
            opponents: sheet.opponents(army),
            own_castle: sheet.castle(army),
            goal: sheet.goal(army),
            side_castles: sheet.side_castles(army),
            path: Vec::new(),
            captured: Vec::new(),
            routes: Vec::new(),
        };
        walk.sheet.set(from, '.');
        for direction in DIRECTIONS {
            let to = beyond(from, direction, 1);
            if walk.is_open(to) && !walk.own_castle.contains(&to) {
                walk.path.push(('-', to));
                walk.end(to);
                walk.path.pop();
            }
        }
        walk.canter(from, false);
        walk.jump(from);
        walk.routes
    }

    fn end(&mut self, to: At) {
        let (captured, path) = (self.captured.clone(), self.path.clone());
        self.routes.push(Route { from: self.from, to, captured, path });
    }

    /// Whether the board has the square, empty, and the piece may ever stand there.
    fn is_open(&self, at: At) -> bool {
        self.sheet.get(at) == '.' && !self.side_castles.contains(&at)
    }

    /// Where a leap in a direction over a piece of one of `armies` leads from `at`, and the square
    /// leapt over.
    fn leap(&self, at: At, direction: At, armies: &str) -> Option<(At, At)> {
        let (over, land) = (beyond(at, direction, 1), beyond(at, direction, 2));
        let leaps = armies.contains(self.sheet.get(over).to_ascii_uppercase());
        (leaps && self.is_open(land)).then_some((over, land))
    }

    fn exposed_at(&self, at: At) -> bool {
        DIRECTIONS.iter().any(|&direction| self.leap(at, direction, self.opponents).is_some())
    }

    /// Canters on from `at`. `bound` says that a Knight has passed an exposed piece: whatever it does
    /// now, it must end with a capture.
    fn canter(&mut self, at: At, bound: bool) {
        for direction in DIRECTIONS {
            let Some((_, land)) = self.leap(at, direction, self.team) else { continue };
            let visited = land == self.from || self.path.contains(&('-', land));
            if visited || self.own_castle.contains(&land) {
                continue;
            }
            self.path.push(('-', land));
            let in_goal = self.goal.contains(&land);
            let exposed = self.knight && !in_goal && self.exposed_at(land);
            if !(bound || exposed) {
                self.end(land);
            }
            if exposed {
                self.jump(land);
            }
            if !in_goal {
                self.canter(land, bound || exposed);
            }
            self.path.pop();
        }
    }

    /// Jumps on from `at` as long as that is possible, by every branch.
    fn jump(&mut self, at: At) {
        let mut ended = true;
        if self.captured.is_empty() || !self.goal.contains(&at) {
            for direction in DIRECTIONS {
                let Some((over, land)) = self.leap(at, direction, self.opponents) else { continue };
                ended = false;
                let victim = self.sheet.get(over);
                self.sheet.set(over, '.');
                self.captured.push(over);
                self.path.push(('x', land));
                self.jump(land);
                self.path.pop();
                self.captured.pop();
                self.sheet.set(over, victim);
            }
        }
        if ended && !self.captured.is_empty() {
            self.end(at);
        }
    }
}
