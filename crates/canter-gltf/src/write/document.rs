//! A file that can be changed and written again.

use std::borrow::Cow;
use std::collections::HashMap;

use super::buffer::{Buffer, Origin};
use super::error::WriteError;
use super::extensions;
use super::json::{Json, compact};
use super::pool::{AccessorKey, Pool};
use crate::error::{Failure, LoadError};
use crate::load::split;
use crate::options::LoadOptions;
use crate::place::Place;
use crate::resolver::Resolver;
use crate::uri::percent_encode;
use crate::warning::Report;
use crate::{buffers, glb, schema};

/// A .glb or .gltf file that can be changed and written again.
///
/// It is the original, patched: the JSON is kept with everything that Canter does not know, numbers as they
/// were written, and what is new comes behind what is there. Nothing is renumbered or taken away, but by
/// [`prune`](Self::prune).
///
/// ```no_run
/// use canter_gltf::{Document, Folder, LoadOptions};
///
/// let bytes = std::fs::read("hero.glb")?;
/// let asset = canter_gltf::load("hero.glb")?;
/// let mut document = Document::parse(&bytes, &Folder::new("."), &LoadOptions::default())?;
/// document.add_animation(&asset.clips[0], &asset)?;
/// std::fs::write("more.glb", document.to_glb()?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(super) json: Json<'a>,
    pub(super) buffers: Vec<Buffer<'a>>,
    more_chunks: &'a [u8],
    is_binary: bool,
    is_compact: bool,
    /// New data, one view for each size of elements.
    pub(super) pools: Vec<Pool>,
    /// New accessors by what they show: equal ones are one.
    pub(super) added: HashMap<AccessorKey, usize>,
}

/// A .gltf with the files that belong to it.
#[derive(Clone, Debug)]
pub struct GltfFiles {
    /// The .gltf itself.
    pub json: Vec<u8>,
    /// Files to be written beside it: name and content.
    pub new: Vec<(String, Vec<u8>)>,
}

impl<'a> Document<'a> {
    /// Reads a file, and the buffers that it names.
    ///
    /// # Errors
    /// If it is no glTF, or a buffer cannot be read. Whether it can be played is for
    /// [`load`](crate::load()) to say.
    pub fn parse(bytes: &'a [u8], resolver: &dyn Resolver, options: &LoadOptions) -> Result<Self, LoadError> {
        Self::read(bytes, resolver, options).map_err(|failure| *failure)
    }

    fn read(bytes: &'a [u8], resolver: &dyn Resolver, options: &LoadOptions) -> Result<Self, Failure> {
        let (json, bin) = split(bytes, &Report::default())?;
        let document = schema::parse(json)?;
        let list = Place::list("buffers");
        let mut loaded = Vec::with_capacity(document.buffers.len());
        for (index, buffer) in document.buffers.iter().enumerate() {
            let bin = bin.filter(|_| index == 0);
            let place = list.item(index);
            let content = buffers::load_buffer(buffer, bin, resolver, &options.limits, &place)?;
            // Whether bytes that are nowhere are needed is for loading to say.
            let content = content.unwrap_or_default();
            // It borrows from the text that the schema was read from, or is a copy.
            let content = match (content, bin) {
                (Cow::Borrowed(slice), Some(bin)) => Cow::Borrowed(&bin[..slice.len()]),
                (content, _) => Cow::Owned(content.into_owned()),
            };
            let origin = Origin::of(buffer.uri.as_ref().map(|uri| uri.0.as_ref()), bin.is_some());
            loaded.push(Buffer { content, origin, is_changed: false });
        }
        let more_chunks =
            if glb::is_glb(bytes) { glb::split(bytes)?.more_chunks } else { Default::default() };
        Ok(Self {
            json: Json::new(json),
            buffers: loaded,
            more_chunks,
            is_binary: glb::is_glb(bytes),
            is_compact: false,
            pools: Vec::new(),
            added: HashMap::new(),
        })
    }

    /// Whether it was read from a .glb.
    #[must_use]
    pub fn is_binary(&self) -> bool {
        self.is_binary
    }

    /// Leaves out white space between values when the JSON is written.
    pub fn compact(&mut self) {
        self.is_compact = true;
    }

    /// The URIs of all files that are named and not changed: they must lie beside what is written.
    #[must_use]
    pub fn files_beside(&mut self) -> Vec<String> {
        self.uris(true)
    }

    fn uris(&mut self, only_unchanged: bool) -> Vec<String> {
        let mut uris = Vec::new();
        for list in ["buffers", "images"] {
            for (index, entry) in self.json.each(list).iter_mut().enumerate() {
                let is_changed = list == "buffers" && self.buffers[index].is_changed;
                let uri = entry.text_at(&["uri"]).filter(|uri| !is_data(uri));
                uris.extend(uri.filter(|_| !(only_unchanged && is_changed)));
            }
        }
        uris
    }

    /// The bytes of a .glb: all buffers become its binary chunk, or part of the JSON where extensions that are not
    /// known here may name them.
    ///
    /// # Errors
    /// If it would have 4 GiB or more.
    pub fn to_glb(&self) -> Result<Vec<u8>, WriteError> {
        let mut copy = self.clone();
        copy.flush()?;
        let has_several = copy.buffers.iter().filter(|buffer| buffer.origin != Origin::Nowhere).count() > 1;
        if has_several && extensions::with_indices(&copy.json.to_text()).is_empty() {
            copy.merge_buffers();
            copy.drop_buffers();
        }
        let has_bin = copy.buffers.first().is_some_and(|buffer| buffer.origin != Origin::Nowhere);
        for index in 0..copy.buffers.len() {
            let is_bin = index == 0 && has_bin;
            copy.describe_buffer(index, if is_bin { Origin::Bin } else { Origin::Data }, None);
        }
        let bin = copy.buffers.first().filter(|_| has_bin).map(|buffer| buffer.content.as_ref());
        glb::join(&copy.json_text(), bin, self.more_chunks).ok_or(WriteError::TooLarge)
    }

    /// The text of a .gltf, with files for the buffers that are new or changed, named after `stem`.
    ///
    /// # Errors
    /// If it would have a buffer of 4 GiB or more.
    pub fn to_gltf(&self, stem: &str) -> Result<GltfFiles, WriteError> {
        let mut copy = self.clone();
        copy.flush()?;
        // No file is written over that the original names.
        let mut taken = self.clone().uris(false);
        let mut new = Vec::new();
        for index in 0..copy.buffers.len() {
            let origin = copy.buffers[index].origin;
            if origin == Origin::Bin || (origin == Origin::File && copy.buffers[index].is_changed) {
                let names = (0_usize..).map(|number| match number {
                    0 => format!("{stem}.bin"),
                    number => format!("{stem}-{number}.bin"),
                });
                let name =
                    names.into_iter().find(|name| !taken.contains(&percent_encode(name))).unwrap_or_default();
                taken.push(percent_encode(&name));
                copy.describe_buffer(index, Origin::File, Some(&name));
                new.push((name, std::mem::take(&mut copy.buffers[index].content).into_owned()));
            } else {
                copy.describe_buffer(index, origin, None);
            }
        }
        Ok(GltfFiles { json: copy.json_text(), new })
    }

    fn json_text(&self) -> Vec<u8> {
        let text = self.json.to_text();
        if self.is_compact { compact(&text) } else { text }
    }

    /// Adds names to `extensionsUsed`, and to `extensionsRequired` if the file cannot be read without them.
    pub(super) fn use_extension(&mut self, name: &str, is_required: bool) {
        let lists = ["extensionsUsed", "extensionsRequired"];
        for list in &lists[..if is_required { 2 } else { 1 }] {
            let quoted = Json::text(name);
            let items = self.json.list(list);
            if items.iter().all(|item| item.to_text() != quoted.to_text()) {
                items.push(quoted);
            }
        }
    }
}

pub(super) fn is_data(uri: &str) -> bool {
    crate::uri::DataUri::parse(uri).is_some()
}
