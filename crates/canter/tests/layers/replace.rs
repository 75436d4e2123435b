//! Several clips that take the place of all that plays.

use canter::glam::Vec3;
use canter::{Clip, Fade, FadeKind, LayerId, Marker, MarkerKind, Mixer, Play, PlayError, Pose, Track};
use canter_testing::{one_joint, rise, root, stand};

fn height(mixer: &mut Mixer) -> f32 {
    let mut pose = Pose::rest(mixer.skeleton());
    mixer.sample(&mut pose);
    pose.joint(root(mixer.skeleton())).translation.y
}

#[test]
fn several_clips_take_the_place_of_all_others_in_one_fade() {
    let skeleton = one_joint();
    let [low, middle, high] =
        [("low", 0.0), ("middle", 1.0), ("high", 3.0)].map(|(name, at)| stand(&skeleton, name, at));
    for &kind in FadeKind::ALL {
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&low, Play::default());
        mixer.advance(0.1);
        let mut ids = Vec::new();
        let clips = [&middle, &high].map(|clip| (clip, Play { weight: 0.5, ..Play::default() }));
        let fade = Fade { kind, ..Fade::cross(0.5) };
        mixer.layer_mut(LayerId::BASE).unwrap().replace(clips, fade, &mut ids).unwrap();
        assert_eq!(ids.len(), 2);
        // What is not sampled any more is gone at once.
        assert_eq!(mixer.actions().count(), if kind == FadeKind::Cross { 3 } else { 2 });
        assert!(height(&mut mixer).abs() < 1e-6, "{kind:?}");
        mixer.advance(0.25);
        assert!((height(&mut mixer) - 1.0).abs() < 0.01, "{kind:?}");
        mixer.advance(0.25);
        assert!((height(&mut mixer) - 2.0).abs() < 1e-6, "{kind:?}");
        // Nothing, which fades to the rest pose.
        mixer.layer_mut(LayerId::BASE).unwrap().replace([], 0.0, &mut ids).unwrap();
        assert_eq!((ids.len(), mixer.actions().count()), (0, 0));
        mixer.advance(0.1);
        assert!(height(&mut mixer).abs() < 1e-6);
    }
}

#[test]
fn a_clip_that_cannot_be_played_leaves_everything_as_it_was() {
    let skeleton = one_joint();
    let low = stand(&skeleton, "low", 1.0);
    let other = Clip::builder("other", &canter_testing::chain(2)).build().unwrap().into();
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&low, Play::default());
    let mut ids = Vec::new();
    let clips = [(&low, Play::default()), (&other, Play::default())];
    let error = mixer.layer_mut(LayerId::BASE).unwrap().replace(clips, 0.2, &mut ids).unwrap_err();
    assert_eq!(error, PlayError::OtherSkeleton { clip: "other".to_owned() });
    assert_eq!((ids.len(), mixer.actions().count()), (0, 1));
}

#[test]
fn windows_of_what_leaves_are_left() {
    let skeleton = one_joint();
    let mut clip = Clip::builder("swing", &skeleton);
    clip.translation(root(&skeleton), Track::linear(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::Y]));
    clip.marker(Marker::window("hurts", 0.2, 0.6)).marker(Marker::new("end", 1.0));
    let swing = clip.build().unwrap().into();
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&swing, Play::default());
    mixer.advance(0.5);
    let next = stand(&skeleton, "next", 1.0);
    mixer
        .layer_mut(LayerId::BASE)
        .unwrap()
        .replace([(&next, Play::default())], Fade::dead(0.1), &mut Vec::new())
        .unwrap();
    mixer.advance(0.1);
    let kinds: Vec<_> = mixer.markers().map(|marker| marker.kind).collect();
    assert_eq!(kinds, [MarkerKind::Leave]);
}

#[test]
fn a_part_of_a_clip_is_played() {
    let skeleton = one_joint();
    let rises = rise(&skeleton, "rise", 1.0, 1.0);
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&rises, Play { range_secs: Some((0.25, 0.5)), ..Play::default() });
    mixer.advance(0.3);
    assert!((height(&mut mixer) - 0.3).abs() < 1e-6);
    let whole = mixer.play(&rises, Play { range_secs: Some((0.5, 9.0)), ..Play::default() });
    assert_eq!(mixer.get(whole).unwrap().clock().range_secs(), (0.0, 1.0));
}
