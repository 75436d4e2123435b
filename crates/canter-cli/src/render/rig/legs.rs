//! Which joints are legs, by their names.

use canter::{JointId, Skeleton};
use canter_rig::Leg;

/// The pelvis and the legs that hang on it; `None` if there are none.
pub(super) fn find(skeleton: &Skeleton) -> Option<(JointId, Vec<Leg>)> {
    let has = |joint: JointId, words: &[&str]| {
        let name = skeleton.name(joint).to_lowercase();
        words.iter().any(|word| name.contains(word))
    };
    let is_foot =
        |joint: JointId| has(joint, &["foot", "ankle"]) && !has(joint, &["toe", "ik", "ctrl", "end"]);
    let mut legs = Vec::new();
    let mut pelvis: Option<JointId> = None;
    for foot in skeleton.joints().filter(|&joint| is_foot(joint)) {
        // The first of a foot's own joints.
        let Some(shin) = skeleton.parent(foot).filter(|&parent| !is_foot(parent)) else { continue };
        let Some(thigh) = skeleton.parent(shin) else { continue };
        let Some(above) = skeleton.parent(thigh) else { continue };
        // Both legs hang on the same joint; feet of another kind do not count.
        if *pelvis.get_or_insert(above) != above {
            continue;
        }
        let toe = skeleton.joints().find(|&joint| {
            skeleton.parent(joint) == Some(foot) && has(joint, &["toe", "ball"]) && !has(joint, &["end"])
        });
        legs.push(Leg { toe, ..Leg::new([thigh, shin, foot]) });
    }
    let pelvis = pelvis.filter(|_| (1..=8).contains(&legs.len()))?;
    Some((pelvis, legs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use canter::Transform;

    fn skeleton(names: &[(&str, Option<usize>)]) -> Skeleton {
        let mut builder = Skeleton::builder();
        for &(name, parent) in names {
            builder.joint(name, parent, Transform::IDENTITY);
        }
        builder.build().unwrap()
    }

    #[test]
    fn legs_are_found_in_common_skeletons() {
        for names in [
            ["hips", "thigh_L", "shin_L", "foot_L", "toes_L", "thigh_R", "shin_R", "foot_R", "toes_R"],
            [
                "mixamorig:Hips",
                "mixamorig:LeftUpLeg",
                "mixamorig:LeftLeg",
                "mixamorig:LeftFoot",
                "mixamorig:LeftToeBase",
                "mixamorig:RightUpLeg",
                "mixamorig:RightLeg",
                "mixamorig:RightFoot",
                "mixamorig:RightToeBase",
            ],
        ] {
            let parents = [None, Some(0), Some(1), Some(2), Some(3), Some(0), Some(5), Some(6), Some(7)];
            let skeleton = skeleton(&std::array::from_fn::<_, 9, _>(|joint| (names[joint], parents[joint])));
            let (pelvis, legs) = find(&skeleton).unwrap();
            assert_eq!(skeleton.name(pelvis), names[0]);
            let feet: Vec<&str> = legs.iter().map(|leg| skeleton.name(leg.joints[2])).collect();
            let toes: Vec<&str> =
                legs.iter().filter_map(|leg| leg.toe).map(|toe| skeleton.name(toe)).collect();
            assert_eq!((feet, toes), (vec![names[3], names[7]], vec![names[4], names[8]]));
        }
        assert!(find(&skeleton(&[("foot", None), ("crate", Some(0))])).is_none());
    }
}
