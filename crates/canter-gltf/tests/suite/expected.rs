//! Every real model against its expected results, which a reference computed in 64 bits from the formulas of
//! glTF.

use std::path::Path;

use canter_gltf::{Asset, LoadOptions};
use serde::Deserialize;

use canter_testing::models;
use canter_testing::requirement::say;

mod compare;
pub(crate) mod format;
mod posed;

use compare::Comparison;
use format::{Expected, Sample};
use posed::{Part, Posed};

#[derive(Deserialize)]
struct Manifest {
    models: Vec<Model>,
}

#[derive(Deserialize)]
struct Model {
    name: String,
    file: String,
    expected: String,
}

#[test]
fn every_model_agrees_with_its_expected_results() {
    let Some(root) = models::folder() else { return };
    let manifest: Manifest = models::read_json(&root.join("manifest.json"));
    let (mut values, mut worst) = (0, (0.0, String::new()));
    for model in &manifest.models {
        let comparison = compare_model(&model.name, &root.join(&model.file), &root.join(&model.expected));
        values += comparison.values;
        if comparison.largest_error > worst.0 {
            worst = (comparison.largest_error, format!("{}, {}", model.name, comparison.largest_place));
        }
    }
    say(&format!(
        "{} models: {values} values compared, the largest error is {:.2e} relative to the model's size ({})",
        manifest.models.len(),
        worst.0,
        worst.1
    ));
    assert!(manifest.models.len() >= 40 && values > 100_000, "the expected results are not all there");
}

/// Valid files among the malformed ones have expected results as well.
#[test]
fn odd_but_valid_files_agree_with_their_expected_results() {
    let Some(root) = models::folder() else { return };
    let folder = root.join("malformed/expected");
    for entry in std::fs::read_dir(&folder).expect("the folder of expected results") {
        let expected = entry.expect("an entry").path();
        let name = expected.file_stem().expect("a name").to_string_lossy().into_owned();
        compare_model(&name, &root.join("malformed").join(&name), &expected);
    }
}

fn compare_model(name: &str, file: &Path, expected: &Path) -> Comparison {
    let asset = canter_gltf::load_with(file, &LoadOptions::default().without_images())
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let expected: Expected = models::read_json(expected);
    let mut comparison = Comparison::new(name, expected.tol_scale);
    compare_structure(&asset, &expected, name);
    for sample in &expected.samples {
        let part = sample.clip.map(|clip| Part { clip, time: sample.time, weight: 1.0 });
        let place = format!("clip {:?} at {} s", sample.clip, sample.time);
        compare_sample(&asset, part.as_slice(), sample, &place, &mut comparison);
    }
    for (index, blend) in expected.blends.iter().enumerate() {
        compare_sample(&asset, &blend.parts, blend, &format!("blend {index}"), &mut comparison);
    }
    comparison
}

fn compare_structure(asset: &Asset, expected: &Expected, name: &str) {
    let parents: Vec<i64> = asset
        .nodes
        .iter()
        .map(|node| node.parent.map_or(-1, |parent| i64::try_from(parent).unwrap()))
        .collect();
    assert_eq!(parents, expected.node_parents, "{name}: the parents of the nodes");
    assert_eq!(asset.skins.len(), expected.skin_count, "{name}: skins");
    for skin in &expected.skins {
        let joints = asset.skins[skin.skin].joints().iter().map(|&joint| asset.skeleton.source_index(joint));
        assert_eq!(joints.collect::<Vec<_>>(), skin.joint_nodes, "{name}: the joints of skin {}", skin.skin);
    }
    assert_eq!(asset.clips.len(), expected.clips.len(), "{name}: clips");
    for clip in &expected.clips {
        let found = &asset.clips[clip.clip];
        // The reference calls clips without a name clip0, clip1, ...
        let unnamed = format!("clip{}", clip.clip);
        let found_name = asset.info.clip_names[clip.clip].as_ref().unwrap_or(&unnamed);
        assert_eq!(*found_name, clip.name, "{name}: the name of clip {}", clip.clip);
        let difference = (f64::from(found.duration_secs()) - clip.duration).abs();
        assert!(difference <= 1e-6 * clip.duration, "{name}: the length of clip {}", clip.clip);
    }
}

fn compare_sample(
    asset: &Asset,
    parts: &[Part],
    expected: &Sample,
    place: &str,
    comparison: &mut Comparison,
) {
    let posed = Posed::new(asset, parts);
    for local in &expected.locals {
        comparison.local(&posed.local(local.node), local, place);
    }
    for node in &expected.nodes {
        comparison.matrix(&posed.world(node.node), &node.world, &format!("{place}, node {}", node.node));
    }
    for skin in &expected.skins {
        let palette = posed.palette(skin.skin);
        for (&joint, matrix) in skin.joints.iter().zip(&skin.scene) {
            comparison.matrix(
                &palette[joint],
                matrix,
                &format!("{place}, skin {}, joint {joint}", skin.skin),
            );
        }
    }
    for weights in &expected.weights {
        comparison.weights(posed.morph_weights(weights.node), &weights.w, &format!("{place}, weights"));
    }
    for primitive in &expected.primitives {
        let vertices = posed.vertices(primitive.node, primitive.primitive);
        let place = format!("{place}, node {}, primitive {}", primitive.node, primitive.primitive);
        comparison.primitive(&vertices, primitive, &place);
    }
}
