//! Fades that start from what is on screen.

use std::sync::Arc;

use canter::glam::{Quat, Vec3};
use canter::{
    AdditiveReference, Clip, Fade, FadeKind, JointMask, Layer, LayerId, LayerMode, Mixer, Play, Pose,
    Skeleton,
};
use canter_testing::{bits, cases, chain, height, rise, root, stand, turned};
use proptest::prelude::*;

use crate::{World, apart, sampled};

const KINDS: [FadeKind; 2] = [FadeKind::Inertial, FadeKind::Dead];

fn fade(kind: FadeKind, secs: f32) -> Fade {
    Fade { kind, ..Fade::cross(secs) }
}

/// Something else is faded to on a layer.
fn switch(world: &mut World, mixer: &mut Mixer, layer: LayerId, fade: Fade) {
    let is_additive = mixer.layer(layer).is_some_and(|layer| layer.mode() == LayerMode::Additive);
    let clip = if is_additive { world.delta() } else { world.clip() };
    mixer.layer_mut(layer).unwrap().crossfade_to(&clip, fade).unwrap();
}

/// A mixer with layers of both modes on which something plays.
fn layered(world: &mut World) -> (Mixer, Vec<LayerId>) {
    let mut mixer = world.mixer();
    let mut ids = vec![LayerId::BASE];
    for mode in [LayerMode::Over, LayerMode::Additive] {
        let mask = world.mask();
        let layer = mixer.add_layer(Layer::new(mode).with_mask(mask));
        world.start(&mut mixer, layer);
        ids.push(layer);
    }
    (mixer, ids)
}

proptest! {
    #![proptest_config(cases(60))]

    /// Any kind interrupts any other, on every layer, after any time.
    #[test]
    fn a_switch_does_not_change_the_pose_on_screen(seed in any::<u64>(), joints in 1_usize..30) {
        let mut world = World::new(seed, joints);
        let (mut mixer, layers) = layered(&mut world);
        for _ in 0..30 {
            mixer.advance(world.random.pick(&[0.0, 1.0 / 60.0, 0.1, 0.7]));
            let before = sampled(&mut mixer);
            let (layer, kind) = (world.random.pick(&layers), world.random.pick(FadeKind::ALL));
            let secs = world.random.pick(&[0.05, 0.3, 2.0]);
            switch(&mut world, &mut mixer, layer, fade(kind, secs));
            let after = sampled(&mut mixer);
            let moved = apart(&world.rig.skeleton, &before, &after);
            prop_assert!(moved <= 2e-6, "{:?} on {:?} moves a joint by {}", kind, layer, moved);
        }
    }

    #[test]
    fn after_its_time_the_pose_is_the_target_bit_for_bit(seed in any::<u64>(), joints in 1_usize..30) {
        let mut world = World::new(seed, joints);
        let mut mixer = Mixer::new(&world.rig.skeleton);
        let clip = world.clip();
        for _ in 0..world.random.below(4) {
            let kind = world.random.pick(&KINDS);
            switch(&mut world, &mut mixer, LayerId::BASE, fade(kind, 1.0));
            mixer.advance(world.random.between(0.0, 0.2));
        }
        let kind = world.random.pick(&KINDS);
        let id = mixer.crossfade_to(&clip, fade(kind, 0.25));
        let mut target = Pose::rest(&world.rig.skeleton);
        for step in 1..=6 {
            mixer.advance(0.05);
            let is_there = step >= 5;
            prop_assert!(!(is_there && mixer.is_fading()));
            clip.sample(mixer.get(id).unwrap().time_secs(), &mut target);
            let pose = sampled(&mut mixer);
            if is_there {
                prop_assert!(bits(&world.rig.skeleton, &pose) == bits(&world.rig.skeleton, &target));
            }
        }
    }

    #[test]
    fn a_step_of_nothing_changes_nothing(seed in any::<u64>(), joints in 1_usize..30) {
        let mut world = World::new(seed, joints);
        let (mut mixer, layers) = layered(&mut world);
        for _ in 0..10 {
            let (layer, kind) = (world.random.pick(&layers), world.random.pick(&KINDS));
            switch(&mut world, &mut mixer, layer, fade(kind, 0.3));
            mixer.advance(world.random.between(0.0, 0.1));
            let before = sampled(&mut mixer);
            mixer.advance(0.0);
            // Those that are new are added last once.
            let moved = apart(&world.rig.skeleton, &before, &sampled(&mut mixer));
            prop_assert!(moved <= 1e-6, "{:?} on {:?}: {}", kind, layer, moved);
        }
    }

    #[test]
    fn two_half_steps_are_one_whole_step(seed in any::<u64>(), joints in 1_usize..30) {
        let mut world = World::new(seed, joints);
        // Where clips leap by half a turn in a step, there are two ways round.
        world.clips = (0..4).map(|index| smooth(&mut world, index)).collect();
        let delta = |clip: &Arc<Clip>| Arc::new(clip.additive(AdditiveReference::Rest).unwrap());
        world.deltas = world.clips.iter().map(delta).collect();
        // One thing on each layer, covering joints fully: what is blended, and turns far beyond half a turn,
        // turns back when it is looked at.
        let mut whole = Mixer::new(&world.rig.skeleton);
        let half = JointMask::joints(&world.rig.skeleton, world.rig.skeleton.joints().take(joints / 2));
        let layers = [
            LayerId::BASE,
            whole.add_layer(Layer::over(half)),
            whole.add_layer(Layer::additive()),
        ];
        for layer in layers {
            switch(&mut world, &mut whole, layer, Fade::default());
        }
        whole.advance(0.1);
        let (layer, kind) = (world.random.pick(&layers), world.random.pick(&KINDS));
        switch(&mut world, &mut whole, layer, fade(kind, 0.5));
        let mut halves = whole.clone();
        for _ in 0..8 {
            whole.advance(0.07);
            halves.advance(0.035);
            let _ = sampled(&mut halves);
            halves.advance(0.035);
            let apart = apart(&world.rig.skeleton, &sampled(&mut whole), &sampled(&mut halves));
            prop_assert!(apart <= 1e-4, "{:?} on {:?}: {}", kind, layer, apart);
        }
    }

    /// A switch in every frame, of any kind, with any time step: what the clips do by themselves and what an
    /// even transition would is the measure.
    #[test]
    fn no_joint_jumps_on_any_rig(seed in any::<u64>(), joints in 1_usize..20, secs in 0.1_f32..0.6) {
        let mut world = World::new(seed, joints);
        let skeleton = Arc::clone(&world.rig.skeleton);
        let clips: Vec<_> = (0..4).map(|index| smooth(&mut world, index)).collect();
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&clips[0], Play::default());
        let mut before = sampled(&mut mixer);
        let mut far: Vec<(f32, [f32; 3])> = vec![(0.0, [0.0; 3]); skeleton.joint_count()];
        for _ in 0..60 {
            let dt = world.random.pick(&[1.0 / 144.0, 1.0 / 60.0, 1.0 / 30.0]);
            if world.random.chance(0.5) {
                let (to, kind) = (world.random.below(clips.len()), world.random.pick(&KINDS));
                let id = mixer.crossfade_to(&clips[to], fade(kind, secs));
                let mut target = Pose::rest(&skeleton);
                clips[to].sample(mixer.get(id).unwrap().time_secs(), &mut target);
                for (far, way) in far.iter_mut().zip(ways(&skeleton, &before, &target)) {
                    // The largest of the last ones counts for as long as a fade takes.
                    *far = (secs, std::array::from_fn(|i| if far.0 > 0.0 { far.1[i].max(way[i]) } else { way[i] }));
                }
            }
            mixer.advance(dt);
            let now = sampled(&mut mixer);
            let own = most(&skeleton, &clips, dt);
            for (index, way) in ways(&skeleton, &before, &now).into_iter().enumerate() {
                for part in 0..3 {
                    let may = 1.5 * own[index][part] + far[index].1[part] * dt / (0.4 * secs) + 1e-3;
                    prop_assert!(way[part] <= may, "joint {} part {}: {} of {}", index, part, way[part], may);
                }
                far[index].0 -= dt;
            }
            before = now;
        }
    }
}

/// A clip whose joints swing to and fro, and end where they began.
fn smooth(world: &mut World, index: usize) -> Arc<Clip> {
    let mut clip = Clip::builder(format!("smooth {index}"), &world.rig.skeleton);
    let times: Vec<f32> = (0..=16_u8).map(|key| f32::from(key) / 16.0).collect();
    for joint in world.rig.skeleton.joints() {
        let random = &mut world.random;
        let (place, way, middle, axis) =
            (random.vector(0.5), random.vector(0.3), random.turn(180.0), random.axis());
        let angle = random.between(0.0, 1.2);
        let swing = |secs: f32| (secs * std::f32::consts::TAU).sin();
        let places = times.iter().map(|secs| place + way * swing(*secs)).collect();
        let turns =
            times.iter().map(|secs| middle * Quat::from_axis_angle(axis, angle * swing(*secs))).collect();
        clip.translation(joint, canter::Track::linear(times.clone(), places));
        clip.rotation(joint, canter::Track::linear(times.clone(), turns));
    }
    Arc::new(clip.build().unwrap())
}

/// How far joints move, turn and grow.
fn ways(skeleton: &Skeleton, a: &Pose, b: &Pose) -> Vec<[f32; 3]> {
    let way = |joint| {
        let (a, b) = (a.joint(joint), b.joint(joint));
        let turn = a.rotation.normalize().angle_between(b.rotation.normalize());
        [a.translation.distance(b.translation), turn, a.scale.distance(b.scale)]
    };
    skeleton.joints().map(way).collect()
}

/// The most that any clip does so in a step.
fn most(skeleton: &Skeleton, clips: &[Arc<Clip>], dt: f32) -> Vec<[f32; 3]> {
    let mut most = vec![[0.0_f32; 3]; skeleton.joint_count()];
    let (mut before, mut after) = (Pose::rest(skeleton), Pose::rest(skeleton));
    for clip in clips {
        for step in 0..32_u8 {
            let secs = f32::from(step) / 32.0;
            clip.sample(secs, &mut before);
            clip.sample((secs + dt) % clip.duration_secs(), &mut after);
            for (most, way) in most.iter_mut().zip(ways(skeleton, &before, &after)) {
                *most = std::array::from_fn(|part| most[part].max(way[part]));
            }
        }
    }
    most
}

#[test]
fn only_what_comes_is_left_and_what_was_there_has_faded_out() {
    let skeleton = chain(1);
    let (low, high) = (stand(&skeleton, "low", 0.0), stand(&skeleton, "high", 10.0));
    for kind in KINDS {
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&low, Play::default());
        mixer.crossfade_to(&high, fade(kind, 1.0));
        let gone: Vec<_> = mixer.advance(0.25).map(|event| event.clip.name().to_owned()).collect();
        assert_eq!((gone, mixer.actions().count()), (vec![String::from("low")], 1), "{kind:?}");
        let way = height(&sampled(&mut mixer), &skeleton);
        assert!(way > 0.5 && way < 5.0, "{kind:?}: {way}");
    }
}

/// What moved goes on moving for a while, and does not stop dead.
#[test]
fn a_fade_begins_with_the_velocity_on_screen() {
    let skeleton = chain(1);
    let rises = rise(&skeleton, "rises", 10.0, 10.0);
    let far = stand(&skeleton, "far", 40.0);
    for kind in KINDS {
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&rises, Play::default());
        mixer.advance(5.0);
        let before = height(&sampled(&mut mixer), &skeleton);
        mixer.crossfade_to(&far, fade(kind, 1.0));
        mixer.advance(0.0002);
        let velocity = (height(&sampled(&mut mixer), &skeleton) - before) / 0.0002;
        assert!((velocity - 1.0).abs() < 0.1, "{kind:?}: {velocity}");
    }
}

/// A clip of one pose beside a moving one takes nothing of its velocity.
#[test]
fn what_has_no_length_does_not_stop_what_moves() {
    let skeleton = chain(1);
    let rises = rise(&skeleton, "rises", 10.0, 10.0);
    let mut pose = Clip::builder("pose", &skeleton);
    pose.translation(root(&skeleton), canter::Track::step(vec![0.0], vec![Vec3::ZERO]));
    let pose = Arc::new(pose.build().unwrap());
    for kind in KINDS {
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&rises, Play::default());
        mixer.play(&pose, Play::default());
        mixer.advance(5.0);
        let before = height(&sampled(&mut mixer), &skeleton);
        mixer.crossfade_to(&stand(&skeleton, "far", 40.0), fade(kind, 1.0));
        mixer.advance(0.0002);
        let velocity = (height(&sampled(&mut mixer), &skeleton) - before) / 0.0002;
        assert!((velocity - 0.5).abs() < 0.1, "{kind:?}: {velocity}");
    }
}

/// Asking in every frame for what plays already must not begin anew.
#[test]
fn asking_again_changes_nothing() {
    let skeleton = chain(1);
    let (low, high) = (stand(&skeleton, "low", 0.0), stand(&skeleton, "high", 10.0));
    for kind in KINDS {
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&low, Play::default());
        for _ in 0..10 {
            mixer.crossfade_to(&high, fade(kind, 0.5));
            mixer.advance(0.05);
        }
        assert_eq!(height(&sampled(&mut mixer), &skeleton), 10.0, "{kind:?}");
    }
}

#[test]
fn a_half_turn_is_turned_evenly_and_one_way() {
    let skeleton = chain(1);
    let (ahead, behind) = (
        turned(&skeleton, "ahead", Quat::IDENTITY),
        turned(&skeleton, "behind", Quat::from_rotation_y(std::f32::consts::PI)),
    );
    for kind in KINDS {
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&ahead, Play::default());
        mixer.crossfade_to(&behind, fade(kind, 1.0));
        let mut last = Quat::IDENTITY;
        let mut sense = None;
        for _ in 0..20 {
            mixer.advance(0.05);
            let now = sampled(&mut mixer).joint(root(&skeleton)).rotation;
            let (axis, angle) = (last.inverse() * now).to_axis_angle();
            let angle = if angle > std::f32::consts::PI { angle - std::f32::consts::TAU } else { angle };
            assert!(angle.abs() < 0.6, "{kind:?}: {angle}");
            if angle.abs() > 1e-3 {
                let way = (axis * angle).dot(Vec3::Y).signum();
                assert_eq!(*sense.get_or_insert(way), way, "{kind:?}");
            }
            last = now;
        }
        assert!(last.angle_between(Quat::from_rotation_y(std::f32::consts::PI)) < 1e-3);
    }
}

/// What switches at once leaves nothing of a fade that was under way.
#[test]
fn a_cut_ends_what_is_under_way() {
    let skeleton = chain(1);
    let [low, high, top] = [0.0, 10.0, 30.0].map(|height| stand(&skeleton, &format!("{height}"), height));
    for kind in KINDS {
        for cut in [Fade::cross(0.0), fade(kind, 0.0)] {
            let mut mixer = Mixer::new(&skeleton);
            mixer.play(&low, Play::default());
            mixer.crossfade_to(&high, fade(kind, 1.0));
            mixer.advance(0.1);
            mixer.crossfade_to(&top, cut);
            assert_eq!(height(&sampled(&mut mixer), &skeleton), 30.0, "{kind:?}");
            let id = mixer.crossfade_to(&low, fade(kind, 1.0));
            mixer.advance(0.1);
            mixer.stop(id);
            assert_eq!(height(&sampled(&mut mixer), &skeleton), 0.0, "{kind:?}");
        }
    }
}

/// What a layer showed before it was gone does not come back with what is played on it next.
#[test]
fn a_layer_that_was_gone_forgets_what_it_showed() {
    let skeleton = chain(1);
    let [low, high, top] = [0.0, 10.0, 30.0].map(|height| stand(&skeleton, &format!("{height}"), height));
    for kind in KINDS {
        let mut mixer = Mixer::new(&skeleton);
        let id = mixer.add_layer(Layer::new(LayerMode::Over));
        mixer.layer_mut(id).unwrap().play(&low, Play::default()).unwrap();
        mixer.layer_mut(id).unwrap().crossfade_to(&high, fade(kind, 1.0)).unwrap();
        mixer.advance(0.1);
        mixer.layer_mut(id).unwrap().fade_out(0.2);
        mixer.advance(0.4);
        assert!(!mixer.is_fading());
        mixer.layer_mut(id).unwrap().play(&top, Play::default()).unwrap();
        assert_eq!(height(&sampled(&mut mixer), &skeleton), 30.0, "{kind:?}");
    }
}

/// Also while something fades in it.
#[test]
fn an_additive_layer_of_weight_0_adds_nothing() {
    let skeleton = chain(2);
    let deltas = [10.0, 30.0]
        .map(|height| Arc::new(stand(&skeleton, "up", height).additive(AdditiveReference::Rest).unwrap()));
    for kind in KINDS {
        let mut mixer = Mixer::new(&skeleton);
        let rest = bits(&skeleton, &sampled(&mut mixer));
        let id = mixer.add_layer(Layer::additive());
        mixer.layer_mut(id).unwrap().play(&deltas[0], Play::default()).unwrap();
        mixer.layer_mut(id).unwrap().crossfade_to(&deltas[1], fade(kind, 1.0)).unwrap();
        mixer.advance(0.1);
        mixer.layer_mut(id).unwrap().set_weight(0.0).unwrap();
        assert_eq!(bits(&skeleton, &sampled(&mut mixer)), rest, "{kind:?}");
    }
}

/// The velocity on screen is that of the picture: near the end of a loop, in slow motion that fades follow,
/// and of what stands still until it is wanted again.
#[test]
fn velocities_are_those_on_screen() {
    let skeleton = chain(1);
    let rises = rise(&skeleton, "rises", 10.0, 10.0);
    let far = stand(&skeleton, "far", 40.0);
    for kind in KINDS {
        for (at, speed) in [(9.999, 1.0), (9.9999, 0.5), (0.0001, -1.0), (5.0, 0.25), (5.0, 2.0)] {
            let mut mixer = Mixer::new(&skeleton);
            mixer.set_fades_follow_speed(true);
            mixer.set_speed(f32::abs(speed));
            let play = Play { start_secs: Some(at), speed: f32::signum(speed), ..Play::default() };
            mixer.play(&rises, play);
            let before = height(&sampled(&mut mixer), &skeleton);
            mixer.crossfade_to(&far, fade(kind, 1.0));
            mixer.advance(0.0005);
            let velocity = (height(&sampled(&mut mixer), &skeleton) - before) / 0.0005;
            // An inertial fade leaves out what leads away.
            let expected = if kind == FadeKind::Inertial { speed.max(0.0) } else { speed };
            assert!((velocity - expected).abs() < 0.25, "{kind:?} {at} {speed}: {velocity}");
        }
        let mut mixer = Mixer::new(&skeleton);
        let paused = mixer.play(&rises, Play { start_secs: Some(5.0), ..Play::default() });
        mixer.play(&far, Play::default());
        mixer.get_mut(paused).unwrap().pause();
        mixer.advance(0.1);
        let before = height(&sampled(&mut mixer), &skeleton);
        mixer.crossfade_to(&rises, Fade::dead(1.0));
        mixer.advance(0.0005);
        let velocity = (height(&sampled(&mut mixer), &skeleton) - before) / 0.0005;
        assert!(velocity.abs() < 0.15, "{velocity}");
    }
}

/// Every call that fades takes every kind. A pose that was edited by hand is none of the mixer's business.
#[test]
fn every_call_that_fades_starts_from_the_mixers_own_pose() {
    let world = World::new(5, 20);
    let skeleton = Arc::clone(&world.rig.skeleton);
    let [a, b, ..] = &world.clips[..] else { panic!("there are four") };
    for kind in KINDS {
        for call in 0..4 {
            let mut mixer = Mixer::new(&skeleton);
            let from = mixer.play(a, Play::default());
            let to = mixer.action(b);
            mixer.advance(0.1);
            let before = sampled(&mut mixer);
            let mut edited = before.clone();
            edited.joint_mut(root(&skeleton)).translation += Vec3::splat(100.0);
            let fade = fade(kind, 0.3);
            match call {
                0 => _ = mixer.fade_in(to, fade),
                1 => _ = mixer.fade_out(from, fade),
                2 => _ = mixer.crossfade(from, to, fade),
                _ => _ = mixer.play(b, Play { fade, ..Play::once() }),
            }
            mixer.sample(&mut edited);
            let moved = apart(&skeleton, &before, &edited);
            assert!(moved <= 2e-6 && mixer.is_fading(), "{kind:?}, call {call}: {moved}");
        }
    }
}
