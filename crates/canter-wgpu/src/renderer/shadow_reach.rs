//! How far shadows fall.

use canter::glam::DVec3;
use canter_scene::{Camera, Look};

use super::uniform::{WIDEST, toward_sun};

/// Where the shadow of something ends: on the ground, or where no shadows are drawn any more.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShadowReach {
    toward_sun: DVec3,
    /// Of the ground, relative to the eye; without end if there is none.
    ground_height: f64,
    longest: f64,
}

impl ShadowReach {
    pub(super) const NONE: Self = Self { toward_sun: DVec3::Y, ground_height: 0.0, longest: 0.0 };

    pub(super) fn new(camera: &Camera, look: &Look) -> Self {
        // From below there is no ground.
        let height = look.ground.map(|ground| ground.height - camera.eye.y).filter(|height| *height < 0.0);
        Self {
            toward_sun: toward_sun(look).as_dvec3(),
            ground_height: height.unwrap_or(f64::NEG_INFINITY),
            // Across the largest ball that has shadows.
            longest: f64::from(2.0 * WIDEST * camera.distance()),
        }
    }

    /// How something with its top at a height relative to the eye has to be moved to go through all of its
    /// shadow.
    pub(super) fn movement(&self, top: f64) -> DVec3 {
        let height = (top - self.ground_height).max(0.0);
        let to_ground = if self.toward_sun.y > 0.0 { height / self.toward_sun.y } else { f64::INFINITY };
        self.toward_sun * -to_ground.min(self.longest)
    }
}

#[cfg(test)]
mod tests {
    use canter::glam::Vec3;
    use canter_scene::Ground;

    use super::*;

    fn reach(sun: Vec3, ground: Option<f64>, eye_y: f64) -> ShadowReach {
        let ground = ground.map(|height| Ground { height, ..Ground::default() });
        let eye = DVec3::new(0.0, eye_y, 10.0);
        let camera = Camera { eye, target: eye - DVec3::Z * 10.0, fov_y: Camera::FOV_Y };
        ShadowReach::new(&camera, &Look { sun, ground, ..Look::default() })
    }

    #[test]
    fn shadows_end_on_the_ground() {
        let reach = reach(Vec3::new(3.0, 3.0, 0.0), Some(-1.0), 2.0);
        // The ground is three below the eye, and the top five above the ground.
        assert!(
            reach.movement(2.0).abs_diff_eq(DVec3::new(-5.0, -5.0, 0.0), 1e-5),
            "{}",
            reach.movement(2.0)
        );
        assert_eq!(reach.movement(-4.0), DVec3::ZERO, "all of it is below the ground");
    }

    #[test]
    fn shadows_without_a_ground_end_where_none_are_drawn() {
        let longest = 60.0;
        for (sun, ground, eye_y) in [
            (Vec3::Y, None, 2.0),
            (Vec3::Y, Some(3.0), 2.0),
            (Vec3::X, Some(0.0), 2.0),
            (Vec3::new(1.0, -0.5, 0.0), Some(0.0), 2.0),
            (Vec3::new(1.0, 1e-6, 0.0), Some(0.0), 2.0),
        ] {
            let movement = reach(sun, ground, eye_y).movement(1.0);
            let expected = sun.normalize().as_dvec3() * -longest;
            assert!(movement.abs_diff_eq(expected, 1e-3), "{sun} {ground:?}: {movement}");
        }
    }
}
