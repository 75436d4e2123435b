//! Clips that are added to what is below.

use std::sync::Arc;

use canter::glam::{DQuat, Quat, Vec3};
use canter::{AdditiveReference, Clip, Layer, LoopMode, Mixer, Play, PlayError, Pose, Track};
use canter_testing::{bits, cases, chain, numbers, root, turned};
use proptest::prelude::*;

use crate::{World, sampled};

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn the_reference_and_all_of_the_difference_are_the_clip(seed in any::<u64>(), joints in 1_usize..40, kind in 0..3) {
        let mut world = World::new(seed, joints);
        let skeleton = Arc::clone(&world.rig.skeleton);
        let (clip, other) = (world.clip(), world.clip());
        let secs = world.random.between(0.0, other.duration_secs());
        let (reference, held, at) = match kind {
            0 => (AdditiveReference::Rest, None, 0.0),
            1 => (AdditiveReference::FirstKey, Some(&clip), 0.0),
            _ => (AdditiveReference::Clip { clip: &other, secs }, Some(&other), secs),
        };
        let delta = Arc::new(clip.additive(reference).unwrap());
        let mut mixer = Mixer::new(&skeleton);
        if let Some(held) = held {
            let id = mixer.play(held, Play { start_secs: Some(at), ..Play::once() });
            mixer.get_mut(id).unwrap().pause();
        }
        let layer = mixer.add_layer(Layer::additive());
        let id = mixer.layer_mut(layer).unwrap().play(&delta, Play::default()).unwrap();
        let mut expected = Pose::rest(&skeleton);
        for _ in 0..6 {
            clip.sample(mixer.get(id).unwrap().time_secs(), &mut expected);
            let pose = sampled(&mut mixer);
            for (ours, theirs) in numbers(&skeleton, &pose).iter().zip(numbers(&skeleton, &expected)) {
                // A rotation may be the opposite quaternion.
                let near = |other: f32| (ours - other).abs() <= 2e-6 * other.abs().max(1.0);
                prop_assert!(near(theirs) || near(-theirs), "{} instead of {}", ours, theirs);
            }
            mixer.advance(world.random.between(0.0, 0.5));
        }
    }

    #[test]
    fn what_a_mask_leaves_out_stays_as_it_is(seed in any::<u64>(), joints in 1_usize..40) {
        let mut world = World::new(seed, joints);
        let mut mixer = world.mixer();
        let before = sampled(&mut mixer);
        let mask = world.mask();
        let layer = mixer.add_layer(Layer::additive().with_mask(mask.clone()));
        world.start(&mut mixer, layer);
        let after = sampled(&mut mixer);
        for joint in world.rig.skeleton.joints().filter(|joint| mask.weight(*joint) == 0.0) {
            prop_assert_eq!(before.joint(joint), after.joint(joint));
        }
    }
}

/// Additive clips in double precision, at any weight: what is added is the formula of it.
#[test]
fn what_is_added_is_what_the_formulas_say() {
    let mut worst = 0.0_f64;
    for seed in 0..cases(100).cases {
        let mut world = World::new(seed.into(), 12);
        let skeleton = Arc::clone(&world.rig.skeleton);
        let mut mixer = world.mixer();
        let before = sampled(&mut mixer);
        let delta = world.delta();
        let (weight, layer_weight) = (world.random.between(0.0, 1.5), world.random.between(0.0, 1.0));
        let layer = mixer.add_layer(Layer::additive().with_weight(layer_weight));
        let play = Play { weight, start_secs: Some(0.3), ..Play::default() };
        mixer.layer_mut(layer).unwrap().play(&delta, play).unwrap();
        let after = sampled(&mut mixer);
        let mut change = Pose::rest(&skeleton);
        delta.sample(mixer.actions().last().unwrap().1.time_secs(), &mut change);
        let w = f64::from(weight) * f64::from(layer_weight);
        for joint in skeleton.joints() {
            let (b, d, a) = (before.joint(joint), change.joint(joint), after.joint(joint));
            let translation = b.translation.as_dvec3() + d.translation.as_dvec3() * w;
            let scale = b.scale.as_dvec3() * (1.0 + (d.scale.as_dvec3() - 1.0) * w);
            let turn = (DQuat::IDENTITY * (1.0 - w) + d.rotation.as_dquat() * w).normalize();
            let rotation = b.rotation.as_dquat() * turn;
            let off = (translation - a.translation.as_dvec3())
                .abs()
                .max_element()
                .max((scale - a.scale.as_dvec3()).abs().max_element())
                .max((rotation - a.rotation.as_dquat()).length());
            worst = worst.max(off);
        }
    }
    assert!(worst < 1e-5, "{worst}");
}

#[test]
fn what_cannot_be_played_somewhere_is_a_typed_error() {
    let skeleton = chain(2);
    let clip = turned(&skeleton, "Turn", Quat::from_rotation_y(0.5));
    let delta = Arc::new(clip.additive(AdditiveReference::Rest).unwrap());
    let mut mixer = Mixer::new(&skeleton);
    let adds = mixer.add_layer(Layer::additive());
    let name = String::from("Turn");
    let mut layer = mixer.layer_mut(adds).unwrap();
    assert_eq!(layer.play(&clip, Play::default()), Err(PlayError::NotAdditive { clip: name.clone() }));
    assert_eq!(layer.crossfade_to(&clip, 0.1), Err(PlayError::NotAdditive { clip: name.clone() }));
    assert_eq!(layer.action(&clip), Err(PlayError::NotAdditive { clip: name.clone() }));
    let mut base = mixer.layer_mut(canter::LayerId::BASE).unwrap();
    assert_eq!(base.play(&delta, Play::default()), Err(PlayError::Additive { clip: name }));
    let other = turned(&chain(3), "Other", Quat::IDENTITY);
    let refused = base.play(&other, Play::default()).unwrap_err();
    assert_eq!(refused, PlayError::OtherSkeleton { clip: "Other".into() });
    assert_eq!(
        refused.to_string(),
        "clip \"Other\" was built for another skeleton; bind it to this one first"
    );
    assert_eq!(mixer.actions().count(), 0);
}

/// A quaternion and its opposite are the same rotation, but half of one is not half of the other.
#[test]
fn a_clip_of_opposite_quaternions_takes_the_shorter_way() {
    let skeleton = chain(1);
    for side in [1.0, -1.0] {
        let clip = turned(&skeleton, "Turn", Quat::from_rotation_y(0.5) * side);
        let delta = Arc::new(clip.additive(AdditiveReference::Rest).unwrap());
        let mut mixer = Mixer::new(&skeleton);
        let layer = mixer.add_layer(Layer::additive().with_weight(0.5));
        mixer.layer_mut(layer).unwrap().play(&delta, Play::default()).unwrap();
        let turn = sampled(&mut mixer).joint(root(&skeleton)).rotation;
        assert!((turn.to_axis_angle().1 - 0.25).abs() < 0.01, "{turn}");
    }
}

/// Stopping one leaves the others as far in as they are.
#[test]
fn stopping_one_difference_does_not_bring_in_another() {
    let skeleton = chain(1);
    let [a, b] = [1.0, 10.0].map(|height| {
        Arc::new(canter_testing::stand(&skeleton, "up", height).additive(AdditiveReference::Rest).unwrap())
    });
    let mut mixer = Mixer::new(&skeleton);
    let layer = mixer.add_layer(Layer::additive());
    let mut adds = mixer.layer_mut(layer).unwrap();
    let first = adds.play(&a, Play::default()).unwrap();
    adds.play(&b, Play { fade: 1.0.into(), ..Play::default() }).unwrap();
    mixer.advance(0.1);
    mixer.stop(first);
    let height = canter_testing::height(&sampled(&mut mixer), &skeleton);
    assert!((height - 1.0).abs() < 1e-5, "{height}");
    // Of two that show different instants after the same time, neither depends on who came first.
    let heights = [LoopMode::Repeat, LoopMode::PingPong].map(|first| {
        let second = if first == LoopMode::Repeat { LoopMode::PingPong } else { LoopMode::Repeat };
        let mut turn = Clip::builder("turn", &skeleton);
        let keys = [0.0, 1.0, 0.3].map(|angle| Quat::from_rotation_x(angle) * Quat::from_rotation_y(angle));
        turn.rotation(root(&skeleton), Track::linear(vec![0.0, 0.5, 1.0], keys.to_vec()));
        let turn = Arc::new(turn.build().unwrap().additive(AdditiveReference::FirstKey).unwrap());
        let mut mixer = Mixer::new(&skeleton);
        let layer = mixer.add_layer(Layer::additive());
        for loop_mode in [first, second] {
            mixer.layer_mut(layer).unwrap().play(&turn, Play { loop_mode, ..Play::default() }).unwrap();
        }
        mixer.advance(1.25);
        bits(&skeleton, &sampled(&mut mixer))
    });
    assert_eq!(heights[0], heights[1]);
}

/// Two turns about different axes do not commute. Fading one of them must not change who is first.
#[test]
fn the_order_of_differences_does_not_change_while_they_fade() {
    let skeleton = chain(1);
    let delta = |name, rotation| {
        Arc::new(turned(&skeleton, name, rotation).additive(AdditiveReference::Rest).unwrap())
    };
    let [a, b] = [delta("a", Quat::from_rotation_x(1.5)), delta("b", Quat::from_rotation_y(1.5))];
    let mut mixer = Mixer::new(&skeleton);
    let layer = mixer.add_layer(Layer::additive());
    mixer.layer_mut(layer).unwrap().play(&a, Play::default()).unwrap();
    let id = mixer.layer_mut(layer).unwrap().play(&b, Play { weight: 0.0, ..Play::default() }).unwrap();
    let mut last = sampled(&mut mixer).joint(root(&skeleton)).rotation;
    for step in 0..=100_u8 {
        mixer.get_mut(id).unwrap().set_weight(f32::from(step) / 50.0).unwrap();
        let now = sampled(&mut mixer).joint(root(&skeleton)).rotation;
        assert!(last.angle_between(now) < 0.1);
        last = now;
    }
}

/// A hit that comes again while the last one fades out.
#[test]
fn a_clip_can_be_added_twice() {
    let skeleton = chain(1);
    let mut hit = Clip::builder("Hit", &skeleton);
    hit.translation(
        root(&skeleton),
        Track::linear(vec![0.0, 0.5, 1.0], vec![Vec3::ZERO, Vec3::Y, Vec3::ZERO]),
    );
    let hit = Arc::new(hit.build().unwrap().additive(AdditiveReference::FirstKey).unwrap());
    let mut mixer = Mixer::new(&skeleton);
    let layer = mixer.add_layer(Layer::additive());
    let mut hits = mixer.layer_mut(layer).unwrap();
    let first = hits.play(&hit, Play::once()).unwrap();
    mixer.advance(0.5);
    mixer.fade_out(first, 0.5);
    let second = mixer.layer_mut(layer).unwrap().play(&hit, Play::once()).unwrap();
    assert_ne!(first, second);
    mixer.advance(0.25);
    // Half of one at three quarters, and all of one at a quarter.
    let height = canter_testing::height(&sampled(&mut mixer), &skeleton);
    assert!((height - (0.5 * 0.5 + 0.5)).abs() < 1e-6, "{height}");
    mixer.advance(0.25);
    assert!(mixer.get(first).is_none() && mixer.get(second).is_some());
    assert_eq!(bits(&skeleton, &sampled(&mut mixer)).len(), 10);
}
