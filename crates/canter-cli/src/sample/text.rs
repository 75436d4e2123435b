//! The pose for people.

use std::io;

use canter_gltf::Node;

use super::posed::Posed;
use super::root::Motion;
use crate::output::{HEADING, Output, QUIET, count, name_or_dash};
use crate::table::{self, Table};

pub(super) fn write(
    posed: &Posed<'_>,
    motion: &Motion,
    vertices: bool,
    output: &mut Output,
) -> io::Result<()> {
    let asset = posed.asset;
    if posed.parts.is_empty() {
        output.line(format_args!("{HEADING}Rest pose{HEADING:#}"))?;
    } else {
        let mut table = Table::new(["clip", "name", "time", "weight"]);
        for part in posed.parts {
            let name = name_or_dash(asset.info.clip_names[part.clip].as_deref());
            table.row([
                part.clip.to_string(),
                name,
                format!("{} s", part.time_secs),
                part.weight.to_string(),
            ]);
        }
        table::section(output, "Clips", &table)?;
    }
    if !posed.layers.is_empty() {
        let mut table = Table::new(["layer", "name", "time", "weight", "mode"]);
        for layer in posed.layers {
            let name = name_or_dash(asset.info.clip_names[layer.found.index].as_deref());
            let mode = if layer.found.clip.is_additive() { "added" } else { "over" };
            table.row([
                layer.found.index.to_string(),
                name,
                format!("{} s", layer.time_secs),
                layer.found.weight.to_string(),
                mode.to_owned(),
            ]);
        }
        table::section(output, "Layers", &table)?;
    }

    write_motion(motion, output)?;

    let mut table =
        Table::new(["node", "name", "translation", "rotation (xyzw)", "scale", "position in the scene"]);
    for (index, node) in asset.nodes.iter().enumerate() {
        let local = posed.pose.joint(node.joint);
        table.row([
            index.to_string(),
            name_or_dash(node.name.as_deref()),
            numbers(&local.translation.to_array()),
            numbers(&local.rotation.to_array()),
            numbers(&local.scale.to_array()),
            numbers(&posed.world(node).w_axis.truncate().to_array()),
        ]);
    }
    table::section(output, "Nodes", &table)?;

    let mut table = Table::new(["node", "name", "weights"]);
    for (index, node) in asset.nodes.iter().enumerate() {
        if let Some(weights) = posed.morph_weights(node) {
            table.row([index.to_string(), name_or_dash(node.name.as_deref()), numbers(weights)]);
        }
    }
    table::section(output, "Morph weights", &table)?;

    if vertices {
        let mut table = Table::new(["node", "name", "mesh", "primitive", "vertices", "from", "to"]);
        for primitive in posed.primitives() {
            let node: &Node = &asset.nodes[primitive.node];
            let (min, max) = primitive.vertices.bounds().unwrap_or_default();
            table.row([
                primitive.node.to_string(),
                name_or_dash(node.name.as_deref()),
                primitive.mesh.to_string(),
                primitive.primitive.to_string(),
                primitive.vertices.positions.len().to_string(),
                numbers(&min.to_array()),
                numbers(&max.to_array()),
            ]);
        }
        table::section(output, "Primitives", &table)?;
    }
    let skins = count(asset.skins.len(), "skin");
    output.line(format_args!("\n{QUIET}{skins}; --json prints the joint matrices and all digits{QUIET:#}"))
}

fn write_motion(motion: &Motion, output: &mut Output) -> io::Result<()> {
    if let Some(root) = &motion.root {
        let mut table = Table::new(["way", "turn", "metres per second", "turn per second"]);
        let degrees = |radians: f32| format!("{:.2}°", radians.to_degrees() + 0.0);
        table.row([
            numbers(&root.translation),
            degrees(root.yaw),
            numbers(&root.velocity),
            degrees(root.yaw_rate),
        ]);
        table::section(output, "Root motion", &table)?;
    }
    let mut table = Table::new(["marker", "kind", "clip", "seconds"]);
    for marker in &motion.markers {
        table.row([
            name_or_dash(Some(&marker.name)),
            marker.kind.to_owned(),
            marker.clip.to_string(),
            format!("{:.3}", marker.time),
        ]);
    }
    table::section(output, "Markers so far", &table)
}

fn numbers(numbers: &[f32]) -> String {
    // Adding zero turns -0 into 0.
    let round = |number: &f32| format!("{:.4}", (number * 1e4).round() / 1e4 + 0.0);
    numbers.iter().map(round).collect::<Vec<_>>().join(" ")
}
