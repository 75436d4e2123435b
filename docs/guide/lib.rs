//! The pages of the guide with Rust in them, one module each: `cargo test --doc -p canter-guide` runs it all.

#[cfg(doctest)]
macro_rules! pages {
    ($($name:ident: $path:literal,)*) => { $(#[doc = include_str!($path)] mod $name {})* };
}

#[cfg(doctest)]
pages! {
    howto_bounds: "src/howto/bounds.md",
    howto_check_files: "src/howto/check-files.md",
    howto_crossfade: "src/howto/crossfade.md",
    howto_crowds: "src/howto/crowds.md",
    howto_debugging: "src/howto/debugging.md",
    howto_feet: "src/howto/feet.md",
    howto_graphs: "src/howto/graphs.md",
    howto_layers: "src/howto/layers.md",
    howto_look_at: "src/howto/look-at.md",
    howto_morphs: "src/howto/morphs.md",
    howto_no_pops: "src/howto/no-pops.md",
    howto_other_clips: "src/howto/other-clips.md",
    howto_pack: "src/howto/pack.md",
    howto_picking: "src/howto/picking.md",
    howto_reach: "src/howto/reach.md",
    howto_chains: "src/howto/chains.md",
    howto_followers: "src/howto/followers.md",
    howto_mirror: "src/howto/mirror.md",
    howto_ragdoll: "src/howto/ragdoll.md",
    howto_retrigger: "src/howto/retrigger.md",
    howto_root_motion: "src/howto/root-motion.md",
    howto_save: "src/howto/save.md",
    howto_springs: "src/howto/springs.md",
    howto_sword: "src/howto/sword.md",
    howto_threads: "src/howto/threads.md",
    from_bevy: "src/from/bevy.md",
    from_ozz: "src/from/ozz.md",
    from_unity: "src/from/unity.md",
    ideas_pipeline: "src/ideas/pipeline.md",
    ideas_playing: "src/ideas/playing.md",
    ideas_same_bits: "src/ideas/same-bits.md",
    ideas_time: "src/ideas/time.md",
    start_any_api: "src/start/any-api.md",
    start_core: "src/start/core.md",
    start_ecs: "src/start/ecs.md",
    start_scene: "src/start/scene.md",
    start_wgpu: "src/start/wgpu.md",
}
