//! Instructions instead of seconds: the same on a busy machine as on a quiet one.
//!
//! The benchmark runs itself under callgrind, for few frames and for many; the difference is what frames
//! cost.

use std::process::Command;

use super::rig::{Kind, Rig};
use super::{Character, layers, library, plain};

/// The word before which the parent tells its child what to run.
const CHILD: &str = "--run-for-counting";
/// A frame with a node that nothing moves beside all joints.
const NODE_MORE: &str = "a node more";
const FEW: u64 = 50;
const MANY: u64 = 550;

/// Runs as the child if this process is one.
pub(crate) fn run_child() -> bool {
    let arguments: Vec<String> = std::env::args().collect();
    let Some(at) = arguments.iter().position(|argument| argument == CHILD) else { return false };
    let [kind, job, frames] = &arguments[at + 1..at + 4] else { return false };
    let kind = if kind == "full" { Kind::Full } else { Kind::Typical };
    let rig = Rig::new(kind);
    let frames: u64 = frames.parse().unwrap_or(0);
    if job == NODE_MORE {
        let rig = Rig::with_nodes(kind, &["mesh"]);
        let mut character = Character::new(&rig, 3);
        (0..frames).for_each(|_| character.frame(&rig));
    } else if job == "canter" {
        let mut character = Character::new(&rig, 3);
        (0..frames).for_each(|_| character.frame(&rig));
    } else if let Some(kind) = job.strip_prefix(library::SAMPLE) {
        library::sample(&rig, kind, frames);
    } else if let Some(job) = job.strip_prefix(layers::MIXER) {
        let mut character = layers::Character::new(&rig, job);
        (0..frames).for_each(|_| character.mix());
    } else if layers::JOBS.contains(&job.as_str()) {
        let mut character = layers::Character::new(&rig, job);
        (0..frames).for_each(|_| character.frame(&rig));
    } else {
        let mut character = plain::Character::new(&rig, 3);
        (0..frames).for_each(|_| character.frame(&rig));
    }
    true
}

/// Prints the instructions of one character-frame, or why they cannot be counted.
pub(crate) fn print() {
    println!("instructions per character-frame, counted by callgrind");
    for kind in ["full", "typical"] {
        match (per_frame(kind, "canter"), per_frame(kind, "plain")) {
            (Ok(canter), Ok(plain)) => {
                println!("{kind:>12}: canter {canter}, plain {plain}, ratio {:.1}", ratio(plain, canter));
            }
            (Err(error), _) | (_, Err(error)) => {
                println!("    not counted: {error}");
                return;
            }
        }
        if let Ok(count) = per_frame(kind, NODE_MORE) {
            println!("{:>12}  with a 65th node that nothing moves: {count}", "");
        }
        let samples = library::KINDS.map(|(name, _)| {
            let count = per_frame(kind, &format!("{}{name}", library::SAMPLE));
            count.map_or_else(|error| error, |count| format!("{name} {count}"))
        });
        println!("{:>12}  sampling clip A: {}", "", samples.join(", "));
    }
}

#[expect(clippy::cast_precision_loss, reason = "small counts")]
pub(crate) fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b as f64
}

pub(crate) fn per_frame(kind: &str, job: &str) -> Result<u64, String> {
    let (few, many) = (total(kind, job, FEW)?, total(kind, job, MANY)?);
    Ok((many - few) / (MANY - FEW))
}

fn total(kind: &str, job: &str, frames: u64) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args([CHILD, kind, job, &frames.to_string()])
        .output()
        .map_err(|error| format!("valgrind does not start ({error}); install it to count instructions"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let collected = text.lines().find_map(|line| line.split("Collected :").nth(1));
    collected.and_then(|count| count.trim().parse().ok()).ok_or_else(|| format!("no count in: {text}"))
}
