//! The laws of blending.

use std::sync::Arc;

use proptest::prelude::*;

use canter::glam::{DQuat, Quat, Vec3};
use canter::{ActionId, Clip, Fade, JointMask, Mixer, Play, Pose, Skeleton, Track, Transform};
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{KINDS, Spec};
use canter_testing::{bits, cases, distance, height, one_joint, root, stand, turned};

fn weighing(weight: f32) -> Play {
    Play { weight, ..Play::default() }
}

fn sampled(mixer: &mut Mixer) -> Pose {
    let mut pose = Pose::rest(mixer.skeleton());
    mixer.sample(&mut pose);
    pose
}

/// A skeleton of one joint with this rest rotation.
fn resting(rotation: Quat) -> Arc<Skeleton> {
    let mut builder = Skeleton::builder();
    builder.joint("joint", None, Transform::from_rotation(rotation));
    Arc::new(builder.build().unwrap())
}

/// Some clips that move everything, and a mask or none for each.
fn crowd_of_clips(random: &mut Random, rig: &Rig, count: usize) -> Vec<(Arc<Clip>, Play)> {
    let mut clips: Vec<(Arc<Clip>, Play)> = Vec::new();
    for index in 0..count {
        let clip = match random.below(3) {
            // The same content once more: only what the action does tells them apart.
            0 if index > 0 => Arc::new(Clip::clone(&clips[0].0)),
            _ => {
                let kind = random.pick(&KINDS);
                Arc::new(Spec::random(random, rig, kind).build(rig, "clip"))
            }
        };
        let mask = random.chance(0.4).then(|| {
            let mut mask = JointMask::none(&rig.skeleton);
            for joint in rig.skeleton.joints() {
                mask.set(joint, random.pick(&[0.0, 0.3, 1.0]));
            }
            Arc::new(mask)
        });
        // Equal weights and equal times happen.
        let weight = random.pick(&[0.5, 0.25, 0.1, 0.02]);
        let start_secs = Some(random.pick(&[0.0, 0.1, 0.3]));
        clips.push((clip, Play { weight, start_secs, mask, ..Play::default() }));
    }
    clips
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn the_order_in_which_actions_were_started_does_not_matter(
        seed in any::<u64>(),
        joints in 1_usize..20,
        count in 2_usize..9,
    ) {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, joints);
        let mut clips = crowd_of_clips(&mut random, &rig, count);
        let mut first = None;
        for _ in 0..3 {
            let mut mixer = Mixer::new(&rig.skeleton);
            for (clip, play) in &clips {
                mixer.play(clip, play.clone());
            }
            let bits = bits(&rig.skeleton, &sampled(&mut mixer));
            prop_assert_eq!(first.get_or_insert_with(|| bits.clone()), &bits);
            random.shuffle(&mut clips);
        }
    }

    #[test]
    fn rotations_within_a_right_angle_never_blend_to_something_outside_of_them(
        seed in any::<u64>(),
        count in 1_usize..7,
    ) {
        let mut random = Random(seed);
        // Wherever the rest pose is.
        let skeleton = resting(random.turn(180.0));
        let centre = random.turn(180.0);
        let mut mixer = Mixer::new(&skeleton);
        let mut parts = Vec::new();
        for index in 0..count {
            let sign = random.pick(&[1.0, -1.0]);
            let rotation = random.turn(45.0) * centre * sign;
            let weight = random.between(0.1, 1.0);
            mixer.play(&turned(&skeleton, &format!("clip {index}"), rotation), weighing(weight));
            parts.push((rotation.as_dquat().normalize(), f64::from(weight)));
        }
        let got = sampled(&mut mixer).joint(root(&skeleton)).rotation.as_dquat();
        prop_assert!((got.length() - 1.0).abs() < 1e-6);
        let widest = parts.iter().flat_map(|(a, _)| parts.iter().map(|(b, _)| angle(*a, *b))).fold(0.0, f64::max);
        prop_assert!(widest <= 90.5);
        let aligned = |q: DQuat| if q.dot(parts[0].0) < 0.0 { -q } else { q };
        let sum = parts.iter().fold(DQuat::from_array([0.0; 4]), |sum, (q, weight)| sum + aligned(*q) * *weight);
        // A sum with positive weights only: inside of the cone that they span.
        prop_assert!(angle(got, sum.normalize()) < 1e-3, "{} degrees off", angle(got, sum.normalize()));
        for (rotation, _) in &parts {
            prop_assert!(angle(got, *rotation) <= widest + 1e-3);
        }
    }

    #[test]
    fn one_action_is_its_clip_bit_for_bit_at_any_weight(
        seed in any::<u64>(),
        joints in 1_usize..40,
        kind in 0..KINDS.len(),
        weight in prop_oneof![Just(1.0_f32), Just(0.3), Just(0.1), Just(7.0), 0.1_f32..2.0],
        dt_secs in 0.0_f32..2.0,
        is_masked in any::<bool>(),
    ) {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, joints);
        let clip = Arc::new(Spec::random(&mut random, &rig, KINDS[kind]).build(&rig, "clip"));
        let mut mixer = Mixer::new(&rig.skeleton);
        let mask = is_masked.then(|| ones(&rig.skeleton));
        let id = mixer.play(&clip, Play { weight, mask, ..Play::default() });
        mixer.advance(dt_secs);
        let mut pose = Pose::rest(&rig.skeleton);
        clip.sample(mixer.get(id).unwrap().time_secs(), &mut pose);
        prop_assert_eq!(bits(&rig.skeleton, &sampled(&mut mixer)), bits(&rig.skeleton, &pose));
    }

    #[test]
    fn equal_poses_blend_to_themselves(seed in any::<u64>(), joints in 1_usize..20, count in 2_usize..6) {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, joints);
        let kind = random.pick(&KINDS);
        let spec = Spec::random(&mut random, &rig, kind);
        let secs = random.between(0.0, spec.duration_secs());
        let mut mixer = Mixer::new(&rig.skeleton);
        for index in 0..count {
            let clip = Arc::new(spec.build(&rig, &format!("clip {index}")));
            let weight = random.between(0.1, 1.0);
            mixer.play(&clip, Play { weight, start_secs: Some(secs), ..Play::default() });
        }
        let mut alone = Pose::rest(&rig.skeleton);
        spec.build(&rig, "clip").sample(secs, &mut alone);
        let apart = distance(&rig.skeleton, &sampled(&mut mixer), &alone);
        prop_assert!(apart < 2e-6, "{}", apart);
    }

    #[test]
    fn a_mask_of_ones_is_no_mask_bit_for_bit(seed in any::<u64>(), joints in 1_usize..30, count in 1_usize..5) {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, joints);
        let weight_scale = random.pick(&[1.0, 0.05]);
        let (mut plain, mut masked) = (Mixer::new(&rig.skeleton), Mixer::new(&rig.skeleton));
        for _ in 0..count {
            let kind = random.pick(&KINDS);
            let clip = Arc::new(Spec::random(&mut random, &rig, kind).build(&rig, "clip"));
            let play = Play { weight: random.between(0.1, 1.0) * weight_scale, start_secs: Some(0.1), ..Play::default() };
            plain.play(&clip, play.clone());
            masked.play(&clip, Play { mask: Some(ones(&rig.skeleton)), ..play });
        }
        prop_assert_eq!(bits(&rig.skeleton, &sampled(&mut plain)), bits(&rig.skeleton, &sampled(&mut masked)));
    }

    #[test]
    fn effective_weights_add_up_to_one_with_the_rest_pose(
        weights in prop::collection::vec(prop_oneof![Just(0.0_f32), 0.0_f32..1.0], 1..8),
        secs in 0.0_f32..2.0,
    ) {
        let skeleton = one_joint();
        let mut mixer = Mixer::new(&skeleton);
        let fading = |(index, weight): (u16, &f32)| {
            let fade = Fade::from(f32::from(index % 3));
            mixer.play(&stand(&skeleton, "clip", 1.0), Play { fade, ..weighing(*weight) })
        };
        let ids: Vec<ActionId> = (0_u16..).zip(&weights).map(fading).collect();
        mixer.fade_out(ids[0], 1.0);
        mixer.advance(secs);
        let sum: f32 = ids.iter().filter_map(|id| mixer.effective_weight(*id)).sum();
        prop_assert!((sum + mixer.rest_weight() - 1.0).abs() < 1e-5);
        // What the pose shows is what they say: everything stands at 1, the rest pose at 0.
        prop_assert!((height(&sampled(&mut mixer), &skeleton) - sum).abs() < 1e-5);
    }
}

fn ones(skeleton: &Skeleton) -> Arc<JointMask> {
    let mut mask = JointMask::joints(skeleton, skeleton.joints());
    for morph in skeleton.morphs() {
        mask.set_morph(morph, 1.0);
    }
    Arc::new(mask)
}

/// The angle between two rotations in degrees.
fn angle(a: DQuat, b: DQuat) -> f64 {
    (2.0 * a.normalize().dot(b.normalize()).abs().min(1.0).acos()).to_degrees()
}

/// Walks weights from one set to another in small steps, and checks that the pose moves in small steps.
fn walk_weights(mixer: &mut Mixer, ids: &[ActionId], from: &[f32], to: &[f32]) -> Result<(), TestCaseError> {
    const STEPS: u16 = 200;
    let skeleton = Arc::clone(mixer.skeleton());
    let mut before = None;
    for step in 0..=STEPS {
        let part = f32::from(step) / f32::from(STEPS);
        let mut sum = 0.0;
        for ((id, from), to) in ids.iter().zip(from).zip(to) {
            let weight = (from + (to - from) * part).max(0.0);
            sum += weight;
            mixer.get_mut(*id).unwrap().set_weight(weight).unwrap();
        }
        let pose = sampled(mixer);
        let change: f32 =
            from.iter().zip(to).map(|(from, to)| (to - from).abs()).sum::<f32>() / f32::from(STEPS);
        // Shares move by twice the change over the whole; numbers are at most 2 apart; a sum of rotations is
        // half as long at least, or a right angle's.
        let most = 8.0 * change / sum.max(change) + 1e-5;
        if let Some(before) = before.replace(pose.clone()) {
            let apart = distance(&skeleton, &before, &pose);
            prop_assert!(
                apart <= most,
                "step {}: the pose jumps by {}, expected at most {}",
                step,
                apart,
                most
            );
        }
    }
    Ok(())
}

fn start(random: &mut Random, skeleton: &Arc<Skeleton>, rotations: &[Quat]) -> (Mixer, Vec<ActionId>) {
    let mut mixer = Mixer::new(skeleton);
    let ids = rotations.iter().enumerate().map(|(index, rotation)| {
        let mut clip = Clip::builder(format!("clip {index}"), skeleton);
        let joint = root(skeleton);
        clip.rotation(joint, Track::linear(vec![0.0, 1.0], vec![*rotation; 2]));
        clip.translation(joint, Track::linear(vec![0.0, 1.0], vec![random.vector(1.0); 2]));
        mixer.play(&Arc::new(clip.build().unwrap()), Play::default())
    });
    let ids = ids.collect();
    (mixer, ids)
}

proptest! {
    #![proptest_config(cases(100))]

    /// Two actions, whatever they are, even half a turn apart.
    #[test]
    fn two_actions_blend_continuously(seed in any::<u64>()) {
        let mut random = Random(seed);
        let skeleton = resting(random.turn(180.0));
        let rotations = [random.turn(180.0), random.turn(180.0)];
        let (mut mixer, ids) = start(&mut random, &skeleton, &rotations);
        let weights = [(); 4].map(|()| random.between(0.0, 1.0));
        walk_weights(&mut mixer, &ids, &[1.0, 0.0], &[0.0, 1.0])?;
        walk_weights(&mut mixer, &ids, &[weights[0] + 0.1, weights[1]], &[weights[2] + 0.1, weights[3]])?;
    }

    /// Any number of actions within a right angle of each other; weights that go to zero, and pass each
    /// other.
    #[test]
    fn the_pose_is_continuous_in_the_weights(seed in any::<u64>(), count in 1_usize..6) {
        let mut random = Random(seed);
        let centre = random.turn(180.0);
        let skeleton = resting(random.turn(45.0) * centre);
        let rotations: Vec<Quat> =
            (0..count).map(|_| random.turn(45.0) * centre * random.pick(&[1.0, -1.0])).collect();
        let (mut mixer, ids) = start(&mut random, &skeleton, &rotations);
        let mut weights = |most: f32| (0..count).map(|_| random.between(0.01, most)).collect::<Vec<f32>>();
        let (a, b, faint) = (weights(1.0), weights(1.0), weights(0.05));
        walk_weights(&mut mixer, &ids, &a, &b)?;
        walk_weights(&mut mixer, &ids, &b, &faint)?;
    }

    /// The last action fades out to the rest pose evenly, wherever either of them is.
    #[test]
    fn the_last_action_fades_to_the_rest_pose(seed in any::<u64>()) {
        const STEPS: u16 = 64;
        let mut random = Random(seed);
        let skeleton = resting(random.turn(180.0));
        let rotation = random.turn(180.0);
        let (mut mixer, ids) = start(&mut random, &skeleton, &[rotation]);
        let mut before = sampled(&mut mixer);
        mixer.fade_out(ids[0], 1.0);
        for _ in 0..STEPS {
            mixer.advance(1.0 / f32::from(STEPS));
            let pose = sampled(&mut mixer);
            let apart = distance(&skeleton, &before, &pose);
            // Numbers are at most 2 apart; a sum of rotations is half as long at least, or a right angle's.
            prop_assert!(apart <= 4.0 / f32::from(STEPS), "the pose jumps by {}", apart);
            before = pose;
        }
        prop_assert_eq!(bits(&skeleton, &sampled(&mut mixer)), bits(&skeleton, &Pose::rest(&skeleton)));
    }
}

/// The shortest ways from 0 to 120 to 240 degrees and back to 0 lead once round: no blend can take all three
/// and be continuous. It still is a rotation, and the same whatever was started first.
#[test]
fn three_rotations_all_round_blend_to_some_rotation() {
    let skeleton = one_joint();
    let rotations = [0.0_f32, 120.0, 240.0].map(|degrees| Quat::from_rotation_z(degrees.to_radians()));
    for first in 0..3 {
        let mut mixer = Mixer::new(&skeleton);
        for index in 0..3 {
            mixer.play(&turned(&skeleton, "clip", rotations[(first + index) % 3]), weighing(1.0));
        }
        let rotation = sampled(&mut mixer).joint(root(&skeleton)).rotation;
        assert!(rotation.is_normalized());
        assert!(rotation.xyz().abs_diff_eq(Vec3::Z * rotation.z, 0.0));
    }
}

#[test]
fn weights_are_divided_by_their_sum_and_the_rest_pose_shows_when_there_is_none() {
    let skeleton = one_joint();
    let (low, high) = (stand(&skeleton, "low", 1.0), stand(&skeleton, "high", 4.0));
    // Weights of the two, and how high that is; the rest pose is at 0.
    let table = [
        (1.0, 0.0, 1.0),
        (1.0, 1.0, 2.5),
        (0.3, 0.1, 1.75),
        (2.0, 6.0, 3.25),
        (0.0, 0.05, 4.0),
        (0.8, 0.8, 2.5),
        (1e-30, 1e-30, 2.5),
        (1e18, 1e18, 2.5),
        (0.0, 0.0, 0.0),
    ];
    for (of_low, of_high, expected) in table {
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&low, weighing(of_low));
        mixer.play(&high, weighing(of_high));
        let got = height(&sampled(&mut mixer), &skeleton);
        assert!((got - expected).abs() < 1e-6, "{of_low}, {of_high}: {got}, not {expected}");
    }
}

#[test]
fn a_joint_without_a_track_is_at_rest_in_a_clip() {
    let mut builder = Skeleton::builder();
    builder.joint("moved", None, Transform::IDENTITY);
    builder.joint("still", Some(0), Transform::from_translation(Vec3::X * 3.0));
    let skeleton = Arc::new(builder.build().unwrap());
    let still = skeleton.joint("still").unwrap();
    let mut clip = Clip::builder("other", &skeleton);
    clip.translation(still, Track::linear(vec![0.0], vec![Vec3::X * 5.0]));
    let other = Arc::new(clip.build().unwrap());
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&stand(&skeleton, "stand", 1.0), Play::default());
    assert_eq!(sampled(&mut mixer).joint(still).translation, Vec3::X * 3.0);
    mixer.play(&other, Play::default());
    assert_eq!(sampled(&mut mixer).joint(still).translation, Vec3::X * 4.0);
}

/// Joints stand in groups of eight: those of the first are moved by the first joint's track.
#[test]
fn what_no_clip_moves_is_where_the_rest_pose_has_it_to_the_bit() {
    let rig = Rig::random(&mut Random(5), 40);
    let first = rig.skeleton.joint_at(0).unwrap();
    let clip = |turn: f32| {
        let mut clip = Clip::builder("turn", &rig.skeleton);
        let times = || vec![0.0, 0.4, 1.0];
        clip.translation(first, Track::linear(times(), vec![Vec3::ZERO, Vec3::splat(turn), Vec3::ZERO]));
        for joint in rig.skeleton.joints() {
            let turns = [0.0, turn, 0.0].map(Quat::from_rotation_x);
            clip.rotation(joint, Track::linear(times(), turns.to_vec()));
        }
        Arc::new(clip.build().unwrap())
    };
    let clips = [clip(0.05), clip(0.11), clip(1.9)];
    let mut faint = JointMask::none(&rig.skeleton);
    rig.skeleton.joints().for_each(|joint| faint.set(joint, 0.3));
    for (count, mask) in [(2, None), (3, None), (2, Some(Arc::new(faint)))] {
        let mut mixer = Mixer::new(&rig.skeleton);
        for (clip, weight) in clips.iter().zip([0.3, 0.1, 0.17]).take(count) {
            mixer.play(clip, Play { mask: mask.clone(), ..weighing(weight) });
        }
        for _ in 0..50 {
            mixer.advance(0.017);
            let pose = sampled(&mut mixer);
            for joint in rig.skeleton.joints().skip(8) {
                let (blended, rest) = (pose.joint(joint), rig.skeleton.rest(joint));
                let bits = |of: Transform| [of.translation, of.scale].map(|v| v.to_array().map(f32::to_bits));
                assert_eq!(bits(blended), bits(rest), "{count} clips, joint {joint:?}");
                assert_ne!(blended.rotation, rest.rotation);
            }
        }
    }
}

#[test]
fn morph_weights_blend_with_the_same_effective_weights() {
    let mut builder = Skeleton::builder();
    builder.joint("joint", None, Transform::IDENTITY);
    let face = builder.morph_set("face", vec![1.0, 0.0]);
    let skeleton = Arc::new(builder.build().unwrap());
    let clip = |name: &str, weights: [f32; 2]| {
        let mut clip = Clip::builder(name, &skeleton);
        clip.morph_weights(face, Track::linear(vec![0.0], weights.to_vec()));
        Arc::new(clip.build().unwrap())
    };
    let (smile, frown) = (clip("smile", [0.0, 1.0]), clip("frown", [0.5, 0.0]));
    for (of_smile, of_frown, secs) in
        [(1.0, 0.0, 0.0), (1.0, 3.0, 0.0), (0.02, 0.03, 1.0), (0.25, 0.25, 1.0), (0.0, 0.0, 0.0)]
    {
        let mut mixer = Mixer::new(&skeleton);
        let fade = Fade::from(secs);
        let a = mixer.play(&smile, Play { fade, ..weighing(of_smile) });
        let b = mixer.play(&frown, Play { fade, ..weighing(of_frown) });
        mixer.advance(0.25);
        let (a, b) = (mixer.effective_weight(a).unwrap(), mixer.effective_weight(b).unwrap());
        let rest = 1.0 - a - b;
        let expected = [b * 0.5 + rest, a];
        let pose = sampled(&mut mixer);
        for (got, expected) in pose.morph_weights(face).iter().zip(expected) {
            assert!((got - expected).abs() < 1e-6, "{of_smile}, {of_frown}: {got}, not {expected}");
        }
    }
}
