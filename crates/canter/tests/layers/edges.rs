//! What hardly anybody does, and what must not hurt.

use std::sync::Arc;

use canter::glam::Vec3;
use canter::{
    AdditiveReference, Clip, Fade, FadeKind, JointMask, Layer, LayerError, LayerId, LayerMode, Mixer, Play,
    Skeleton, Track, Transform,
};
use canter_testing::{bits, chain, height, numbers, root, stand};

use crate::{World, sampled};

#[test]
fn a_layer_without_actions_is_not_there() {
    let skeleton = chain(2);
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&stand(&skeleton, "low", 3.0), Play::default());
    let before = bits(&skeleton, &sampled(&mut mixer));
    mixer.add_layer(Layer::new(LayerMode::Over));
    mixer.add_layer(Layer::additive());
    assert_eq!(bits(&skeleton, &sampled(&mut mixer)), before);
    mixer.advance(0.0);
    assert!(!mixer.is_fading());
}

#[test]
fn weights_above_one_cover_once_and_add_more() {
    let skeleton = chain(1);
    let [low, high] = [0.0, 10.0].map(|height| stand(&skeleton, &format!("{height}"), height));
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&low, Play::default());
    let over = mixer.add_layer(Layer::new(LayerMode::Over).with_weight(7.0));
    mixer.layer_mut(over).unwrap().play(&high, Play { weight: 3.0, ..Play::default() }).unwrap();
    assert_eq!(height(&sampled(&mut mixer), &skeleton), 10.0);
    let adds = mixer.add_layer(Layer::additive().with_weight(2.0));
    let delta = Arc::new(high.additive(AdditiveReference::Rest).unwrap());
    mixer.layer_mut(adds).unwrap().play(&delta, Play { weight: 1.5, ..Play::default() }).unwrap();
    assert_eq!(height(&sampled(&mut mixer), &skeleton), 40.0);
    let refused = mixer.layer_mut(adds).unwrap().set_weight(f32::NAN).unwrap_err();
    assert!(matches!(refused, LayerError { layer, .. } if layer == adds), "{refused}");
    assert!(mixer.layer_mut(LayerId::BASE).unwrap().set_weight(0.5).is_err());
}

#[test]
fn a_layer_may_be_removed_while_it_fades() {
    let mut world = World::new(3, 20);
    for mode in [LayerMode::Over, LayerMode::Additive] {
        for kind in FadeKind::ALL {
            let mut mixer = world.mixer();
            let mut plain = mixer.clone();
            let layer = mixer.add_layer(Layer::new(mode));
            world.start(&mut mixer, layer);
            let mut handle = mixer.layer_mut(layer).unwrap();
            handle.fade_weight(0.2, 0.5).unwrap();
            handle.fade_out(Fade { kind: *kind, ..Fade::cross(0.4) });
            let action = mixer.actions().last().unwrap().0;
            mixer.advance(0.1);
            plain.advance(0.1);
            let _ = sampled(&mut mixer);
            assert_eq!(mixer.remove_layer(layer), Some(()));
            assert!(mixer.remove_layer(layer).is_none() && mixer.layer(layer).is_none());
            assert!(mixer.get(action).is_none() && mixer.stop(action).is_none());
            assert!(mixer.fade_in(action, 0.1).is_none() && mixer.layer_mut(layer).is_none());
            let again = mixer.add_layer(Layer::new(mode));
            assert!(again != layer && mixer.get(action).is_none());
            let skeleton = &world.rig.skeleton;
            assert_eq!(bits(skeleton, &sampled(&mut mixer)), bits(skeleton, &sampled(&mut plain)));
        }
    }
}

#[test]
fn a_layers_weight_fades() {
    let skeleton = chain(1);
    let [low, high] = [0.0, 8.0].map(|height| stand(&skeleton, &format!("{height}"), height));
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&low, Play::default());
    let layer = mixer.add_layer(Layer::new(LayerMode::Over).with_weight(0.0));
    mixer.layer_mut(layer).unwrap().play(&high, Play::default()).unwrap();
    mixer.layer_mut(layer).unwrap().fade_weight(1.0, 1.0).unwrap();
    for expected in [2.0, 4.0] {
        mixer.advance(0.25);
        assert_eq!(height(&sampled(&mut mixer), &skeleton), expected);
    }
    assert!(mixer.is_fading());
    mixer.layer_mut(layer).unwrap().fade_weight(0.0, 0.5).unwrap();
    for expected in [2.0, 0.0] {
        mixer.advance(0.25);
        assert_eq!(height(&sampled(&mut mixer), &skeleton), expected);
    }
    assert!(!mixer.is_fading());
}

#[test]
fn something_is_added_to_a_mirrored_joint() {
    let mut joints = Skeleton::builder();
    joints.joint("mirrored", None, Transform { scale: Vec3::new(-1.0, 1.0, 1.0), ..Transform::IDENTITY });
    let skeleton = Arc::new(joints.build().unwrap());
    let mut clip = Clip::builder("grow", &skeleton);
    clip.scale(
        root(&skeleton),
        Track::linear(vec![0.0, 1.0], vec![Vec3::new(-1.0, 1.0, 1.0), Vec3::new(-2.0, 3.0, 1.0)]),
    );
    let delta = Arc::new(clip.build().unwrap().additive(AdditiveReference::Rest).unwrap());
    let mut mixer = Mixer::new(&skeleton);
    let layer = mixer.add_layer(Layer::additive());
    let play = Play { start_secs: Some(1.0), ..Play::once() };
    mixer.layer_mut(layer).unwrap().play(&delta, play).unwrap();
    let scale = sampled(&mut mixer).joint(root(&skeleton)).scale;
    assert!(scale.distance(Vec3::new(-2.0, 3.0, 1.0)) < 1e-6, "{scale}");
}

/// On the first frame ever the rest pose is on screen.
#[test]
fn fades_of_no_length_of_an_hour_and_on_the_first_frame() {
    let skeleton = chain(1);
    let high = stand(&skeleton, "high", 10.0);
    for kind in FadeKind::ALL {
        let fade = |secs| Fade { kind: *kind, ..Fade::cross(secs) };
        for secs in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-45, f32::MIN_POSITIVE] {
            let mut mixer = Mixer::new(&skeleton);
            mixer.crossfade_to(&high, fade(secs));
            mixer.advance(0.0);
            mixer.advance(1e-30);
            assert_eq!(height(&sampled(&mut mixer), &skeleton), 10.0, "{kind:?} {secs}");
        }
        let mut mixer = Mixer::new(&skeleton);
        mixer.crossfade_to(&high, fade(0.5));
        assert!(height(&sampled(&mut mixer), &skeleton).abs() < 1e-6, "{kind:?}");
        mixer.advance(0.25);
        let half = height(&sampled(&mut mixer), &skeleton);
        assert!(half > 1.0 && half < 9.0, "{kind:?}: {half}");
        mixer.advance(3600.0);
        assert_eq!(height(&sampled(&mut mixer), &skeleton), 10.0, "{kind:?}");
    }
}

/// Huge weights and keys give numbers.
#[test]
fn nothing_becomes_infinite() {
    let skeleton = chain(3);
    let huge = stand(&skeleton, "huge", 1e18);
    let mut grows = Clip::builder("grows", &skeleton);
    grows.scale(root(&skeleton), Track::linear(vec![0.0], vec![Vec3::splat(1e18)]));
    let grows = Arc::new(grows.build().unwrap());
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&huge, Play::default());
    for clip in [&huge, &grows, &grows] {
        let delta = Arc::new(clip.additive(AdditiveReference::Rest).unwrap());
        let layer = mixer.add_layer(Layer::additive().with_weight(1e18));
        mixer.layer_mut(layer).unwrap().play(&delta, Play { weight: 1e18, ..Play::default() }).unwrap();
    }
    for kind in FadeKind::ALL {
        mixer.crossfade_to(&grows, Fade { kind: *kind, ..Fade::cross(1.0) });
        for _ in 0..5 {
            mixer.advance(0.1);
            assert!(numbers(&skeleton, &sampled(&mut mixer)).iter().all(|number| number.is_finite()));
        }
        mixer.crossfade_to(&huge, 0.2);
    }
}

#[test]
#[should_panic(expected = "another skeleton")]
fn a_layer_with_a_mask_of_another_skeleton() {
    let mut mixer = Mixer::new(&chain(2));
    mixer.add_layer(Layer::over(JointMask::none(&chain(3))));
}

#[test]
fn a_mixer_takes_over_the_state_of_one_with_another_skeleton() {
    let (mut small, mut large) = (World::new(1, 3), World::new(2, 60));
    let mut mixer = small.mixer();
    let layer = small.layer();
    mixer.add_layer(layer);
    let mut other = large.mixer();
    let layer = other.add_layer(Layer::new(LayerMode::Over));
    (0..2).for_each(|_| large.start(&mut other, layer));
    mixer.clone_from(&other);
    let skeleton = &large.rig.skeleton;
    assert_eq!(bits(skeleton, &sampled(&mut mixer)), bits(skeleton, &sampled(&mut other)));
}
