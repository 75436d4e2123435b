//! The nodes as a tree.

use std::collections::HashSet;
use std::io;

use canter_gltf::Asset;

use crate::output::{HEADING, NAME, Output, QUIET, name_or_dash};

pub(super) fn write(asset: &Asset, output: &mut Output) -> io::Result<()> {
    output.line(format_args!("\n{HEADING}Nodes{HEADING:#}"))?;
    let joints: HashSet<_> = asset.skins.iter().flat_map(|skin| skin.joints()).copied().collect();
    let roots = (0..asset.nodes.len()).filter(|&node| asset.nodes[node].parent.is_none());
    // A list of what is still to be written, because a tree may be deeper than the stack.
    let mut open: Vec<(usize, usize)> = roots.map(|root| (root, 0)).collect();
    open.reverse();
    while let Some((index, depth)) = open.pop() {
        let node = &asset.nodes[index];
        let mut remarks = Vec::new();
        if joints.contains(&node.joint) {
            remarks.push("joint".to_owned());
        }
        if let Some(mesh) = node.mesh {
            remarks.push(format!("mesh {mesh}"));
        }
        if let Some(skin) = node.skin {
            remarks.push(format!("skin {skin}"));
        }
        let name = name_or_dash(node.name.as_deref());
        // Deep trees would run out of the screen, and be quadratic in size.
        let indent = "  ".repeat(depth.min(40));
        output.line(format_args!(
            "  {indent}{NAME}{name}{NAME:#} {QUIET}{index}{}{}{QUIET:#}",
            if remarks.is_empty() { "" } else { ", " },
            remarks.join(", ")
        ))?;
        open.extend(node.children.iter().rev().map(|&child| (child, depth + 1)));
    }
    Ok(())
}
