//! What feet do: they get where they should, stand still, and never sink into the ground or each other.

use glam::{DVec3, dvec3};

use crate::clips::{CLIPS, Clip, Keys, RootMotion};
use crate::frame::Frame;
use crate::landmarks::{BALL, HEEL, TOE_TIP};
use crate::math::blend;
use crate::pose::Pose;
use crate::rig::Rig;
use crate::side::Side;

/// What a runtime shows between keys: every joint interpolated on its own.
fn interpolated(keys: &Keys, time_secs: f64) -> (Frame, Pose) {
    let last = keys.times_secs.len() - 1;
    let at = time_secs / keys.times_secs[last] * last as f64;
    let key = (at as usize).min(last - 1);
    let t = at - key as f64;
    let (mut root, mut pose) = (keys.roots[key], keys.poses[key].clone());
    root.translation = root.translation.lerp(keys.roots[key + 1].translation, t);
    root.rotation = blend(root.rotation, keys.roots[key + 1].rotation, t);
    pose.hips_shift = pose.hips_shift.lerp(keys.poses[key + 1].hips_shift, t);
    for (turn, next) in pose.turns.iter_mut().zip(&keys.poses[key + 1].turns) {
        *turn = blend(*turn, *next, t);
    }
    (root, pose)
}

/// From the moment when a whole sole is on the ground to the moment when a part of it leaves.
struct Stand {
    secs: f64,
    /// How far ankle and ball get from where they were at first, metres.
    stray: f64,
}

/// All stands of a foot in a clip. Clips on the spot are moved with the velocity of their gait.
fn stands(rig: &Rig, clip: &Clip, side: Side) -> Vec<Stand> {
    const STEP_SECS: f64 = 1e-3;
    let keys = clip.leg_keys(rig);
    let joints = ["foot", "toes"].map(|stem| rig.index(&side.name(stem)));
    let (mut stands, mut first) = (Vec::<Stand>::new(), None);
    for step in 0..(clip.duration_secs / STEP_SECS) as usize {
        let time_secs = step as f64 * STEP_SECS;
        let foot = (clip.controls)(time_secs).feet[side as usize];
        if foot.pitch != 0.0 || foot.place.y != 0.0 {
            first = None;
            continue;
        }
        let (root, pose) = interpolated(&keys, time_secs);
        let root = if clip.gait.is_some() { RootMotion::Steady.at(clip.gait, time_secs) } else { root };
        let places = joints.map(|joint| root.point(pose.model_from_joint(rig, joint).translation));
        if first.is_none() {
            stands.push(Stand { secs: 0.0, stray: 0.0 });
        }
        let start = *first.get_or_insert(places);
        if let Some(stand) = stands.last_mut() {
            stand.secs += STEP_SECS;
            let strays = places.iter().zip(start).map(|(now, start)| now.distance(start));
            stand.stray = strays.fold(stand.stray, f64::max);
        }
    }
    stands
}

#[test]
fn standing_feet_stray_by_less_than_a_fifth_of_a_millimetre_and_a_millimetre_per_second() {
    let rig = Rig::new();
    for clip in CLIPS.iter().filter(|clip| clip.gait.is_some() || clip.name.starts_with("Turn")) {
        for side in Side::BOTH {
            let stands = stands(&rig, clip, side);
            assert!(!stands.is_empty(), "{} {side:?}", clip.name);
            for Stand { secs, stray } in stands {
                assert!(
                    stray < 0.2e-3 && stray < 1e-3 * secs,
                    "{} {side:?}: {stray} m in {secs} s",
                    clip.name
                );
            }
        }
    }
}

#[test]
fn feet_get_where_they_should_and_knees_bend_forward() {
    let rig = Rig::new();
    for clip in &CLIPS {
        for step in 0..=200 {
            let time_secs = clip.duration_secs * f64::from(step) / 200.0;
            let controls = (clip.controls)(time_secs);
            let pose = controls.pose(&rig);
            for side in Side::BOTH {
                let place = |stem: &str| pose.model_from_joint(&rig, rig.index(&side.name(stem))).translation;
                let missed = place("foot").distance(controls.feet[side as usize].ankle(side));
                assert!(missed < 1e-6, "{} at {time_secs}: {side:?} foot is {missed} m off", clip.name);
                let shin = place("foot") - place("shin");
                let thigh = place("shin") - place("thigh");
                let ahead = pose.turned_since_bind(&rig, rig.index("hips")) * DVec3::X;
                assert!(thigh.cross(shin).dot(ahead) > 0.0, "{} at {time_secs}: knee", clip.name);
            }
        }
    }
}

#[test]
fn soles_never_sink_into_the_ground() {
    let rig = Rig::new();
    for clip in &CLIPS {
        for step in 0..=200 {
            let time_secs = clip.duration_secs * f64::from(step) / 200.0;
            let pose = (clip.controls)(time_secs).pose(&rig);
            for side in Side::BOTH {
                for (stem, point) in [("foot", HEEL), ("foot", BALL), ("toes", TOE_TIP)] {
                    let point = side.mirror(point);
                    let joint = rig.index(&side.name(stem));
                    let joint_from_bind = rig.joints[joint].model_from_joint.inverse();
                    let now = (pose.model_from_joint(&rig, joint) * joint_from_bind).point(point);
                    // Ball and tip are inside the boot, with as much of it below them as in the bind pose.
                    let height = now.y - point.y;
                    assert!(height > -1e-3, "{} at {time_secs}: {side:?} {stem} {height} m", clip.name);
                }
            }
        }
    }
}

#[test]
fn markers_are_where_a_foot_comes_down_and_nowhere_else() {
    const SHORTLY_SECS: f64 = 0.04;
    for clip in &CLIPS {
        let height = |side: Side, time_secs: f64| {
            (clip.controls)(time_secs.rem_euclid(clip.duration_secs)).feet[side as usize].place.y
        };
        let footfalls = clip.footfalls();
        assert!(footfalls.is_sorted_by(|a, b| a.time_secs <= b.time_secs), "{}", clip.name);
        for foot in &footfalls {
            let name = (clip.name, foot);
            assert!((0.0..clip.duration_secs).contains(&foot.time_secs), "{name:?}");
            assert!(height(foot.side, foot.time_secs).abs() < 1e-9, "{name:?}");
            assert!(height(foot.side, foot.time_secs - SHORTLY_SECS) > 1e-3, "{name:?}");
        }
        for side in Side::BOTH {
            // Between samples that no formula of a clip falls on.
            let times = (0..=1000).map(|step| clip.duration_secs * (f64::from(step) + 0.123) / 1000.0);
            let lifted: Vec<bool> = times.map(|time_secs| height(side, time_secs) > 1e-9).collect();
            let landings = lifted.windows(2).filter(|pair| pair[0] && !pair[1]).count();
            let marked = footfalls.iter().filter(|foot| foot.side == side).count();
            assert_eq!(landings, marked, "{} {side:?}", clip.name);
        }
    }
}

#[test]
fn sidestepping_feet_keep_a_foot_s_width_between_them_and_mirror_each_other() {
    let [left, right] = ["StrafeLeft", "StrafeRight"].map(super::clip);
    for step in 0..=200 {
        let time_secs = left.duration_secs * f64::from(step) / 200.0;
        let [leftward, rightward] = [left, right].map(|clip| (clip.controls)(time_secs));
        assert!(leftward.feet[0].place.x - leftward.feet[1].place.x > 0.10, "at {time_secs}");
        let mirrored = rightward.feet[1].place * dvec3(-1.0, 1.0, 1.0);
        assert!(leftward.feet[0].place.distance(mirrored) < 1e-9, "at {time_secs}");
        assert!((leftward.hips * dvec3(-1.0, 1.0, 1.0)).distance(rightward.hips) < 1e-9, "at {time_secs}");
    }
}
