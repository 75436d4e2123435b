//! The text of every variant of the shader is valid, in WGSL and in GLSL ES 3.00.

use canter_wgpu::{Binding, JointsPerVertex, PaletteFormat, PaletteLayout, PaletteLocation, SkinningShader};

/// All 144 variants.
fn variants() -> Vec<SkinningShader> {
    let mut variants = Vec::new();
    for location in [PaletteLocation::Uniform, PaletteLocation::Storage, PaletteLocation::Texture] {
        for format in [PaletteFormat::Mat4, PaletteFormat::Packed] {
            for joints in [JointsPerVertex::None, JointsPerVertex::Four, JointsPerVertex::Eight] {
                for flags in 0..8 {
                    let [world, previous, morphs] = [1, 2, 4].map(|flag| flags & flag != 0);
                    let layout = PaletteLayout { location, format, world, previous };
                    let palette = Binding { group: 1, binding: 2 };
                    variants.push(SkinningShader {
                        layout,
                        joints,
                        morphs,
                        palette,
                        ..SkinningShader::default()
                    });
                }
            }
        }
    }
    variants
}

/// A vertex shader that calls everything that a variant offers.
fn caller(variant: &SkinningShader) -> String {
    let joints = match variant.joints {
        JointsPerVertex::None => "",
        JointsPerVertex::Four => "j, w, ",
        JointsPerVertex::Eight => "j, w, j, w, ",
    };
    let mut body = String::from("var v = CanterVertex(w.xyz, w.xyz, w);\nvar p = w.xyz;\n");
    let PaletteLayout { world, previous, .. } = variant.layout;
    if variant.morphs {
        body += "v = canter_morph(v, i, j.x);\n";
        if previous {
            body += "p = canter_previous_morph(p, i, j.x);\n";
        }
    }
    body += &format!("v = canter_skin(v, {joints}j.y);\n");
    if previous {
        body += &format!("p = canter_previous_skin(p, {joints}j.y);\n");
    }
    if world {
        body += "v = canter_transform(canter_world(j.y), v);\n";
        if previous {
            body += "p = canter_transform_point(canter_previous_world(j.y), p);\n";
        }
    }
    format!(
        "@vertex fn main(@location(0) j: vec4<u32>, @location(1) w: vec4<f32>, @builtin(vertex_index) i: u32)
        -> @builtin(position) vec4<f32> {{ {body} return vec4<f32>(v.position + p, v.normal.x + v.tangent.w); }}"
    )
}

#[test]
fn every_variant_is_valid_wgsl() {
    for variant in variants() {
        let text = variant.wgsl() + &caller(&variant);
        let module = naga::front::wgsl::parse_str(&text)
            .unwrap_or_else(|error| panic!("{variant:?}\n{}", error.emit_to_string(&text)));
        let flags = naga::valid::ValidationFlags::all();
        naga::valid::Validator::new(flags, naga::valid::Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{variant:?}\n{}", error.emit_to_string(&text)));
        assert!(!text.contains('#'), "{variant:?} has a condition left");
        assert_eq!(text.contains("canter_targets"), variant.morphs, "{variant:?}");
    }
}

#[cfg(feature = "glsl")]
#[test]
fn every_variant_without_storage_is_glsl_under_the_same_names() {
    use canter_wgpu::GlslError;

    for variant in variants() {
        if variant.layout.location == PaletteLocation::Storage {
            assert_eq!(variant.glsl(), Err(GlslError::Storage));
            continue;
        }
        let glsl = variant.glsl().unwrap_or_else(|error| panic!("{variant:?}: {error}"));
        let wgsl = variant.wgsl();
        let names = wgsl.split("\nfn ").skip(1).filter_map(|function| function.split('(').next());
        for name in names {
            assert!(glsl.text.contains(&format!(" {name}(")), "{variant:?} has no {name}\n{}", glsl.text);
        }
        assert!(glsl.text.contains(glsl.palette), "{variant:?}\n{}", glsl.text);
        assert_eq!(glsl.text.contains("canter_targets"), glsl.targets.is_some(), "{variant:?}");
        for leftover in ["_group_", "main", "_p2vs", "#version"] {
            assert!(!glsl.text.contains(leftover), "{variant:?} has {leftover}\n{}", glsl.text);
        }
    }
}
