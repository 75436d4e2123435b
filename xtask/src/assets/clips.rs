//! The six clips: controls over time, sampled to keys.

mod attack;
mod idle;
mod jump;
mod locomotion;
mod run;
mod walk;
mod wave;

use super::controls::Controls;
use super::pose::Pose;
use super::rig::Rig;
use super::secondary;

/// Keys per second. Between keys, runtimes interpolate every joint on its own, and a standing foot
/// strays: by 0.2 mm in a walk.
const KEY_RATE: f64 = 30.0;
/// In a run at the common rate a foot would stray by 4 mm, left and right differently.
const FAST_KEY_RATE: f64 = 60.0;

pub(crate) struct Clip {
    pub name: &'static str,
    pub duration_secs: f64,
    /// Speed over the ground at which the feet of a clip on the spot do not slide, metres per second.
    pub ground_speed: Option<f64>,
    /// Keys per second.
    pub key_rate: f64,
    pub controls: fn(f64) -> Controls,
}

pub(crate) const CLIPS: [Clip; 6] = [
    idle::CLIP,
    walk::CLIP,
    run::CLIP,
    wave::CLIP,
    attack::CLIP,
    jump::CLIP,
];

/// The gaits of walk and run.
#[cfg(test)]
pub(crate) const GAITS: [&crate::assets::gait::Gait; 2] = [&walk::MANNER.gait, &run::MANNER.gait];

/// A clip as keys: `poses[i]` belongs to `times_secs[i]`; the last pose is the first.
pub(crate) struct Keys {
    pub times_secs: Vec<f64>,
    pub poses: Vec<Pose>,
}

impl Clip {
    pub(crate) fn keys(&self, rig: &Rig) -> Keys {
        let count = (self.duration_secs * self.key_rate).round();
        let times_secs: Vec<f64> = (0..=count as usize)
            .map(|key| self.duration_secs * key as f64 / count)
            .collect();
        let mut poses: Vec<Pose> = times_secs
            .iter()
            .map(|&time| (self.controls)(time).pose(rig))
            .collect();
        secondary::swing(
            rig,
            &mut poses,
            self.duration_secs / count,
            self.ground_speed.unwrap_or(0.0),
        );
        // What the formulas give at the end differs from the start by rounding only; loops want equality.
        let last = poses.len() - 1;
        poses[last] = poses[0].clone();
        Keys { times_secs, poses }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::side::Side;

    #[test]
    fn loops_close_and_rotations_are_unit() {
        let rig = Rig::new();
        for clip in &CLIPS {
            let keys = clip.keys(&rig);
            let (first, last) = (&keys.poses[0], &keys.poses[keys.poses.len() - 1]);
            assert_eq!(first.turns, last.turns, "{}", clip.name);
            assert!(
                keys.poses
                    .iter()
                    .flat_map(|pose| &pose.turns)
                    .all(|turn| turn.is_normalized())
            );
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
                let steps: Vec<f64> = places
                    .windows(2)
                    .map(|pair| pair[0].distance(pair[1]))
                    .collect();
                let (over_seam, within) = (steps[steps.len() - 1], &steps[..steps.len() - 1]);
                let fastest = within.iter().copied().fold(0.0, f64::max);
                let name = (clip.name, &rig.joints[joint].name);
                assert!(
                    over_seam <= fastest * 1.05 + 1e-9,
                    "{name:?}: {over_seam} m, else {fastest} m"
                );
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
                (0..rig.joints.len())
                    .map(|joint| pose.model_from_joint(&rig, joint).translation)
                    .collect()
            };
            let [start, after_start] = [0.0, STEP_SECS].map(places);
            let [end, before_end] =
                [clip.duration_secs, clip.duration_secs - STEP_SECS].map(places);
            for (joint, described) in rig.joints.iter().enumerate() {
                let name = (clip.name, &described.name);
                assert!(start[joint].distance(end[joint]) < 1e-9, "{name:?} jumps");
                let jerk = (after_start[joint] - start[joint]) - (end[joint] - before_end[joint]);
                assert!(
                    jerk.length() / STEP_SECS < 0.02,
                    "{name:?} jerks by {} m/s",
                    jerk.length() / STEP_SECS
                );
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
                    let place = |stem: &str| {
                        pose.model_from_joint(&rig, rig.index(&side.name(stem)))
                            .translation
                    };
                    let missed = place("foot").distance(controls.feet[side as usize].ankle(side));
                    assert!(
                        missed < 1e-6,
                        "{} at {time_secs}: {side:?} foot is {missed} m off",
                        clip.name
                    );
                    let shin = place("foot") - place("shin");
                    let thigh = place("shin") - place("thigh");
                    let ahead = pose.turned_since_bind(&rig, rig.index("hips")) * glam::DVec3::X;
                    assert!(
                        thigh.cross(shin).dot(ahead) > 0.0,
                        "{} at {time_secs}: knee",
                        clip.name
                    );
                }
            }
        }
    }
}
