//! The text of the shaders.

mod conditions;
#[cfg(feature = "renderer")]
pub(crate) use conditions::resolve as resolve_conditions;
#[cfg(feature = "glsl")]
mod glsl;

#[cfg(feature = "glsl")]
pub use glsl::{GlslError, GlslText};

use crate::palette_layout::{PaletteFormat, PaletteLayout, PaletteLocation};

/// How many joints move a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum JointsPerVertex {
    /// The mesh is rigid: all of it follows the one matrix of its palette.
    None,
    /// Four, the attributes `JOINTS_0` and `WEIGHTS_0` of a glTF file.
    #[default]
    Four,
    /// Eight, with `JOINTS_1` and `WEIGHTS_1`.
    Eight,
}

/// A group and a number in it: where a shader finds a resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Binding {
    /// `@group`.
    pub group: u32,
    /// `@binding`.
    pub binding: u32,
}

/// The functions that morph and skin a vertex, as text to put in front of a shader of yours.
///
/// No GPU is needed to make the text, and nothing but the functions and the two resources is in it, all named
/// `canter_…` or `Canter…`.
///
/// | in WGSL | gives |
/// |---|---|
/// | `struct CanterVertex { position: vec3f, normal: vec3f, tangent: vec4f }` | fill what you have not with zeros |
/// | `canter_morph(vertex, vertex_index, morphs) -> CanterVertex` | the vertex with the active morph targets added. With `morphs` |
/// | `canter_skin(vertex, joints, weights, palette) -> CanterVertex` | the vertex in the space of the character |
/// | `canter_skin(vertex, joints, weights, joints_1, weights_1, palette)` | the same with [`JointsPerVertex::Eight`] |
/// | `canter_skin(vertex, palette)` | the same with [`JointsPerVertex::None`] |
/// | `canter_world(palette) -> CanterMatrix` | the character's own matrix. With [`PaletteLayout::world`] |
/// | `canter_transform(matrix, vertex) -> CanterVertex` | the vertex under a matrix, for the one above |
/// | `canter_transform_point(matrix, position) -> vec3f` | the same for a position alone |
/// | `canter_previous_morph(position, vertex_index, morphs)`, `canter_previous_skin(position, …, palette)`, `canter_previous_world(palette)` | where the position was in the previous frame. With [`PaletteLayout::previous`] |
///
/// `joints` are `vec4<u32>` and `weights` `vec4<f32>`. Weights need not add up to one: they are divided by
/// their sum, and a vertex without any weight follows its first joint. Normals stay upright under uneven and
/// mirrored scale, and the handedness of tangents is turned where a matrix mirrors.
///
/// `palette` and `morphs` are the numbers that the palette buffer gave when the block was put into it; for a
/// uniform buffer with a dynamic offset the first of them is 0. `vertex_index` counts from the first vertex
/// of the primitive.
///
/// The resources are `canter_palette` at [`palette`](Self::palette) (a uniform buffer of 16 KiB, a read-only
/// storage buffer, or a float texture) and, with morphs, the float texture `canter_targets` at
/// [`targets`](Self::targets).
///
/// ```
/// use canter_wgpu::SkinningShader;
///
/// let text = SkinningShader::default().wgsl() + "
/// @vertex
/// fn main(
///     @location(0) position: vec3<f32>,
///     @location(1) normal: vec3<f32>,
///     @location(2) joints: vec4<u32>,
///     @location(3) weights: vec4<f32>,
///     @location(4) palette: u32, // one for each instance
/// ) -> @builtin(position) vec4<f32> {
///     let vertex = canter_skin(CanterVertex(position, normal, vec4<f32>(0.0)), joints, weights, palette);
///     return vec4<f32>(vertex.position, 1.0); // your camera goes here
/// }";
/// # let module = naga::front::wgsl::parse_str(&text).unwrap();
/// # naga::valid::Validator::new(Default::default(), Default::default()).validate(&module).unwrap();
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SkinningShader {
    /// How blocks lie in memory.
    pub layout: PaletteLayout,
    /// How many joints move a vertex.
    pub joints: JointsPerVertex,
    /// Whether there are morph targets.
    pub morphs: bool,
    /// Where the palettes are bound.
    pub palette: Binding,
    /// Where the morph targets are bound.
    pub targets: Binding,
}

impl Default for SkinningShader {
    /// Four joints a vertex from packed palettes in a storage buffer, at group 0.
    fn default() -> Self {
        Self {
            layout: PaletteLayout::default(),
            joints: JointsPerVertex::Four,
            morphs: false,
            palette: Binding { group: 0, binding: 0 },
            targets: Binding { group: 0, binding: 1 },
        }
    }
}

impl SkinningShader {
    /// The text in WGSL.
    #[must_use]
    pub fn wgsl(&self) -> String {
        let layout = &self.layout;
        let holds = |name: &str| match name {
            "uniform" => layout.location == PaletteLocation::Uniform,
            "storage" => layout.location == PaletteLocation::Storage,
            "texture" => layout.location == PaletteLocation::Texture,
            "packed" => layout.format == PaletteFormat::Packed,
            "mat4" => layout.format == PaletteFormat::Mat4,
            "world" => layout.world,
            "previous" => layout.previous,
            "morphs" => self.morphs,
            "none" => self.joints == JointsPerVertex::None,
            "some" => self.joints != JointsPerVertex::None,
            "four" => self.joints == JointsPerVertex::Four,
            "eight" => self.joints == JointsPerVertex::Eight,
            _ => false,
        };
        let mut text = conditions::resolve(include_str!("shader/skinning.wgsl"), holds);
        for (name, number) in [
            ("PALETTE_GROUP", self.palette.group as usize),
            ("PALETTE_BINDING", self.palette.binding as usize),
            ("TARGETS_GROUP", self.targets.group as usize),
            ("TARGETS_BINDING", self.targets.binding as usize),
            ("MATRIX_ROWS", layout.matrix_rows()),
            ("STEP_ROWS", layout.step_rows()),
            ("FIRST_ROW", layout.first_row()),
        ] {
            text = text.replace(name, &number.to_string());
        }
        text
    }
}
