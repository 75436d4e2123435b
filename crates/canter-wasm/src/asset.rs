//! A loaded file.

use std::cell::RefCell;
use std::sync::Arc;

use canter::{AdditiveError, AdditiveReference, Clip, JointId, MarkerName, TrackTarget};
#[cfg(feature = "meshes")]
use canter_gltf::Primitive;
use canter_gltf::{AddClipsError, Asset, Limits, LoadError, LoadOptions, bind_clips};

use crate::host::Host;

/// A file, and the clips that can be played on its skeleton: its own first, then those of other files.
pub(crate) struct LoadedAsset {
    pub(crate) gltf: Asset,
    pub(crate) clips: RefCell<Vec<Arc<Clip>>>,
    /// The joint whose way was taken out of the clips.
    pub(crate) root: Option<JointId>,
    /// The names of markers that JavaScript has; their places never change.
    pub(crate) names: RefCell<Vec<MarkerName>>,
}

/// Half of what a page may have. A file that asks for more would end the module, not only fail.
const MOST_BYTES: u64 = 1 << 30;

impl LoadedAsset {
    pub(crate) fn load(
        bytes: &[u8],
        files: &[(String, Vec<u8>)],
        options: LoadOptions,
    ) -> Result<Self, LoadError> {
        let mut limits = Limits::default();
        (limits.file_bytes, limits.memory_bytes) = (MOST_BYTES, MOST_BYTES);
        let find = |uri: &str| files.iter().find(|(name, _)| name == uri).map(|(_, bytes)| bytes.clone());
        let gltf = canter_gltf::load_bytes_with(bytes, &find, &options.with_limits(limits))?;
        let clips = RefCell::new(gltf.clips.clone());
        Ok(Self { gltf, clips, root: None, names: RefCell::default() })
    }

    pub(crate) fn clip(&self, index: u32) -> Option<Arc<Clip>> {
        self.clips.borrow().get(index as usize).cloned()
    }

    /// Binds the clips of another file to this skeleton, by the names of joints.
    fn add_clips(&self, other: &Self) -> Result<(), AddClipsError> {
        let bound = bind_clips(&other.clips.borrow(), &other.gltf.skeleton, &self.gltf.skeleton)?;
        self.clips.borrow_mut().extend(bound.0);
        Ok(())
    }

    /// Adds the differences of a clip from a reference pose as a further clip. The kinds of references are
    /// those of `packages/canter/src/additive.ts`.
    fn add_additive(&self, clip: &Clip, kind: u32, other: &Clip, secs: f32) -> Result<(), AdditiveError> {
        let reference = match kind {
            0 => AdditiveReference::Rest,
            1 => AdditiveReference::FirstKey,
            _ => AdditiveReference::Clip { clip: other, secs },
        };
        let additive = clip.additive(reference)?;
        self.clips.borrow_mut().push(Arc::new(additive));
        Ok(())
    }

    /// A byte for each joint, then for each set of morph targets: whether the clip has a track for it.
    fn clip_tracks(&self, clip: &Clip) -> Vec<u8> {
        let skeleton = &self.gltf.skeleton;
        let mut has_track = vec![0; skeleton.joint_count() + skeleton.morphs().count()];
        for target in clip.targets() {
            has_track[match target {
                TrackTarget::Joint(joint, _) => joint.index(),
                TrackTarget::Morph(morph) => skeleton.joint_count() + morph.index(),
            }] = 1;
        }
        has_track
    }

    /// Address and count of the numbers of a list of vertices.
    #[cfg(feature = "meshes")]
    fn vertices(&self, mesh: u32, primitive: u32, kind: u32, set: u32) -> Option<(usize, usize)> {
        let primitive = self.gltf.meshes.get(mesh as usize)?.primitives.get(primitive as usize)?;
        list(primitive, kind, set as usize)
    }
}

/// The kinds are those of `packages/canter/src/asset-parts.ts`.
#[cfg(feature = "meshes")]
fn list(primitive: &Primitive, kind: u32, set: usize) -> Option<(usize, usize)> {
    match kind {
        0 => Some(place(&primitive.indices, 1)),
        1 => Some(place(&primitive.positions, 3)),
        2 => Some(place(&primitive.normals, 3)),
        3 => Some(place(&primitive.tangents, 4)),
        4 => Some(place(&primitive.colors, 4)),
        5 => Some(place(primitive.tex_coords.get(set)?, 2)),
        6 => Some(place(&primitive.influences.get(set)?.joints, 4)),
        7 => Some(place(&primitive.influences.get(set)?.weights, 4)),
        8 => Some(place(&primitive.targets.get(set)?.positions, 3)),
        9 => Some(place(&primitive.targets.get(set)?.normals, 3)),
        _ => None,
    }
}

#[cfg(feature = "meshes")]
fn place<T>(list: &[T], numbers: usize) -> (usize, usize) {
    (list.as_ptr().addr(), numbers * list.len())
}

impl Host {
    /// Loads what is in the input. 0 if it cannot be loaded; the output then says why.
    pub(crate) fn load(&mut self, options: LoadOptions) -> u32 {
        let (bytes, files) = (self.take_input(), std::mem::take(&mut self.files));
        match LoadedAsset::load(&bytes, &files, options) {
            Ok(asset) => self.assets.insert(asset.into()),
            Err(error) => {
                self.put_output(error.to_string().into_bytes());
                0
            }
        }
    }

    /// Keeps a file that the next .gltf may name: the input is its name, then its bytes.
    pub(crate) fn add_file(&mut self, name_len: usize) {
        let mut name = self.take_input();
        let bytes = name.split_off(name_len.min(name.len()));
        self.files.push((String::from_utf8_lossy(&name).into_owned(), bytes));
    }

    pub(crate) fn describe(&mut self, asset: u32) {
        let description = self.assets.get(asset).map(|asset| asset.describe());
        self.put_output(description.unwrap_or_default());
    }

    /// The same for what may change: what clips tell of, and warnings.
    pub(crate) fn describe_clips(&mut self, asset: u32) {
        let description = self.assets.get(asset).map(|asset| asset.describe_clips());
        self.put_output(description.unwrap_or_default());
    }

    pub(crate) fn clip_tracks(&mut self, asset: u32, clip: u32) {
        let asset = self.assets.get(asset);
        let has_track = asset.and_then(|asset| Some(asset.clip_tracks(&*asset.clip(clip)?)));
        self.put_output(has_track.unwrap_or_default());
    }

    /// Whether all clips of another file were added; if not, the output says why.
    pub(crate) fn add_clips(&mut self, asset: u32, other: u32) -> bool {
        let (Some(asset), Some(other)) = (self.assets.get(asset), self.assets.get(other)) else {
            return false;
        };
        let added = asset.add_clips(other).map_err(|error| error.to_string());
        self.tell(added)
    }

    /// Whether the differences of a clip were added as a further one; if not, the output says why.
    pub(crate) fn add_additive(&mut self, asset: u32, clip: u32, kind: u32, other: u32, secs: f32) -> bool {
        let Some(asset) = self.assets.get(asset) else { return false };
        let (Some(clip), Some(other)) = (asset.clip(clip), asset.clip(other)) else { return false };
        let added = asset.add_additive(&clip, kind, &other, secs).map_err(|error| error.to_string());
        self.tell(added)
    }

    pub(crate) fn tell(&mut self, result: Result<(), String>) -> bool {
        let is_ok = result.is_ok();
        if let Err(error) = result {
            self.put_output(error.into_bytes());
        }
        is_ok
    }

    #[cfg(feature = "meshes")]
    pub(crate) fn vertices(&mut self, asset: u32, mesh: u32, primitive: u32, kind: u32, set: u32) {
        let list = self.assets.get(asset).and_then(|asset| asset.vertices(mesh, primitive, kind, set));
        let (address, len) = list.unwrap_or((0, 0));
        self.put_place(address, len);
    }

    #[cfg(feature = "meshes")]
    pub(crate) fn image(&mut self, asset: u32, image: u32) {
        let image = self.assets.get(asset).and_then(|asset| asset.gltf.images.get(image as usize));
        let (address, len) = image.map_or((0, 0), |image| place(&image.bytes, 1));
        self.put_place(address, len);
    }
}
