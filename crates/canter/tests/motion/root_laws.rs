//! Root motion beside a twin in double precision, in any steps, there and back.

use std::sync::Arc;

use canter::glam::{DQuat, DVec3, Quat, Vec3};
use canter::{Clip, Interpolation, Mixer, ModelPose, Play, Pose, RootMotion, Skeleton, Track, Transform};
use canter_testing::cases;
use proptest::prelude::*;

use super::{root, skeleton, travelling};

/// Seconds, places and headings of a way through random keys.
fn keys() -> impl Strategy<Value = Vec<(f32, Vec3, f32)>> {
    let key = (0.05_f32..0.5, -2.0_f32..2.0, -2.0_f32..2.0, -2.5_f32..2.5);
    prop::collection::vec(key, 1..6).prop_map(|keys| {
        let mut secs = 0.0;
        let mut list = vec![(0.0, Vec3::new(0.3, 0.0, -0.2), 0.4)];
        for (dt, x, z, yaw) in keys {
            secs += dt;
            list.push((secs, Vec3::new(x, 0.0, z), yaw));
        }
        list
    })
}

/// The place after so many seconds, by walking the keys in double precision, loop after loop.
fn twin(keys: &[(f32, Vec3, f32)], secs: f64, turns: bool) -> (DVec3, f64) {
    let at = |secs: f64| {
        let next = keys.iter().position(|key| f64::from(key.0) > secs).unwrap_or(keys.len() - 1);
        let (a, b) = (&keys[next - 1], &keys[next]);
        let part = ((secs - f64::from(a.0)) / (f64::from(b.0) - f64::from(a.0))).clamp(0.0, 1.0);
        let mix = |a: f32, b: f32| f64::from(a) + (f64::from(b) - f64::from(a)) * part;
        let place = DVec3::new(mix(a.1.x, b.1.x), 0.0, mix(a.1.z, b.1.z));
        // As exact as a track and a curve have them; less than half a turn apart, so that the shorter way is
        // the way.
        let yaw = |yaw: f32| {
            let turn = Quat::from_rotation_y(yaw).as_dquat();
            DVec3::splat(2.0 * turn.y.atan2(turn.w)).as_vec3().x
        };
        (place, if turns { mix(yaw(a.2), yaw(b.2)) } else { 0.0 })
    };
    let length = f64::from(keys[keys.len() - 1].0);
    let (mut place, mut yaw, mut left) = (DVec3::ZERO, 0.0, secs);
    loop {
        let span = left.min(length);
        let ((from, from_yaw), (to, to_yaw)) = (at(0.0), at(span));
        place += DQuat::from_rotation_y(yaw - from_yaw) * (to - from);
        yaw += to_yaw - from_yaw;
        left -= span;
        if left <= 0.0 {
            return (place, yaw);
        }
    }
}

/// Adds up steps in double precision.
fn walk(mixer: &mut Mixer, steps: impl Iterator<Item = f32>) -> (DVec3, DQuat, f64) {
    let (mut place, mut heading, mut way) = (DVec3::ZERO, DQuat::IDENTITY, 0.0);
    for dt in steps {
        mixer.advance(dt);
        let Transform { translation, rotation, .. } = mixer.root_motion().transform;
        place += heading * translation.as_dvec3();
        heading = (heading * rotation.as_dquat()).normalize();
        way += translation.length() as f64;
    }
    (place, heading, way)
}

fn near(a: (DVec3, DQuat), b: (DVec3, DQuat), tolerance: f64) -> Result<(), TestCaseError> {
    let turned = 1.0 - a.1.dot(b.1).abs();
    prop_assert!(a.0.distance(b.0) <= tolerance && turned < 1e-6, "{a:?} {b:?} {tolerance}");
    Ok(())
}

/// Turns of less than half a turn per key.
fn gentle(keys: Vec<(f32, Vec3, f32)>) -> Vec<(f32, Vec3, f32)> {
    keys.into_iter().map(|(secs, place, yaw)| (secs, place, yaw * 0.5)).collect()
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn any_steps_lead_where_the_twin_gets_to(
        keys in keys(),
        turns in any::<bool>(),
        steps in prop::collection::vec(0_u16..3000, 1..60),
    ) {
        let mut keys = gentle(keys);
        if !turns {
            keys.iter_mut().for_each(|key| key.2 = 0.0);
        }
        let skeleton = skeleton();
        let clip = travelling(&skeleton, "Way", &keys);
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&clip, Play::default());
        let steps: Vec<f32> = steps.into_iter().map(|step| f32::from(step) / 1024.0).collect();
        let secs: f64 = steps.iter().map(|step| f64::from(*step)).sum();
        let (place, yaw) = twin(&keys, secs, turns);
        let expected = (place, DQuat::from_rotation_y(yaw));
        let mut one = mixer.clone();
        let (place, heading, way) = walk(&mut mixer, steps.iter().copied());
        near((place, heading), expected, 1e-5 * (1.0 + way))?;
        let (place, heading, _) = walk(&mut one, std::iter::once(steps.iter().sum()));
        near((place, heading), expected, 1e-5 * (1.0 + way))?;
    }

    #[test]
    fn a_thousand_loops_in_one_step_are_a_thousand_loops(keys in keys()) {
        let keys = gentle(keys);
        let skeleton = skeleton();
        let clip = travelling(&skeleton, "Way", &keys);
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&clip, Play { speed: 8.0, ..Play::default() });
        let mut one = mixer.clone();
        // Powers of two: all of it is exactly as long as its parts.
        let dt = clip.duration_secs() / 16.0;
        let (place, heading, way) = walk(&mut mixer, std::iter::repeat_n(dt, 2048));
        let (whole, whole_heading, _) = walk(&mut one, std::iter::once(dt * 2048.0));
        near((place, heading), (whole, whole_heading), 1e-5 * (1.0 + way))?;
    }

    #[test]
    fn there_and_back_leads_nowhere(
        keys in keys(),
        steps in prop::collection::vec(0_u16..3000, 1..30),
    ) {
        let skeleton = skeleton();
        let mut mixer = Mixer::new(&skeleton);
        let id = mixer.play(&travelling(&skeleton, "Way", &gentle(keys)), Play::default());
        let steps = || steps.iter().map(|step| f32::from(*step) / 1024.0);
        let (there, heading, way) = walk(&mut mixer, steps());
        mixer.get_mut(id).unwrap().set_speed(-1.0).unwrap();
        let (back, turned, _) = walk(&mut mixer, steps());
        let home = (there + heading * back, heading * turned);
        near(home, (DVec3::ZERO, DQuat::IDENTITY), 1e-5 * (1.0 + way))?;
    }

    /// Between keys, too: the way and the pose that is left are the clip.
    #[test]
    fn the_way_and_what_is_left_are_the_clip(
        keys in prop::collection::vec(
            (0.02_f32..0.2, prop::array::uniform3(-1.0_f32..1.0), prop::array::uniform4(-1.0_f32..1.0)), 2..6),
        interpolation in prop::sample::select(
            vec![Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline]),
        axes in prop::array::uniform3(any::<bool>()),
        yaw in any::<bool>(),
        looks in prop::collection::vec(0.0_f32..1.0, 12),
    ) {
        let skeleton = tilted();
        let hips = skeleton.joint("hips").unwrap();
        let clip = random_clip(&skeleton, &keys, interpolation);
        let root = RootMotion { joint: hips, axes: axes.into(), yaw };
        let split = clip.with_root_motion(&skeleton, root).unwrap();
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        let mut at = |clip: &Clip, secs: f32| {
            clip.sample(secs, &mut pose);
            model.compose(&skeleton, &pose);
            model.joint(hips)
        };
        for part in looks {
            let secs = part * clip.duration_secs();
            let whole = at(&clip, secs);
            let way = split.root_motion().map_or(Transform::IDENTITY, |root| root.at(secs));
            let both = way.to_mat4() * at(&split, secs);
            let off = (both - whole).to_cols_array().into_iter().fold(0.0_f32, |most, x| most.max(x.abs()));
            // What jumps at a key jumps a rounding of time earlier or later.
            let at_key = clip.tracks().flat_map(|track| track.curve.times().to_vec()).any(|key| (key - secs).abs() < 1e-5);
            prop_assert!(off < 2e-5 || at_key, "{off} at {secs} s");
        }
    }
}

/// Hips on a turned and scaled parent.
fn tilted() -> Arc<Skeleton> {
    let mut builder = Skeleton::builder();
    let parent = Transform {
        translation: Vec3::new(0.2, 0.1, -0.3),
        rotation: Quat::from_xyzw(0.3, -0.2, 0.5, 0.7).normalize(),
        scale: Vec3::splat(0.8),
    };
    builder.joint("armature", None, parent);
    let rest = Transform { rotation: Quat::from_rotation_z(0.7), ..Transform::from_translation(Vec3::Y) };
    builder.joint("hips", Some(0), rest);
    Arc::new(builder.build().unwrap())
}

fn random_clip(
    skeleton: &Skeleton,
    keys: &[(f32, [f32; 3], [f32; 4])],
    interpolation: Interpolation,
) -> Clip {
    let hips = skeleton.joint("hips").unwrap();
    let (mut times, mut places, mut turns) = (Vec::new(), Vec::new(), Vec::new());
    let mut secs = 0.0;
    for (dt, place, turn) in keys {
        times.push(secs);
        secs += dt;
        let place = Vec3::from_array(*place);
        // Neighbours within half a turn; upside down there is no heading.
        let turn = Quat::from_xyzw(0.3 * turn[0], turn[1], 0.3 * turn[2], 2.2 + turn[3]).normalize();
        if interpolation == Interpolation::CubicSpline {
            places.extend([Vec3::ZERO, place, Vec3::X]);
            turns.extend([Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), turn, Quat::from_xyzw(0.0, 0.1, 0.0, 0.0)]);
        } else {
            places.push(place);
            turns.push(turn);
        }
    }
    let mut clip = Clip::builder("Random", skeleton);
    clip.translation(hips, Track::new(interpolation, times.clone(), places));
    clip.rotation(hips, Track::new(interpolation, times, turns));
    clip.build().unwrap()
}

#[test]
fn the_split_leaves_the_clip_as_it_was() {
    let skeleton = skeleton();
    let clip = super::unsplit(&skeleton, "Walk", &[(0.0, Vec3::ZERO, 0.0), (1.0, Vec3::Z, 1.0)]);
    let before = format!("{:?}", clip.tracks().collect::<Vec<_>>());
    let _split = clip.with_root_motion(&skeleton, RootMotion::over_ground(root(&skeleton))).unwrap();
    assert_eq!(format!("{:?}", clip.tracks().collect::<Vec<_>>()), before);
}
