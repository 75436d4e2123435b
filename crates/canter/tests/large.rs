//! Thousands of joints: no limit, no recursion.

use std::sync::Arc;

use canter::glam::{Mat4, Vec3};
use canter::{Clip, Mixer, ModelPose, Play, Pose, Skeleton, Skin, Track, Transform};
use canter_testing::random::Random;

const JOINTS: usize = 10_000;

/// One limb of ten thousand joints, given in this order.
fn limb(order: &[usize]) -> Skeleton {
    // `order[i]` is the place in the limb of the joint that is given as the `i`-th.
    let mut given_at = vec![0; JOINTS];
    for (index, place) in order.iter().enumerate() {
        given_at[*place] = index;
    }
    let mut builder = Skeleton::builder();
    for place in order {
        let parent = place.checked_sub(1).map(|above| given_at[above]);
        builder.joint(format!("joint {place}"), parent, Transform::from_translation(Vec3::Y));
    }
    builder.build().unwrap()
}

#[test]
fn ten_thousand_joints_in_one_limb_are_built_and_composed_in_any_order() {
    let mut shuffled: Vec<usize> = (0..JOINTS).collect();
    Random(1).shuffle(&mut shuffled);
    let forward: Vec<usize> = (0..JOINTS).collect();
    let backward: Vec<usize> = (0..JOINTS).rev().collect();
    for order in [forward, backward, shuffled] {
        let skeleton = Arc::new(limb(&order));
        let mut mixer = Mixer::new(&skeleton);
        let mut clip = Clip::builder("sway", &skeleton);
        let first = skeleton.joint("joint 0").unwrap();
        clip.translation(first, Track::linear(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::X * 4.0]));
        mixer.play(&Arc::new(clip.build().unwrap()), Play::default());
        mixer.advance(0.5);
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        mixer.sample(&mut pose);
        model.compose(&skeleton, &pose);
        for (place, height) in [(0_u16, 0.0), (1, 1.0), (5_000, 5_000.0), (9_999, 9_999.0)] {
            let joint = skeleton.joint(&format!("joint {place}")).unwrap();
            assert_eq!(
                model.joint(joint),
                Mat4::from_translation(Vec3::new(2.0, height, 0.0)),
                "joint {place}"
            );
        }
        let joints: Vec<_> = skeleton.joints().collect();
        let skin = Skin::new(&skeleton, joints, &vec![Mat4::IDENTITY; JOINTS]).unwrap();
        let mut palette = vec![Mat4::ZERO; JOINTS];
        skin.write_palette(&model, &mut palette);
        assert!(palette.iter().zip(skeleton.joints()).all(|(matrix, joint)| *matrix == model.joint(joint)));
    }
}

#[test]
fn a_ring_of_ten_thousand_joints_is_refused() {
    let mut builder = Skeleton::builder();
    for joint in 0..JOINTS {
        builder.joint(format!("joint {joint}"), Some((joint + 1) % JOINTS), Transform::IDENTITY);
    }
    assert!(builder.build().is_err());
}
