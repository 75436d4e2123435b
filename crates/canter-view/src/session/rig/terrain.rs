//! Ground with stairs and a slope, which comes again and again along z.

mod mesh;

use canter::glam::{DVec3, Vec3};
use canter_rig::Ground;

pub(super) use mesh::model;

/// How deep and how high a step is, in metres; how many lead up. It is as deep as the hero's step is long.
const STEP: [f64; 2] = [0.51, 0.15];
const STEPS: u8 = 6;
/// Where stairs begin, where they have come to the top, where the slope begins and where it ends.
const STAIRS: f64 = 2.04;
const TOP: f64 = STAIRS + STEP[0] * STEPS as f64;
const SLOPE: f64 = TOP + 3.0 * STEP[0];
const BOTTOM: f64 = SLOPE + 8.0 * STEP[0];
/// All of it comes again after so many metres.
pub(super) const PERIOD: f64 = BOTTOM + 3.0 * STEP[0];
/// To either side.
pub(super) const HALF_WIDTH: f64 = 1.6;
const HEIGHT: f64 = STEP[1] * STEPS as f64;

/// Ground with stairs and a slope.
#[derive(Clone, Copy, Debug)]
pub(in crate::session) struct Terrain;

impl Terrain {
    /// The ground below a place.
    pub(in crate::session) fn ground(self, place: DVec3) -> Ground {
        let z = place.z.rem_euclid(PERIOD);
        if place.x.abs() > HALF_WIDTH || !(STAIRS..BOTTOM).contains(&z) {
            return Ground::flat(0.0);
        }
        if z < TOP {
            return Ground::flat((((z - STAIRS) / STEP[0]).floor() + 1.0) * STEP[1]);
        }
        if z < SLOPE {
            return Ground::flat(HEIGHT);
        }
        let run = BOTTOM - SLOPE;
        #[expect(clippy::cast_possible_truncation, reason = "a direction")]
        let normal = Vec3::new(0.0, run as f32, HEIGHT as f32).normalize();
        Ground { height: HEIGHT * (BOTTOM - z) / run, normal }
    }

    /// How high a figure is that stands or walks here: the mean of the ground over the depth of one step, which
    /// rises evenly where stairs do.
    pub(in crate::session) fn level(self, place: DVec3) -> f64 {
        if place.x.abs() > HALF_WIDTH {
            return 0.0;
        }
        (area(place.z + STEP[0] / 2.0) - area(place.z - STEP[0] / 2.0)) / STEP[0]
    }
}

/// The area of the course, seen from the side, between the first place and one further on.
fn area(z: f64) -> f64 {
    let (courses, z) = (z.div_euclid(PERIOD), z.rem_euclid(PERIOD));
    let steps = ((z - STAIRS) / STEP[0]).floor().clamp(0.0, f64::from(STEPS));
    let below = steps * (steps + 1.0) / 2.0 * STEP[0] * STEP[1];
    let on_step = (z.min(TOP) - STAIRS - steps * STEP[0]).max(0.0) * (steps + 1.0) * STEP[1];
    let on_top = (z.min(SLOPE) - TOP).max(0.0) * HEIGHT;
    courses * whole() + below + on_step + on_top + on_slope(z)
}

fn on_slope(z: f64) -> f64 {
    let (run, left) = (BOTTOM - SLOPE, BOTTOM - z.clamp(SLOPE, BOTTOM));
    HEIGHT * (run * run - left * left) / (2.0 * run)
}

fn whole() -> f64 {
    let steps = f64::from(STEPS);
    steps * (steps + 1.0) / 2.0 * STEP[0] * STEP[1] + (SLOPE - TOP) * HEIGHT + on_slope(BOTTOM)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_as_high_as_the_ground_around_it_in_the_mean() {
        let mut last = Terrain.level(DVec3::Z * -13.0);
        for index in -1300..3000 {
            let z = f64::from(index) / 100.0;
            let level = Terrain.level(DVec3::Z * z);
            let parts = 2000;
            let at = |part: i32| z + (f64::from(part) + 0.5) / f64::from(parts) * STEP[0] - STEP[0] / 2.0;
            let sum: f64 = (0..parts).map(|part| Terrain.ground(DVec3::Z * at(part)).height).sum();
            assert!((level - sum / f64::from(parts)).abs() < 1e-3, "{z}: {level}");
            assert!((level - last).abs() < 0.006, "{z}: it rises evenly");
            last = level;
        }
        assert_eq!(Terrain.level(DVec3::new(5.0, 0.0, 3.0)), 0.0);
    }
}
