//! What JavaScript calls: each function is one call of the host.
#![allow(
    unsafe_code,
    reason = "exported names are `unsafe`: they might clash with others of one program. This is the whole program, and \
              no address that comes from outside is ever followed"
)]

use crate::action::{Address, fade};
use crate::host::with;

/// Writes the functions, each under its own name.
macro_rules! exports {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)? $body:block)*) => {
        $(
            $(#[$doc])*
            #[unsafe(no_mangle)]
            extern "C" fn $name($($argument: $kind),*) $(-> $result)? $body
        )*
    };
}

exports! {
    // What is no number.
    fn input(len: usize) -> usize { with(|host| host.make_input(len)) }
    fn answer() -> usize { with(|host| host.answer.as_ptr().addr()) }

    // Files.
    fn has_meshes() -> u32 { cfg!(feature = "meshes").into() }
    fn file_add(name_len: usize) { with(|host| host.add_file(name_len)); }
    fn model_load(images: u32) -> u32 { with(|host| host.load(images != 0)) }
    fn model_free(model: u32) { with(|host| drop(host.models.remove(model))); }
    fn model_describe(model: u32) { with(|host| host.describe(model)); }
    fn model_add_clips(model: u32, other: u32) -> u32 { with(|host| host.add_clips(model, other).into()) }
    fn model_vertices(model: u32, mesh: u32, primitive: u32, kind: u32, set: u32) {
        with(|host| host.vertices(model, mesh, primitive, kind, set));
    }
    fn model_image(model: u32, image: u32) { with(|host| host.image(model, image)); }

    // Posed skeletons.
    fn rig_new(model: u32, is_packed: u32) -> u32 { with(|host| host.new_rig(model, is_packed != 0)) }
    fn rig_free(rig: u32) { with(|host| drop(host.rigs.remove(rig))); }
    fn rig_palette(rig: u32, skin: u32) { with(|host| host.palette(rig, skin)); }
    fn rig_matrices(rig: u32) { with(|host| host.model_matrices(rig)); }
    fn rig_joint(rig: u32, joint: u32) { with(|host| host.joint(rig, joint)); }
    fn rig_set_joint(rig: u32, joint: u32) { with(|host| host.set_joint(rig, joint)); }
    fn rig_compose(rig: u32) { with(|host| host.compose(rig)); }
    fn rig_reset(rig: u32) { with(|host| host.reset_pose(rig)); }
    fn rig_morph(rig: u32, morph: u32) { with(|host| host.morph_weights(rig, morph)); }

    // Mixers and crowds.
    fn mixer_new(model: u32) -> u32 { with(|host| host.new_mixer(model)) }
    fn mixer_update(mixer: u32, rig: u32, dt_secs: f32) -> u32 { with(|host| host.update(mixer, rig, dt_secs)) }
    fn crowd_new(model: u32, is_packed: u32) -> u32 { with(|host| host.new_crowd(model, is_packed != 0)) }
    fn crowd_spawn(crowd: u32) -> u32 { with(|host| host.spawn(crowd)) }
    fn crowd_remove(crowd: u32, member: u32) { with(|host| host.remove_member(crowd, member)); }
    fn crowd_update(crowd: u32, dt_secs: f32, wants_events: u32) -> u32 {
        with(|host| host.update_crowd(crowd, dt_secs, wants_events != 0))
    }
    fn crowd_palette(crowd: u32) { with(|host| host.crowd_palette(crowd)); }
    fn band_free(band: u32) { with(|host| drop(host.bands.remove(band))); }
    fn band_events(band: u32) { with(|host| host.events(band)); }
    fn stop_all(band: u32, member: u32) { with(|host| host.stop_all(band, member)); }
    fn set_rest_threshold(band: u32, member: u32, threshold: f32) {
        with(|host| host.set_rest_threshold(band, member, threshold));
    }

    // Actions.
    fn action_play(
        band: u32, member: u32, clip: u32, mode: u32, times: u32, speed: f32, weight: f32, start_secs: f32
    ) -> u32 {
        with(|host| host.play(Address { band, member, clip }, (mode, times), speed, weight, start_secs).into())
    }
    fn action_make(band: u32, member: u32, clip: u32) -> u32 {
        with(|host| host.on_new_action(Address { band, member, clip }, |_, _| Some(())).into())
    }
    fn action_resume(band: u32, member: u32, clip: u32) -> u32 {
        with(|host| host.resume(Address { band, member, clip }).into())
    }
    fn action_stop(band: u32, member: u32, clip: u32) -> u32 {
        with(|host| host.on_action(Address { band, member, clip }, |mixer, id| mixer.stop(id)).into())
    }
    fn action_pause(band: u32, member: u32, clip: u32) -> u32 {
        with(|host| host.on_action(Address { band, member, clip }, |mixer, id| mixer.pause(id)).into())
    }
    fn action_reset(band: u32, member: u32, clip: u32) -> u32 {
        with(|host| host.on_action(Address { band, member, clip }, |mixer, id| mixer.reset(id)).into())
    }
    fn action_seek(band: u32, member: u32, clip: u32, secs: f32) -> u32 {
        with(|host| host.on_action(Address { band, member, clip }, |mixer, id| mixer.seek(id, secs)).into())
    }
    fn action_speed(band: u32, member: u32, clip: u32, speed: f32) -> u32 {
        with(|host| host.on_action(Address { band, member, clip }, |mixer, id| mixer.set_speed(id, speed)).into())
    }
    fn action_weight(band: u32, member: u32, clip: u32, weight: f32) -> u32 {
        with(|host| host.on_action(Address { band, member, clip }, |mixer, id| mixer.set_weight(id, weight)).into())
    }
    fn action_loop(band: u32, member: u32, clip: u32, mode: u32, times: u32) -> u32 {
        with(|host| host.set_loop(Address { band, member, clip }, mode, times).into())
    }
    fn action_fade_in(band: u32, member: u32, clip: u32, secs: f32, easing: u32) -> u32 {
        let at = Address { band, member, clip };
        with(|host| host.on_new_action(at, |mixer, id| mixer.fade_in(id, fade(secs, easing))).into())
    }
    fn action_fade_out(band: u32, member: u32, clip: u32, secs: f32, easing: u32) -> u32 {
        let at = Address { band, member, clip };
        with(|host| host.on_action(at, |mixer, id| mixer.fade_out(id, fade(secs, easing))).into())
    }
    fn action_crossfade(band: u32, member: u32, clip: u32, to_clip: u32, secs: f32, easing: u32) -> u32 {
        with(|host| host.crossfade(Address { band, member, clip }, to_clip, fade(secs, easing)).into())
    }
    fn action_crossfade_to(band: u32, member: u32, clip: u32, secs: f32, easing: u32) -> u32 {
        with(|host| host.crossfade_to(Address { band, member, clip }, fade(secs, easing)).into())
    }
    fn action_state(band: u32, member: u32, clip: u32) -> u32 {
        with(|host| host.action_state(Address { band, member, clip }).into())
    }
}
