//! A ray finds what it meets first.

mod common;

use canter::glam::{DAffine3, DQuat, DVec3, Vec3};
use canter_scene::{Character, NodeId, Parent, Ray, Scene};
use proptest::prelude::*;

use common::{hero, sword};

/// The nearest triangle of all, found by trying every one in the world.
fn brute_force(scene: &Scene, ray: &Ray) -> Option<(f64, NodeId)> {
    let mut nearest: Option<(f64, NodeId)> = None;
    for node in scene.characters().filter(|&id| scene.is_visible(id) == Some(true)) {
        let character = scene.character(node).unwrap();
        let world = scene.world(node).unwrap();
        for part in character.model.parts() {
            let positions = character.posed(part).positions;
            for corners in character.model.primitive(part).indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2]
                    .map(|corner| world.transform_point3(positions[corners[corner] as usize].as_dvec3()));
                let normal = (b - a).cross(c - a);
                let distance = (a - ray.origin).dot(normal) / ray.direction.dot(normal);
                let place = ray.at(distance);
                // On the inner side of every edge.
                let is_inside = [(a, b), (b, c), (c, a)]
                    .into_iter()
                    .all(|(from, to)| (to - from).cross(place - from).dot(normal) >= 0.0);
                if is_inside && distance >= 0.0 && nearest.is_none_or(|nearest| distance < nearest.0) {
                    nearest = Some((distance, node));
                }
            }
        }
    }
    nearest
}

fn armed(at: DVec3) -> (Scene, [NodeId; 2]) {
    let mut scene = Scene::new();
    let mut figure = Character::new(&hero());
    figure.play("Run", 0.0).unwrap();
    let hand = hero().asset.skeleton.joint("hand_R").unwrap();
    let turned =
        DAffine3::from_scale_rotation_translation(DVec3::new(1.0, 1.3, 0.8), DQuat::from_rotation_y(0.5), at);
    let figure = scene.spawn(figure, Parent::World, turned).unwrap();
    let blade =
        scene.spawn(Character::new(&sword()), Parent::Joint(figure, hand), DAffine3::IDENTITY).unwrap();
    scene.update(0.2);
    (scene, [figure, blade])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn picks_agree_with_brute_force(
        from in prop::array::uniform3(-1.0_f64..1.0),
        to in prop::array::uniform3(-0.5_f64..0.5),
        far in prop::bool::ANY,
    ) {
        let place = if far { DVec3::new(3e4, 10.0, -2e4) } else { DVec3::ZERO };
        let (scene, _) = armed(place);
        let middle = place + DVec3::Y;
        let origin = middle + DVec3::from_array(from).normalize_or(DVec3::X) * 4.0;
        let ray = Ray { origin, direction: (middle + DVec3::from_array(to) - origin) * 0.5 };
        let expected = brute_force(&scene, &ray);
        let hit = scene.pick(&ray);
        prop_assert_eq!(hit.map(|hit| hit.node), expected.map(|expected| expected.1));
        if let (Some(hit), Some((distance, _))) = (hit, expected) {
            prop_assert!((hit.distance - distance).abs() < 1e-5, "{} and {distance}", hit.distance);
            prop_assert!(hit.position.distance(ray.at(distance)) < 1e-4);
            prop_assert!((hit.normal.length() - 1.0).abs() < 1e-9);
            prop_assert!((hit.barycentrics.element_sum() - 1.0).abs() < 1e-5 && hit.barycentrics.min_element() > -1e-6);
            // The place follows from the triangle and the shares of its corners as well.
            let character = scene.character(hit.node).unwrap();
            let part = &character.model.parts()[hit.part];
            let positions = character.posed(part).positions;
            let corners = &character.model.primitive(part).indices[3 * hit.triangle..][..3];
            let place: Vec3 = (0..3).map(|at| positions[corners[at] as usize] * hit.barycentrics[at]).sum();
            let place = scene.world(hit.node).unwrap().transform_point3(place.as_dvec3());
            prop_assert!(place.distance(hit.position) < 1e-4, "{place} and {}", hit.position);
            prop_assert_eq!(part.mesh, hit.mesh);
        }
    }
}

#[test]
fn a_click_finds_the_elbow() {
    let mut scene = Scene::new();
    let figure = scene.spawn(Character::new(&hero()), Parent::World, DAffine3::IDENTITY).unwrap();
    scene.update(0.0);
    let skeleton = &hero().asset.skeleton;
    for name in ["head", "hand_R", "hand_L", "forearm_L", "thigh_R", "foot_L"] {
        let Some(joint) = skeleton.joint(name) else { continue };
        // A little into the limb, away from where two joints share it.
        let child = skeleton.joints().find(|&other| skeleton.parent(other) == Some(joint));
        let model_pose = &scene.character(figure).unwrap().model_pose;
        let place = |joint| model_pose.joint(joint).w_axis.truncate();
        let target = child.map_or(place(joint), |child| place(joint).lerp(place(child), 0.5)).as_dvec3();
        let ray = Ray { origin: target + DVec3::Z * 3.0, direction: DVec3::NEG_Z };
        let hit = scene.pick(&ray).unwrap_or_else(|| panic!("nothing at {name}"));
        let found = skeleton.name(hit.joint);
        let is_near = hit.joint == joint
            || skeleton.parent(hit.joint) == Some(joint)
            || skeleton.parent(joint) == Some(hit.joint);
        assert!(is_near, "{found} instead of {name}");
        assert!(hit.normal.z > 0.0, "{name}: the front side faces the ray");
    }
}

#[test]
fn what_is_not_shown_or_not_there_is_not_picked() {
    let (mut scene, [figure, blade]) = armed(DVec3::ZERO);
    let towards_chest = Ray { origin: DVec3::new(0.0, 1.5, 5.0), direction: DVec3::NEG_Z };
    assert_eq!(scene.pick(&towards_chest).map(|hit| hit.node), Some(figure));
    let away = Ray { direction: DVec3::Z, ..towards_chest };
    for nothing in [
        away,
        Ray { direction: DVec3::ZERO, ..towards_chest },
        Ray { direction: DVec3::NAN, ..towards_chest },
        Ray { origin: DVec3::INFINITY, ..towards_chest },
    ] {
        assert_eq!(scene.pick(&nothing), None, "{nothing:?}");
    }
    scene.set_visible(figure, false).unwrap();
    scene.update(0.0);
    assert_eq!(scene.pick(&towards_chest), None);
    scene.set_visible(figure, true).unwrap();
    scene.remove(figure, canter_scene::Children::Remove).unwrap();
    scene.update(0.0);
    assert_eq!(scene.pick(&towards_chest), None);
    assert!(scene.character(blade).is_none(), "the sword went with the figure");
}

#[test]
fn a_figure_that_is_squashed_flat_or_mirrored_does_no_harm() {
    let (mut scene, [figure, _]) = armed(DVec3::ZERO);
    let ray = Ray { origin: DVec3::new(0.0, 1.5, 5.0), direction: DVec3::NEG_Z };
    scene.set_local(figure, DAffine3::from_scale(DVec3::new(1.0, 1.0, 0.0))).unwrap();
    scene.update_transforms();
    let _no_panic = scene.pick(&ray);
    scene.set_local(figure, DAffine3::from_scale(DVec3::new(-1.0, 1.0, 1.0))).unwrap();
    scene.update_transforms();
    let hit = scene.pick(&ray).unwrap();
    assert!(hit.normal.z > 0.0, "the front side of a mirrored figure: {:?}", hit.normal);
}
