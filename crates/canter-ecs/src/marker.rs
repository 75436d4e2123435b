//! The markers that entities have crossed.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use canter::{MarkerEvent, Mixer};

/// So many are told of an entity in one step: far more than happen in play, and a step of an hour does not
/// fill the memory.
const MOST_MARKERS: usize = 1024;

/// A marker of a clip that an entity's [`AnimationMixer`](crate::AnimationMixer) or
/// [`AnimationPlayer`](crate::AnimationPlayer) has crossed: a foot came down, a blade may hurt from now on.
///
/// A message: read it with a `MessageReader<AnimationMarker>`. In the order of time, per entity, each exactly
/// once however time is cut into frames; it is kept for two frames, so that readers before and after the
/// animation's systems see all of them. Mixers tell in [`AnimationSet::Advance`](crate::AnimationSet),
/// players in [`AnimationSet::Sample`](crate::AnimationSet).
///
/// ```
/// # use bevy_ecs::prelude::*;
/// use canter_ecs::AnimationMarker;
///
/// fn sound(mut markers: MessageReader<AnimationMarker>) {
///     // A run that hardly shows makes no sound.
///     for AnimationMarker { entity, event } in markers.read().filter(|marker| marker.event.weight > 0.1) {
///         if event.name.starts_with("foot_") {
///             // … play the sound of a step at the entity, `event.secs_ago` late
/// #           let _ = entity;
///         }
///     }
/// }
/// # let mut schedule = Schedule::default();
/// # schedule.add_systems(sound);
/// ```
///
/// Of a step that crosses more than 1024 markers of an entity only the first ones are told, with a warning.
/// Who is despawned within a window, or loses what plays its clips, does not tell that it was left.
#[derive(Message, Clone, Debug)]
pub struct AnimationMarker {
    /// Who.
    pub entity: Entity,
    /// What and when.
    pub event: MarkerEvent,
}

/// Tells markers.
#[derive(SystemParam)]
pub(crate) struct MarkerWriter<'w, 's> {
    messages: ResMut<'w, Messages<AnimationMarker>>,
    has_warned: Local<'s, bool>,
}

impl MarkerWriter<'_, '_> {
    /// A frame begins: those of the frame before the last are dropped.
    pub(crate) fn begin_frame(&mut self) {
        self.messages.update();
    }

    /// Tells what the last step of a mixer has crossed.
    pub(crate) fn tell(&mut self, entity: Entity, mixer: &Mixer) {
        self.tell_of_piece(entity, mixer, 0.0);
    }

    /// The same of a piece of a frame, after which so much of the frame comes.
    pub(crate) fn tell_of_piece(&mut self, entity: Entity, mixer: &Mixer, later_secs: f32) {
        // Asked once where there is nothing, which is the rule.
        for (count, mut event) in mixer.markers().enumerate() {
            if count == MOST_MARKERS {
                self.warn(entity);
                break;
            }
            event.secs_ago += later_secs;
            self.messages.write(AnimationMarker { entity, event });
        }
    }

    #[cold]
    fn warn(&mut self, entity: Entity) {
        if !std::mem::replace(&mut *self.has_warned, true) {
            log::warn!("{entity}: more than {MOST_MARKERS} markers in one step; the later ones are not told");
        }
    }
}
