//! Buffers that are written: where their bytes come from and go to.

use std::borrow::Cow;

use super::document::{Document, is_data};
use super::json::Json;
use super::view;
use crate::uri;

/// A buffer of the file.
#[derive(Clone, Debug)]
pub(super) struct Buffer<'a> {
    pub(super) content: Cow<'a, [u8]>,
    pub(super) origin: Origin,
    pub(super) is_changed: bool,
}

/// Where the bytes of a buffer are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// In the binary chunk of a .glb.
    Bin,
    /// In the JSON.
    Data,
    /// In a file of its own.
    File,
    /// It has none: it stands for what compressed views decompress to, or nobody says where they are.
    Nowhere,
}

impl Origin {
    pub(super) fn of(uri: Option<&str>, has_bin: bool) -> Self {
        match uri {
            Some(uri) if is_data(uri) => Self::Data,
            Some(_) => Self::File,
            None if has_bin => Self::Bin,
            None => Self::Nowhere,
        }
    }
}

impl Document<'_> {
    /// The buffer that new data comes behind: the first one that has bytes; there is one from now on.
    pub(super) fn writable_buffer(&mut self) -> usize {
        if let Some(index) = self.buffers.iter().position(|buffer| buffer.origin != Origin::Nowhere) {
            return index;
        }
        let origin = if self.is_binary() && self.buffers.is_empty() { Origin::Bin } else { Origin::Data };
        self.json.list("buffers").push(Json::object().with("byteLength", 0_usize));
        self.buffers.push(Buffer { content: Cow::Borrowed(&[]), origin, is_changed: true });
        self.buffers.len() - 1
    }

    /// Puts the bytes of all buffers into the first one that has some. The others stay in the list, without bytes.
    pub(super) fn merge_buffers(&mut self) {
        let target = self.writable_buffer();
        let mut starts = vec![None; self.buffers.len()];
        for (index, start) in starts.iter_mut().enumerate() {
            if index == target || self.buffers[index].origin == Origin::Nowhere {
                continue;
            }
            let bytes = std::mem::take(&mut self.buffers[index].content);
            self.buffers[index].origin = Origin::Nowhere;
            self.json.list("buffers")[index].remove("uri");
            let content = self.buffers[target].content.to_mut();
            content.resize(content.len().next_multiple_of(4), 0);
            *start = Some(content.len());
            content.extend_from_slice(&bytes);
            self.buffers[target].is_changed = true;
        }
        for view in self.json.each("bufferViews") {
            for path in view::BUFFERS {
                let Some(part) = view.path(path) else { continue };
                let start = part.number_at(&["buffer"]).and_then(|buffer| *starts.get(buffer)?);
                let Some(start) = start else { continue };
                let offset = part.number_at(&["byteOffset"]).unwrap_or(0);
                part.set("buffer", target);
                part.set("byteOffset", start + offset);
            }
        }
    }

    /// Says in the JSON where a buffer is and how long, if that is not what it says already.
    pub(super) fn describe_buffer(&mut self, index: usize, to: Origin, name: Option<&str>) {
        let buffer = &self.buffers[index];
        let is_same = buffer.origin == to && !buffer.is_changed;
        if buffer.origin == Origin::Nowhere || is_same {
            return;
        }
        let entry = &mut self.json.list("buffers")[index];
        entry.set("byteLength", buffer.content.len());
        match (to, name) {
            (Origin::Data, _) => {
                let data = uri::base64_encode(&buffer.content);
                entry.set("uri", format!("data:application/octet-stream;base64,{data}").as_str());
            }
            (_, Some(name)) => entry.set("uri", uri::percent_encode(name).as_str()),
            _ => entry.remove("uri"),
        }
    }
}
