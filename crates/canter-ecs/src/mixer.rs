//! The mixer as a component: fades, layers, events.

use std::hash::{DefaultHasher, Hasher};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::{Action, Event, LoopMode, Mixer};

use crate::event::AnimationEvent;
use crate::graph::{AnimationGraph, GraphParameters};
use crate::marker::MarkerWriter;
use crate::model_pose::ModelPose;
use crate::palette::Palette;
use crate::parallel::for_each;
use crate::player::AnimationPlayer;
use crate::pose::Pose;
use crate::rig::Rig;
use crate::root_motion::Root;
use crate::time::Time;

/// Plays, fades and blends the clips of an entity; goes beside a [`Rig`]. It is used as a [`Mixer`]: it has
/// layers, and fades of every kind.
///
/// ```
/// # use bevy_ecs::prelude::*;
/// use canter::{Fade, JointMask, Layer, LayerId, Play, PlayError};
/// use canter_ecs::{AnimationMixer, Rig};
/// # use std::sync::Arc;
///
/// /// The layer of an entity's upper body.
/// #[derive(Component)]
/// struct UpperBody(LayerId);
///
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
/// # let hero = canter_gltf::load("assets/hero.glb")?;
/// # let mut world = World::new();
/// let rig = Rig::new(&hero.skeleton, hero.skins.clone());
/// let mut mixer = AnimationMixer::new(&rig);
/// mixer.play(hero.clip("Run")?, Play::default());
/// let chest = rig.joint("chest").ok_or("no chest")?;
/// let upper_body = mixer.add_layer(Layer::over(JointMask::subtree(&rig, chest).feathered(&rig, 2)));
/// world.spawn((rig, mixer, UpperBody(upper_body)));
///
/// # let attack = Arc::clone(hero.clip("Attack")?);
/// let strike = move |mut figures: Query<(&mut AnimationMixer, &UpperBody)>| -> Result<(), PlayError> {
///     for (mut mixer, layer) in &mut figures {
///         if let Some(mut layer) = mixer.layer_mut(layer.0) {
///             layer.play(&attack, Play { fade: Fade::dead(0.1), ..Play::once() })?;
///         }
///     }
///     Ok(())
/// };
/// # bevy_ecs::system::RunSystemOnce::run_system_once(&mut world, strike).unwrap().unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Marked as changed in frames in which something moved or was asked of it, and not while everything is
/// paused or has ended.
#[derive(Component, Clone, Debug)]
pub struct AnimationMixer {
    mixer: Mixer,
    has_warned: bool,
}

/// Entities that go through the stages one by one; see
/// [`animation_playback_system`](crate::animation_playback_system) for the others.
pub(crate) type Staged = Or<(With<AnimationMixer>, Without<AnimationPlayer>)>;

/// Mixers that nothing but time moves.
type Undriven = Or<(Without<AnimationGraph>, Without<GraphParameters>)>;

impl AnimationMixer {
    /// A mixer that plays nothing.
    #[must_use]
    pub fn new(skeleton: &Rig) -> Self {
        Mixer::new(skeleton.shared()).into()
    }
}

impl From<Mixer> for AnimationMixer {
    /// A mixer in any state. It must be one of the entity's very skeleton, the same `Arc`.
    fn from(mixer: Mixer) -> Self {
        Self { mixer, has_warned: false }
    }
}

impl Deref for AnimationMixer {
    type Target = Mixer;

    fn deref(&self) -> &Mixer {
        &self.mixer
    }
}

impl DerefMut for AnimationMixer {
    fn deref_mut(&mut self) -> &mut Mixer {
        &mut self.mixer
    }
}

/// Advances all mixers that no graph drives, tells what happened and which way they went. Takes little time beside the other
/// stages, and stays on one thread so that messages come in the same order every time.
pub(crate) fn advance_mixers(
    time: Res<'_, Time>,
    mut mixers: Query<'_, '_, (Entity, &'static mut AnimationMixer, Option<Root>), Undriven>,
    mut messages: ResMut<'_, Messages<AnimationEvent>>,
    mut markers: MarkerWriter<'_, '_>,
) {
    messages.update();
    markers.begin_frame();
    for (entity, mut component, root) in &mut mixers {
        let mixer = &mut component.bypass_change_detection().mixer;
        let moves = time.delta_secs > 0.0 && moves(mixer);
        let synced = if moves { None } else { synced_moments(mixer) };
        for Event { action, clip, kind, secs_ago } in mixer.advance(time.delta_secs) {
            messages.write(AnimationEvent { entity, action, clip, kind, secs_ago });
        }
        markers.tell(entity, mixer);
        if let Some(mut root) = root {
            root.follow(mixer.root_motion());
        }
        if moves || synced != synced.and_then(|_| synced_moments(mixer)) {
            component.set_changed();
        }
    }
}

/// Whether a step of time changes anything: a fade of any kind, the weight of a layer, or a clock that runs
/// by itself.
pub(crate) fn moves(mixer: &Mixer) -> bool {
    let fades_run = mixer.is_fading() && !(mixer.fades_follow_speed() && mixer.speed() == 0.0);
    let runs = |action: &Action| action.is_started() && action.sync().is_none() && clock_runs(mixer, action);
    fades_run || mixer.actions().any(|(_, action)| runs(action))
}

/// A hash of where the actions are that are kept in step: each goes where its leader leads it, or stands with
/// it, whatever its own speed is. `None` if there are none.
fn synced_moments(mixer: &Mixer) -> Option<u64> {
    let mut synced = mixer.actions().filter(|(_, action)| action.sync().is_some()).peekable();
    synced.peek()?;
    let mut hasher = DefaultHasher::new();
    for (_, action) in synced {
        let moment = action.clock().moment();
        hasher.write_i64(moment.loops);
        hasher.write_u64(moment.secs.to_bits());
    }
    Some(hasher.finish())
}

fn clock_runs(mixer: &Mixer, action: &Action) -> bool {
    let (start_secs, end_secs) = action.clock().range_secs();
    let is_endless = matches!(action.loop_mode(), LoopMode::Repeat | LoopMode::PingPong);
    // One that has finished runs again if it is turned round.
    let is_at_its_end = action.is_finished()
        && if action.speed() > 0.0 {
            action.time_secs() >= end_secs
        } else {
            action.time_secs() <= start_secs
        };
    let has_one_pose = is_endless && end_secs <= start_secs;
    let stands_still = action.is_paused() || mixer.speed() * action.speed() == 0.0;
    !stands_still && !is_at_its_end && !has_one_pose
}

/// A mixer and what follows from it.
type Figure = (
    (&'static mut AnimationMixer, &'static Rig),
    (&'static mut Pose, &'static mut ModelPose, &'static mut Palette),
);

/// Samples the mixers that changed, and those whose pose was edited.
///
/// Composes them and writes their palettes as well, while everything is at hand: a thousand characters later
/// it would have to be fetched again from far away, which costs as much as calculating it. The next stage
/// repeats that for what is edited in between.
pub(crate) fn sample_mixers(figures: Query<'_, '_, Figure>) {
    for_each(figures, |((mut mixer, skeleton), (mut pose, mut model, mut palette))| {
        if !(mixer.is_changed() || pose.is_changed()) {
            return;
        }
        let mixer = mixer.bypass_change_detection();
        if Arc::ptr_eq(mixer.mixer.skeleton(), pose.skeleton()) {
            mixer.mixer.sample(pose.pose_mut());
        } else {
            pose.reset();
            if !std::mem::replace(&mut mixer.has_warned, true) {
                log::warn!("a mixer of another skeleton than its entity's: the entity stays at rest");
            }
        }
        model.compose(&pose);
        palette.write(skeleton, &model);
    });
}
