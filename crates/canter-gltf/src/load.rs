//! Loading: the steps from bytes to [`Asset`].

#[cfg(feature = "files")]
use std::path::{Path, PathBuf};

use crate::accessor::Accessors;
use crate::asset::Asset;
use crate::buffers::Buffers;
use crate::count::count;
use crate::error::{Failure, LoadError};
use crate::info::FileInfo;
use crate::limits::{Budget, Limits};
use crate::node::Tree;
use crate::options::LoadOptions;
use crate::place::Place;
#[cfg(feature = "files")]
use crate::resolver::{Folder, Refusal, read_file};
use crate::resolver::{NoFiles, Resolver};
use crate::schema::{AssetHeader, Document, Text, owned};
use crate::source::Source;
#[cfg(feature = "springs")]
use crate::springs;
use crate::warning::{Report, WarningCode};
#[cfg(feature = "files")]
use crate::warning::{Severity, Warning};
#[cfg(feature = "meshes")]
use crate::{animated, material, texture};
use crate::{clip, extensions, glb, mesh, node, schema, skin};

/// Loads a .glb or .gltf file, with the buffers and images in its folder.
///
/// # Errors
/// When the file cannot be read, is no glTF, or breaks the specification in a way that cannot be mended.
#[cfg(feature = "files")]
pub fn load(path: impl AsRef<Path>) -> Result<Asset, LoadError> {
    load_with(path, &LoadOptions::default())
}

/// As [`load`], with options.
///
/// # Errors
/// As [`load`].
#[cfg(feature = "files")]
pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Asset, LoadError> {
    let path = path.as_ref();
    let bytes = read_model(path, &options.limits)?;
    let folder = Folder::new(path.parent().unwrap_or(Path::new("")));
    let mut asset = load_bytes_with(&bytes, &folder, options)?;
    load_markers(path, &mut asset);
    Ok(asset)
}

/// The bytes of a model's file, as [`load`] reads them: of a regular file, and no more than the limits allow.
///
/// # Errors
/// When the file cannot be read, or is larger.
#[cfg(feature = "files")]
pub fn read_model(path: impl AsRef<Path>, limits: &Limits) -> Result<Vec<u8>, LoadError> {
    let path = path.as_ref();
    read_file(path, limits.file_bytes).map_err(|refusal| {
        let source = match refusal {
            Refusal::Io(source) => source,
            other => std::io::Error::other(format!("it {other}")),
        };
        LoadError::Read { path: path.to_owned(), source }
    })
}

/// Where the markers of a model's clips are kept beside it: its name, with another ending.
///
/// ```
/// # use std::path::Path;
/// assert_eq!(canter_gltf::markers_path("models/hero.glb"), Path::new("models/hero.markers.json"));
/// ```
#[cfg(feature = "files")]
pub fn markers_path(model: impl AsRef<Path>) -> PathBuf {
    model.as_ref().with_extension("markers.json")
}

/// Reads the markers beside a model, if there are some. What is wrong with them is a warning.
#[cfg(feature = "files")]
fn load_markers(path: &Path, asset: &mut Asset) {
    const MOST_BYTES: u64 = 1 << 24;
    let path = markers_path(path);
    let message = match read_file(&path, MOST_BYTES) {
        Err(Refusal::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => return,
        Err(refusal) => format!("it {refusal}"),
        Ok(json) => match asset.read_markers(&json) {
            Ok(missing) if missing.is_empty() => return,
            Ok(missing) => format!("the model has no clip {missing:?}"),
            Err(error) => error.to_string(),
        },
    };
    let place = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let message = format!("markers are left out: {message}");
    asset.warnings.push(Warning { severity: Severity::Warning, code: WarningCode::Marker, place, message });
}

/// Loads a .glb, or a .gltf whose buffers are data URIs, from memory. No file is opened.
///
/// # Errors
/// As [`load`].
pub fn load_bytes(bytes: &[u8]) -> Result<Asset, LoadError> {
    load_bytes_with(bytes, &NoFiles, &LoadOptions::default())
}

/// As [`load_bytes`], with a way to find the files that it names, and options.
///
/// # Errors
/// As [`load`].
pub fn load_bytes_with(
    bytes: &[u8],
    resolver: &dyn Resolver,
    options: &LoadOptions,
) -> Result<Asset, LoadError> {
    read(bytes, resolver, options).map_err(|failure| *failure)
}

fn read(bytes: &[u8], resolver: &dyn Resolver, options: &LoadOptions) -> Result<Asset, Failure> {
    let report = Report::default();
    let (json, bin) = split(bytes, &report)?;
    limit("the size of the JSON, in bytes,", json.len(), options.limits.json_bytes)?;
    if let Err(error) = std::str::from_utf8(json) {
        let at = error.valid_up_to();
        let message = format_args!("the JSON is not UTF-8 at its byte {at}; what cannot be read is replaced");
        report.warn(&Place::Root, WarningCode::InvalidUtf8, message);
    }
    let document = schema::parse(json).map_err(|failure| schema::older(json).unwrap_or(failure))?;
    let header = check_version(&document)?;
    extensions::check(&document, options, &report)?;
    let mut info = file_info(&document, header);
    info.is_binary = glb::is_glb(bytes);
    info.file_bytes = bytes.len() as u64;
    info.json_bytes = json.len() as u64;

    let buffers = Buffers::load(&document.buffers, &document.buffer_views, bin, resolver, &options.limits)?;
    info.buffer_bytes = buffers.size();
    let budget = budget(&options.limits, bytes.len(), buffers.size());
    let accessors = Accessors::new(&document.accessors, buffers, budget);
    let source = Source { document: &document, accessors, report: &report, resolver, options };

    let meshes = mesh::meshes(&source)?;
    #[cfg(feature = "meshes")]
    let materials = material::materials(&source)?;
    #[cfg(feature = "meshes")]
    let rests = animated::rests(&document, &materials);
    #[cfg(not(feature = "meshes"))]
    let (materials, rests) = Default::default();
    let Tree { nodes, skeleton, animated } = node::tree(&source, &meshes, rests)?;
    let skins = skin::skins(&source, &skeleton)?;
    #[cfg(feature = "meshes")]
    skin::check_joints(&source, &nodes, &meshes)?;
    let clips = clip::clips(&source, &skeleton, &nodes, &animated)?;
    let (scenes, scene) = node::scenes(&source, &nodes)?;
    #[cfg(feature = "meshes")]
    let (textures, images) = (texture::textures(&source)?, texture::images(&source));
    #[cfg(not(feature = "meshes"))]
    let (textures, images) = Default::default();
    #[cfg(feature = "meshes")]
    if options.meshes {
        source.accessors.check_unused(&report);
    }

    #[cfg(feature = "springs")]
    let springs = springs::springs(&document, &skeleton, &report);
    let warnings = report.into_warnings();
    for warning in &warnings {
        log::debug!("{warning}");
    }
    let mut asset = Asset {
        skeleton,
        clips,
        clip_extras: document.animations.iter().map(clip_extras).collect(),
        skins,
        meshes,
        nodes,
        scenes,
        scene,
        animated,
        materials,
        textures,
        images,
        #[cfg(feature = "springs")]
        springs,
        extras: document.extras.owned(),
        info,
        warnings,
    };
    if options.root_motion {
        asset.split_at_found_root();
    }
    Ok(asset)
}

fn clip_extras(animation: &schema::animation::Animation<'_>) -> Option<Box<str>> {
    if cfg!(feature = "extras") { animation.extras.owned() } else { None }
}

/// The JSON and the binary chunk.
pub(crate) fn split<'a>(bytes: &'a [u8], report: &Report) -> Result<(&'a [u8], Option<&'a [u8]>), Failure> {
    const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
    if glb::is_glb(bytes) {
        let parts = glb::split(bytes)?;
        if parts.trailing_bytes > 0 {
            let bytes = count(parts.trailing_bytes, "byte");
            let message = format_args!("{bytes} behind the end of the container, passed over");
            report.warn(&Place::Root, WarningCode::TrailingBytes, message);
        }
        if parts.is_unaligned {
            let message = "the length of a chunk is no multiple of 4";
            report.warn(&Place::Root, WarningCode::ChunkAlignment, message);
        }
        return Ok((parts.json, parts.bin));
    }
    let json = match bytes.strip_prefix(BYTE_ORDER_MARK) {
        Some(json) => {
            report.warn(
                &Place::Root,
                WarningCode::ByteOrderMark,
                "the JSON starts with a byte order mark, which is ignored",
            );
            json
        }
        None => bytes,
    };
    match json.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'{') => Ok((json, None)),
        Some(_) => Err(LoadError::NotGltf { found: glb::printable(&bytes[..bytes.len().min(8)]) }.into()),
        None => Err(LoadError::NotGltf { found: "nothing: it is empty".into() }.into()),
    }
}

/// Refuses glTF 1.0 and versions that do not exist yet.
fn check_version<'a>(document: &'a Document<'a>) -> Result<&'a AssetHeader<'a>, Failure> {
    let Some(header) = &document.asset else {
        return Err(Place::list("asset").invalid("nothing", "an object with the version of glTF"));
    };
    let asset = Place::list("asset");
    let refuse = |place: Place<'_>, found: &Text<'_>| {
        Err(LoadError::Version { place: place.to_string(), found: found.0.to_string() }.into())
    };
    // A file of version 2.1 loads unless it says that it must not: minor versions only add.
    match &header.min_version {
        Some(version) if version.0 != "2.0" => refuse(asset.field("minVersion"), version),
        _ if !header.version.0.starts_with("2.") => refuse(asset.field("version"), &header.version),
        _ => Ok(header),
    }
}

fn limit(what: &'static str, found: usize, limit: u64) -> Result<(), Failure> {
    let found = found as u64;
    if found <= limit {
        Ok(())
    } else {
        Err(LoadError::Limit { place: "the file".into(), what, found, limit }.into())
    }
}

fn budget(limits: &Limits, file_bytes: usize, buffer_bytes: u64) -> Budget {
    // Buffers inside the file count twice, which is no harm.
    Budget::new(limits, (file_bytes as u64).saturating_add(buffer_bytes))
}

fn file_info(document: &Document<'_>, header: &AssetHeader<'_>) -> FileInfo {
    let texts = |list: &[Text<'_>]| list.iter().map(|text| text.0.to_string()).collect();
    FileInfo {
        version: header.version.0.to_string(),
        generator: owned(&header.generator),
        copyright: owned(&header.copyright),
        extras: header.extras.owned(),
        extensions_used: texts(&document.extensions_used),
        extensions_required: texts(&document.extensions_required),
        clip_names: document.animations.iter().map(|animation| owned(&animation.name)).collect(),
        skin_names: document.skins.iter().map(|skin| owned(&skin.name)).collect(),
        ..FileInfo::default()
    }
}
