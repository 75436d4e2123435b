//! Members that are not sampled in every frame: exact where they are sampled, never faster than their clips, never
//! late with anything but their pose.

use std::sync::Arc;

use canter::glam::{Mat4, Quat, Vec3};
use canter::{
    Clip, Crowd, Fade, FadeKind, Layer, LayerMode, Marker, Mat3x4, Play, RootMotion, Skeleton, Skin,
    SyncGroup, Track, Transform, UpdateRate,
};
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{KINDS, Spec};
use proptest::prelude::*;

const DT_SECS: f32 = 1.0 / 60.0;

/// A chain that swings and steps, with markers and root motion.
fn dancer() -> (Arc<Skeleton>, Arc<Skin>, [Arc<Clip>; 2]) {
    let mut builder = Skeleton::builder();
    for parent in [None, Some(0), Some(1), Some(2)] {
        builder.joint("joint", parent, Transform::from_translation(Vec3::new(0.0, 0.4, 0.0)));
    }
    let skeleton = Arc::new(builder.build().unwrap());
    let joints: Vec<_> = skeleton.joints().collect();
    let skin = Skin::new(&skeleton, joints.clone(), &[Mat4::IDENTITY; 4]).unwrap();
    let clip = |name: &str, secs: f32, angle: f32| {
        let mut clip = Clip::builder(name, &skeleton);
        let times: Vec<_> = [0.0, 0.3, 0.5, 0.8, 1.0].map(|part| part * secs).into();
        clip.translation(
            joints[0],
            Track::linear(times.clone(), [0.0, 0.1, 0.4, 0.6, 0.9].map(|z| Vec3::new(0.0, 0.4, z)).into()),
        );
        for (joint, axis) in joints[1..].iter().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
            let turns = [0.0, 0.5, 1.0, -0.3, 0.0].map(|part| Quat::from_axis_angle(axis, part * angle));
            clip.rotation(*joint, Track::linear(times.clone(), turns.into()));
        }
        let markers = [Marker::new("L", 0.1 * secs), Marker::new("R", 0.6 * secs)];
        let clip = clip.build().unwrap().with_markers(markers).unwrap();
        Arc::new(clip.with_root_motion(&skeleton, RootMotion::over_ground(joints[0])).unwrap())
    };
    let clips = [clip("Walk", 1.0, 0.8), clip("Run", 0.7, 1.2)];
    (skeleton, Arc::new(skin), clips)
}

fn crowd(members: usize) -> Crowd {
    let (skeleton, skin, clips) = dancer();
    let mut crowd = Crowd::new(&skeleton, [skin]);
    crowd.keep_joint(skeleton.joints().last().unwrap());
    for member in 0..members {
        let mixer = crowd.spawn();
        let start_secs = Some(0.037 * f32::from(u16::try_from(member).unwrap()));
        mixer.play(&clips[member % 2], Play { start_secs, ..Play::default() });
    }
    crowd
}

fn distance(a: &Mat3x4, b: &Mat3x4) -> f32 {
    let numbers = a.rows.as_flattened().iter().zip(b.rows.as_flattened());
    numbers.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

fn farthest(a: &[Mat3x4], b: &[Mat3x4]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| distance(a, b)).fold(0.0, f32::max)
}

/// What a shader makes of both palettes.
fn mixed(crowd: &Crowd) -> Vec<Mat3x4> {
    let mut shown = crowd.palette().to_vec();
    for (member, blend) in crowd.blends().iter().enumerate().filter(|(_, blend)| **blend > 0.0) {
        for index in crowd.palette_range(member) {
            let second = crowd.second_palette()[index].rows;
            let first = shown[index].rows.as_flattened_mut();
            first.iter_mut().zip(second.as_flattened()).for_each(|(a, b)| *a += (b - *a) * blend);
        }
    }
    shown
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever the rates do, nobody moves further in a frame than clips ever do, and all are where they should be
    /// soon after all are near again.
    #[test]
    fn nothing_pops_when_rates_change(rates in prop::collection::vec((0_usize..6, 1_u32..=8, 1_usize..12), 1..40)) {
        let (mut exact, mut paced) = (crowd(6), crowd(6));
        let mut shaded = crowd(6).blend_in_shader().step_when_sampled();
        for crowd in [&mut exact, &mut paced, &mut shaded] {
            crowd.update(DT_SECS);
        }
        // A frame of the clips themselves, at their fastest.
        let mut most = 0.0_f32;
        let mut probe = exact.clone();
        for _ in 0..120 {
            let before = probe.palette().to_vec();
            probe.update(DT_SECS);
            most = most.max(farthest(&before, probe.palette()));
        }
        let (mut before, mut before_shaded) = (paced.palette().to_vec(), mixed(&shaded));
        for (member, frames, wait) in rates.into_iter().chain((0..6).map(|member| (member, 1, 8))) {
            for crowd in [&mut paced, &mut shaded] {
                crowd.set_rate(member, UpdateRate::every(frames));
            }
            for _ in 0..wait {
                for crowd in [&mut exact, &mut paced, &mut shaded] {
                    crowd.update(DT_SECS);
                }
                let moved = farthest(&before, paced.palette());
                prop_assert!(moved <= most * 1.001 + 1e-5, "{moved} in a frame where clips move {most}");
                let shown = mixed(&shaded);
                let moved = farthest(&before_shaded, &shown);
                prop_assert!(moved <= most * 1.001 + 1e-5, "{moved} in a frame of the shader");
                prop_assert!(farthest(&shown, paced.palette()) < 1e-5, "shader and palette differ");
                prop_assert_eq!(paced.joint_matrices(), shaded.joint_matrices());
                (before, before_shaded) = (paced.palette().to_vec(), shown);
            }
        }
        prop_assert_eq!(paced.palette(), exact.palette());
        prop_assert_eq!(mixed(&shaded), exact.palette());
        prop_assert_eq!(paced.joint_matrices(), exact.joint_matrices());
    }
}

/// At the end of every way, a member is where it would be had it been sampled in every frame.
#[test]
fn samples_are_exact() {
    for frames in 2..=8 {
        let (mut exact, mut paced, mut late) = (crowd(9), crowd(9), crowd(9).step_when_sampled());
        for member in 0..9 {
            paced.set_rate(member, UpdateRate::every(frames));
            late.set_rate(member, UpdateRate::every(frames));
        }
        let mut met = 0;
        for frame in 0..80_u32 {
            exact.update(DT_SECS);
            paced.update(DT_SECS);
            late.update(DT_SECS);
            assert!(farthest(paced.palette(), late.palette()) < 1e-6, "whenever they step");
            for member in 0..9_u32 {
                let ends = frame > 16 && (frame + 2 + member).is_multiple_of(frames);
                let range = exact.palette_range(member as usize);
                let error = farthest(&exact.palette()[range.clone()], &paced.palette()[range]);
                assert!(
                    !ends || error < 1e-4,
                    "member {member} is off by {error} in frame {frame}, rate {frames}"
                );
                met += u32::from(ends);
            }
        }
        assert!(met > 50);
    }
}

/// Everything but poses, step by step.
fn told(mixers: &[canter::Mixer]) -> Vec<String> {
    let of = |mixer: &canter::Mixer| {
        let events = mixer.events().iter().map(|event| format!("{:?} {}", event.kind, event.secs_ago));
        let markers = mixer.markers().map(|marker| format!("{marker:?}"));
        let times = mixer.actions().map(|(_, action)| format!("{}", action.unwrapped_secs()));
        let all: Vec<_> = events.chain(markers).chain(times).collect();
        format!("{all:?} {:?}", mixer.root_motion())
    };
    mixers.iter().map(of).collect()
}

#[test]
fn events_markers_and_root_motion_are_exact_for_all() {
    let (mut exact, mut paced, mut late) = (crowd(10), crowd(10), crowd(10).step_when_sampled());
    let rates = [1, 2, 3, 4, 5, 6, 7, 8].map(UpdateRate::every).into_iter().chain([UpdateRate::HIDDEN; 2]);
    for (member, rate) in rates.enumerate() {
        paced.set_rate(member, rate);
        late.set_rate(member, rate);
        assert_eq!(paced.rate(member), rate);
    }
    for frame in 0..200 {
        let dt_secs = [DT_SECS, 0.0, 0.05, 0.4][frame % 4];
        exact.update(dt_secs);
        paced.update(dt_secs);
        late.update(dt_secs);
        assert_eq!(told(exact.mixers()), told(paced.mixers()), "frame {frame}");
        assert_eq!(told(exact.mixers()), told(late.mixers_mut()), "asked in every frame; frame {frame}");
    }
}

/// All that a member tells, with the instants at which it happened.
fn history(mixer: &canter::Mixer, now_secs: f64, markers: &mut Vec<(String, i64)>, way: &mut Vec3) {
    for marker in mixer.markers() {
        let thousandths = (1000.0 * (now_secs - f64::from(marker.secs_ago))).round();
        #[expect(clippy::cast_possible_truncation, reason = "a small number")]
        markers.push((marker.name.to_string(), thousandths as i64));
    }
    *way += mixer.root_motion().transform.translation;
}

/// Members that step rarely tell in one step what they would have told in many.
#[test]
fn steps_that_were_put_off_lose_nothing() {
    for rate in [UpdateRate::FULL, UpdateRate::every(3), UpdateRate::LOWEST, UpdateRate::HIDDEN] {
        let (mut exact, mut late) = (crowd(3), crowd(3).step_when_sampled());
        (0..3).for_each(|member| late.set_rate(member, rate));
        let (mut expected, mut told) = ((Vec::new(), Vec3::ZERO), (Vec::new(), Vec3::ZERO));
        let (mut now_secs, mut before) = (0.0, f64::NAN);
        for frame in 0..400 {
            now_secs += f64::from(DT_SECS);
            exact.update(DT_SECS);
            late.update(DT_SECS);
            history(&exact.mixers()[1], now_secs, &mut expected.0, &mut expected.1);
            let mixer = if frame == 399 { &*late.mixer_mut(1) } else { &late.mixers()[1] };
            let secs = mixer.actions().next().unwrap().1.unwrapped_secs();
            if frame == 0 {
                before = 0.037_f32.into();
            }
            if secs != before {
                history(mixer, now_secs, &mut told.0, &mut told.1);
            }
            before = secs;
        }
        assert_eq!(told.0, expected.0, "{rate:?}");
        assert!(told.1.distance(expected.1) < 1e-4, "{rate:?}: {} instead of {}", told.1, expected.1);
        assert!(expected.0.len() > 15 && expected.1.z > 5.0, "{expected:?}");
    }
}

#[test]
fn who_was_hidden_is_right_at_once() {
    let (mut exact, mut paced) = (crowd(3), crowd(3));
    let both = |exact: &mut Crowd, paced: &mut Crowd, frames: u32| {
        for _ in 0..frames {
            exact.update(DT_SECS);
            paced.update(DT_SECS);
        }
    };
    both(&mut exact, &mut paced, 1);
    paced.set_rate(1, UpdateRate::HIDDEN);
    let hidden = paced.palette()[paced.palette_range(1)].to_vec();
    both(&mut exact, &mut paced, 13);
    assert_eq!(paced.palette()[paced.palette_range(1)], hidden);
    for rate in [UpdateRate::LOWEST, UpdateRate::HIDDEN, UpdateRate::every(3)] {
        paced.set_rate(1, rate);
        both(&mut exact, &mut paced, 1);
    }
    assert_eq!(paced.palette(), exact.palette());
}

#[test]
fn time_that_stands_still_moves_nobody() {
    let mut paced = crowd(8);
    (0..8).for_each(|member| paced.set_rate(member, UpdateRate::LOWEST));
    (0..30).for_each(|_| paced.update(DT_SECS));
    let before = paced.palette().to_vec();
    for dt_secs in [0.0, f32::NAN, -1.0, f32::INFINITY, 0.0] {
        (0..9).for_each(|_| paced.update(dt_secs));
        assert_eq!(paced.palette(), before);
    }
    // A single long frame is not looked ahead of; an hour is no trouble, either.
    for dt_secs in [DT_SECS, 0.5, DT_SECS, 3600.0, 3600.0, DT_SECS] {
        paced.update(dt_secs);
        assert!(paced.palette().iter().flat_map(|matrix| matrix.rows).flatten().all(f32::is_finite));
    }
}

#[test]
fn who_is_sought_can_be_shown_at_once() {
    let (mut exact, mut paced) = (crowd(2), crowd(2));
    for crowd in [&mut exact, &mut paced] {
        (0..20).for_each(|_| crowd.update(DT_SECS));
        let id = crowd.mixers()[0].actions().next().unwrap().0;
        crowd.mixers_mut()[0].get_mut(id).unwrap().seek(0.6).unwrap();
    }
    paced.set_rate(0, UpdateRate::LOWEST);
    paced.resample(0);
    exact.update(DT_SECS);
    paced.update(DT_SECS);
    assert_eq!(paced.palette(), exact.palette());
}

#[test]
fn rates_go_with_their_members_when_one_leaves() {
    let mut paced = crowd(5);
    paced.set_rate(4, UpdateRate::LOWEST);
    (0..20).for_each(|_| paced.update(DT_SECS));
    let before = paced.palette()[paced.palette_range(4)].to_vec();
    paced.remove(1);
    assert_eq!(paced.rate(1), UpdateRate::LOWEST);
    assert_eq!(paced.palette()[paced.palette_range(1)], before);
    let mut last = before;
    for _ in 0..20 {
        paced.update(DT_SECS);
        let now = paced.palette()[paced.palette_range(1)].to_vec();
        assert!(farthest(&last, &now) < 0.1, "it goes on from where it was");
        last = now;
    }
}

/// With rayon many threads do the same as one does without: these bits are known.
#[test]
fn the_bits_do_not_depend_on_threads() {
    let mut random = Random(3);
    let rig = Rig::random(&mut random, 20);
    let clips = KINDS.map(|kind| Arc::new(Spec::random(&mut random, &rig, kind).build(&rig, "clip")));
    let spawn = |crowd: &mut Crowd, member: usize| {
        let mixer = crowd.spawn();
        mixer
            .play(&clips[member % clips.len()], Play { sync: Some(SyncGroup::cyclic(0)), ..Play::default() });
        let fade = Fade { kind: FadeKind::ALL[member % 3], ..0.4.into() };
        mixer.crossfade_to(&clips[(member + 1) % clips.len()], fade);
        let layer = mixer.add_layer(Layer::new(LayerMode::Over).with_weight(0.5));
        mixer.layer_mut(layer).unwrap().play(&clips[0], Play::default()).unwrap();
    };
    let skin = Arc::new(rig.skin.clone());
    let mut together: Crowd = Crowd::new(&rig.skeleton, [Arc::clone(&skin)]);
    (0..40).for_each(|member| spawn(&mut together, member));
    // One by itself, in the same place of the rhythm.
    let mut alone: Vec<_> = (0..40)
        .map(|member| {
            let mut crowd: Crowd = Crowd::new(&rig.skeleton, [Arc::clone(&skin)]);
            spawn(&mut crowd, member);
            crowd
        })
        .collect();
    for frame in 0..60 {
        for (member, crowd) in alone.iter_mut().enumerate() {
            if member % 8 == 0 && frame == 5 {
                together.set_rate(member, UpdateRate::LOWEST);
                crowd.set_rate(0, UpdateRate::LOWEST);
            }
            crowd.update(0.03);
        }
        together.update(0.03);
        for (member, crowd) in alone.iter().enumerate() {
            assert_eq!(together.palette()[together.palette_range(member)], *crowd.palette(), "{member}");
        }
    }
}
