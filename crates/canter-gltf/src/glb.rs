//! The binary container: a header, a chunk of JSON and a chunk of bytes.

use std::fmt;

use crate::error::{Failure, LoadError};

/// `glTF` in little-endian ASCII.
const MAGIC: &[u8; 4] = b"glTF";
const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;
const JSON: &[u8; 4] = b"JSON";
const BIN: &[u8; 4] = b"BIN\0";

/// The two parts of a .glb file that matter, borrowed from it.
#[derive(Debug)]
pub(crate) struct Glb<'a> {
    pub(crate) json: &'a [u8],
    pub(crate) bin: Option<&'a [u8]>,
    /// Further chunks, which are extensions.
    #[cfg_attr(not(feature = "write"), allow(dead_code, reason = "only who writes files keeps them"))]
    pub(crate) more_chunks: &'a [u8],
    /// Bytes behind the end that the header gives; they are ignored.
    pub(crate) trailing_bytes: usize,
    /// The length of a chunk is no multiple of four.
    pub(crate) is_unaligned: bool,
}

pub(crate) fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Splits a file that starts with the magic number.
pub(crate) fn split(bytes: &[u8]) -> Result<Glb<'_>, Failure> {
    if bytes.len() < HEADER_BYTES {
        return Err(broken(
            0,
            format_args!("{} bytes", bytes.len()),
            format_args!("a header of {HEADER_BYTES} bytes"),
        ));
    }
    let version = u32_at(bytes, 4);
    if version == 1 {
        let (place, found) = ("the .glb container".to_owned(), "1.0".to_owned());
        return Err(LoadError::Version { place, found }.into());
    }
    if version != 2 {
        return Err(broken(4, format_args!("container version {version}"), "2"));
    }
    let length = u32_at(bytes, 8) as usize;
    if length < HEADER_BYTES {
        return Err(broken(
            8,
            format_args!("length {length}"),
            format_args!("at least {HEADER_BYTES}, the header itself"),
        ));
    }
    if length > bytes.len() {
        let expected = format_args!("at most {}, the size of the file: it may be cut off", bytes.len());
        return Err(broken(8, format_args!("length {length}"), expected));
    }

    let mut chunks = Chunks { bytes: &bytes[..length], offset: HEADER_BYTES, is_unaligned: false };
    let json = match chunks.next()? {
        Some((JSON, json)) => json,
        Some((kind, _)) => return Err(broken(HEADER_BYTES + 4, printable(kind), "the JSON chunk first")),
        None => return Err(broken(HEADER_BYTES, "the end of the file", "a JSON chunk")),
    };
    let mut more = chunks.offset;
    let bin = match chunks.next()? {
        Some((BIN, bin)) => {
            more = chunks.offset;
            Some(bin)
        }
        _ => None,
    };
    // Further chunks are extensions: the specification says to pass over them, but they must fit the file.
    while chunks.next()?.is_some() {}
    Ok(Glb {
        json,
        bin,
        more_chunks: &bytes[more..length],
        trailing_bytes: bytes.len() - length,
        is_unaligned: chunks.is_unaligned,
    })
}

/// The type of a chunk and its bytes.
type Chunk<'a> = (&'a [u8; 4], &'a [u8]);

struct Chunks<'a> {
    bytes: &'a [u8],
    offset: usize,
    is_unaligned: bool,
}

impl<'a> Chunks<'a> {
    fn next(&mut self) -> Result<Option<Chunk<'a>>, Failure> {
        let rest = &self.bytes[self.offset..];
        if rest.is_empty() {
            return Ok(None);
        }
        let Some((header, body)) = rest.split_at_checked(CHUNK_HEADER_BYTES) else {
            let expected =
                format_args!("a chunk header of {CHUNK_HEADER_BYTES} bytes, or the end of the file");
            return Err(broken(self.offset, format_args!("{} bytes", rest.len()), expected));
        };
        let length = u32_at(header, 0) as usize;
        let Some(data) = body.get(..length) else {
            let expected = format_args!("at most {}, the rest of the file: it may be cut off", body.len());
            return Err(broken(self.offset, format_args!("chunk length {length}"), expected));
        };
        self.offset += CHUNK_HEADER_BYTES + length;
        self.is_unaligned |= !length.is_multiple_of(4);
        let (_, kind) = header.split_last_chunk::<4>().expect("a chunk header has eight bytes");
        Ok(Some((kind, data)))
    }
}

/// A file of these parts; `None` if it would be larger than the format allows, 4 GiB.
#[cfg(feature = "write")]
pub(crate) fn join(json: &[u8], bin: Option<&[u8]>, more_chunks: &[u8]) -> Option<Vec<u8>> {
    let padded = |bytes: &[u8]| bytes.len().next_multiple_of(4);
    let bin_bytes = bin.map_or(0, |bin| CHUNK_HEADER_BYTES + padded(bin));
    let length = HEADER_BYTES + CHUNK_HEADER_BYTES + padded(json) + bin_bytes + more_chunks.len();
    let mut file = Vec::with_capacity(length);
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(&2_u32.to_le_bytes());
    file.extend_from_slice(&u32::try_from(length).ok()?.to_le_bytes());
    let chunks = [(JSON, Some(json), b' '), (BIN, bin, 0)];
    for (kind, data, padding) in chunks.into_iter().filter_map(|(kind, data, pad)| Some((kind, data?, pad))) {
        file.extend_from_slice(&u32::try_from(padded(data)).ok()?.to_le_bytes());
        file.extend_from_slice(kind);
        file.extend_from_slice(data);
        file.resize(file.len().next_multiple_of(4), padding);
    }
    file.extend_from_slice(more_chunks);
    Some(file)
}

fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes([bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3]])
}

fn broken(offset: usize, found: impl fmt::Display, expected: impl fmt::Display) -> Failure {
    LoadError::Container { offset, found: found.to_string(), expected: expected.to_string() }.into()
}

/// Bytes of unknown origin, for a message.
pub(crate) fn printable(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glb(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let length: usize =
            HEADER_BYTES + chunks.iter().map(|(_, data)| CHUNK_HEADER_BYTES + data.len()).sum::<usize>();
        let mut bytes =
            [MAGIC.as_slice(), &2_u32.to_le_bytes(), &u32::try_from(length).unwrap().to_le_bytes()].concat();
        for (kind, data) in chunks {
            bytes.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
            bytes.extend(*kind);
            bytes.extend(*data);
        }
        bytes
    }

    #[test]
    fn the_chunks_are_found_and_unknown_ones_passed_over() {
        let bytes = glb(&[(JSON, b"{}  "), (BIN, b"1234"), (b"XTRA", b"....")]);
        let parts = split(&bytes).unwrap();
        assert_eq!((parts.json, parts.bin), (b"{}  ".as_slice(), Some(b"1234".as_slice())));
    }

    #[test]
    fn every_prefix_is_an_error() {
        let bytes = glb(&[(JSON, b"{}  "), (BIN, b"1234")]);
        for end in 0..bytes.len() {
            assert!(split(&bytes[..end]).is_err(), "a file cut after {end} bytes");
        }
    }

    #[test]
    fn a_length_shorter_than_the_header_is_an_error() {
        let mut bytes = glb(&[(JSON, b"{}  ")]);
        bytes[8..12].fill(0);
        assert!(split(&bytes).is_err());
    }

    #[test]
    fn a_chunk_longer_than_the_file_is_an_error_that_says_where() {
        let mut bytes = glb(&[(JSON, b"{}  ")]);
        bytes[12..16].copy_from_slice(&0xFFFF_FFFC_u32.to_le_bytes());
        let error = split(&bytes).unwrap_err().to_string();
        assert!(error.contains("at byte 12") && error.contains("4294967292"), "{error}");
    }
}
