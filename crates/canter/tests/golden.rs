//! One fixed scene, hashed: whoever changes a bit of what comes out, on whichever machine, is told.

use std::sync::Arc;

use canter::glam::{Mat4, Quat, Vec3};
use canter::{
    Clip, Easing, Fade, Interpolation, JointMask, LoopMode, Mat3x4, Mixer, ModelPose, Play, Pose, Skeleton,
    Skin, Track, Transform,
};

/// Changes only when results are meant to change; then say so in the changelog.
const EXPECTED: u64 = 0x7116_eebe_8a18_5eaf;

const JOINTS: u16 = 45;

/// Multiplications and additions only: no library's sine, which differs from machine to machine.
struct Random(u64);

impl Random {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        #[expect(clippy::cast_precision_loss, reason = "24 bits fit")]
        let unit = (self.0 >> 40) as f32 / 16_777_216.0;
        low + (high - low) * unit
    }

    fn vector(&mut self, size: f32) -> Vec3 {
        Vec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    /// Not of unit length: the crate sees to that.
    fn turn(&mut self, size: f32) -> Quat {
        let Vec3 { x, y, z } = self.vector(size);
        Quat::from_xyzw(x, y, z, 1.0)
    }
}

fn skeleton(random: &mut Random) -> Arc<Skeleton> {
    let mut builder = Skeleton::builder();
    for joint in 0..JOINTS {
        let parent = joint.checked_sub(1).map(|before| usize::from(before / 2));
        let rest = Transform {
            translation: random.vector(0.5),
            rotation: random.turn(1.0),
            scale: Vec3::ONE + random.vector(0.1),
        };
        builder.joint(format!("joint {joint}"), parent, rest);
    }
    builder.morph_set("face", vec![0.0, 0.25, 0.5]);
    Arc::new(builder.build().unwrap())
}

fn clip(
    random: &mut Random,
    skeleton: &Skeleton,
    name: &str,
    interpolation: Interpolation,
    swing: f32,
) -> Arc<Clip> {
    let mut clip = Clip::builder(name, skeleton);
    let shared: Vec<f32> = (0..20_u8).map(|key| f32::from(key) / 16.0).collect();
    let per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    for (joint, index) in skeleton.joints().zip(0_u16..) {
        let times = match (interpolation, index % 3) {
            // Some with times of their own.
            (Interpolation::Linear, 0) => vec![0.0, random.between(0.1, 0.5), random.between(0.6, 1.1)],
            _ => shared.clone(),
        };
        let count = times.len() * per_key;
        if index % 4 != 1 {
            let values = (0..count).map(|_| random.turn(swing)).collect();
            clip.rotation(joint, Track::new(interpolation, times.clone(), values));
        }
        if index % 5 == 0 {
            let values = (0..count).map(|_| random.vector(0.5)).collect();
            clip.translation(joint, Track::new(interpolation, times.clone(), values));
        }
        if index % 7 == 0 {
            let values = (0..count).map(|_| Vec3::ONE + random.vector(0.2)).collect();
            clip.scale(joint, Track::new(interpolation, times, values));
        }
    }
    let face = skeleton.morph("face").unwrap();
    let weights = (0..shared.len() * per_key * 3).map(|_| random.between(0.0, 1.0)).collect();
    clip.morph_weights(face, Track::new(interpolation, shared, weights));
    Arc::new(clip.build().unwrap())
}

fn hash(hash: &mut u64, number: f32) {
    *hash = (*hash ^ u64::from(number.to_bits())).wrapping_mul(0x0000_0100_0000_01b3);
}

#[test]
fn ten_seconds_of_a_scene_have_the_bits_that_they_always_had() {
    let mut random = Random(1);
    let skeleton = skeleton(&mut random);
    let clips = [
        clip(&mut random, &skeleton, "idle", Interpolation::Linear, 0.1),
        clip(&mut random, &skeleton, "walk", Interpolation::Linear, 0.6),
        clip(&mut random, &skeleton, "run", Interpolation::CubicSpline, 0.4),
        clip(&mut random, &skeleton, "point", Interpolation::Step, 2.0),
    ];
    let joints: Vec<_> = skeleton.joints().collect();
    let matrices: Vec<Mat4> = joints.iter().map(|_| Mat4::from_translation(random.vector(1.0))).collect();
    let skin = Skin::new(&skeleton, joints, &matrices).unwrap();
    let upper = Arc::new(JointMask::subtree(&skeleton, skeleton.joint("joint 2").unwrap()));

    let mut mixer = Mixer::new(&skeleton);
    let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
    let mut palette = vec![Mat3x4::IDENTITY; skin.len()];
    let mut seen = 0xcbf2_9ce4_8422_2325;
    for frame in 0..600_u16 {
        match frame {
            0 => _ = mixer.play(&clips[0], Play::default()),
            60 => _ = mixer.crossfade_to(&clips[1], 0.3),
            70 => {
                _ = mixer.crossfade_to(
                    &clips[2],
                    Fade { secs: 0.5, easing: Easing::QuadraticInOut, ..Fade::default() },
                );
            }
            75 => {
                _ = mixer.crossfade_to(
                    &clips[1],
                    Fade { secs: 0.4, easing: Easing::SmootherStep, ..Fade::default() },
                );
            }
            150 => {
                let play =
                    Play { loop_mode: LoopMode::Times(2), mask: Some(Arc::clone(&upper)), ..Play::default() };
                mixer.play(&clips[3], play);
            }
            250 => {
                let loop_mode = LoopMode::PingPong;
                mixer.play(&clips[2], Play { loop_mode, speed: -0.7, weight: 0.4, ..Play::default() });
            }
            400 => _ = mixer.crossfade_to(&clips[0], 0.25),
            500 => {
                let all: Vec<_> = mixer.actions().map(|(id, _)| id).collect();
                for id in all {
                    mixer.fade_out(id, 1.0);
                }
            }
            _ => (),
        }
        mixer.advance(1.0 / 60.0);
        mixer.sample(&mut pose);
        model.compose(&skeleton, &pose);
        skin.write_palette(&model, &mut palette);
        for joint in skeleton.joints() {
            let Transform { translation, rotation, scale } = pose.joint(joint);
            translation.to_array().into_iter().for_each(|number| hash(&mut seen, number));
            rotation.to_array().into_iter().for_each(|number| hash(&mut seen, number));
            scale.to_array().into_iter().for_each(|number| hash(&mut seen, number));
        }
        for morph in skeleton.morphs() {
            pose.morph_weights(morph).iter().for_each(|weight| hash(&mut seen, *weight));
        }
        for matrix in model.joints().iter().chain(&palette) {
            matrix.rows.iter().flatten().for_each(|number| hash(&mut seen, *number));
        }
    }
    assert_eq!(mixer.actions().count(), 0, "everything has faded out");
    assert_eq!(seen, EXPECTED, "the bits of the scene have changed; now {seen:#018x}");
}
