//! What changes from one frame to the next.

use canter_soft::Picture;

/// The part of a frame that has changed.
pub(super) struct Delta {
    pub(super) x: u32,
    pub(super) y: u32,
    /// The pixels of the rectangle. If `is_over`, those that have not changed are transparent: zeros compress
    /// well.
    pub(super) picture: Picture,
    /// To be drawn over the frame before; else instead of it.
    pub(super) is_over: bool,
}

impl Delta {
    /// The rectangle starts at multiples of `step`, and is never empty.
    pub(super) fn new(old: &Picture, new: &Picture, step: u32) -> Self {
        let (mut left, mut top, mut right, mut bottom) = (new.width, new.height, 0, 0);
        let mut is_over = true;
        for y in 0..new.height {
            for x in 0..new.width {
                let pixel = new.pixel(x, y);
                if pixel != old.pixel(x, y) {
                    (left, top) = (left.min(x), top.min(y));
                    (right, bottom) = (right.max(x + 1), bottom.max(y + 1));
                    is_over &= pixel.is_some_and(|pixel| pixel[3] == 255);
                }
            }
        }
        if right == 0 {
            (left, top, right, bottom) = (0, 0, 1, 1);
        }
        (left, top) = (left / step * step, top / step * step);
        let mut picture = Picture::new(right - left, bottom - top);
        let places = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
        for (target, (x, y)) in picture.pixels.chunks_exact_mut(4).zip(places) {
            let pixel = new.pixel(x, y).unwrap_or_default();
            if !is_over || Some(pixel) != old.pixel(x, y) {
                target.copy_from_slice(&pixel);
            }
        }
        Self { x: left, y: top, picture, is_over }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(pixels: [[u8; 4]; 4]) -> Picture {
        Picture { width: 2, height: 2, pixels: pixels.concat() }
    }

    #[test]
    fn only_what_changed_is_kept() {
        let (white, black, none) = ([255; 4], [0, 0, 0, 255], [0; 4]);
        let old = picture([white; 4]);
        let delta = Delta::new(&old, &picture([white, white, white, black]), 1);
        assert_eq!((delta.x, delta.y, delta.is_over), (1, 1, true));
        assert_eq!(delta.picture.pixels, black);

        // From a multiple of two, the pixels before it are let through.
        let delta = Delta::new(&old, &picture([white, white, white, black]), 2);
        assert_eq!((delta.x, delta.y, delta.is_over), (0, 0, true));
        assert_eq!(delta.picture.pixels, [none, none, none, black].concat());

        // What becomes transparent cannot be drawn over.
        let delta = Delta::new(&old, &picture([white, none, white, black]), 1);
        assert_eq!((delta.x, delta.y, delta.is_over), (1, 0, false));
        assert_eq!(delta.picture.pixels, [none, black].concat());

        let same = Delta::new(&old, &old, 1);
        assert_eq!((same.picture.width, same.picture.height), (1, 1));
    }
}
