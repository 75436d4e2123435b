//! What cannot be built says what, where, and what was expected.

use canter::glam::{Mat4, Quat, Vec3, Vec4};
use canter::{
    Clip, ClipBuilder, ClipFault, Interpolation, Skeleton, SkeletonBuilder, SkeletonError, Skin, SkinError,
    Track, TrackError, Transform,
};
use canter_testing::{chain, root};

const NAN: f32 = f32::NAN;
const INFINITY: f32 = f32::INFINITY;

fn says(error: &impl std::error::Error, parts: &[&str]) {
    let message = error.to_string();
    for part in parts {
        assert!(message.contains(part), "\"{message}\" does not say \"{part}\"");
    }
}

fn refused(edit: impl FnOnce(&mut SkeletonBuilder)) -> SkeletonError {
    let mut builder = Skeleton::builder();
    builder.joint("hips", None, Transform::IDENTITY);
    edit(&mut builder);
    builder.build().unwrap_err()
}

#[test]
fn a_parent_that_is_not_there() {
    let error = refused(|builder| _ = builder.joint("spine", Some(7), Transform::IDENTITY));
    assert_eq!(
        error,
        SkeletonError::NoSuchParent { joint: "spine".to_owned(), index: 1, parent: 7, joints: 2 }
    );
    says(&error, &["joint 1 \"spine\"", "parent 7", "only 2 joints"]);
}

#[test]
fn joints_in_a_ring() {
    let error = refused(|builder| {
        builder.joint("tip", Some(4), Transform::IDENTITY);
        builder.joint("a", Some(3), Transform::IDENTITY);
        builder.joint("b", Some(4), Transform::IDENTITY);
        builder.joint("c", Some(2), Transform::IDENTITY);
    });
    let SkeletonError::Cycle { joints } = &error else { panic!("{error:?}") };
    // Those in the ring, each hanging on the next; not what hangs on it.
    let start = joints.iter().position(|joint| joint == "a").unwrap();
    let turned: Vec<&str> = (0..3).map(|step| joints[(start + step) % 3].as_str()).collect();
    assert_eq!((joints.len(), turned), (3, vec!["a", "b", "c"]));
    says(&error, &["\"a\"", "\"b\"", "\"c\"", "ring"]);
    let own = refused(|builder| _ = builder.joint("self", Some(1), Transform::IDENTITY));
    assert_eq!(own, SkeletonError::Cycle { joints: vec!["self".to_owned()] });
}

#[test]
fn rest_transforms_that_cannot_be_used() {
    let of = |edit: &dyn Fn(&mut Transform)| {
        let mut rest = Transform::IDENTITY;
        edit(&mut rest);
        rest
    };
    for (rest, what) in [
        (of(&|rest| rest.translation.y = NAN), "translation is not a finite number"),
        (of(&|rest| rest.translation.z = 1e19), "translation is not a finite number of ordinary size"),
        (of(&|rest| rest.scale.x = INFINITY), "scale is not a finite number"),
        (of(&|rest| rest.rotation.w = NAN), "rotation is not a finite number"),
        (
            of(&|rest| rest.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
            "rotation is a quaternion of length zero",
        ),
    ] {
        let error = refused(|builder| _ = builder.joint("spine", None, rest));
        assert!(
            matches!(&error, SkeletonError::BadRest { joint, index: 1, .. } if joint == "spine"),
            "{error:?}"
        );
        says(&error, &["joint 1 \"spine\"", "rest", what]);
    }
}

#[test]
fn rest_weights_of_morphs_that_are_no_numbers() {
    let error = refused(|builder| _ = builder.morph_set("face", vec![0.0, NAN]));
    assert_eq!(error, SkeletonError::BadMorphRest { morph: "face".to_owned() });
    says(&error, &["morph set \"face\"", "not a finite number"]);
}

#[test]
fn more_joints_than_can_be_numbered_is_said_too() {
    // Nobody has the memory to build it.
    says(
        &SkeletonError::TooManyJoints { count: 5_000_000_000 },
        &["5000000000 joints", "expected fewer than 2³²"],
    );
}

fn skeleton() -> Skeleton {
    let mut builder = Skeleton::builder();
    builder.joint("hips", None, Transform::IDENTITY);
    builder.morph_set("face", vec![0.0; 2]);
    builder.build().unwrap()
}

/// The fault of a clip "Walk", whose message must name the clip and the track.
fn fault(track: &str, edit: impl FnOnce(&mut ClipBuilder<'_>), parts: &[&str]) -> ClipFault {
    let skeleton = skeleton();
    let mut builder = Clip::builder("Walk", &skeleton);
    edit(&mut builder);
    let error = builder.build().unwrap_err();
    assert_eq!((error.clip.as_str(), error.target.as_str()), ("Walk", track));
    says(&error, &[&["clip \"Walk\"", track], parts].concat());
    error.fault
}

fn times_fault(times: &[f32], parts: &[&str]) -> ClipFault {
    let track = Track::linear(times.to_vec(), vec![Vec3::ZERO; times.len()]);
    let add = |builder: &mut ClipBuilder<'_>| _ = builder.translation(root(&skeleton()), track);
    fault("translation of joint \"hips\"", add, parts)
}

#[test]
fn times_that_are_not_sorted_finite_and_from_0() {
    assert_eq!(times_fault(&[], &["no keys", "at least one"]), ClipFault::Track(TrackError::NoKeys));
    let unsorted = TrackError::Unsorted { key: 2, secs: 0.5, previous_secs: 1.0 };
    let parts = ["key 2 at 0.5 s", "1 s", "expected sorted"];
    assert_eq!(times_fault(&[0.0, 1.0, 0.5], &parts), ClipFault::Track(unsorted));
    for bad in [-0.5, INFINITY, NAN, 1e19] {
        let fault =
            times_fault(&[0.0, bad], &["key 1", &format!("{bad} s"), "expected a finite time from 0"]);
        assert!(matches!(fault, ClipFault::Track(TrackError::BadTime { key: 1, .. })));
    }
    // -0 is 0.
    let skeleton = skeleton();
    let mut builder = Clip::builder("Walk", &skeleton);
    builder.translation(root(&skeleton), Track::linear(vec![-0.0, 0.0, 1.0], vec![Vec3::ZERO; 3]));
    assert!(builder.build().is_ok());
}

#[test]
fn values_that_are_not_as_many_as_the_keys_call_for() {
    for (interpolation, values, expected) in
        [(Interpolation::Linear, 3, 2), (Interpolation::Step, 1, 2), (Interpolation::CubicSpline, 2, 6)]
    {
        let track = Track::new(interpolation, vec![0.0, 1.0], vec![Vec3::ZERO; values]);
        let parts = [format!("{values} values for 2 keys"), format!("expected {expected}")];
        let add = |builder: &mut ClipBuilder<'_>| _ = builder.scale(root(&skeleton()), track);
        let fault = fault("scale of joint \"hips\"", add, &[&parts[0], &parts[1]]);
        let wrong = TrackError::WrongValueCount { found: values, keys: 2, expected };
        assert_eq!(fault, ClipFault::Track(wrong));
    }
}

#[test]
fn values_that_are_no_numbers_and_rotations_without_direction() {
    let skeleton = skeleton();
    let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    for (values, expected, part) in [
        (
            vec![Quat::IDENTITY, Quat::from_xyzw(0.0, NAN, 0.0, 1.0)],
            TrackError::BadValue { key: 1 },
            "value of key 1",
        ),
        (
            vec![Quat::IDENTITY, Quat::from_xyzw(0.0, 2e18, 0.0, 1.0)],
            TrackError::BadValue { key: 1 },
            "ordinary size",
        ),
        (vec![Quat::IDENTITY, zero], TrackError::ZeroRotation { key: 1 }, "rotation of key 1"),
    ] {
        let track = Track::linear(vec![0.0, 1.0], values);
        let add = |builder: &mut ClipBuilder<'_>| _ = builder.rotation(root(&skeleton), track);
        assert_eq!(fault("rotation of joint \"hips\"", add, &[part]), ClipFault::Track(expected));
    }
    // The tangents of a spline may be zero, its values not.
    let [good, bad] = [Quat::IDENTITY, zero].map(|value| {
        let mut clip = Clip::builder("Walk", &skeleton);
        clip.rotation(root(&skeleton), Track::cubic(vec![0.0], vec![zero, value, zero]));
        clip.build()
    });
    assert!(good.is_ok());
    assert_eq!(bad.unwrap_err().fault, ClipFault::Track(TrackError::ZeroRotation { key: 0 }));
}

#[test]
fn joints_and_morph_sets_that_do_not_exist_and_tracks_that_are_there_twice() {
    let long = chain(5);
    let stranger = long.joint_at(4).unwrap();
    let still = || Track::step(vec![0.0], vec![Vec3::ZERO]);
    let add = |builder: &mut ClipBuilder<'_>| _ = builder.translation(stranger, still());
    let no_joint = fault("translation of joint 4", add, &["only 1 joints"]);
    assert_eq!(no_joint, ClipFault::NoSuchJoint { joints: 1 });

    let mut many = Skeleton::builder();
    many.morph_set("a", vec![]);
    let second = many.morph_set("b", vec![]);
    let add =
        |builder: &mut ClipBuilder<'_>| _ = builder.morph_weights(second, Track::step(vec![0.0], vec![]));
    let no_morph = fault("weights of morph set 1", add, &["only 1 morph sets"]);
    assert_eq!(no_morph, ClipFault::NoSuchMorph { morphs: 1 });

    let hips = root(&skeleton());
    let twice = |builder: &mut ClipBuilder<'_>| _ = builder.scale(hips, still()).scale(hips, still());
    assert_eq!(fault("scale of joint \"hips\"", twice, &["two tracks", "expected one"]), ClipFault::Twice);
    let face = skeleton().morph("face").unwrap();
    let weights = || Track::step(vec![0.0], vec![0.0; 2]);
    let twice = |builder: &mut ClipBuilder<'_>| {
        _ = builder.morph_weights(face, weights()).morph_weights(face, weights());
    };
    assert_eq!(fault("weights of morph set \"face\"", twice, &["two tracks"]), ClipFault::Twice);
}

#[test]
fn morph_weights_that_do_not_fit_their_set() {
    let face = skeleton().morph("face").unwrap();
    let add = |builder: &mut ClipBuilder<'_>| {
        _ = builder.morph_weights(face, Track::linear(vec![0.0], vec![0.0; 3]));
    };
    let wrong = fault("weights of morph set \"face\"", add, &["3 numbers", "expected 2 for every value"]);
    assert_eq!(wrong, ClipFault::Track(TrackError::PartialValue { numbers: 3, width: 2 }));
    let add = |builder: &mut ClipBuilder<'_>| {
        builder.morph_weights(face, Track::linear(vec![0.0, 1.0], vec![0.0, 0.0, 0.0, NAN]));
    };
    let bad = fault("weights of morph set \"face\"", add, &["value of key 1"]);
    assert_eq!(bad, ClipFault::Track(TrackError::BadValue { key: 1 }));
}

#[test]
fn skins_that_do_not_fit() {
    let skeleton = chain(2);
    let joints = || skeleton.joints().collect::<Vec<_>>();
    let mut bent = Mat4::IDENTITY;
    bent.x_axis.w = 0.5;
    let broken = Mat4::from_cols(Vec4::NAN, Vec4::Y, Vec4::Z, Vec4::W);
    let good = Mat4::IDENTITY;
    let stranger = chain(9).joint_at(8).unwrap();
    let table = [
        (
            Skin::new(&skeleton, joints(), &[good]),
            SkinError::WrongMatrixCount { found: 1, expected: 2 },
            ["1 inverse bind matrices", "2 joints; expected one for each"],
        ),
        (
            Skin::new(&skeleton, vec![root(&skeleton), stranger], &[good, good]),
            SkinError::NoSuchJoint { index: 1, joint: 8, joints: 2 },
            ["joint 1 of the skin is 8", "only 2 joints"],
        ),
        (
            Skin::new(&skeleton, joints(), &[good, broken]),
            SkinError::NotFinite { index: 1 },
            ["inverse bind matrix 1", "not finite"],
        ),
        (
            Skin::new(&skeleton, joints(), &[good, bent]),
            SkinError::NotAffine { index: 1, last_row: [0.5, 0.0, 0.0, 1.0] },
            ["last row of inverse bind matrix 1", "expected 0, 0, 0, 1"],
        ),
    ];
    for (result, expected, parts) in table {
        let error = result.unwrap_err();
        assert_eq!(error, expected);
        says(&error, &parts);
    }
}
