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
    figure.fade_to("Run", 0.0).unwrap();
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
fn a_figure_that_is_squashed_flat_or_mirrored_is_picked_as_it_is_seen() {
    let (mut scene, [figure, _]) = armed(DVec3::ZERO);
    let ray = Ray { origin: DVec3::new(0.0, 1.5, 5.0), direction: DVec3::NEG_Z };
    scene.set_local(figure, DAffine3::from_scale(DVec3::new(1.0, 1.0, 0.0))).unwrap();
    scene.update_transforms();
    let hit = scene.pick(&ray).unwrap();
    assert_eq!((hit.node, hit.position), (figure, DVec3::new(0.0, 1.5, 0.0)));
    assert!(hit.normal.abs().abs_diff_eq(DVec3::Z, 1e-9), "{:?}", hit.normal);
    let edge_on = Ray { origin: DVec3::new(5.0, 1.5, 0.0), direction: DVec3::NEG_X };
    assert_eq!(scene.pick(&edge_on), None, "nothing is seen of it from the side");
    scene.set_local(figure, DAffine3::from_scale(DVec3::ZERO)).unwrap();
    scene.update_transforms();
    assert_eq!(scene.pick(&Ray { direction: -ray.origin, ..ray }), None, "nothing is left of it");
    scene.set_local(figure, DAffine3::from_scale(DVec3::new(-1.0, 1.0, 1.0))).unwrap();
    scene.update_transforms();
    let hit = scene.pick(&ray).unwrap();
    assert!(hit.normal.z > 0.0, "the front side of a mirrored figure: {:?}", hit.normal);
}

#[test]
fn the_length_of_a_ray_changes_its_measure_and_nothing_else() {
    let (scene, _) = armed(DVec3::ZERO);
    let ray = Ray { origin: DVec3::new(0.3, 2.0, 4.0), direction: DVec3::new(-0.1, -0.2, -1.0) };
    let hit = scene.pick(&ray).unwrap();
    for length in [1e-300, 1e-200, 1e-160, 0.1, 1e160, 1e300] {
        let same = scene.pick(&Ray { direction: ray.direction * length, ..ray }).unwrap();
        assert_eq!((same.node, same.triangle), (hit.node, hit.triangle), "{length}");
        assert!(same.position.abs_diff_eq(hit.position, 1e-12), "{length}: {}", same.position);
        assert!((same.distance * length / hit.distance - 1.0).abs() < 1e-12, "{length}");
    }
    // Too short to measure with: no hit is better than one at infinity.
    assert_eq!(scene.pick(&Ray { direction: ray.direction * 1e-320, ..ray }), None);
}

/// From inside a figure a ray finds the other side of its skin.
#[test]
fn a_ray_from_inside_finds_the_way_out() {
    let (scene, [figure, _]) = armed(DVec3::ZERO);
    let front = Ray { origin: DVec3::new(0.0, 1.5, 5.0), direction: DVec3::NEG_Z };
    let back = Ray { origin: DVec3::new(0.0, 1.5, -5.0), direction: DVec3::Z };
    let [front_hit, back_hit] = [front, back].map(|ray| scene.pick(&ray).unwrap());
    let inside = Ray { origin: (front_hit.position + back_hit.position) / 2.0, ..front };
    let out = scene.pick(&inside).unwrap();
    assert_eq!(out.node, figure);
    assert!(out.distance > 0.0 && out.position.z >= back_hit.position.z - 1e-9);
    assert!(out.normal.z < 0.0, "the skin's front side faces away: {:?}", out.normal);
}

/// Morph targets, many parts, several skins: files that others made.
#[test]
fn picks_agree_with_brute_force_on_all_small_models() {
    let is_small = |path: &std::path::PathBuf| std::fs::metadata(path).is_ok_and(|file| file.len() < 300_000);
    for path in canter_testing::models::all().into_iter().filter(is_small) {
        let Ok(model) = canter_scene::Model::load(&path) else { continue };
        let mut character = Character::new(&model);
        if let Some(clip) = model.asset.clips.first() {
            character.mixer.crossfade_to(clip, 0.0);
        }
        character.update(0.37);
        let bounds = character.bounds();
        if bounds.is_empty() {
            continue;
        }
        let mut scene = Scene::new();
        let turned =
            DAffine3::from_rotation_translation(DQuat::from_rotation_y(2.0), DVec3::new(9.0, 1.0, 0.0));
        scene.spawn(character, Parent::World, turned).unwrap();
        let (center, size) = (turned.transform_point3(bounds.center().as_dvec3()), bounds.size().length());
        let mut hits = 0;
        for number in 0..24 {
            let angle = f64::from(number) * 0.7;
            let away = DVec3::new(angle.sin(), (angle * 1.7).sin() * 0.7, angle.cos()) * f64::from(size);
            let aside = DVec3::new((angle * 3.1).sin(), (angle * 5.3).cos(), 0.3) * f64::from(size) * 0.1;
            let ray = Ray { origin: center + away, direction: aside - away };
            let (found, expected) = (scene.pick(&ray), brute_force(&scene, &ray));
            assert_eq!(found.is_some(), expected.is_some(), "{}, ray {number}", path.display());
            if let (Some(hit), Some((distance, _))) = (found, expected) {
                assert!((hit.distance - distance).abs() < 1e-6, "{}, ray {number}", path.display());
                hits += 1;
            }
        }
        assert!(hits > 0, "{}", path.display());
    }
}
