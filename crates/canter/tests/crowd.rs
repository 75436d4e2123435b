//! A crowd is its characters, bit for bit.

use std::sync::Arc;

use canter::glam::Mat4;
use canter::{
    Crowd, Fade, FadeKind, Layer, LayerMode, Mat3x4, Mixer, ModelPose, PaletteMatrix, Play, Pose, Skin,
};
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{KINDS, Spec};
use canter_testing::{chain, rise};

fn is_its_characters<M: PaletteMatrix + PartialEq + std::fmt::Debug>(characters: usize) {
    let mut random = Random(5);
    let rig = Rig::random(&mut random, 30);
    let clips: Vec<_> =
        KINDS.map(|kind| Arc::new(Spec::random(&mut random, &rig, kind).build(&rig, "clip"))).into();
    let joints: Vec<_> = rig.skeleton.joints().take(3).collect();
    let other = Skin::new(&rig.skeleton, joints, &[Mat4::IDENTITY; 3]).unwrap();
    let skins = vec![Arc::new(rig.skin.clone()), Arc::new(other)];
    let mut crowd: Crowd<M> = Crowd::new(&rig.skeleton, skins.clone());
    let mut singles = Vec::new();
    for index in 0..characters {
        let mixer = crowd.spawn();
        let start_secs = Some(random.between(0.0, 1.0));
        mixer.play(&clips[index % clips.len()], Play { start_secs, ..Play::default() });
        mixer.crossfade_to(
            &clips[(index + 1) % clips.len()],
            Fade { kind: FadeKind::ALL[index % 3], ..0.3.into() },
        );
        let layer = mixer.add_layer(Layer::new(LayerMode::Over).with_weight(0.5));
        mixer.layer_mut(layer).unwrap().play(&clips[0], Play::default()).unwrap();
        singles.push(mixer.clone());
    }
    assert_eq!(crowd.matrices_per_character(), rig.skin.len() + 3);
    let (mut pose, mut model) = (Pose::rest(&rig.skeleton), ModelPose::rest(&rig.skeleton));
    for _ in 0..5 {
        crowd.update(0.1);
        let mut expected = Vec::new();
        for mixer in &mut singles {
            mixer.advance(0.1);
            mixer.sample(&mut pose);
            model.compose(&rig.skeleton, &pose);
            for skin in &skins {
                let start = expected.len();
                expected.resize(start + skin.len(), M::IDENTITY);
                skin.write_palette(&model, &mut expected[start..]);
            }
        }
        assert_eq!(crowd.palette(), expected);
    }
}

#[test]
fn a_crowd_is_its_characters_bit_for_bit() {
    for characters in [0, 1, 2, 7, 100] {
        is_its_characters::<Mat3x4>(characters);
        is_its_characters::<Mat4>(characters);
    }
}

#[test]
fn a_crowd_without_skins_still_plays() {
    let skeleton = chain(1);
    let mut crowd: Crowd = Crowd::new(&skeleton, []);
    let id = crowd.spawn().play(&rise(&skeleton, "clip", 1.0, 1.0), Play::default());
    crowd.update(0.25);
    assert_eq!(crowd.palette(), []);
    assert_eq!(crowd.mixers[0].get(id).unwrap().time_secs(), 0.25);
}

#[test]
fn characters_can_leave() {
    let skeleton = chain(2);
    let skin = Arc::new(Skin::new(&skeleton, skeleton.joints().collect(), &[Mat4::IDENTITY; 2]).unwrap());
    let mut crowd: Crowd = Crowd::new(&skeleton, vec![skin]);
    for _ in 0..3 {
        crowd.spawn();
    }
    crowd.update(0.1);
    crowd.mixers.remove(1);
    crowd.update(0.1);
    assert_eq!(crowd.palette().len(), 4);
}

#[test]
#[should_panic(expected = "a mixer of another skeleton")]
fn a_mixer_of_another_skeleton_is_refused() {
    let skeleton = chain(2);
    let skin = Arc::new(Skin::new(&skeleton, skeleton.joints().collect(), &[Mat4::IDENTITY; 2]).unwrap());
    let mut crowd: Crowd = Crowd::new(&skeleton, vec![skin]);
    // Of the same size, but not the same.
    let rig = Rig::random(&mut Random(1), 2);
    crowd.mixers.push(Mixer::new(&rig.skeleton));
    crowd.update(0.1);
}
