//! Clips played at the speed that a character has.

use std::sync::Arc;

use canter::glam::Vec3;
use canter::{Mixer, Play, Setting};

use super::{lasting, skeleton, travelling};

#[test]
fn a_walk_is_played_at_the_speed_over_ground() {
    let skeleton = skeleton();
    let walk = travelling(&skeleton, "Walk", &[(0.0, Vec3::ZERO, 0.0), (2.0, Vec3::Z * 2.4, 0.0)]);
    assert_eq!(walk.ground_speed(), Some(1.2));
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&walk, Play::at_speed(1.8));
    assert!((mixer.get(id).unwrap().speed() - 1.5).abs() < 1e-6);
    mixer.advance(5.0);
    assert!((mixer.root_motion().transform.translation.z - 9.0).abs() < 1e-4);
    mixer.get_mut(id).unwrap().set_ground_speed(-0.6).unwrap();
    mixer.advance(1.0);
    assert!((mixer.root_motion().velocity.z + 0.6).abs() < 1e-5);
}

#[test]
fn on_the_spot_the_clip_says_how_fast_it_walks() {
    let skeleton = skeleton();
    let walk = Arc::new(lasting(&skeleton, "Walk", 1.0).with_ground_speed(1.4));
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&walk, Play::at_speed(0.7));
    assert_eq!(mixer.get(id).unwrap().speed(), 0.5);
    assert_eq!(lasting(&skeleton, "Walk", 1.0).with_ground_speed(f32::NAN).ground_speed(), None);
}

#[test]
fn what_does_not_walk_refuses() {
    let skeleton = skeleton();
    let idle = Arc::new(lasting(&skeleton, "Idle", 1.0));
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&idle, Play::at_speed(1.4));
    assert_eq!(mixer.get(id).unwrap().speed(), 1.0);
    let error = mixer.get_mut(id).unwrap().set_ground_speed(1.4).unwrap_err();
    assert_eq!(error.setting, Setting::GroundSpeed);
    assert!(error.to_string().contains("speed over ground 1.4 refused"), "{error}");
}
