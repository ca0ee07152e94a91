//! Cutting a text into games, tags and words. No game is known here.

use super::{Mark, PgnError, Place};
use crate::record::PLY_LIMIT;

/// The most tags of a game.
const TAG_LIMIT: usize = 200;

/// The longest name or value of a tag, in bytes.
const TAG_LIMIT_BYTES: usize = 4096;

/// The most words of a game's moves: a column for each of four seats a ply.
const WORD_LIMIT: usize = 4 * PLY_LIMIT;

/// The longest word, in bytes.
const WORD_LIMIT_BYTES: usize = 255;

/// How deep variations may stand in each other.
const DEPTH_LIMIT: usize = 64;

/// What ends a word, white space aside.
const DELIMITERS: [char; 10] = ['{', '}', '(', ')', '[', ']', ';', '"', '$', '*'];

/// A tag as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Where it begins.
    pub place: Place,
    /// Its name.
    pub name: String,
    /// Its value, escapes resolved.
    pub value: String,
}

/// A move as written, without number and judgement; or the mark of a skipped player; or a bare number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// Where it begins.
    pub place: Place,
    /// The text.
    pub text: &'a str,
}

/// A game of a text, cut into its parts but not played.
#[derive(Clone, Debug)]
pub struct RawGame<'a> {
    /// Where it begins.
    pub place: Place,
    /// Its tags.
    pub tags: Vec<Tag>,
    /// Its moves.
    pub words: Vec<Word<'a>>,
    /// The result at its end, and where it stands; or where it is missing, or what is wrong before.
    pub(super) end: Result<(Mark, Place), PgnError>,
}

/// The games of a text, one after the other. A game that cannot be cut up is handed out as far as it was
/// understood, and the next one is looked for.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    rest: &'a str,
    place: Place,
    /// How many bytes follow the last closing brace.
    after_last_brace: usize,
}

/// One piece of a game.
enum Piece<'a> {
    Tag(Tag),
    Word(Word<'a>),
    Result(Mark, Place),
    Nothing,
}

impl<'a> Games<'a> {
    /// The games of `text`.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
        let after_last_brace = rest.rfind('}').map_or(usize::MAX, |at| rest.len() - at - 1);
        Self { rest, place: Place { line: 1, column: 1 }, after_last_brace }
    }

    /// Passes over `bytes` bytes and returns them.
    fn advance(&mut self, bytes: usize) -> &'a str {
        let (passed, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        for character in passed.chars() {
            if character == '\n' {
                self.place = Place { line: self.place.line + 1, column: 1 };
            } else {
                self.place.column += 1;
            }
        }
        passed
    }

    /// Passes over everything up to the first character that ends it.
    fn advance_until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        self.advance(self.rest.find(ends).unwrap_or(self.rest.len()))
    }

    fn take_char(&mut self, wanted: char) -> bool {
        let found = self.rest.starts_with(wanted);
        if found {
            self.advance(wanted.len_utf8());
        }
        found
    }

    fn error(&self, why: impl Into<String>) -> PgnError {
        PgnError { place: self.place, ply: None, why: why.into() }
    }

    /// Passes over white space, comments and escaped lines.
    fn skip_blank(&mut self) -> Result<(), PgnError> {
        loop {
            self.advance_until(|c| !c.is_whitespace());
            if self.rest.starts_with(';') || (self.rest.starts_with('%') && self.place.column == 1) {
                self.advance_until(|c| c == '\n');
            } else if self.rest.starts_with('{') {
                // Known without a search, so that many open comments do not take long.
                if self.rest.len() <= self.after_last_brace {
                    return Err(self.error("a comment that is never closed: expected `}`"));
                }
                self.advance_until(|c| c == '}');
                self.advance(1);
            } else {
                return Ok(());
            }
        }
    }

    /// The next piece; there is one.
    fn piece(&mut self) -> Result<Piece<'a>, PgnError> {
        match self.rest.chars().next() {
            Some('[') => self.tag().map(Piece::Tag),
            Some('(') => self.skip_variation().map(|()| Piece::Nothing),
            Some('$') => self.skip_annotation().map(|()| Piece::Nothing),
            Some('*') => {
                let place = self.place;
                self.advance(1);
                Ok(Piece::Result(Mark::Open, place))
            }
            Some(other) if DELIMITERS.contains(&other) => {
                Err(self.error(format!("a `{other}` out of place")))
            }
            _ => self.word(),
        }
    }

    fn tag(&mut self) -> Result<Tag, PgnError> {
        let bad = |games: &Self| games.error("a broken tag: expected [Name \"value\"] on one line");
        let blank = |c: char| !c.is_whitespace() || c == '\n';
        let place = self.place;
        self.advance(1);
        self.advance_until(blank);
        let name = self.advance_until(|c| !(c.is_ascii_alphanumeric() || c == '_'));
        self.advance_until(blank);
        if name.is_empty() || !self.take_char('"') {
            return Err(bad(self));
        }
        let mut value = String::new();
        loop {
            value.push_str(self.advance_until(|c| matches!(c, '"' | '\\' | '\n')));
            if self.take_char('"') {
                break;
            }
            if !self.take_char('\\') {
                return Err(bad(self));
            }
            let escaped = ['"', '\\'].into_iter().find(|&c| self.take_char(c));
            value.push(escaped.unwrap_or('\\'));
        }
        self.advance_until(blank);
        if !self.take_char(']') {
            return Err(bad(self));
        }
        if name.len() > TAG_LIMIT_BYTES || value.len() > TAG_LIMIT_BYTES {
            let why = format!("a tag longer than {TAG_LIMIT_BYTES} bytes");
            return Err(PgnError { place, ply: None, why });
        }
        Ok(Tag { place, name: name.into(), value })
    }

    fn skip_variation(&mut self) -> Result<(), PgnError> {
        let opened = self.error("a variation that is never closed: expected `)`");
        let mut depth = 0;
        loop {
            let Some(first) = self.rest.chars().next() else { return Err(opened) };
            match first {
                '(' if depth == DEPTH_LIMIT => {
                    return Err(self.error(format!("variations more than {DEPTH_LIMIT} deep")));
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            self.advance(first.len_utf8());
            if depth == 0 {
                return Ok(());
            }
            self.skip_blank()?;
            self.advance_until(|c| c.is_whitespace() || matches!(c, '(' | ')' | '{' | ';'));
            self.skip_blank()?;
            if self.rest.starts_with('[') && self.place.column == 1 {
                return Err(opened);
            }
        }
    }

    fn skip_annotation(&mut self) -> Result<(), PgnError> {
        let sign = self.error("a `$` without a number");
        self.advance(1);
        let number = self.advance_until(|c| !c.is_ascii_digit());
        if number.is_empty() { Err(sign) } else { Ok(()) }
    }

    fn word(&mut self) -> Result<Piece<'a>, PgnError> {
        let mut place = self.place;
        let text = self.advance_until(|c| c.is_whitespace() || DELIMITERS.contains(&c));
        if text.len() > WORD_LIMIT_BYTES {
            return Err(PgnError {
                place,
                ply: None,
                why: format!("a word longer than {WORD_LIMIT_BYTES} bytes"),
            });
        }
        if let Some(mark) = Mark::parse(text) {
            return Ok(Piece::Result(mark, place));
        }
        let bare = without_number(text);
        place.column += text.len() - bare.len();
        Ok(match bare.trim_end_matches(['!', '?']) {
            "" => Piece::Nothing,
            text => Piece::Word(Word { place, text }),
        })
    }

    /// Takes the pieces of one game; says what stands at its end. Sets `in_moves` when its tags are over.
    fn collect(&mut self, game: &mut RawGame<'a>, in_moves: &mut bool) -> Result<(Mark, Place), PgnError> {
        loop {
            self.skip_blank()?;
            if self.rest.is_empty() || (*in_moves && self.rest.starts_with('[')) {
                return Err(
                    self.error(format!("no result at the end of the moves: expected {}", Mark::EXPECTED))
                );
            }
            let piece = self.piece()?;
            *in_moves |= !matches!(piece, Piece::Tag(_));
            match piece {
                Piece::Nothing => {}
                Piece::Result(mark, place) => return Ok((mark, place)),
                Piece::Word(word) if game.words.len() < WORD_LIMIT => game.words.push(word),
                Piece::Word(_) => return Err(self.error(format!("more than {WORD_LIMIT} words of moves"))),
                Piece::Tag(tag) if game.tags.iter().any(|other| other.name == tag.name) => {
                    let why = format!("the tag {} for the second time", tag.name);
                    return Err(PgnError { place: tag.place, ply: None, why });
                }
                Piece::Tag(tag) if game.tags.len() < TAG_LIMIT => game.tags.push(tag),
                Piece::Tag(_) => return Err(self.error(format!("more than {TAG_LIMIT} tags"))),
            }
        }
    }

    /// After a fault: goes to the first line that looks like the beginning of the next game.
    fn go_to_next_game(&mut self, mut past_tags: bool) {
        if past_tags && self.rest.starts_with('[') {
            return;
        }
        while !self.rest.is_empty() {
            self.advance_until(|c| c == '\n');
            self.take_char('\n');
            let tag = self.rest.starts_with('[');
            if tag && past_tags {
                return;
            }
            past_tags |= !tag;
        }
    }
}

impl<'a> Iterator for Games<'a> {
    type Item = RawGame<'a>;

    fn next(&mut self) -> Option<RawGame<'a>> {
        let blank = self.skip_blank();
        if self.rest.is_empty() {
            return None;
        }
        let unread = PgnError { place: self.place, ply: None, why: String::new() };
        let mut game = RawGame { place: self.place, tags: Vec::new(), words: Vec::new(), end: Err(unread) };
        let mut in_moves = false;
        game.end = blank.and_then(|()| self.collect(&mut game, &mut in_moves));
        if game.end.is_err() {
            self.go_to_next_game(in_moves);
        }
        Some(game)
    }
}

/// A word without the number of its round: `12.` and `12...` are dropped. A bare `12` is left to the reader,
/// since in some games it is a move.
fn without_number(text: &str) -> &str {
    let after_digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if after_digits.starts_with('.') { after_digits.trim_start_matches('.') } else { text }
}
