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
            let shader = SkinningShader {
                layout: PaletteLayout { location, format, ..PaletteLayout::default() },
                palette: Binding { group: 1, binding: 0 },
                ..SkinningShader::default()
            };
            let place = location_name.to_lowercase();
            let mut add = |language: &str, code: &str| {
                write!(
                    text,
                    "\n/** {language}: `{}` matrices from a {place}. */\nexport const {}Skinning{location_name}{format_name} = `{}`;\n",
                    format_name.to_lowercase(),
                    if language == "WGSL" { "wgsl" } else { "glsl" },
                    code.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${"),
                )
            };
            add("WGSL", &shader.wgsl())?;
            if location != PaletteLocation::Storage {
                add("GLSL ES 3.00", &shader.glsl()?.text)?;
            }
        }
    }
    std::fs::write(root.join("packages/canter/src/shaders.ts"), text)?;
    Ok(())
}
