//! Feet that are found to stand.

use std::sync::Arc;

use canter::glam::{Quat, Vec3};
use canter::{Clip, RootMotion, Skeleton, Track, Transform};

/// Hips at a metre with two feet, which can be led freely.
fn skeleton() -> Arc<Skeleton> {
    let mut builder = Skeleton::builder();
    builder.joint("root", None, Transform::IDENTITY);
    builder.joint("hips", Some(0), Transform::from_translation(Vec3::Y));
    builder.joint("foot_L", Some(1), Transform::from_translation(Vec3::new(0.1, -1.0, 0.0)));
    builder.joint("foot_R", Some(1), Transform::from_translation(Vec3::new(-0.1, -1.0, 0.0)));
    Arc::new(builder.build().unwrap())
}

/// A walk on the spot: each foot slides back for 0.6 of the cycle and swings through the air for 0.4 of it.
fn walk(skeleton: &Skeleton, secs: f32, speed: f32, lands: [f32; 2]) -> Clip {
    let mut clip = Clip::builder("Walk", skeleton);
    let times: Vec<f32> = (0..=120_u8).map(|key| secs * f32::from(key) / 120.0).collect();
    for (name, lands) in ["foot_L", "foot_R"].into_iter().zip(lands) {
        let joint = skeleton.joint(name).unwrap();
        let stride = speed * secs * 0.6;
        let place = |time: &f32| {
            let phase = (time / secs - lands).rem_euclid(1.0);
            let (z, y) = if phase < 0.6 {
                (0.5 * stride - stride * phase / 0.6, 0.0)
            } else {
                let swing = (phase - 0.6) / 0.4;
                (stride * (swing - 0.5), 0.15 * (std::f32::consts::PI * swing).sin())
            };
            skeleton.rest(joint).translation + Vec3::new(0.0, y, z)
        };
        clip.translation(joint, Track::linear(times.clone(), times.iter().map(place).collect()));
    }
    clip.build().unwrap()
}

#[test]
fn feet_are_found_where_they_come_down() {
    let skeleton = skeleton();
    let feet = ["foot_L", "foot_R"].map(|name| skeleton.joint(name).unwrap());
    for (secs, speed, lands) in [(1.0, 1.4, [0.1, 0.6]), (0.8, 3.0, [0.0, 0.5]), (1.2, 0.7, [0.9, 0.4])] {
        let clip = walk(&skeleton, secs, speed, lands);
        for feet in [&feet[..], &[]] {
            let contacts = clip.contacts(&skeleton, feet);
            assert_eq!(contacts.as_slice().len(), 2, "{contacts:?}");
            for (foot, lands) in ["foot_L", "foot_R"].into_iter().zip(lands) {
                let joint = skeleton.joint(foot).unwrap();
                let contact = contacts.as_slice().iter().find(|contact| contact.foot == joint).unwrap();
                let off = (contact.from_secs / secs - lands + 0.5).rem_euclid(1.0) - 0.5;
                assert!(
                    off.abs() * secs < 0.035,
                    "{foot} lands at {} s, expected {}",
                    contact.from_secs,
                    lands * secs
                );
                let stands = (contact.to_secs - contact.from_secs).rem_euclid(secs);
                assert!((stands - 0.6 * secs).abs() < 0.07, "{foot} stands for {stands} s");
            }
            let found = contacts.ground_speed().unwrap();
            assert!((found - speed).abs() < 0.02 * speed, "{found} m/s, expected {speed}");
            let markers = contacts.markers(&skeleton);
            assert!(markers.iter().all(|marker| marker.name.starts_with("foot_")), "{markers:?}");
        }
    }
}

#[test]
fn with_root_motion_the_ground_stands_still() {
    let skeleton = skeleton();
    let on_the_spot = walk(&skeleton, 1.0, 1.4, [0.1, 0.6]);
    let mut clip = Clip::builder("Walk", &skeleton);
    for track in on_the_spot.tracks() {
        let canter::TrackTarget::Joint(joint, property) = track.target else { unreachable!() };
        let values = track.curve.numbers().to_vec();
        clip.numbers(joint, property, Track::linear(track.curve.times().to_vec(), values));
    }
    let root = skeleton.joint("root").unwrap();
    clip.translation(root, Track::linear(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::Z * 1.4]));
    let clip = clip.build().unwrap().with_root_motion(&skeleton, RootMotion::over_ground(root)).unwrap();
    let contacts = clip.contacts(&skeleton, &[]);
    assert_eq!(contacts.as_slice().len(), 2, "{contacts:?}");
    assert!((contacts.ground_speed().unwrap() - 1.4).abs() < 1e-3);
    assert_eq!(contacts.as_slice().len(), on_the_spot.contacts(&skeleton, &[]).as_slice().len());
}

#[test]
fn who_stands_all_the_time_never_comes_down() {
    let skeleton = skeleton();
    let hips = skeleton.joint("hips").unwrap();
    let mut clip = Clip::builder("Idle", &skeleton);
    clip.rotation(hips, Track::linear(vec![0.0, 1.0], vec![Quat::IDENTITY; 2]));
    let contacts = clip.build().unwrap().contacts(&skeleton, &[]);
    assert!(contacts.as_slice().is_empty() && contacts.ground_speed().is_none(), "{contacts:?}");
    let empty = Clip::builder("Nothing", &skeleton).build().unwrap();
    assert!(empty.contacts(&skeleton, &[]).as_slice().is_empty());
}

/// Rigs have controls and ends of bones beside their feet, and fingers that hang as low at rest.
#[test]
fn of_several_joints_at_a_foot_one_is_found() {
    let mut builder = Skeleton::builder();
    builder.joint("root", None, Transform::IDENTITY);
    builder.joint("hips", Some(0), Transform::from_translation(Vec3::Y));
    builder.joint("finger", Some(1), Transform::from_translation(Vec3::new(0.5, -0.95, 0.0)));
    for (side, x) in [("L", 0.1), ("R", -0.1)] {
        let at = |y: f32| Transform::from_translation(Vec3::new(x, y, 0.0));
        builder.joint(format!("footIK_{side}"), Some(0), at(0.0));
        builder.joint(format!("shin_{side}_end"), Some(1), at(-0.98));
        builder.joint(format!("Foot_{side}"), Some(1), at(-1.0));
    }
    let skeleton = Arc::new(builder.build().unwrap());
    let mut clip = Clip::builder("Walk", &skeleton);
    let times: Vec<f32> = (0..=60_u8).map(|key| f32::from(key) / 60.0).collect();
    for joint in skeleton.joints().skip(2) {
        let late = if skeleton.name(joint).contains('R') { 0.5 } else { 0.0 };
        let place = |time: &f32| {
            let angle = std::f32::consts::TAU * (time + late);
            let step = Vec3::new(0.0, 0.15 * angle.sin().max(0.0), 0.3 * -angle.cos());
            skeleton.rest(joint).translation + step
        };
        clip.translation(joint, Track::linear(times.clone(), times.iter().map(place).collect()));
    }
    let contacts = clip.build().unwrap().contacts(&skeleton, &[]);
    let found: Vec<_> = contacts.as_slice().iter().map(|it| (skeleton.name(it.foot), it.from_secs)).collect();
    // Standing feet that slide like a pendulum, as those of clips that were made by hand, are found, too.
    assert!(
        matches!(found[..], [("Foot_R", r), ("Foot_L", l)] if r < 0.15 && (0.5..0.65).contains(&l)),
        "{found:?}"
    );
}
