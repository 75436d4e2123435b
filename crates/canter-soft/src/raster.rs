//! From triangles to samples, a band of the picture at a time: bands need little memory, and are drawn side
//! by side.

use canter::glam::{Mat4, Vec2, Vec3, Vec4};
use canter_gltf::{AlphaMode, Topology};
use retrofire_core::geom::{Tri, Vertex, vertex};
use retrofire_core::math::{Mat4 as ScreenMat4, Vary, pt3};
use retrofire_core::render::clip::{ClipVec, ClipVert, view_frustum};
use retrofire_core::render::prim::to_screen;
use retrofire_core::render::raster::{ScreenPt, tri_fill};
use retrofire_core::render::{Ndc, Screen};

use crate::shade::Shader;
use crate::surface::{Cover, Surface};
use crate::varying::Varying;

/// A surface as the camera sees it.
pub(crate) struct Seen<'a> {
    pub(crate) cover: &'a Cover,
    is_culled: bool,
    is_mirrored: bool,
    clip: Vec<Vec4>,
    varyings: Vec<Varying>,
    triangles: Vec<[u32; 3]>,
    texture_level: usize,
    distance: f32,
}

impl<'a> Seen<'a> {
    /// `size`: samples across and down the whole picture.
    pub(crate) fn new(surface: &'a Surface, clip_from_origin: Mat4, size: Vec2) -> Self {
        let mut clip: Vec<Vec4> =
            surface.positions.iter().map(|&position| clip_from_origin * position.extend(1.0)).collect();
        let mut varyings: Vec<Varying> = (0..clip.len()).map(|index| varying(surface, index)).collect();
        let triangles = match surface.topology {
            Topology::Triangles => {
                surface.indices.chunks_exact(3).map(|three| [three[0], three[1], three[2]]).collect()
            }
            Topology::Lines => strokes(surface.indices.chunks_exact(2), size, &mut clip, &mut varyings),
            Topology::Points => strokes(surface.indices.chunks_exact(1), size, &mut clip, &mut varyings),
        };
        let mut seen = Self {
            cover: &surface.cover,
            is_culled: surface.topology == Topology::Triangles && !surface.cover.is_double_sided,
            is_mirrored: surface.is_mirrored,
            distance: clip.iter().map(|at| at.w).sum::<f32>() / clip.len().max(1) as f32,
            clip,
            varyings,
            triangles,
            texture_level: 0,
        };
        seen.triangles.retain(|triangle| triangle.iter().all(|&index| seen.clip[index as usize].is_finite()));
        seen.texture_level = seen.level(size);
        seen
    }

    /// Texels and samples over the whole surface say which size of the texture to take.
    fn level(&self, size: Vec2) -> usize {
        let Some(texture) = &self.cover.texture else { return 0 };
        let (mut texels, mut samples) = (0.0_f32, 0.0_f32);
        for triangle in &self.triangles {
            let clip = triangle.map(|index| self.clip[index as usize]);
            if clip.iter().all(|at| at.w > 0.0) {
                samples += area(clip.map(|at| Vec2::new(at.x, at.y) / at.w * size / 2.0));
                texels += area(triangle.map(|index| self.varyings[index as usize].uv() * texture.size()));
            }
        }
        if samples > 0.0 { texture.level((texels / samples).sqrt()) } else { 0 }
    }

    pub(crate) fn is_blended(&self) -> bool {
        self.cover.alpha_mode == AlphaMode::Blend
    }

    pub(crate) fn distance(&self) -> f32 {
        self.distance
    }
}

fn area([a, b, c]: [Vec2; 3]) -> f32 {
    (b - a).perp_dot(c - a).abs()
}

fn varying(surface: &Surface, index: usize) -> Varying {
    Varying::new(
        surface.normals.get(index).copied().unwrap_or(Vec3::ZERO),
        surface.positions[index],
        surface.uvs.get(index).copied().unwrap_or_default(),
        surface.colors.get(index).copied().unwrap_or(Vec4::ONE),
    )
}

/// Lines and points become rectangles that face the camera, a few samples wide.
fn strokes<'a>(
    ends: impl Iterator<Item = &'a [u32]>,
    size: Vec2,
    clip: &mut Vec<Vec4>,
    varyings: &mut Vec<Varying>,
) -> Vec<[u32; 3]> {
    const HALF_WIDTH: f32 = 2.5;
    let mut triangles = Vec::new();
    for ends in ends {
        let (from, to) = (ends[0] as usize, ends[ends.len() - 1] as usize);
        let (a, b) = (clip[from], clip[to]);
        if a.w <= 0.0 || b.w <= 0.0 {
            continue;
        }
        let along = (b.truncate().truncate() / b.w - a.truncate().truncate() / a.w) * size;
        let along = along.normalize_or(Vec2::X) * HALF_WIDTH * 2.0 / size;
        let across = (along * size).perp() / size;
        let Ok(first) = u32::try_from(clip.len()) else { break };
        for (end, index, ahead, aside) in
            [(a, from, -1.0, -1.0), (a, from, -1.0, 1.0), (b, to, 1.0, 1.0), (b, to, 1.0, -1.0)]
        {
            let shift = (along * ahead + across * aside) * end.w;
            clip.push(end + Vec4::new(shift.x, shift.y, 0.0, 0.0));
            varyings.push(varyings[index]);
        }
        triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    triangles
}

/// The samples of some rows of the picture.
pub(crate) struct Band {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// What of the picture's height it is, from 0 at the top to 1.
    top: f32,
    bottom: f32,
    /// Reciprocal distances; 0 is infinitely far.
    depths: Vec<f32>,
    /// Light multiplied by alpha, and alpha.
    pub(crate) colors: Vec<Vec4>,
}

/// What is to be done with a triangle.
#[derive(Clone, Copy, PartialEq)]
enum Pass {
    Depth,
    Opaque,
    Blend,
}

impl Band {
    pub(crate) fn new(width: usize, height: usize, top: f32, bottom: f32) -> Self {
        Self {
            width,
            height,
            top,
            bottom,
            depths: vec![0.0; width * height],
            colors: vec![Vec4::ZERO; width * height],
        }
    }

    /// Draws everything: solid surfaces first (their depth before their colours, so that each sample is
    /// shaded once), then what lets light through, the furthest first.
    pub(crate) fn draw(&mut self, seen: &[Seen<'_>], shader: &Shader<'_>) {
        for surface in seen.iter().filter(|surface| surface.cover.alpha_mode == AlphaMode::Opaque) {
            self.pass(surface, Pass::Depth, |_| (), |_, ()| None);
        }
        let shade = |surface: &Seen<'_>, at: &Varying| shader.shade(surface.cover, surface.texture_level, at);
        for surface in seen.iter().filter(|surface| !surface.is_blended()) {
            self.pass(surface, Pass::Opaque, |index| surface.varyings[index], |_, at| shade(surface, &at));
        }
        let mut blended: Vec<_> = seen.iter().filter(|surface| surface.is_blended()).collect();
        blended.sort_by(|a, b| b.distance().total_cmp(&a.distance()));
        for surface in blended {
            self.pass(surface, Pass::Blend, |index| surface.varyings[index], |_, at| shade(surface, &at));
        }
    }

    fn pass<V: Vary>(
        &mut self,
        surface: &Seen<'_>,
        pass: Pass,
        attribute: impl Fn(usize) -> V,
        shade: impl Fn(&Seen<'_>, V) -> Option<Vec4>,
    ) {
        // This band of the picture becomes all that there is to see.
        let (top, bottom) = (1.0 - 2.0 * self.top, 1.0 - 2.0 * self.bottom);
        let (middle, scale) = ((top + bottom) / 2.0, 2.0 / (top - bottom));
        let place = |at: Vec4| ClipVec::new([at.x, (at.y - at.w * middle) * scale, at.z, at.w]);
        let mut inside = Vec::new();
        for triangle in &surface.triangles {
            let clip = triangle.map(|index| surface.clip[index as usize]);
            let above = clip.iter().all(|at| at.y > top * at.w);
            let below = clip.iter().all(|at| at.y < bottom * at.w);
            if !above && !below {
                let corner = |index: u32| {
                    ClipVert::new(vertex(place(surface.clip[index as usize]), attribute(index as usize)))
                };
                inside.push(Tri(triangle.map(corner)));
            }
        }
        let mut clipped = Vec::new();
        view_frustum::clip(inside.as_slice(), &mut clipped);
        if pass == Pass::Blend {
            let depth =
                |Tri(corners): &Tri<ClipVert<V>>| corners.iter().map(|corner| corner.pos.w()).sum::<f32>();
            clipped.sort_by(|a, b| depth(b).total_cmp(&depth(a)));
        }
        let screen_from_ndc = viewport(self.width, self.height);
        for Tri(corners) in clipped {
            let corners = to_screen(corners, &screen_from_ndc);
            if surface.is_culled && is_back(&corners) != surface.is_mirrored {
                continue;
            }
            self.fill(corners, surface, pass, &shade);
        }
    }

    fn fill<V: Vary>(
        &mut self,
        corners: [Vertex<ScreenPt, V>; 3],
        surface: &Seen<'_>,
        pass: Pass,
        shade: &impl Fn(&Seen<'_>, V) -> Option<Vec4>,
    ) {
        let Self { width, height, depths, colors, .. } = self;
        tri_fill(corners, |line| {
            // Rounding may lead one sample beyond the edge.
            if line.y >= *height {
                return;
            }
            let row = line.y * *width;
            for (x, (place, attribute)) in line.xs.zip(line.vs) {
                if x >= *width {
                    break;
                }
                let depth = place.z();
                let old_depth = &mut depths[row + x];
                if pass == Pass::Depth {
                    *old_depth = old_depth.max(depth);
                    continue;
                }
                if depth < *old_depth {
                    continue;
                }
                let Some(color) = shade(surface, attribute.z_div(depth)) else { continue };
                let alpha = color.w;
                let old = &mut colors[row + x];
                if pass == Pass::Blend {
                    *old = (color.truncate() * alpha).extend(alpha) + *old * (1.0 - alpha);
                } else {
                    *old_depth = depth;
                    *old = color;
                }
            }
        });
    }
}

/// Clockwise on a screen whose y runs down is counter-clockwise for glTF: the front.
fn is_back<V>([a, b, c]: &[Vertex<ScreenPt, V>; 3]) -> bool {
    let (ab, ac) = (b.pos - a.pos, c.pos - a.pos);
    ab.x() * ac.y() - ab.y() * ac.x() > 0.0
}

/// `screen_from_ndc`. The z that passes through it is a reciprocal distance already.
pub(crate) fn viewport(width: usize, height: usize) -> ScreenMat4<Ndc, Screen> {
    let (x, y) = (width as f32 / 2.0, height as f32 / 2.0);
    ScreenMat4::new([[x, 0.0, 0.0, x], [0.0, -y, 0.0, y], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
}

/// A corner that is on the screen already.
pub(crate) fn on_screen<V>(place: Vec2, attribute: V) -> Vertex<ScreenPt, V> {
    vertex(pt3(place.x, place.y, 1.0), attribute)
}
