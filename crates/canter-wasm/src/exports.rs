//! What JavaScript calls: each function is one call of the host.
#![allow(
    unsafe_code,
    reason = "exported names are `unsafe`: they might clash with others of one program. This is the whole program, \
              and no address that comes from outside is ever followed"
)]

use canter::{Layer, LayerMut, Play};
use canter_gltf::LoadOptions;

use crate::action::{Address, Start, fade, loop_mode, sync};
use crate::host::with;
use crate::mixers::Saves;

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

#[cfg(feature = "motion")]
mod motion;

exports! {
    // Texts and lists.
    fn input(len: usize) -> usize { with(|host| host.make_input(len)) }
    fn answer() -> usize { with(|host| host.answer.as_ptr().addr()) }

    // Files.
    fn has_meshes() -> u32 { cfg!(feature = "meshes").into() }
    fn file_add(name_len: usize) { with(|host| host.add_file(name_len)); }
    fn asset_load(meshes: u32, images: u32, ignores_extensions: u32) -> u32 {
        let mut options = LoadOptions::default();
        (options.meshes, options.images) = (meshes != 0, images != 0);
        options.ignore_required_extensions = ignores_extensions != 0;
        with(|host| host.load(options))
    }
    fn asset_free(asset: u32) { with(|host| drop(host.assets.remove(asset))); }
    fn asset_describe(asset: u32) { with(|host| host.describe(asset)); }
    fn asset_describe_clips(asset: u32) { with(|host| host.describe_clips(asset)); }
    // Joints are one more than they are; 0 is the one that is found.
    fn asset_split_root_motion(asset: u32, joint: u32, axes: u32, yaw: u32) {
        with(|host| host.split_root_motion(asset, joint.checked_sub(1), axes, yaw != 0));
    }
    fn asset_set_markers(asset: u32, clip: u32) -> u32 { with(|host| host.set_markers(asset, clip).into()) }
    fn asset_add_clips(asset: u32, other: u32) -> u32 { with(|host| host.add_clips(asset, other).into()) }
    fn asset_additive(asset: u32, clip: u32, kind: u32, reference: u32, secs: f32) -> u32 {
        with(|host| host.add_additive(asset, clip, kind, reference, secs).into())
    }
    fn asset_clip_tracks(asset: u32, clip: u32) { with(|host| host.clip_tracks(asset, clip)); }
    #[cfg(feature = "meshes")]
    fn asset_contacts(asset: u32, clip: u32) { with(|host| host.contacts(asset, clip)); }
    #[cfg(feature = "meshes")]
    fn asset_vertices(asset: u32, mesh: u32, primitive: u32, kind: u32, set: u32) {
        with(|host| host.vertices(asset, mesh, primitive, kind, set));
    }
    #[cfg(feature = "meshes")]
    fn asset_image(asset: u32, image: u32) { with(|host| host.image(asset, image)); }

    // Posed skeletons.
    fn skeleton_new(asset: u32, is_packed: u32) -> u32 {
        with(|host| host.new_skeleton(asset, is_packed != 0))
    }
    fn skeleton_free(skeleton: u32) { with(|host| drop(host.skeletons.remove(skeleton))); }
    fn skeleton_palette(skeleton: u32, skin: u32) { with(|host| host.palette(skeleton, skin)); }
    fn skeleton_matrices(skeleton: u32) { with(|host| host.model_matrices(skeleton)); }
    fn skeleton_joint(skeleton: u32, joint: u32) { with(|host| host.joint(skeleton, joint)); }
    fn skeleton_set_joint(skeleton: u32, joint: u32) { with(|host| host.set_joint(skeleton, joint)); }
    fn skeleton_compose(skeleton: u32) { with(|host| host.compose(skeleton)); }
    fn skeleton_reset(skeleton: u32) { with(|host| host.reset_pose(skeleton)); }
    fn skeleton_morph(skeleton: u32, morph: u32) { with(|host| host.morph_weights(skeleton, morph)); }

    // Mixers and crowds.
    fn mixer_new(asset: u32) -> u32 { with(|host| host.new_mixer(asset)) }
    fn mixer_update(mixer: u32, skeleton: u32, dt_secs: f32) -> u32 {
        with(|host| host.update(mixer, skeleton, dt_secs))
    }
    // The bits of what is saved are blending and stepping.
    fn crowd_new(asset: u32, is_packed: u32, row_width: usize, saves: u32) -> u32 {
        let saves = Saves { blends_in_shader: saves & 1 != 0, steps_when_sampled: saves & 2 != 0 };
        with(|host| host.new_crowd(asset, is_packed != 0, row_width, saves))
    }
    fn crowd_spawn(crowd: u32) -> u32 { with(|host| host.spawn(crowd)) }
    fn crowd_remove(crowd: u32, member: u32) { with(|host| host.remove_member(crowd, member)); }
    fn crowd_update(crowd: u32, dt_secs: f32, wants_events: u32) -> u32 {
        with(|host| host.update_crowd(crowd, dt_secs, wants_events != 0))
    }
    fn crowd_output(crowd: u32, output: u32) { with(|host| host.crowd_output(crowd, output)); }
    fn crowd_set_rates(crowd: u32, first: u32) { with(|host| host.set_rates(crowd, first)); }
    fn crowd_resample(crowd: u32, member: u32) { with(|host| host.resample(crowd, member)); }
    fn crowd_keep_joint(crowd: u32, joint: u32) { with(|host| host.keep_joint(crowd, joint)); }
    fn mixers_free(mixers: u32) { with(|host| drop(host.mixers.remove(mixers))); }
    fn mixers_events(mixers: u32) { with(|host| host.events(mixers)); }
    // Members are one more than they are; 0 is all.
    fn mixers_markers(mixers: u32, member: u32) -> u32 {
        with(|host| host.markers(mixers, member.checked_sub(1)))
    }
    fn mixers_root(mixers: u32, member: u32) { with(|host| host.root_motion(mixers, member)); }
    fn mixers_roots(mixers: u32) { with(|host| host.root_motions(mixers)); }
    fn mixers_stop_all(mixers: u32, member: u32) {
        with(|host| host.on_mixer(mixers, member, &|mixer| mixer.stop_all()));
    }
    fn mixers_speed(mixers: u32, member: u32, speed: f32) {
        with(|host| host.on_mixer(mixers, member, &|mixer| mixer.set_speed(speed)));
    }
    fn mixers_fades_follow_speed(mixers: u32, member: u32, follow: u32) {
        with(|host| host.on_mixer(mixers, member, &|mixer| mixer.set_fades_follow_speed(follow != 0)));
    }
}

#[cfg(feature = "three")]
exports! {
    // Nodes that JavaScript keeps.
    fn sampler_new(asset: u32) -> u32 { with(|host| host.new_sampler(asset)) }
    fn sampler_free(sampler: u32) { with(|host| drop(host.samplers.remove(sampler))); }
    fn mix_new() -> u32 { with(|host| host.new_mix()) }
    fn mix_free(mix: u32) { with(|host| drop(host.mixes.remove(mix))); }
    fn mix_slot(mix: u32, is_rotation: u32) -> u32 { with(|host| host.add_slot(mix, is_rotation != 0)) }
    fn mix_slots(mix: u32) { with(|host| host.slots(mix)); }
    fn mix_bind(mix: u32, sampler: u32) -> u32 { with(|host| host.bind_sampler(mix, sampler)) }
    fn mix_link(mix: u32, tree: u32) { with(|host| host.link_mix(mix, tree)); }
    fn mix_add(mix: u32, channels: u32, sampler: u32, secs: f32, weight: f32, is_additive: u32) {
        with(|host| host.add_to_mix(mix, channels, sampler, secs, weight, is_additive != 0));
    }
    fn mix_finish(mix: u32) -> u32 { with(|host| host.finish_mix(mix)) }
    fn tree_new() -> u32 { with(|host| host.new_tree()) }
    fn tree_free(tree: u32) { with(|host| drop(host.trees.remove(tree))); }
    fn tree_places(tree: u32) { with(|host| host.tree_places(tree)); }
    fn tree_compose(tree: u32) { with(|host| host.compose_tree(tree)); }
    fn inverses_new() -> u32 { with(|host| host.new_inverses()) }
    fn inverses_free(inverses: u32) { with(|host| drop(host.inverses.remove(inverses))); }
    fn tree_skin(tree: u32, inverses: u32) -> u32 { with(|host| host.add_tree_skin(tree, inverses)) }
    fn tree_palette(tree: u32, skin: u32) { with(|host| host.tree_palette(tree, skin)); }
}

exports! {
    // Layers; 0 is the base. The input is a mask, or empty.
    fn layer_add(mixers: u32, member: u32, mode: u32, weight: f32) -> u32 {
        with(|host| host.add_layer(mixers, member, mode, weight))
    }
    fn layer_remove(mixers: u32, member: u32, layer: u32) {
        with(|host| host.remove_layer(mixers, member, layer));
    }
    fn layer_mask(mixers: u32, member: u32, layer: u32) {
        with(|host| host.set_layer_mask(mixers, member, layer));
    }
    fn layer_stop_all(mixers: u32, member: u32, layer: u32) {
        with(|host| host.on_layer(mixers, member, layer, &|mut layer| layer.stop_all()));
    }
    fn layer_fade_out(mixers: u32, member: u32, layer: u32, secs: f32, code: u32) {
        with(|host| host.on_layer(mixers, member, layer, &|mut layer| layer.fade_out(fade(secs, code))));
    }
    fn layer_fade_weight(mixers: u32, member: u32, layer: u32, weight: f32, secs: f32, code: u32) {
        // JavaScript has checked the weight.
        let set = |mut layer: LayerMut<'_>| _ = layer.fade_weight(weight, fade(secs, code));
        with(|host| host.on_layer(mixers, member, layer, &set));
    }
    fn layer_weight(mixers: u32, member: u32, layer: u32) -> f32 {
        with(|host| host.layer(mixers, member, layer).map_or(0.0, Layer::weight))
    }
    fn layer_coverage(mixers: u32, member: u32, layer: u32, joint: u32) -> f32 {
        with(|host| host.coverage(mixers, member, layer, joint).unwrap_or(0.0))
    }
    fn layer_crossfade_to(
        mixers: u32, member: u32, layer: u32, clip: u32, number: u32, secs: f32, code: u32
    ) -> u32 {
        let at = Address { mixers, member, number };
        with(|host| host.crossfade_to(at, layer, clip, fade(secs, code)))
    }

    // Actions. The input is a mask, or empty.
    fn action_start(
        mixers: u32, member: u32, number: u32, layer: u32, clip: u32, waits: u32, mode: u32, times: u32,
        speed: f32, weight: f32, start_secs: f32, fade_secs: f32, code: u32, sync_code: u32, group: u32
    ) -> u32 {
        let play = Play {
            loop_mode: loop_mode(mode, times),
            speed,
            weight,
            // NaN stands for no start of its own.
            start_secs: (!start_secs.is_nan()).then_some(start_secs),
            fade: fade(fade_secs, code),
            sync: sync(sync_code, group),
            // JavaScript has made a speed of metres per second.
            ..Play::default()
        };
        let start = Start { layer, clip, play, waits: waits != 0 };
        with(|host| host.start(Address { mixers, member, number }, start))
    }
    fn action_resume(mixers: u32, member: u32, number: u32) -> u32 {
        with(|host| host.resume(Address { mixers, member, number }).into())
    }
    fn action_stop(mixers: u32, member: u32, number: u32) -> u32 {
        with(|host| host.stop(Address { mixers, member, number }).into())
    }
    fn action_pause(mixers: u32, member: u32, number: u32) -> u32 {
        with(|host| host.change(Address { mixers, member, number }, &|mut action| action.pause()).into())
    }
    fn action_reset(mixers: u32, member: u32, number: u32) -> u32 {
        with(|host| host.change(Address { mixers, member, number }, &|mut action| action.reset()).into())
    }
    // JavaScript has checked these numbers, and has thrown an error if they would be refused here.
    fn action_seek(mixers: u32, member: u32, number: u32, secs: f32) -> u32 {
        let at = Address { mixers, member, number };
        with(|host| host.change(at, &|mut action| drop(action.seek(secs))).into())
    }
    fn action_scrub(mixers: u32, member: u32, number: u32, secs: f32) -> u32 {
        let at = Address { mixers, member, number };
        with(|host| host.change(at, &|mut action| drop(action.scrub(secs))).into())
    }
    fn action_sync(mixers: u32, member: u32, number: u32, code: u32, group: u32) -> u32 {
        let at = Address { mixers, member, number };
        with(|host| host.change(at, &|mut action| action.set_sync(sync(code, group))).into())
    }
    fn action_speed(mixers: u32, member: u32, number: u32, speed: f32) -> u32 {
        let at = Address { mixers, member, number };
        with(|host| host.change(at, &|mut action| drop(action.set_speed(speed))).into())
    }
    fn action_weight(mixers: u32, member: u32, number: u32, weight: f32) -> u32 {
        let at = Address { mixers, member, number };
        with(|host| host.change(at, &|mut action| drop(action.set_weight(weight))).into())
    }
    fn action_loop(mixers: u32, member: u32, number: u32, mode: u32, times: u32) -> u32 {
        let at = Address { mixers, member, number };
        with(|host| host.change(at, &|mut action| action.set_loop_mode(loop_mode(mode, times))).into())
    }
    fn action_mask(mixers: u32, member: u32, number: u32) -> u32 {
        with(|host| host.set_mask(Address { mixers, member, number }).into())
    }
    fn action_fade_in(mixers: u32, member: u32, number: u32, secs: f32, code: u32) -> u32 {
        with(|host| host.fade_in(Address { mixers, member, number }, fade(secs, code)).into())
    }
    fn action_fade_out(mixers: u32, member: u32, number: u32, secs: f32, code: u32) -> u32 {
        with(|host| host.fade_out(Address { mixers, member, number }, fade(secs, code)).into())
    }
    fn action_crossfade(mixers: u32, member: u32, from: u32, number: u32, secs: f32, code: u32) -> u32 {
        with(|host| host.crossfade(from, Address { mixers, member, number }, fade(secs, code)).into())
    }
    fn action_state(mixers: u32, member: u32, number: u32) -> u32 {
        with(|host| host.action_state(Address { mixers, member, number }).into())
    }
}
