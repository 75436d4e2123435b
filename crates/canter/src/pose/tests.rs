//! Single joints of a pose.

use canter_testing::random::Random;

use super::{JointGroup, LANES, Pose};
use crate::glam::{Quat, Vec3};
use crate::testing::{Rig, bits, chain};
use crate::transform::Transform;

#[test]
fn joints_are_read_and_written_one_by_one() {
    for joints in [1, 7, 8, 9, 16, 33] {
        let rig = Rig::random(&mut Random(3), joints);
        let mut pose = Pose::rest(&rig.skeleton);
        assert_eq!(pose.joint_count(), joints);
        for joint in rig.skeleton.joints() {
            assert_eq!(pose.joint(joint), rig.skeleton.rest(joint));
        }
        for joint in rig.skeleton.joints() {
            let others: Vec<_> = rig.skeleton.joints().filter(|other| *other != joint).collect();
            let before: Vec<_> = others.iter().map(|other| pose.joint(*other)).collect();
            let transform = Transform {
                translation: Vec3::new(1.0, 2.0, 3.0),
                rotation: Quat::from_xyzw(0.5, -0.5, 0.5, 0.5),
                scale: Vec3::new(4.0, 5.0, 6.0),
            };
            pose.set_joint(joint, transform);
            assert_eq!(pose.joint(joint), transform);
            let after: Vec<_> = others.iter().map(|other| pose.joint(*other)).collect();
            assert_eq!(before, after);
            pose.joint_mut(joint).scale.y = 7.0;
            assert_eq!(pose.joint(joint).scale, Vec3::new(4.0, 7.0, 6.0));
        }
        pose.reset(&rig.skeleton);
        assert_eq!(bits(&rig.skeleton, &pose), bits(&rig.skeleton, &Pose::rest(&rig.skeleton)));
    }
}

#[test]
fn lanes_beyond_the_last_joint_are_identities() {
    let group = JointGroup::from_transforms(&[Transform::from_scale(Vec3::ZERO)])[0];
    for lane in 1..LANES {
        assert_eq!(group.joint(lane), Transform::IDENTITY);
    }
}

#[test]
fn morph_weights_can_be_edited() {
    let mut builder = crate::Skeleton::builder();
    let (face, belly) = (builder.morph_set("face", vec![0.0, 0.5]), builder.morph_set("belly", vec![1.0]));
    let skeleton = builder.build().unwrap();
    let mut pose = Pose::rest(&skeleton);
    pose.morph_weights_mut(face)[1] = 0.75;
    assert_eq!(
        (pose.morph_weights(face), pose.morph_weights(belly)),
        ([0.0, 0.75].as_slice(), [1.0].as_slice())
    );
}

#[test]
#[should_panic(expected = "a joint of a larger skeleton")]
fn a_joint_of_a_larger_skeleton_is_refused_even_in_the_same_group() {
    let _ = Pose::rest(&chain(2)).joint(chain(3).joint_at(2).unwrap());
}

#[test]
#[should_panic(expected = "a pose of 2 joints and 0 morph weights for a skeleton of 3 and 0")]
fn a_pose_of_another_size_is_refused() {
    Pose::rest(&chain(2)).reset(&chain(3));
}
