//! Blending gives the same bits at every level of SIMD.

use std::sync::Arc;

use canter_testing::cases;
use canter_testing::random::Random;
use canter_testing::spec::KINDS;
use proptest::prelude::*;

use crate::fingerprint::Fnv;
use crate::glam::Quat;
use crate::testing::{Rig, Spec, bits, chain, levels, numbers};
use crate::{
    AdditiveReference, Clip, Fade, FadeKind, JointMask, Layer, Mat3x4, Mixer, ModelPose, Play, Pose, Track,
};

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn blending_is_the_same_at_every_level(
        seed in any::<u64>(),
        joints in 1_usize..50,
        count in 1_usize..5,
        is_masked in any::<bool>(),
        weight_scale in prop_oneof![Just(1.0_f32), Just(0.03)],
    ) {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, joints);
        let mut mixer = Mixer::new(&rig.skeleton);
        for _ in 0..count {
            let kind = random.pick(&KINDS);
            let clip = Arc::new(Spec::random(&mut random, &rig, kind).build(&rig, "clip"));
            let mask = is_masked.then(|| {
                let mut mask = JointMask::none(&rig.skeleton);
                for joint in rig.skeleton.joints() {
                    mask.set(joint, random.pick(&[0.0, 0.4, 1.0]));
                }
                Arc::new(mask)
            });
            let weight = random.between(0.1, 1.0) * weight_scale;
            mixer.play(&clip, Play { weight, start_secs: Some(0.2), mask, ..Play::default() });
        }
        let mut first = None;
        for (name, level) in levels("blend") {
            let mut pose = Pose::rest(&rig.skeleton);
            mixer.sample_at(level, &mut pose);
            let bits = bits(&rig.skeleton, &pose);
            prop_assert!(*first.get_or_insert_with(|| bits.clone()) == bits, "{} differs", name);
        }
    }
}

/// One number per frame, over a minute of crossfades; `tests/same_bits.rs` in the root of the project does
/// the same with the hero, and compares builds and machines.
#[test]
fn a_minute_of_play_is_the_same_at_every_level_frame_by_frame() {
    let mut random = Random(60);
    let rig = Rig::random(&mut random, 37);
    let clips = KINDS.map(|kind| Arc::new(Spec::random(&mut random, &rig, kind).build(&rig, "clip")));
    let deltas = clips.each_ref().map(|clip| Arc::new(clip.additive(AdditiveReference::Rest).unwrap()));
    let mask = Arc::new(JointMask::subtree(&rig.skeleton, rig.joint(0)).feathered(&rig.skeleton, 2));
    let mut first = None;
    for (name, level) in levels("a minute of play") {
        let mut mixer = Mixer::new(&rig.skeleton);
        let over = mixer.add_layer(Layer::over(Arc::clone(&mask)).with_weight(0.8));
        let adds = mixer.add_layer(Layer::additive());
        let (mut pose, mut model) = (Pose::rest(&rig.skeleton), ModelPose::rest(&rig.skeleton));
        let mut palette = vec![Mat3x4::IDENTITY; rig.skin.len()];
        let frame = |frame: usize| {
            let clip = &clips[frame / 40 % clips.len()];
            let fade = Fade { kind: FadeKind::ALL[frame / 40 % 3], ..Fade::cross(0.4) };
            match frame % 120 {
                0 | 40 => _ = mixer.crossfade_to(clip, fade),
                20 => _ = mixer.layer_mut(over).unwrap().crossfade_to(clip, fade),
                60 => {
                    _ = mixer.layer_mut(adds).unwrap().crossfade_to(&deltas[frame / 40 % deltas.len()], fade);
                }
                100 => mixer.layer_mut(over).unwrap().fade_out(fade),
                80 => _ = mixer.play(clip, Play { mask: Some(Arc::clone(&mask)), ..Play::default() }),
                _ => (),
            }
            mixer.advance(1.0 / 60.0);
            mixer.sample_at(level, &mut pose);
            model.compose_at(level, &rig.skeleton, &pose);
            rig.skin.write_palette_at(level, &model, &mut palette);
            let matrices = model.joints().iter().chain(&palette).flat_map(|matrix| matrix.rows).flatten();
            let numbers: Vec<f32> = matrices.chain(numbers(&rig.skeleton, &pose)).collect();
            Fnv::of_floats(&numbers)
        };
        let hashes: Vec<u64> = (0..3_600).map(frame).collect();
        let expected = first.get_or_insert_with(|| hashes.clone());
        let wrong = (0..hashes.len()).find(|frame| hashes[*frame] != expected[*frame]);
        assert_eq!(wrong, None, "a frame in which {name} differs");
    }
}

/// A root whose keys lie so close to each other that it is sampled apart once changed sides in frames in
/// which that was looked at: first it was blended as it is at rest, and what that decided was taken for what
/// had been before.
#[test]
fn what_is_sampled_apart_keeps_its_side() {
    let skeleton = chain(40);
    let root = skeleton.joint_at(0).unwrap();
    let dance = |name: &str, from_degrees: f32, to_degrees: f32| {
        let mut clip = Clip::builder(name, &skeleton);
        for joint in skeleton.joints().filter(|joint| *joint != root) {
            let turns = [0.0, 0.1, 0.2].map(Quat::from_rotation_x);
            clip.rotation(joint, Track::linear(vec![0.0, 0.5, 1.0], turns.to_vec()));
        }
        let parts = (0..=900_u16).map(|key| f32::from(key) / 900.0);
        let degrees = parts.clone().map(|part| from_degrees + (to_degrees - from_degrees) * part);
        let turns = degrees.map(|degrees| Quat::from_rotation_y(degrees.to_radians()));
        clip.rotation(root, Track::linear(parts.collect(), turns.collect()));
        Arc::new(clip.build().unwrap())
    };
    let clips = [dance("stands", 0.0, 1.0), dance("turns", 200.0, 165.0)];
    assert!(clips.iter().all(|clip| clip.rows().is_plain && *clip.rows().patched == [0]));
    let mut first = None;
    for (name, level) in levels("a root that is sampled apart") {
        let mut mixer = Mixer::new(&skeleton);
        clips.iter().for_each(|clip| _ = mixer.play(clip, Play::default()));
        let mut pose = Pose::rest(&skeleton);
        let mut frame = || {
            mixer.sample_at(level, &mut pose);
            mixer.advance(1.0 / 301.0);
            bits(&skeleton, &pose)
        };
        let frames: Vec<_> = (0..300).map(|_| frame()).collect();
        assert!(*first.get_or_insert_with(|| frames.clone()) == frames, "{name} differs");
    }
}
