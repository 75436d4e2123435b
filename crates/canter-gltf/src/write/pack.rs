//! Buffers written anew: the views one behind the other, without what lay between them.

use std::borrow::Cow;
use std::collections::HashMap;

use super::buffer::Origin;
use super::document::Document;
use super::json::Json;
use super::view::{BUFFERS, Cut, View};

/// A part of a buffer that a view names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Slice {
    buffer: usize,
    offset: usize,
    length: usize,
    cut: Cut,
}

impl Slice {
    fn new(json: &mut Json<'_>, path: &[&str], cut: &Cut) -> Option<Self> {
        let part = json.path(path)?;
        Some(Self {
            buffer: part.number_at(&["buffer"])?,
            offset: part.number_at(&["byteOffset"]).unwrap_or(0),
            length: part.number_at(&["byteLength"])?,
            cut: if path.is_empty() { cut.clone() } else { None },
        })
    }

    /// The bytes that are needed; every span starts at a multiple of four.
    fn bytes(&self, content: &[u8]) -> Option<Vec<u8>> {
        let all = content.get(self.offset..self.offset.checked_add(self.length)?)?;
        let Some(spans) = &self.cut else { return Some(all.to_vec()) };
        let mut bytes = Vec::new();
        for &(from, to) in spans {
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            bytes.extend_from_slice(all.get(from..to)?);
        }
        Some(bytes)
    }
}

impl Document<'_> {
    /// Whether all views of each buffer show bytes that are there.
    pub(super) fn packable(&mut self, views: &[View]) -> Vec<bool> {
        let mut packable = vec![true; self.buffers.len()];
        for (view, json) in views.iter().zip(self.json.each("bufferViews")) {
            for path in BUFFERS {
                let Some(slice) = Slice::new(json, path, &None) else { continue };
                let Some(buffer) = self.buffers.get(slice.buffer) else { continue };
                // What compressed views decompress to needs no bytes.
                let is_there = slice.bytes(&buffer.content).is_some()
                    || (buffer.origin == Origin::Nowhere && path.is_empty() && view.is_compressed);
                packable[slice.buffer] &= is_there;
            }
        }
        packable
    }

    /// Writes all buffers anew: view after view, or what is needed of it, each from a multiple of four on.
    pub(super) fn pack_buffers(&mut self, cuts: &[Cut]) {
        let views = self.views();
        let packable = self.packable(&views);
        let mut packed: Vec<Vec<u8>> = vec![Vec::new(); self.buffers.len()];
        let mut virtual_bytes = vec![0_usize; self.buffers.len()];
        // Views of the same bytes share them.
        let mut placed: HashMap<Slice, (usize, usize)> = HashMap::new();
        for (json, cut) in self.json.each("bufferViews").iter_mut().zip(cuts) {
            for path in BUFFERS {
                let Some(slice) = Slice::new(json, path, cut) else { continue };
                let buffer = slice.buffer;
                if packable.get(buffer) != Some(&true) {
                    continue;
                }
                let (offset, length) = *placed.entry(slice).or_insert_with_key(|slice| {
                    match slice.bytes(&self.buffers[buffer].content) {
                        Some(bytes) => {
                            let content = &mut packed[buffer];
                            content.resize(content.len().next_multiple_of(4), 0);
                            let offset = content.len();
                            content.extend_from_slice(&bytes);
                            (offset, bytes.len())
                        }
                        None => {
                            let offset = virtual_bytes[buffer].next_multiple_of(4);
                            virtual_bytes[buffer] = offset + slice.length;
                            (offset, slice.length)
                        }
                    }
                });
                if let Some(part) = json.path(path) {
                    if offset == 0 {
                        part.remove("byteOffset");
                    } else {
                        part.set("byteOffset", offset);
                    }
                    part.set("byteLength", length);
                }
            }
        }
        for (index, content) in packed.into_iter().enumerate().filter(|(index, _)| packable[*index]) {
            let buffer = &mut self.buffers[index];
            if buffer.origin == Origin::Nowhere {
                if virtual_bytes[index] > 0 {
                    self.json.list("buffers")[index].set("byteLength", virtual_bytes[index]);
                }
            } else if buffer.content != content {
                buffer.content = Cow::Owned(content);
                buffer.is_changed = true;
            }
        }
    }
}
