//! `canter sample FILE`: the pose of a file at a time.

mod group;
mod json;
mod posed;
mod root;
mod text;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgMatches, Args};

use crate::embedded;
use crate::failure::Failure;
use crate::loading::Loading;
use crate::output::Output;
use crate::root_motion;
use posed::{LayerPart, Posed};

/// Sample the pose of a file: node transforms, joint matrices, morph weights, and skinned vertices.
///
/// Without --clip it is the rest pose. Each --clip may be followed by its --time and --weight. Several clips
/// are blended by the mixer: translations and scales are means by weight, rotations are blended as
/// quaternions on the shortest path; what a clip has no track for is at rest in it. Only the ratio of the
/// weights counts. Times before the start or beyond the end of a clip give its first or last pose.
#[derive(Debug, Args)]
#[command(after_help = "\
The JSON:
  clips          for each --clip: name, index, time (as given), weight
  root           with --root-motion: the way since the start of the clips, as translation (metres), rotation (x y z w)
                 and yaw (radians); velocity (metres per second) and yaw_rate (radians per second) at that time,
                 as seen from where the way has led; joint (the node that it is taken from)
  markers        if the clips have some: those from the start up to the time, in their order: clip (its place in clips),
                 name, kind (at, enter, leave), time (in the clip), weight
  layers         for each --layer, if there are any: name, index, time, weight, and whether it is additive
  nodes          for each node of the file: index, name (null if it has none), translation, rotation (x y z w), scale,
                 world (16 numbers, column by column: scene_from_node), and morph_weights if its mesh has targets
  skins          for each skin: index, joints (node indices), joint_matrices (world of the joint x inverse bind matrix,
                 16 numbers each, column by column, in the file's order of joints)
  morph_weights  for each node whose mesh has morph targets: node, weights
  primitives     with --vertices, for each primitive of each node: node, mesh, primitive, and after morphing and skinning
                 positions, normals, bounds (min, max), all in the space of the scene
Numbers have as many digits as are needed to read back the same 32-bit float.

Examples:
  canter sample hero.glb                                     The rest pose, for people
  canter sample hero.glb --clip Walk --time 0.5 --json       Half a second into the clip Walk
  canter sample hero.glb --clip 0 --time 1 --weight 0.7 --clip Run --time 0.2 --weight 0.3 --json
                                                             A blend of the first clip and of Run
  canter sample hero.glb --clip Run --layer Attack,time=0.3,mask=spine,feather=2 --json
                                                             An attack with the upper body, over a run
  canter sample hero.glb --clip WalkRoot --time 0.8 --root-motion --json | jq '{root, markers}'
                                                             How far the clip has come, and its footfalls so far
  canter sample hero.glb --vertices --json | jq .primitives[0].bounds")]
pub(crate) struct Arguments {
    /// A .glb, .gltf or .vrm file; `hero` and `sword` are part of the program.
    file: PathBuf,

    /// A clip, by its name or by its index in the file; may be given several times.
    #[arg(long, value_name = "NAME|INDEX")]
    clip: Vec<String>,

    /// The time in the clip before it, in seconds; 0 if it is not given.
    #[arg(long, value_name = "SECS", allow_negative_numbers = true)]
    time: Vec<f32>,

    /// The weight of the clip before it; 1 if it is not given.
    #[arg(long, value_name = "W", allow_negative_numbers = true)]
    weight: Vec<f32>,

    /// A clip above the others; may be given several times, from below. Behind the clip, with commas between:
    /// time=SECS, mask=JOINT (it and all that hangs on it; patterns with * and ?, several with +), feather=N
    /// (over so many joints), weight=W, additive (a difference from its first key; =rest or =CLIP@SECS from
    /// those).
    #[arg(long, value_name = "CLIP[,KEY=VALUE...]")]
    layer: Vec<String>,

    /// Take the way over the ground out of the pose, and give it beside it: that of the joint that leads the
    /// others, or of this one.
    #[arg(long, value_name = "JOINT", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    root_motion: Option<String>,

    /// Morph and skin the vertices, too.
    #[arg(long)]
    vertices: bool,

    /// JSON for programs instead of tables for people.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    loading: Loading,
}

pub(crate) fn run(
    arguments: &Arguments,
    matches: &ArgMatches,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let groups = group::groups(arguments, matches)?;
    let mut asset = embedded::asset(&arguments.file, &arguments.loading.options().without_images())?;
    if let Some(joint) = &arguments.root_motion {
        root_motion::split(&mut asset, joint, &arguments.file)?;
    }
    let parts = group::find_clips(&groups, &asset, &arguments.file)?;
    let layers = (arguments.layer.iter())
        .map(|text| LayerPart::new(text, &asset, &arguments.file))
        .collect::<Result<Vec<_>, _>>()?;
    let posed = Posed::new(&asset, &parts, &layers);
    let motion = root::Motion::new(&asset, &parts, arguments.root_motion.is_some());
    if arguments.json {
        json::write(&posed, &motion, arguments.vertices, output)?;
    } else {
        text::write(&posed, &motion, arguments.vertices, output)?;
    }
    Ok(ExitCode::SUCCESS)
}
