//! With the feature `bytemuck`: the bytes of a palette are those that the shaders read.
#![cfg(feature = "bytemuck")]

use canter::glam::{Mat4, Quat, Vec3};
use canter::{Mat3x4, ModelPose, Pose, Skin};

#[test]
fn a_palette_is_columns_of_64_bytes_or_rows_of_48() {
    let skeleton = canter_testing::chain(2);
    let mut pose = Pose::rest(&skeleton);
    pose.joint_mut(canter_testing::root(&skeleton)).rotation = Quat::from_xyzw(0.5, 0.5, 0.5, 0.5);
    let mut model = ModelPose::rest(&skeleton);
    model.compose(&skeleton, &pose);
    let joints = skeleton.joints().collect();
    let mesh = Mat4::from_translation(Vec3::new(1.0, 2.0, 3.0));
    let skin = Skin::new(&skeleton, joints, &[mesh; 2]).unwrap();
    // x becomes y, y becomes z, z becomes x; the second joint is a metre along its parent's y, which is z.
    let (mut wide, mut packed) = ([Mat4::ZERO; 2], [Mat3x4::IDENTITY; 2]);
    skin.write_palette(&model, &mut wide);
    skin.write_palette(&model, &mut packed);
    let columns: &[f32] = bytemuck::cast_slice(&wide);
    let rows: &[f32] = bytemuck::cast_slice(&packed);
    assert_eq!((size_of_val(columns), size_of_val(rows)), (2 * 64, 2 * 48));
    #[rustfmt::skip]
    let expected_columns = [
        0.0, 1.0, 0.0, 0.0,  0.0, 0.0, 1.0, 0.0,  1.0, 0.0, 0.0, 0.0,  3.0, 1.0, 2.0, 1.0,
        0.0, 1.0, 0.0, 0.0,  0.0, 0.0, 1.0, 0.0,  1.0, 0.0, 0.0, 0.0,  3.0, 1.0, 3.0, 1.0,
    ];
    #[rustfmt::skip]
    let expected_rows = [
        0.0, 0.0, 1.0, 3.0,  1.0, 0.0, 0.0, 1.0,  0.0, 1.0, 0.0, 2.0,
        0.0, 0.0, 1.0, 3.0,  1.0, 0.0, 0.0, 1.0,  0.0, 1.0, 0.0, 3.0,
    ];
    assert_eq!(columns, expected_columns);
    assert_eq!(rows, expected_rows);
    // Little-endian floats on every machine that there is a GPU for.
    let bytes: &[u8] = bytemuck::cast_slice(&packed);
    assert_eq!(bytes[12..16], 3.0_f32.to_le_bytes());
}
