//! Reads decisions from bytes: the same bytes always decide the same, and after their end everything is zero.

/// Bytes that are used up from the front.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

impl<'a> Input<'a> {
    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.byte())
    }

    /// Up to so many bytes.
    pub(crate) fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// From 0 to below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        if end <= 256 {
            usize::from(self.byte()) % end
        } else {
            u32::from_le_bytes(self.bytes()) as usize % end
        }
    }

    /// An index into a list, now and then one too far.
    pub(crate) fn index(&mut self, count: usize) -> usize {
        if self.once_in(64) { count } else { self.below(count) }
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// True about once in `times`.
    pub(crate) fn once_in(&mut self, times: u8) -> bool {
        self.byte() % times == times - 1
    }

    /// Any float: plain ones, the ones that hurt, and any bits.
    pub(crate) fn float(&mut self) -> f32 {
        match self.byte() % 4 {
            0 => f32::from(i16::from_le_bytes(self.bytes())) / 256.0,
            1 => self.pick(&HARD),
            2 => f32::from_le_bytes(self.bytes()),
            _ => f32::from(self.byte()) / 64.0,
        }
    }
}

/// Floats that have broken programs before.
pub(crate) const HARD: [f32; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1e-9,
    0.3,
    3_600.0,
    1e18,
    -1e18,
    f32::MIN_POSITIVE,
    1e-45,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];
