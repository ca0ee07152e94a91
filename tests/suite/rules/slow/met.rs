//! What the positions tried had in them, so that a test can tell that it met the rare rules.

use std::collections::BTreeMap;

use super::super::sheet::{At, Sheet, belongs};
use super::aftermath::Verdict;
use super::printed::{DIRECTIONS, Route, beyond};

/// How often each thing was met, by name.
#[derive(Debug, Default)]
pub(super) struct Met(BTreeMap<String, usize>);

impl Met {
    pub(super) fn add(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }

    pub(super) fn count(&self, what: &str) -> usize {
        self.0.get(what).copied().unwrap_or(0)
    }

    fn add_if(&mut self, what: &str, met: bool) {
        if met {
            self.add(what);
        }
    }

    /// Notes what a position and its legal routes show.
    pub(super) fn position(&mut self, sheet: &Sheet, routes: &[Route], verdict: Verdict) {
        let army = sheet.army;
        let stands = |castle: Vec<At>| castle.iter().any(|&at| belongs(sheet.get(at), army));
        let goes_on = matches!(verdict, Verdict::Next(_));
        self.add("comparisons");
        self.add_if("guards", stands(sheet.castle(army)));
        self.add_if("visitors", goes_on && stands(sheet.goal(army)));
        self.add_if("captures", routes.iter().any(Route::captures));
        let victims = |route: &Route| -> Vec<char> {
            let letters = route.captured.iter().map(|&at| sheet.get(at).to_ascii_uppercase());
            sheet.armies().into_iter().filter(|&army| letters.clone().any(|other| other == army)).collect()
        };
        self.add_if("captures of both opponents", routes.iter().any(|route| victims(route).len() == 2));
        let over_partner = |at: &At| !belongs(sheet.get(*at), army);
        let canters = |route: &Route| route.cantered_over().iter().any(over_partner);
        self.add_if("canters over a partner", routes.iter().any(canters));
        self.add_if("charges over a partner", routes.iter().any(|route| route.captures() && canters(route)));
        let walled =
            |&at: &At| sheet.castle(army).contains(&at) && routes.iter().all(|route| route.from != at);
        self.add_if("walled guards", sheet.pieces(army).iter().any(walled));
        self.add_if("stalemated guards", routes.is_empty() && !goes_on && stands(sheet.castle(army)));
        for (what, refused) in side_castle_refusals(sheet) {
            self.add_if(what, refused);
        }
        if let Verdict::Over(_, reason) = verdict {
            self.add(format!("found over: {reason}"));
        }
    }

    /// Notes a move that was made and what followed.
    pub(super) fn move_made(&mut self, sheet: &Sheet, route: &Route, verdict: Verdict) {
        self.add("moves followed");
        self.add_if("castle moves", sheet.goal(sheet.army).contains(&route.from));
        match verdict {
            Verdict::Next(army) => self.add_if("skips", army != sheet.following(sheet.army)),
            Verdict::Over(None, reason) => self.add(format!("drawn by {reason}")),
            Verdict::Over(Some(team), reason) => {
                self.add(format!("won by {reason}"));
                self.add_if("lost by the mover", team != sheet.team(sheet.army));
            }
        }
    }
}

/// Whether a piece of the army to move stands beside an empty side castle, and whether it could leap
/// into one over a friend or an opponent if that were no castle.
fn side_castle_refusals(sheet: &Sheet) -> [(&'static str, bool); 3] {
    let army = sheet.army;
    let closed = sheet.side_castles(army);
    let refused = |at: At| closed.contains(&at) && sheet.get(at) == '.';
    let own = sheet.pieces(army);
    let tries = || own.iter().flat_map(|&at| DIRECTIONS.map(|d| (beyond(at, d, 1), beyond(at, d, 2))));
    let leaps = |team: &str| {
        tries().any(|(over, land)| team.contains(sheet.get(over).to_ascii_uppercase()) && refused(land))
    };
    [
        ("side castles: steps refused", tries().any(|(next, _)| refused(next))),
        ("side castles: canters refused", leaps(sheet.team(army))),
        ("side castles: jumps refused", leaps(sheet.opponents(army))),
    ]
}
