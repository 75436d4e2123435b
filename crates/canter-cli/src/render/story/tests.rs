use canter::{JointMask, Pose};
use canter_gltf::Asset;

use super::*;
use crate::layer::{FILM_KEYS, LayerText};

fn hero() -> Asset {
    canter_gltf::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb")).unwrap()
}

/// Its clips travel by root motion.
fn split_hero() -> Asset {
    let mut hero = hero();
    hero.split_root_motion(canter::RootMotion::over_ground(hero.skeleton.joint("root").unwrap()));
    hero
}

fn overlay(asset: &Asset, text: &str) -> Overlay {
    let text = LayerText::parse(text, FILM_KEYS).unwrap();
    let found = text.resolve(asset, "hero".as_ref()).unwrap();
    Overlay::new(found, text.at_secs, text.once, text.fade_secs)
}

/// How far two moments of a story are apart, at most.
fn distance(asset: &Asset, story: &Story, [a, b]: [f64; 2]) -> f32 {
    let mut mixer = Mixer::new(&asset.skeleton);
    let mut pose = |secs| {
        story.play(&mut mixer, secs);
        let mut pose = Pose::rest(&asset.skeleton);
        mixer.sample(&mut pose);
        pose
    };
    let (a, b) = (pose(a), pose(b));
    let distance = |joint| {
        let (a, b) = (a.joint(joint), b.joint(joint));
        a.rotation.angle_between(b.rotation).max((a.translation - b.translation).length())
    };
    asset.skeleton.joints().map(distance).fold(0.0, f32::max)
}

fn clip(asset: &Asset, name: &str) -> Arc<Clip> {
    Arc::clone(asset.clip(name).unwrap())
}

#[test]
fn films_with_layers_end_as_they_begin() {
    let asset = hero();
    let table = [
        vec!["Attack,mask=spine,feather=2,once,at=0.2"],
        vec!["Wave,mask=*arm_L,at=0.1"],
        vec!["Idle,additive,weight=0.8", "Attack,mask=chest,once"],
        vec!["Wave"],
    ];
    for layers in table {
        let layers: Vec<_> = layers.iter().map(|text| overlay(&asset, text)).collect();
        for wanted_secs in [None, Some(2.5)] {
            let layers = layers.clone();
            let clip = Some(clip(&asset, "Run"));
            let story = Story::new(&asset.skeleton, Plan { clip, layers, wanted_secs, ..Plan::default() });
            let seam = distance(&asset, &story, [0.0, story.secs()]);
            assert!(seam < 0.02, "{:?}, {} s: {seam}", story.layers, story.secs());
            assert!(distance(&asset, &story, [0.0, story.secs() * 0.37]) > 0.1);
        }
    }
}

#[test]
fn films_of_many_fades_of_every_kind_end_as_they_begin() {
    let asset = hero();
    let to = |name: &str, at_secs| To { clip: clip(&asset, name), at_secs };
    let scripts = [
        vec![to("Run", None)],
        vec![to("Run", Some(0.4)), to("Jump", Some(0.5)), to("Attack", Some(0.6)), to("Run", Some(0.7))],
        vec![to("Run", None), to("Jump", None)],
        vec![to("Idle", Some(0.0))],
    ];
    for script in scripts {
        for &fade_kind in FadeKind::ALL {
            let clip = Some(clip(&asset, "Idle"));
            let plan = Plan { clip, to: script.clone(), fade_secs: 0.3, fade_kind, ..Plan::default() };
            let story = Story::new(&asset.skeleton, plan);
            let seam = distance(&asset, &story, [0.0, story.secs()]);
            assert!(seam < 2e-3, "{fade_kind:?}, {} s: {seam}", story.secs());
        }
    }
}

#[test]
fn films_in_step_end_as_they_begin_with_the_same_foot_down() {
    let asset = split_hero();
    let to = |name: &str, at_secs| To { clip: clip(&asset, name), at_secs };
    for (from, script) in [
        ("Walk", vec![to("Run", None)]),
        ("Run", vec![to("Walk", None)]),
        ("WalkRoot", vec![to("RunRoot", Some(0.8)), to("CrouchWalk", Some(2.1))]),
    ] {
        for &fade_kind in FadeKind::ALL {
            for wanted_secs in [None, Some(4.0)] {
                let plan = Plan {
                    clip: Some(clip(&asset, from)),
                    to: script.clone(),
                    fade_secs: 0.4,
                    ..Plan::default()
                };
                let story = Story::new(&asset.skeleton, Plan { fade_kind, sync: true, wanted_secs, ..plan });
                let seam = distance(&asset, &story, [0.0, story.secs()]);
                assert!(seam < 2e-3, "{from} {fade_kind:?}, {} s: {seam}", story.secs());
                let mut playback = story.playback();
                for step in 1..=400 {
                    playback.advance_to(story.secs() * f64::from(step) / 400.0);
                    let phase = |action: &canter::Action| action.time_secs() / action.clip().duration_secs();
                    let phases: Vec<f32> =
                        playback.mixer.actions().map(|(_, action)| phase(action)).collect();
                    assert!(phases.iter().all(|phase| (phase - phases[0]).abs() < 1e-4), "{phases:?}");
                }
            }
        }
    }
}

#[test]
fn root_motion_leads_a_film_as_far_whatever_its_frames_are() {
    let asset = split_hero();
    let to = vec![To { clip: clip(&asset, "RunRoot"), at_secs: None }];
    let plan =
        Plan { clip: Some(clip(&asset, "WalkRoot")), to, fade_secs: 0.5, sync: true, ..Plan::default() };
    let story = Story::new(&asset.skeleton, plan);
    let way = |frames: u32| {
        let mut playback = story.playback();
        (1..=frames)
            .for_each(|frame| playback.advance_to(story.secs() * f64::from(frame) / f64::from(frames)));
        playback.way.translation.z
    };
    let whole = way(1);
    assert!(whole > 3.0, "{whole} m in {} s", story.secs());
    for frames in [7, 60, 500] {
        assert!((way(frames) - whole).abs() < 5e-3, "{frames} frames: {} m, {whole} m", way(frames));
    }
    let footfalls = story.footfalls();
    assert!(footfalls.len() >= 5, "{footfalls:?}");
    assert!(footfalls.windows(2).all(|pair| pair[0].name != pair[1].name), "left, right: {footfalls:?}");
}

#[test]
fn a_film_is_as_long_as_its_layers_need() {
    let asset = hero();
    let secs = |texts: &[&str], wanted_secs| {
        let layers = texts.iter().map(|text| overlay(&asset, text)).collect();
        let clip = Some(clip(&asset, "Run"));
        Story::new(&asset.skeleton, Plan { clip, layers, wanted_secs, ..Plan::default() }).secs()
    };
    let loops = |texts: &[&str]| secs(texts, None) / secs(&[], None);
    let attack = f64::from(clip(&asset, "Attack").duration_secs());
    let needed = ((0.3 + attack) / secs(&[], None)).ceil();
    assert!((loops(&["Attack,once,at=0.3"]) - needed).abs() < 1e-6);
    assert!((loops(&["Run,additive=rest"]) - 1.0).abs() < 1e-6);
    assert!(loops(&["Attack"]).fract() < 1e-6);
}

#[test]
fn a_layer_covers_its_joints_and_no_others() {
    let asset = hero();
    let clip_of = |name| Some(clip(&asset, name));
    let layered = Story::new(
        &asset.skeleton,
        Plan {
            clip: clip_of("Run"),
            layers: vec![overlay(&asset, "Attack,mask=chest,once,fade=0.1")],
            ..Plan::default()
        },
    );
    let pose = |story: &Story| {
        let mut mixer = Mixer::new(&asset.skeleton);
        story.play(&mut mixer, 0.25);
        let mut pose = Pose::rest(&asset.skeleton);
        mixer.sample(&mut pose);
        pose
    };
    let [layered, run, attack] = [
        layered,
        Story::of_clip(&asset.skeleton, clip_of("Run")),
        Story::of_clip(&asset.skeleton, clip_of("Attack")),
    ]
    .map(|it| pose(&it));
    let chest = JointMask::subtree(&asset.skeleton, asset.skeleton.joint("chest").unwrap());
    for joint in asset.skeleton.joints() {
        let expected = if chest.weight(joint) > 0.0 { &attack } else { &run };
        assert_eq!(layered.joint(joint), expected.joint(joint), "{}", asset.skeleton.name(joint));
    }
}

#[test]
fn the_ground_moves_as_fast_as_what_plays() {
    let asset = hero();
    for &fade_kind in FadeKind::ALL {
        let story = Story::new(
            &asset.skeleton,
            Plan {
                clip: Some(clip(&asset, "Walk")),
                to: vec![To { clip: clip(&asset, "Run"), at_secs: Some(1.0) }],
                fade_secs: 0.5,
                fade_kind,
                ..Plan::default()
            },
        );
        let speeds: Vec<f64> = [0.5, 1.25, 1.6].map(|secs| story.ground_speed(secs, &[1.0, 3.0])).to_vec();
        assert!(speeds.iter().zip([1.0, 2.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-6), "{speeds:?}");
        assert!((story.ground_speed(story.secs(), &[1.0, 3.0]) - 1.0).abs() < 1e-6);
    }
}

/// In step, clips change their pace during a fade; the ground has to follow.
#[test]
fn the_ground_slides_as_far_as_clips_in_step_walk() {
    let asset = hero();
    let to = vec![To { clip: clip(&asset, "Run"), at_secs: Some(1.0) }];
    let plan = Plan { clip: Some(clip(&asset, "Walk")), to, fade_secs: 0.5, sync: true, ..Plan::default() };
    let story = Story::new(&asset.skeleton, plan);
    let mut playback = story.playback();
    let mut slid = |from: f64, to: f64| {
        playback.advance_to(from);
        let before = playback.mixer.clone();
        playback.advance_to(to);
        playback.slide(&before, |clip| story.speed_of(clip, &[1.02, 2.9]))
    };
    assert!((slid(0.2, 0.7) - 0.51).abs() < 1e-4);
    // Half and half: strides of 1.02 m and 2.03 m in the mean time of 1 s and 0.7 s.
    let halfway = slid(1.249, 1.251) / 0.002;
    assert!((halfway - 1.525 / 0.85).abs() < 0.02, "{halfway} m/s");
}

/// The keys of the documentation's film, pressed faster than fades end.
#[test]
fn where_a_key_is_pressed_a_dead_fade_bends_the_motion_less_than_a_crossfade() {
    const PRESSED: [(&str, f64); 6] =
        [("Run", 0.4), ("Attack", 0.6), ("Run", 0.8), ("Jump", 0.9), ("Attack", 1.0), ("Run", 1.15)];
    let asset = hero();
    let limbs = JointMask::matching(&asset.skeleton, ["*arm_?", "thigh_?", "shin_?"]).unwrap();
    let limbs: Vec<_> = asset.skeleton.joints().filter(|joint| limbs.weight(*joint) > 0.0).collect();
    // The largest change of the speed at which a limb turns, in radians a second, at the press of a key.
    let kink = |fade_kind| {
        let to = PRESSED.map(|(name, secs)| To { clip: clip(&asset, name), at_secs: Some(secs) }).to_vec();
        let clip = Some(clip(&asset, "Idle"));
        let story =
            Story::new(&asset.skeleton, Plan { clip, to, fade_secs: 0.3, fade_kind, ..Plan::default() });
        let mut mixer = Mixer::new(&asset.skeleton);
        let mut pose = |secs| {
            story.play(&mut mixer, secs);
            let mut pose = Pose::rest(&asset.skeleton);
            mixer.sample(&mut pose);
            pose
        };
        let turn = |a: &Pose, b: &Pose, joint| {
            let turn = a.joint(joint).rotation.inverse() * b.joint(joint).rotation;
            // The shorter way round.
            if turn.w < 0.0 { (-turn).to_scaled_axis() } else { turn.to_scaled_axis() }
        };
        let mut largest = 0.0_f32;
        for (_, secs) in PRESSED {
            const STEP_SECS: f64 = 1.0 / 240.0;
            let [a, b, c] = [secs - STEP_SECS, secs, secs + STEP_SECS].map(&mut pose);
            let change = |&joint| (turn(&b, &c, joint) - turn(&a, &b, joint)).length() * 240.0;
            largest = limbs.iter().map(change).fold(largest, f32::max);
        }
        largest
    };
    let [cross, dead] = [FadeKind::Cross, FadeKind::Dead].map(kink);
    assert!(dead < 0.7 * cross, "{cross} {dead}");
}
