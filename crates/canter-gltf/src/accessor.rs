//! Accessors: the one way from the bytes of a file to numbers.
//!
//! An [`Accessor`] exists only if all its elements lie inside their views, so that reading cannot fail;
//! memory is asked of the budget before it is allocated.

use std::cell::Cell;

use bytemuck::Pod;
use canter::FloatText;
use canter::glam::{Mat4, Vec2, Vec3, Vec4};

use crate::buffers::Buffers;
use crate::error::Failure;
use crate::limits::Budget;
use crate::place::Place;
use crate::schema;
use crate::schema::{Index, Size};
use crate::warning::{Report, WarningCode};

mod format;

pub(crate) use format::{Component, Expected, Format, Kind};

/// The accessors of a file.
#[derive(Debug)]
pub(crate) struct Accessors<'a> {
    pub(crate) buffers: Buffers<'a>,
    pub(crate) budget: Budget,
    list: &'a [schema::accessor::Accessor<'a>],
    seen: Vec<Cell<bool>>,
}

/// A typed array in the file, checked.
#[derive(Debug)]
pub(crate) struct Accessor<'a> {
    pub(crate) index: usize,
    pub(crate) count: usize,
    pub(crate) format: Format,
    /// `None`: all zeros.
    base: Option<Elements<'a>>,
    sparse: Option<Sparse<'a>>,
    budget: &'a Budget,
}

/// Elements at equal distances.
#[derive(Clone, Copy, Debug)]
struct Elements<'a> {
    bytes: &'a [u8],
    size: usize,
    stride: usize,
}

impl<'a> Elements<'a> {
    fn get(&self, index: usize) -> &'a [u8] {
        &self.bytes[index * self.stride..][..self.size]
    }
}

/// Elements that replace some of the others.
#[derive(Debug)]
struct Sparse<'a> {
    indices: Vec<usize>,
    values: Elements<'a>,
}

/// What floats are read as.
pub(crate) trait Floats: Pod {}
impl Floats for f32 {}
impl Floats for Vec2 {}
impl Floats for Vec3 {}
impl Floats for Vec4 {}
impl Floats for Mat4 {}

impl<'a> Accessors<'a> {
    pub(crate) fn new(
        list: &'a [schema::accessor::Accessor<'a>],
        buffers: Buffers<'a>,
        budget: Budget,
    ) -> Self {
        Self { buffers, budget, list, seen: vec![Cell::new(false); list.len()] }
    }

    /// The accessor at `index`, which `used_at` names, if it has one of the expected formats.
    pub(crate) fn get(
        &self,
        index: Index,
        expected: &Expected,
        used_at: &Place<'_>,
        report: &Report,
    ) -> Result<Accessor<'_>, Failure> {
        let accessor = self.check(used_at.index(index.get(), "accessors", self.list.len())?, report)?;
        if expected.allows(accessor.format) {
            return Ok(accessor);
        }
        let found = format_args!("accessor {}, {}", accessor.index, accessor.format);
        Err(used_at.invalid(found, expected))
    }

    /// What an accessor says of its elements and their number, which may lie elsewhere.
    #[cfg(feature = "draco")]
    pub(crate) fn declared(&self, index: Index, used_at: &Place<'_>) -> Result<(Format, u64), Failure> {
        let index = used_at.index(index.get(), "accessors", self.list.len())?;
        let accessor = &self.list[index];
        let list = Place::list("accessors");
        Ok((Format::parse(accessor, &list.item(index))?, accessor.count.0))
    }

    /// Elements that were decoded, as if they were those of an accessor.
    #[cfg(feature = "draco")]
    pub(crate) fn decoded<'d>(
        &'d self,
        index: usize,
        count: usize,
        format: Format,
        bytes: &'d [u8],
    ) -> Accessor<'d> {
        let size = format.size();
        debug_assert_eq!(bytes.len(), count * size);
        self.seen[index].set(true);
        let base = Some(Elements { bytes, size, stride: size });
        Accessor { index, count, format, base, sparse: None, budget: &self.budget }
    }

    /// Checks what nothing in the file uses: it does no harm, but somebody will want to know.
    pub(crate) fn check_unused(&self, report: &Report) {
        for index in 0..self.list.len() {
            if !self.seen[index].get()
                && let Err(error) = self.check(index, report)
            {
                report.warn(
                    &Place::Root,
                    WarningCode::UnusedAccessor,
                    format_args!("{error} (nothing uses it)"),
                );
            }
        }
    }

    fn check(&self, index: usize, report: &Report) -> Result<Accessor<'_>, Failure> {
        let accessor = &self.list[index];
        let list = Place::list("accessors");
        let place = &list.item(index);
        let format = Format::parse(accessor, place)?;
        let first_time = !self.seen[index].replace(true);
        if first_time && !accessor.byte_offset.get().is_multiple_of(format.component.size()) {
            let size = format.component.size();
            report.warn(
                place,
                WarningCode::AccessorAlignment,
                format_args!("byteOffset {} is no multiple of {size}", accessor.byte_offset.0),
            );
        }
        let count = accessor.count.get();
        let base = match accessor.buffer_view {
            Some(view) => {
                let used_at = place.field("bufferView");
                Some(self.elements(view, accessor.byte_offset, accessor.count, format.size(), &used_at)?)
            }
            None => None,
        };
        let sparse = match &accessor.sparse {
            Some(sparse) => Some(self.sparse(sparse, accessor.count, format, &place.field("sparse"))?),
            None => None,
        };
        Ok(Accessor { index, count, format, base, sparse, budget: &self.budget })
    }

    fn elements(
        &self,
        view: Index,
        offset: Size,
        count: Size,
        size: usize,
        used_at: &Place<'_>,
    ) -> Result<Elements<'_>, Failure> {
        let view_data = self.buffers.view(view, &self.budget, used_at)?;
        let stride = view_data.stride.unwrap_or(size);
        if stride < size {
            let views = Place::list("bufferViews");
            let place = views.item(view.get());
            let expected = format_args!("at least {size}, the size of an element of {used_at}");
            return Err(place.field("byteStride").invalid(stride, expected));
        }
        // In 64 bits, because a forged count would wrap around; the last element need not fill its stride.
        let end = match count.0 {
            0 => Some(offset.0),
            count => (count - 1)
                .checked_mul(stride as u64)
                .and_then(|last| last.checked_add(size as u64))
                .and_then(|length| length.checked_add(offset.0)),
        };
        let end = end.and_then(|end| usize::try_from(end).ok());
        let bytes = end.and_then(|end| view_data.bytes.get(offset.get()..end)).ok_or_else(|| {
            let found =
                format_args!("{} elements of {size} bytes, {stride} apart, from byte {}", count.0, offset.0);
            used_at.invalid(
                found,
                format_args!("elements inside view {}, of {} bytes", view.get(), view_data.bytes.len()),
            )
        })?;
        Ok(Elements { bytes, size, stride })
    }

    fn sparse(
        &self,
        sparse: &schema::accessor::Sparse,
        count: Size,
        format: Format,
        place: &Place<'_>,
    ) -> Result<Sparse<'_>, Failure> {
        if sparse.count > count {
            let expected = format_args!("at most {}, the accessor's own count", count.0);
            return Err(place.field("count").invalid(sparse.count.0, expected));
        }
        let indices = &sparse.indices;
        let indices_place = place.field("indices");
        let component = Component::parse(indices.component_type, &indices_place.field("componentType"))?;
        if !matches!(component, Component::U8 | Component::U16 | Component::U32) {
            return Err(indices_place.field("componentType").invalid(component, "u8, u16 or u32"));
        }
        let raw = self.elements(
            indices.buffer_view,
            indices.byte_offset,
            sparse.count,
            component.size(),
            &indices_place.field("bufferView"),
        )?;
        let values_place = place.field("values");
        let (view, offset) = (sparse.values.buffer_view, sparse.values.byte_offset);
        let values =
            self.elements(view, offset, sparse.count, format.size(), &values_place.field("bufferView"))?;
        self.budget.take(sparse.count.0.saturating_mul(8), place)?;
        let indices = (0..sparse.count.get()).map(|entry| {
            let index = component.integer(raw.get(entry)) as usize;
            if index as u64 >= count.0 {
                let expected = format_args!("an index below {}, the accessor's own count", count.0);
                return Err(indices_place.item(entry).invalid(index, expected));
            }
            Ok(index)
        });
        Ok(Sparse { indices: indices.collect::<Result<_, _>>()?, values })
    }
}

impl Accessor<'_> {
    /// All numbers as floats, as many `T` as they make: normalised integers become fractions, other integers
    /// whole numbers.
    ///
    /// # Errors
    /// When the memory does not suffice, or when a number is not finite.
    pub(crate) fn floats<T: Floats>(&self, place: &Place<'_>) -> Result<Vec<T>, Failure> {
        let out = self.raw_floats::<T>(place)?;
        let lanes: &[f32] = bytemuck::cast_slice(&out);
        if are_finite(lanes) {
            return Ok(out);
        }
        let lane = lanes.iter().position(|lane| !lane.is_finite()).unwrap_or(0);
        let element = lane / self.format.kind.lanes();
        Err(place.invalid(
            format_args!("{} in element {element}", FloatText(lanes[lane].into())),
            "finite numbers",
        ))
    }

    /// As [`Self::floats`], with a zero in place of every number that is not finite, and the count of these.
    pub(crate) fn finite_floats<T: Floats>(&self, place: &Place<'_>) -> Result<(Vec<T>, usize), Failure> {
        let mut out = self.raw_floats::<T>(place)?;
        let lanes: &mut [f32] = bytemuck::cast_slice_mut(&mut out);
        let mut replaced = 0;
        if !are_finite(lanes) {
            for lane in lanes.iter_mut().filter(|lane| !lane.is_finite()) {
                *lane = 0.0;
                replaced += 1;
            }
        }
        Ok((out, replaced))
    }

    fn raw_floats<T: Floats>(&self, place: &Place<'_>) -> Result<Vec<T>, Failure> {
        if let (Some(base), None, Component::F32) = (self.base, &self.sparse, self.format.component)
            && cfg!(target_endian = "little")
            && base.stride == base.size
        {
            // The bytes are what is wanted, side by side, and mostly where floats may lie.
            self.take_memory::<f32>(place)?;
            return Ok(match bytemuck::try_cast_slice(base.bytes) {
                Ok(floats) => floats.to_vec(),
                Err(_) => base.bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect(),
            });
        }
        let mut out = self.zeros::<f32, T>(place)?;
        self.fill_floats(bytemuck::cast_slice_mut(&mut out));
        Ok(out)
    }

    fn fill_floats(&self, out: &mut [f32]) {
        let Format { component, normalized, .. } = self.format;
        let read = |bytes: &[u8]| if normalized { component.fraction(bytes) } else { component.whole(bytes) };
        match component.size() {
            1 => self.fill(out, |bytes: &[u8; 1]| read(bytes)),
            2 => self.fill(out, |bytes: &[u8; 2]| read(bytes)),
            _ => self.fill(out, |bytes: &[u8; 4]| read(bytes)),
        }
    }

    /// All elements of a list of indices.
    pub(crate) fn indices(&self, place: &Place<'_>) -> Result<Vec<u32>, Failure> {
        let mut out = self.zeros::<u32, u32>(place)?;
        match self.format.component {
            Component::U32 => self.fill(&mut out, |bytes| u32::from_le_bytes(*bytes)),
            Component::U16 => self.fill(&mut out, |bytes| u16::from_le_bytes(*bytes).into()),
            _ => self.fill(&mut out, |[byte]| (*byte).into()),
        }
        Ok(out)
    }

    /// All elements of a `JOINTS_n` attribute.
    pub(crate) fn joints(&self, place: &Place<'_>) -> Result<Vec<[u16; 4]>, Failure> {
        let mut out = self.zeros::<u16, [u16; 4]>(place)?;
        let lanes: &mut [u16] = bytemuck::cast_slice_mut(&mut out);
        match self.format.component {
            Component::U16 => self.fill(lanes, |bytes| u16::from_le_bytes(*bytes)),
            _ => self.fill(lanes, |[byte]| (*byte).into()),
        }
        Ok(out)
    }

    /// Asks for the memory of all components as `L`.
    fn take_memory<L>(&self, place: &Place<'_>) -> Result<(), Failure> {
        let element_bytes = (self.format.kind.lanes() * size_of::<L>()) as u64;
        self.budget.take((self.count as u64).saturating_mul(element_bytes), place)
    }

    /// Room for all components as `L`, some of which make a `T`.
    fn zeros<L, T: Pod>(&self, place: &Place<'_>) -> Result<Vec<T>, Failure> {
        self.take_memory::<L>(place)?;
        let lanes = self.count * self.format.kind.lanes();
        Ok(bytemuck::allocation::zeroed_vec(lanes / (size_of::<T>() / size_of::<L>())))
    }

    /// Writes all components, of `N` bytes each, in order, into `out`.
    fn fill<L: Pod, const N: usize>(&self, out: &mut [L], read: impl Fn(&[u8; N]) -> L) {
        let lanes = self.format.kind.lanes();
        let write = |out: &mut [L], bytes: &[u8]| {
            for (lane, bytes) in out.iter_mut().zip(bytes.as_chunks::<N>().0) {
                *lane = read(bytes);
            }
        };
        match self.base {
            // One element behind the other, so that many are read at once.
            Some(base) if base.stride == lanes * N => write(out, base.bytes),
            Some(base) => {
                for (index, out) in out.chunks_exact_mut(lanes).enumerate() {
                    write(out, base.get(index));
                }
            }
            None => {}
        }
        if let Some(sparse) = &self.sparse {
            for (entry, &index) in sparse.indices.iter().enumerate() {
                write(&mut out[index * lanes..][..lanes], sparse.values.get(entry));
            }
        }
    }
}

/// Without an early end, so that many are looked at at once.
fn are_finite(lanes: &[f32]) -> bool {
    lanes.iter().fold(true, |finite, lane| finite & lane.is_finite())
}
