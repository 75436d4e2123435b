//! Clone, put back and store in the midst of everything.

use std::sync::Arc;

use canter::{Clip, Fade, FadeKind, LayerId, LayerMode, Mixer};
use canter_testing::{bits, cases};
use proptest::prelude::*;

use crate::{World, sampled};

/// A mixer in the midst of fades of all kinds, on layers of all kinds.
fn busy(world: &mut World) -> Mixer {
    let mut mixer = world.mixer();
    let mut layers = vec![LayerId::BASE];
    for _ in 0..3 {
        let layer = world.layer();
        layers.push(mixer.add_layer(layer));
    }
    for _ in 0..8 {
        let layer = world.random.pick(&layers);
        let is_additive = mixer.layer(layer).is_some_and(|layer| layer.mode() == LayerMode::Additive);
        let clip = if is_additive { world.delta() } else { world.clip() };
        let fade = Fade { kind: world.random.pick(FadeKind::ALL), ..Fade::cross(0.5) };
        mixer.layer_mut(layer).unwrap().crossfade_to(&clip, fade).unwrap();
        if layer != LayerId::BASE && world.random.chance(0.3) {
            mixer.layer_mut(layer).unwrap().fade_weight(0.6, 0.4).unwrap();
        }
        mixer.advance(world.random.between(0.0, 0.2));
        if world.random.chance(0.7) {
            let _ = sampled(&mut mixer);
        }
    }
    mixer
}

/// Both play on alike.
fn play_on(world: &World, a: &mut Mixer, b: &mut Mixer) {
    let skeleton = &world.rig.skeleton;
    for step in 0..10 {
        assert_eq!(bits(skeleton, &sampled(a)), bits(skeleton, &sampled(b)), "step {step}");
        let [a, b] = [&mut *a, &mut *b]
            .map(|mixer| mixer.advance(0.07).map(|event| (event.action, event.kind)).collect::<Vec<_>>());
        assert_eq!(a, b);
    }
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn a_clone_and_what_is_put_back_play_on_alike(seed in any::<u64>(), joints in 1_usize..30) {
        let mut world = World::new(seed, joints);
        let mut mixer = busy(&mut world);
        let mut clone = mixer.clone();
        let mut other = busy(&mut world);
        other.clone_from(&mixer);
        play_on(&world, &mut clone, &mut other);
        let mut again = busy(&mut world);
        again.clone_from(&mixer);
        play_on(&world, &mut mixer, &mut again);
    }

    #[test]
    fn what_is_stored_and_read_plays_on_alike(seed in any::<u64>(), joints in 1_usize..20) {
        let mut world = World::new(seed, joints);
        let mut mixer = busy(&mut world);
        let text = serde_json::to_string(&mixer.state()).unwrap();
        let state = serde_json::from_str(&text).unwrap();
        let clips: Vec<Arc<Clip>> = world.clips.iter().chain(&world.deltas).cloned().collect();
        let mut restored = Mixer::from_state(&world.rig.skeleton, &state, &clips).unwrap();
        prop_assert_eq!(&restored.state(), &mixer.state());
        play_on(&world, &mut mixer, &mut restored);
    }
}

#[test]
fn a_stored_layer_that_was_tampered_with_is_an_error_or_plays_without_harm() {
    let mut world = World::new(11, 9);
    let mut mixer = busy(&mut world);
    let layer = mixer.add_layer(canter::Layer::new(LayerMode::Over));
    for _ in 0..3 {
        let clip = world.clip();
        mixer.layer_mut(layer).unwrap().play(&clip, canter::Play::default()).unwrap();
        mixer.layer_mut(layer).unwrap().fade_out(Fade::cross(5.0));
        let clip = world.clip();
        mixer.layer_mut(layer).unwrap().crossfade_to(&clip, Fade::dead(1.0)).unwrap();
        mixer.advance(0.1);
    }
    let clips: Vec<Arc<Clip>> = world.clips.iter().chain(&world.deltas).cloned().collect();
    let json = serde_json::to_value(mixer.state()).unwrap();
    let put_back = |pointer: &str, with: serde_json::Value| {
        let mut json = json.clone();
        *json.pointer_mut(pointer).unwrap_or_else(|| panic!("there is no {pointer}")) = with;
        let state = serde_json::from_value(json).unwrap();
        Mixer::from_state(&world.rig.skeleton, &state, &clips)
    };
    let bits_of = |number: f64| serde_json::json!(number.to_bits());
    for (pointer, with) in [
        ("/layers/3/id", serde_json::json!(0)),
        ("/layers/3/id", serde_json::json!(1)),
        ("/layers/3/weight/0", serde_json::json!(-1.0)),
        ("/layers/3/weight/1", serde_json::json!(1e30)),
        ("/layers/3/mask", serde_json::json!({ "joints": [1.0], "morphs": [] })),
        ("/layers/3/actions/transition/kind", serde_json::json!("Cross")),
        ("/layers/3/actions/transition/joints", serde_json::json!([1.0, 2.0])),
        ("/layers/3/actions/transition/joints/3", serde_json::json!(1e300)),
        ("/layers/3/actions/transition/tween/passed_secs", bits_of(f64::NAN)),
        ("/layers/3/actions/transition/tween/passed_secs", bits_of(-3.0)),
    ] {
        assert!(put_back(pointer, with).is_err(), "{pointer}");
    }
    for (pointer, with) in [
        // Clips of the same names are there as differences.
        ("/layers/3/mode", serde_json::json!("Additive")),
        ("/layers/3/relations", serde_json::json!([1.0, 1e300])),
        ("/last_layer", serde_json::json!(u32::MAX)),
        ("/layers/3/id", serde_json::json!(u32::MAX)),
    ] {
        let mut mixer = put_back(pointer, with).unwrap();
        mixer.advance(0.1);
        let pose = sampled(&mut mixer);
        assert!(canter_testing::numbers(&world.rig.skeleton, &pose).iter().all(|number| number.is_finite()));
        let layer = mixer.add_layer(canter::Layer::additive());
        assert!(mixer.layer(layer).is_some() && layer != LayerId::BASE);
    }
}
