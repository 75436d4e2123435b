//! What the root does in clips that travel or turn.

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;

use super::clip;
use crate::clips::{CLIPS, RootMotion, idle};
use crate::math::rot_y;
use crate::rig::Rig;

#[test]
fn a_loop_covers_speed_times_duration_evenly() {
    let rig = Rig::new();
    for clip in CLIPS.iter().filter(|clip| matches!(clip.root, RootMotion::Steady)) {
        let gait = clip.gait.unwrap();
        let keys = clip.leg_keys(&rig);
        for (time_secs, root) in keys.times_secs.iter().zip(&keys.roots) {
            let way = gait.heading * gait.speed * *time_secs;
            assert!(root.translation.distance(way) < 1e-12, "{} at {time_secs}", clip.name);
        }
        assert_eq!(keys.times_secs[keys.times_secs.len() - 1], gait.period_secs, "{}", clip.name);
    }
}

#[test]
fn walk_and_run_move_alike_on_the_spot_and_over_the_ground() {
    let rig = Rig::new();
    for (spot, travelling) in [("Walk", "WalkRoot"), ("Run", "RunRoot")] {
        let [spot, travelling] = [spot, travelling].map(|name| clip(name).keys(&rig));
        for (a, b) in spot.poses.iter().zip(&travelling.poses) {
            assert_eq!((&a.turns, a.hips_shift), (&b.turns, b.hips_shift));
        }
    }
}

#[test]
fn turns_lead_from_the_idle_pose_to_the_idle_pose_a_quarter_round() {
    let rig = Rig::new();
    let rest = idle::start().pose(&rig);
    for (name, yaw) in [("TurnLeft", FRAC_PI_2), ("TurnRight", -FRAC_PI_2)] {
        let clip = clip(name);
        let end = clip.root_at(clip.duration_secs);
        assert_eq!((end.rotation, end.translation), (rot_y(yaw), DVec3::ZERO), "{name}");
        for time_secs in [0.0, clip.duration_secs] {
            let pose = (clip.controls)(time_secs).pose(&rig);
            for joint in 0..rig.joints.len() {
                let [now, idle] = [&pose, &rest].map(|pose| pose.model_from_joint(&rig, joint));
                let off = now.translation.distance(idle.translation);
                assert!(off < 1e-9 && now.rotation.dot(idle.rotation).abs() > 1.0 - 1e-9, "{name} {off}");
            }
        }
    }
}
