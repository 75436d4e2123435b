//! How much a file may ask for.

use std::cell::Cell;

use crate::error::{Failure, LoadError};
use crate::place::Place;

/// How much a file may ask for before it is refused. The defaults suit a desktop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of the file and of each buffer and image beside it.
    pub file_bytes: u64,
    /// Bytes of its JSON. Parsed, a hostile text needs some ten times as much.
    pub json_bytes: u64,
    /// Nodes; each becomes a joint of the skeleton.
    pub nodes: usize,
    /// Bytes of everything that is decoded from the file, whatever the file's size.
    pub memory_bytes: u64,
    /// Bytes that may be decoded per byte of the file (and of its buffers), beyond the first
    /// [`Self::free_bytes`].
    ///
    /// A file can name the same bytes many times, and accessors of zeros need no bytes at all: without this
    /// limit two kilobytes could ask for all of `memory_bytes`. Real files stay below 8, compressed ones
    /// below 20.
    pub expansion: u64,
    /// Bytes that any file may decode to, however small it is.
    pub free_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 2 << 30,
            json_bytes: 256 << 20,
            nodes: 1 << 20,
            memory_bytes: 4 << 30,
            expansion: 32,
            free_bytes: 64 << 20,
        }
    }
}

/// The memory that a file may still ask for.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: u64,
    used: Cell<u64>,
}

impl Budget {
    pub(crate) fn new(limits: &Limits, input_bytes: u64) -> Self {
        let limit = limits.free_bytes.saturating_add(input_bytes.saturating_mul(limits.expansion));
        Self { limit: limit.min(limits.memory_bytes), used: Cell::new(0) }
    }

    /// What a file may still ask for.
    #[cfg_attr(not(feature = "draco"), allow(dead_code, reason = "only decoders of others ask"))]
    pub(crate) fn left(&self) -> u64 {
        self.limit - self.used.get()
    }

    /// Asks for memory before it is allocated.
    pub(crate) fn take(&self, bytes: u64, place: &Place<'_>) -> Result<(), Failure> {
        let used = self.used.get().saturating_add(bytes);
        if used > self.limit {
            let what = "the memory that the file asks for, in bytes,";
            let (place, found, limit) = (place.to_string(), used, self.limit);
            return Err(LoadError::Limit { place, what, found, limit }.into());
        }
        self.used.set(used);
        Ok(())
    }
}
