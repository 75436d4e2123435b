//! A player who changes his mind every 1 to 6 frames, with fades that start from what is on screen.
//!
//! What a joint may turn and move in a frame, relative to its parent: one and a half times the most that any
//! clip moves it by itself, and the transition's own share: the distance that it began with, over 0.4 of its
//! time.
#![allow(clippy::print_stdout, reason = "figures, for those who ask with --nocapture")]
#![allow(clippy::cast_precision_loss, reason = "frames are few")]

use std::sync::Arc;

use canter::{Clip, Fade, FadeKind, Mixer, ModelPose, Pose, Skeleton};
use canter_gltf::{Asset, LoadOptions};

const DT_SECS: f32 = 1.0 / 60.0;
const TIMES: f32 = 1.5;
const SHARE: f32 = 0.4;
/// What rounding adds, in metres and in radians.
const ROUNDING: Way = Way { metres: 1e-5, radians: 1e-3 };
/// Lengths of fades, and the largest jump that was seen with each, rounded up.
const FADES: [(f32, f32); 3] = [(0.1, 0.27), (0.25, 0.15), (0.5, 0.12)];

/// How far a joint moves and turns, relative to its parent.
#[derive(Clone, Copy, Default)]
struct Way {
    metres: f32,
    radians: f32,
}

impl Way {
    fn max(self, other: Self) -> Self {
        Self { metres: self.metres.max(other.metres), radians: self.radians.max(other.radians) }
    }
}

fn ways(skeleton: &Skeleton, a: &Pose, b: &Pose) -> Vec<Way> {
    let way = |joint| {
        let (a, b) = (a.joint(joint), b.joint(joint));
        // Twice the arcsine of half of the chord: exact for small angles.
        let (p, q) = (a.rotation.normalize(), b.rotation.normalize());
        let chord = (p - q).length().min((p + q).length());
        Way { metres: a.translation.distance(b.translation), radians: 4.0 * (chord / 2.0).min(1.0).asin() }
    };
    skeleton.joints().map(way).collect()
}

/// The most that any clip moves each joint in a frame, wherever the frames fall. A clip that does not end
/// where it begins jumps by itself when it is repeated.
fn most(skeleton: &Skeleton, clips: &[Arc<Clip>]) -> Vec<Way> {
    let mut most = vec![Way::default(); skeleton.joint_count()];
    let (mut before, mut after) = (Pose::rest(skeleton), Pose::rest(skeleton));
    for clip in clips {
        let mut secs = 0.0;
        while secs < clip.duration_secs() {
            clip.sample(secs, &mut before);
            clip.sample((secs + DT_SECS) % clip.duration_secs(), &mut after);
            let moved = ways(skeleton, &before, &after);
            most.iter_mut().zip(moved).for_each(|(most, way)| *most = most.max(way));
            secs += DT_SECS / 8.0;
        }
    }
    most
}

struct Mash {
    /// The largest part of what is allowed.
    worst: Way,
    /// The largest jump of a joint relative to the character, in metres.
    jump: f32,
}

/// Ten seconds of a switch every so many frames.
fn mash(asset: &Asset, kind: FadeKind, every: usize, secs: f32, seed: u32) -> Mash {
    let skeleton = &asset.skeleton;
    let most = most(skeleton, &asset.clips);
    let mut random = seed;
    let mut below = |count: usize| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) as usize % count
    };
    let mut mixer = Mixer::new(skeleton);
    let (mut before, mut now) = (Pose::rest(skeleton), Pose::rest(skeleton));
    let (mut model_before, mut model) = (ModelPose::rest(skeleton), ModelPose::rest(skeleton));
    let mut target = Pose::rest(skeleton);
    let mut distances: Vec<(usize, Vec<Way>)> = Vec::new();
    let mut mash = Mash { worst: Way::default(), jump: 0.0 };
    for frame in 0..600 {
        if frame % every == 0 {
            let clip = &asset.clips[below(asset.clips.len())];
            let id = mixer.crossfade_to(clip, Fade { kind, ..Fade::cross(secs) });
            let action = mixer.get(id).expect("it plays");
            clip.sample(action.time_secs(), &mut target);
            distances.push((frame, ways(skeleton, &before, &target)));
        }
        mixer.advance(DT_SECS);
        mixer.sample(&mut now);
        model.compose(skeleton, &now);
        let recent = |begun: usize| (frame - begun) as f32 * DT_SECS <= secs;
        distances.retain(|(begun, _)| recent(*begun));
        let moved = ways(skeleton, &before, &now);
        for joint in skeleton.joints() {
            let index = joint.index();
            let distance = distances.iter().fold(Way::default(), |far, (_, ways)| far.max(ways[index]));
            let share = DT_SECS / (SHARE * secs);
            let may = Way {
                metres: TIMES * most[index].metres + distance.metres * share + ROUNDING.metres,
                radians: TIMES * most[index].radians + distance.radians * share + ROUNDING.radians,
            };
            let part =
                Way { metres: moved[index].metres / may.metres, radians: moved[index].radians / may.radians };
            assert!(
                part.metres <= 1.0 && part.radians <= 1.0,
                "{kind:?} of {secs} s every {every} frames, frame {frame}: {} turns {} of {} rad, moves {} of {} m",
                skeleton.name(joint),
                moved[index].radians,
                may.radians,
                moved[index].metres,
                may.metres,
            );
            mash.worst = mash.worst.max(part);
            let [was, is] = [&model_before, &model].map(|model| model.joint(joint).w_axis.truncate());
            mash.jump = mash.jump.max(was.distance(is));
        }
        std::mem::swap(&mut before, &mut now);
        std::mem::swap(&mut model_before, &mut model);
    }
    mash
}

#[test]
fn no_joint_jumps_however_clips_are_mashed() {
    let asset = canter_gltf::load_with("assets/hero.glb", &LoadOptions::default().with_root_motion())
        .expect("the hero is part of the project");
    // The most that a joint may move in a frame relative to the character, in metres.
    for (secs, most) in FADES {
        for kind in [FadeKind::Inertial, FadeKind::Dead] {
            let mut all = Mash { worst: Way::default(), jump: 0.0 };
            for every in 1..=6 {
                let mash = mash(&asset, kind, every, secs, 7);
                all = Mash { worst: all.worst.max(mash.worst), jump: all.jump.max(mash.jump) };
            }
            println!(
                "{kind:?} of {secs} s: at most {:.2} of what a joint may move, {:.2} of its turn; {:.0} mm in a frame",
                all.worst.metres,
                all.worst.radians,
                1000.0 * all.jump
            );
            assert!(all.jump <= most, "{kind:?} of {secs} s: {} of {most} m", all.jump);
        }
    }
}
