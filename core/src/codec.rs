//! The frame around everything this project stores in binary: magic, versions, length, checksum.
//!
//! A frame is checked whole before a byte of its body is decoded. Layout, little endian: 8 bytes of
//! magic, `u32` format version, `u64` body length, `u32` CRC-32 of the body, body.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The length of a frame's header, in bytes.
pub const HEADER_BYTES: usize = 24;

/// The largest body that is read or written, in bytes.
pub const BODY_LIMIT_BYTES: usize = 1 << 30;

/// The largest frame that is read or written, in bytes.
pub const FRAME_LIMIT_BYTES: u64 = (BODY_LIMIT_BYTES + HEADER_BYTES) as u64;

/// What a frame is expected to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// The first eight bytes.
    pub magic: [u8; 8],
    /// Raised whenever the body changes its meaning.
    pub version: u32,
}

/// A frame that cannot be read or written.
#[derive(Debug, Error)]
pub enum CodecError {
    /// Another kind of file, or none of this project's.
    #[error("not a file of this kind: it starts with {found:?}, expected {expected:?}")]
    Magic {
        /// The first bytes, as text.
        found: String,
        /// The expected ones.
        expected: String,
    },
    /// Written by another version.
    #[error("format version {found}, expected {expected}")]
    Version {
        /// The version in the file.
        found: u32,
        /// The version this program reads.
        expected: u32,
    },
    /// Cut off, or longer than it says.
    #[error("truncated or extended: {found} bytes, expected {expected}")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        expected: u64,
    },
    /// Altered.
    #[error("checksum {found:08x}, expected {expected:08x}: the contents were altered")]
    Checksum {
        /// The checksum of the body.
        found: u32,
        /// The checksum in the header.
        expected: u32,
    },
    /// A body that does not decode, or that does not fit.
    #[error("unreadable contents: {0}")]
    Body(String),
}

impl CodecError {
    /// Whether this is a damaged file of this program's own, rather than one of another kind or version.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Length { .. } | Self::Checksum { .. } | Self::Body(_))
    }
}

/// The settings of bincode, in this one place: fixed so that a file means the same everywhere.
fn settings() -> impl bincode::config::Config {
    // Decoding counts bytes in memory, of which small numbers take several times as many as in the file.
    bincode::config::standard().with_limit::<{ 8 * BODY_LIMIT_BYTES }>()
}

/// Puts `body` into a frame.
///
/// # Errors
///
/// If the body does not serialise or is larger than [`BODY_LIMIT_BYTES`].
pub fn encode<T: Serialize>(format: Format, body: &T) -> Result<Vec<u8>, CodecError> {
    let body =
        bincode::serde::encode_to_vec(body, settings()).map_err(|e| CodecError::Body(e.to_string()))?;
    if body.len() > BODY_LIMIT_BYTES {
        return Err(CodecError::Body(format!(
            "{} bytes, at most {BODY_LIMIT_BYTES} are allowed",
            body.len()
        )));
    }
    Ok(framed(format, &body))
}

/// Puts a header before bytes that are a body already.
#[must_use]
pub fn framed(format: Format, body: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(HEADER_BYTES + body.len());
    frame.extend(format.magic);
    frame.extend(format.version.to_le_bytes());
    frame.extend((body.len() as u64).to_le_bytes());
    frame.extend(crc32fast::hash(body).to_le_bytes());
    frame.extend(body);
    frame
}

/// Takes the body out of a frame.
///
/// # Errors
///
/// Says which check failed: magic, version, length, checksum, or the body itself.
pub fn decode<T: DeserializeOwned>(format: Format, frame: &[u8]) -> Result<T, CodecError> {
    if !frame.starts_with(&format.magic) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let found = text(&frame[..frame.len().min(8)]);
        return Err(CodecError::Magic { found, expected: text(&format.magic) });
    }
    if frame.len() < HEADER_BYTES {
        return Err(CodecError::Length { found: frame.len(), expected: HEADER_BYTES as u64 });
    }
    let word = |at: usize| u32::from_le_bytes([frame[at], frame[at + 1], frame[at + 2], frame[at + 3]]);
    let version = word(8);
    if version != format.version {
        return Err(CodecError::Version { found: version, expected: format.version });
    }
    let length = u64::from(word(12)) | u64::from(word(16)) << 32;
    let body = &frame[HEADER_BYTES..];
    if body.len() as u64 != length || body.len() > BODY_LIMIT_BYTES {
        return Err(CodecError::Length { found: body.len(), expected: length });
    }
    let (found, expected) = (crc32fast::hash(body), word(20));
    if found != expected {
        return Err(CodecError::Checksum { found, expected });
    }
    let (value, used) =
        bincode::serde::decode_from_slice(body, settings()).map_err(|e| CodecError::Body(e.to_string()))?;
    if used != body.len() {
        return Err(CodecError::Body(format!("{} bytes left over", body.len() - used)));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format = Format { magic: *b"CZTEST\0\0", version: 3 };

    #[test]
    fn a_frame_keeps_its_bytes() {
        let frame = encode(FORMAT, &(7_u16, "hi".to_string())).unwrap();
        let golden = [
            b'C', b'Z', b'T', b'E', b'S', b'T', 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x51, 0x0b,
            0x6e, 7, 2, b'h', b'i',
        ];
        assert_eq!(frame[..20], golden[..20]);
        assert_eq!(frame[24..], golden[24..]);
        assert_eq!(decode::<(u16, String)>(FORMAT, &frame).unwrap(), (7, "hi".into()));
    }

    #[test]
    fn every_altered_or_missing_byte_is_noticed() {
        let frame = encode(FORMAT, &vec![1_u32, 2, 300]).unwrap();
        for at in 0..frame.len() {
            let mut altered = frame.clone();
            altered[at] ^= 0x40;
            assert!(decode::<Vec<u32>>(FORMAT, &altered).is_err(), "byte {at}");
            assert!(decode::<Vec<u32>>(FORMAT, &frame[..at]).is_err(), "cut at {at}");
        }
        let mut longer = frame;
        longer.push(0);
        assert!(decode::<Vec<u32>>(FORMAT, &longer).is_err());
    }

    #[test]
    fn left_over_bytes_are_an_error() {
        let frame = encode(FORMAT, &(1_u8, 2_u8)).unwrap();
        assert!(matches!(decode::<u8>(FORMAT, &frame), Err(CodecError::Body(_))));
    }
}
