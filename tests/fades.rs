//! No joint of the hero jumps, however his clips are faded: in, out, across, and interrupted.
//!
//! What a joint may turn and move in a frame, relative to its parent: one and a half times what the clips
//! that play do by themselves and what an even transition would, which is the distance between the poses that
//! take part by the part of the fade that a frame is. What it may move relative to the character follows from
//! that, down its limb.
//!
//! Left out are joints that a clip leads all the way round, as it does the tips of the scarf in the attack: a
//! turn that ends where it began cannot be drawn together to a point, so that no blend with a clip that does
//! not turn is continuous.
#![allow(clippy::print_stdout, reason = "figures, for those who ask with --nocapture")]

use std::sync::{Arc, OnceLock};

use canter::glam::{Quat, Vec3};
use canter::{Clip, Curve, Mixer, ModelPose, Play, Pose, Property, Skeleton, TrackTarget};
use canter_gltf::{Asset, LoadOptions};

const DT_SECS: f32 = 1.0 / 60.0;
const TIMES: f32 = 1.5;
/// What rounding adds, in metres and in radians.
const ROUNDING: (f32, f32) = (1e-4, 1e-3);
const FADES: [f32; 4] = [0.1, 0.15, 0.3, 0.8];

fn hero() -> Asset {
    canter_gltf::load_with("assets/hero.glb", &LoadOptions::default().with_root_motion())
        .expect("the hero is part of the project")
}

/// Where every joint is relative to the character, and how it stands relative to its parent.
#[derive(Clone)]
struct Joints {
    places: Vec<Vec3>,
    offsets: Vec<Vec3>,
    turns: Vec<Quat>,
}

/// How far joints move, or may.
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

impl Joints {
    fn new(skeleton: &Skeleton, pose: &Pose) -> Self {
        let mut model = ModelPose::rest(skeleton);
        model.compose(skeleton, pose);
        Self {
            places: skeleton.joints().map(|joint| model.joint(joint).w_axis.truncate()).collect(),
            offsets: skeleton.joints().map(|joint| pose.joint(joint).translation).collect(),
            turns: skeleton.joints().map(|joint| pose.joint(joint).rotation).collect(),
        }
    }

    fn of_clip(skeleton: &Skeleton, clip: &Clip, secs: f32) -> Self {
        let mut pose = Pose::rest(skeleton);
        clip.sample(secs, &mut pose);
        Self::new(skeleton, &pose)
    }

    /// How far apart each joint is, relative to its parent.
    fn distances(&self, other: &Self) -> Vec<Way> {
        let way = |joint: usize| Way {
            metres: self.offsets[joint].distance(other.offsets[joint]),
            radians: self.turns[joint].angle_between(other.turns[joint]),
        };
        (0..self.turns.len()).map(way).collect()
    }
}

fn largest(ways: &mut [Way], others: Vec<Way>) {
    for (way, other) in ways.iter_mut().zip(others) {
        *way = way.max(other);
    }
}

/// What plays, looked at before and after a frame.
struct Watch {
    skeleton: Arc<Skeleton>,
    mixer: Mixer,
    rest: Joints,
    before: Joints,
    /// The shortest fade of all that are under way.
    shortest_secs: f32,
    /// The joints that some clip leads all the way round.
    goes_round: &'static [bool],
    /// The largest part of what is allowed.
    worst: Way,
    /// The largest way of a joint in a frame: relative to the character, and of its turn.
    fastest: Way,
}

impl Watch {
    fn new(asset: &Asset) -> Self {
        let skeleton = Arc::clone(&asset.skeleton);
        let rest = Joints::new(&skeleton, &Pose::rest(&skeleton));
        let mixer = Mixer::new(&skeleton);
        Self {
            before: rest.clone(),
            goes_round: goes_round(asset),
            rest,
            mixer,
            skeleton,
            shortest_secs: f32::INFINITY,
            worst: Way::default(),
            fastest: Way::default(),
        }
    }

    /// The poses of all clips that take part, and the rest pose.
    fn poses(&self) -> Vec<Joints> {
        let playing = self.mixer.actions().filter(|(_, action)| action.is_started());
        let clips =
            playing.map(|(_, action)| Joints::of_clip(&self.skeleton, action.clip(), action.time_secs()));
        clips.chain([self.rest.clone()]).collect()
    }

    /// Plays a frame, and checks every joint.
    fn frame(&mut self, what: &str) {
        let before = self.poses();
        let ids: Vec<_> = self.mixer.actions().filter(|(_, a)| a.is_started()).map(|(id, _)| id).collect();
        // How far the clips move by themselves, and how far apart they are.
        let mut own = vec![Way::default(); self.rest.turns.len()];
        let mut apart = own.clone();
        let mut later = self.mixer.clone();
        later.advance(DT_SECS);
        for (pose, id) in before.iter().zip(&ids) {
            let Some(action) = later.get(*id) else { continue };
            let after = Joints::of_clip(&self.skeleton, action.clip(), action.time_secs());
            largest(&mut own, pose.distances(&after));
        }
        for (index, pose) in before.iter().enumerate() {
            before[index + 1..].iter().for_each(|other| largest(&mut apart, pose.distances(other)));
        }
        self.mixer.advance(DT_SECS);
        let mut pose = Pose::rest(&self.skeleton);
        self.mixer.sample(&mut pose);
        let now = Joints::new(&self.skeleton, &pose);
        let part = (DT_SECS / self.shortest_secs).min(1.0);
        let ways = self.before.distances(&now);
        // What all joints above may do together.
        let mut limbs = vec![Way::default(); own.len()];
        for joint in self.skeleton.joints() {
            let (index, name) = (joint.index(), self.skeleton.name(joint));
            let above = self.skeleton.parent(joint).map_or_else(Way::default, |parent| limbs[parent.index()]);
            let may = Way {
                metres: TIMES * (own[index].metres + apart[index].metres * part) + ROUNDING.0,
                radians: TIMES * (own[index].radians + apart[index].radians * part) + ROUNDING.1,
            };
            let reach = self.before.offsets[index].length() + may.metres;
            limbs[index] = Way {
                metres: above.metres + above.radians * reach + may.metres,
                radians: above.radians + may.radians,
            };
            let moved = self.before.places[index].distance(now.places[index]);
            let way = ways[index];
            if self.goes_round[index] {
                // Whatever it does, it does to all that hangs on it.
                limbs[index].radians = std::f32::consts::PI;
                continue;
            }
            self.worst =
                self.worst.max(Way { metres: way.metres / may.metres, radians: way.radians / may.radians });
            self.fastest = self.fastest.max(Way { metres: moved, radians: way.radians });
            assert!(
                way.metres <= may.metres && way.radians <= may.radians && moved <= limbs[index].metres,
                "{what}: {name} turns {} of {} rad, moves {} of {} m, and {moved} of {} m in all",
                way.radians,
                may.radians,
                way.metres,
                may.metres,
                limbs[index].metres,
            );
        }
        self.before = now;
    }

    fn frames(&mut self, secs: f32, what: &str) {
        let mut left = secs;
        while left > -2.0 * DT_SECS {
            self.frame(what);
            left -= DT_SECS;
        }
    }
}

/// The joints that some clip of the hero leads all the way round.
fn goes_round(hero: &Asset) -> &'static [bool] {
    // Once for all tests: clips put their tracks together anew whenever they are asked for them.
    static ROUND: OnceLock<Vec<bool>> = OnceLock::new();
    ROUND.get_or_init(|| {
        let mut round = vec![false; hero.skeleton.joint_count()];
        for track in hero.clips.iter().flat_map(|clip| clip.tracks()) {
            if let TrackTarget::Joint(joint, Property::Rotation) = track.target {
                round[joint.index()] |= leads_round(&track.curve);
            }
        }
        round
    })
}

/// Whether a curve ends with the opposite of the quaternion it began with, followed from key to key.
fn leads_round(curve: &Curve) -> bool {
    let key = |key: usize| Quat::from_slice(curve.value(key));
    let keys = curve.times().len();
    let mut side = 1.0_f32;
    for next in 1..keys {
        side *= key(next - 1).dot(key(next)).signum();
    }
    side * key(0).dot(key(keys - 1)) < 0.0
}

fn each_phase(clip: &Clip) -> impl Iterator<Item = f32> {
    let length = clip.duration_secs();
    (0..4_u8).map(move |quarter| length * f32::from(quarter) / 4.0)
}

#[test]
fn the_first_action_fades_in_and_the_last_one_out_evenly() {
    let asset = hero();
    let mut worst = Way::default();
    for clip in &asset.clips {
        for secs in FADES {
            for start in each_phase(clip) {
                let mut watch = Watch::new(&asset);
                watch.shortest_secs = secs;
                let play = Play { start_secs: Some(start), fade: secs.into(), ..Play::default() };
                let id = watch.mixer.play(clip, play);
                watch.frames(secs, &format!("{} in over {secs} s from {start} s", clip.name()));
                watch.mixer.fade_out(id, secs);
                watch.frames(secs, &format!("{} out over {secs} s", clip.name()));
                assert_eq!(watch.mixer.actions().count(), 0);
                worst = worst.max(watch.worst);
            }
        }
    }
    println!(
        "fades in and out: at most {:.2} of what a joint may move, {:.2} of its turn",
        worst.metres, worst.radians
    );
}

#[test]
fn a_crossfade_between_any_two_clips_is_even() {
    let asset = hero();
    let mut worst = Way::default();
    for from in &asset.clips {
        for to in &asset.clips {
            for secs in FADES {
                for start in each_phase(from) {
                    let mut watch = Watch::new(&asset);
                    watch.mixer.play(from, Play { start_secs: Some(start), ..Play::default() });
                    let mut pose = Pose::rest(&watch.skeleton);
                    watch.mixer.sample(&mut pose);
                    watch.before = Joints::new(&watch.skeleton, &pose);
                    watch.shortest_secs = secs;
                    watch.mixer.crossfade_to(to, secs);
                    let what = format!("{} at {start} s to {} in {secs} s", from.name(), to.name());
                    watch.frames(secs, &what);
                    worst = worst.max(watch.worst);
                }
            }
        }
    }
    println!(
        "crossfades: at most {:.2} of what a joint may move, {:.2} of its turn",
        worst.metres, worst.radians
    );
}

/// A player who changes his mind every 1 to 6 frames: fades in, out and across, of all lengths, of any clips.
#[test]
fn interrupted_fades_are_even() {
    let asset = hero();
    let mut random = 7_u32;
    let mut below = |count: usize| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) as usize % count
    };
    let mut worst = Way::default();
    for every in 1..=6 {
        let mut watch = Watch::new(&asset);
        for change in 0..150 {
            let (clip, secs) = (&asset.clips[below(asset.clips.len())], FADES[below(FADES.len())]);
            // Fades that were started before run on.
            watch.shortest_secs = FADES[0];
            match below(5) {
                0 | 1 => _ = watch.mixer.crossfade_to(clip, secs),
                2 => _ = watch.mixer.play(clip, Play { fade: secs.into(), ..Play::once() }),
                3 => {
                    let id = watch.mixer.action(clip);
                    watch.mixer.fade_in(id, secs);
                }
                _ => {
                    let ids: Vec<_> = watch.mixer.actions().map(|(id, _)| id).collect();
                    if let Some(id) = ids.get(below(ids.len().max(1))) {
                        watch.mixer.fade_out(*id, secs);
                    }
                }
            }
            for _ in 0..every {
                watch.frame(&format!("every {every} frames, change {change}"));
            }
        }
        worst = worst.max(watch.worst);
    }
    println!(
        "interrupted: at most {:.2} of what a joint may move, {:.2} of its turn",
        worst.metres, worst.radians
    );
}

/// Fades that once moved a hand by half a metre, and turned the scarf by half a turn, in one frame.
#[test]
fn what_used_to_jump_moves_a_little() {
    let asset = hero();
    let [attack, idle] = ["Attack", "Idle"].map(|name| asset.clip(name).expect("the hero has it"));
    let mut fastest = [Way::default(); 2];
    for start in (0..64_u8).map(|step| attack.duration_secs() * f32::from(step) / 64.0) {
        let mut watch = Watch::new(&asset);
        watch.shortest_secs = 0.3;
        let play = Play { start_secs: Some(start), fade: 0.3.into(), ..Play::default() };
        let id = watch.mixer.play(attack, play);
        watch.frames(0.3, "the attack fades in");
        watch.mixer.fade_out(id, 0.3);
        watch.frames(0.3, "the attack fades out");
        fastest[0] = fastest[0].max(watch.fastest);

        let mut watch = Watch::new(&asset);
        watch.mixer.play(attack, Play { start_secs: Some(start), ..Play::default() });
        let mut pose = Pose::rest(&watch.skeleton);
        watch.mixer.sample(&mut pose);
        watch.before = Joints::new(&watch.skeleton, &pose);
        watch.shortest_secs = 0.3;
        watch.mixer.crossfade_to(idle, 0.3);
        watch.frames(0.3, "from the attack to idle");
        fastest[1] = fastest[1].max(watch.fastest);
    }
    for way in fastest {
        println!("{:.0} mm and {:.0} degrees in a frame", 1000.0 * way.metres, way.radians.to_degrees());
        assert!(way.metres < 0.25 && way.radians.to_degrees() < 90.0);
    }
}

/// A finished one-shot that is asked for again while it fades out.
#[test]
fn a_finished_clip_that_is_wanted_again_fades_from_itself() {
    let asset = hero();
    let attack = asset.clip("Attack").expect("the hero attacks");
    let idle = asset.clip("Idle").expect("the hero stands");
    for secs in FADES {
        let mut watch = Watch::new(&asset);
        watch.shortest_secs = secs;
        watch.mixer.play(attack, Play { fade: secs.into(), ..Play::once() });
        watch.frames(attack.duration_secs(), "the attack");
        watch.mixer.crossfade_to(idle, secs);
        watch.frames(secs / 2.0, "to idle");
        watch.mixer.crossfade_to(attack, secs);
        watch.frames(secs, "to the attack again");
    }
}
