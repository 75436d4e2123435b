//! What several tests need.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use canter::glam::DAffine3;
use canter_scene::{Model, NodeId, Parent, Scene};

fn model(name: &str) -> Arc<Model> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
    Model::load(path).unwrap()
}

pub(crate) fn hero() -> Arc<Model> {
    static HERO: OnceLock<Arc<Model>> = OnceLock::new();
    Arc::clone(HERO.get_or_init(|| model("hero.glb")))
}

#[allow(dead_code, reason = "not every test has a sword")]
pub(crate) fn sword() -> Arc<Model> {
    static SWORD: OnceLock<Arc<Model>> = OnceLock::new();
    Arc::clone(SWORD.get_or_init(|| model("sword.glb")))
}

/// The models that others made; none where they are missing, which is said, and is a failure on a build server.
#[allow(dead_code, reason = "not every test looks at them")]
pub(crate) fn shared_models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/assets");
    let Ok(manifest) = std::fs::read_to_string(root.join("manifest.json")) else {
        assert!(std::env::var_os("CI").is_none(), "the shared models are missing");
        // To the terminal itself: the test harness hides what passing tests print.
        let text = format!("SKIPPED: there are no models at {}: they are NOT tested\n", root.display());
        let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
        return Vec::new();
    };
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let file = |model: &serde_json::Value| root.join(model["file"].as_str().unwrap());
    manifest["models"].as_array().unwrap().iter().map(file).collect()
}

/// The place of a node worked out from scratch.
#[allow(dead_code, reason = "not every test looks at places")]
pub(crate) fn naive_world(scene: &Scene, id: NodeId) -> DAffine3 {
    let local = scene.local(id).unwrap();
    match scene.parent(id).unwrap() {
        Parent::World => local,
        Parent::Node(above) => naive_world(scene, above) * local,
        Parent::JointWithoutScale(..) => panic!("not worked out here"),
        Parent::Joint(above, joint) => {
            let model_from_joint = scene.character(above).unwrap().model_pose.joint(joint).as_dmat4();
            naive_world(scene, above) * DAffine3::from_mat4(model_from_joint) * local
        }
    }
}
