//! A position on squared paper: a plain grid of characters, for tests that must not lean on the
//! crate's own boards. Reads and writes position strings and turns the board over.

use std::fmt::{self, Display};

/// File and rank, both from 0.
pub(super) type At = (i8, i8);

const FILES: usize = 12;
const RANKS: usize = 16;

/// First and last file of each rank from 1 upwards, as the printed square lists have them.
const CAMELOT: &[&str] =
    &["FG", "CJ", "BK", "AL", "AL", "AL", "AL", "AL", "AL", "AL", "AL", "AL", "AL", "BK", "CJ", "FG"];
const CAM: &[&str] = &["DD", "CE", "BF", "AG", "AG", "AG", "AG", "AG", "AG", "AG", "BF", "CE", "DD"];

/// The square of a name such as `D13`.
pub(super) fn at(name: &str) -> At {
    let (file, rank) = name.split_at(1);
    ((file.as_bytes()[0] - b'A') as i8, rank.parse::<i8>().unwrap() - 1)
}

/// The name of a square.
pub(super) fn name((file, rank): At) -> String {
    format!("{}{}", char::from(b'A' + file as u8), rank + 1)
}

/// A position as characters: `.` for an empty square, else a letter as in position strings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sheet {
    ranks: &'static [&'static str],
    /// By file, then rank; a blank where the board has no square.
    cells: [[char; RANKS]; FILES],
    pub(super) army: char,
    /// Castle moves used by White and Black; `None` where the game has none.
    pub(super) castle_moves: Option<[u8; 2]>,
    quiet_plies: u16,
}

impl Sheet {
    /// An empty board, White to move.
    pub(super) fn empty(game: &str) -> Self {
        let (ranks, castle_moves) = match game {
            "camelot" => (CAMELOT, Some([0, 0])),
            "cam" | "cam-all-knights" => (CAM, None),
            other => panic!("no board for `{other}`"),
        };
        let cells = [[' '; RANKS]; FILES];
        let mut sheet = Self { ranks, cells, army: 'W', castle_moves, quiet_plies: 0 };
        for at in sheet.squares() {
            sheet.set(at, '.');
        }
        sheet
    }

    pub(super) fn read(game: &str, text: &str) -> Self {
        let mut sheet = Self::empty(game);
        let fields: Vec<&str> = text.split(' ').collect();
        for (row, rank) in fields[0].split('/').zip((0..sheet.ranks.len()).rev()) {
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
        sheet.castle_moves = fields[2].split_once(',').map(|(w, b)| [w.parse().unwrap(), b.parse().unwrap()]);
        sheet.quiet_plies = fields[3].parse().unwrap();
        sheet
    }

    fn files_of(&self, rank: usize) -> std::ops::Range<i8> {
        let ends = self.ranks[rank].as_bytes();
        (ends[0] - b'A') as i8..(ends[1] - b'A') as i8 + 1
    }

    /// Every square of the board, rank by rank.
    pub(super) fn squares(&self) -> Vec<At> {
        let row = |rank| self.files_of(rank).map(move |file| (file, rank as i8));
        (0..self.ranks.len()).flat_map(row).collect()
    }

    /// What stands on a square; a blank outside the board.
    pub(super) fn get(&self, at: At) -> char {
        let (Ok(file), Ok(rank)) = (usize::try_from(at.0), usize::try_from(at.1)) else { return ' ' };
        if file < FILES && rank < RANKS { self.cells[file][rank] } else { ' ' }
    }

    pub(super) fn set(&mut self, at: At, letter: char) {
        self.cells[at.0 as usize][at.1 as usize] = letter;
    }

    /// The castle at one end: the two squares or the one square of the first or last rank.
    pub(super) fn castle(&self, army: char) -> Vec<At> {
        let rank = if army == 'W' { 0 } else { self.ranks.len() - 1 };
        self.files_of(rank).map(|file| (file, rank as i8)).collect()
    }

    /// The square after the ranks are turned over.
    pub(super) fn flip(&self, at: At) -> At {
        (at.0, self.ranks.len() as i8 - 1 - at.1)
    }

    /// The square after left and right are exchanged.
    pub(super) fn mirror(&self, at: At) -> At {
        let widest = self.files_of(self.ranks.len() / 2);
        (widest.end - 1 - at.0, at.1)
    }

    /// The position seen from the other side of the table: ranks turned over, armies exchanged.
    pub(super) fn flipped(&self) -> Self {
        let mut other = self.clone();
        for at in self.squares() {
            other.set(self.flip(at), swap_army(self.get(at)));
        }
        other.army = swap_army(self.army);
        other.castle_moves = self.castle_moves.map(|[white, black]| [black, white]);
        other
    }

    /// The position with left and right exchanged.
    pub(super) fn mirrored(&self) -> Self {
        let mut other = self.clone();
        for at in self.squares() {
            other.set(self.mirror(at), self.get(at));
        }
        other
    }
}

fn swap_army(letter: char) -> char {
    match letter {
        'W' => 'B',
        'w' => 'b',
        'B' => 'W',
        'b' => 'w',
        other => other,
    }
}

impl Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..self.ranks.len()).rev() {
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
        let used = self.castle_moves.map_or("-".into(), |[white, black]| format!("{white},{black}"));
        write!(f, "{} {used} {}", self.army, self.quiet_plies)
    }
}
