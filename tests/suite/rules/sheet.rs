//! A position on squared paper: a plain grid of characters, for tests that must not lean on the
//! crate's own boards. Knows the printed boards, castles and teams, reads and writes position strings
//! and turns the board about.

use std::fmt::{self, Display};
use std::ops::Range;

/// File and rank, both from 0.
pub(super) type At = (i8, i8);

const FILES: usize = 16;
const RANKS: usize = 16;

/// What the rules print of a game before its moves.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    /// First and last file of each rank from 1 upwards, as the printed square lists have them.
    ranks: &'static [&'static str],
    /// The armies in turn order.
    armies: &'static [Army],
}

#[derive(Debug, PartialEq, Eq)]
struct Army {
    letter: char,
    castle: &'static [&'static str],
    /// The army straight across, whose castle is the goal.
    across: char,
    /// The letters of the army's own team.
    team: &'static str,
}

const fn army(letter: char, castle: &'static [&'static str], across: char, team: &'static str) -> Army {
    Army { letter, castle, across, team }
}

static CAMELOT: Plan = Plan {
    ranks: &["FG", "CJ", "BK", "AL", "AL", "AL", "AL", "AL", "AL", "AL", "AL", "AL", "AL", "BK", "CJ", "FG"],
    armies: &[army('W', &["F1", "G1"], 'B', "W"), army('B', &["F16", "G16"], 'W', "B")],
};

static CAM: Plan = Plan {
    ranks: &["DD", "CE", "BF", "AG", "AG", "AG", "AG", "AG", "AG", "AG", "BF", "CE", "DD"],
    armies: &[army('W', &["D1"], 'B', "W"), army('B', &["D13"], 'W', "B")],
};

static GRAND_CAMELOT: Plan = Plan {
    ranks: &["HI", "EL", "DM", "CN", "BO", "BO", "BO", "AP", "AP", "BO", "BO", "BO", "CN", "DM", "EL", "HI"],
    armies: &[
        army('R', &["H1", "I1"], 'G', "RB"),
        army('G', &["H16", "I16"], 'R', "GY"),
        army('B', &["A8", "A9"], 'Y', "RB"),
        army('Y', &["P8", "P9"], 'B', "GY"),
    ],
};

/// The square of a name such as `D13`.
pub(super) fn at(name: &str) -> At {
    let (file, rank) = name.split_at(1);
    ((file.as_bytes()[0] - b'A') as i8, rank.parse::<i8>().unwrap() - 1)
}

/// The name of a square.
pub(super) fn name((file, rank): At) -> String {
    format!("{}{}", char::from(b'A' + file as u8), rank + 1)
}

/// Whether a cell holds a piece of an army.
pub(super) fn belongs(letter: char, army: char) -> bool {
    letter.eq_ignore_ascii_case(&army)
}

/// A position as characters: `.` for an empty square, else a letter as in position strings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sheet {
    plan: &'static Plan,
    /// By file, then rank; a blank where the board has no square.
    cells: [[char; RANKS]; FILES],
    pub(super) army: char,
    /// Castle moves used by each army in turn order; none where the castle is a single square.
    pub(super) castle_moves: Vec<u8>,
    pub(super) quiet_plies: u16,
}

impl Sheet {
    /// An empty board, the first army to move.
    pub(super) fn empty(game: &str) -> Self {
        let plan = match game {
            "camelot" => &CAMELOT,
            "cam" | "cam-all-knights" => &CAM,
            "grand-camelot" => &GRAND_CAMELOT,
            other => panic!("no board for `{other}`"),
        };
        let counted = plan.armies.iter().filter(|army| army.castle.len() == 2).count();
        let cells = [[' '; RANKS]; FILES];
        let army = plan.armies[0].letter;
        let mut sheet = Self { plan, cells, army, castle_moves: vec![0; counted], quiet_plies: 0 };
        for at in sheet.squares() {
            sheet.set(at, '.');
        }
        sheet
    }

    pub(super) fn read(game: &str, text: &str) -> Self {
        let mut sheet = Self::empty(game);
        let fields: Vec<&str> = text.split(' ').collect();
        for (row, rank) in fields[0].split('/').zip((0..sheet.plan.ranks.len()).rev()) {
            let mut file = sheet.files_of(rank).start;
            let mut run = 0;
            for letter in row.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    run = 10 * run + digit as i8;
                    continue;
                }
                file += run;
                run = 0;
                sheet.set((file, rank as i8), letter);
                file += 1;
            }
        }
        sheet.army = fields[1].chars().next().unwrap();
        sheet.castle_moves = fields[2].split(',').filter(|&used| used != "-").map(number).collect();
        sheet.quiet_plies = number(fields[3]);
        sheet
    }

    fn files_of(&self, rank: usize) -> Range<i8> {
        let ends = self.plan.ranks[rank].as_bytes();
        (ends[0] - b'A') as i8..(ends[1] - b'A') as i8 + 1
    }

    /// Every square of the board, rank by rank.
    pub(super) fn squares(&self) -> Vec<At> {
        let row = |rank| self.files_of(rank).map(move |file| (file, rank as i8));
        (0..self.plan.ranks.len()).flat_map(row).collect()
    }

    /// What stands on a square; a blank outside the board.
    pub(super) fn get(&self, at: At) -> char {
        let (Ok(file), Ok(rank)) = (usize::try_from(at.0), usize::try_from(at.1)) else { return ' ' };
        if file < FILES && rank < RANKS { self.cells[file][rank] } else { ' ' }
    }

    pub(super) fn set(&mut self, at: At, letter: char) {
        self.cells[at.0 as usize][at.1 as usize] = letter;
    }

    /// The squares with a piece of an army.
    pub(super) fn pieces(&self, army: char) -> Vec<At> {
        self.squares().into_iter().filter(|&at| belongs(self.get(at), army)).collect()
    }

    /// The armies in turn order.
    pub(super) fn armies(&self) -> Vec<char> {
        self.plan.armies.iter().map(|army| army.letter).collect()
    }

    /// An army's place in turn order.
    pub(super) fn place(&self, army: char) -> usize {
        self.plan.armies.iter().position(|other| other.letter == army).expect("an army of the game")
    }

    /// The army whose turn it is when an army has moved, if it can use it.
    pub(super) fn following(&self, army: char) -> char {
        self.plan.armies[(self.place(army) + 1) % self.plan.armies.len()].letter
    }

    /// The letters of an army's own team.
    pub(super) fn team(&self, army: char) -> &'static str {
        self.plan.armies[self.place(army)].team
    }

    /// The letters of the opposing team.
    pub(super) fn opponents(&self, army: char) -> &'static str {
        self.team(self.across(army))
    }

    /// The army straight across the board.
    pub(super) fn across(&self, army: char) -> char {
        self.plan.armies[self.place(army)].across
    }

    /// The castle that an army defends.
    pub(super) fn castle(&self, army: char) -> Vec<At> {
        self.plan.armies[self.place(army)].castle.iter().map(|name| at(name)).collect()
    }

    /// The castle that an army attacks.
    pub(super) fn goal(&self, army: char) -> Vec<At> {
        self.castle(self.across(army))
    }

    /// The castles at an army's sides, which it may not enter.
    pub(super) fn side_castles(&self, army: char) -> Vec<At> {
        let sides = self.armies().into_iter().filter(|&other| other != army && other != self.across(army));
        sides.flat_map(|other| self.castle(other)).collect()
    }
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is no number"))
}

/// A way to lay the board on the table anew: mirrored left to right, then turned over top to bottom,
/// then files and ranks exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symmetry {
    mirror: bool,
    flip: bool,
    exchange: bool,
}

impl Sheet {
    /// The symmetries of the board, the first of them changing nothing.
    pub(super) fn symmetries(&self) -> Vec<Symmetry> {
        let square = self.plan.ranks.len() == self.width() as usize;
        let bits = 0..if square { 8 } else { 4 };
        bits.map(|b| Symmetry { mirror: b & 1 != 0, flip: b & 2 != 0, exchange: b & 4 != 0 }).collect()
    }

    fn width(&self) -> i8 {
        self.files_of(self.plan.ranks.len() / 2).end
    }

    /// Where a square comes to lie.
    pub(super) fn image(&self, symmetry: Symmetry, (mut file, mut rank): At) -> At {
        if symmetry.mirror {
            file = self.width() - 1 - file;
        }
        if symmetry.flip {
            rank = self.plan.ranks.len() as i8 - 1 - rank;
        }
        if symmetry.exchange { (rank, file) } else { (file, rank) }
    }

    /// The army at whose place an army's castle comes to lie.
    fn neighbour(&self, symmetry: Symmetry, army: char) -> char {
        let castle = self.castle(army).into_iter().map(|at| self.image(symmetry, at)).min();
        let takes = |other: &char| self.castle(*other).into_iter().min() == castle;
        self.armies().into_iter().find(takes).expect("a castle lies on a castle")
    }

    /// The name that an army takes when the army to move takes the name of its new place. Partners stay
    /// partners and armies across stay across: in turn order two armies are across when their places
    /// differ in the last bit, partners when they differ in the bit before.
    pub(super) fn renamed(&self, symmetry: Symmetry, army: char) -> char {
        let change = self.place(self.army) ^ self.place(self.neighbour(symmetry, self.army));
        self.armies()[self.place(army) ^ change]
    }

    /// Whether every army, not the one to move alone, takes the name of its new place.
    pub(super) fn keeps_teams(&self, symmetry: Symmetry) -> bool {
        self.armies().into_iter().all(|army| self.renamed(symmetry, army) == self.neighbour(symmetry, army))
    }

    /// Whether the renamed armies also follow one another as before, so that nothing tells the two
    /// games apart.
    pub(super) fn keeps_turns(&self, symmetry: Symmetry) -> bool {
        let renamed = |army| self.renamed(symmetry, army);
        let follows = |army: char| renamed(self.following(army)) == self.following(renamed(army));
        self.keeps_teams(symmetry) && self.armies().into_iter().all(follows)
    }

    /// The position laid anew, its armies renamed.
    pub(super) fn turned(&self, symmetry: Symmetry) -> Self {
        let mut other = self.clone();
        for at in self.squares() {
            let letter = self.get(at);
            let army = letter.to_ascii_uppercase();
            let renamed = if letter == '.' { letter } else { self.renamed(symmetry, army) };
            let kept_kind = if letter == army { renamed } else { renamed.to_ascii_lowercase() };
            other.set(self.image(symmetry, at), kept_kind);
        }
        other.army = self.renamed(symmetry, self.army);
        for (army, &used) in self.armies().into_iter().zip(&self.castle_moves) {
            other.castle_moves[self.place(self.renamed(symmetry, army))] = used;
        }
        other
    }
}

impl Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..self.plan.ranks.len()).rev() {
            let mut run = 0;
            for file in self.files_of(rank) {
                let letter = self.get((file, rank as i8));
                if letter == '.' {
                    run += 1;
                    continue;
                }
                if run > 0 {
                    write!(f, "{run}")?;
                    run = 0;
                }
                write!(f, "{letter}")?;
            }
            if run > 0 {
                write!(f, "{run}")?;
            }
            f.write_str(if rank > 0 { "/" } else { " " })?;
        }
        let used: Vec<String> = self.castle_moves.iter().map(u8::to_string).collect();
        let used = if used.is_empty() { "-".into() } else { used.join(",") };
        write!(f, "{} {used} {}", self.army, self.quiet_plies)
    }
}
