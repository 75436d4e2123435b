//! The text of `docs/performance.md`.

use std::fmt::Write as _;

use super::report::{Check, Report, Row, Sizes, grouped};
use super::{Tables, plot};

/// Everything else is measured against this.
const OURS: &str = "canter-ecs";
const CORE: &str = "canter";
/// The crowd that factors are quoted for.
const MANY: usize = 1_000;

/// The JavaScript half.
pub(super) struct Web {
    pub(super) rows: Vec<Row>,
    /// What was printed about three.js, and about crowds that are far away.
    pub(super) three: String,
    pub(super) far: String,
    /// What modules weigh.
    pub(super) sizes: String,
}

pub(super) fn write(
    report: &Report,
    web: Option<&Web>,
    tables: &Tables,
    lock: &str,
    package: &str,
) -> String {
    let mut text = HEAD.to_owned();
    let machine = &report.machine;
    line(&mut text, &format!("Machine: {}, {} cores, {}.", machine.cpu, machine.cores, machine.system));
    let peers = ["bevy_animation", "fyrox-animation"];
    let versions: Vec<_> = peers.iter().filter_map(|name| version(lock, name)).collect();
    line(&mut text, &format!("Peers: {}.", versions.join(", ")));
    line(&mut text, "\n## Nanoseconds per character-frame\n");
    for (tracks, meaning) in [
        ("full", "translation, rotation and scale tracks on every joint"),
        ("typical", "rotation tracks on every joint, a translation track on the first"),
    ] {
        line(&mut text, &format!("*{tracks}*: {meaning}.\n"));
        let rows: Vec<&Row> = report.jobs.iter().filter(|row| row.tracks == tracks).collect();
        table(&mut text, &rows, &[CORE, OURS]);
    }
    line(&mut text, MEANING);
    line(&mut text, "\n## What was compared first\n");
    line(&mut text, CHECKS);
    checks(&mut text, &report.checks);
    line(&mut text, "\n## Cost over size\n");
    line(&mut text, SIZES);
    report.sizes.iter().for_each(|sizes| growth(&mut text, sizes));
    line(&mut text, "\n## Clips in memory\n");
    line(&mut text, MEMORY);
    line(&mut text, &tables.memory);
    line(&mut text, "\n## Layers and kinds of fades\n");
    line(&mut text, LAYERS);
    line(&mut text, &tables.layers);
    line(&mut text, "\n## In JavaScript\n");
    match web {
        Some(Web { rows, three, far, sizes }) => {
            let version = |name| npm_version(package, name).unwrap_or("of an unknown version");
            let (of_three, lite) = (version("three"), version("@babylonjs/lite"));
            line(
                &mut text,
                &format!(
                    "The same job in Node, on one thread. three.js {of_three}: its mixer, matrices and skeleton. Babylon Lite {lite}: its animation\n\
                     manager with blending, without the upload. Flat JavaScript: typed arrays and slerp, written by hand for this job.\n"
                ),
            );
            for tracks in ["full", "typical"] {
                let rows: Vec<&Row> = rows.iter().filter(|row| row.tracks == tracks).collect();
                if let Some(first) = rows.first().and_then(|row| row.nanos.first()) {
                    line(&mut text, &format!("*{tracks}*\n"));
                    table(&mut text, &rows, &[&first.name]);
                }
            }
            line(&mut text, "## Under three.js\n");
            line(&mut text, UNDER_THREE);
            text.push_str(three);
            line(&mut text, "\n## Far members of a crowd on the web\n");
            line(&mut text, FAR);
            text.push_str(far);
            line(&mut text, "\n## What a visitor downloads\n");
            sizes.lines().for_each(|size| line(&mut text, &format!("- {size}")));
        }
        None => line(&mut text, "Not measured in this run; `web/bench/report.mjs` does it by itself."),
    }
    text
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// The version of a package that the tools of the web part name.
fn npm_version<'a>(package: &'a str, name: &str) -> Option<&'a str> {
    Some(package.split_once(&format!("\"{name}\": \""))?.1.split_once('"')?.0)
}

/// `name version` as the lock file has it.
fn version(lock: &str, name: &str) -> Option<String> {
    let entry = lock.split_once(&format!("name = \"{name}\"\nversion = \""))?.1;
    Some(format!("{name} {}", entry.split_once('"')?.0))
}

/// One line per implementation, one column per number of characters, then how many times as long as ours it
/// takes.
fn table(text: &mut String, rows: &[&Row], ours: &[&str]) {
    let Some(first) = rows.first() else { return };
    let mut head = "| |".to_owned();
    for row in rows {
        let plural = if row.characters == 1 { "" } else { "s" };
        let _ = write!(head, " {} character{plural} |", grouped(row.characters as f64));
    }
    for name in ours {
        let _ = write!(head, " times {name}, {} |", grouped(MANY as f64));
    }
    line(text, &head);
    line(text, &format!("|---|{}", "---:|".repeat(rows.len() + ours.len())));
    for figure in &first.nanos {
        let mut cells = format!("| {} |", figure.name);
        for row in rows {
            let _ = match row.of(&figure.name) {
                Some(nanos) => write!(cells, " {} |", grouped(nanos)),
                None => write!(cells, " |"),
            };
        }
        let many = rows.iter().find(|row| row.characters == MANY);
        for name in ours {
            let factor = many.and_then(|row| Some(row.of(&figure.name)? / row.of(name)?));
            let _ = match factor {
                Some(factor) => write!(cells, " {factor:.1} |"),
                None => write!(cells, " |"),
            };
        }
        line(text, &cells);
    }
    text.push('\n');
}

fn checks(text: &mut String, checks: &[Check]) {
    line(text, "| | tracks | largest difference |\n|---|---|---:|");
    for check in checks {
        line(text, &format!("| {} | {} | {:.1e} |", check.name, check.tracks, check.largest_difference));
    }
}

fn growth(text: &mut String, sizes: &Sizes) {
    line(text, &format!("\n![{} over {}]({})\n", sizes.unit, sizes.name, plot::file_name(sizes)));
    let cells = |of: fn(&(f64, f64)) -> f64| {
        sizes.points.iter().map(|point| format!(" {} |", grouped(of(point)))).collect::<String>()
    };
    line(text, &format!("| {} |{}", sizes.name, cells(|point| point.0)));
    line(text, &format!("|---|{}", "---:|".repeat(sizes.points.len())));
    line(text, &format!("| {} |{}", sizes.unit, cells(|point| point.1)));
}

const UNDER_THREE: &str = "\
`AnimationMixer` of `canter/three` beside three's own, in the same program: two clips whose weights change, `mixer.update`,
`scene.updateMatrixWorld` and `skeleton.update` of every character; and a clone with a mixer, two actions and its first frame. Each in a
process of its own, in turns; the shortest of many frames. *Like Xbot*: 67 bones, two meshes. *Like Soldier*: the last joints are plain
nodes. *RobotExpressive*: the file, of many rigid parts.
";

const FAR: &str = "\
An update of a `Crowd` of the npm package, heroes of 69 joints, and what part it is of one at full rate. One of five is near and is sampled
in every frame. Palettes that are moved on are memory that is read and written; shaders can do that from two palettes.
";

const HEAD: &str = "\
# Performance

Written by `cargo xtask bench`, which anyone can run; not by hand.

One **character-frame**: advance two looping actions by 1/60 s, sample both, blend them with weights that change slowly, compose
64 joints to model space, multiply by the inverse bind matrices. Clips of 1.0 s with 31 keys and 0.7 s with 22, linear. Every
character has times, pose and palette of its own. One thread; all implementations take turns in one process, and the shortest of many
short runs counts. Machines differ and are noisy: what carries over is the factors. Frames of a thousand characters and more take longer
than a slice of the scheduler: on a machine that does other work they come out too high, the slow ones more so.

";

const MEANING: &str = "\
- **canter**: the stages of the crate `canter`, one character after another. **canter, crowd**: its `Crowd`, in one call.
- **canter-ecs**: an entity per character in `bevy_ecs`, all systems in their schedule.
- **plain**: the same job as it is usually written, an array of structs with glam.
- **bevy_animation**: its plugin with an entity per joint, transform propagation, and palettes as Bevy's renderer writes them.
- **fyrox-animation**: two animations ticked, their poses blended and applied, composed as in *plain*.";

const CHECKS: &str = "\
Before anything is measured, the palettes of 7 characters over 200 frames are compared with those of *plain*, which interpolates
rotations as each of them does: Canter by slerp between keys and a normalised sum between clips, Bevy by slerp in both, Fyrox by
normalised interpolation in both. The numbers are around 1; above 2e-4 the benchmark ends.
";

const SIZES: &str = "\
Canter alone, with *full* tracks: one character, but for the last, which is a crowd. Both axes are logarithmic. The cost grows with
the joints and the actions, and not with the keys: any time finds its keys at once.";

const MEMORY: &str = "\
Both clips in memory, as they are and packed with an error of 0.1 mm; what it takes to sample the first of them, and a thousand
characters of a crowd that all play the same two, or one of 200 pairs of copies, which no cache holds.
";

const LAYERS: &str = "\
Instructions instead of nanoseconds, which are the same on a busy machine, per character-frame as above; in brackets what part that is of
the first row. *crossfade* samples both clips, *inertial* and *dead* only the one that comes. *over half* and *add to half*: two clips, and
a layer above them with one action on half of the joints. *masked*: so many actions with a mask of half of the joints.
*markers*: half of them in each of two clips, and asked for in every frame; *a way*: with the root motion of both; *in step*: in a sync
group.
";
