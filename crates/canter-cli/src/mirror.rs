//! `canter mirror FILE -o OUT`: clips left for right.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use canter::Clip;
use canter_gltf::Asset;
use canter_rig::mirror;
use clap::Args;

use crate::clip;
use crate::embedded;
use crate::failure::Failure;
use crate::loading::Loading;
use crate::output::{Output, count, printable};
use crate::rewrite::rewrite;

/// Write a model with its clips left for right, as in a mirror.
///
/// Joints change places by the sides in their names (L and R, Left and Right), which are checked against the rest
/// pose. Markers change sides with them. Everything else in the file stays as it was.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  canter mirror hero.glb -o left-handed.glb                All clips
  canter mirror hero.glb --clip Attack -o left-handed.glb  Only one
  canter render hero.glb --clip Attack --mirror            Look at it first")]
pub(crate) struct Arguments {
    /// A .glb, .gltf or .vrm file; `hero` is part of the program.
    file: PathBuf,

    /// Where to write it: a .glb or .gltf file.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Only this clip, by name or index. May be given several times.
    #[arg(long, value_name = "CLIP")]
    clip: Vec<String>,

    #[command(flatten)]
    loading: Loading,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let (file, options) = (&arguments.file, arguments.loading.options().without_images());
    let asset = embedded::asset(file, &options)?;
    let mut wanted = Vec::new();
    for name in &arguments.clip {
        wanted.push(clip::find(&asset, name, file)?);
    }
    let is_wanted =
        |clip: &Arc<Clip>| wanted.is_empty() || wanted.iter().any(|wanted| Arc::ptr_eq(wanted, clip));
    let mirrored = mirrored(&asset, file, is_wanted)?;
    if mirrored.is_empty() {
        return Err(refused(file, &"it has no clips"));
    }
    rewrite(
        file,
        &arguments.loading.options(),
        &arguments.output,
        "export it as plain glTF 2.0",
        |document| {
            mirrored.iter().try_for_each(|(index, clip)| {
                document.set_animation(*index, clip, &asset)?;
                document.set_markers(*index, clip.markers())
            })
        },
    )?;
    let path = arguments.output.display().to_string();
    output.line(format_args!("{}: {} left for right", printable(&path), count(mirrored.len(), "clip")))?;
    Ok(ExitCode::SUCCESS)
}

/// Clips of a model left for right, with their indices.
pub(crate) fn mirrored(
    asset: &Asset,
    path: &Path,
    is_wanted: impl Fn(&Arc<Clip>) -> bool,
) -> Result<Vec<(usize, Clip)>, Failure> {
    let mirror = mirror::find(&asset.skeleton).map_err(|error| refused(path, &error))?;
    let wanted = asset.clips.iter().enumerate().filter(|(_, clip)| is_wanted(clip));
    wanted
        .map(|(index, clip)| Ok((index, mirror::clip(&mirror, clip).map_err(|error| refused(path, &error))?)))
        .collect()
}

fn refused(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    let message = format!("{} cannot be mirrored: {error}", path.display());
    Failure::new(message, "it has to face along z, with sides in the names of joints")
}
