//! What a mirror shows.

use std::sync::Arc;

use canter::glam::{Mat4, Quat, Vec3};
use canter::{
    AdditiveReference, Clip, Interpolation, JointId, Marker, Mirror, Mixer, ModelPose, Play, Pose,
    RootMotion, Skeleton, Track, Transform,
};
use canter_rig::mirror;
use canter_testing::random::Random;
use canter_testing::{cases, distance};
use proptest::prelude::*;

use crate::common::position;

fn flip(q: Quat) -> Quat {
    Quat::from_xyzw(q.x, -q.y, -q.z, q.w)
}

/// A figure with joints on both sides whose places are symmetric, and whose axes are any.
fn figure(random: &mut Random, slack: f32) -> Skeleton {
    let mut builder = Skeleton::builder();
    let mut worlds: Vec<(Vec3, Quat)> = Vec::new();
    let mut add = |name: String, parent: Option<usize>, place: Vec3, turn: Quat| {
        let (above, above_turn) = parent.map_or((Vec3::ZERO, Quat::IDENTITY), |parent| worlds[parent]);
        let inverse = above_turn.inverse();
        let rest =
            Transform { translation: inverse * (place - above), rotation: inverse * turn, scale: Vec3::ONE };
        worlds.push((place, turn));
        builder.joint(name, parent, rest)
    };
    let mut parents: Vec<[usize; 2]> = Vec::new();
    for index in 0..8 {
        let on = if index == 0 { None } else { Some(random.pick(&parents)) };
        let is_middle = index == 0 || (random.chance(0.3) && on.is_some_and(|[left, right]| left == right));
        if is_middle {
            let place = Vec3::new(0.0, 0.2 * index as f32, 0.1) + random.vector(slack);
            let turn = random.turn(180.0);
            let joint = add(format!("middle {index}"), on.map(|[left, _]| left), place, turn);
            parents.push([joint, joint]);
        } else {
            let place = Vec3::new(random.between(0.1, 1.0), 0.2 * index as f32, random.between(-1.0, 1.0));
            let other = Vec3::new(-place.x, place.y, place.z) + random.vector(slack);
            let (turn, other_turn) = (random.turn(180.0), random.turn(180.0));
            let left = add(format!("limb {index}.L"), on.map(|[left, _]| left), place, turn);
            let right = add(format!("limb {index}.R"), on.map(|[_, right]| right), other, other_turn);
            parents.push([left, right]);
        }
    }
    builder.build().unwrap()
}

fn random_pose(random: &mut Random, skeleton: &Skeleton) -> Pose {
    let mut pose = Pose::rest(skeleton);
    for joint in skeleton.joints() {
        let (turn, way) = (random.turn(90.0), random.vector(0.2));
        let mut local = pose.joint_mut(joint);
        local.rotation = (local.rotation * turn).normalize();
        local.translation += way;
    }
    pose
}

fn model(skeleton: &Skeleton, pose: &Pose) -> ModelPose {
    let mut model = ModelPose::rest(skeleton);
    model.compose(skeleton, pose);
    model
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn a_mirrored_pose_is_the_reflection(seed in any::<u64>()) {
        let mut random = Random(seed);
        let skeleton = figure(&mut random, 0.0);
        let mirror = mirror::find(&skeleton).unwrap();
        let pose = random_pose(&mut random, &skeleton);
        let (mut seen, mut back) = (pose.clone(), pose.clone());
        mirror.pose(&pose, &mut seen);
        mirror.pose(&seen, &mut back);
        prop_assert!(distance(&skeleton, &pose, &back) < 2e-6, "twice is as it was");
        let (own, other) = (model(&skeleton, &pose), model(&skeleton, &seen));
        let rest = ModelPose::rest(&skeleton);
        for joint in skeleton.joints() {
            let partner = mirror.partner(joint).unwrap();
            let mut shown = position(&own, partner);
            shown.x = -shown.x;
            prop_assert!(shown.distance(position(&other, joint)) < 1e-5, "{shown}");
            // What it is turned by from rest, in the mirror.
            let turned = |model: &ModelPose, joint: JointId| {
                let turn = |matrix: Mat4| matrix.to_scale_rotation_translation().1;
                turn(model.joint(joint)) * turn(rest.joint(joint)).inverse()
            };
            let (here, there) = (turned(&other, joint), flip(turned(&own, partner)));
            prop_assert!(here.dot(there).abs() > 1.0 - 1e-5);
        }
    }

    #[test]
    fn rest_is_rest_of_any_figure_and_twice_is_once(seed in any::<u64>()) {
        let mut random = Random(seed);
        let skeleton = figure(&mut random, 0.05);
        let mirror = mirror::find(&skeleton).unwrap();
        let rest = Pose::rest(&skeleton);
        let mut seen = rest.clone();
        mirror.pose(&rest, &mut seen);
        prop_assert!(distance(&skeleton, &rest, &seen) < 1e-6);
        let pose = random_pose(&mut random, &skeleton);
        let mut back = pose.clone();
        mirror.pose(&pose, &mut seen);
        mirror.pose(&seen, &mut back);
        prop_assert!(distance(&skeleton, &pose, &back) < 2e-6);
    }

    #[test]
    fn a_mirrored_clip_is_the_mirror_of_its_poses(seed in any::<u64>(), additive in any::<bool>()) {
        let mut random = Random(seed);
        let skeleton = figure(&mut random, 0.02);
        let mirror = mirror::find(&skeleton).unwrap();
        let clip = random_clip(&mut random, &skeleton, additive);
        let seen = mirror::clip(&mirror, &clip).unwrap();
        let mut pose = Pose::rest(&skeleton);
        let (mut shown, mut played) = (pose.clone(), pose.clone());
        if additive {
            // Added to the mirrored reference, deltas give the mirrored clip.
            let delta = mirror::clip(&mirror, &clip.additive(AdditiveReference::FirstKey).unwrap()).unwrap();
            let of_seen = seen.additive(AdditiveReference::FirstKey).unwrap();
            for secs in [0.0, 0.3, 0.77, 1.0] {
                delta.sample(secs, &mut shown);
                of_seen.sample(secs, &mut played);
                prop_assert!(distance(&skeleton, &shown, &played) < 1e-5, "at {secs}");
            }
        }
        for secs in [0.0, 0.3, 0.5, 0.77, 1.0] {
            clip.sample(secs, &mut pose);
            mirror.pose(&pose, &mut shown);
            seen.sample(secs, &mut played);
            prop_assert!(distance(&skeleton, &shown, &played) < 5e-6, "at {secs}");
        }
    }
}

/// Linear and cubic tracks of all kinds. Uneven scales have axes, between which there is only a mean: no
/// deltas of those.
fn random_clip(random: &mut Random, skeleton: &Skeleton, is_even: bool) -> Clip {
    let mut clip = Clip::builder("clip", skeleton);
    for joint in skeleton.joints() {
        let times = vec![0.0, 0.4, 1.0];
        let rest = skeleton.rest(joint);
        let is_cubic = random.chance(0.4);
        let (kind, count) =
            if is_cubic { (Interpolation::CubicSpline, 9) } else { (Interpolation::Linear, 3) };
        let tangent = |index: usize| is_cubic && index % 3 != 1;
        let mut vectors = |rest: Vec3, size: f32| -> Vec<Vec3> {
            (0..count).map(|i| random.vector(size) + if tangent(i) { Vec3::ZERO } else { rest }).collect()
        };
        let (translations, mut scales) = (vectors(rest.translation, 0.3), vectors(rest.scale, 0.2));
        if is_even {
            scales.iter_mut().for_each(|scale| *scale = Vec3::splat(scale.x));
        }
        let rotations: Vec<Quat> = (0..count)
            .map(|i| {
                if tangent(i) {
                    random.turn(30.0) * 0.1
                } else {
                    (rest.rotation * random.turn(80.0)).normalize()
                }
            })
            .collect();
        clip.translation(joint, Track::new(kind, times.clone(), translations));
        clip.rotation(joint, Track::new(kind, times.clone(), rotations));
        if random.chance(0.3) {
            clip.scale(joint, Track::new(kind, times, scales));
        }
    }
    clip.build().unwrap()
}

#[test]
fn root_motion_and_markers_change_sides() {
    let mut random = Random(9);
    let skeleton = Arc::new(figure(&mut random, 0.0));
    let root = skeleton.joint_at(0).unwrap();
    let rest = skeleton.rest(root);
    let mut walk = Clip::builder("Walk", &skeleton);
    let places = vec![rest.translation, rest.translation + Vec3::new(0.5, 0.0, 1.0)];
    walk.translation(root, Track::linear(vec![0.0, 1.0], places));
    let turns = vec![rest.rotation, Quat::from_rotation_y(0.8) * rest.rotation];
    walk.rotation(root, Track::linear(vec![0.0, 1.0], turns));
    let markers = [Marker::new("foot_L", 0.2), Marker::window("blade", 0.3, 0.1), Marker::new("foot_R", 0.7)];
    let walk = walk.build().unwrap().with_markers(markers).unwrap();
    let walk = walk.with_root_motion(&skeleton, RootMotion::over_ground(root)).unwrap();
    let mirror = mirror::find(&skeleton).unwrap();
    let seen = mirror::clip(&mirror, &walk).unwrap();
    let names: Vec<&str> = seen.markers().iter().map(|marker| &*marker.name).collect();
    assert_eq!(names, ["foot_R", "blade", "foot_L"]);
    let step = |clip: Clip| {
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&Arc::new(clip), Play::default());
        mixer.advance(2.6);
        mixer.root_motion()
    };
    let (own, other) = (step(walk), step(seen));
    let (way, shown) = (own.transform.translation, other.transform.translation);
    assert!(shown.abs_diff_eq(Vec3::new(-way.x, way.y, way.z), 1e-5), "{way} {shown}");
    assert!((own.yaw_rate + other.yaw_rate).abs() < 1e-5 && own.yaw_rate > 0.1);
    assert!(other.transform.rotation.dot(flip(own.transform.rotation)).abs() > 1.0 - 1e-6);
}

#[test]
fn a_figure_that_faces_aside_is_refused() {
    let mut joints = Skeleton::builder();
    joints.joint("hips", None, Transform::IDENTITY);
    for (name, z) in [("arm.L", 1.0), ("arm.R", -1.0)] {
        joints.joint(name, Some(0), Transform::from_translation(Vec3::Z * z));
    }
    let sideways = joints.build().unwrap();
    let refused = mirror::find(&sideways).unwrap_err().to_string();
    assert_eq!(refused, "joint \"arm.L\" is not where a mirror at x = 0 shows \"arm.R\" at rest");
}

#[test]
fn joints_without_a_counterpart_are_left_as_they_are() {
    let mut joints = Skeleton::builder();
    joints.joint("hips_1", None, Transform::IDENTITY);
    joints.joint("hand.L_2", Some(0), Transform::from_translation(Vec3::X));
    joints.joint("hand.R_7", Some(0), Transform::from_translation(-Vec3::X));
    joints.joint("thumb_8", Some(1), Transform::from_translation(Vec3::X));
    joints.joint("thumb_9", Some(2), Transform::from_translation(-Vec3::X));
    joints.joint("sheath.L_12", Some(0), Transform::from_translation(Vec3::X));
    joints.joint("blade_13", Some(5), Transform::from_translation(Vec3::X));
    let skeleton = joints.build().unwrap();
    let mirror = mirror::find(&skeleton).unwrap();
    let partner =
        |name: &str| mirror.partner(skeleton.joint(name).unwrap()).map(|joint| skeleton.name(joint));
    assert_eq!(partner("hips_1"), Some("hips_1"));
    assert_eq!(partner("hand.L_2"), Some("hand.R_7"));
    assert_eq!(partner("thumb_8"), Some("thumb_9"));
    assert_eq!((partner("sheath.L_12"), partner("blade_13")), (None, None));
}

#[test]
fn lists_that_are_no_mirror_are_refused() {
    let skeleton = canter_testing::chain(3);
    let [a, b, c] = [0, 1, 2].map(|index| skeleton.joint_at(index));
    let refused = |partners: &[Option<JointId>]| Mirror::new(&skeleton, partners).unwrap_err().to_string();
    assert_eq!(refused(&[a, b]), "2 partners for 3 joints");
    assert_eq!(refused(&[a, c, c]), "joint \"joint_1\" is not the partner of its partner");
    assert_eq!(refused(&[a, c, b]), "joint \"joint_1\" and its partner do not hang on partners");
    let other = canter_testing::rise(&canter_testing::one_joint(), "rise", 1.0, 1.0);
    let mirror = Mirror::new(&skeleton, &[a, b, c]).unwrap();
    assert!(mirror::clip(&mirror, &other).is_err());
}
