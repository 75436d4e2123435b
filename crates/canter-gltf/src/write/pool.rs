//! New data: accessors that are added, and the views in which they lie.

use super::document::Document;
use super::error::WriteError;
use super::json::Json;
use crate::accessor::{Component, Format, Kind};

/// What new data is for. Data of different kinds must not share a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Purpose {
    /// Keys.
    Data,
    Vertices,
    Indices,
}

/// What an accessor shows. Equal ones are one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AccessorKey {
    pub(crate) purpose: Purpose,
    pub(crate) component: Component,
    pub(crate) kind: Kind,
    pub(crate) normalized: bool,
    /// Smallest and largest elements are given.
    pub(crate) bounds: bool,
    pub(crate) bytes: Vec<u8>,
}

impl AccessorKey {
    pub(crate) fn new(component: Component, kind: Kind, normalized: bool, bytes: Vec<u8>) -> Self {
        Self { purpose: Purpose::Data, component, kind, normalized, bounds: false, bytes }
    }

    pub(crate) fn floats(kind: Kind, numbers: &[f32]) -> Self {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        Self::new(Component::F32, kind, false, bytes)
    }

    /// Fractions from -1 to 1 in 16 bits.
    pub(crate) fn fractions(kind: Kind, numbers: &[i16]) -> Self {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        Self::new(Component::I16, kind, true, bytes)
    }

    pub(crate) fn for_vertices(self) -> Self {
        Self { purpose: Purpose::Vertices, ..self }
    }

    pub(crate) fn for_indices(self) -> Self {
        Self { purpose: Purpose::Indices, ..self }
    }

    pub(crate) fn with_bounds(self) -> Self {
        Self { bounds: true, ..self }
    }

    fn element_bytes(&self) -> usize {
        Format { kind: self.kind, component: self.component, normalized: self.normalized }.size()
    }

    fn json(&self, view: usize, offset: usize) -> Json<'static> {
        let mut json = Json::object().with("bufferView", view);
        if offset > 0 {
            json.set("byteOffset", offset);
        }
        json.set("componentType", self.component.code());
        if self.normalized {
            json.set("normalized", true);
        }
        json.set("count", self.bytes.len() / self.element_bytes());
        json.set("type", self.kind.to_string().as_str());
        if self.bounds && self.component == Component::F32 {
            let (least, most) = bounds(&self.bytes, self.kind.lanes());
            json.set("min", least);
            json.set("max", most);
        }
        json
    }
}

const ARRAY_BUFFER: usize = 34962;
const ELEMENT_ARRAY_BUFFER: usize = 34963;

/// The smallest and the largest number of each lane.
fn bounds(bytes: &[u8], lanes: usize) -> (Vec<f32>, Vec<f32>) {
    let (mut least, mut most) = (vec![f32::INFINITY; lanes], vec![f32::NEG_INFINITY; lanes]);
    let (numbers, _) = bytes.as_chunks::<4>();
    for (index, number) in numbers.iter().enumerate() {
        let (lane, number) = (index % lanes, f32::from_le_bytes(*number));
        least[lane] = least[lane].min(number);
        most[lane] = most[lane].max(number);
    }
    (least, most)
}

/// A view that is being filled.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    purpose: Purpose,
    element_bytes: usize,
    view: usize,
    bytes: Vec<u8>,
}

impl Document<'_> {
    /// The index of an accessor that shows these bytes: a new one, or one that was added before.
    pub(super) fn add_accessor(&mut self, key: AccessorKey) -> usize {
        if let Some(&index) = self.added.get(&key) {
            return index;
        }
        let element_bytes = key.element_bytes();
        let is_it = |pool: &Pool| (pool.purpose, pool.element_bytes) == (key.purpose, element_bytes);
        let pool = match self.pools.iter().position(is_it) {
            Some(pool) => pool,
            None => {
                let views = self.json.list("bufferViews");
                views.push(Json::object());
                let (view, purpose) = (views.len() - 1, key.purpose);
                self.pools.push(Pool { purpose, element_bytes, view, bytes: Vec::new() });
                self.pools.len() - 1
            }
        };
        let pool = &mut self.pools[pool];
        let json = key.json(pool.view, pool.bytes.len());
        if key.purpose == Purpose::Vertices {
            // Every vertex starts at a multiple of four.
            for element in key.bytes.chunks(element_bytes) {
                pool.bytes.extend_from_slice(element);
                pool.bytes.resize(pool.bytes.len().next_multiple_of(4), 0);
            }
        } else {
            pool.bytes.extend_from_slice(&key.bytes);
            pool.bytes.resize(pool.bytes.len().next_multiple_of(4), 0);
        }
        let accessors = self.json.list("accessors");
        accessors.push(json);
        let index = accessors.len() - 1;
        self.added.insert(key, index);
        index
    }

    /// Puts new data into a buffer.
    pub(super) fn flush(&mut self) -> Result<(), WriteError> {
        if self.pools.is_empty() {
            return Ok(());
        }
        self.added.clear();
        let buffer = self.writable_buffer();
        for pool in std::mem::take(&mut self.pools) {
            let content = self.buffers[buffer].content.to_mut();
            content.resize(content.len().next_multiple_of(4), 0);
            let (offset, length) = (content.len(), pool.bytes.len());
            content.extend_from_slice(&pool.bytes);
            if u32::try_from(content.len()).is_err() {
                return Err(WriteError::TooLarge);
            }
            let view = &mut self.json.list("bufferViews")[pool.view];
            view.set("buffer", buffer);
            view.set("byteOffset", offset);
            view.set("byteLength", length);
            match pool.purpose {
                Purpose::Data => {}
                Purpose::Vertices => {
                    view.set("byteStride", pool.element_bytes.next_multiple_of(4));
                    view.set("target", ARRAY_BUFFER);
                }
                Purpose::Indices => view.set("target", ELEMENT_ARRAY_BUFFER),
            }
        }
        self.buffers[buffer].is_changed = true;
        Ok(())
    }
}
