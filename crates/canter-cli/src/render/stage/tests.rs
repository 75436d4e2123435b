use std::path::Path;

use canter::glam::{DVec3, Vec3};
use canter::{Clip, JointId};

use super::*;
use crate::render::terrain::Terrain;
use crate::root_motion;

/// The hero on a ground, who goes where a clip leads him.
struct Walk {
    stage: Stage,
    story: Story,
}

/// Where he has got to, and the joints of his legs in the world.
struct Frame {
    way: DAffine3,
    legs: [[DVec3; 3]; 2],
}

impl Walk {
    fn new(clip: &str, ground: &str) -> Self {
        let mut asset = embedded::asset(Path::new("hero"), &LoadOptions::default()).unwrap();
        root_motion::split(&mut asset, "", Path::new("hero")).unwrap();
        let model = Arc::new(Model::new(asset));
        let clip: Arc<Clip> = Arc::clone(model.asset.clip(clip).unwrap());
        let mut stage = Stage::new(&model).unwrap();
        stage.travels = true;
        let terrain = Terrain::new(ground, &LoadOptions::default()).unwrap();
        stage.corrections.stand_on(&model.asset.skeleton, terrain).unwrap();
        Self { story: Story::of_clip(&model.asset.skeleton, Some(clip)), stage }
    }

    fn at(&mut self, secs: f64) -> Frame {
        let way = self.stage.pose(&self.story, secs);
        let figure = self.stage.scene.character(self.stage.figure).unwrap();
        let place = |name: &str| {
            let joint: JointId = self.stage.skeleton.joint(name).unwrap();
            let at: Vec3 = figure.model_pose.joint(joint).w_axis.truncate();
            way.transform_point3(at.as_dvec3())
        };
        let leg = |side: &str| ["thigh", "shin", "foot"].map(|bone| place(&format!("{bone}_{side}")));
        Frame { way, legs: ["L", "R"].map(leg) }
    }

    /// The height of the ground where he is.
    fn ground(&self, way: &DAffine3) -> Option<f64> {
        let from_above = DVec3 { y: f64::INFINITY, ..way.translation };
        self.stage.corrections.terrain.as_ref().unwrap().below(from_above).map(|ground| ground.height)
    }
}

/// How far a knee is bent, in degrees.
fn bend([hip, knee, foot]: [DVec3; 3]) -> f64 {
    (knee - hip).angle_between(foot - knee).to_degrees()
}

/// The knee of the leg that was left behind was straight in one frame, and bent by forty degrees in the next.
#[test]
fn knees_do_not_pop_on_stairs_and_slopes() {
    for (clip, ground, most) in [
        ("WalkRoot", "steps", 140.0),
        ("WalkRoot", "slope", 140.0),
        ("RunRoot", "steps", 140.0),
        ("Walk", "steps", 140.0),
    ] {
        let mut walk = Walk::new(clip, ground);
        let mut last: Option<Frame> = None;
        let mut worst = (0.0_f64, 0);
        for frame in 0..360_u16 {
            let now = walk.at(f64::from(frame) / 60.0);
            if let Some(last) = &last {
                for (before, after) in last.legs.iter().zip(&now.legs) {
                    let by = (bend(*after) - bend(*before)).abs();
                    worst = if by > worst.0 { (by, frame) } else { worst };
                }
            }
            last = Some(now);
        }
        assert!(worst.0 < most, "{clip} on {ground}: by {:.1} degrees in frame {}", worst.0, worst.1);
    }
}

/// Above 1.7 m the ground was taken for a ceiling, and where there was none he jumped up by a metre.
#[test]
fn a_figure_stands_on_the_ground_however_high_and_goes_on_where_there_is_none() {
    for (clip, ground, secs) in
        [("RunRoot", "steps", 2.8), ("WalkRoot", "steps", 7.0), ("RunRoot", "slope", 3.2)]
    {
        let mut walk = Walk::new(clip, ground);
        let mut top = 0.0_f64;
        for frame in 0..60_u16 {
            let way = walk.at(secs * f64::from(frame) / 60.0).way;
            let expected = walk.ground(&way).unwrap();
            top = top.max(expected);
            let height = way.translation.y;
            assert!(
                (height - expected).abs() < 0.2,
                "{clip} on {ground}: {height}, the ground is at {expected}"
            );
        }
        assert!(top > 1.7, "{top}");
    }
    let mut walk = Walk::new("StrafeLeft", "slope");
    let mut last = walk.at(0.0).way.translation.y;
    for frame in 1..180_u8 {
        let way = walk.at(f64::from(frame) / 60.0).way;
        assert!((way.translation.y - last).abs() < 0.05, "{last} {way:?}");
        last = way.translation.y;
        if frame == 179 {
            assert_eq!(walk.ground(&way), None);
        }
    }
}
