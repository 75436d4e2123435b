//! `--ground steps|slope|FILE`: what the figure walks on, and where that is below a foot.

mod shapes;

use std::path::Path;
use std::sync::Arc;

use canter::glam::DVec3;
use canter_gltf::{LoadOptions, Topology};
use canter_rig::Ground;
use canter_scene::{Character, Model};

use crate::embedded;
use crate::failure::Failure;

/// How far above the figure's feet ground still counts: what is higher is a ceiling.
const HEADROOM: f64 = 0.7;
/// Within how many metres before and behind it the ground lifts the figure: stairs are a slope to it.
const STRIDE: f64 = 0.4;
/// What is so much higher than the figure was, and headroom, is over it.
const CLIMB: f64 = 1.0;
/// A file with more triangles is no ground for a film.
const MOST_TRIANGLES: usize = 200_000;

/// Triangles that are walked on.
#[derive(Debug)]
pub(crate) struct Terrain {
    pub(crate) model: Arc<Model>,
    triangles: Vec<[DVec3; 3]>,
}

impl Terrain {
    /// `steps`, `slope`, or the triangles of a file.
    pub(crate) fn new(text: &str, options: &LoadOptions) -> Result<Self, Failure> {
        let shape = match text {
            "steps" if !Path::new(text).exists() => Some(shapes::steps()),
            "slope" if !Path::new(text).exists() => Some(shapes::slope()),
            _ => None,
        };
        let model = match shape {
            Some(triangles) => {
                let asset = canter_gltf::load_bytes(&shapes::to_glb(&triangles))
                    .map_err(|error| Failure::load(Path::new(text), &error))?;
                Arc::new(Model::new(asset))
            }
            None => embedded::model(Path::new(text), options)?,
        };
        let triangles = triangles(&model);
        if triangles.is_empty() || triangles.len() > MOST_TRIANGLES {
            return Err(Failure::new(
                format!("--ground {text}: {} triangles are no ground", triangles.len()),
                format!("give steps, slope, or a model of 1 to {MOST_TRIANGLES} triangles"),
            ));
        }
        Ok(Self { model, triangles })
    }

    /// The highest ground at a place, below what would be over a figure at that height.
    pub(crate) fn below(&self, place: DVec3) -> Option<Ground> {
        let mut found: Option<(f64, DVec3)> = None;
        for [a, b, c] in &self.triangles {
            let normal = (b - a).cross(c - a);
            // From above only; walls are no ground.
            if normal.y <= 1e-3 * normal.length() {
                continue;
            }
            let is_left = |from: &DVec3, to: &DVec3| {
                (to.z - from.z) * (place.x - from.x) - (to.x - from.x) * (place.z - from.z) >= 0.0
            };
            if !(is_left(a, b) && is_left(b, c) && is_left(c, a)) {
                continue;
            }
            let height = a.y - (normal.x * (place.x - a.x) + normal.z * (place.z - a.z)) / normal.y;
            if height <= place.y + HEADROOM && found.is_none_or(|(highest, _)| height > highest) {
                found = Some((height, normal));
            }
        }
        found.map(|(height, normal)| Ground { height, normal: normal.normalize().as_vec3() })
    }

    /// How high a figure stands that was at this place: the mean around it, in which there are no steps. `None` where there
    /// is no ground.
    pub(crate) fn height_around(&self, place: DVec3) -> Option<f64> {
        const SAMPLES: i32 = 8;
        let mut sum = (0.0, 0.0);
        for sample in -SAMPLES..=SAMPLES {
            let part = f64::from(sample) / f64::from(SAMPLES);
            let at = place + DVec3::new(0.0, CLIMB, STRIDE * part);
            if let Some(ground) = self.below(at) {
                let weight = 1.0 - part.abs() * 0.9;
                sum = (sum.0 + weight * ground.height, sum.1 + weight);
            }
        }
        (sum.1 > 0.0).then(|| sum.0 / sum.1)
    }
}

/// All triangles of a model at rest.
fn triangles(model: &Arc<Model>) -> Vec<[DVec3; 3]> {
    let character = Character::new(model);
    let mut triangles = Vec::new();
    for part in model.parts() {
        let primitive = model.primitive(part);
        if primitive.topology != Topology::Triangles {
            continue;
        }
        let positions = character.posed(part).positions;
        for corners in primitive.indices.chunks_exact(3) {
            let place = |index: u32| positions[index as usize].as_dvec3();
            triangles.push([place(corners[0]), place(corners[1]), place(corners[2])]);
        }
    }
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terrain(text: &str) -> Terrain {
        Terrain::new(text, &LoadOptions::default()).unwrap()
    }

    #[test]
    fn steps_are_level_and_rise() {
        let steps = terrain("steps");
        let mut last = 0.0;
        for place in 0..40_u8 {
            let at = DVec3::new(0.1, last, 0.11 * f64::from(place));
            let ground = steps.below(at).unwrap();
            assert!(ground.height >= last - 1e-6 && ground.height <= last + 0.2, "{at}: {ground:?}");
            assert!(ground.normal.y > 0.999);
            last = ground.height;
        }
        assert!(last > 1.0, "{last}");
        assert!(steps.below(DVec3::X * 100.0).is_none());
    }

    #[test]
    fn a_slope_leans_and_lifts_whoever_stands_on_it() {
        let slope = terrain("slope");
        let ground = slope.below(DVec3::new(0.0, 0.6, 3.0)).unwrap();
        assert!(ground.height > 0.3 && ground.normal.z < -0.1, "{ground:?}");
        let around = slope.height_around(DVec3::new(0.0, 0.6, 3.0)).unwrap();
        assert!((around - ground.height).abs() < 1e-3, "{around} {ground:?}");
    }

    #[test]
    fn a_model_is_ground_and_nothing_is_refused() {
        // On its grip, and beside it.
        let sword = terrain("sword");
        let grip = sword.below(DVec3::new(0.0, 0.0, 0.03)).unwrap();
        assert!(grip.height > 0.04 && grip.height < 0.12, "{grip:?}");
        assert!(sword.below(DVec3::Y).is_none());
        assert!(Terrain::new("nowhere.glb", &LoadOptions::default()).is_err());
    }
}
