//! The way of the root: by clips, weights, layers and fades.

use std::f32::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

use canter::glam::{BVec3, Quat, Vec3};
use canter::{
    AdditiveReference, Clip, ClipTrack, Fade, JointMask, Layer, LayerMode, LoopMode, Mixer, Play, Pose,
    Property, RootMotion, RootMotionFault, Skeleton, Track, TrackTarget, Transform,
};

use super::{lasting, root, skeleton, travelling, unsplit};

/// A walk along z at a speed, a second long.
fn walk(skeleton: &Skeleton, name: &str, speed: f32) -> Arc<Clip> {
    travelling(skeleton, name, &[(0.0, Vec3::ZERO, 0.0), (1.0, Vec3::Z * speed, 0.0)])
}

fn near(a: Vec3, b: Vec3) {
    assert!(a.distance(b) < 1e-5, "{a} is not {b}");
}

/// Where a character that starts at the origin gets to.
fn walked(mixer: &mut Mixer, steps: &[f32]) -> Transform {
    let mut place = Transform::IDENTITY;
    for dt in steps {
        mixer.advance(*dt);
        let step = mixer.root_motion().transform;
        place.translation += place.rotation * step.translation;
        place.rotation = (place.rotation * step.rotation).normalize();
    }
    place
}

#[test]
fn the_pose_stays_and_the_character_goes() {
    let skeleton = skeleton();
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&walk(&skeleton, "Walk", 1.5), Play::default());
    let mut pose = Pose::rest(&skeleton);
    for _ in 0..7 {
        mixer.advance(0.3);
        mixer.sample(&mut pose);
        assert_eq!(pose.joint(root(&skeleton)), Transform::IDENTITY);
        near(mixer.root_motion().transform.translation, Vec3::Z * 0.45);
        near(mixer.root_motion().velocity, Vec3::Z * 1.5);
    }
}

#[test]
fn loops_backwards_and_ping_pongs_lead_where_they_should() {
    let skeleton = skeleton();
    let clip = walk(&skeleton, "Walk", 1.0);
    let cases = [
        (Play::default(), 12.25, 12.25),
        (Play { speed: -1.0, ..Play::default() }, 12.25, -12.25),
        (Play { speed: 2.0, ..Play::default() }, 1.125, 2.25),
        (Play { speed: 0.0, ..Play::default() }, 3.0, 0.0),
        (Play::once(), 5.0, 1.0),
        (Play { speed: -1.0, ..Play::once() }, 5.0, -1.0),
        (Play { loop_mode: LoopMode::Times(3), ..Play::default() }, 9.0, 3.0),
        (Play { loop_mode: LoopMode::PingPong, ..Play::default() }, 1.25, 0.75),
        (Play { loop_mode: LoopMode::PingPong, ..Play::default() }, 4.25, 0.25),
        (Play { start_secs: Some(0.5), ..Play::default() }, 0.75, 0.75),
    ];
    for (play, secs, z) in cases {
        let described = format!("{play:?}");
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&clip, play);
        mixer.advance(secs);
        let found = mixer.root_motion().transform.translation;
        assert!(found.distance(Vec3::Z * z) < 1e-5, "{described}: {found}");
    }
}

#[test]
fn a_quarter_turn_per_loop_walks_a_square() {
    let skeleton = skeleton();
    let keys = [(0.0, Vec3::ZERO, 0.0), (0.5, Vec3::Z, 0.0), (1.0, Vec3::Z, FRAC_PI_2)];
    let clip = travelling(&skeleton, "Square", &keys);
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&clip, Play::default());
    mixer.advance(2.0);
    near(mixer.root_motion().transform.translation, Vec3::new(1.0, 0.0, 1.0));
    assert!(mixer.root_motion().transform.rotation.angle_between(Quat::from_rotation_y(PI)) < 1e-3);
    mixer.advance(4.0 * 250.0);
    // A kilometre, by quarter turns as exact as a quaternion of f32 has them.
    assert!(mixer.root_motion().transform.translation.length() < 1e-3);
    assert!((mixer.root_motion().yaw_rate - FRAC_PI_2).abs() < 1e-5);
}

#[test]
fn weights_are_those_of_the_pose() {
    let skeleton = skeleton();
    let (walk, run) = (walk(&skeleton, "Walk", 1.0), walk(&skeleton, "Run", 3.0));
    for (a, b, speed) in [(0.8, 0.8, 2.0), (0.5, 0.5, 2.0), (3.0, 1.0, 1.5), (0.0, 2.0, 3.0), (0.0, 0.0, 0.0)]
    {
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&walk, Play { weight: a, ..Play::default() });
        mixer.play(&run, Play { weight: b, ..Play::default() });
        mixer.advance(2.0);
        near(mixer.root_motion().velocity, Vec3::Z * speed);
    }
    // What has no root motion stands.
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&run, Play::default());
    mixer.play(&Arc::new(lasting(&skeleton, "Idle", 1.0)), Play { weight: 2.0, ..Play::default() });
    mixer.advance(1.0);
    near(mixer.root_motion().velocity, Vec3::Z);
}

#[test]
fn a_crossfade_covers_the_same_ground_in_any_steps() {
    let skeleton = skeleton();
    let (walk, run) = (walk(&skeleton, "Walk", 1.0), walk(&skeleton, "Run", 3.0));
    for fade in [Fade::cross(0.5), Fade::dead(0.5), Fade::inertial(0.5)] {
        let mut ways = Vec::new();
        for steps in [vec![2.0], vec![0.5; 4], vec![0.2; 10], vec![1.0 / 60.0; 120], vec![1.0 / 240.0; 480]] {
            let mut mixer = Mixer::new(&skeleton);
            mixer.play(&walk, Play::default());
            mixer.advance(0.25);
            mixer.crossfade_to(&run, fade);
            ways.push(walked(&mut mixer, &steps).translation.z);
        }
        // Half a second of the mean of both, then a second and a half of the run.
        for way in &ways {
            assert!((way - (0.5 * 2.0 + 1.5 * 3.0)).abs() < 2e-4, "{fade:?}: {ways:?}");
        }
    }
}

#[test]
fn fades_from_the_screen_keep_the_velocity() {
    let skeleton = skeleton();
    let run = walk(&skeleton, "Run", 3.0);
    let idle = Arc::new(lasting(&skeleton, "Idle", 1.0));
    for fade in [Fade::dead(0.4), Fade::inertial(0.4)] {
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&run, Play::default());
        mixer.advance(0.5);
        mixer.crossfade_to(&idle, fade);
        let mut before = 3.0_f32;
        for _ in 0..48 {
            mixer.advance(0.01);
            let speed = mixer.root_motion().velocity.z;
            assert!(speed <= before + 1e-4 && before - speed < 0.15, "{before} m/s, then {speed} m/s");
            before = speed;
        }
        assert!(before.abs() < 1e-6);
        // Interrupted in the middle: on from the velocity that there is.
        mixer.crossfade_to(&run, fade);
        mixer.advance(0.2);
        let speed = mixer.root_motion().velocity.z;
        mixer.crossfade_to(&idle, fade);
        mixer.advance(0.001);
        let (now, half) = (mixer.root_motion().velocity.z, 1.5);
        assert!(now > speed && (now - half).abs() < 0.05, "{speed} m/s, then {now} m/s");
    }
}

#[test]
fn a_mask_without_the_root_leaves_out_its_motion() {
    let skeleton = skeleton();
    let (walk, dash) = (walk(&skeleton, "Walk", 1.0), walk(&skeleton, "Dash", 5.0));
    let hips = skeleton.joint("hips").unwrap();
    let upper = Arc::new(JointMask::subtree(&skeleton, hips));
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&walk, Play::default());
    mixer.play(&dash, Play { mask: Some(Arc::clone(&upper)), ..Play::default() });
    mixer.advance(1.0);
    near(mixer.root_motion().velocity, Vec3::Z);
    let layer = mixer.add_layer(Layer::over(upper));
    mixer.layer_mut(layer).unwrap().play(&dash, Play::default()).unwrap();
    mixer.advance(1.0);
    near(mixer.root_motion().velocity, Vec3::Z);
}

#[test]
fn layers_cover_and_add() {
    let skeleton = skeleton();
    let (walk, dash) = (walk(&skeleton, "Walk", 1.0), walk(&skeleton, "Dash", 5.0));
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&walk, Play::default());
    let over = mixer.add_layer(Layer::new(LayerMode::Over).with_weight(0.5));
    mixer.layer_mut(over).unwrap().play(&dash, Play::default()).unwrap();
    mixer.advance(0.5);
    near(mixer.root_motion().velocity, Vec3::Z * 3.0);
    mixer.layer_mut(over).unwrap().set_weight(0.0).unwrap();
    let additive = mixer.add_layer(Layer::additive());
    let added = Arc::new(dash.additive(AdditiveReference::FirstKey).unwrap());
    let play = Play { weight: 0.25, ..Play::default() };
    mixer.layer_mut(additive).unwrap().play(&added, play).unwrap();
    mixer.advance(0.5);
    near(mixer.root_motion().velocity, Vec3::Z * 2.25);
    // A layer that fades in covers as much as in the mean of the step.
    mixer.layer_mut(additive).unwrap().stop_all();
    mixer.layer_mut(over).unwrap().fade_weight(1.0, 1.0).unwrap();
    mixer.advance(1.0);
    near(mixer.root_motion().velocity, Vec3::Z * 3.0);
}

#[test]
fn parents_may_be_turned_and_scaled() {
    // As files from tools with Z up and centimetres have it.
    let mut builder = Skeleton::builder();
    let armature = Transform {
        translation: Vec3::new(0.1, 0.2, 0.3),
        rotation: Quat::from_rotation_x(-FRAC_PI_2),
        scale: Vec3::splat(0.01),
    };
    builder.joint("Armature", None, armature);
    builder.joint("Hips", Some(0), Transform::from_translation(Vec3::new(0.0, 0.0, 100.0)));
    let skeleton = Arc::new(builder.build().unwrap());
    let hips = skeleton.joint("Hips").unwrap();
    let mut clip = Clip::builder("Walk", &skeleton);
    let keys = vec![Vec3::new(0.0, 0.0, 100.0), Vec3::new(50.0, -150.0, 110.0)];
    clip.translation(hips, Track::linear(vec![0.0, 1.0], keys));
    let clip = clip.build().unwrap();
    let split = clip.with_root_motion(&skeleton, RootMotion::over_ground(hips)).unwrap();
    near(split.root_motion().unwrap().at(1.0).translation, Vec3::new(0.5, 0.0, 1.5));
    let mut pose = Pose::rest(&skeleton);
    split.sample(1.0, &mut pose);
    assert!(pose.joint(hips).translation.distance(Vec3::new(0.0, 0.0, 110.0)) < 1e-3);
    assert!((split.ground_speed().unwrap() - Vec3::new(0.5, 0.0, 1.5).length()).abs() < 1e-5);
}

#[test]
fn axes_are_chosen() {
    let skeleton = skeleton();
    let to = Vec3::new(1.0, 2.0, 3.0);
    let clip = unsplit(&skeleton, "Leap", &[(0.0, Vec3::ZERO, 0.0), (1.0, to, 0.0)]);
    let joint = root(&skeleton);
    for axes in [BVec3::new(true, true, true), BVec3::new(false, true, false), BVec3::new(false, false, true)]
    {
        let split = clip.with_root_motion(&skeleton, RootMotion { joint, axes, yaw: false }).unwrap();
        let gone = Vec3::select(axes, to, Vec3::ZERO);
        near(split.root_motion().unwrap().at(1.0).translation, gone);
        let mut pose = Pose::rest(&skeleton);
        split.sample(1.0, &mut pose);
        near(pose.joint(joint).translation, to - gone);
    }
}

#[test]
fn a_clip_that_does_not_travel_stays_as_it_is() {
    let skeleton = skeleton();
    let clip = lasting(&skeleton, "Idle", 1.0);
    let split = clip.with_root_motion(&skeleton, RootMotion::over_ground(root(&skeleton))).unwrap();
    assert!(split.root_motion().is_none() && split.ground_speed().is_none());
}

#[test]
fn what_cannot_be_split_says_why() {
    let skeleton = skeleton();
    let hips = skeleton.joint("hips").unwrap();
    let clip = unsplit(&skeleton, "Walk", &[(0.0, Vec3::ZERO, 0.0), (1.0, Vec3::Z, 0.0)]);
    let over_ground = RootMotion::over_ground(root(&skeleton));
    let fault = |clip: &Clip, root| clip.with_root_motion(&skeleton, root).unwrap_err();
    let error = fault(&clip, RootMotion::over_ground(hips));
    assert_eq!(error.fault, RootMotionFault::ParentMoves { parent: "root".to_owned() });
    assert!(error.to_string().contains("it moves joint \"root\", which the root joint hangs on"), "{error}");
    let split = clip.with_root_motion(&skeleton, over_ground).unwrap();
    assert_eq!(fault(&split, over_ground).fault, RootMotionFault::AlreadySplit);
    let additive = clip.additive(AdditiveReference::Rest).unwrap();
    assert_eq!(fault(&additive, over_ground).fault, RootMotionFault::Additive);
    let mut builder = Skeleton::builder();
    builder.joint("uneven", None, Transform::from_scale(Vec3::new(1.0, 2.0, 1.0)));
    builder.joint("hips", Some(0), Transform::IDENTITY);
    let uneven = builder.build().unwrap();
    let other = lasting(&uneven, "Walk", 1.0);
    let hips = uneven.joint("hips").unwrap();
    let error = other.with_root_motion(&uneven, RootMotion::over_ground(hips)).unwrap_err();
    assert_eq!(error.fault, RootMotionFault::ParentIsUneven { joint: "hips".to_owned() });
    assert_eq!(fault(&other, over_ground).fault, RootMotionFault::OtherSkeleton);
}

#[test]
fn steps_of_an_hour_and_of_ages_stay_finite() {
    let skeleton = skeleton();
    let keys = [(0.0, Vec3::ZERO, 0.0), (0.01, Vec3::new(1e12, 0.0, 1e12), 0.1)];
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&travelling(&skeleton, "Fast", &keys), Play { speed: 1e10, ..Play::default() });
    for dt in [3600.0, 1e30, f32::MAX, 0.0] {
        mixer.advance(dt);
        let step = mixer.root_motion();
        assert!(step.transform.translation.is_finite() && step.transform.rotation.is_finite(), "{step:?}");
        assert!(step.velocity.is_finite() && step.yaw_rate.is_finite(), "{step:?}");
    }
}

/// A root that turns needs many keys, since what is left of its joint does not run along arcs. All other joints had got
/// as many: a clip of 92 kB took 1.8 MB.
#[test]
fn a_root_that_turns_leaves_the_keys_of_other_joints_alone() {
    let mut builder = Skeleton::builder();
    for joint in 0..64_usize {
        builder.joint(format!("{joint}"), joint.checked_sub(1), Transform::from_translation(Vec3::Y * 0.1));
    }
    let skeleton = Arc::new(builder.build().unwrap());
    let secs: Vec<f32> = (0..=30_u8).map(|key| f32::from(key) / 30.0).collect();
    let swing = |secs: &f32| Quat::from_axis_angle(Vec3::new(0.6, 0.8, 0.0), (secs * 6.0).sin() * 0.4);
    let mut clip = Clip::builder("sways", &skeleton);
    for joint in skeleton.joints() {
        clip.rotation(joint, Track::linear(secs.clone(), secs.iter().map(swing).collect::<Vec<_>>()));
    }
    let clip = clip.build().unwrap();
    let joint = skeleton.joint("0").unwrap();
    let split = clip.with_root_motion(&skeleton, RootMotion::over_ground(joint)).unwrap();
    clip.compile();
    split.compile();
    let is_root = |track: &ClipTrack| track.target == TrackTarget::Joint(joint, Property::Rotation);
    let keys = split.tracks().find(is_root).unwrap().curve.times().len();
    assert!(keys > 300, "{keys} keys of the root");
    // Its way is straight where it nearly is: a mixer looks for its keys in every frame.
    let way_keys = split.root_motion().unwrap().curve().times().len();
    assert!(way_keys < 64, "{way_keys} keys of the way");
    let (whole, split) = (clip.memory_bytes(), split.memory_bytes());
    assert!(split < 4 * whole, "{whole} bytes before, {split} after");
}
