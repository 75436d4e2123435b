//! Where a root is on its way, kept from step to step: the next one mostly begins there.

use glam::{Vec2, Vec4};

use super::RootCurve;

/// Where a root is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RootPlace {
    /// The key before it.
    key: usize,
    /// x, y, z and yaw.
    pub(super) numbers: Vec4,
    /// The sine and cosine of the yaw. Not kept up to date on roots that do not turn.
    heading: Vec2,
}

impl RootPlace {
    /// Looks where it is at any time.
    #[inline(never)]
    pub(crate) fn look(&mut self, root: &RootCurve, secs: f32) {
        if let Some(line) = root.line_anywhere(secs, &mut self.key) {
            // The first key holds before it, too.
            self.numbers = line.at(secs.max(line.secs));
            self.heading = line.heading_at(self.numbers.w);
        } else {
            (self.numbers, self.heading) = root.bent_at(secs);
        }
    }

    /// Goes on to where it is on a root that does not turn, and returns the way there; mostly that is after the same key
    /// as before, or the next one.
    #[inline(always)]
    pub(crate) fn go_straight_on(&mut self, root: &RootCurve, secs: f32) -> Vec4 {
        let Some(line) = root.line_near(secs, &mut self.key) else { return self.go_far(root, secs) };
        let numbers = line.at(secs);
        let way = numbers - self.numbers;
        self.numbers = numbers;
        way
    }

    #[inline(never)]
    fn go_far(&mut self, root: &RootCurve, secs: f32) -> Vec4 {
        self.go_on(root, secs)
    }

    /// Goes on to where it is, and returns the way there, as seen from where it began.
    #[inline(always)]
    pub(crate) fn go_on(&mut self, root: &RootCurve, secs: f32) -> Vec4 {
        let before = *self;
        if let Some(line) = root.line_near(secs, &mut self.key) {
            self.numbers = line.at(secs);
            self.heading = line.heading_at(self.numbers.w);
        } else {
            self.look(root, secs);
        }
        let [x, y, z, yaw] = (self.numbers - before.numbers).to_array();
        if before.numbers.w == 0.0 {
            return Vec4::new(x, y, z, yaw);
        }
        let Vec2 { x: sin, y: cos } = before.heading;
        Vec4::new(x * cos - z * sin, y, z * cos + x * sin, yaw)
    }
}
