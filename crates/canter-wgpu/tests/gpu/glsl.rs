//! The texts in GLSL ES 3.00, given to the compiler of a driver.
#![allow(unsafe_code, reason = "GL is called directly, through the context of wgpu")]

use canter_wgpu::{JointsPerVertex, PaletteFormat, PaletteLayout, PaletteLocation, SkinningShader};
use glow::HasContext as _;

use crate::device::devices;

/// All 96 variants that there are on WebGL2.
fn variants() -> Vec<SkinningShader> {
    let mut variants = Vec::new();
    for location in [PaletteLocation::Uniform, PaletteLocation::Texture] {
        for format in [PaletteFormat::Mat4, PaletteFormat::Packed] {
            for joints in [JointsPerVertex::None, JointsPerVertex::Four, JointsPerVertex::Eight] {
                for flags in 0..8 {
                    let [world, previous, morphs] = [1, 2, 4].map(|flag| flags & flag != 0);
                    let layout = PaletteLayout { location, format, world, previous };
                    variants.push(SkinningShader { layout, joints, morphs, ..SkinningShader::default() });
                }
            }
        }
    }
    variants
}

/// A shader as a user on plain WebGL2 would write it, which calls everything that the variant offers.
fn vertex_text(variant: &SkinningShader, functions: &str) -> String {
    let joints = match variant.joints {
        JointsPerVertex::None => "",
        JointsPerVertex::Four => "joints, weights, ",
        JointsPerVertex::Eight => "joints, weights, joints, weights, ",
    };
    let PaletteLayout { world, previous, .. } = variant.layout;
    let mut body =
        String::from("CanterVertex v = CanterVertex(position, position, weights);\nvec3 p = position;\n");
    if variant.morphs {
        body += "v = canter_morph(v, uint(gl_VertexID), morphs);\n";
        if previous {
            body += "p = canter_previous_morph(p, uint(gl_VertexID), morphs);\n";
        }
    }
    body += &format!("v = canter_skin(v, {joints}palette);\n");
    if previous {
        body += &format!("p = canter_previous_skin(p, {joints}palette);\n");
    }
    if world {
        body += "v = canter_transform(canter_world(palette), v);\n";
        if previous {
            body += "p = canter_transform_point(canter_previous_world(palette), p);\n";
        }
    }
    format!(
        "#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
in vec3 position;
in uvec4 joints;
in vec4 weights;
uniform uint palette;
uniform uint morphs;
{functions}
void main() {{
{body}
gl_Position = vec4(v.position + p, v.normal.x + v.tangent.w);
}}"
    )
}

const FRAGMENT: &str = "#version 300 es
precision highp float;
out vec4 color;
void main() { color = vec4(1.0); }";

/// Compiles and links; gives what the driver says, and which of two names it found: a uniform, a uniform
/// block.
fn link(gl: &glow::Context, vertex: &str, palette: &str) -> Result<(bool, bool), String> {
    // SAFETY: the context is current while its lock is held, and everything is made and deleted here.
    unsafe {
        let program = gl.create_program()?;
        for (kind, text) in [(glow::VERTEX_SHADER, vertex), (glow::FRAGMENT_SHADER, FRAGMENT)] {
            let shader = gl.create_shader(kind)?;
            gl.shader_source(shader, text);
            gl.compile_shader(shader);
            if !gl.get_shader_compile_status(shader) {
                return Err(gl.get_shader_info_log(shader));
            }
            gl.attach_shader(program, shader);
            gl.delete_shader(shader);
        }
        gl.link_program(program);
        if !gl.get_program_link_status(program) {
            return Err(gl.get_program_info_log(program));
        }
        let found = (
            gl.get_uniform_location(program, palette).is_some(),
            gl.get_uniform_block_index(program, palette).is_some(),
        );
        gl.delete_program(program);
        Ok(found)
    }
}

#[test]
fn a_driver_compiles_every_variant() {
    let devices = devices();
    let Some(gpu) = devices.iter().find(|gpu| gpu.name.starts_with("GL")) else { return };
    // SAFETY: the device is not ended by this.
    let device = unsafe { gpu.device.as_hal::<wgpu::hal::api::Gles>() }.expect("it is a device of GL");
    let gl = device.context().lock();
    for variant in variants() {
        let glsl = variant.glsl().expect("there is a text");
        let text = vertex_text(&variant, &glsl.text);
        let found =
            link(&gl, &text, glsl.palette).unwrap_or_else(|error| panic!("{variant:?}: {error}\n{text}"));
        let is_block = variant.layout.location == PaletteLocation::Uniform;
        assert_eq!(found, (!is_block, is_block), "{variant:?}: {} is found by its name", glsl.palette);
    }
    let broken = link(&gl, &FRAGMENT.replace("vec4(1.0)", "vec4(1)) +"), "");
    assert!(broken.is_err(), "the driver does look at the text");
}
