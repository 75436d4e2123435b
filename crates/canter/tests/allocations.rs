//! A frame does not allocate, whatever happens in it.

use std::sync::Arc;

use canter::glam::Mat4;
use canter::{
    AdditiveReference, Clip, Crowd, EventKind, Fade, FadeKind, JointMask, Layer, LayerId, LayerMode,
    LoopMode, Marker, Mat3x4, Mixer, ModelPose, Play, Pose, RootMotion, SyncGroup, UpdateRate,
};
use canter_testing::allocator::{Counting, allocations};
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{KINDS, Spec};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Vec::<u8>::with_capacity(10)))), 1);
}

/// A rig with clips of all kinds, some with many timelines.
fn setup() -> (Rig, Vec<Arc<Clip>>) {
    let mut random = Random(17);
    let rig = Rig::random(&mut random, 70);
    let clips = KINDS.map(|kind| Arc::new(Spec::random(&mut random, &rig, kind).build(&rig, "clip")));
    (rig, clips.into())
}

#[test]
fn frames_do_not_allocate() {
    let (rig, clips) = setup();
    let (mut pose, mut model) = (Pose::rest(&rig.skeleton), ModelPose::rest(&rig.skeleton));
    let mut palette = vec![Mat4::ZERO; rig.skin.len()];
    let mut packed = vec![Mat3x4::IDENTITY; rig.skin.len()];
    let mask = Arc::new(JointMask::subtree(&rig.skeleton, rig.skeleton.joint_at(0).unwrap()));
    let mut mixer = Mixer::new(&rig.skeleton);
    let (mut looped, mut finished, mut faded) = (0, 0, 0);
    for round in 0..40 {
        // What a game does between frames may allocate: actions are made here.
        let clip = &clips[round % clips.len()];
        match round % 5 {
            0 => _ = mixer.play(clip, Play { mask: Some(Arc::clone(&mask)), ..Play::default() }),
            1 => _ = mixer.play(clip, Play { loop_mode: LoopMode::Once, ..Play::default() }),
            _ => _ = mixer.crossfade_to(clip, 0.1 + 0.05 * f32::from(u8::try_from(round).unwrap())),
        }
        for _ in 0..20 {
            let count = allocations(|| {
                for event in mixer.advance(1.0 / 30.0) {
                    match event.kind {
                        EventKind::Looped { .. } => looped += 1,
                        EventKind::Finished => finished += 1,
                        EventKind::FadedOut => faded += 1,
                        _ => (),
                    }
                }
                mixer.sample(&mut pose);
                model.compose(&rig.skeleton, &pose);
                rig.skin.write_palette(&model, &mut palette);
                rig.skin.write_palette(&model, &mut packed);
            });
            assert_eq!(count, 0, "round {round}");
        }
    }
    assert!(looped > 10 && finished > 3 && faded > 10, "{looped} {finished} {faded}");
}

#[test]
fn turning_fades_round_does_not_allocate() {
    let (rig, clips) = setup();
    let mut pose = Pose::rest(&rig.skeleton);
    let mut mixer = Mixer::new(&rig.skeleton);
    let (a, b) = (mixer.play(&clips[5], Play::default()), mixer.play(&clips[8], Play::default()));
    let count = allocations(|| {
        for frame in 0..200 {
            let (from, to) = if frame % 3 == 0 { (a, b) } else { (b, a) };
            mixer.crossfade(from, to, Fade::from(5.0));
            mixer.get_mut(a).unwrap().seek(0.3).unwrap();
            mixer.get_mut(b).unwrap().set_weight(0.7).unwrap();
            mixer.advance(0.01);
            mixer.sample(&mut pose);
        }
    });
    assert_eq!(count, 0);
}

/// Only the first fade of a kind that starts from the screen takes memory.
#[test]
fn layers_and_fades_from_the_screen_do_not_allocate() {
    let (rig, clips) = setup();
    let mut pose = Pose::rest(&rig.skeleton);
    let mask = JointMask::subtree(&rig.skeleton, rig.skeleton.joint_at(0).unwrap());
    let mut mixer = Mixer::new(&rig.skeleton);
    let layers = [LayerId::BASE, mixer.add_layer(Layer::over(mask)), mixer.add_layer(Layer::additive())];
    let deltas: Vec<_> =
        clips.iter().map(|clip| Arc::new(clip.additive(AdditiveReference::Rest).unwrap())).collect();
    let switch = |mixer: &mut Mixer, frame: usize| {
        let index = frame / 7 % 3;
        let clip = &(if index == 2 { &deltas } else { &clips })[frame % clips.len()];
        let fade = Fade { kind: FadeKind::ALL[frame / 11 % 3], ..Fade::cross(0.2) };
        mixer.layer_mut(layers[index]).unwrap().crossfade_to(clip, fade).unwrap();
    };
    let mut frame = |mixer: &mut Mixer, number: usize| {
        if number.is_multiple_of(7) {
            switch(mixer, number);
        }
        mixer.advance(1.0 / 30.0);
        mixer.sample(&mut pose);
    };
    (0..1_000).for_each(|number| frame(&mut mixer, number));
    let count = allocations(|| (1_000..2_000).for_each(|number| frame(&mut mixer, number)));
    assert_eq!(count, 0);
    let mut clone = mixer.clone();
    let count = allocations(|| {
        (2_000..2_006).for_each(|number| frame(&mut clone, number));
        mixer.clone_from(&clone);
        (2_000..2_006).for_each(|number| frame(&mut mixer, number));
    });
    assert_eq!(count, 0);
}

#[test]
fn a_clone_has_room_for_its_frames_and_can_be_taken_over_without_any() {
    let (rig, clips) = setup();
    let mut pose = Pose::rest(&rig.skeleton);
    let mut mixer = Mixer::new(&rig.skeleton);
    for clip in &clips {
        mixer.play(clip, Play { speed: 3.0, ..Play::default() });
    }
    mixer.crossfade_to(&clips[0], 0.5);
    let kept = mixer.clone();
    for _ in 0..3 {
        // Rolling back, frame after frame.
        let count = allocations(|| {
            mixer.clone_from(&kept);
            for _ in 0..60 {
                mixer.advance(1.0 / 60.0);
                mixer.sample(&mut pose);
            }
        });
        assert_eq!(count, 0);
    }
    let mut clone = kept.clone();
    let count = allocations(|| {
        for _ in 0..60 {
            clone.advance(1.0 / 60.0);
            clone.sample(&mut pose);
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn sampling_a_clip_of_one_timeline_does_not_allocate() {
    let (rig, clips) = setup();
    let mut pose = Pose::rest(&rig.skeleton);
    clips[0].compile();
    assert_eq!(allocations(|| clips[0].sample(0.3, &mut pose)), 0);
}

/// With rayon its threads take part, whose own business is counted elsewhere.
#[cfg(not(feature = "rayon"))]
#[test]
fn a_crowd_does_not_allocate() {
    let (rig, clips) = setup();
    let mut crowd: Crowd = Crowd::new(&rig.skeleton, vec![Arc::new(rig.skin.clone())]);
    for index in 0..20 {
        let mixer = crowd.spawn();
        mixer.play(&clips[index % clips.len()], Play::default());
        mixer.crossfade_to(&clips[(index + 1) % clips.len()], 0.4);
    }
    crowd.update(0.1);
    for _ in 0..30 {
        assert_eq!(allocations(|| crowd.update(0.03)), 0);
    }
}

/// Far members are cloned to look ahead, with layers and fades of all kinds: into memory that they have.
#[cfg(not(feature = "rayon"))]
#[test]
fn a_crowd_with_far_members_does_not_allocate() {
    let ways: [fn(Crowd) -> Crowd; 3] =
        [|crowd| crowd, Crowd::blend_in_shader, |crowd| crowd.blend_in_shader().step_when_sampled()];
    for way in ways {
        let (rig, clips) = setup();
        let mut crowd = way(Crowd::new(&rig.skeleton, vec![Arc::new(rig.skin.clone())]));
        crowd.keep_joint(rig.skeleton.joint_at(3).unwrap());
        for index in 0..20 {
            let mixer = crowd.spawn();
            mixer.play(&clips[index % clips.len()], Play::default());
            let layer = mixer.add_layer(Layer::new(LayerMode::Over).with_weight(0.5));
            mixer.layer_mut(layer).unwrap().play(&clips[0], Play::default()).unwrap();
            let fade = Fade { kind: FadeKind::ALL[index % 3], ..Fade::cross(5.0) };
            mixer.crossfade_to(&clips[(index + 1) % clips.len()], fade);
            crowd.set_rate(index, UpdateRate::every([1, 2, 3, 4, 5, 6, 7, 8][index % 8]));
        }
        (0..20).for_each(|_| crowd.update(0.03));
        for frame in 0..60 {
            let count = allocations(|| {
                crowd.set_rate(frame % 20, UpdateRate::every([2, 3, 4, 5, 6, 7, 8][frame % 7]));
                crowd.set_rate(frame * 7 % 20, UpdateRate::HIDDEN);
                crowd.update(0.03);
            });
            assert!(frame < 20 || count == 0, "{count} in frame {frame}");
        }
    }
}

#[cfg(feature = "rayon")]
const _: (Option<Crowd>, UpdateRate) = (None, UpdateRate::FULL);

/// Steps of an hour, with markers, windows, root motion, fades, layers and actions in step.
#[test]
fn telling_does_not_allocate_however_long_a_step_is() {
    let (rig, clips) = setup();
    let root = rig.skeleton.joint_at(0).unwrap();
    let told = |clip: &Arc<Clip>| {
        let secs = clip.duration_secs();
        let markers =
            ["L", "R"].into_iter().zip([0.0, 0.5]).map(|(name, part)| Marker::new(name, part * secs));
        let window = Marker::window("W", 0.25 * secs, 0.25 * secs);
        let marked = Clip::clone(clip).with_markers(markers.chain([window])).unwrap();
        Arc::new(marked.with_root_motion(&rig.skeleton, RootMotion::over_ground(root)).unwrap())
    };
    let clips: Vec<_> = clips.iter().filter(|clip| clip.duration_secs() > 0.0).map(told).collect();
    assert!(clips.iter().any(|clip| clip.root_motion().is_some()));
    let mut mixer = Mixer::new(&rig.skeleton);
    let sync = Some(SyncGroup::by_markers(0));
    let layer = mixer.add_layer(Layer::new(LayerMode::Over).with_weight(0.5));
    mixer.layer_mut(layer).unwrap().play(&clips[0], Play { sync, ..Play::default() }).unwrap();
    let mut told = 0;
    for round in 0..24_usize {
        let fade = [Fade::cross(0.3), Fade::dead(0.3), Fade::inertial(0.3)][round % 3];
        mixer.crossfade_to(&clips[round % clips.len()], Play { sync, ..Play::from(fade) });
        for dt in [0.0, 1.0 / 60.0, 0.2, 3600.0, 1.0 / 240.0] {
            let count = allocations(|| {
                mixer.advance(dt);
                told += mixer.markers().take(100).count();
                assert!(mixer.root_motion().transform.translation.is_finite());
            });
            assert_eq!(count, 0, "round {round}, a step of {dt} s");
        }
    }
    assert!(told > 1000, "{told}");
}
