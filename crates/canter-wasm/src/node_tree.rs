//! Matrices of nodes that JavaScript keeps, in double precision as it has them: local and world matrices from
//! positions, quaternions and scales, and the palettes of skins from world matrices.

use std::rc::Rc;

use canter::glam::{Mat4, Vec4};
use fearless_simd::{Level, Simd, dispatch, f64x4, prelude::*};

use crate::host::{Host, word};
use crate::property_mix::words;

/// A matrix, column by column.
type Matrix = [[f64; 4]; 4];

const IDENTITY: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// A position, a quaternion and a scale; JavaScript writes them.
type Transform = [f64; 10];

/// Nodes, parents before children. Nothing is ever resized: JavaScript looks at it in place.
pub(crate) struct NodeTree {
    /// The place of each node's parent; the number of nodes for one that is outside.
    parents: Vec<u32>,
    transforms: Vec<Transform>,
    locals: Vec<Matrix>,
    /// The last is that of the parent outside, which JavaScript writes.
    worlds: Vec<Matrix>,
    skins: Vec<TreeSkin>,
}

/// The inverse bind matrices of a skin. All trees that have it share them.
pub(crate) type BoneInverses = Rc<[Mat4]>;

struct TreeSkin {
    /// Their places in the tree.
    bones: Vec<u32>,
    inverses: BoneInverses,
    palette: Vec<Mat4>,
}

impl NodeTree {
    /// For each node one more than the place of its parent, 0 for what is outside.
    fn new(parents: impl Iterator<Item = u32>) -> Self {
        let mut parents: Vec<u32> = parents.collect();
        let count = parents.len();
        for (parent, place) in parents.iter_mut().zip(0..) {
            *parent = parent.checked_sub(1).filter(|&parent| parent < place).unwrap_or(word(count));
        }
        let (transforms, locals) = (vec![[0.0; 10]; count], vec![IDENTITY; count]);
        Self { parents, transforms, locals, worlds: vec![IDENTITY; count + 1], skins: Vec::new() }
    }

    /// All positions, quaternions and scales.
    pub(crate) fn numbers(&mut self) -> &mut [f64] {
        self.transforms.as_flattened_mut()
    }

    #[cfg_attr(canter_web, optimize(speed))]
    fn compose(&mut self) {
        dispatch!(Level::new(), simd => self.walk(simd));
    }

    #[inline(always)]
    fn walk<S: Simd>(&mut self, simd: S) {
        let nodes = self.parents.iter().zip(&self.transforms).zip(&mut self.locals);
        for (place, ((&parent, transform), local)) in nodes.enumerate() {
            *local = matrix(transform);
            self.worlds[place] = product(simd, &self.worlds[parent as usize], local);
        }
    }

    /// In single precision, as the GPU has it.
    #[cfg_attr(canter_web, optimize(speed))]
    fn write_palette(&mut self, skin: usize) -> &[Mat4] {
        let Some(skin) = self.skins.get_mut(skin) else { return &[] };
        for ((matrix, &bone), bone_from_mesh) in skin.palette.iter_mut().zip(&skin.bones).zip(&*skin.inverses)
        {
            if let Some(world_from_bone) = self.worlds.get(bone as usize) {
                *matrix = narrow(world_from_bone) * *bone_from_mesh;
            }
        }
        &skin.palette
    }
}

#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the GPU's precision")]
fn narrow(matrix: &Matrix) -> Mat4 {
    let column = |[x, y, z, w]: [f64; 4]| Vec4::new(x as f32, y as f32, z as f32, w as f32);
    Mat4::from_cols(column(matrix[0]), column(matrix[1]), column(matrix[2]), column(matrix[3]))
}

#[inline(always)]
fn matrix(&[px, py, pz, x, y, z, w, sx, sy, sz]: &Transform) -> Matrix {
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, xy, xz) = (x * x2, x * y2, x * z2);
    let (yy, yz, zz) = (y * y2, y * z2, z * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    [
        [(1.0 - (yy + zz)) * sx, (xy + wz) * sx, (xz - wy) * sx, 0.0],
        [(xy - wz) * sy, (1.0 - (xx + zz)) * sy, (yz + wx) * sy, 0.0],
        [(xz + wy) * sz, (yz - wx) * sz, (1.0 - (xx + yy)) * sz, 0.0],
        [px, py, pz, 1.0],
    ]
}

/// The last row of `b` is that of all transforms: 0, 0, 0, 1.
#[inline(always)]
fn product<S: Simd>(simd: S, a: &Matrix, b: &Matrix) -> Matrix {
    let columns = a.map(|column| f64x4::simd_from(simd, column));
    let turned = |[x, y, z, _]: [f64; 4]| columns[0] * x + columns[1] * y + columns[2] * z;
    [*turned(b[0]), *turned(b[1]), *turned(b[2]), *(turned(b[3]) + columns[3])]
}

/// Has memory grow by a quarter instead of a page when it has just grown: JavaScript's views end each time, and
/// engines take it for a reason to collect garbage.
#[cfg(target_arch = "wasm32")]
fn make_room() {
    const PAGE_BYTES: usize = 65_536;
    thread_local! {
        static PAGES: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }
    let pages = || core::arch::wasm32::memory_size(0);
    if pages() > PAGES.get() {
        let mut room = Vec::<u8>::new();
        // Without it everything goes on page by page.
        drop(room.try_reserve_exact(pages() / 4 * PAGE_BYTES));
        // Freed memory stays with the allocator.
        std::hint::black_box(&mut room);
        drop(room);
        PAGES.set(pages());
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn make_room() {}

impl Host {
    /// Makes a tree of the parents in the input.
    pub(crate) fn new_tree(&mut self) -> u32 {
        let input = self.take_input();
        make_room();
        self.trees.insert(NodeTree::new(words(&input)))
    }

    /// Where transforms, local and world matrices are.
    pub(crate) fn tree_places(&mut self, tree: u32) {
        let Some(tree) = self.trees.get(tree) else { return };
        self.answer[0] = word(tree.transforms.as_ptr().addr());
        self.answer[1] = word(tree.locals.as_ptr().addr());
        self.answer[2] = word(tree.worlds.as_ptr().addr());
    }

    pub(crate) fn compose_tree(&mut self, tree: u32) {
        if let Some(tree) = self.trees.get_mut(tree) {
            tree.compose();
        }
    }

    /// Takes inverse bind matrices in: the input is their numbers.
    pub(crate) fn new_inverses(&mut self) -> u32 {
        let input = self.take_input();
        let numbers: Vec<f32> = input.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        self.inverses.insert(numbers.as_chunks().0.iter().map(Mat4::from_cols_array).collect())
    }

    /// Adds a skin and says which number it has: the input is the places of its bones.
    pub(crate) fn add_tree_skin(&mut self, tree: u32, inverses: u32) -> u32 {
        let input = self.take_input();
        let (Some(tree), Some(inverses)) = (self.trees.get_mut(tree), self.inverses.get(inverses)) else {
            return 0;
        };
        let palette = vec![Mat4::ZERO; inverses.len()];
        tree.skins.push(TreeSkin { bones: words(&input).collect(), inverses: Rc::clone(inverses), palette });
        word(tree.skins.len() - 1)
    }

    /// Calculates the palette of a skin from world matrices, and says where it is.
    pub(crate) fn tree_palette(&mut self, tree: u32, skin: u32) {
        let Some(tree) = self.trees.get_mut(tree) else { return };
        let palette = tree.write_palette(skin as usize);
        let (address, len) = (palette.as_ptr().addr(), 16 * palette.len());
        self.put_place(address, len);
    }
}

#[cfg(test)]
mod tests {
    use canter::glam::Vec3;

    use super::*;

    #[test]
    fn a_child_stands_where_its_parents_say_and_a_palette_leads_there() {
        let mut tree = NodeTree::new([0, 1, 9].into_iter());
        assert_eq!(tree.parents, [3, 0, 3], "what is no place before a node is outside");
        let half = std::f64::consts::FRAC_1_SQRT_2;
        tree.transforms = vec![
            [1.0, 2.0, 3.0, 0.0, 0.0, half, half, 2.0, 2.0, 2.0],
            [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0],
            [0.0; 10],
        ];
        tree.worlds[3][3] = [10.0, 0.0, 0.0, 1.0];
        tree.compose();
        let [x, y, z, w] = tree.worlds[1][3];
        assert!((x - 11.0).abs() + (y - 4.0).abs() + (z - 3.0).abs() + (w - 1.0).abs() < 1e-12);
        let inverse = Mat4::from_translation(Vec3::NEG_Y);
        let palette = vec![Mat4::ZERO; 2];
        tree.skins.push(TreeSkin { bones: vec![1, 77], inverses: [inverse; 2].into(), palette });
        let palette = tree.write_palette(0);
        assert!(palette[0].w_axis.abs_diff_eq(Vec4::new(13.0, 4.0, 3.0, 1.0), 1e-6));
        assert_eq!(palette[1], Mat4::ZERO, "a bone that is not there");
        assert!(tree.write_palette(1).is_empty());
    }
}
