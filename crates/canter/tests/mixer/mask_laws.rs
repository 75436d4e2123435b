//! The algebra of masks.

use canter::{JointMask, Skeleton};
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::{cases, chain};
use proptest::prelude::*;

/// Weights that inverting changes by less than this: rounding 1 - weight.
const ROUNDING: f32 = f32::EPSILON;

fn random_mask(random: &mut Random, skeleton: &Skeleton) -> JointMask {
    let mut mask = JointMask::none(skeleton);
    let weight = |random: &mut Random| match random.below(4) {
        0 => 0.0,
        1 => 1.0,
        _ => random.unit(),
    };
    for joint in skeleton.joints() {
        mask.set(joint, weight(random));
    }
    for morph in skeleton.morphs() {
        mask.set_morph(morph, weight(random));
    }
    mask
}

/// Those of joints, then those of morph sets.
fn weights(skeleton: &Skeleton, mask: &JointMask) -> Vec<f32> {
    let joints = skeleton.joints().map(|joint| mask.weight(joint));
    joints.chain(skeleton.morphs().map(|morph| mask.morph_weight(morph))).collect()
}

fn are_close(skeleton: &Skeleton, a: &JointMask, b: &JointMask) -> bool {
    weights(skeleton, a).iter().zip(weights(skeleton, b)).all(|(a, b)| (a - b).abs() <= ROUNDING)
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn masks_are_a_lattice(seed in any::<u64>(), joints in 1_usize..30) {
        let mut random = Random(seed);
        let skeleton = &*Rig::random(&mut random, joints).skeleton;
        let [a, b, c] = [(); 3].map(|()| random_mask(&mut random, skeleton));
        let (none, all) = (JointMask::none(skeleton), JointMask::all(skeleton));
        prop_assert_eq!([a.max(&none), a.min(&all), a.product(&all)], [(); 3].map(|()| a.clone()));
        prop_assert_eq!([a.max(&all), none.inverse()], [all.clone(), all.clone()]);
        prop_assert_eq!([a.min(&none), a.product(&none), all.inverse()], [(); 3].map(|()| none.clone()));
        prop_assert_eq!([a.max(&b), a.min(&b), a.product(&b)], [b.max(&a), b.min(&a), b.product(&a)]);
        prop_assert_eq!(a.max(&b).max(&c), a.max(&b.max(&c)));
        prop_assert_eq!(a.min(&b).min(&c), a.min(&b.min(&c)));
        prop_assert_eq!([a.max(&a.min(&b)), a.min(&a.max(&b))], [a.clone(), a.clone()]);
        prop_assert_eq!(a.min(&b.max(&c)), a.min(&b).max(&a.min(&c)));
    }

    #[test]
    fn an_inverse_is_undone_by_another_and_turns_the_larger_into_the_smaller(
        seed in any::<u64>(),
        joints in 1_usize..30,
    ) {
        let mut random = Random(seed);
        let skeleton = &*Rig::random(&mut random, joints).skeleton;
        let [a, b] = [(); 2].map(|()| random_mask(&mut random, skeleton));
        prop_assert!(are_close(skeleton, &a.inverse().inverse(), &a));
        prop_assert!(are_close(skeleton, &a.inverse().max(&b.inverse()).inverse(), &a.min(&b)));
        prop_assert!(are_close(skeleton, &a.inverse().min(&b.inverse()).inverse(), &a.max(&b)));
        // Equal to one that was set weight by weight: there is nothing in it beside its joints and sets.
        let mut set = JointMask::joints(skeleton, skeleton.joints());
        skeleton.morphs().for_each(|morph| set.set_morph(morph, 1.0));
        prop_assert_eq!([a.max(&a.inverse().inverse()).max(&set), JointMask::all(skeleton)], [set.clone(), set]);
    }

    #[test]
    fn a_feather_takes_weight_away_and_moves_the_same_joints(
        seed in any::<u64>(),
        joints in 1_usize..40,
        feather in 0_usize..9,
    ) {
        let mut random = Random(seed);
        let skeleton = &*Rig::random(&mut random, joints).skeleton;
        let mask = random_mask(&mut random, skeleton);
        prop_assert_eq!(&mask.clone().feathered(skeleton, 0), &mask);
        let feathered = mask.clone().feathered(skeleton, feather);
        for (feathered, weight) in weights(skeleton, &feathered).into_iter().zip(weights(skeleton, &mask)) {
            prop_assert!(feathered <= weight && (feathered > 0.0) == (weight > 0.0));
        }
        // A longer one takes away more.
        let longer = mask.feathered(skeleton, feather + 1);
        prop_assert_eq!(longer.max(&feathered), feathered);
    }

    #[test]
    fn down_a_chain_a_feather_never_falls(joints in 1_usize..40, top in 0_usize..40, feather in 0_usize..50) {
        let skeleton = chain(joints);
        let top = skeleton.joint_at(top % joints).unwrap();
        let mask = JointMask::subtree(&skeleton, top).feathered(&skeleton, feather);
        let weights = weights(&skeleton, &mask);
        prop_assert!(weights.is_sorted());
        let full = weights.iter().filter(|weight| **weight == 1.0).count();
        prop_assert_eq!(full, (joints - top.index()).saturating_sub(feather));
    }
}
