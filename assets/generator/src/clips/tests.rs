//! The laws that every clip obeys.

use super::*;
use crate::math::blend;
use crate::side::Side;
use glam::DVec3;

#[test]
fn loops_close_and_rotations_are_unit() {
    let rig = Rig::new();
    for clip in &CLIPS {
        let keys = clip.keys(&rig);
        let (first, last) = (&keys.poses[0], &keys.poses[keys.poses.len() - 1]);
        assert_eq!(first.turns, last.turns, "{}", clip.name);
        assert!(keys.poses.iter().flat_map(|pose| &pose.turns).all(|turn| turn.is_normalized()));
    }
}

#[test]
fn nothing_moves_faster_over_the_seam_than_within_the_clip() {
    let rig = Rig::new();
    for clip in &CLIPS {
        let keys = clip.keys(&rig);
        for joint in 0..rig.joints.len() {
            let place = |pose: &Pose| pose.model_from_joint(&rig, joint).translation;
            let places: Vec<_> = keys.poses.iter().map(place).collect();
            let steps: Vec<f64> = places.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
            let (over_seam, within) = (steps[steps.len() - 1], &steps[..steps.len() - 1]);
            let fastest = within.iter().copied().fold(0.0, f64::max);
            let name = (clip.name, &rig.joints[joint].name);
            assert!(over_seam <= fastest * 1.05 + 1e-9, "{name:?}: {over_seam} m, else {fastest} m");
        }
    }
}

#[test]
fn controls_come_back_to_where_they_began_with_the_same_speed() {
    let rig = Rig::new();
    const STEP_SECS: f64 = 1e-5;
    for clip in &CLIPS {
        let places = |time_secs: f64| -> Vec<_> {
            let pose = (clip.controls)(time_secs).pose(&rig);
            (0..rig.joints.len()).map(|joint| pose.model_from_joint(&rig, joint).translation).collect()
        };
        let [start, after_start] = [0.0, STEP_SECS].map(places);
        let [end, before_end] = [clip.duration_secs, clip.duration_secs - STEP_SECS].map(places);
        for (joint, described) in rig.joints.iter().enumerate() {
            let name = (clip.name, &described.name);
            assert!(start[joint].distance(end[joint]) < 1e-9, "{name:?} jumps");
            let jerk = (after_start[joint] - start[joint]) - (end[joint] - before_end[joint]);
            assert!(jerk.length() / STEP_SECS < 0.02, "{name:?} jerks by {} m/s", jerk.length() / STEP_SECS);
        }
    }
}

#[test]
fn standing_feet_stay_within_a_millimetre_between_keys() {
    let rig = Rig::new();
    for (clip, gait) in [(walk::CLIP, &walk::MANNER.gait), (run::CLIP, &run::MANNER.gait)] {
        let keys = clip.keys(&rig);
        let toes = rig.index("toes_L");
        let strays = |pair: &[Pose], time_secs: f64| {
            let mut pose = pair[0].clone();
            pose.hips_shift = pair[0].hips_shift.midpoint(pair[1].hips_shift);
            for (turn, next) in pose.turns.iter_mut().zip(&pair[1].turns) {
                *turn = blend(*turn, *next, 0.5);
            }
            pose.model_from_joint(&rig, toes).translation + DVec3::Z * gait.speed * time_secs
        };
        // From the flat foot, when the heel has rolled off, to the last key before the toes leave.
        let (flat, leave) = (0.2 * gait.stance * clip.duration_secs, gait.stance * clip.duration_secs);
        let half = 0.5 * keys.times_secs[1];
        let times = keys.times_secs.iter().map(|time| time + half);
        let planted: Vec<_> = times
            .zip(keys.poses.windows(2))
            .filter(|(time, _)| *time > flat && *time + half < leave)
            .map(|(time, pair)| strays(pair, time))
            .collect();
        assert!(planted.len() > 4);
        for place in &planted {
            assert!(place.distance(planted[0]) < 1e-3, "{}: {place} and {}", clip.name, planted[0]);
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
