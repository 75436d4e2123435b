//! Bounds contain every vertex in every pose, and are not much larger than they must be.

mod common;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use canter::Play;
use canter::glam::dcamera::rh::{proj::directx as proj, view};
use canter::glam::{DAffine3, DVec3, Quat, Vec3};
use canter_scene::{Bounds, Character, Frustum, Model, Parent, Scene};
use proptest::prelude::*;

use canter_testing::models;
use common::{hero, sword};

fn assert_contained(character: &Character, what: &str) {
    let contains = |bounds: Bounds, exact: Bounds| {
        let is_inside = exact.is_empty() || (bounds.contains(exact.min) && bounds.contains(exact.max));
        assert!(is_inside, "{what}: {bounds:?} does not contain {exact:?}");
    };
    contains(character.bounds(), character.exact_bounds());
    for (index, part) in character.model.parts().iter().enumerate() {
        contains(character.part_bounds(index), Bounds::around(character.posed(part).positions));
    }
}

/// How many times as large as they must be the bounds are along each axis.
fn excess(character: &Character) -> Vec3 {
    let (size, exact) = (character.bounds().size(), character.exact_bounds().size());
    // In relation to something flat everything is large.
    let is_flat = exact.cmple(Vec3::splat(exact.max_element() * 1e-3));
    Vec3::select(is_flat, Vec3::ONE, size / exact)
}

/// A character at an instant of a clip, with another mixed in now and then.
fn at_instant(model: &Arc<Model>, clip: usize, phase: f32, other: Option<(usize, f32)>) -> Character {
    let mut character = Character::new(model);
    for (clip, phase) in [(clip, phase)].into_iter().chain(other) {
        let clip = &model.asset.clips[clip];
        let start_secs = Some(clip.duration_secs() * phase);
        character.mixer.play(clip, Play { start_secs, ..Play::default() });
    }
    character.update(0.0);
    character
}

#[test]
fn every_model_stays_in_its_bounds_and_they_are_tight() {
    let mut files: Vec<PathBuf> = models::all();
    files.push(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../assets/hero.glb"));
    for file in files {
        let model = Model::load(&file).unwrap();
        assert_contained(&Character::new(&model), &format!("{} at rest", file.display()));
        let clips = model.asset.clips.len();
        let phases = if clips > 20 { 7 } else { 23 };
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for clip in 0..clips {
            for phase in 0..phases {
                let other = (phase % 3 == 0).then_some(((clip + 1) % clips, 0.7));
                let phase = (phase as f32 + 0.37) / phases as f32;
                let what = format!("{}, clip {clip} at {phase}", file.display());
                assert_contained(&at_instant(&model, clip, phase, other), &format!("{what}, with {other:?}"));
                let character = at_instant(&model, clip, phase, None);
                assert_contained(&character, &what);
                let excess = excess(&character);
                assert!(excess.max_element() <= 3.0, "{what}: {excess} times as large as they must be");
                (sum, count) = (sum + excess, count + 1.0);
            }
        }
        // The joints of one are scaled from 0.4 to 5.2 times.
        let limit = if file.ends_with("RigifyHumanDeform.glb") { 2.0 } else { 1.6 };
        let mean = sum / f32::max(count, 1.0);
        assert!(mean.max_element() <= limit, "{}: {mean} times as large as they must be", file.display());
    }
}

#[test]
fn bounds_of_morphed_vertices_stay_near_them() {
    let cube = |path: &PathBuf| path.ends_with("AnimatedMorphCube.gltf");
    for file in models::all().into_iter().filter(cube) {
        let mut character = Character::new(&Model::load(&file).unwrap());
        let morph = character.model.asset.skeleton.morphs().next().unwrap();
        for weights in [[0.0, 0.9], [0.9, 0.0], [0.5, 0.5], [0.3, 0.4], [1.0, 0.0], [0.6, 0.7]] {
            character.pose.morph_weights_mut(morph).copy_from_slice(&weights);
            assert_contained(&character, &format!("{weights:?}"));
            let excess = excess(&character);
            assert!(excess.max_element() <= 1.7, "{weights:?}: {excess} times as large as they must be");
        }
        for weights in
            [[-3.0, 2.0], [1e30, 1.0], [f32::INFINITY, 0.0], [0.0, f32::NAN], [-f32::MAX, f32::MAX]]
        {
            character.pose.morph_weights_mut(morph).copy_from_slice(&weights);
            assert_contained(&character, &format!("{weights:?}"));
        }
    }
}

/// What a user may do to a joint: a turn, a shift, a scale, and a weight for all morph targets.
type Change = (usize, [f32; 4], f32, f32, f32);

fn any_changes() -> impl Strategy<Value = Vec<Change>> {
    let turn = prop::array::uniform4(0.01_f32..1.0);
    prop::collection::vec((0_usize..1000, turn, -3.0_f32..3.0, 0.0_f32..3.0, -2.0_f32..2.0), 1..40)
}

fn change(character: &mut Character, changes: &[Change]) {
    let skeleton = Arc::clone(&character.model.asset.skeleton);
    let joints: Vec<_> = skeleton.joints().collect();
    for &(joint, turn, shift, scale, weight) in changes {
        for morph in skeleton.morphs() {
            character.pose.morph_weights_mut(morph).fill(weight);
        }
        let mut joint = character.pose.joint_mut(joints[joint % joints.len()]);
        joint.rotation = Quat::from_array(turn).normalize();
        joint.translation += Vec3::new(shift, -0.5 * shift, 0.1);
        joint.scale *= Vec3::new(scale, 1.0, -scale);
    }
    character.model_pose.compose(&skeleton, &character.pose);
    character.write_palette();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever a user does to the joints, far from anything that a clip does.
    #[test]
    fn any_pose_stays_in_its_bounds(model in 0_usize..1000, changes in any_changes()) {
        let models = models_of_all_kinds();
        let mut character = Character::new(&models[model % models.len()]);
        change(&mut character, &changes);
        assert_contained(&character, "changed by hand");
    }

    /// Whatever moves the vertices: joints far away, many or few, with weights of any sum.
    #[test]
    fn any_weights_stay_in_their_bounds(
        model in 0_usize..1000,
        weights in prop::collection::vec((0_usize..1000, prop_oneof![Just(0.0_f32), 0.0_f32..1.0]), 1..50),
        power in 0_i32..12,
        sum in prop_oneof![2 => Just(1.0_f32), 2 => 0.9999_f32..1.0001, 1 => 0.3_f32..2.0],
        is_near in any::<bool>(),
        changes in any_changes(),
    ) {
        let files: Vec<_> = small_models();
        if files.is_empty() {
            return Ok(());
        }
        let mut asset = canter_gltf::load(&files[model % files.len()]).unwrap();
        let joint_count = asset.skins.iter().map(|skin| skin.len()).min().unwrap();
        let mut weights = weights.into_iter().cycle();
        for primitive in asset.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
            for set in &mut primitive.influences {
                for (joints, own) in set.joints.iter_mut().zip(&mut set.weights) {
                    let first = usize::from(joints[0]);
                    for index in 0..4 {
                        let (joint, weight) = weights.next().unwrap();
                        let joint = if is_near { first + joint % 3 } else { joint };
                        joints[index] = u16::try_from(joint % joint_count).unwrap();
                        own[index] = weight.powi(power);
                    }
                    *own *= sum / own.element_sum().max(1e-6);
                }
            }
        }
        let model = Arc::new(Model::new(asset));
        let clips = model.asset.clips.len();
        for clip in 0..clips.min(3) {
            assert_contained(&at_instant(&model, clip, 0.3, Some(((clip + 1) % clips, 0.6))), "in a clip");
        }
        let mut character = Character::new(&model);
        // A little at first.
        let little: Vec<_> = changes.iter().map(|&(joint, _, shift, _, _)| {
            (joint, [0.02, 0.01, 0.03, 1.0], shift * 0.01, -1.0, 0.1)
        }).collect();
        change(&mut character, &little);
        assert_contained(&character, "changed a little");
        change(&mut character, &changes);
        assert_contained(&character, "changed by hand");
    }
}

/// Skinned models that are loaded in no time.
fn small_models() -> Vec<PathBuf> {
    let names = ["RiggedFigure", "SimpleSkin", "Fox.glb", "model_with_motion", "RecursiveSkeletons"];
    let is_one = |path: &PathBuf| names.iter().any(|name| path.to_string_lossy().contains(name));
    models::all().into_iter().filter(is_one).collect()
}

/// The hero, and models with rigid parts, many joints, scaled ones, and morph targets.
fn models_of_all_kinds() -> &'static [Arc<Model>] {
    static MODELS: OnceLock<Vec<Arc<Model>>> = OnceLock::new();
    MODELS.get_or_init(|| {
        let names =
            ["Knight", "RigifyHumanDeform", "RobotExpressive", "model_with_motion", "Godette", "MorphCube"];
        let is_one = |path: &PathBuf| names.iter().any(|name| path.to_string_lossy().contains(name));
        let others = models::all().into_iter().filter(is_one).map(|path| Model::load(path).unwrap());
        std::iter::once(hero()).chain(others).collect()
    })
}

/// Numbers as large as a file may have, multiplied with each other.
#[test]
fn bounds_are_numbers_even_where_places_are_too_far_away_for_any() {
    for file in [PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../assets/sword.glb")]
        .into_iter()
        .chain(small_models())
        .chain(models::all().into_iter().filter(|path| path.ends_with("RobotExpressive.glb")))
    {
        for size in [1e9_f32, 1e18] {
            let mut asset = canter_gltf::load(&file).unwrap();
            for primitive in asset.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
                primitive.positions.iter_mut().for_each(|position| *position *= size);
            }
            let mut character = Character::new(&Arc::new(Model::new(asset)));
            let skeleton = Arc::clone(&character.model.asset.skeleton);
            for (number, joint) in skeleton.joints().enumerate() {
                let mut joint = character.pose.joint_mut(joint);
                joint.scale = Vec3::new(size, -size, if number % 2 == 0 { 0.0 } else { 1.0 });
                joint.translation = Vec3::new(-size, size, 1.0);
            }
            character.model_pose.compose(&skeleton, &character.pose);
            character.write_palette();
            assert_contained(&character, &format!("{} times {size}", file.display()));
            let bounds = character.bounds();
            assert!(bounds.min.is_finite() && bounds.max.is_finite(), "{}: {bounds:?}", file.display());
            assert!(!bounds.is_empty(), "{}: {bounds:?}", file.display());
        }
    }
}

#[test]
fn a_figure_whose_arm_reaches_into_view_is_drawn() {
    let mut scene = Scene::new();
    let mut figure = Character::new(&hero());
    figure.fade_to("Wave", 0.0).unwrap();
    let far_place = DVec3::new(1e5, 0.0, -1e5);
    let figure = scene.spawn(figure, Parent::World, DAffine3::from_translation(far_place)).unwrap();
    let seen = |scene: &Scene, from: DVec3, to: DVec3| {
        let projection = proj::perspective(0.2, 1.0, 0.01, 100.0);
        let frustum = Frustum::new(projection * view::look_at_mat4(from, to, DVec3::Y));
        scene.in_view(&frustum).any(|id| id == figure)
    };
    let mut hands_seen = 0;
    for _ in 0..60 {
        scene.update(1.0 / 30.0);
        let character = scene.character(figure).unwrap();
        for (index, part) in character.model.parts().iter().enumerate() {
            // A camera that sees one vertex and nothing else must see the figure.
            let vertices = character.posed(part).positions;
            let vertex = far_place + vertices[(index * 997) % vertices.len()].as_dvec3();
            let outwards = (vertex - far_place - DVec3::Y).normalize_or(DVec3::X);
            assert!(seen(&scene, vertex + outwards * 0.5, vertex));
            hands_seen += 1;
        }
        let behind = far_place + DVec3::new(0.0, 1.0, 30.0);
        assert!(!seen(&scene, behind, behind + DVec3::Z), "the camera looks away");
    }
    assert!(hands_seen > 100);
    scene.set_visible(figure, false).unwrap();
    scene.update(0.0);
    assert!(!seen(&scene, far_place + DVec3::new(0.0, 1.0, 5.0), far_place + DVec3::Y), "it is hidden");
}

#[test]
fn a_frustum_without_a_far_plane_sees_what_is_far() {
    let bounds = Bounds { min: Vec3::splat(-1.0), max: Vec3::ONE };
    let view = view::look_at_mat4(DVec3::ZERO, DVec3::NEG_Z, DVec3::Y);
    let projections = [
        (proj::perspective_infinite(1.0, 1.0, 0.1), true),
        (proj::perspective_infinite_reverse(1.0, 1.0, 0.1), true),
        (proj::perspective(1.0, 1.0, 0.1, 1e6), true),
        (proj::perspective(1.0, 1.0, 0.1, 1e4), false),
        (proj::orthographic(-1.0, 1.0, -1.0, 1.0, 0.1, 1e4), false),
    ];
    for (projection, is_seen) in projections {
        let at = DAffine3::from_translation(DVec3::new(0.0, 0.0, -1e5));
        assert_eq!(Frustum::new(projection * view).sees(&bounds, &at), is_seen, "{projection}");
        assert!(!Frustum::new(projection * view).sees(&Bounds::EMPTY, &DAffine3::IDENTITY));
        let beside = DAffine3::from_translation(DVec3::new(1e5, 0.0, -10.0));
        assert!(!Frustum::new(projection * view).sees(&bounds, &beside));
    }
}

#[test]
fn a_box_is_seen_where_its_shadow_is() {
    let bounds = Bounds { min: Vec3::splat(-1.0), max: Vec3::ONE };
    let view = view::look_at_mat4(DVec3::new(0.0, 0.0, 20.0), DVec3::ZERO, DVec3::Y);
    let frustum = Frustum::new(proj::orthographic(-5.0, 5.0, -5.0, 5.0, 0.1, 100.0) * view);
    let sees = |place: DVec3, movement: DVec3| {
        frustum.sees_swept(&bounds, &DAffine3::from_translation(place), movement)
    };
    let (left, above) = (DVec3::X * -9.0, DVec3::Y * 9.0);
    assert!(!sees(left, DVec3::ZERO) && !sees(above, DVec3::ZERO));
    assert!(sees(left, DVec3::X * 4.0) && sees(above, DVec3::Y * -4.0));
    assert!(sees(left, DVec3::X * 100.0), "the shadow falls across all of the view");
    assert!(!sees(left, DVec3::X * 2.0), "it does not reach the view");
    for movement in [DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z] {
        assert!(!sees(left, movement * 100.0), "it falls past the view");
    }
}

proptest! {
    /// A corner of the box that is in view at any time while it moves.
    #[test]
    fn whatever_is_swept_into_view_is_seen(
        place in prop::array::uniform3(-20.0_f64..20.0),
        movement in prop::array::uniform3(-30.0_f64..30.0),
        size in prop::array::uniform3(0.0_f32..3.0),
        time in 0.0_f64..1.0,
    ) {
        let bounds = Bounds { min: Vec3::ZERO, max: Vec3::from(size) };
        let (place, movement) = (DVec3::from(place), DVec3::from(movement));
        let clip_from_world = proj::perspective(1.0, 1.5, 0.1, 30.0)
            * view::look_at_mat4(DVec3::new(1.0, 2.0, 12.0), DVec3::ZERO, DVec3::Y);
        let clip = clip_from_world * (place + movement * time + bounds.max.as_dvec3()).extend(1.0);
        let is_in_view = clip.x.abs() <= clip.w && clip.y.abs() <= clip.w && (0.0..=clip.w).contains(&clip.z);
        let frustum = Frustum::new(clip_from_world);
        prop_assert!(
            !is_in_view || frustum.sees_swept(&bounds, &DAffine3::from_translation(place), movement)
        );
    }
}

#[test]
fn what_hangs_on_a_joint_is_in_view_with_it() {
    let mut scene = Scene::new();
    let figure = scene.spawn(Character::new(&hero()), Parent::World, DAffine3::IDENTITY).unwrap();
    let hand = hero().asset.skeleton.joint("hand_R").unwrap();
    let blade =
        scene.spawn(Character::new(&sword()), Parent::Joint(figure, hand), DAffine3::IDENTITY).unwrap();
    scene.update(0.0);
    let place = scene.world(blade).unwrap().translation;
    let view = view::look_at_mat4(place + DVec3::new(-2.0, 0.0, 0.0), place, DVec3::Y);
    let frustum = Frustum::new(proj::perspective(0.3, 1.0, 0.1, 10.0) * view);
    assert!(scene.in_view(&frustum).any(|id| id == blade));
}
