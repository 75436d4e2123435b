//! Additive clips against their definition: added to the reference they are the clip, whatever the rig, the
//! keys and the reference.

use std::cell::RefCell;

use canter::glam::{DQuat, DVec3, Quat, Vec3};
use canter::{
    AdditiveError, AdditiveReference, Clip, Interpolation, LARGEST, Pose, Skeleton, Track, Transform,
};
use canter_testing::compare::Errors;
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{KINDS, ROTATION, SCALE, Spec};
use canter_testing::twin::{self, Twin};
use canter_testing::{bits, cases, distance, numbers, root};
use proptest::prelude::*;

/// How many references there are to choose from: see [`Case::random`].
const REFERENCES: usize = 4;

/// A clip, its additive version, and the pose that this is the difference from.
struct Case {
    rig: Rig,
    spec: Spec,
    clip: Clip,
    additive: Clip,
    reference: Pose,
    reference_twin: Twin,
}

impl Case {
    fn random(random: &mut Random, joints: usize, kinds: [usize; 2], reference: usize) -> Self {
        let rig = Rig::random(random, joints);
        let [spec, other_spec] = kinds.map(|kind| Spec::random(random, &rig, KINDS[kind]));
        let (clip, other) = (spec.build(&rig, "clip"), other_spec.build(&rig, "other"));
        let secs = random.between(-0.1, 2.0);
        let mut pose = Pose::rest(&rig.skeleton);
        let (additive, reference_twin) = match reference {
            0 => (clip.additive(AdditiveReference::Rest), twin::rest(&rig)),
            1 => {
                clip.sample(0.0, &mut pose);
                (clip.additive(AdditiveReference::FirstKey), twin::sample(&rig, &spec, 0.0))
            }
            2 => {
                clip.sample(secs, &mut pose);
                let reference = AdditiveReference::Clip { clip: &clip, secs };
                (clip.additive(reference), twin::sample(&rig, &spec, secs))
            }
            _ => {
                other.sample(secs, &mut pose);
                let reference = AdditiveReference::Clip { clip: &other, secs };
                (clip.additive(reference), twin::sample(&rig, &other_spec, secs))
            }
        };
        Self { additive: additive.unwrap(), rig, spec, clip, reference: pose, reference_twin }
    }
}

fn wide(rotation: Quat) -> DQuat {
    rotation.as_dquat().normalize()
}

/// Deltas added in full to a pose. `sizes` is what rounding is relative to.
fn added(rig: &Rig, base: &Pose, delta: &Pose, sizes: [&Twin; 2]) -> Twin {
    let mut sum = sizes[0].clone();
    for (source, joint) in sum.joints.iter_mut().enumerate() {
        let (base, delta) = (base.joint(rig.joint(source)), delta.joint(rig.joint(source)));
        joint.translation = base.translation.as_dvec3() + delta.translation.as_dvec3();
        joint.rotation = wide(base.rotation) * wide(delta.rotation);
        joint.scale = base.scale.as_dvec3() * delta.scale.as_dvec3();
        for (size, other) in joint.sizes.iter_mut().zip(sizes[1].joints[source].sizes) {
            // Half turns, which the twin leaves open, go the way of the clip.
            let finite = |size: f64| if size.is_finite() { size } else { 1.0 };
            *size = finite(*size).max(finite(other));
        }
    }
    for (weights, morph) in sum.morphs.iter_mut().zip(rig.skeleton.morphs()) {
        let pairs = base.morph_weights(morph).iter().zip(delta.morph_weights(morph));
        *weights = pairs.map(|(base, delta)| f64::from(*base) + f64::from(*delta)).collect();
    }
    sum
}

/// The difference of two poses in double precision.
fn difference(value: &Twin, reference: &Twin) -> Twin {
    let mut delta = value.clone();
    for (joint, reference) in delta.joints.iter_mut().zip(&reference.joints) {
        joint.translation -= reference.translation;
        joint.rotation = reference.rotation.inverse() * joint.rotation;
        joint.scale /= reference.scale;
        for (size, other) in joint.sizes.iter_mut().zip(reference.sizes) {
            *size = size.max(other);
        }
        joint.sizes[ROTATION] *= 2.0;
        // What is divided by carries its rounding into the quotient.
        let smallest = reference.scale.abs().min_element();
        joint.sizes[SCALE] *= (1.0 + reference.sizes[SCALE] / smallest) / smallest;
    }
    for (weights, reference) in delta.morphs.iter_mut().zip(&reference.morphs) {
        weights.iter_mut().zip(reference).for_each(|(weight, reference)| *weight -= reference);
    }
    delta
}

#[test]
fn added_to_the_reference_it_is_the_clip() {
    let errors = RefCell::new(Errors::default());
    proptest!(cases(150), |(
        seed in any::<u64>(),
        joints in 1_usize..40,
        kinds in prop::array::uniform2(0..KINDS.len()),
        reference in 0..REFERENCES,
    )| {
        let mut random = Random(seed);
        let case = Case::random(&mut random, joints, kinds, reference);
        let rig = &case.rig;
        prop_assert_eq!(case.additive.duration_secs(), case.clip.duration_secs());
        let (mut pose, mut delta) = (Pose::rest(&rig.skeleton), Pose::rest(&rig.skeleton));
        for secs in case.spec.interesting_times(&mut random) {
            case.clip.sample(secs, &mut pose);
            case.additive.sample(secs, &mut delta);
            let sizes = [&twin::sample(rig, &case.spec, secs), &case.reference_twin];
            let mut here = Errors::default();
            here.pose(rig, &pose, &added(rig, &case.reference, &delta, sizes));
            prop_assert!(here.largest <= 1e-6, "at {} s: {:?}", secs, here);
            errors.borrow_mut().add(&here);
        }
    });
    errors.borrow().report("additive: added");
}

#[test]
fn its_deltas_are_what_the_formulas_say() {
    let errors = RefCell::new(Errors::default());
    proptest!(cases(150), |(
        seed in any::<u64>(),
        joints in 1_usize..40,
        kinds in prop::array::uniform2(0..KINDS.len()),
        reference in 0..REFERENCES,
    )| {
        let mut random = Random(seed);
        let case = Case::random(&mut random, joints, kinds, reference);
        let mut delta = Pose::rest(&case.rig.skeleton);
        for secs in case.spec.interesting_times(&mut random) {
            case.additive.sample(secs, &mut delta);
            let expected = difference(&twin::sample(&case.rig, &case.spec, secs), &case.reference_twin);
            let mut here = Errors::default();
            here.pose(&case.rig, &delta, &expected);
            prop_assert!(here.largest <= 1e-5, "at {} s: {:?}", secs, here);
            errors.borrow_mut().add(&here);
        }
    });
    errors.borrow().report("additive: deltas");
}

proptest! {
    #![proptest_config(cases(100))]

    /// Of the difference from itself nothing is left. Only splines normalise the rotation of a key once more.
    #[test]
    fn at_the_time_of_the_reference_key_it_changes_nothing(
        seed in any::<u64>(),
        kind in 0..KINDS.len(),
    ) {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, 9);
        let clip = Spec::random(&mut random, &rig, KINDS[kind]).build(&rig, "clip");
        let additive = clip.additive(AdditiveReference::FirstKey).unwrap();
        let mut delta = Pose::rest(&rig.skeleton);
        additive.sample(0.0, &mut delta);
        for joint in rig.skeleton.joints() {
            let Transform { translation, rotation, scale } = delta.joint(joint);
            prop_assert_eq!((translation, scale), (Vec3::ZERO, Vec3::ONE));
            let rotation = rotation * rotation.w.signum();
            prop_assert!(rotation.abs_diff_eq(Quat::IDENTITY, 1e-7), "{}", rotation);
        }
        for morph in rig.skeleton.morphs() {
            prop_assert!(delta.morph_weights(morph).iter().all(|weight| *weight == 0.0));
        }
    }

    /// Which way round a half turn goes is up to rounding, but the clip and its deltas go the same way.
    #[test]
    fn half_turns_go_the_way_of_the_clip(seed in any::<u64>(), keys in 2_u8..6) {
        let mut random = Random(seed);
        let mut builder = Skeleton::builder();
        builder.joint("joint", None, Transform::from_rotation(random.turn(180.0)));
        let skeleton = builder.build().unwrap();
        let joint = root(&skeleton);
        let (mut turn, mut turns) = (random.turn(180.0), Vec::new());
        for _ in 0..keys {
            turns.push(turn * random.pick(&[1.0, -1.0]));
            turn *= Quat::from_vec4(random.axis().extend(0.0));
        }
        let mut clip = Clip::builder("clip", &skeleton);
        clip.rotation(joint, Track::linear((0..keys).map(f32::from).collect(), turns));
        let clip = clip.build().unwrap();
        let secs = random.between(0.0, f32::from(keys));
        let references = [
            AdditiveReference::Rest,
            AdditiveReference::FirstKey,
            AdditiveReference::Clip { clip: &clip, secs },
        ];
        for (index, reference) in references.into_iter().enumerate() {
            let mut base = Pose::rest(&skeleton);
            if index > 0 {
                clip.sample(if index == 1 { 0.0 } else { secs }, &mut base);
            }
            let additive = clip.additive(reference).unwrap();
            let again = additive.data(&skeleton).bind(&skeleton).unwrap().clip;
            for step in 0..=keys * 8 {
                let secs = f32::from(step) / 8.0;
                let [mut pose, mut delta, mut same] = [(); 3].map(|()| Pose::rest(&skeleton));
                clip.sample(secs, &mut pose);
                additive.sample(secs, &mut delta);
                again.sample(secs, &mut same);
                prop_assert_eq!(bits(&skeleton, &delta), bits(&skeleton, &same));
                delta.set_joint(joint, Transform {
                    rotation: base.joint(joint).rotation * delta.joint(joint).rotation,
                    ..pose.joint(joint)
                });
                prop_assert!(distance(&skeleton, &pose, &delta) < 2e-6, "{}: at {} s", index, secs);
            }
        }
    }

    /// Whatever the numbers are: an error, or a clip that plays finite deltas and can be stored.
    #[test]
    fn extreme_numbers_make_an_error_or_a_clip(
        values in prop::collection::vec(prop::sample::select(EXTREMES.to_vec()), 27),
        others in prop::collection::vec(prop::sample::select(EXTREMES.to_vec()), 27),
        is_scale in any::<bool>(),
        secs in 0.0_f32..4.0,
    ) {
        let mut builder = Skeleton::builder();
        builder.joint("joint", None, Transform::IDENTITY);
        let morph = builder.morph_set("face", vec![1.0; 3]);
        let skeleton = builder.build().unwrap();
        let clip = |values: &[f32]| {
            let vectors = values.chunks(3).map(Vec3::from_slice).collect();
            let track = Track::cubic(vec![0.0, 1.0, 3.0], vectors);
            let mut clip = Clip::builder("clip", &skeleton);
            if is_scale {
                clip.scale(root(&skeleton), track);
            } else {
                clip.translation(root(&skeleton), track);
            }
            clip.morph_weights(morph, Track::new(Interpolation::Step, vec![0.5; 9], values.to_vec()));
            clip.build().unwrap()
        };
        let (clip, other) = (clip(&values), clip(&others));
        match clip.additive(AdditiveReference::Clip { clip: &other, secs }) {
            Ok(additive) => {
                for track in additive.tracks() {
                    prop_assert!(track.curve.numbers().iter().all(|number| number.abs() <= LARGEST));
                }
                let mut delta = Pose::rest(&skeleton);
                additive.sample(secs, &mut delta);
                prop_assert!(numbers(&skeleton, &delta).iter().all(|number| number.is_finite()));
                prop_assert!(additive.data(&skeleton).bind(&skeleton).is_ok());
            }
            Err(error) => prop_assert!(matches!(error, AdditiveError::TooLarge { .. }), "{}", error),
        }
    }
}

const EXTREMES: [f32; 9] = [0.0, -0.0, 1.0, -1.0, LARGEST, -LARGEST, 1e-45, -1e-20, 0.3];

/// The helper is right where it can be seen: otherwise both sides of the laws could be wrong alike.
#[test]
fn the_difference_of_a_quarter_turn_is_a_quarter_turn() {
    let mut random = Random(1);
    let rig = Rig::random(&mut random, 1);
    let mut value = twin::rest(&rig);
    let quarter = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    value.joints[0].rotation *= quarter;
    value.joints[0].translation += DVec3::X;
    value.joints[0].scale *= DVec3::splat(2.0);
    let delta = difference(&value, &twin::rest(&rig));
    assert!(delta.joints[0].rotation.abs_diff_eq(quarter, 1e-12));
    assert!(delta.joints[0].translation.abs_diff_eq(DVec3::X, 1e-12));
    assert!(delta.joints[0].scale.abs_diff_eq(DVec3::splat(2.0), 1e-12));
}
