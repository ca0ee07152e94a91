//! What both ends of the engine protocol share (`docs/ugi.md`): lines that may be anything.

use std::io::{BufRead, Read};

use thiserror::Error;

/// A line that is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// It is too long; the rest of it has been passed over.
    #[error("a line of more than {0} bytes")]
    TooLong(usize),
    /// It is not UTF-8.
    #[error("a line that is not UTF-8")]
    NotText,
}

/// The lines of an untrusted input, without their ends. An input that cannot be read any more has ended.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    limit_bytes: usize,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `input`, of at most `limit_bytes` bytes each.
    pub fn new(input: R, limit_bytes: usize) -> Self {
        Self { input, limit_bytes, buffer: Vec::new() }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<String, LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.buffer.clear();
        let most = self.limit_bytes as u64 + 1;
        let read = self.input.by_ref().take(most).read_until(b'\n', &mut self.buffer).ok()?;
        if read == 0 {
            return None;
        }
        if self.buffer.last() == Some(&b'\n') {
            self.buffer.pop();
        } else if self.buffer.len() > self.limit_bytes {
            self.input.skip_until(b'\n').ok()?;
            return Some(Err(LineError::TooLong(self.limit_bytes)));
        }
        let text = std::str::from_utf8(&self.buffer);
        Some(text.map(String::from).map_err(|_| LineError::NotText))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lines_are_told_apart_and_passed_over() {
        let input: &[u8] = b"one\n\n12345\n123456\n1234567890123\n\xff\xfe\r\nlast";
        let found: Vec<_> = Lines::new(input, 5).collect();
        let text = |line: &str| Ok(line.to_string());
        let long = Err(LineError::TooLong(5));
        assert_eq!(
            found,
            [text("one"), text(""), text("12345"), long.clone(), long, Err(LineError::NotText), text("last")]
        );
        assert_eq!(Lines::new(&b"123456"[..], 5).collect::<Vec<_>>(), [Err(LineError::TooLong(5))]);
    }
}
