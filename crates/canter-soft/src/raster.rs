//! From triangles to samples, a band of the picture at a time: bands need little memory, and are drawn side
//! by side.

use canter::glam::{Mat4, Vec2, Vec4};
use canter_gltf::{AlphaMode, Topology};
use retrofire_core::geom::{Tri, Vertex, vertex};
use retrofire_core::math::vary::ZDiv as _;
use retrofire_core::math::{Mat4 as ScreenMat4, Vary, pt3};
use retrofire_core::render::clip::{ClipVec, ClipVert, Status, view_frustum};
use retrofire_core::render::prim::to_screen;
use retrofire_core::render::raster::{ScreenPt, tri_fill};
use retrofire_core::render::{Ndc, Screen};

use crate::shade::{Facet, Shader, area};
use crate::surface::{Place, Surface, corners_of};
use crate::varying::Weights;

/// A surface as the camera sees it.
pub(crate) struct Seen<'a> {
    surface: &'a Surface<'a>,
    clip: Vec<Vec4>,
    /// Samples across and down the whole picture.
    size: Vec2,
    distance: f32,
}

impl<'a> Seen<'a> {
    pub(crate) fn new(surface: &'a Surface<'a>, clip_from_origin: Mat4, size: Vec2) -> Self {
        let clip: Vec<Vec4> =
            surface.positions.iter().map(|&position| clip_from_origin * position.extend(1.0)).collect();
        let distance = clip.iter().map(|at| at.w).sum::<f32>() / clip.len().max(1) as f32;
        Self { surface, clip, size, distance }
    }

    fn alpha_mode(&self) -> AlphaMode {
        self.surface.material.alpha_mode
    }

    fn is_culled(&self) -> bool {
        self.surface.topology == Topology::Triangles && !self.surface.material.is_double_sided
    }

    /// What all samples of a triangle share.
    fn facet(&self, vertices: [u32; 3]) -> Facet {
        let clip = corners_of(&self.clip, vertices);
        // All of it, also where a band has only a part of it. What reaches behind the camera is near.
        let is_ahead = clip.iter().all(|at| at.w > 0.0);
        let samples = clip.map(|at| at.truncate().truncate() / at.w * self.size / 2.0);
        Facet::new(self.surface, vertices, if is_ahead { area(samples) } else { f32::INFINITY })
    }

    /// Gives each triangle: where its corners are, and which vertices they are. Lines and points are two.
    fn each_triangle(&self, mut draw: impl FnMut([Vec4; 3], [u32; 3])) {
        let indices = self.surface.indices;
        let place = |index: u32| self.clip.get(index as usize).copied().filter(|at| at.is_finite());
        let ends = match self.surface.topology {
            Topology::Triangles => {
                for &corners in indices.as_chunks::<3>().0 {
                    if let [Some(a), Some(b), Some(c)] = corners.map(place) {
                        draw([a, b, c], corners);
                    }
                }
                return;
            }
            Topology::Lines => 2,
            Topology::Points => 1,
        };
        for ends in indices.chunks_exact(ends) {
            let (from, to) = (ends[0], ends[ends.len() - 1]);
            if let (Some(a), Some(b)) = (place(from), place(to))
                && a.w > 0.0
                && b.w > 0.0
            {
                let [left_a, right_a, right_b, left_b] = stroke(a, b, self.size);
                draw([left_a, right_a, right_b], [from, from, to]);
                draw([left_a, right_b, left_b], [from, to, to]);
            }
        }
    }
}

/// The corners of a rectangle that faces the camera, a few samples wide.
fn stroke(a: Vec4, b: Vec4, size: Vec2) -> [Vec4; 4] {
    const HALF_WIDTH: f32 = 2.5;
    let along = (b.truncate().truncate() / b.w - a.truncate().truncate() / a.w) * size;
    let along = along.normalize_or(Vec2::X) * HALF_WIDTH * 2.0 / size;
    let across = (along * size).perp() / size;
    [(a, -1.0, -1.0), (a, -1.0, 1.0), (b, 1.0, 1.0), (b, 1.0, -1.0)].map(|(end, ahead, aside)| {
        let shift = (along * ahead + across * aside) * end.w;
        end + Vec4::new(shift.x, shift.y, 0.0, 0.0)
    })
}

/// The samples of some rows of the picture.
pub(crate) struct Band {
    pub(crate) view: View,
    /// Reciprocal distances; 0 is infinitely far.
    depths: Vec<f32>,
    /// Light multiplied by alpha, and alpha.
    pub(crate) colors: Vec<Vec4>,
}

/// What of the picture a band is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// In samples.
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Parts of the picture's height, from 0 at the top to 1.
    pub(crate) top: f32,
    pub(crate) bottom: f32,
}

/// What colours do with those behind them.
#[derive(Clone, Copy, PartialEq)]
enum Pass {
    Opaque,
    Blend,
}

impl Band {
    pub(crate) fn new(view: View) -> Self {
        let samples = view.width * view.height;
        Self { view, depths: vec![0.0; samples], colors: vec![Vec4::ZERO; samples] }
    }

    /// Draws everything: solid surfaces first (their depth before their colours, so that each sample is
    /// shaded once), then what lets light through, the furthest first.
    pub(crate) fn draw(&mut self, seen: &[Seen<'_>], shader: &Shader<'_>) {
        for surface in seen.iter().filter(|surface| surface.alpha_mode() == AlphaMode::Opaque) {
            self.depth_pass(surface);
        }
        for surface in seen.iter().filter(|surface| surface.alpha_mode() != AlphaMode::Blend) {
            self.color_pass(surface, Pass::Opaque, shader);
        }
        let mut blended: Vec<_> =
            seen.iter().filter(|surface| surface.alpha_mode() == AlphaMode::Blend).collect();
        blended.sort_by(|a, b| b.distance.total_cmp(&a.distance));
        for surface in blended {
            self.color_pass(surface, Pass::Blend, shader);
        }
    }

    fn depth_pass(&mut self, seen: &Seen<'_>) {
        let (view, depths) = (self.view, &mut self.depths);
        view.each_triangle(seen, [(); 3], |corners, _| {
            scan(corners, view, |index, depth, ()| depths[index] = depths[index].max(depth));
        });
    }

    fn color_pass(&mut self, seen: &Seen<'_>, pass: Pass, shader: &Shader<'_>) {
        let Self { view, depths, colors } = self;
        let mut draw = |corners, vertices| {
            let mut facet = None;
            scan(corners, *view, |index, depth, weights: Weights| {
                if depth < depths[index] {
                    return;
                }
                let facet = facet.get_or_insert_with(|| seen.facet(vertices));
                let place = Place::new(vertices, weights.z_div(depth));
                let Some(color) = shader.shade(seen.surface, facet, &place) else { return };
                if pass == Pass::Blend {
                    let alpha = color.w;
                    colors[index] = (color.truncate() * alpha).extend(alpha) + colors[index] * (1.0 - alpha);
                } else {
                    (depths[index], colors[index]) = (depth, color);
                }
            });
        };
        if pass == Pass::Opaque {
            view.each_triangle(seen, Weights::CORNERS, draw);
            return;
        }
        let mut triangles: Vec<Corners<Weights>> = Vec::new();
        view.each_triangle(seen, Weights::CORNERS, |corners, vertices| triangles.push((corners, vertices)));
        let distance =
            |(corners, _): &Corners<Weights>| corners.iter().map(|corner| 1.0 / corner.pos.z()).sum::<f32>();
        triangles.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
        for (corners, vertices) in triangles {
            draw(corners, vertices);
        }
    }
}

/// The corners of a triangle on the screen, and which vertices the triangle has.
type Corners<V> = ([Vertex<ScreenPt, V>; 3], [u32; 3]);

impl View {
    /// Gives the triangles of a surface that are in the view, cut off at its edges. `attributes` are what the
    /// three corners of a triangle have. (A list of them would be larger than the surface itself.)
    fn each_triangle<V: Vary>(
        &self,
        seen: &Seen<'_>,
        attributes: [V; 3],
        mut draw: impl FnMut([Vertex<ScreenPt, V>; 3], [u32; 3]),
    ) {
        // This band of the picture becomes all that there is to see.
        let (top, bottom) = (1.0 - 2.0 * self.top, 1.0 - 2.0 * self.bottom);
        let (middle, scale) = ((top + bottom) / 2.0, 2.0 / (top - bottom));
        let place = |at: Vec4| ClipVec::new([at.x, (at.y - at.w * middle) * scale, at.z, at.w]);
        let screen_from_ndc = viewport(self.width, self.height);
        let (is_culled, is_mirrored) = (seen.is_culled(), seen.surface.is_mirrored);
        let mut clipped = Vec::new();
        seen.each_triangle(|clip, vertices| {
            let above = clip.iter().all(|at| at.y > top * at.w);
            let below = clip.iter().all(|at| at.y < bottom * at.w);
            if above || below {
                return;
            }
            let corner =
                |number: usize| ClipVert::new(vertex(place(clip[number]), attributes[number].clone()));
            let corners = [corner(0), corner(1), corner(2)];
            clipped.clear();
            match view_frustum::status(&corners) {
                Status::Hidden => return,
                Status::Visible => clipped.push(Tri(corners)),
                Status::Clipped => view_frustum::clip(&[Tri(corners)][..], &mut clipped),
            }
            for Tri(corners) in clipped.drain(..) {
                let corners = to_screen(corners, &screen_from_ndc);
                if !is_culled || is_back(&corners) == is_mirrored {
                    draw(corners, vertices);
                }
            }
        });
    }
}

/// Gives each sample of a triangle: its index, how near it is, and what it has.
#[inline]
fn scan<V: Vary>(
    corners: [Vertex<ScreenPt, V>; 3],
    View { width, height, .. }: View,
    mut draw: impl FnMut(usize, f32, V),
) {
    tri_fill(corners, |line| {
        // Rounding may lead one sample beyond the edge.
        if line.y >= height {
            return;
        }
        let row = line.y * width;
        for (x, (place, attribute)) in line.xs.zip(line.vs) {
            if x >= width {
                break;
            }
            draw(row + x, place.z(), attribute);
        }
    });
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
