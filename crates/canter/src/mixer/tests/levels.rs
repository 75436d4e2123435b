//! Blending gives the same bits at every level of SIMD.

use std::sync::Arc;

use proptest::prelude::*;

use crate::common::levels::levels;
use crate::common::random::Random;
use crate::common::rig::Rig;
use crate::common::spec::{KINDS, Spec};
use crate::common::{bits, cases};
use crate::mixer::blend;
use crate::{JointMask, Mixer, Play, Pose};

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
        let mut scalar = None;
        for (name, level) in levels("blend") {
            let mut pose = Pose::rest(&rig.skeleton);
            blend::sample(&mut mixer, level, &mut pose);
            let bits = bits(&rig.skeleton, &pose);
            prop_assert!(*scalar.get_or_insert_with(|| bits.clone()) == bits, "{} differs from scalar", name);
        }
    }
}
