//! Mirroring in lanes is mirroring joint by joint.

use canter_testing::cases;
use canter_testing::random::Random;
use proptest::prelude::*;

use super::{Mirror, MirrorError};
use crate::glam::{Quat, Vec3};
use crate::pose::Pose;
use crate::skeleton::{JointId, Skeleton};
use crate::testing::levels;
use crate::transform::Transform;

/// A trunk with limbs on both sides, some of which have no counterpart.
fn figure(random: &mut Random, limbs: usize) -> (Skeleton, Vec<Option<JointId>>) {
    let mut builder = Skeleton::builder();
    let mut transform = || Transform {
        translation: random.vector(1.0),
        rotation: random.turn(180.0),
        scale: Vec3::ONE + random.vector(0.5),
    };
    builder.joint("trunk", None, transform());
    for limb in 0..limbs {
        for side in ["L", "R"] {
            builder.joint(format!("{limb}.{side}"), Some(0), transform());
        }
    }
    let skeleton = builder.build().unwrap();
    let partner = |joint: JointId| match skeleton.name(joint).split_once('.') {
        None => Some(joint),
        Some((limb, _)) if limb.ends_with('3') => None,
        Some((limb, "L")) => skeleton.joint(&format!("{limb}.R")),
        Some((limb, _)) => skeleton.joint(&format!("{limb}.L")),
    };
    let partners = skeleton.joints().map(partner).collect();
    (skeleton, partners)
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn lanes_are_joint_by_joint_at_every_level(seed in any::<u64>(), limbs in 0_usize..20, rests in any::<bool>()) {
        let mut random = Random(seed);
        let (skeleton, partners) = figure(&mut random, limbs);
        let mirror = Mirror::new(&skeleton, &partners).unwrap();
        let mut pose = Pose::rest(&skeleton);
        for joint in skeleton.joints() {
            pose.set_rotation(joint, random.turn(180.0));
            if !rests && random.chance(0.3) {
                let mut local = pose.joint_mut(joint);
                local.translation = random.vector(2.0);
                local.scale = random.pick(&[Vec3::splat(2.0), Vec3::new(1.0, 2.0, 3.0)]);
            }
        }
        for (name, level) in levels("mirror") {
            let mut shown = Pose::rest(&skeleton);
            mirror.pose_at(level, &pose, &mut shown);
            for joint in skeleton.joints() {
                let expected = match mirror.side(joint) {
                    None => pose.joint(joint),
                    Some(side) => {
                        let partner = pose.joint(side.partner);
                        Transform {
                            translation: side.translation(partner.translation),
                            rotation: Quat::from_array(side.rotation(partner.rotation.to_array(), false)),
                            scale: side.scale(partner.scale),
                        }
                    }
                };
                prop_assert_eq!(shown.joint(joint), expected, "{} at {}", skeleton.name(joint), name);
            }
        }
    }
}

#[test]
fn partners_are_checked() {
    let (skeleton, mut partners) = figure(&mut Random(1), 2);
    assert!(matches!(Mirror::new(&skeleton, &partners[1..]), Err(MirrorError::Length { .. })));
    partners[1] = partners[0];
    assert!(matches!(Mirror::new(&skeleton, &partners), Err(MirrorError::NotMutual { .. })));
}
