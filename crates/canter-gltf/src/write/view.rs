//! Views, and where accessors lie in them.

use std::ops::Range;

use super::buffer::Buffer;
use super::document::Document;
use super::json::Json;
use crate::accessor::{Component, Format, Kind};
use crate::place::Place as JsonPlace;
use crate::schema::Size;

/// Where a view names a buffer.
pub(super) const BUFFERS: [&[&str]; 3] =
    [&[], &["extensions", "EXT_meshopt_compression"], &["extensions", "KHR_meshopt_compression"]];

/// A view of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) buffer: usize,
    pub(super) offset: usize,
    pub(super) length: usize,
    pub(super) stride: Option<usize>,
    pub(super) is_compressed: bool,
}

impl View {
    /// Its bytes, unless it is compressed or its buffer has none.
    pub(super) fn bytes<'b>(&self, buffers: &'b [Buffer<'_>]) -> Option<&'b [u8]> {
        if self.is_compressed {
            return None;
        }
        buffers.get(self.buffer)?.content.get(self.offset..self.offset.checked_add(self.length)?)
    }
}

/// The largest stride that the specification allows.
const MOST_STRIDE: usize = 252;

/// The spans of bytes of a view that are needed, in order; `None`: all of it.
pub(super) type Cut = Option<Vec<(usize, usize)>>;

/// Where an accessor, or a part of it, lies in a view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) view: usize,
    pub(super) offset: usize,
    pub(super) count: usize,
    /// Bytes of an element.
    pub(super) size: usize,
    stride: usize,
}

impl Place {
    /// The bytes of the view, from the first element to the end of the last.
    pub(super) fn range(&self) -> Range<usize> {
        let length = self.count.saturating_sub(1) * self.stride + if self.count > 0 { self.size } else { 0 };
        self.offset..self.offset + length
    }

    /// The bytes that are kept of a view of so many: whole steps of its stride, up to behind the last element. Some
    /// readers (three.js) take a step for each element from the step on that the first one lies in.
    pub(super) fn kept(&self, view_length: usize) -> (usize, usize) {
        let Range { start, end } = self.range();
        let is_usual = self.stride.is_multiple_of(4) && self.stride <= MOST_STRIDE;
        // Without a stride, starts keep their place among four bytes.
        if self.stride == self.size || !is_usual {
            return (start / 4 * 4, end);
        }
        let step = self.stride;
        (start / step * step, end.next_multiple_of(step).min(view_length.max(end)))
    }
}

/// Bytes of an accessor's elements, without what a stride leaves between them.
pub(super) fn data_bytes(accessor: &mut Json<'_>) -> Option<usize> {
    let root = &JsonPlace::Root;
    let kind = Kind::parse(&accessor.text_at(&["type"])?, root).ok()?;
    let component = Component::parse(Size(accessor.number_at(&["componentType"])? as u64), root).ok()?;
    Some(accessor.number_at(&["count"])? * Format { kind, component, normalized: false }.size())
}

/// The elements of an accessor that lies in a view as it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements<'b> {
    pub(super) format: Format,
    pub(super) count: usize,
    bytes: &'b [u8],
    stride: usize,
}

impl<'b> Elements<'b> {
    /// `None` if some are elsewhere, compressed, or described by more than their format.
    pub(super) fn new(accessor: &mut Json<'_>, views: &[View], buffers: &'b [Buffer<'_>]) -> Option<Self> {
        let root = &JsonPlace::Root;
        let place = place(accessor, &[], views)?;
        if ["sparse", "extras", "extensions"].iter().any(|name| accessor.get(name).is_some()) {
            return None;
        }
        let format = Format {
            kind: Kind::parse(&accessor.text_at(&["type"])?, root).ok()?,
            component: Component::parse(Size(accessor.number_at(&["componentType"])? as u64), root).ok()?,
            normalized: accessor.get("normalized").is_some_and(|json| json.to_text() == b"true"),
        };
        let bytes = views[place.view].bytes(buffers)?.get(place.range())?;
        Some(Self { format, count: place.count, bytes, stride: place.stride })
    }

    pub(super) fn get(&self, index: usize) -> &'b [u8] {
        &self.bytes[index * self.stride..][..self.format.size()]
    }
}

/// Where one of the [`PARTS`](super::refs::PARTS) of an accessor lies; `None` if it has no bytes.
pub(super) fn place(accessor: &mut Json<'_>, part: &[&str], views: &[View]) -> Option<Place> {
    let root = &JsonPlace::Root;
    let kind = Kind::parse(&accessor.text_at(&["type"])?, root).ok()?;
    let component = accessor.number_at(&["componentType"])?;
    let whole = |component: usize, kind: Kind| {
        let component = Component::parse(Size(component as u64), root).ok()?;
        Some(Format { kind, component, normalized: false }.size())
    };
    let (count, size) = match part {
        [] => (accessor.number_at(&["count"])?, whole(component, kind)?),
        ["sparse", "indices"] => {
            let component = accessor.number_at(&["sparse", "indices", "componentType"])?;
            (accessor.number_at(&["sparse", "count"])?, whole(component, Kind::Scalar)?)
        }
        _ => (accessor.number_at(&["sparse", "count"])?, whole(component, kind)?),
    };
    let part = accessor.path(part)?;
    let view = part.number_at(&["bufferView"])?;
    let offset = part.number_at(&["byteOffset"]).unwrap_or(0);
    let stride = views.get(view)?.stride.unwrap_or(size);
    Some(Place { view, offset, count, size, stride })
}

impl Document<'_> {
    pub(super) fn views(&mut self) -> Vec<View> {
        let view = |json: &mut Json<'_>| View {
            buffer: json.number_at(&["buffer"]).unwrap_or(usize::MAX),
            offset: json.number_at(&["byteOffset"]).unwrap_or(0),
            length: json.number_at(&["byteLength"]).unwrap_or(0),
            stride: json.number_at(&["byteStride"]).filter(|&stride| stride > 0),
            is_compressed: BUFFERS[1..].iter().any(|path| json.path(path).is_some()),
        };
        self.json.each("bufferViews").iter_mut().map(view).collect()
    }
}
