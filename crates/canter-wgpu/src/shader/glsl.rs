//! The same text in GLSL ES 3.00, translated by naga.

use std::fmt;

use naga::back::glsl;

use super::{PaletteLocation, SkinningShader};

/// Functions in GLSL ES 3.00, to put into a vertex shader behind its `#version 300 es` and its precisions.
///
/// They are those of [`SkinningShader`], under the same names; `u32` is `uint`, `vec4<u32>` is `uvec4`. WebGL
/// binds by name:
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlslText {
    /// The text: structures, resources and functions.
    pub text: String,
    /// The name of the uniform block (for [`PaletteLocation::Uniform`]) or of the sampler that the palettes
    /// are read from.
    pub palette: &'static str,
    /// The name of the sampler that the morph targets are read from.
    pub targets: Option<&'static str>,
}

/// Why there is no such text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GlslError {
    /// GLSL ES 3.00 has no storage buffers.
    Storage,
    /// The translation failed.
    Translation(String),
}

impl fmt::Display for GlslError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Storage => {
                write!(
                    f,
                    "GLSL ES 3.00 has no storage buffers; expected palettes in a uniform buffer or a texture"
                )
            }
            Self::Translation(message) => write!(f, "the shader cannot be translated to GLSL: {message}"),
        }
    }
}

impl std::error::Error for GlslError {}

impl SkinningShader {
    /// The text in GLSL ES 3.00, for engines on plain WebGL2.
    ///
    /// # Errors
    /// If palettes are in a storage buffer, which WebGL2 does not have.
    pub fn glsl(&self) -> Result<GlslText, GlslError> {
        if self.layout.location == PaletteLocation::Storage {
            return Err(GlslError::Storage);
        }
        // Naga translates whole shaders, and of the functions those that use no more resources than the
        // shader's own.
        let uses_targets = if self.morphs { "+ canter_target_texel(0u)" } else { "" };
        let shader = format!(
            "{}\n@vertex fn main() -> @builtin(position) vec4<f32> {{ return canter_row(0u){uses_targets}; }}",
            self.wgsl()
        );
        let whole = translate(&shader).map_err(GlslError::Translation)?;
        let functions =
            whole.find("struct CanterVertex").unwrap_or(0)..whole.find("void main()").unwrap_or(0);
        let mut text = whole[functions].trim_end().to_owned() + "\n";
        for (binding, name) in [(self.palette, "canter_palette"), (self.targets, "canter_targets")] {
            text = text.replace(&format!("_group_{}_binding_{}_vs", binding.group, binding.binding), name);
        }
        let is_block = self.layout.location == PaletteLocation::Uniform;
        if is_block {
            name_block(&mut text);
        }
        Ok(GlslText {
            text,
            palette: if is_block { "CanterPalette" } else { "canter_palette" },
            targets: self.morphs.then_some("canter_targets"),
        })
    }
}

/// Gives the uniform block a name that says what it is.
fn name_block(text: &mut String) {
    const BEFORE: &str = "layout(std140) uniform ";
    if let Some(start) = text.find(BEFORE).map(|at| at + BEFORE.len()) {
        let end = text[start..].find(' ').map_or(start, |length| start + length);
        text.replace_range(start..end, "CanterPalette");
    }
}

fn translate(wgsl: &str) -> Result<String, String> {
    let module = naga::front::wgsl::parse_str(wgsl).map_err(|error| error.to_string())?;
    let mut validator =
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
    let info = validator.validate(&module).map_err(|error| error.to_string())?;
    let version = glsl::Version::Embedded { version: 300, is_webgl: true };
    let options = glsl::Options { version, ..glsl::Options::default() };
    let pipeline = glsl::PipelineOptions {
        shader_stage: naga::ShaderStage::Vertex,
        entry_point: "main".to_owned(),
        multiview: None,
    };
    let mut text = String::new();
    let policies = naga::proc::BoundsCheckPolicies::default();
    glsl::Writer::new(&mut text, &module, &info, &options, &pipeline, policies)
        .and_then(|mut writer| writer.write())
        .map_err(|error| error.to_string())?;
    Ok(text)
}
