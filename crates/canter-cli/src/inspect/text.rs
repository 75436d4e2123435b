//! The facts about a file, for people.

use std::io;

use super::summary::{ClipFacts, Interpolations, Summary};
use crate::markers::MarkerFacts;
use crate::output::{HEADING, NAME, NOTE, Output, WARNING, bytes, count, name_or_dash, printable};
use crate::table::{self, Table};

pub(super) fn write(summary: &Summary<'_>, output: &mut Output) -> io::Result<()> {
    heading(summary, output)?;

    let mut table = Table::new(["clip", "name", "seconds", "tracks", "keys", "interpolation"]);
    for clip in &summary.clips {
        table.row(clip_row(clip));
    }
    table::section(output, "Clips", &table)?;
    markers(summary, output)?;
    root_motion(summary, output)?;

    let mut table = Table::new(["skin", "name", "joints", "moves nodes"]);
    for skin in &summary.skins {
        let nodes: Vec<String> = skin.mesh_nodes.iter().map(usize::to_string).collect();
        let nodes = if nodes.is_empty() { "-".to_owned() } else { nodes.join(" ") };
        table.row([skin.index.to_string(), name_or_dash(skin.name), skin.joints.len().to_string(), nodes]);
    }
    table::section(output, "Skins", &table)?;

    let mut table = Table::new([
        "mesh",
        "name",
        "primitives",
        "vertices",
        "triangles",
        "morph targets",
        "joints per vertex",
    ]);
    for mesh in &summary.meshes {
        table.row([
            mesh.index.to_string(),
            name_or_dash(mesh.name),
            mesh.primitives.to_string(),
            mesh.vertices.to_string(),
            mesh.triangles.to_string(),
            mesh.morph_targets.to_string(),
            mesh.influences.to_string(),
        ]);
    }
    table::section(output, "Meshes", &table)?;

    let mut table = Table::new(["image", "name", "type", "size"]);
    for image in &summary.images {
        let size = if image.bytes == 0 { "missing".to_owned() } else { bytes(image.bytes as u64) };
        table.row([image.index.to_string(), name_or_dash(image.name), name_or_dash(Some(image.mime)), size]);
    }
    table::section(output, "Images", &table)?;
    warnings(summary, output)
}

fn heading(summary: &Summary<'_>, output: &mut Output) -> io::Result<()> {
    let file = &summary.file;
    output.line(format_args!("{NAME}{}{NAME:#}", printable(&file.path)))?;
    let kind = if file.binary { "binary" } else { "JSON" };
    output.line(format_args!(
        "  glTF {} ({kind}), {}: {} of JSON, {} in buffers",
        printable(file.version),
        bytes(file.bytes),
        bytes(file.json_bytes),
        bytes(file.buffer_bytes)
    ))?;
    for (label, text) in [("made by", file.generator), ("copyright", file.copyright)] {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            output.line(format_args!("  {label} {}", printable(text)))?;
        }
    }
    if !file.extensions_used.is_empty() {
        let mark = |name: &String| {
            let required = if file.extensions_required.contains(name) { " (required)" } else { "" };
            format!("{}{required}", printable(name))
        };
        let extensions: Vec<String> = file.extensions_used.iter().map(mark).collect();
        output.line(format_args!("  extensions: {}", extensions.join(", ")))?;
    }
    let joints: std::collections::HashSet<usize> =
        summary.skins.iter().flat_map(|skin| &skin.joints).copied().collect();
    let nodes = format!("{} ({})", count(summary.nodes.len(), "node"), count(joints.len(), "joint"));
    let counts = [
        nodes,
        count(summary.skins.len(), "skin"),
        count(summary.clips.len(), "clip"),
        count(summary.meshes.len(), "mesh"),
        count(summary.materials.len(), "material"),
        count(summary.images.len(), "image"),
        count(summary.scenes.len(), "scene"),
    ];
    output.line(format_args!("  {}", counts.join(", ")))
}

/// A line for each name of each clip.
fn markers(summary: &Summary<'_>, output: &mut Output) -> io::Result<()> {
    let mut table = Table::new(["clip", "name", "marker", "seconds"]);
    for clip in &summary.clips {
        let mut names: Vec<&str> = Vec::new();
        for marker in &clip.markers {
            if !names.contains(&marker.name) {
                names.push(marker.name);
            }
        }
        for name in names {
            let same = clip.markers.iter().filter(|marker| marker.name == name);
            let times: Vec<String> = same.map(MarkerFacts::when).collect();
            table.row([
                clip.index.to_string(),
                name_or_dash(clip.name),
                name_or_dash(Some(name)),
                times.join(", "),
            ]);
        }
    }
    table::section(output, "Markers", &table)
}

/// How far clips get, and how fast those walk that do so on the spot.
fn root_motion(summary: &Summary<'_>, output: &mut Output) -> io::Result<()> {
    let mut table = Table::new(["clip", "name", "metres per loop", "turn", "metres per second"]);
    for clip in summary.clips.iter().filter(|clip| clip.ground_speed.is_some()) {
        let (metres, turn) = match &clip.root_motion {
            Some(motion) => (format!("{:.3}", motion.distance), format!("{:.1}°", motion.turn_degrees + 0.0)),
            None => ("on the spot".to_owned(), "-".to_owned()),
        };
        let speed = format!("{:.3}", clip.ground_speed.unwrap_or(0.0));
        table.row([clip.index.to_string(), name_or_dash(clip.name), metres, turn, speed]);
    }
    table::section(output, "Motion over the ground", &table)?;
    if let Some(root) = summary.root_joint.as_ref() {
        let name = printable(root.joint.name);
        output.line(format_args!("\n  The joint {NAME}{name}{NAME:#} leads the others."))?;
        if !root.others.is_empty() {
            let others: Vec<String> = root.others.iter().map(|joint| printable(joint.name)).collect();
            output.line(format_args!(
                "  It might be another one, which moves as far: {}.",
                others.join(", ")
            ))?;
        }
    }
    Ok(())
}

fn clip_row(clip: &ClipFacts<'_>) -> [String; 6] {
    [
        clip.index.to_string(),
        name_or_dash(clip.name),
        format!("{:.3}", clip.duration),
        clip.tracks.to_string(),
        clip.keys.to_string(),
        interpolation(&clip.interpolations),
    ]
}

fn interpolation(tracks: &Interpolations) -> String {
    let kinds = [("linear", tracks.linear), ("step", tracks.step), ("cubic spline", tracks.cubic_spline)];
    let used: Vec<_> = kinds.into_iter().filter(|(_, tracks)| *tracks > 0).collect();
    match used.as_slice() {
        [] => "-".to_owned(),
        [(kind, _)] => (*kind).to_owned(),
        several => {
            several.iter().map(|(kind, tracks)| format!("{kind} {tracks}")).collect::<Vec<_>>().join(", ")
        }
    }
}

fn warnings(summary: &Summary<'_>, output: &mut Output) -> io::Result<()> {
    if summary.warnings.is_empty() {
        return Ok(());
    }
    output.line(format_args!("\n{HEADING}Warnings{HEADING:#}"))?;
    for warning in &summary.warnings {
        let style = if warning.severity == "note" { NOTE } else { WARNING };
        let place =
            if warning.place.is_empty() { String::new() } else { format!("{}: ", printable(warning.place)) };
        let message = printable(warning.message);
        output.line(format_args!("  {style}{}{style:#}: {place}{message}", warning.severity))?;
    }
    Ok(())
}
