//! The laws that every clip obeys.

mod feet;
mod root;

use super::*;

fn clip(name: &str) -> &'static Clip {
    const { &CLIPS }.iter().find(|clip| clip.name == name).unwrap()
}

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
