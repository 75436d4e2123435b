//! `canter render [FILE]`: pictures and films of a character, without a window.

mod attachment;
mod beside;
mod film;
mod footprint;
#[cfg(feature = "gpu")]
mod gpu;
mod movie;
mod options;
mod painter;
mod rig;
mod sheet;
mod stage;
mod story;
mod terrain;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use canter::{Clip, FadeKind};
use canter_scene::{Background, Model};
use clap::Args;

use crate::clip;
use crate::embedded;
use crate::failure::Failure;
use crate::graph::load_graph;
use crate::layer::{self, LayerText};
use crate::loading::Loading;
use crate::output::{Output, QUIET, WARNING, bytes, count};
use crate::root_motion;
use crate::script::Script;
pub(crate) use attachment::Attachment;
use beside::Beside;
pub(crate) use film::{Film, View, shoot};
pub(crate) use movie::{Format, write_still};
pub(crate) use options::{Grid, Size};
pub(crate) use painter::{Choice, Painter};
pub(crate) use sheet::draw as draw_sheet;
pub(crate) use stage::Stage;
pub(crate) use story::Story;
use story::{Drive, Overlay, Plan, To};

/// Render pictures and films of a character, without a window.
///
/// The camera sees all of the figure during the whole clip. Films loop without a seam: they are as long as
/// the clip, or several times as long. With --root-motion the figure travels over the ground and the film leads
/// on: the camera follows, and the grid is spaced so that the last frame goes over into the first if the way is
/// straight along a line of it; where the figure turns, the loop has a seam. The kind of the output goes by the extension: .png (a film too, unless
/// --time is given), .gif, .webp; a folder gets a .png for every frame, frame-0000.png and so on, in place of
/// those of an earlier film.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  canter render                                              The hero walks: hero.png, an animated PNG
  canter render hero --clip Run -o run.gif                   Another clip, as GIF
  canter render hero --clip Walk --to Run --fade 0.4 --sync --attach sword:hand_R -o hero.webp
                                                             A crossfade and back again, with the sword in hand
  canter render hero --clip Run --layer Attack,mask=spine,feather=2,once,at=0.3 -o attack.gif
                                                             An attack with the upper body, over a run
  canter render hero --clip Walk --layer Idle,additive,weight=0.8
                                                             The hero breathes while he walks
  canter render hero --clip Idle --to Run@0.4 --to Jump@0.6 --to Attack@0.8 --fade-kind cross,dead -o fades.gif
                                                             Two kinds of fades beside each other
  canter render hero --clip WalkRoot --to RunRoot@1.5 --seconds 5 --fade 0.6 --sync --root-motion --footprints -o motion.gif
                                                             He travels over the grid, in step, and leaves footprints
  canter render hero --graph hero.graph.json --script input.json -o play.gif
                                                             A graph decides what plays, by parameters over time
  canter render hero --clip Idle --ik hand_R:-0.3,1.5,0.3 --look head:-1,1.6,1 -o reach.gif
                                                             He reaches for something, and looks at it
  canter render hero --clip WalkRoot --root-motion --ground steps --seconds 4 --yaw 70 -o stairs.gif
                                                             He walks up stairs; --ground slope, or a file
  canter render hero --clip Run --springs -o scarf.gif       Hair and scarf swing by themselves
  canter render robot.glb --clip Dance --time 0.5 --size 1280x720 --skeleton -o dance.png
                                                             One moment, with the skeleton on top
  canter render robot.glb --clip Idle --clip Dance --sheet 8x2 --size 160 -o sheet.png
                                                             A contact sheet with a row for each clip
  canter render robot.glb --turntable --seconds 6 --background transparent -o frames/
                                                             From all sides, every frame a file")]
pub(crate) struct Arguments {
    /// A .glb, .gltf or .vrm file; `hero` and `sword` are part of the program.
    #[arg(default_value = "hero")]
    file: PathBuf,

    /// Where to: NAME.png, NAME.gif, NAME.webp, or a folder for frames. [default: the name of the file, with
    /// .png]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// The clip, by its name or by its index; with --sheet several. [default: Walk if there is one, else the
    /// first]
    #[arg(long, value_name = "NAME|INDEX")]
    clip: Vec<String>,

    /// A still picture of this moment, in seconds.
    #[arg(long, value_name = "SECS", conflicts_with = "sheet", allow_negative_numbers = true)]
    time: Option<f64>,

    /// Fade to this clip, and back again; @SECS says when. Given several times, to one after another.
    #[arg(long, value_name = "NAME|INDEX[@SECS]")]
    to: Vec<String>,

    /// How long a fade takes, in seconds.
    #[arg(long, value_name = "SECS", default_value_t = 0.3, requires = "to", allow_negative_numbers = true)]
    fade: f64,

    /// How fades lead from what plays to what comes: cross (both play), or from what is on screen with
    /// inertial or dead. Several, with commas between, are shown beside each other.
    #[arg(
        long,
        value_name = "KIND",
        value_delimiter = ',',
        num_args = 1,
        default_value = "cross",
        value_parser = options::fade_kind
    )]
    fade_kind: Vec<FadeKind>,

    /// A clip that plays above the others; may be given several times. Behind the clip, with commas between:
    /// mask=JOINT (it and all that hangs on it; patterns with * and ?, several with +), feather=N (over so
    /// many joints), weight=W, additive (a difference from its first key; =rest or =CLIP@SECS from those),
    /// once, at=SECS (when it begins), fade=SECS (in and out; 0.15 unless given).
    #[arg(long, value_name = "CLIP[,KEY=VALUE...]")]
    layer: Vec<String>,

    /// Clips are kept in step while one fades to another, by the markers that they have in common (such as
    /// footfalls), else by how much of them has passed. The film is as long as the first clip needs to come
    /// back to where it began.
    #[arg(long, requires = "to")]
    sync: bool,

    /// A graph decides what plays, as `canter run` tells it; `hero` is part of the program.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["clip", "to", "layer", "seconds", "travel", "mirror", "turntable", "sheet"]
    )]
    graph: Option<PathBuf>,

    /// What the graph is told over time; the film is as long as that. `canter run --help` shows one.
    #[arg(long, value_name = "FILE", requires = "graph")]
    script: Option<PathBuf>,

    /// Hang another file on a joint. May be given several times.
    #[arg(long, value_name = "FILE:JOINT")]
    attach: Vec<String>,

    /// A hand or a foot gets to a point, with the two joints above it: metres in the space of the figure, x to its
    /// left, y up, z forwards. May be given several times.
    #[arg(long, value_name = "JOINT:X,Y,Z", allow_hyphen_values = true)]
    ik: Vec<String>,

    /// A head looks at a point, with the two joints above it; it looks along z at rest.
    #[arg(long, value_name = "JOINT:X,Y,Z", allow_hyphen_values = true)]
    look: Vec<String>,

    /// What the figure stands and walks on: steps, slope, or the triangles of a file. Its feet are put onto it, and
    /// do not slide; with --root-motion it walks over it.
    #[arg(long, value_name = "steps|slope|FILE")]
    ground: Option<String>,

    /// Hair, scarfs and tails swing as the file says (VRM 1.0's spring bones), instead of as clips have them.
    #[arg(long)]
    springs: bool,

    /// Clips are played left for right, as in a mirror: joints change places by their names.
    #[arg(long)]
    mirror: bool,

    /// Pixels, as in 640x480, or one number for both. For each picture of a sheet.
    #[arg(long, value_name = "WxH", default_value = "512")]
    size: Size,

    /// Frames a second, nearly: the frames divide the film evenly. GIF is at its best with 20, 25 or 50.
    #[arg(long, value_name = "N", default_value_t = 25.0, allow_negative_numbers = true)]
    fps: f64,

    /// How long the film is; beyond the length of the clip it is rounded to whole loops.
    #[arg(long, value_name = "SECS", allow_negative_numbers = true)]
    seconds: Option<f64>,

    /// A sheet of pictures at even times instead of a film: columns and rows. Several clips share it.
    #[arg(long, value_name = "CxR")]
    sheet: Option<Grid>,

    /// From where it is seen, in degrees: 0 from the front, 90 from its left side.
    #[arg(long, value_name = "DEG", default_value_t = 30.0, allow_negative_numbers = true)]
    yaw: f64,

    /// From how far above it is seen, in degrees.
    #[arg(long, value_name = "DEG", default_value_t = 9.0, allow_negative_numbers = true)]
    pitch: f64,

    /// The figure turns round once during the film.
    #[arg(long)]
    turntable: bool,

    /// studio, transparent, or a colour such as #203040.
    #[arg(long, value_name = "COLOR", default_value = "studio", value_parser = options::background)]
    background: Background,

    /// No grid and no shadow on the ground.
    #[arg(long)]
    no_ground: bool,

    /// The ground moves below a figure that walks on the spot, in metres a second: for --clip, and for --to
    /// behind a comma.
    #[arg(
        long,
        value_name = "SPEED[,SPEED]",
        value_delimiter = ',',
        num_args = 1,
        allow_negative_numbers = true
    )]
    travel: Vec<f64>,

    /// The figure goes where the root motion of its clips leads, over a ground that stays: that of the joint
    /// that leads the others, or of this one.
    #[arg(
        long,
        value_name = "JOINT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with = "travel"
    )]
    root_motion: Option<String>,

    /// Clips that travel are shown on the spot.
    #[arg(long, conflicts_with = "root_motion")]
    in_place: bool,

    /// The camera does not follow a figure that travels, and sees its whole way.
    #[arg(long, requires = "root_motion")]
    still_camera: bool,

    /// Mark the ground where feet are when their markers come: those that have the name of a joint. Marks fade
    /// within 3 seconds. They are drawn on the CPU, and on level ground only.
    #[arg(long, conflicts_with_all = ["gpu", "no_ground", "ground"])]
    footprints: bool,

    /// Draw the skeleton on top.
    #[arg(long)]
    skeleton: bool,

    /// Draw on the CPU, even if there is a GPU. The same input gives the same bytes then.
    #[arg(long)]
    software: bool,

    /// Draw by the graphics driver, even if that is one in software.
    #[arg(long, conflicts_with = "software")]
    gpu: bool,

    /// Samples along each side of a pixel, on the CPU: from 1, jagged and quick, to 8.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=8))]
    samples: u32,

    #[command(flatten)]
    loading: Loading,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    options::check(arguments)?;
    let path = arguments.output.clone().unwrap_or_else(|| default_output(&arguments.file));
    let is_still = arguments.time.is_some() || arguments.sheet.is_some();
    let format = Format::of(&path, is_still)?;

    let mut asset = embedded::asset(&arguments.file, &arguments.loading.options())?;
    if arguments.root_motion.is_some() || arguments.in_place {
        let joint = arguments.root_motion.as_deref().unwrap_or("");
        root_motion::split(&mut asset, joint, &arguments.file)?;
    }
    if arguments.mirror {
        rig::mirror_clips(&mut asset, &arguments.file)?;
    }
    let model = Arc::new(Model::new(asset));
    let stories = stories(arguments, &model)?;
    check_motion(arguments, &model, &stories)?;
    if !is_still {
        options::check_length(stories.iter().map(Story::secs).fold(0.0, f64::max), arguments.fps)?;
    }
    let mut stage = Stage::new(&model)?;
    stage.travels = arguments.root_motion.is_some();
    stage.corrections = rig::Corrections::new(&model.asset.skeleton, &arguments.ik, &arguments.look)?;
    if let Some(ground) = &arguments.ground {
        let terrain = terrain::Terrain::new(ground, &arguments.loading.options())?;
        stage.corrections.stand_on(&model.asset.skeleton, terrain)?;
        stage.show_ground()?;
    }
    if arguments.springs {
        stage.corrections.swing(&model.asset, &arguments.file)?;
    }
    for text in &arguments.attach {
        stage.attach(&Attachment::parse(text)?, &arguments.loading.options())?;
    }
    let choice = match (arguments.software, arguments.gpu) {
        (true, _) => Choice::Software,
        (false, true) => Choice::Gpu,
        (false, false) if arguments.footprints => Choice::Footprints,
        (false, false) => Choice::Best,
    };
    let mut painter = Painter::choose(choice, arguments.samples)?;
    painter.tell();
    let mut view = view(arguments);
    view.skeleton |= shows_bones_only(&model, &arguments.file)?;
    let mut films = Vec::new();
    for story in stories {
        films.push(Film::new(&mut stage, story, view.clone()));
    }
    // All pictures of a sheet are taken from the same place.
    Film::share_camera(&mut films);

    let (frames, secs) = painter.draw_all(|painter| {
        let picture = if let Some(grid) = arguments.sheet {
            draw_sheet(grid, &mut stage, &films, painter)?
        } else if let Some(time) = arguments.time {
            Beside::new(&films).draw_at(time, &mut stage, painter)?
        } else {
            return shoot(&films, &mut stage, painter, format, &path);
        };
        write_still(&path, &picture)?;
        Ok((1, 0.0))
    })?;
    let Size { width, height } =
        if arguments.sheet.is_some() { arguments.size } else { Beside::new(&films).size() };
    let what = match (arguments.sheet, frames) {
        (Some(Grid { columns, rows }), _) => format!("{columns} x {rows} pictures of {width} x {height}"),
        (None, 1) => format!("{width} x {height}"),
        (None, frames) => format!("{}, {width} x {height}, {secs:.2} s", count(frames, "frame")),
    };
    if !films.iter().any(|film| film.shows_something(arguments.time, &mut stage, &mut painter)) {
        let file = arguments.file.display();
        let why = "what it has is hidden, transparent, or without any size";
        anstream::eprintln!("{WARNING}warning:{WARNING:#} nothing of {file} is seen: {why}");
    }
    let size = movie::size_on_disk(&path);
    output.line(format_args!("{}: {what}, {}", path.display(), bytes(size)))?;
    Ok(ExitCode::SUCCESS)
}

/// Whether there are no surfaces to draw, but bones; says so.
fn shows_bones_only(model: &Model, file: &Path) -> Result<bool, Failure> {
    if !model.parts().is_empty() {
        return Ok(false);
    }
    let file = file.display();
    if model.bones().next().is_none() {
        return Err(Failure::new(
            format!("{file} has nothing that can be drawn: no surfaces, lines or points, and no joints"),
            format!("`canter inspect {file}` tells what it has"),
        ));
    }
    anstream::eprintln!("{QUIET}{file} has no surfaces: its skeleton is drawn.{QUIET:#}");
    Ok(true)
}

fn view(arguments: &Arguments) -> View {
    View {
        size: arguments.size,
        fps: arguments.fps,
        yaw: arguments.yaw.to_radians(),
        pitch: arguments.pitch.to_radians(),
        turntable: arguments.turntable,
        background: arguments.background,
        ground: !arguments.no_ground && arguments.ground.is_none(),
        travel: arguments.travel.clone(),
        still_camera: arguments.still_camera,
        footprints: arguments.footprints,
        skeleton: arguments.skeleton,
    }
}

/// One for each `--clip` and each `--fade-kind`.
fn stories(arguments: &Arguments, model: &Model) -> Result<Vec<Story>, Failure> {
    let asset = &model.asset;
    if let Some(path) = &arguments.graph {
        let graph = load_graph(path, asset)?;
        let script = Script::read(arguments.script.as_deref(), &graph)?;
        let drive = Drive { graph, script, clips: asset.clips.clone() };
        return Ok(vec![Story::of_graph(&asset.skeleton, drive)]);
    }
    let find = |wanted: &str| clip::find(asset, wanted, &arguments.file).cloned();
    let plan = Plan {
        to: arguments.to.iter().map(|text| to(text, find)).collect::<Result<_, _>>()?,
        fade_secs: arguments.fade,
        sync: arguments.sync,
        layers: arguments
            .layer
            .iter()
            .map(|text| overlay(text, arguments, model))
            .collect::<Result<_, _>>()?,
        wanted_secs: arguments.seconds,
        turntable: arguments.turntable,
        ..Plan::default()
    };
    let clips = if arguments.clip.is_empty() {
        let walk = || asset.clips.iter().find(|clip| clip.name() == "Walk");
        vec![walk().or_else(|| asset.clips.first()).cloned()]
    } else {
        arguments.clip.iter().map(|wanted| find(wanted).map(Some)).collect::<Result<_, _>>()?
    };
    let mut stories = Vec::new();
    for clip in clips {
        for &fade_kind in &arguments.fade_kind {
            stories.push(Story::new(&asset.skeleton, Plan { clip: clip.clone(), fade_kind, ..plan.clone() }));
        }
    }
    if let Some(late) = stories.iter().find_map(Story::too_late).filter(|_| arguments.time.is_none()) {
        let name = late.found.clip.name();
        return Err(Failure::new(
            format!("--layer {name} begins at {} s, after the film ends", late.at_secs.unwrap_or(0.0)),
            "let it begin earlier (at=SECS), or make the film longer (--seconds)",
        ));
    }
    Ok(stories)
}

/// Whoever asks for a way or for footprints wants to see some.
fn check_motion(arguments: &Arguments, model: &Model, stories: &[Story]) -> Result<(), Failure> {
    let path = arguments.file.display();
    let clips = || stories.iter().flat_map(Story::clips);
    if arguments.root_motion.is_some() && !clips().any(|clip| clip.root_motion().is_some()) {
        return Err(Failure::new(
            "no clip of the film travels",
            format!(
                "`canter inspect {path}` tells which do; --travel SPEED moves the ground below one on the spot"
            ),
        ));
    }
    let skeleton = &model.asset.skeleton;
    let has_feet =
        |clip: &Arc<Clip>| clip.markers().iter().any(|marker| skeleton.joint(&marker.name).is_some());
    if arguments.footprints && !clips().any(has_feet) {
        return Err(Failure::new(
            "no clip of the film has markers with the names of joints",
            format!("`canter markers {path} --detect` finds footfalls"),
        ));
    }
    Ok(())
}

/// `--to CLIP` or `--to CLIP@SECS`; a clip whose name has an @ in it is found first.
fn to(text: &str, find: impl Fn(&str) -> Result<Arc<Clip>, Failure>) -> Result<To, Failure> {
    let (name, at_secs) = layer::clip_at(text);
    if let Ok(clip) = find(text) {
        return Ok(To { clip, at_secs: None });
    }
    if at_secs.is_some_and(|secs| !(0.0..=3600.0).contains(&secs)) {
        return Err(Failure::new(format!("--to {text} is out of range"), "give a time from 0 to 3600"));
    }
    Ok(To { clip: find(name)?, at_secs })
}

fn overlay(text: &str, arguments: &Arguments, model: &Model) -> Result<Overlay, Failure> {
    let text = LayerText::parse(text, layer::FILM_KEYS)?;
    let found = text.resolve(&model.asset, &arguments.file)?;
    Ok(Overlay::new(found, text.at_secs, text.once, text.fade_secs))
}

fn default_output(file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or(file.as_os_str());
    Path::new(stem).with_added_extension("png")
}
