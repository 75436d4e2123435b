//! A crowd is its characters, bit for bit.

use std::sync::Arc;

use canter::glam::{Mat4, Quat, Vec3};
use canter::{
    Clip, Crowd, Fade, FadeKind, Layer, LayerMode, Mat3x4, Mixer, ModelPose, PaletteMatrix, Play, Pose,
    Skeleton, Skin, Track, Transform,
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
    assert_eq!(crowd.matrices_per_member(), rig.skin.len() + 3);
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
    assert_eq!(crowd.mixers()[0].get(id).unwrap().time_secs(), 0.25);
}

/// A skeleton with two morph sets, and its skin.
struct Morphing {
    skeleton: Arc<Skeleton>,
    skin: Skin,
}

/// A crowd with morph weights, whose members are at different times of different clips.
fn varied<M: PaletteMatrix>(members: usize) -> (Crowd<M>, Morphing) {
    let mut random = Random(11);
    let mut builder = Skeleton::builder();
    for joint in 0..9_usize {
        let place = Transform::from_translation(Vec3::new(0.0, 0.3, 0.1));
        builder.joint(format!("joint {joint}"), joint.checked_sub(1).map(|before| before / 2), place);
    }
    builder.morph_set("face", vec![0.1, 0.2, 0.3]);
    builder.morph_set("belly", vec![0.5]);
    let skeleton = Arc::new(builder.build().unwrap());
    let clips = [0.0, 1.0, 2.0].map(|kind| {
        let mut clip = Clip::builder("clip", &skeleton);
        for joint in skeleton.joints() {
            let turns = vec![Quat::IDENTITY, Quat::from_rotation_x(0.4 + 0.1 * kind)];
            clip.rotation(joint, Track::linear(vec![0.0, 1.0], turns));
        }
        for morph in skeleton.morphs() {
            let weights =
                (0..2 * skeleton.morph_rest(morph).len()).map(|_| random.between(0.0, 1.0)).collect();
            clip.morph_weights(morph, Track::linear(vec![0.0, 1.0], weights));
        }
        Arc::new(clip.build().unwrap())
    });
    let joints: Vec<_> = skeleton.joints().take(8).collect();
    let skin = Skin::new(&skeleton, joints, &[Mat4::from_translation(Vec3::X); 8]).unwrap();
    let mut crowd = Crowd::new(&skeleton, vec![Arc::new(skin.clone())]);
    for member in 0..members {
        let start_secs = Some(random.between(0.0, 1.0));
        crowd.spawn().play(&clips[member % clips.len()], Play { start_secs, ..Play::default() });
    }
    (crowd, Morphing { skeleton, skin })
}

#[test]
fn who_leaves_gives_the_place_to_the_last() {
    let (mut crowd, rig) = varied::<Mat4>(7);
    crowd.keep_joint(rig.skeleton.joint_at(3).unwrap());
    let mut crowd = crowd.in_rows(2 * rig.skin.len() + 1);
    crowd.update(0.1);
    let before = crowd.clone();
    let of = |crowd: &Crowd<Mat4>, member: usize| {
        let weights = crowd.morph_weights_per_member();
        (
            crowd.palette()[crowd.palette_range(member)].to_vec(),
            crowd.joint_matrices()[member],
            crowd.morph_weights()[weights * member..weights * (member + 1)].to_vec(),
        )
    };
    crowd.remove(1);
    assert_eq!(crowd.len(), 6);
    assert_eq!(of(&crowd, 1), of(&before, 6));
    crowd.remove(5);
    crowd.remove(0);
    assert_eq!((of(&crowd, 0), of(&crowd, 1)), (of(&before, 4), of(&before, 6)));
    assert_eq!(crowd.joint_matrices().len(), 4);
    crowd.update(0.0);
    assert_eq!((of(&crowd, 0), of(&crowd, 3)), (of(&before, 4), of(&before, 3)));
    (0..4).for_each(|_| drop(crowd.remove(0)));
    assert!(crowd.is_empty() && crowd.palette().is_empty());
}

#[test]
fn who_is_new_is_at_rest() {
    let (mut crowd, rig) = varied::<Mat3x4>(0);
    let hand = rig.skeleton.joint_at(5).unwrap();
    crowd.keep_joint(hand);
    crowd.spawn();
    let mut palette = vec![Mat3x4::IDENTITY; rig.skin.len()];
    let (pose, model) = (Pose::rest(&rig.skeleton), ModelPose::rest(&rig.skeleton));
    rig.skin.write_palette(&model, &mut palette);
    assert_eq!(crowd.palette(), palette);
    assert_eq!(crowd.joint(0, hand).unwrap().to_mat4(), model.joint(hand));
    for morph in rig.skeleton.morphs() {
        assert_eq!(crowd.morph_weights_of(0, morph).unwrap(), pose.morph_weights(morph));
    }
}

#[test]
fn morph_weights_and_kept_joints_are_those_of_the_mixers() {
    fn check<M: PaletteMatrix + PartialEq + std::fmt::Debug>(to_mat4: impl Fn(&M) -> Mat4) {
        let (mut crowd, rig) = varied::<M>(9);
        assert_eq!((rig.skeleton.morph_count(), crowd.morph_weights_per_member()), (2, 4));
        let mut singles = crowd.mixers().to_vec();
        let kept = [7, 2].map(|joint| rig.skeleton.joint_at(joint).unwrap());
        let other = rig.skeleton.joint_at(0).unwrap();
        crowd.keep_joint(kept[0]);
        for step in 0..4 {
            // One more at any time, and the same one again.
            kept.iter().take(1 + step).for_each(|joint| crowd.keep_joint(*joint));
            crowd.update(0.07);
            let (mut pose, mut model) = (Pose::rest(&rig.skeleton), ModelPose::rest(&rig.skeleton));
            for (member, mixer) in singles.iter_mut().enumerate() {
                mixer.advance(0.07);
                mixer.sample(&mut pose);
                model.compose(&rig.skeleton, &pose);
                for (place, joint) in crowd.kept_joints().iter().enumerate() {
                    let matrix = crowd.joint(member, *joint).unwrap();
                    assert_eq!(to_mat4(matrix), model.joint(*joint));
                    assert_eq!(*matrix, crowd.joint_matrices()[member * crowd.kept_joints().len() + place]);
                }
                for morph in rig.skeleton.morphs() {
                    assert_eq!(crowd.morph_weights_of(member, morph).unwrap(), pose.morph_weights(morph));
                }
            }
        }
        assert_eq!(crowd.kept_joints(), kept);
        assert_eq!((crowd.joint(9, kept[0]), crowd.joint(0, other)), (None, None));
        assert_eq!(crowd.joint(usize::MAX, kept[0]), None);
        let morph = rig.skeleton.morphs().next().unwrap();
        assert_eq!(
            (crowd.morph_weights_of(9, morph), crowd.morph_weights_of(usize::MAX, morph)),
            (None, None)
        );
    }
    check::<Mat3x4>(|matrix| matrix.to_mat4());
    check::<Mat4>(|matrix| *matrix);
}

#[test]
fn rows_change_where_palettes_lie_and_nothing_else() {
    let (mut plain, rig) = varied::<Mat3x4>(23);
    let count = rig.skin.len();
    plain.update(0.3);
    for width in [1, count - 1, count, count + 1, 2 * count, 5 * count + 3, 100 * count] {
        let mut crowd = varied::<Mat3x4>(23).0.in_rows(width);
        crowd.update(0.3);
        assert_eq!(crowd.palette().len() % width, 0);
        for member in 0..23 {
            let (range, plain_range) = (crowd.palette_range(member), plain.palette_range(member));
            assert_eq!(crowd.palette()[range], plain.palette()[plain_range], "{member} in rows of {width}");
        }
        assert_eq!(crowd.morph_weights(), plain.morph_weights());
    }
}

#[test]
#[should_panic(expected = "a mixer of another skeleton")]
fn a_mixer_of_another_skeleton_is_refused() {
    let skeleton = chain(2);
    let skin = Arc::new(Skin::new(&skeleton, skeleton.joints().collect(), &[Mat4::IDENTITY; 2]).unwrap());
    let mut crowd: Crowd = Crowd::new(&skeleton, vec![skin]);
    // Of the same size, but not the same.
    let rig = Rig::random(&mut Random(1), 2);
    crowd.spawn();
    crowd.mixers_mut()[0] = Mixer::new(&rig.skeleton);
    crowd.update(0.1);
}
