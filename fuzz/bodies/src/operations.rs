//! Anything that can be done to a mixer.

use std::sync::Arc;

use canter::{
    ActionId, ActionMut, Clip, Easing, Fade, FadeKind, JointMask, LayerId, LoopMode, Marker, Mixer, Play,
    Pose, RootMotion, SyncGroup,
};

use crate::examine::assert_finite;
use crate::input::Input;
use crate::layers::{self, Layers};

/// A file may have many clips and joints; so many operations are enough.
const MOST: usize = 100;

/// Does to a mixer what the bytes say, with all numbers that there are; after each step it must be sound.
pub(crate) fn meddle(mut input: Input<'_>, mixer: &mut Mixer, clips: &[Arc<Clip>]) {
    let clips = &told(&mut input, mixer, clips);
    let mut pose = Pose::rest(mixer.skeleton());
    let mut ids: Vec<ActionId> = Vec::new();
    let mut layers = Layers::default();
    for _ in 0..MOST {
        if input.is_empty() {
            break;
        }
        step(&mut input, mixer, clips, &mut ids, &mut layers);
        mixer.sample(&mut pose);
        assert_finite(mixer.skeleton(), &pose);
        assert_sound(mixer);
        layers::assert_sound(mixer);
    }
}

/// The clips, some with markers and windows, some with the way of a joint taken out of them.
fn told(input: &mut Input<'_>, mixer: &Mixer, clips: &[Arc<Clip>]) -> Vec<Arc<Clip>> {
    let skeleton = mixer.skeleton();
    let mut tell = |clip: &Arc<Clip>| {
        let mut told = Clip::clone(clip);
        if skeleton.joint_count() > 0 && input.once_in(2) {
            let joint = skeleton.joint_at(input.below(skeleton.joint_count()));
            let split =
                joint.and_then(|joint| told.with_root_motion(skeleton, RootMotion::over_ground(joint)).ok());
            told = split.unwrap_or(told);
        }
        let markers = (0..input.byte() % 5).map(|_| {
            let part = |byte: u8| told.duration_secs() * f32::from(byte) / 255.0;
            let (from, length) = (part(input.byte()), part(input.byte()));
            Marker::window("marker", from, if input.once_in(2) { 0.0 } else { length })
        });
        let markers: Vec<_> = markers.collect();
        Arc::new(told.with_markers(markers).expect("markers within the clip"))
    };
    // Many clips take long to split.
    let few = clips.iter().take(4).map(&mut tell).collect::<Vec<_>>();
    few.into_iter().chain(clips.iter().skip(4).cloned()).collect()
}

fn step(
    input: &mut Input<'_>,
    mixer: &mut Mixer,
    clips: &[Arc<Clip>],
    ids: &mut Vec<ActionId>,
    layers: &mut Layers,
) {
    let operation = input.byte() % 24;
    // Some ids are stale; any call must take them.
    let known = (!ids.is_empty()).then(|| input.pick(ids));
    let clip = (!clips.is_empty()).then(|| &clips[input.below(clips.len())]);
    match (operation, known, clip) {
        (0 | 1, ..) => _ = mixer.advance(input.float()).len(),
        (2, ..) => _ = mixer.advance(f32::from(input.byte()) / 60.0).len(),
        (3, ..) => {
            mixer.set_speed(input.float());
            mixer.set_fades_follow_speed(input.once_in(2));
        }
        (4, _, Some(clip)) => ids.push(mixer.action(clip)),
        (5 | 6, _, Some(clip)) => {
            let play = play(input, mixer);
            ids.push(mixer.play(clip, play));
        }
        (7, _, Some(clip)) => {
            let fade = fade(input);
            ids.push(mixer.crossfade_to(clip, fade));
        }
        (8, ..) if input.once_in(4) => mixer.stop_all(),
        (9, ..) => *mixer = mixer.clone(),
        (10, ..) => {
            let state = mixer.state();
            let all = clips.iter().chain(&layers.additive);
            if let Ok(restored) = Mixer::from_state(mixer.skeleton(), &state, all) {
                *mixer = restored;
            }
        }
        (21.., ..) => layers.step(input, mixer, clips, ids),
        (_, Some(id), _) => _ = to_one(operation, input, mixer, id, ids),
        _ => (),
    }
}

fn to_one(
    operation: u8,
    input: &mut Input<'_>,
    mixer: &mut Mixer,
    id: ActionId,
    ids: &mut Vec<ActionId>,
) -> Option<()> {
    match operation {
        11 => mixer.stop(id)?,
        12..=18 => set(operation, input, mixer.get_mut(id)?),
        19 => {
            let mask = mask(input, mixer);
            mixer.get_mut(id)?.set_mask(mask);
        }
        20 => match input.byte() % 3 {
            0 => ids.push(mixer.fade_in(id, fade(input))?),
            1 => mixer.fade_out(id, fade(input))?,
            _ => {
                let to = input.pick(ids);
                ids.push(mixer.crossfade(id, to, fade(input))?);
            }
        },
        _ => _ = mixer.effective_weight(id),
    }
    Some(())
}

fn set(operation: u8, input: &mut Input<'_>, mut action: ActionMut<'_>) {
    match operation {
        12 => action.pause(),
        13 => action.resume(),
        14 => action.reset(),
        15 if input.once_in(2) => _ = action.scrub(input.float()),
        15 => _ = action.seek(input.float()),
        16 if input.once_in(4) => _ = action.set_ground_speed(input.float()),
        17 if input.once_in(4) => action.set_sync(sync(input)),
        16 => _ = action.set_speed(input.float()),
        17 => _ = action.set_weight(input.float()),
        _ if input.once_in(2) => _ = action.set_range_secs(input.float(), input.float()),
        _ => action.set_loop_mode(loop_mode(input)),
    }
}

pub(crate) fn play(input: &mut Input<'_>, mixer: &Mixer) -> Play {
    let loop_mode = loop_mode(input);
    if input.once_in(2) {
        return Play { loop_mode, ..Play::default() };
    }
    let start_secs = input.once_in(2).then(|| input.float());
    Play {
        loop_mode,
        speed: input.float(),
        weight: input.float(),
        start_secs,
        fade: fade(input),
        mask: mask(input, mixer),
        sync: sync(input),
        ground_speed: input.once_in(8).then(|| input.float()),
        range_secs: input.once_in(4).then(|| (input.float(), input.float())),
    }
}

fn sync(input: &mut Input<'_>) -> Option<SyncGroup> {
    match input.byte() % 5 {
        number @ 0..=1 => Some(SyncGroup::by_markers(number.into())),
        2 => Some(SyncGroup::cyclic(1)),
        _ => None,
    }
}

fn loop_mode(input: &mut Input<'_>) -> LoopMode {
    match input.byte() % 6 {
        0 => LoopMode::Once,
        1 => LoopMode::PingPong,
        2 => LoopMode::Times(u32::from(input.byte())),
        3 => LoopMode::Times(u32::MAX),
        _ => LoopMode::Repeat,
    }
}

pub(crate) fn fade(input: &mut Input<'_>) -> Fade {
    let byte = usize::from(input.byte());
    let easing = Easing::ALL[byte % Easing::ALL.len()];
    let kind = FadeKind::ALL[byte / Easing::ALL.len() % FadeKind::ALL.len()];
    Fade { secs: input.float(), easing, kind }
}

pub(crate) fn mask(input: &mut Input<'_>, mixer: &Mixer) -> Option<Arc<JointMask>> {
    let skeleton = mixer.skeleton();
    if skeleton.joint_count() == 0 || input.once_in(2) {
        return None;
    }
    let top = skeleton.joint_at(input.below(skeleton.joint_count()))?;
    let mut mask = JointMask::subtree(skeleton, top);
    mask.set(top, input.float());
    for morph in skeleton.morphs().take(2) {
        mask.set_morph(morph, input.float());
    }
    Some(Arc::new(mask))
}

fn assert_sound(mixer: &Mixer) {
    let step = mixer.root_motion();
    assert!(step.transform.translation.is_finite() && step.transform.rotation.is_finite(), "{step:?}");
    assert!(step.velocity.is_finite() && step.yaw_rate.is_finite(), "{step:?}");
    for marker in mixer.markers().take(100) {
        assert!(marker.weight.is_finite() && marker.secs_ago.is_finite(), "{marker:?}");
    }
    for (id, action) in mixer.actions() {
        let secs = action.time_secs();
        assert!((0.0..=action.clip().duration_secs()).contains(&secs), "an action at {secs} s");
        assert!((0.0..=1.0).contains(&action.fade_level()), "faded to {}", action.fade_level());
        assert!(action.unwrapped_secs().is_finite(), "a time without end");
        let weight = mixer.effective_weight(id);
        let most = if action.clip().is_additive() { f32::MAX } else { 1.0 };
        assert!(weight.is_some_and(|weight| (0.0..=most).contains(&weight)), "a share of {weight:?}");
        assert!(id.layer() == LayerId::BASE || mixer.layer(id.layer()).is_some(), "an action of no layer");
    }
}
