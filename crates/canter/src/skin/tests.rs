//! Palettes: the same at every level, and of both formats.

use canter_testing::cases;
use canter_testing::random::Random;
use proptest::prelude::*;

use super::Skin;
use crate::glam::Mat4;
use crate::testing::{Rig, chain, levels};
use crate::{Mat3x4, ModelPose, Pose};

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn palettes_are_the_same_at_every_level_and_in_both_formats(seed in any::<u64>(), joints in 1_usize..100) {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, joints);
        let mut pose = Pose::rest(&rig.skeleton);
        for joint in rig.skeleton.joints() {
            pose.joint_mut(joint).translation += random.vector(1.0);
        }
        let mut model = ModelPose::rest(&rig.skeleton);
        model.compose(&rig.skeleton, &pose);
        let mut first = None;
        for (name, level) in levels("palette") {
            let mut wide = vec![Mat4::ZERO; rig.skin.len()];
            let mut packed = vec![Mat3x4::IDENTITY; rig.skin.len()];
            rig.skin.write_palette_at(level, &model, &mut wide);
            rig.skin.write_palette_at(level, &model, &mut packed);
            prop_assert!(wide.iter().zip(&packed).all(|(wide, packed)| packed.to_mat4() == *wide));
            let bits: Vec<u32> = wide.iter().flat_map(Mat4::to_cols_array).map(f32::to_bits).collect();
            prop_assert!(*first.get_or_insert_with(|| bits.clone()) == bits, "{} differs", name);
        }
    }
}

#[test]
fn the_rest_pose_gives_identity_palettes() {
    for seed in 0..20 {
        let rig = Rig::random(&mut Random(seed), 60);
        let model = ModelPose::rest(&rig.skeleton);
        let joints: Vec<_> = rig.skeleton.joints().collect();
        let inverse: Vec<Mat4> =
            joints.iter().map(|joint| model.joint(*joint).as_dmat4().inverse().as_mat4()).collect();
        let skin = Skin::new(&rig.skeleton, joints, &inverse).unwrap();
        let mut palette = vec![Mat4::ZERO; skin.len()];
        skin.write_palette(&model, &mut palette);
        for matrix in palette {
            assert!(matrix.abs_diff_eq(Mat4::IDENTITY, 1e-5), "{matrix}");
        }
    }
}

#[test]
#[should_panic(expected = "a palette of 1 matrices for a skin of 2")]
fn a_palette_of_another_size_is_refused() {
    let skeleton = chain(2);
    let skin = Skin::new(&skeleton, skeleton.joints().collect(), &[Mat4::IDENTITY; 2]).unwrap();
    skin.write_palette(&ModelPose::rest(&skeleton), &mut [Mat4::ZERO]);
}

#[test]
#[should_panic(expected = "a model pose of 3 joints for a skin of a skeleton of 2")]
fn a_model_pose_of_another_skeleton_is_refused() {
    let skeleton = chain(2);
    let skin = Skin::new(&skeleton, vec![], &[]).unwrap();
    skin.write_palette::<Mat4>(&ModelPose::rest(&chain(3)), &mut []);
}

#[test]
fn it_says_which_skeletons_it_fits() {
    let skin = Skin::new(&chain(2), vec![], &[]).unwrap();
    assert!(skin.fits(&chain(2)) && !skin.fits(&chain(3)));
}
