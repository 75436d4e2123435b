//! Buffers and views: every byte that is decoded later comes from here.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::error::{Failure, LoadError};
use crate::limits::{Budget, Limits};
use crate::meshopt;
use crate::place::Place;
use crate::resolver::{Refusal, ResolveError, Resolver};
use crate::schema::accessor::{Buffer, BufferView};
use crate::schema::{Index, Size};
use crate::uri::DataUri;

/// The buffers of a file, borrowed from its bytes where they lie in them.
#[derive(Debug)]
pub(crate) struct Buffers<'a> {
    /// `None`: nobody says where the bytes are, which matters when they are needed.
    buffers: Vec<Option<Cow<'a, [u8]>>>,
    views: &'a [BufferView<'a>],
    /// Compressed views, once something has asked for them.
    decompressed: Vec<OnceCell<Vec<u8>>>,
}

/// The bytes of a view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) bytes: &'a [u8],
    /// Bytes from one element to the next; `None`: they lie side by side.
    pub(crate) stride: Option<usize>,
}

impl<'a> Buffers<'a> {
    pub(crate) fn load(
        buffers: &'a [Buffer<'a>],
        views: &'a [BufferView<'a>],
        bin: Option<&'a [u8]>,
        resolver: &dyn Resolver,
        limits: &Limits,
    ) -> Result<Self, Failure> {
        let list = Place::list("buffers");
        let load = |(index, buffer): (usize, &'a Buffer<'a>)| {
            let bin = if index == 0 { bin } else { None };
            load_buffer(buffer, bin, resolver, limits, &list.item(index))
        };
        Ok(Self {
            buffers: buffers.iter().enumerate().map(load).collect::<Result<_, _>>()?,
            views,
            decompressed: vec![OnceCell::new(); views.len()],
        })
    }

    /// Bytes of all buffers together.
    pub(crate) fn size(&self) -> u64 {
        self.buffers.iter().flatten().map(|buffer| buffer.len() as u64).sum()
    }

    /// The bytes of a view, decompressed if need be; `used_at` is the place that names it.
    pub(crate) fn view(
        &self,
        index: Index,
        budget: &Budget,
        used_at: &Place<'_>,
    ) -> Result<View<'_>, Failure> {
        let index = used_at.index(index.get(), "bufferViews", self.views.len())?;
        let view = &self.views[index];
        let list = Place::list("bufferViews");
        let place = list.item(index);
        // A stride of 0 is no valid value; it is read as "not given".
        let stride = view.byte_stride.map(Size::get).filter(|&stride| stride != 0);
        let Some(compressed) = view.extensions.meshopt() else {
            let bytes = self.slice(view.buffer, view.byte_offset, view.byte_length, &place)?;
            return Ok(View { bytes, stride });
        };
        if let Some(bytes) = self.decompressed[index].get() {
            return Ok(View { bytes, stride });
        }
        let extensions = place.field("extensions");
        let place = extensions.field("EXT_meshopt_compression");
        let source = self.slice(compressed.buffer, compressed.byte_offset, compressed.byte_length, &place)?;
        let decoded = meshopt::decode(compressed, source, view.byte_length, budget, &place)?;
        Ok(View { bytes: self.decompressed[index].get_or_init(|| decoded), stride })
    }

    fn slice(&self, buffer: Index, offset: Size, length: Size, place: &Place<'_>) -> Result<&[u8], Failure> {
        let buffer = place.field("buffer").index(buffer.get(), "buffers", self.buffers.len())?;
        let Some(bytes) = &self.buffers[buffer] else {
            return Err(without_bytes(&Place::list("buffers").item(buffer)));
        };
        let end = offset.0.checked_add(length.0).and_then(|end| usize::try_from(end).ok());
        end.and_then(|end| bytes.get(offset.get()..end)).ok_or_else(|| {
            let found = format_args!("byteOffset {} and byteLength {}", offset.0, length.0);
            place.invalid(found, format_args!("a part of buffer {buffer}, which has {} bytes", bytes.len()))
        })
    }
}

/// What is said of a buffer whose bytes are needed and are nowhere.
fn without_bytes(place: &Place<'_>) -> Failure {
    place.invalid("no uri", "a uri, or the BIN chunk of a .glb for the first buffer")
}

/// The bytes of a buffer, as many as it says.
pub(crate) fn load_buffer<'a>(
    buffer: &'a Buffer<'a>,
    bin: Option<&'a [u8]>,
    resolver: &dyn Resolver,
    limits: &Limits,
    place: &Place<'_>,
) -> Result<Option<Cow<'a, [u8]>>, Failure> {
    let bytes = match &buffer.uri {
        Some(uri) => Cow::Owned(read_uri(&uri.0, resolver, limits, &place.field("uri"))?),
        None => match bin {
            Some(bin) => Cow::Borrowed(bin),
            None if buffer.extensions.is_fallback() => {
                return Ok(Some(Cow::Borrowed(&[])));
            }
            None => return Ok(None),
        },
    };
    let length = buffer.byte_length;
    if length.0 > bytes.len() as u64 {
        let found = format_args!("byteLength {}", length.0);
        return Err(place.invalid(found, format_args!("at most {}: there are no more bytes", bytes.len())));
    }
    // What lies behind is padding: no view may show it.
    Ok(Some(match bytes {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..length.get()]),
        Cow::Owned(mut bytes) => {
            bytes.truncate(length.get());
            Cow::Owned(bytes)
        }
    }))
}

/// The bytes of a data URI or of a file.
pub(crate) fn read_uri(
    uri: &str,
    resolver: &dyn Resolver,
    limits: &Limits,
    place: &Place<'_>,
) -> Result<Vec<u8>, Failure> {
    let bytes = match DataUri::parse(uri) {
        Some(data) if data.size() / 4 * 3 > limits.file_bytes => {
            Err(ResolveError::new(uri, Refusal::TooLarge { found: data.size(), limit: limits.file_bytes }))
        }
        Some(data) => data.decode().map_err(|reason| ResolveError::new(uri, reason)),
        None => resolver.read(uri, limits.file_bytes),
    };
    bytes.map_err(|source| LoadError::Resource { place: place.to_string(), source }.into())
}
