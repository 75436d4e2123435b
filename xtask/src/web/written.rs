//! What the writer of canter-gltf writes, for the tests in Node: they ask the validator and three.js.
//!
//! The files are in `target/web/written`, with a list of them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use canter_gltf::canter::Marker;
use canter_gltf::{Document, Folder, LoadOptions, OptimizeOptions, load_bytes_with, optimize};
use serde_json::{Value, json};

/// Writes the hero, and the real models that are there, in every way there is.
pub(super) fn write(root: &Path) -> Result<()> {
    let target = root.join("target/web/written");
    fs::create_dir_all(&target)?;
    let mut list = Vec::new();
    for (number, source) in sources(root)?.iter().enumerate() {
        let written = Written::new(source).with_context(|| source.display().to_string())?;
        for (kind, bytes) in written.0 {
            let file = target.join(format!("{number}-{kind}.glb"));
            fs::write(&file, bytes)?;
            list.push(json!({ "source": source, "file": file, "kind": kind }));
        }
    }
    fs::write(target.join("list.json"), serde_json::to_vec(&list)?)?;
    println!("{} files in {}", list.len(), target.display());
    Ok(())
}

fn sources(root: &Path) -> Result<Vec<PathBuf>> {
    let mut sources = vec![root.join("assets/hero.glb"), root.join("assets/sword.glb")];
    let shared = root.join("../shared/assets");
    if let Ok(manifest) = fs::read(shared.join("manifest.json")) {
        let manifest: Value = serde_json::from_slice(&manifest)?;
        let files = manifest["models"].as_array().into_iter().flatten();
        sources.extend(files.filter_map(|model| Some(shared.join(model["file"].as_str()?))));
    }
    Ok(sources)
}

/// A file in several ways: what was done to it, and what came of it.
struct Written(Vec<(&'static str, Vec<u8>)>);

impl Written {
    fn new(source: &Path) -> Result<Self> {
        let bytes = fs::read(source)?;
        let folder = Folder::new(source.parent().unwrap_or(Path::new("")));
        let options = LoadOptions::default().without_images();
        let asset = load_bytes_with(&bytes, &folder, &options)?;
        let mut written = vec![("same", Document::parse(&bytes, &folder, &options)?.to_glb()?)];
        if let Some(clip) = asset.clips.iter().find(|clip| clip.tracks().len() > 0) {
            let mut document = Document::parse(&bytes, &folder, &options)?;
            document.add_animation(clip, &asset)?;
            written.push(("added", document.to_glb()?));
        }
        if !asset.clips.is_empty() {
            let mut document = Document::parse(&bytes, &folder, &options)?;
            document.set_markers(0, &[Marker::new("here", 0.0)])?;
            written.push(("marked", document.to_glb()?));
        }
        let mut settings = OptimizeOptions::default();
        for kind in ["optimized", "quantized", "meshopt"] {
            settings.quantize = kind == "quantized";
            settings.meshopt = kind == "meshopt";
            written.push((kind, optimize(&bytes, &folder, &settings)?.document.to_glb()?));
        }
        Ok(Self(written))
    }
}
