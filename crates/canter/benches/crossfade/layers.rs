//! What layers and the kinds of fades cost, beside the ordinary frame of two clips.

use std::sync::Arc;

use canter::{
    AdditiveReference, Clip, Fade, FadeKind, JointMask, Layer, Marker, Mat3x4, Mixer, ModelPose, Play, Pose,
    RootMotion, SyncGroup,
};

use super::DT_SECS;
use super::clock::nanos_per_call;
use super::counts;
use super::rig::Rig;

/// So long that it never ends.
const FADE_SECS: f32 = 1e6;

/// What a character plays. The first is what the others are compared with.
pub(crate) const JOBS: [&str; 14] = [
    "two clips",
    "one clip",
    "crossfade",
    "inertial",
    "dead",
    "over half",
    "add to half",
    "2 masked",
    "4 masked",
    "8 masked",
    "10 markers",
    "10 markers, a way",
    "10 markers, a way with turns",
    "10 markers, a way, in step",
];

/// Of these also what the mixer takes without composing and the palette; the first is compared with.
pub(crate) const FADES: [&str; 3] = ["crossfade", "inertial", "dead"];
/// The word before a job of which only the mixer is counted.
pub(crate) const MIXER: &str = "mixer:";

/// A character with everything of its own.
pub(crate) struct Character {
    mixer: Mixer,
    pose: Pose,
    model: ModelPose,
    palette: Vec<Mat3x4>,
    /// Whether somebody asks for markers and root motion.
    is_told: bool,
}

/// The clip as a job wants it: with ten markers, or with its way taken out of the pose.
fn told(rig: &Rig, clip: &Arc<Clip>, job: &str) -> Arc<Clip> {
    let mut clip = Clip::clone(clip);
    if job.contains("a way") {
        let joint = rig.skeleton.joint_at(0).expect("a root");
        let root = RootMotion { yaw: job.contains("turns"), ..RootMotion::over_ground(joint) };
        clip = clip.with_root_motion(&rig.skeleton, root).expect("nothing is above it");
    }
    if job.contains("10 markers") {
        let secs = clip.duration_secs();
        // Half of them in each of the two clips.
        let secs_of = |number: u8| secs * f32::from(number) / 6.0;
        let marker = |number: u8| Marker::new(["L", "R"][usize::from(number % 2)], secs_of(number));
        clip = clip.with_markers((0..5).map(marker)).expect("within the clip");
    }
    Arc::new(clip)
}

impl Character {
    pub(crate) fn new(rig: &Rig, job: &str) -> Self {
        let mut mixer = Mixer::new(&rig.skeleton);
        let clips = rig.clips.each_ref().map(|clip| told(rig, clip, job));
        let [a, b] = &clips;
        let half = rig.skeleton.joints().take(rig.skeleton.joint_count() / 2);
        let half = Arc::new(JointMask::joints(&rig.skeleton, half));
        let fade = |kind| Fade { kind, ..Fade::cross(FADE_SECS) };
        match job.split_once(" masked") {
            Some((count, _)) => {
                for index in 0..count.parse().unwrap_or(0) {
                    let mask = Some(Arc::clone(&half));
                    mixer.play(&rig.clips[index % 2], Play { mask, ..Play::default() });
                }
            }
            None => {
                let sync = job.contains("in step").then_some(SyncGroup::by_markers(0));
                mixer.play(a, Play { sync, ..Play::default() });
                if job.contains("markers") || job.contains("a way") {
                    mixer.play(b, Play { sync, ..Play::default() });
                }
            }
        }
        match job {
            "crossfade" => _ = mixer.crossfade_to(b, fade(FadeKind::Cross)),
            "inertial" => _ = mixer.crossfade_to(b, fade(FadeKind::Inertial)),
            "dead" => _ = mixer.crossfade_to(b, fade(FadeKind::Dead)),
            "two clips" | "over half" | "add to half" => _ = mixer.play(b, Play::default()),
            _ => {}
        }
        if job == "over half" {
            let layer = mixer.add_layer(Layer::over(Arc::clone(&half)));
            mixer.layer_mut(layer).expect("just added").play(b, Play::default()).expect("an ordinary clip");
        }
        if job == "add to half" {
            let delta = Arc::new(b.additive(AdditiveReference::FirstKey).expect("an ordinary clip"));
            let layer = mixer.add_layer(Layer::additive().with_mask(half));
            mixer
                .layer_mut(layer)
                .expect("just added")
                .play(&delta, Play::default())
                .expect("an additive clip");
        }
        Self {
            mixer,
            pose: Pose::rest(&rig.skeleton),
            model: ModelPose::rest(&rig.skeleton),
            palette: vec![Mat3x4::IDENTITY; rig.skin.len()],
            is_told: job.contains("markers") || job.contains("a way"),
        }
    }

    pub(crate) fn mix(&mut self) {
        self.mixer.advance(DT_SECS);
        if self.is_told {
            self.mixer.markers().for_each(|marker| drop(std::hint::black_box(marker)));
            std::hint::black_box(self.mixer.root_motion());
        }
        self.mixer.sample(&mut self.pose);
    }

    pub(crate) fn frame(&mut self, rig: &Rig) {
        self.mix();
        self.model.compose(&rig.skeleton, &self.pose);
        rig.skin.write_palette(&self.model, &mut self.palette);
    }
}

/// Prints the same of markers and root motion alone, measured for longer: what they cost is little.
pub(crate) fn print_motion(rig: &Rig) {
    let [.., a, b, c, d] = JOBS;
    let jobs = [JOBS[0], a, b, c, d];
    let mut least = [f64::INFINITY; 5];
    for _ in 0..4 {
        let mut characters = jobs.map(|job| Character::new(rig, job));
        let mut works = characters.each_mut().map(|character| move || character.frame(rig));
        let nanos = nanos_per_call(&mut works.each_mut().map(|work| work as &mut dyn FnMut()));
        least = std::array::from_fn(|job| least[job].min(nanos[job]));
    }
    println!("  motion: {}", row(&jobs, &least));
}

/// Prints nanoseconds and what they are to those of two clips.
pub(crate) fn print(rig: &Rig) {
    let mut characters = JOBS.map(|job| Character::new(rig, job));
    let mut works = characters.each_mut().map(|character| move || character.frame(rig));
    let nanos = nanos_per_call(&mut works.each_mut().map(|work| work as &mut dyn FnMut()));
    println!("  layers: {}", row(&JOBS, &nanos));
    let mut characters = FADES.map(|job| Character::new(rig, job));
    let mut works = characters.each_mut().map(|character| move || character.mix());
    let nanos = nanos_per_call(&mut works.each_mut().map(|work| work as &mut dyn FnMut()));
    println!("  fades, mixer alone: {}", row(&FADES, &nanos));
}

/// Prints the same of instructions, as a table that `docs/performance.md` takes over.
pub(crate) fn print_counts() {
    let count = |job: &str| ["full", "typical"].map(|kind| counts::per_frame(kind, job));
    println!("\n| | full | typical |\n|---|---:|---:|");
    let fades = FADES.map(|job| format!("{MIXER}{job}"));
    for jobs in [&JOBS.map(str::to_owned)[..], &fades[..]] {
        let mut first = None;
        for job in jobs {
            let [Ok(full), Ok(typical)] = count(job) else {
                println!("| {job} | not counted | |");
                continue;
            };
            let [of_full, of_typical] = *first.get_or_insert([full, typical]);
            let job = job.replace(MIXER, "the mixer alone, ");
            println!(
                "| {job} | {full} ({:.2}) | {typical} ({:.2}) |",
                counts::ratio(full, of_full),
                counts::ratio(typical, of_typical)
            );
        }
    }
}

fn row(jobs: &[&str], costs: &[f64]) -> String {
    let part = |(job, cost): (&&str, &f64)| format!("{job} {cost:.0} ({:.2})", cost / costs[0]);
    jobs.iter().zip(costs).map(part).collect::<Vec<_>>().join(", ")
}
