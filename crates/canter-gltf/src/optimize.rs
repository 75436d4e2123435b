//! Smaller files: animation first, with a bound on how far anything moves, and a measure of how far it did.
//!
//! - [`motion`] and [`rig`]: clips and joints in double precision; [`measure`] compares two clips by them.
//! - [`lever`]: how far a change of a track moves what hangs on it.
//! - [`keys`]: which keys are needed; [`share`]: which tracks share their times.
//! - [`compare`]: two files, whoever wrote them.
//! - [`clip`]: all of that, with less leeway until the measure is within the bound.

mod clip;
mod compare;
mod keys;
mod lever;
mod measure;
mod motion;
mod rig;
mod share;

use canter::Clip;

use crate::load::load_bytes_with;
use crate::options::LoadOptions;
use crate::resolver::Resolver;
use crate::write::{Document, WriteError};
use clip::Reducer;
pub use compare::{ClipDistance, compare};
use motion::Motion;
use rig::Rig;

/// What [`optimize`] may do.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct OptimizeOptions {
    /// How far anything may be off, in millimetres: points 3 cm around every joint, and meshes that hang on nodes.
    pub error_mm: f64,
    /// The unit of the file in metres. The specification says 1; some files are in centimetres.
    pub metres_per_unit: f64,
    /// Whether buffers are compressed by `EXT_meshopt_compression`, which readers must know then.
    pub meshopt: bool,
    /// Whether vertices get fewer bits: normals, tangents and colours 8, texture coordinates 16, weights 8. Readers
    /// must know `KHR_mesh_quantization` then. Positions keep theirs.
    pub quantize: bool,
    /// How to load the file.
    pub load: LoadOptions,
}

impl Default for OptimizeOptions {
    fn default() -> Self {
        Self {
            error_mm: 0.1,
            metres_per_unit: 1.0,
            meshopt: false,
            quantize: false,
            load: LoadOptions::default(),
        }
    }
}

/// A file that was made smaller.
#[derive(Debug)]
#[non_exhaustive]
pub struct Optimized<'a> {
    /// What is to be written: the smaller file, or the original one where nothing could be gained.
    pub document: Document<'a>,
    /// What became of the clips, in the file's order.
    pub clips: Vec<ClipReport>,
    /// Bytes of the original as one .glb.
    pub bytes_before: u64,
    /// Bytes of what is to be written as one .glb.
    pub bytes_after: u64,
    /// From one end to the other of where its joints are at rest, along the longest axis, in units of the file.
    pub height: f64,
    /// Why the file is as it was, if it is.
    pub unchanged: Option<Unchanged>,
}

/// Why a file was left as it is.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unchanged {
    /// It would not be smaller.
    NotSmaller,
    /// It has extensions that may hold indices, which would be others.
    UnknownExtensions(Vec<String>),
}

/// What became of a clip.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClipReport {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its tracks, before and after.
    pub tracks: [usize; 2],
    /// The keys of all tracks, before and after.
    pub keys: [usize; 2],
    /// Bytes of its JSON and of the data that it shows, before and after. Data that clips share counts for each.
    pub bytes: [usize; 2],
    /// How far anything is off, measured in what is to be written.
    pub error_mm: f64,
}

/// Makes a file smaller; see [`OptimizeOptions`].
///
/// Clips lose keys that interpolation restores, tracks that do nothing, and bits that nobody sees; tracks share
/// the times of their keys. What is measured afterwards is what a reader of the result plays. Extensions, extras,
/// names and everything else stay. The result is never larger.
///
/// # Errors
/// If the file does not load.
pub fn optimize<'a>(
    bytes: &'a [u8],
    resolver: &dyn Resolver,
    options: &OptimizeOptions,
) -> Result<Optimized<'a>, WriteError> {
    let load = LoadOptions { images: false, root_motion: false, ..options.load };
    let asset = load_bytes_with(bytes, resolver, &load)?;
    let original = Document::parse(bytes, resolver, &load)?;
    let before = original.to_glb()?.len() as u64;
    let rig = Rig::new(&asset, options.metres_per_unit);
    let units_per_mm = 0.001 / options.metres_per_unit;

    let mut document = original.clone();
    for (index, clip) in asset.clips.iter().enumerate() {
        // Several keys at one time have no order that a reader could be trusted with: they stay.
        let jumps = |track: canter::ClipTrack| track.curve.times().windows(2).any(|pair| pair[0] >= pair[1]);
        if clip.tracks().len() > 0 && !clip.tracks().any(jumps) {
            let channels = Reducer::new(&asset, &rig, clip, options.error_mm * units_per_mm).channels();
            // Keys of few bits, such as weights in 8, may be smaller as they are.
            let mut trial = original.clone();
            let bytes_before = trial.animation_bytes(index);
            trial.set_channels(index, &channels)?;
            if trial.animation_bytes(index) < bytes_before {
                document.set_channels(index, &channels)?;
            }
        }
    }
    let is_compressed = asset.info.extensions_used.iter().any(|name| name == "EXT_meshopt_compression");
    let unchanged = match shrink(&mut document, options, is_compressed) {
        Ok(()) if document.to_glb()?.len() as u64 >= before => Some(Unchanged::NotSmaller),
        Ok(()) => None,
        Err(WriteError::UnknownExtensions { names }) => Some(Unchanged::UnknownExtensions(names)),
        Err(error) => return Err(error),
    };
    if unchanged.is_some() {
        document = original.clone();
    }
    let written = document.to_glb()?;
    let played = load_bytes_with(&written, resolver, &load)?;
    let mut documents = [original, document.clone()];
    let mut report = |index: usize| {
        let (a, b) = (&asset.clips[index], &played.clips[index]);
        ClipReport {
            name: a.name().to_owned(),
            tracks: [a, b].map(|clip| clip.tracks().len()),
            keys: [a, b].map(|clip| clip.tracks().map(|track| track.curve.times().len()).sum()),
            bytes: documents.each_mut().map(|document| document.animation_bytes(index)),
            error_mm: distance(&rig, a, b) / units_per_mm,
        }
    };
    let clips = (0..asset.clips.len().min(played.clips.len())).map(&mut report).collect();
    let after = written.len() as u64;
    Ok(Optimized {
        document,
        clips,
        bytes_before: before,
        bytes_after: after,
        height: rig.height(),
        unchanged,
    })
}

fn shrink(
    document: &mut Document<'_>,
    options: &OptimizeOptions,
    is_compressed: bool,
) -> Result<(), WriteError> {
    document.check_renumbering()?;
    document.shrink_meshes(options.quantize);
    document.prune()?;
    // What was compressed would not get smaller otherwise.
    if options.meshopt || is_compressed {
        document.compress()?;
    }
    document.compact();
    Ok(())
}

/// How far two clips of the same joints are apart, in units of the file.
fn distance(rig: &Rig, a: &Clip, b: &Clip) -> f64 {
    let [a, b] = [a, b].map(|clip| Motion::of_clip(clip, rig.joints.len()));
    measure::distances(rig, &a, &b).into_iter().fold(0.0, f64::max)
}
