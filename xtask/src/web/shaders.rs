//! The skinning functions as strings of TypeScript, straight from `crates/canter-wgpu`.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use canter_wgpu::{Binding, PaletteFormat, PaletteLayout, PaletteLocation, SkinningShader};

const HEAD: &str = "\
// Written by `cargo xtask web` from crates/canter-wgpu: do not edit.
/**
 * Skinning functions to put in front of a shader of yours: `canter_skin(vertex, joints, weights, palette)`.
 *
 * `palette` is the row (of four numbers) at which the character's matrices begin. WGSL binds them as `canter_palette` at
 * `@group(1) @binding(0)`; GLSL ES 3.00 by name: the sampler `canter_palette`, or the uniform block `CanterPalette`.
 *
 * Those with `Morphs` have `canter_morph(vertex, vertexIndex, list)`, too, to be called before. `list` is the row at which
 * the morph weights of the character begin: one row whose first number says how many there are, then two to a row,
 * each as the number of a target and its weight. Targets are an RGBA32F texture, `canter_targets` (in WGSL at
 * `@group(2) @binding(0)`): a first texel with the number of vertices, of targets, then 1 if targets have normals, then
 * 0; behind it, target by target and vertex by vertex, what is added to the position, and to the normal.
 *
 * @module
 */
";

/// Writes `packages/canter/src/shaders.ts`.
pub(super) fn write(root: &Path) -> Result<()> {
    let mut text = HEAD.to_owned();
    for (format, format_name) in [(PaletteFormat::Packed, "Mat3x4"), (PaletteFormat::Mat4, "Mat4")] {
        for (location, location_name) in [
            (PaletteLocation::Storage, "Storage"),
            (PaletteLocation::Uniform, "Uniform"),
            (PaletteLocation::Texture, "Texture"),
        ] {
            for morphs in [false, true] {
                let shader = SkinningShader {
                    layout: PaletteLayout { location, format, ..PaletteLayout::default() },
                    morphs,
                    palette: Binding { group: 1, binding: 0 },
                    targets: Binding { group: 2, binding: 0 },
                    ..SkinningShader::default()
                };
                let name =
                    format!("Skinning{location_name}{format_name}{}", if morphs { "Morphs" } else { "" });
                let what = format!(
                    "`{}` matrices from a {}{}",
                    format_name.to_lowercase(),
                    location_name.to_lowercase(),
                    if morphs { ", and morph targets" } else { "" }
                );
                add(&mut text, "WGSL", &what, &format!("wgsl{name}"), &shader.wgsl())?;
                if location != PaletteLocation::Storage {
                    add(&mut text, "GLSL ES 3.00", &what, &format!("glsl{name}"), &shader.glsl()?.text)?;
                }
            }
        }
    }
    std::fs::write(root.join("packages/canter/src/shaders.ts"), text)?;
    Ok(())
}

fn add(text: &mut String, language: &str, what: &str, name: &str, code: &str) -> Result<()> {
    let code = code.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${");
    write!(text, "\n/** {language}: {what}. */\nexport const {name} = `{code}`;\n")?;
    Ok(())
}
