//! Layers that cover what is below.

use std::sync::Arc;

use canter::{Fade, JointMask, Layer, LayerId, LayerMode, Mixer, Play, Pose};
use canter_testing::compare::Errors;
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{KINDS, Spec};
use canter_testing::{bits, cases, chain, distance, stand, twin};
use proptest::prelude::*;

use crate::{World, sampled};

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_layer_of_weight_0_is_as_if_it_were_not_there(seed in any::<u64>(), joints in 1_usize..40) {
        let mut world = World::new(seed, joints);
        let mut plain = world.mixer();
        let mut layered = plain.clone();
        for _ in 0..3 {
            let layer = world.layer().with_weight(0.0);
            let id = layered.add_layer(layer);
            world.start(&mut layered, id);
        }
        let hidden = layered.add_layer(Layer::over(JointMask::none(&world.rig.skeleton)));
        world.start(&mut layered, hidden);
        for _ in 0..4 {
            plain.advance(0.1);
            layered.advance(0.1);
            let [plain, layered] = [&mut plain, &mut layered].map(|mixer| bits(&world.rig.skeleton, &sampled(mixer)));
            prop_assert!(plain == layered);
        }
    }

    #[test]
    fn full_coverage_is_the_layers_own_blend_bit_for_bit(seed in any::<u64>(), joints in 1_usize..40, count in 1_usize..4) {
        let mut world = World::new(seed, joints);
        let skeleton = Arc::clone(&world.rig.skeleton);
        let mut mask = JointMask::none(&skeleton);
        for joint in skeleton.joints() {
            mask.set(joint, world.random.pick(&[0.0, 1.0]));
        }
        let mut mixer = world.mixer();
        let below = sampled(&mut mixer);
        let layer = mixer.add_layer(Layer::over(mask.clone()));
        let mut alone = Mixer::new(&skeleton);
        for _ in 0..count {
            let (clip, play) = (world.clip(), Play { weight: 1.0, mask: None, ..world.play() });
            alone.play(&clip, play.clone());
            mixer.layer_mut(layer).unwrap().play(&clip, play).unwrap();
        }
        let (both, alone) = (sampled(&mut mixer), sampled(&mut alone));
        for joint in skeleton.joints() {
            let expected = if mask.weight(joint) > 0.0 { alone.joint(joint) } else { below.joint(joint) };
            prop_assert_eq!(both.joint(joint), expected);
        }
    }

    #[test]
    fn the_order_of_starting_does_not_matter(seed in any::<u64>(), joints in 1_usize..30) {
        let mut world = World::new(seed, joints);
        let layer = world.layer();
        let is_additive = layer.mode() == LayerMode::Additive;
        let mut plays: Vec<_> = (0..4).map(|index| {
            let clips = if is_additive { &world.deltas } else { &world.clips };
            (Arc::clone(&clips[index]), world.play())
        }).collect();
        let mut first = None;
        for _ in 0..4 {
            let mut mixer = Mixer::new(&world.rig.skeleton);
            let id = mixer.add_layer(layer.clone());
            for (clip, play) in &plays {
                mixer.layer_mut(id).unwrap().play(clip, play.clone()).unwrap();
            }
            mixer.advance(0.05);
            let bits = bits(&world.rig.skeleton, &sampled(&mut mixer));
            prop_assert!(*first.get_or_insert_with(|| bits.clone()) == bits);
            world.random.shuffle(&mut plays);
        }
    }

    /// A small change of a weight or of a mask is a small change of the pose.
    #[test]
    fn weights_and_masks_are_continuous(seed in any::<u64>(), joints in 1_usize..20) {
        let mut world = World::new(seed, joints);
        let mut mixer = world.mixer();
        let mask = world.mask();
        let layer = mixer.add_layer(Layer::over(mask));
        let clip = world.clip();
        mixer.layer_mut(layer).unwrap().play(&clip, Play::default()).unwrap();
        let mut last: Option<Pose> = None;
        for step in 0..=400_u16 {
            mixer.layer_mut(layer).unwrap().set_weight(f32::from(step) / 400.0).unwrap();
            let pose = sampled(&mut mixer);
            if let Some(last) = &last {
                prop_assert!(distance(&world.rig.skeleton, last, &pose) < 0.1, "at {}", step);
            }
            last = Some(pose);
        }
    }
}

/// Base and layer of a few clips each, against the formulas in double precision.
#[test]
fn a_layer_over_another_is_what_the_formulas_say() {
    let mut errors = Errors::default();
    for seed in 0..cases(120).cases {
        let mut random = Random(seed.into());
        let joints = 1 + random.below(40);
        let rig = Rig::random(&mut random, joints);
        let mut start = |mixer: &mut Mixer, layer: LayerId| {
            let kind = random.pick(&KINDS);
            let spec = Spec::random(&mut random, &rig, kind);
            let clip = Arc::new(spec.build(&rig, "clip"));
            let secs = random.between(0.0, clip.duration_secs());
            let weight = random.between(0.1, 0.6);
            let play = Play { start_secs: Some(secs), weight, ..Play::default() };
            let id = mixer.layer_mut(layer).unwrap().play(&clip, play).unwrap();
            let secs = mixer.get(id).unwrap().time_secs();
            (twin::sample(&rig, &spec, secs), f64::from(weight))
        };
        let mut mixer = Mixer::new(&rig.skeleton);
        let base = vec![start(&mut mixer, LayerId::BASE), start(&mut mixer, LayerId::BASE)];
        let layer = mixer.add_layer(Layer::new(LayerMode::Over).with_weight(0.7));
        let over = vec![start(&mut mixer, layer), start(&mut mixer, layer)];
        let cover = (over.iter().map(|(_, weight)| weight).sum::<f64>().min(1.0)) * f64::from(0.7_f32);
        let (base, over) = (twin::blend(&rig, base, 0.0), twin::blend(&rig, over, 0.0));
        let expected = twin::blend(&rig, vec![(base, 1.0 - cover), (over, cover)], 0.0);
        errors.pose(&rig, &sampled(&mut mixer), &expected);
    }
    errors.report("over");
    assert!(errors.largest <= 1e-5, "{errors:?}");
}

#[test]
fn fading_the_only_action_of_a_layer_fades_the_layer() {
    let skeleton = chain(1);
    let (low, high) = (stand(&skeleton, "low", 0.0), stand(&skeleton, "high", 10.0));
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&low, Play::default());
    let layer = mixer.add_layer(Layer::new(LayerMode::Over));
    let height = |mixer: &mut Mixer| canter_testing::height(&sampled(mixer), &skeleton);
    assert_eq!(height(&mut mixer), 0.0);
    let play = Play { fade: 1.0.into(), ..Play::default() };
    mixer.layer_mut(layer).unwrap().play(&high, play).unwrap();
    for expected in [2.5, 5.0, 7.5, 10.0, 10.0] {
        mixer.advance(0.25);
        assert!((height(&mut mixer) - expected).abs() < 1e-5);
    }
    mixer.layer_mut(layer).unwrap().fade_out(1.0);
    for expected in [7.5, 5.0, 2.5, 0.0, 0.0] {
        mixer.advance(0.25);
        assert!((height(&mut mixer) - expected).abs() < 1e-5);
    }
    assert_eq!(mixer.layer(layer).unwrap().actions().count(), 0);
}

/// What is below never shows through a crossfade within a layer, however uneven.
#[test]
fn a_crossfade_within_a_layer_shows_nothing_of_what_is_below() {
    let skeleton = chain(1);
    let [low, high, top] = [0.0, 10.0, 20.0].map(|height| stand(&skeleton, &format!("{height}"), height));
    for kind in canter::FadeKind::ALL {
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&low, Play::default());
        let layer = mixer.add_layer(Layer::new(LayerMode::Over));
        mixer.layer_mut(layer).unwrap().play(&high, Play::default()).unwrap();
        for (clip, secs) in [(&top, 0.4), (&high, 0.9), (&top, 0.2), (&high, 0.3)] {
            let fade = Fade { kind: *kind, ..Fade::cross(secs) };
            mixer.layer_mut(layer).unwrap().crossfade_to(clip, fade).unwrap();
            for _ in 0..3 {
                mixer.advance(0.05);
                let height = canter_testing::height(&sampled(&mut mixer), &skeleton);
                assert!((10.0..=20.0).contains(&height), "{kind:?}: {height}");
                let root = canter_testing::root(&skeleton);
                assert!((mixer.layer(layer).unwrap().coverage(root) - 1.0).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn layers_are_taken_from_below_and_coverage_is_told() {
    let skeleton = chain(3);
    let [a, b, c] = [1.0, 2.0, 4.0].map(|height| stand(&skeleton, &format!("{height}"), height));
    let root = canter_testing::root(&skeleton);
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&a, Play::default());
    let lower = mixer.add_layer(Layer::new(LayerMode::Over).with_weight(0.5));
    let upper = mixer.add_layer(Layer::over(JointMask::subtree(&skeleton, root).feathered(&skeleton, 3)));
    mixer.layer_mut(lower).unwrap().play(&b, Play::default()).unwrap();
    mixer.layer_mut(upper).unwrap().play(&c, Play { weight: 0.5, ..Play::default() }).unwrap();
    let coverage = |mixer: &Mixer, id| mixer.layer(id).unwrap().coverage(root);
    assert_eq!((coverage(&mixer, lower), coverage(&mixer, upper)), (0.5, 0.125));
    let height = canter_testing::height(&sampled(&mut mixer), &skeleton);
    assert!((height - (1.5 * 0.875 + 4.0 * 0.125)).abs() < 1e-6, "{height}");
    let weights: Vec<_> = mixer.actions().map(|(id, _)| mixer.effective_weight(id).unwrap()).collect();
    assert_eq!(weights, [1.0, 0.5, 0.5]);
    assert_eq!(mixer.layers().map(Layer::id).collect::<Vec<_>>(), [lower, upper]);
}
