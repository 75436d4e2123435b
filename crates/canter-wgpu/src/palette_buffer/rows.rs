//! The rows of a frame as they will be on the GPU, and those of the previous one.

use std::collections::HashMap;

use canter::Mat3x4;

use super::{Block, PaletteError};
use crate::palette_layout::{BlockSize, PaletteFormat, PaletteLayout, PaletteLocation};

type Row = [f32; 4];

#[derive(Debug)]
pub(super) struct Rows {
    layout: PaletteLayout,
    align: usize,
    most: usize,
    now: Frame,
    /// Used with [`PaletteLayout::previous`].
    before: Frame,
    /// The block that was begun last.
    open: Option<OpenBlock>,
}

#[derive(Clone, Copy, Debug)]
struct OpenBlock {
    start: usize,
    key: u64,
    /// How many lists of morph weights it has so far.
    lists: u32,
}

#[derive(Debug, Default)]
struct Frame {
    rows: Vec<Row>,
    /// Where the block of a key begins, and how many matrices it has.
    blocks: HashMap<u64, (usize, usize)>,
    /// Where each list of morph weights begins, by key and number.
    lists: HashMap<(u64, u32), usize>,
}

impl Rows {
    pub(super) fn new(layout: PaletteLayout, align: usize, most: usize) -> Self {
        Self { layout, align, most, now: Frame::default(), before: Frame::default(), open: None }
    }

    pub(super) fn clear(&mut self) {
        if self.layout.previous {
            std::mem::swap(&mut self.now, &mut self.before);
        }
        self.now.rows.clear();
        self.now.blocks.clear();
        self.now.lists.clear();
        self.open = None;
    }

    pub(super) fn len(&self) -> usize {
        self.now.rows.len()
    }

    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// All rows, filled up to whole multiples of a number.
    pub(super) fn filled_to(&mut self, multiple: usize) -> &[Row] {
        let filled = self.len().next_multiple_of(multiple);
        self.now.rows.resize(filled, [0.0; 4]);
        &self.now.rows
    }

    /// Adds a block and gives its first row.
    pub(super) fn push(&mut self, block: Block<'_>) -> Result<u32, PaletteError> {
        let start = self.len().next_multiple_of(self.align);
        let size = BlockSize { matrices: block.matrices.len(), morph_targets: &[] };
        let end = start + self.layout.block_rows(size);
        let first = self.check(start, start, end)?;
        self.now.rows.resize(start, [0.0; 4]);
        let before = self.before.blocks.get(&block.key).filter(|(_, count)| *count == block.matrices.len());
        let mut before = before.map(|(start, _)| *start);
        if self.layout.world {
            self.push_matrix(&block.world, &mut before);
        }
        if self.layout.format == PaletteFormat::Packed && !self.layout.previous {
            self.now.rows.extend_from_slice(bytemuck::cast_slice(block.matrices));
        } else {
            for matrix in block.matrices {
                self.push_matrix(matrix, &mut before);
            }
        }
        if self.layout.previous {
            self.now.blocks.insert(block.key, (start, block.matrices.len()));
        }
        self.open = Some(OpenBlock { start, key: block.key, lists: 0 });
        Ok(first)
    }

    /// Adds a matrix and, if that is asked for, the one of the previous frame, which is at row `before`
    /// there.
    fn push_matrix(&mut self, matrix: &Mat3x4, before: &mut Option<usize>) {
        let columns;
        let rows: &[Row] = match self.layout.format {
            PaletteFormat::Packed => &matrix.rows,
            PaletteFormat::Mat4 => {
                columns = matrix.to_mat4().to_cols_array_2d();
                &columns
            }
        };
        self.now.rows.extend_from_slice(rows);
        if self.layout.previous {
            match before {
                Some(at) => {
                    self.now.rows.extend_from_slice(&self.before.rows[*at..*at + rows.len()]);
                    *at += self.layout.step_rows();
                }
                None => self.now.rows.extend_from_slice(rows),
            }
        }
    }

    /// Adds a list of morph weights; gives its first row, and that of its block.
    pub(super) fn push_morphs(&mut self, weights: &[f32]) -> Result<(u32, u32), PaletteError> {
        let (start, open) = (self.len(), self.open.unwrap_or(OpenBlock { start: 0, key: 0, lists: 0 }));
        let count = weights.iter().filter(|weight| **weight != 0.0).count();
        // The pairs of the previous frame; those of a newcomer are the same as this frame's.
        let before = self.before.lists.get(&(open.key, open.lists)).filter(|_| self.layout.previous);
        let before = before.map(|&head| head + 1..head + 1 + active(&self.before.rows[head]).div_ceil(2));
        let rows = count.div_ceil(2);
        let rows_before =
            if self.layout.previous { before.as_ref().map_or(rows, |rows| rows.len()) } else { 0 };
        let end = start + 1 + rows + rows_before;
        let first = self.check(open.start, start, end)?;

        #[expect(clippy::cast_precision_loss, reason = "there are not millions of morph targets")]
        let pairs = |(target, weight): (usize, &f32)| [target as f32, *weight];
        let mut head = [count_as_f32(count), 0.0, 0.0, 0.0];
        self.now.rows.push(head);
        let mut list = weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0).map(pairs);
        while let Some([target, weight]) = list.next() {
            let [other, other_weight] = list.next().unwrap_or_default();
            self.now.rows.push([target, weight, other, other_weight]);
        }
        if self.layout.previous {
            if let Some(before) = before {
                head[1] = self.before.rows[before.start - 1][0];
                self.now.rows.extend_from_slice(&self.before.rows[before]);
            } else {
                head[1] = head[0];
                self.now.rows.extend_from_within(start + 1..);
            }
            self.now.rows[start] = head;
            self.now.lists.insert((open.key, open.lists), start);
        }
        if let Some(open) = &mut self.open {
            open.lists += 1;
        }
        Ok((first, u32::try_from(open.start).unwrap_or(u32::MAX)))
    }

    /// Whether rows up to `end` fit, of a block that begins at `block`; gives `start` as the shader counts.
    fn check(&self, block: usize, start: usize, end: usize) -> Result<u32, PaletteError> {
        let (rows, limit) = (end - block, PaletteLayout::UNIFORM_ROWS);
        if self.layout.location == PaletteLocation::Uniform && rows > limit {
            return Err(PaletteError::TooLarge { rows });
        }
        if end > self.most {
            return Err(PaletteError::Full { rows: end, most: self.most });
        }
        u32::try_from(start).map_err(|_| PaletteError::Full { rows: end, most: self.most })
    }
}

/// How many targets a list has, by its head.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was a count")]
fn active(head: &Row) -> usize {
    head[0] as usize
}

#[expect(clippy::cast_precision_loss, reason = "there are not millions of morph targets")]
fn count_as_f32(count: usize) -> f32 {
    count as f32
}

#[cfg(test)]
mod tests {
    use canter::glam::{Mat4, Vec3};

    use super::*;

    fn at(x: f32) -> Mat3x4 {
        Mat3x4::from_mat4(Mat4::from_translation(Vec3::X * x))
    }

    /// The x of the translations of a frame's packed matrices.
    fn places(rows: &Rows) -> Vec<f32> {
        rows.now.rows.as_chunks::<3>().0.iter().map(|[row, ..]| row[3]).collect()
    }

    #[test]
    fn blocks_are_aligned_and_refused_where_they_do_not_fit() {
        let layout = PaletteLayout { location: PaletteLocation::Uniform, ..PaletteLayout::default() };
        let mut rows = Rows::new(layout, 16, 2000);
        let block = |count| vec![Mat3x4::IDENTITY; count];
        let push = |rows: &mut Rows, count| {
            rows.push(Block { matrices: &block(count), world: Mat3x4::IDENTITY, key: 0 })
        };
        assert_eq!(push(&mut rows, 1), Ok(0));
        assert_eq!(push(&mut rows, 341), Ok(16));
        assert_eq!(push(&mut rows, 342), Err(PaletteError::TooLarge { rows: 1026 }));
        assert_eq!(rows.push_morphs(&[1.0]), Err(PaletteError::TooLarge { rows: 1025 }));
        assert_eq!(push(&mut rows, 341), Err(PaletteError::Full { rows: 2063, most: 2000 }));
        assert_eq!(push(&mut rows, 1), Ok(1040));
        assert_eq!(rows.push_morphs(&[0.0, 0.5, 0.0, 0.25, 1.0]), Ok((1043, 1040)));
        assert_eq!(
            rows.now.rows[1043..],
            [[3.0, 0.0, 0.0, 0.0], [1.0, 0.5, 3.0, 0.25], [4.0, 1.0, 0.0, 0.0]]
        );
    }

    /// The sizes at the border, in every layout: a block takes the rows that its layout says, and one more is
    /// refused.
    #[test]
    fn a_block_is_refused_only_where_its_layout_says_that_it_does_not_fit() {
        for (world, previous) in [(false, false), (true, false), (false, true), (true, true)] {
            let layout = PaletteLayout {
                location: PaletteLocation::Uniform,
                world,
                previous,
                ..PaletteLayout::default()
            };
            for (matrices, targets) in
                [(100, 1), (100, 7), (150, 120), (169, 2), (170, 0), (200, 400), (340, 2)]
            {
                for targets in targets..targets + 100 {
                    let size = BlockSize { matrices, morph_targets: &[targets] };
                    let mut rows = Rows::new(layout, 1, 10_000);
                    let mut fill = || {
                        rows.clear();
                        let matrices = &vec![Mat3x4::IDENTITY; matrices];
                        rows.push(Block { matrices, world: Mat3x4::IDENTITY, key: 0 })?;
                        rows.push_morphs(&vec![1.0; targets])?;
                        Ok::<_, PaletteError>(rows.len())
                    };
                    for filled in [fill(), fill()] {
                        match filled {
                            Ok(filled) => assert_eq!(filled, layout.block_rows(size), "{layout:?} {size:?}"),
                            Err(_) => assert!(!layout.fits_uniform(size), "{layout:?} {size:?}"),
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_previous_frame_is_found_by_key_and_a_newcomer_did_not_move() {
        let layout = PaletteLayout { world: true, previous: true, ..PaletteLayout::default() };
        let mut rows = Rows::new(layout, 1, 10_000);
        let push = |rows: &mut Rows, key, x: f32| {
            rows.push(Block { matrices: &[at(x), at(x + 1.0)], world: at(x + 2.0), key }).unwrap();
        };
        push(&mut rows, 7, 10.0);
        assert_eq!(places(&rows), [12.0, 12.0, 10.0, 10.0, 11.0, 11.0]);
        rows.clear();
        push(&mut rows, 8, 50.0);
        push(&mut rows, 7, 20.0);
        assert_eq!(places(&rows)[6..], [22.0, 12.0, 20.0, 10.0, 21.0, 11.0]);
        rows.clear();
        rows.push(Block { matrices: &[at(1.0)], world: at(2.0), key: 7 }).unwrap();
        assert_eq!(places(&rows), [2.0, 2.0, 1.0, 1.0], "another palette under the same key");
    }

    #[test]
    fn morph_weights_of_the_previous_frame_follow_those_of_this_one() {
        let layout = PaletteLayout { previous: true, ..PaletteLayout::default() };
        let mut rows = Rows::new(layout, 1, 10_000);
        let mut frame = |weights: &[f32]| {
            rows.clear();
            rows.push(Block { matrices: &[], world: at(0.0), key: 1 }).unwrap();
            rows.push_morphs(weights).unwrap();
            rows.now.rows.clone()
        };
        assert_eq!(frame(&[0.0, 0.5]), [[1.0, 1.0, 0.0, 0.0], [1.0, 0.5, 0.0, 0.0], [1.0, 0.5, 0.0, 0.0]]);
        assert_eq!(frame(&[0.0, 0.0]), [[0.0, 1.0, 0.0, 0.0], [1.0, 0.5, 0.0, 0.0]]);
        assert_eq!(frame(&[0.25, 0.0]), [[1.0, 0.0, 0.0, 0.0], [0.0, 0.25, 0.0, 0.0]]);
    }
}
