//! `EXT_meshopt_compression`: views that take less room, without loss.

use meshoptimizer as codec;

use super::buffer::{Buffer, Origin};
use super::document::Document;
use super::error::WriteError;
use super::json::Json;
use super::refs::{PARTS, Use};
use super::view::{self, Place, View};

const NAME: &str = "EXT_meshopt_compression";

/// A view that was compressed.
struct Packed {
    bytes: Vec<u8>,
    stride: usize,
    count: usize,
    mode: &'static str,
}

impl Document<'_> {
    /// Compresses all views for which that pays, but those of images, by `EXT_meshopt_compression`, which
    /// readers must know then. Triangles may start with another of their corners afterwards; all else comes
    /// back bit for bit.
    ///
    /// # Errors
    /// If extensions that are not known here may name parts of buffers. Nothing is changed then.
    pub fn compress(&mut self) -> Result<(), WriteError> {
        self.check_renumbering()?;
        self.flush()?;
        let views = self.views();
        let uses = self.uses();
        let mut shown: Vec<Vec<(u8, Place)>> = vec![Vec::new(); views.len()];
        for (index, accessor) in self.json.each("accessors").iter_mut().enumerate() {
            for (number, part) in PARTS.into_iter().enumerate() {
                if let Some(place) = view::place(accessor, part, &views) {
                    let uses = if number == 0 { uses[index] } else { 1 << Use::Other as u8 };
                    shown[place.view].push((uses, place));
                }
            }
        }
        let pack = |(view, shown): (&View, &Vec<(u8, Place)>)| pack(view, view.bytes(&self.buffers)?, shown);
        let packed: Vec<Option<Packed>> = views.iter().zip(&shown).map(pack).collect();
        if packed.iter().all(Option::is_none) {
            return Ok(());
        }
        let target = self.writable_buffer();
        let fallback = self.add_fallback_buffer();
        let mut virtual_bytes = 0_usize;
        for (index, packed) in packed.into_iter().enumerate() {
            let Some(packed) = packed else { continue };
            let content = self.buffers[target].content.to_mut();
            content.resize(content.len().next_multiple_of(4), 0);
            let offset = content.len();
            content.extend_from_slice(&packed.bytes);
            let compressed = Json::object()
                .with("buffer", target)
                .with("byteOffset", offset)
                .with("byteLength", packed.bytes.len())
                .with("byteStride", packed.stride)
                .with("count", packed.count)
                .with("mode", packed.mode);
            let view = &mut self.json.list("bufferViews")[index];
            if view.get("extensions").is_none() {
                view.set("extensions", Json::object());
            }
            if let Some(extensions) = view.get("extensions") {
                extensions.set(NAME, compressed);
            }
            view.set("buffer", fallback);
            view.set("byteOffset", virtual_bytes);
            view.set("byteLength", packed.stride * packed.count);
            virtual_bytes += (packed.stride * packed.count).next_multiple_of(4);
        }
        self.json.list("buffers")[fallback].set("byteLength", virtual_bytes);
        self.use_extension(NAME, true);
        self.pack_buffers(&vec![None; views.len()]);
        Ok(())
    }

    /// A buffer that has no bytes: it stands for what compressed views decompress to.
    fn add_fallback_buffer(&mut self) -> usize {
        let extension = Json::object().with(NAME, Json::object().with("fallback", true));
        let entry = Json::object().with("byteLength", 1_usize).with("extensions", extension);
        self.json.list("buffers").push(entry);
        self.buffers.push(Buffer { content: Default::default(), origin: Origin::Nowhere, is_changed: false });
        self.buffers.len() - 1
    }
}

/// A view compressed, if that is possible and pays.
fn pack(view: &View, bytes: &[u8], shown: &[(u8, Place)]) -> Option<Packed> {
    // What the extension costs in the JSON, and the header of the encoding.
    const COST: usize = 128;
    let (first_use, first) = *shown.first()?;
    if shown.iter().any(|(uses, place)| *uses != first_use || place.size != first.size) {
        // Of several kinds: as plain numbers of four bytes.
        let is_data = |uses: u8| {
            uses & (1 << Use::Vertices as u8 | 1 << Use::Triangles as u8 | 1 << Use::Indices as u8) == 0
        };
        let packed = shown.iter().all(|(uses, _)| is_data(*uses)).then(|| attributes(bytes, 4))??;
        return Some(packed).filter(|packed| packed.bytes.len() + COST < bytes.len());
    }
    let only = |is_for: Use| first_use == 1 << is_for as u8;
    let packed = if only(Use::Triangles) || only(Use::Indices) {
        let in_threes = |place: &Place| place.count % 3 == 0 && place.offset % (3 * place.size) == 0;
        let triangles = only(Use::Triangles)
            && (bytes.len() / first.size).is_multiple_of(3)
            && shown.iter().all(|(_, place)| in_threes(place));
        match first.size {
            2 => indices::<2, u16>(bytes, triangles, u16::from_le_bytes),
            4 => indices::<4, u32>(bytes, triangles, u32::from_le_bytes),
            _ => None,
        }
    } else {
        attributes(bytes, view.stride.unwrap_or(if first.size % 4 == 0 { first.size } else { 4 }))
    };
    packed.filter(|packed| packed.bytes.len() + COST < bytes.len())
}

fn attributes(bytes: &[u8], stride: usize) -> Option<Packed> {
    if !stride.is_multiple_of(4) || stride > 256 {
        return None;
    }
    let count = bytes.len().div_ceil(stride);
    let mut padded = bytes.to_vec();
    padded.resize(count * stride, 0);
    let mut packed = vec![0; codec::encode_vertex_buffer_bound(count, stride).ok()?];
    let room = packed.len();
    // Version 0 is the one of the extension.
    let length =
        codec::encode_vertex_buffer_level(&mut packed, room, &padded, count, stride, LEVEL, 0).ok()?;
    packed.truncate(length);
    Some(Packed { bytes: packed, stride, count, mode: "ATTRIBUTES" })
}

/// How hard the encoder tries.
const LEVEL: i32 = 2;

fn indices<const N: usize, T: codec::IndexType>(
    bytes: &[u8],
    triangles: bool,
    number: fn([u8; N]) -> T,
) -> Option<Packed> {
    let (chunks, _) = bytes.as_chunks::<N>();
    let list: Vec<T> = chunks.iter().map(|chunk| number(*chunk)).collect();
    let count = list.len();
    // Indices of 32 bits at most.
    let most = usize::try_from(u32::MAX).ok()?;
    let bound = if triangles {
        codec::encode_index_buffer_bound(count, most).ok()?
    } else {
        codec::encode_index_sequence_bound(count, most)
    };
    let mut packed = vec![0; bound];
    let length = if triangles {
        codec::encode_index_buffer(&mut packed, bound, &list, count)
    } else {
        codec::encode_index_sequence(&mut packed, bound, &list, count)
    };
    packed.truncate(length.ok()?);
    let mode = if triangles { "TRIANGLES" } else { "INDICES" };
    Some(Packed { bytes: packed, stride: N, count, mode })
}
