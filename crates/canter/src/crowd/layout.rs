//! Where the palettes of a crowd's members lie: one after another, or in the rows of a texture.

use std::ops::Range;

/// Members lie in blocks, which begin at multiples of a length: a block of one member each if they lie one after
/// another, else as many members as fit into a row of a texture, or as many rows as one member takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PaletteLayout {
    /// How many matrices a member has.
    pub(super) matrices: usize,
    pub(super) members_per_block: usize,
    pub(super) block_len: usize,
}

impl PaletteLayout {
    pub(super) const NONE: Self = Self { matrices: 0, members_per_block: 1, block_len: 0 };

    pub(super) const fn new(matrices: usize) -> Self {
        Self { matrices, members_per_block: 1, block_len: matrices }
    }

    /// In rows of so many matrices, of which one is enough for a row.
    pub(super) fn in_rows(matrices: usize, width: usize) -> Self {
        let width = width.max(1);
        if matrices == 0 {
            return Self::new(0);
        }
        let members_per_block = (width / matrices).max(1);
        Self { matrices, members_per_block, block_len: matrices.div_ceil(width) * width }
    }

    pub(super) fn range(&self, member: usize) -> Range<usize> {
        let block = member / self.members_per_block * self.block_len;
        let start = block + member % self.members_per_block * self.matrices;
        start..start + self.matrices
    }

    /// How many matrices so many members take, with those that fill up the last row.
    pub(super) fn len(&self, members: usize) -> usize {
        members.div_ceil(self.members_per_block) * self.block_len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (matrices, width) to (members per block, length of a block)
    #[test]
    fn rows_hold_whole_members_or_members_whole_rows() {
        let table = [
            ((10, 32), (3, 32)),
            ((10, 30), (3, 30)),
            ((10, 10), (1, 10)),
            ((10, 9), (1, 18)),
            ((10, 1), (1, 10)),
            ((10, 0), (1, 10)),
            ((1, 4), (4, 4)),
            ((0, 4), (1, 0)),
        ];
        for ((matrices, width), (members_per_block, block_len)) in table {
            let expected = PaletteLayout { matrices, members_per_block, block_len };
            assert_eq!(PaletteLayout::in_rows(matrices, width), expected, "{matrices} in rows of {width}");
        }
    }

    #[test]
    fn members_never_overlap_and_rows_are_whole() {
        for matrices in 0..12 {
            for width in 1..30 {
                let layout = PaletteLayout::in_rows(matrices, width);
                for member in 0..20 {
                    let (range, next) = (layout.range(member), layout.range(member + 1));
                    assert_eq!(range.len(), matrices);
                    assert!(range.end <= next.start && range.end <= layout.len(member + 1));
                    assert_eq!(layout.len(member) % width, 0);
                    let row_of = |matrix: usize| matrix / width;
                    if (1..=width).contains(&matrices) {
                        assert_eq!(row_of(range.start), row_of(range.end - 1), "in one row");
                    } else {
                        assert_eq!(range.start % width, 0, "from the start of a row");
                    }
                }
            }
        }
    }

    #[test]
    fn without_rows_members_lie_one_after_another() {
        let layout = PaletteLayout::new(7);
        assert_eq!((layout.range(3), layout.len(4)), (21..28, 28));
    }
}
