//! Where a sample falls among keys: a table for each interpolation.

use canter::glam::{Quat, Vec3};
use canter::{Clip, Interpolation, Pose, Skeleton, Track};
use canter_testing::{distance, height, one_joint, root};

fn pose_at(clip: &Clip, skeleton: &Skeleton, secs: f32) -> Pose {
    let mut pose = Pose::rest(skeleton);
    clip.sample(secs, &mut pose);
    pose
}

fn heights(skeleton: &Skeleton, track: Track<f32>) -> Clip {
    let mut clip = Clip::builder("clip", skeleton);
    let values = track.values.iter().map(|y| Vec3::Y * *y).collect();
    clip.translation(root(skeleton), Track::new(track.interpolation, track.times, values));
    clip.build().unwrap()
}

#[test]
fn before_on_between_and_after_keys_of_every_interpolation() {
    use Interpolation::{CubicSpline, Linear, Step};
    type Places = &'static [(f32, f32)];
    const BIG: f32 = f32::MAX;
    let skeleton = one_joint();
    // Keys 1, 3 and 7 at 1, 2 and 4 s; the spline starts and ends level but for a slope of 4 out of the first
    // key.
    let times = [1.0, 2.0, 4.0];
    let straight: &[f32] = &[1.0, 3.0, 7.0];
    let spline: &[f32] = &[0.0, 1.0, 4.0, 0.0, 3.0, 0.0, 0.0, 7.0, 0.0];
    let table: &[(Interpolation, &[f32], Places)] = &[
        (
            Step,
            straight,
            &[(0.0, 1.0), (1.0, 1.0), (1.5, 1.0), (2.0, 3.0), (3.999, 3.0), (4.0, 7.0), (9.0, 7.0)],
        ),
        (
            Linear,
            straight,
            &[(0.0, 1.0), (1.0, 1.0), (1.5, 2.0), (2.0, 3.0), (2.5, 4.0), (4.0, 7.0), (9.0, 7.0)],
        ),
        // Half way: the mean of both values and an eighth of the slope times the interval.
        (
            CubicSpline,
            spline,
            &[(0.0, 1.0), (1.0, 1.0), (1.5, 2.5), (2.0, 3.0), (3.0, 5.0), (4.0, 7.0), (9.0, 7.0)],
        ),
    ];
    for (interpolation, values, expected) in table {
        let clip = heights(&skeleton, Track::new(*interpolation, times.to_vec(), values.to_vec()));
        for (secs, expected) in *expected {
            let got = height(&pose_at(&clip, &skeleton, *secs), &skeleton);
            assert!((got - expected).abs() < 1e-6, "{interpolation:?} at {secs} s: {got}, not {expected}");
        }
        // Every time gives a pose, even NaN.
        for (secs, expected) in
            [(f32::NAN, 1.0), (f32::NEG_INFINITY, 1.0), (-BIG, 1.0), (f32::INFINITY, 7.0), (BIG, 7.0)]
        {
            assert_eq!(
                height(&pose_at(&clip, &skeleton, secs), &skeleton),
                expected,
                "{interpolation:?} {secs}"
            );
        }
    }
}

#[test]
fn one_key_holds_at_all_times() {
    let skeleton = one_joint();
    for (interpolation, values) in [
        (Interpolation::Step, vec![2.0]),
        (Interpolation::Linear, vec![2.0]),
        (Interpolation::CubicSpline, vec![9.0, 2.0, 9.0]),
    ] {
        let clip = heights(&skeleton, Track::new(interpolation, vec![1.0], values));
        assert_eq!(clip.duration_secs(), 1.0);
        for secs in [0.0, 1.0, 2.0] {
            assert_eq!(height(&pose_at(&clip, &skeleton, secs), &skeleton), 2.0, "{interpolation:?}");
        }
    }
}

#[test]
fn of_keys_at_the_same_time_the_last_holds_from_there_on() {
    let skeleton = one_joint();
    let times = vec![0.0, 1.0, 1.0, 1.0, 2.0];
    for (interpolation, expected) in [
        (Interpolation::Linear, [(0.5, 0.5), (1.0_f32.next_down(), 1.0), (1.0, 5.0), (1.5, 5.5), (2.0, 6.0)]),
        (Interpolation::Step, [(0.5, 0.0), (1.0_f32.next_down(), 0.0), (1.0, 5.0), (1.5, 5.0), (2.0, 6.0)]),
    ] {
        let clip =
            heights(&skeleton, Track::new(interpolation, times.clone(), vec![0.0, 1.0, 77.0, 5.0, 6.0]));
        for (secs, expected) in expected {
            let got = height(&pose_at(&clip, &skeleton, secs), &skeleton);
            assert!((got - expected).abs() < 1e-6, "{interpolation:?} at {secs} s: {got}, not {expected}");
        }
    }
}

#[test]
fn half_a_turn_goes_one_way_or_the_other_at_constant_speed() {
    let skeleton = one_joint();
    let joint = root(&skeleton);
    let half_turn = Quat::from_xyzw(1.0, 0.0, 0.0, 0.0);
    for end in [half_turn, -half_turn] {
        let mut clip = Clip::builder("clip", &skeleton);
        clip.rotation(joint, Track::linear(vec![0.0, 1.0], vec![Quat::IDENTITY, end]));
        let clip = clip.build().unwrap();
        for step in 0..=10_u8 {
            let secs = f32::from(step) / 10.0;
            let rotation = pose_at(&clip, &skeleton, secs).joint(joint).rotation;
            assert!((rotation.length() - 1.0).abs() < 1e-6);
            let degrees = rotation.angle_between(Quat::IDENTITY).to_degrees();
            assert!((degrees - 180.0 * secs).abs() < 1e-2, "{degrees} degrees at {secs} s");
        }
    }
}

#[test]
fn quaternions_of_any_length_and_sign_are_the_same_rotation() {
    let skeleton = one_joint();
    let joint = root(&skeleton);
    let turns = [Quat::from_rotation_x(0.3), Quat::from_rotation_y(1.1), Quat::from_rotation_z(2.0)];
    let clip = |factors: [f32; 3]| {
        let mut clip = Clip::builder("clip", &skeleton);
        let values = turns.iter().zip(factors).map(|(turn, factor)| *turn * factor).collect();
        clip.rotation(joint, Track::linear(vec![0.0, 1.0, 2.0], values));
        clip.build().unwrap()
    };
    let (plain, odd) = (clip([1.0; 3]), clip([-1.0, 1e-9, -1e12]));
    for step in 0..=20_u8 {
        let secs = f32::from(step) / 10.0;
        let (a, b) = (pose_at(&plain, &skeleton, secs), pose_at(&odd, &skeleton, secs));
        assert!(distance(&skeleton, &a, &b) < 1e-6, "{secs}");
    }
}

/// Opposite keys and no slope: in the middle there is no direction to take.
#[test]
fn a_spline_through_nothing_holds_its_left_key() {
    let skeleton = one_joint();
    let joint = root(&skeleton);
    let (turn, zero) = (Quat::from_rotation_x(1.0), Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    let mut clip = Clip::builder("clip", &skeleton);
    clip.rotation(joint, Track::cubic(vec![0.0, 1.0], vec![zero, turn, zero, zero, -turn, zero]));
    let rotation = pose_at(&clip.build().unwrap(), &skeleton, 0.5).joint(joint).rotation;
    assert!(rotation.abs_diff_eq(turn, 1e-6), "{rotation}");
}

#[test]
fn a_clip_tells_its_name_length_and_tracks() {
    let skeleton = one_joint();
    let joint = root(&skeleton);
    let mut clip = Clip::builder("Walk", &skeleton);
    clip.translation(joint, Track::step(vec![0.0, 2.0], vec![Vec3::ZERO; 2]));
    clip.scale(joint, Track::linear(vec![0.5, 1.5], vec![Vec3::ONE; 2]));
    let clip = clip.build().unwrap();
    assert_eq!((clip.name(), clip.duration_secs(), clip.tracks().len()), ("Walk", 2.0, 2));
    let track = clip.tracks().nth(1).unwrap();
    assert_eq!(track.target, canter::TrackTarget::Joint(joint, canter::Property::Scale));
    assert_eq!(
        (track.curve.interpolation(), track.curve.times()),
        (Interpolation::Linear, [0.5, 1.5].as_slice())
    );
    assert!(clip.memory_bytes() > 0);
}

#[test]
#[should_panic(expected = "of skeletons of different sizes")]
fn a_pose_of_another_size_is_refused_even_in_the_same_group() {
    let skeleton = one_joint();
    heights(&skeleton, Track::step(vec![0.0], vec![0.0]))
        .sample(0.0, &mut Pose::rest(&canter_testing::chain(2)));
}
