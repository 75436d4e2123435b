//! `canter markers FILE`: instants of clips that have a name, and footfalls that get one.

mod detect;
mod facts;
mod file;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use canter_gltf::Asset;
use clap::Args;
use serde::Serialize;

use crate::clip;
use crate::embedded;
use crate::failure::Failure;
use crate::loading::Loading;
use crate::output::{Output, QUIET, WARNING, count, name_or_dash, printable};
use crate::rewrite::rewrite;
use crate::table::{self, Table};
pub(crate) use facts::MarkerFacts;

/// List the markers of a file's clips, or find footfalls and keep them beside the file.
///
/// A marker is an instant of a clip that has a name, or a window from there on. They are in the `extras` of
/// the file's animations, and in a file beside it: hero.markers.json beside hero.glb, which counts for the
/// clips that it names.
///
/// --detect looks at every pose of the clips, as loops: a foot comes down where it gets low and moves with
/// the ground. Its marker has the name of its joint. Markers that are there stay; where one of the same name
/// is less than 0.05 s away, none is added.
#[derive(Debug, Args)]
#[command(after_help = "\
The file, and the output of --json:
  { \"clips\": [{ \"name\": \"Walk\", \"markers\": [
      { \"name\": \"foot_L\", \"time\": 0.25 },                      an instant, in seconds
      { \"name\": \"blade\", \"time\": 0.3, \"duration\": 0.2 } ] }] }   a window

Examples:
  canter markers hero.glb                                    All markers
  canter markers hero.glb --clip Walk --json                 Those of a clip, for programs
  canter markers fox.glb --detect --dry-run                  What footfalls are found; nothing is written
  canter markers fox.glb --detect                            Writes them to fox.markers.json
  canter markers fox.glb --into marked.glb                   Those of fox.markers.json, in a file of their own
  canter markers knight.glb --detect --clip Walk --feet foot.l,foot.r -o -
                                                             Of these joints, to the standard output")]
pub(crate) struct Arguments {
    /// A .glb, .gltf or .vrm file; `hero` and `sword` are part of the program.
    file: PathBuf,

    /// Only this clip, by its name or by its index; may be given several times.
    #[arg(long, value_name = "NAME|INDEX")]
    clip: Vec<String>,

    /// Find out when feet come down, and write a marker for each time.
    #[arg(long)]
    detect: bool,

    /// The joints of the feet, with commas between. [default: what comes near the ground]
    #[arg(long, value_name = "JOINT,...", value_delimiter = ',', num_args = 1, requires = "detect")]
    feet: Vec<String>,

    /// Where to; - is the standard output. [default: the file's name with .markers.json, beside it]
    #[arg(short, long, value_name = "PATH", requires = "detect")]
    output: Option<PathBuf>,

    /// Put the markers into a copy of the model itself: into the `extras` of its animations.
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["output", "dry_run"])]
    into: Option<PathBuf>,

    /// Say what is found, and write nothing.
    #[arg(long, requires = "detect", conflicts_with = "output")]
    dry_run: bool,

    /// JSON for programs instead of tables for people.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    loading: Loading,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let asset = embedded::asset(&arguments.file, &arguments.loading.options().without_images())?;
    let clips = clips(arguments, &asset)?;
    if arguments.detect {
        detect::run(arguments, asset, &clips, output)?;
        return Ok(ExitCode::SUCCESS);
    }
    tell_broken_file(arguments, &asset);
    if let Some(path) = &arguments.into {
        into_model(arguments, &asset, path)?;
        let marked = asset.clips.iter().filter(|clip| !clip.markers().is_empty()).count();
        output.line(format_args!(
            "{QUIET}Markers of {} in {}{QUIET:#}",
            count(marked, "clip"),
            path.display()
        ))?;
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.json {
        write_json(&asset, &clips, output)?;
    } else {
        write_table(&asset, &clips, output)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the model with the markers of all its clips.
fn into_model(arguments: &Arguments, asset: &Asset, path: &Path) -> Result<(), Failure> {
    let hint = "keep the markers beside the model: leave --into out";
    rewrite(&arguments.file, &arguments.loading.options(), path, hint, |document| {
        let mut clips = asset.clips.iter().enumerate();
        clips.try_for_each(|(index, clip)| document.set_markers(index, clip.markers()))
    })
}

/// Indices of the clips that are asked for.
fn clips(arguments: &Arguments, asset: &Asset) -> Result<Vec<usize>, Failure> {
    if arguments.clip.is_empty() {
        return Ok((0..asset.clips.len()).collect());
    }
    let index = |wanted: &String| {
        let found = clip::find(asset, wanted, &arguments.file)?;
        Ok(asset
            .clips
            .iter()
            .position(|clip| std::sync::Arc::ptr_eq(clip, found))
            .expect("it is of the file"))
    };
    arguments.clip.iter().map(index).collect()
}

/// What is wrong with the file beside the model is a warning of the model's.
fn tell_broken_file(arguments: &Arguments, asset: &Asset) {
    let path = canter_gltf::markers_path(&arguments.file);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    for warning in asset.warnings.iter().filter(|warning| warning.place == name) {
        let message = printable(&format!("{}: {}", path.display(), warning.message));
        anstream::eprintln!("{WARNING}warning{WARNING:#}: {message}");
    }
}

#[derive(Serialize)]
struct Listing<'a> {
    clips: Vec<ClipMarkers<'a>>,
}

#[derive(Serialize)]
struct ClipMarkers<'a> {
    index: usize,
    name: &'a str,
    markers: Vec<MarkerFacts<'a>>,
}

fn write_json(asset: &Asset, clips: &[usize], output: &mut Output) -> std::io::Result<()> {
    let listed = |&index: &usize| {
        let clip = &asset.clips[index];
        ClipMarkers {
            index,
            name: clip.name(),
            markers: clip.markers().iter().map(MarkerFacts::new).collect(),
        }
    };
    output.json(&Listing { clips: clips.iter().map(listed).collect() })
}

fn write_table(asset: &Asset, clips: &[usize], output: &mut Output) -> std::io::Result<()> {
    let mut table = Table::new(["clip", "name", "marker", "seconds", "lasts"]);
    let mut is_empty = true;
    for &index in clips {
        for marker in asset.clips[index].markers() {
            is_empty = false;
            let lasts =
                if marker.is_window() { format!("{:.3}", marker.length_secs) } else { "-".to_owned() };
            table.row([
                index.to_string(),
                name_or_dash(asset.info.clip_names[index].as_deref()),
                name_or_dash(Some(&marker.name)),
                format!("{:.3}", marker.secs),
                lasts,
            ]);
        }
    }
    if is_empty {
        return output.line(format_args!("{QUIET}No markers; --detect finds footfalls{QUIET:#}"));
    }
    table::section(output, "Markers", &table)
}
