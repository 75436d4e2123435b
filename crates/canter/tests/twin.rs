//! The whole pipeline against a plain float64 twin written from the glTF formulas: random rigs, random clips.

use std::cell::RefCell;
use std::sync::Arc;

use canter::glam::Mat4;
use canter::{Mixer, ModelPose, Play, Pose};
use canter_testing::compare::Errors;
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{KINDS, Spec};
use canter_testing::twin;
use proptest::prelude::*;

/// What the crate promises.
const TOLERANCE: f64 = 1e-5;

/// More joints now and then: most mistakes show with a few.
fn joint_count() -> impl Strategy<Value = usize> {
    prop_oneof![4 => 1_usize..20, 2 => 20_usize..80, 1 => 80_usize..201]
}

#[test]
fn a_sampled_clip_is_what_the_formulas_say() {
    let errors = RefCell::new(Errors::default());
    proptest!(canter_testing::cases(150), |(seed in any::<u64>(), joints in joint_count(), kind in 0..KINDS.len())| {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, joints);
        let spec = Spec::random(&mut random, &rig, KINDS[kind]);
        let clip = spec.build(&rig, "clip");
        let mut pose = Pose::rest(&rig.skeleton);
        for secs in spec.interesting_times(&mut random) {
            clip.sample(secs, &mut pose);
            let mut here = Errors::default();
            here.pose(&rig, &pose, &twin::sample(&rig, &spec, secs));
            prop_assert!(here.largest <= TOLERANCE, "at {} s: {:?}", secs, here);
            errors.borrow_mut().add(&here);
        }
    });
    errors.borrow().report("sample");
}

#[test]
fn blended_composed_and_multiplied_it_is_what_the_formulas_say() {
    let [poses, models, palettes] = [(); 3].map(|()| RefCell::new(Errors::default()));
    proptest!(canter_testing::cases(80), |(
        seed in any::<u64>(),
        joints in joint_count(),
        actions in 1_usize..6,
        weight_scale in prop_oneof![Just(0.02_f32), Just(0.3), Just(1.0), Just(50.0)],
    )| {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, joints);
        let mut mixer = Mixer::new(&rig.skeleton);
        let mut playing = Vec::new();
        for index in 0..actions {
            let kind = random.pick(&KINDS);
            let spec = Spec::random(&mut random, &rig, kind);
            let clip = Arc::new(spec.build(&rig, &format!("clip {index}")));
            let weight = random.between(0.05, 1.0) * weight_scale;
            let start_secs = Some(random.between(0.0, clip.duration_secs()));
            let id = mixer.play(&clip, Play { weight, start_secs, ..Play::default() });
            playing.push((spec, id, weight));
        }
        mixer.advance(0.01);
        let twins = playing.iter().map(|(spec, id, weight)| {
            let secs = mixer.get(*id).unwrap().time_secs();
            (twin::sample(&rig, spec, secs), f64::from(*weight))
        });
        let expected = twin::blend(&rig, twins.collect(), 0.0);
        let mut pose = Pose::rest(&rig.skeleton);
        mixer.sample(&mut pose);
        let mut here = Errors::default();
        here.pose(&rig, &pose, &expected);
        prop_assert!(here.largest <= TOLERANCE, "pose: {:?}", here);
        poses.borrow_mut().add(&here);

        let expected = expected.compose(&rig);
        let mut model = ModelPose::rest(&rig.skeleton);
        model.compose(&rig.skeleton, &pose);
        let mut here = Errors::default();
        here.model(&rig, &model, &expected);
        prop_assert!(here.largest <= TOLERANCE, "model pose: {:?}", here);
        models.borrow_mut().add(&here);

        let mut palette = vec![Mat4::ZERO; rig.skin.len()];
        rig.skin.write_palette(&model, &mut palette);
        let mut here = Errors::default();
        here.palette(&rig, &palette, &expected);
        prop_assert!(here.largest <= TOLERANCE, "palette: {:?}", here);
        palettes.borrow_mut().add(&here);
    });
    poses.borrow().report("blend");
    models.borrow().report("compose");
    palettes.borrow().report("palette");
}
