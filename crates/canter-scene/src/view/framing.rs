//! A camera that sees all of something, as large as it can.

use canter::glam::DVec3;

use super::camera::Camera;
use crate::figure::Figure;
use crate::scene::Scene;

/// Collects what has to be in the picture, and then places the camera.
///
/// Include the scene at several times, and the figure never leaves the frame.
#[derive(Clone, Debug)]
pub struct Framing {
    yaw: f64,
    pitch: f64,
    aspect: f64,
    fov_y: f64,
    margin: f64,
    turns: bool,
    /// Right, up, and away from the camera's target toward the camera.
    axes: [DVec3; 3],
    /// How far what was included reaches beyond each side of the view: right, left, top, bottom.
    reach: [f64; 4],
    min: DVec3,
    max: DVec3,
}

impl Framing {
    /// For a view from a direction (see [`Camera::orbit`]) and a picture that is `aspect` times as wide as
    /// tall. Where a number makes no sense, it is a view from the front, or a square picture.
    #[must_use]
    pub fn new(yaw: f64, pitch: f64, aspect: f64) -> Self {
        let [yaw, pitch] = [yaw, pitch].map(|angle| if angle.is_finite() { angle } else { 0.0 });
        let aspect = if aspect.is_normal() && aspect > 0.0 { aspect.clamp(1e-3, 1e3) } else { 1.0 };
        let away = DVec3::new(yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos());
        let right = DVec3::new(yaw.cos(), 0.0, -yaw.sin());
        Self {
            yaw,
            pitch,
            aspect,
            fov_y: f64::from(Camera::FOV_Y),
            margin: 0.06,
            turns: false,
            axes: [right, away.cross(right), away],
            reach: [f64::NEG_INFINITY; 4],
            min: DVec3::INFINITY,
            max: DVec3::NEG_INFINITY,
        }
    }

    /// Leaves room for the camera to go all the way round.
    #[must_use]
    pub fn turning(mut self) -> Self {
        self.turns = true;
        self
    }

    /// Which part of the picture stays free at each side.
    #[must_use]
    pub fn with_margin(mut self, margin: f64) -> Self {
        self.margin = if margin.is_nan() { 0.0 } else { margin.clamp(0.0, 0.4) };
        self
    }

    /// A point that has to be in the picture.
    pub fn include(&mut self, point: DVec3) {
        if !point.is_finite() {
            return;
        }
        self.min = self.min.min(point);
        self.max = self.max.max(point);
        if self.turns {
            // Where the point goes when the figure is turned.
            let radius = DVec3::new(point.x, 0.0, point.z).length();
            for step in 0..16 {
                let angle = f64::from(step) * (std::f64::consts::TAU / 16.0);
                self.reach_to(DVec3::new(angle.cos() * radius, point.y, angle.sin() * radius));
            }
        } else {
            self.reach_to(point);
        }
    }

    fn reach_to(&mut self, point: DVec3) {
        let [right, up, away] = self.axes.map(|axis| axis.dot(point));
        let (tan_x, tan_y) = self.tangents();
        for (reach, value) in self.reach.iter_mut().zip([
            right + away * tan_x,
            -right + away * tan_x,
            up + away * tan_y,
            -up + away * tan_y,
        ]) {
            *reach = reach.max(value);
        }
    }

    /// Everything that is shown of a scene, as of its last update.
    pub fn include_scene(&mut self, scene: &Scene) {
        self.include_figures(scene);
    }

    /// Everything that is drawn of figures, or the bones of those of which nothing is. Those that do not
    /// [fit](Figure::fits) are left out.
    pub fn include_figures<'a>(&mut self, figures: impl IntoIterator<Item = Figure<'a>>) {
        for figure in figures.into_iter().filter(Figure::fits) {
            for part in figure.shown_parts() {
                for at in &figure.posed(part).positions {
                    self.include(figure.world_from_model.transform_point3(at.as_dvec3()));
                }
            }
            if figure.model.parts().is_empty() {
                figure.bone_places().for_each(|at| self.include(at));
            }
        }
    }

    /// Everything that another framing from the same direction has included.
    pub fn join(&mut self, other: &Self) {
        for (reach, other) in self.reach.iter_mut().zip(other.reach) {
            *reach = reach.max(other);
        }
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// The min and max coordinates of what was included; `None` if that was nothing.
    #[must_use]
    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        (self.min.x <= self.max.x).then_some((self.min, self.max))
    }

    /// The camera; of a picture of nothing, a few metres away from the origin.
    #[must_use]
    pub fn camera(&self) -> Camera {
        let Some((min, max)) = self.bounds() else {
            return Camera::orbit(DVec3::ZERO, 5.0, self.yaw, self.pitch);
        };
        let (tan_x, tan_y) = self.tangents();
        let [right, left, top, bottom] = self.reach;
        // Where the two planes of a pair meet, both touch: the nearest place from which both sides are seen.
        let (across, up) = ((right - left) / 2.0, (top - bottom) / 2.0);
        let (away_x, away_y) = ((right + left) / (2.0 * tan_x), (top + bottom) / (2.0 * tan_y));
        let middle = (min + max) / 2.0;
        let size = (max - min).length().max(1e-6);
        let nearest = self.axes[2].dot(middle) + size * 0.1;
        let away = away_x.max(away_y).max(nearest);
        let eye = self.axes[0] * across + self.axes[1] * up + self.axes[2] * away;
        let target = eye - self.axes[2] * (away - self.axes[2].dot(middle));
        #[expect(clippy::cast_possible_truncation, reason = "it was an f32")]
        let fov_y = self.fov_y as f32;
        Camera { eye, target, fov_y }
    }

    /// Half the width and half the height that is used of the picture, at a distance of one.
    fn tangents(&self) -> (f64, f64) {
        let used = 1.0 - 2.0 * self.margin;
        let tan_y = (self.fov_y / 2.0).tan();
        (tan_y * self.aspect * used, tan_y * used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_touches_the_margins_and_is_inside() {
        for (yaw, pitch, aspect) in [(0.0, 0.0, 1.0_f32), (0.6, 0.2, 1.7), (-2.0, 0.9, 0.5), (3.0, -0.4, 1.0)]
        {
            let mut framing = Framing::new(yaw, pitch, f64::from(aspect));
            let corners = (0..8).map(|corner| {
                DVec3::new(f64::from(corner & 1), f64::from(corner >> 1 & 1) * 2.0, f64::from(corner >> 2))
                    + DVec3::new(1000.0, -3.0, 50.0)
            });
            corners.clone().for_each(|corner| framing.include(corner));
            let camera = framing.camera();
            let furthest = corners
                .map(|corner| camera.project(aspect, corner).expect("it is in front").abs().max_element())
                .fold(0.0, f32::max);
            assert!((furthest - 0.88).abs() < 1e-3, "{furthest} at {yaw} {pitch} {aspect}");
        }
    }

    #[test]
    fn a_figure_that_turns_stays_inside() {
        let mut framing = Framing::new(0.4, 0.2, 1.0).turning();
        framing.include(DVec3::new(1.0, 0.0, 0.0));
        framing.include(DVec3::new(0.0, 1.0, 0.2));
        let camera = framing.camera();
        for step in 0..32 {
            let angle = f64::from(step) * 0.2;
            let at = camera.project(1.0, DVec3::new(angle.cos(), 0.0, angle.sin())).expect("it is in front");
            assert!(at.abs().max_element() < 0.9, "{at}");
        }
    }

    #[test]
    fn numbers_that_make_no_sense_have_a_camera() {
        for odd in [f64::NAN, f64::INFINITY, 0.0, -1.0, f64::MIN_POSITIVE, f64::MAX] {
            let mut framing = Framing::new(odd, odd, odd).with_margin(odd);
            framing.include(DVec3::ONE);
            framing.include(DVec3::NEG_ONE);
            let camera = framing.camera();
            assert!(camera.eye.is_finite() && camera.target.is_finite(), "{odd}: {camera:?}");
        }
    }

    #[test]
    fn nothing_and_a_single_point_have_a_camera() {
        let mut framing = Framing::new(0.0, 0.0, 1.0);
        assert!(framing.camera().eye.is_finite());
        framing.include(DVec3::ONE);
        framing.include(DVec3::NAN);
        let camera = framing.camera();
        assert!(camera.eye.is_finite() && camera.eye.distance(camera.target) > 0.0);
    }
}
