//! Packed clips of the hero and of real models.

use std::path::Path;

use canter::{Clip, PackMode, PackOptions};
use canter_testing::models;
use canter_testing::packing::apart_mm;

/// Of each model: some have a hundred, which are alike.
const CLIPS: usize = 2;
/// No multiple of the keys that clips have: times lie between them, too.
const STEPS: u16 = 157;

#[test]
fn packed_clips_of_real_models_are_as_near_as_was_asked_for_and_can_be_stored() {
    let hero = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/hero.glb");
    for path in [hero].into_iter().chain(models::all()) {
        let Ok(asset) = canter_gltf::load(&path) else { continue };
        for clip in asset.clips.iter().take(CLIPS) {
            for mode in [PackMode::Small, PackMode::Fast] {
                let options = PackOptions { mode, ..PackOptions::default() };
                let packed = clip.pack(&asset.skeleton, options).unwrap();
                let apart = apart_mm(&asset.skeleton, clip, &packed.clip, STEPS);
                let what = || format!("{}: {}, {mode:?}", path.display(), clip.name());
                assert!(apart <= f64::from(options.error_mm), "{}: {apart} mm", what());
                assert!(packed.clip.memory_bytes() <= clip.memory_bytes(), "{}", what());
                let Some(bytes) = packed.clip.to_packed_bytes() else { continue };
                let again = clip.pack(&asset.skeleton, options).unwrap();
                assert_eq!(again.clip.to_packed_bytes().as_ref(), Some(&bytes), "{}", what());
                let read = Clip::from_packed_bytes(&asset.skeleton, &bytes).unwrap();
                assert_eq!(read.to_packed_bytes(), Some(bytes), "{}", what());
            }
        }
    }
}
