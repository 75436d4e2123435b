//! Packed rows as bytes, to be stored and read back: little-endian numbers, one after the other.
//!
//! Whatever the bytes are, what comes out can be played: every place in rows is checked before anything is
//! read by it.

use std::fmt;

/// Why bytes are no packed clip.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PackedBytesError {
    /// They do not begin as those of packed clips do, or are of another version.
    NotPacked,
    /// There are fewer than there should be.
    TooShort,
    /// There are more than there should be.
    TooLong {
        /// How many are left.
        left: usize,
    },
    /// The clip is of another skeleton.
    OtherSkeleton,
    /// A part of it cannot be.
    Malformed {
        /// What it is.
        part: &'static str,
    },
}

impl fmt::Display for PackedBytesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPacked => write!(f, "the bytes are no packed clip of this version"),
            Self::TooShort => write!(f, "the bytes of the packed clip end too early"),
            Self::TooLong { left } => write!(f, "behind the packed clip are {left} more bytes"),
            Self::OtherSkeleton => write!(f, "the packed clip is of another skeleton"),
            Self::Malformed { part } => write!(f, "the packed clip is broken: {part}"),
        }
    }
}

impl std::error::Error for PackedBytesError {}

pub(crate) fn malformed(part: &'static str) -> PackedBytesError {
    PackedBytesError::Malformed { part }
}

/// Collects bytes.
#[derive(Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    #[expect(clippy::cast_possible_truncation, reason = "sizes of clips are bounded when they are built")]
    pub(crate) fn count(&mut self, count: usize) {
        self.0.extend((count as u32).to_le_bytes());
    }

    pub(crate) fn short(&mut self, number: u16) {
        self.0.extend(number.to_le_bytes());
    }

    pub(crate) fn float(&mut self, number: f32) {
        self.0.extend(number.to_le_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.0.extend(bytes);
    }

    pub(crate) fn floats(&mut self, numbers: &[f32]) {
        self.count(numbers.len());
        numbers.iter().for_each(|number| self.float(*number));
    }
}

/// Reads them again.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], PackedBytesError> {
        let (front, rest) = self.0.split_at_checked(count).ok_or(PackedBytesError::TooShort)?;
        self.0 = rest;
        Ok(front)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], PackedBytesError> {
        let (front, rest) = self.0.split_first_chunk().ok_or(PackedBytesError::TooShort)?;
        self.0 = rest;
        Ok(*front)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, PackedBytesError> {
        self.array().map(|[byte]| byte)
    }

    pub(crate) fn short(&mut self) -> Result<u16, PackedBytesError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn shorts(&mut self, count: usize) -> Result<Vec<u16>, PackedBytesError> {
        let bytes = self.take(count.checked_mul(2).ok_or(PackedBytesError::TooShort)?)?;
        Ok(bytes.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect())
    }

    pub(crate) fn u32(&mut self) -> Result<u32, PackedBytesError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, PackedBytesError> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn count(&mut self) -> Result<usize, PackedBytesError> {
        self.u32().map(|count| count as usize)
    }

    /// A number of ordinary size.
    pub(crate) fn float(&mut self) -> Result<f32, PackedBytesError> {
        let number = self.array().map(f32::from_le_bytes)?;
        if crate::transform::in_range(&[number]) {
            Ok(number)
        } else {
            Err(malformed("a number is out of range"))
        }
    }

    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], PackedBytesError> {
        let count = self.count()?;
        self.take(count)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, PackedBytesError> {
        std::str::from_utf8(self.bytes()?).map_err(|_| malformed("a name is not UTF-8"))
    }

    pub(crate) fn floats(&mut self) -> Result<Vec<f32>, PackedBytesError> {
        let count = self.count()?;
        // Nothing is reserved that is not there.
        if self.0.len() / 4 < count {
            return Err(PackedBytesError::TooShort);
        }
        (0..count).map(|_| self.float()).collect()
    }

    /// How many things of at least so many bytes follow.
    pub(crate) fn list(&mut self, bytes_each: usize) -> Result<usize, PackedBytesError> {
        let count = self.count()?;
        if self.0.len() / bytes_each < count { Err(PackedBytesError::TooShort) } else { Ok(count) }
    }
}
