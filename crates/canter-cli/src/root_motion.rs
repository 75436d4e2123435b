//! `--root-motion[=JOINT]`: the way over the ground is taken out of a file's clips.

use std::path::Path;

use canter::RootMotion;
use canter_gltf::Asset;

use crate::failure::Failure;
use crate::joint;
use crate::output::{WARNING, printable};

/// Takes the way of a joint out of all clips; without a name, of the one that leads the others.
pub(crate) fn split(asset: &mut Asset, name: &str, path: &Path) -> Result<(), Failure> {
    let joint = if name.is_empty() {
        let Some(root) = asset.root_joint() else { return Ok(()) };
        if !root.others.is_empty() {
            let names: Vec<String> =
                root.others.iter().map(|&joint| printable(asset.skeleton.name(joint))).collect();
            anstream::eprintln!(
                "{WARNING}warning{WARNING:#}: {}: the joint {} is taken for the root; {} moves as far: \
                 --root-motion=JOINT says which one it is",
                path.display(),
                printable(asset.skeleton.name(root.joint)),
                names.join(" or "),
            );
        }
        root.joint
    } else {
        joint::find(&asset.skeleton, name)?
    };
    let told = asset.warnings.len();
    asset.split_root_motion(RootMotion::over_ground(joint));
    for warning in &asset.warnings[told..] {
        anstream::eprintln!("{WARNING}warning{WARNING:#}: {}", printable(&warning.message));
    }
    Ok(())
}
