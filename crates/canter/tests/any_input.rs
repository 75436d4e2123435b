//! Any input is safe: no panic, and no NaN or infinity in what comes out.

use std::sync::Arc;

use canter::glam::{Mat4, Quat, Vec3};
use canter::{
    Clip, Easing, Fade, Interpolation, JointMask, LoopMode, Mat3x4, Mixer, ModelPose, Play, Pose, Skeleton,
    Skin, Track, Transform,
};
use canter_testing::random::Random;
use proptest::prelude::*;

/// Numbers of all sizes that the builders let through, up to 1e18.
fn wild(random: &mut Random) -> f32 {
    let size = random.pick(&[0.0, f32::MIN_POSITIVE, 1e-30, 1e-3, 1.0, 1e3, 1e9, 1e17, 1e18]);
    random.pick(&[1.0, -1.0, 0.5]) * size
}

/// Any bits, and the ones that hurt.
fn any_number(random: &mut Random) -> f32 {
    match random.below(4) {
        0 => f32::from_bits(u32::try_from(random.next() >> 32).unwrap()),
        1 => random.pick(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -f32::MAX, -0.0, 1e-45]),
        2 => wild(random),
        _ => random.between(-2.0, 2.0),
    }
}

fn wild_vector(random: &mut Random) -> Vec3 {
    Vec3::new(wild(random), wild(random), wild(random))
}

fn wild_turn(random: &mut Random) -> Quat {
    let turn = Quat::from_xyzw(wild(random), wild(random), wild(random), wild(random));
    if turn.to_array().iter().all(|number| number.abs() < 1e-9) { Quat::IDENTITY } else { turn }
}

fn wild_times(random: &mut Random) -> Vec<f32> {
    let mut times: Vec<f32> = (0..1 + random.below(6)).map(|_| wild(random).abs()).collect();
    times.sort_by(f32::total_cmp);
    times
}

fn wild_track<T>(random: &mut Random, value: impl Fn(&mut Random) -> T) -> Track<T> {
    let interpolation =
        random.pick(&[Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline]);
    let times = wild_times(random);
    let per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let values = (0..times.len() * per_key).map(|_| value(random)).collect();
    Track::new(interpolation, times, values)
}

fn wild_skeleton(random: &mut Random) -> Arc<Skeleton> {
    let mut builder = Skeleton::builder();
    for joint in 0..1 + random.below(40) {
        let parent = joint.checked_sub(1).filter(|_| random.chance(0.95));
        let rest = Transform {
            translation: wild_vector(random),
            rotation: wild_turn(random),
            scale: wild_vector(random),
        };
        builder.joint(format!("joint {joint}"), parent, rest);
    }
    builder.morph_set("face", vec![wild(random), wild(random)]);
    Arc::new(builder.build().unwrap())
}

fn wild_clip(random: &mut Random, skeleton: &Skeleton) -> Arc<Clip> {
    let mut clip = Clip::builder("clip", skeleton);
    for joint in skeleton.joints() {
        if random.chance(0.5) {
            clip.translation(joint, wild_track(random, wild_vector));
        }
        if random.chance(0.5) {
            clip.rotation(joint, wild_track(random, wild_turn));
        }
        if random.chance(0.5) {
            clip.scale(joint, wild_track(random, wild_vector));
        }
    }
    let Track { interpolation, times, values } = wild_track(random, |random| [wild(random), wild(random)]);
    let per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    assert_eq!(values.len(), times.len() * per_key);
    let face = skeleton.morph("face").unwrap();
    clip.morph_weights(face, Track::new(interpolation, times, values.into_iter().flatten().collect()));
    Arc::new(clip.build().unwrap())
}

/// Does something to the mixer, with any numbers.
fn meddle(random: &mut Random, mixer: &mut Mixer, clips: &[Arc<Clip>]) {
    let number = any_number(random);
    let modes =
        [LoopMode::Once, LoopMode::Repeat, LoopMode::PingPong, LoopMode::Times(0), LoopMode::Times(u32::MAX)];
    let loop_mode = random.pick(&modes);
    let clip = &clips[random.below(clips.len())];
    let fade = Fade {
        secs: any_number(random),
        easing: random.pick(&[Easing::Linear, Easing::SmootherStep]),
        ..Fade::default()
    };
    let id = mixer.action(clip);
    match random.below(11) {
        0 => _ = mixer.get_mut(id).unwrap().seek(number),
        1 => _ = mixer.get_mut(id).unwrap().set_speed(number),
        2 => _ = mixer.get_mut(id).unwrap().set_weight(number),
        3 => mixer.set_speed(number),
        4 => _ = mixer.fade_in(id, fade),
        5 => _ = mixer.fade_out(id, fade),
        6 => _ = mixer.crossfade_to(clip, fade),
        7 => mixer.get_mut(id).unwrap().set_loop_mode(loop_mode),
        8 => {
            let mut mask = JointMask::none(mixer.skeleton());
            for joint in mixer.skeleton().joints() {
                mask.set(joint, any_number(random));
            }
            mixer.get_mut(id).unwrap().set_mask(Some(Arc::new(mask)));
        }
        9 => {
            let play =
                Play { loop_mode, speed: any_number(random), weight: any_number(random), ..Play::default() };
            mixer.play(clip, Play { start_secs: Some(number), ..play });
        }
        _ => mixer.get_mut(id).unwrap().resume(),
    }
}

proptest! {
    #![proptest_config(canter_testing::cases(150))]

    #[test]
    fn nothing_becomes_nan(seed in any::<u64>()) {
        let mut random = Random(seed);
        let skeleton = wild_skeleton(&mut random);
        let clips: Vec<Arc<Clip>> = (0..3).map(|_| wild_clip(&mut random, &skeleton)).collect();
        let joints: Vec<_> = skeleton.joints().collect();
        let matrices: Vec<Mat4> = joints
            .iter()
            .map(|_| {
                let [x, y, z, w] = [(); 4].map(|()| wild_vector(&mut random));
                Mat4::from_cols(x.extend(0.0), y.extend(0.0), z.extend(0.0), w.extend(1.0))
            })
            .collect();
        let skin = Skin::new(&skeleton, joints, &matrices).unwrap();
        let mut mixer = Mixer::new(&skeleton);
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        let mut palette = vec![Mat4::ZERO; skin.len()];
        let mut packed = vec![Mat3x4::IDENTITY; skin.len()];
        for _ in 0..40 {
            meddle(&mut random, &mut mixer, &clips);
            let dt_secs = any_number(&mut random);
            mixer.advance(dt_secs);
            if random.chance(0.3) {
                clips[0].sample(any_number(&mut random), &mut pose);
            } else {
                mixer.sample(&mut pose);
            }
            for (index, number) in canter_testing::numbers(&skeleton, &pose).into_iter().enumerate() {
                prop_assert!(number.is_finite(), "number {} of the pose", index);
            }
            for joint in skeleton.joints() {
                let length = pose.joint(joint).rotation.length();
                prop_assert!((length - 1.0).abs() < 1e-5, "a rotation of length {}", length);
            }
            for (_, action) in mixer.actions() {
                prop_assert!((0.0..=action.clip().duration_secs()).contains(&action.time_secs()));
                prop_assert!((0.0..=1.0).contains(&action.fade_level()));
                prop_assert!(action.unwrapped_secs().is_finite());
            }
            for (id, _) in mixer.actions() {
                prop_assert!((0.0..=1.0).contains(&mixer.effective_weight(id).unwrap()));
            }
            model.compose(&skeleton, &pose);
            skin.write_palette(&model, &mut palette);
            skin.write_palette(&model, &mut packed);
            let numbers = model.joints().iter().chain(&packed).flat_map(|matrix| matrix.rows).flatten();
            for number in numbers.chain(palette.iter().flat_map(Mat4::to_cols_array)) {
                prop_assert!(number.is_finite());
            }
        }
    }

    #[test]
    fn a_matrix_of_any_numbers_of_ordinary_size_comes_apart(seed in any::<u64>()) {
        let mut random = Random(seed);
        let numbers = [(); 16].map(|()| random.pick(&[0.0, 1.0, -1.0, 0.5, 1e-20, 1e10, 3.0]));
        let transform = Transform::from_mat4(Mat4::from_cols_array(&numbers));
        prop_assert!(transform.rotation.is_normalized(), "{:?}", transform);
        prop_assert!(transform.translation.is_finite() && transform.scale.is_finite());
    }
}
