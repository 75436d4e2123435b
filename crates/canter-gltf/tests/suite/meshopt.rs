//! Buffers that are compressed by meshoptimizer, beside what the reference decoder makes of them.

use canter::Clip;
use canter_gltf::{Asset, load};

fn fixture(name: &str) -> Asset {
    load(format!("{}/tests/fixtures/{name}.glb", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn a_stream_decodes_to_the_bits_of_the_reference_decoder() {
    for name in ["tube-filtered", "tube-plain"] {
        let found = fixture(&format!("{name}.meshopt"));
        let expected = fixture(&format!("{name}.decoded"));
        let is_compressed =
            |asset: &Asset| asset.info.extensions_required.contains(&"EXT_meshopt_compression".to_owned());
        assert!(is_compressed(&found) && !is_compressed(&expected), "{name}");
        assert_eq!(found.meshes, expected.meshes, "{name}");
        assert_eq!(found.meshes[0].primitives[0].indices.len(), 144, "{name}");
        let tracks = |clip: &Clip| format!("{:?}", clip.tracks().collect::<Vec<_>>());
        assert_eq!(tracks(&found.clips[0]), tracks(&expected.clips[0]), "{name}");
    }
}
