use std::sync::Arc;

use canter::glam::{DAffine3, DVec3, Quat, Vec3};
use canter_scene::{Character, Framing, Model, Parent, Scene};

use super::*;

fn file(name: &str) -> String {
    format!("{}/../../assets/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn scene_of(model: &Arc<Model>, place: DVec3) -> Scene {
    let mut scene = Scene::new();
    scene.spawn(Character::new(model), Parent::World, DAffine3::from_translation(place)).unwrap();
    scene.update(0.0);
    scene
}

fn framed(scene: &Scene) -> Camera {
    let mut framing = Framing::new(0.5, 0.2, 1.0);
    framing.include_scene(scene);
    framing.camera()
}

const PLAIN: Look = Look {
    background: Background::Transparent,
    ground: None,
    sun: Vec3::new(0.3, 1.0, 0.5),
    skeleton: false,
};

fn covered(picture: &Picture) -> usize {
    picture.pixels.chunks_exact(4).filter(|pixel| pixel[3] > 0).count()
}

#[test]
fn the_same_scene_gives_the_same_bytes_on_any_number_of_threads() {
    let scene = scene_of(&Model::load(file("hero.glb")).unwrap(), DVec3::ZERO);
    let draw = || SoftRenderer::new().render(&scene, &framed(&scene), &Look::default(), 90, 70);
    let first = draw();
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(draw) == first, "{threads} threads");
    }
}

#[test]
fn a_figure_fills_its_frame_and_leaves_the_margin_free() {
    let scene = scene_of(&Model::load(file("hero.glb")).unwrap(), DVec3::ZERO);
    let picture = SoftRenderer::new().render(&scene, &framed(&scene), &PLAIN, 100, 100);
    let rows: Vec<u32> =
        (0..100).filter(|&y| (0..100).any(|x| picture.pixel(x, y).unwrap()[3] > 0)).collect();
    assert!((5..=7).contains(&rows[0]) && (92..=94).contains(rows.last().unwrap()), "{rows:?}");
    assert!(covered(&picture) > 1000);
}

#[test]
fn far_from_the_origin_a_figure_looks_the_same() {
    let model = Model::load(file("hero.glb")).unwrap();
    let (here, there) = (scene_of(&model, DVec3::ZERO), scene_of(&model, DVec3::new(1e6, -4e5, 3e6)));
    let mut renderer = SoftRenderer::new();
    let near = renderer.render(&here, &framed(&here), &PLAIN, 80, 80);
    let far = renderer.render(&there, &framed(&there), &PLAIN, 80, 80);
    let different = near.pixels.iter().zip(&far.pixels).filter(|(a, b)| a.abs_diff(**b) > 40).count();
    assert!(different < near.pixels.len() / 200, "{different}");
}

#[test]
fn nothing_to_draw_is_no_picture_or_an_empty_one() {
    let empty = Scene::new();
    let camera = Camera::orbit(DVec3::ZERO, 3.0, 0.0, 0.0);
    let mut renderer = SoftRenderer::new();
    for (width, height) in [(0, 0), (0, 5), (5, 0)] {
        let picture = renderer.render(&empty, &camera, &Look::default(), width, height);
        assert!(picture.pixels.is_empty());
    }
    assert_eq!(covered(&renderer.render(&empty, &camera, &PLAIN, 8, 8)), 0);
    let look = Look { skeleton: true, ..Look::default() };
    renderer.samples = 99;
    assert_eq!(covered(&renderer.render(&empty, &camera, &look, 8, 8)), 64);
}

#[test]
fn hidden_figures_are_not_drawn() {
    let mut scene = scene_of(&Model::load(file("sword.glb")).unwrap(), DVec3::ZERO);
    let camera = framed(&scene);
    let sword = scene.characters().next().unwrap();
    let mut renderer = SoftRenderer::new();
    assert!(covered(&renderer.render(&scene, &camera, &PLAIN, 32, 32)) > 0);
    scene.set_visible(sword, false);
    scene.update(0.0);
    assert_eq!(covered(&renderer.render(&scene, &camera, &PLAIN, 32, 32)), 0);
}

#[test]
fn cameras_inside_and_nowhere_make_some_picture() {
    let scene = scene_of(&Model::load(file("hero.glb")).unwrap(), DVec3::ZERO);
    let inside = Camera { eye: DVec3::new(0.0, 1.2, 0.05), target: DVec3::new(0.0, 1.0, 0.0), fov_y: 1.5 };
    let same = Camera { eye: DVec3::Y, target: DVec3::Y, fov_y: 0.5 };
    let above = Camera { eye: DVec3::Y * 5.0, target: DVec3::ZERO, fov_y: 0.5 };
    let nowhere = Camera { eye: DVec3::NAN, target: DVec3::NAN, fov_y: f32::NAN };
    for camera in [inside, same, above, nowhere] {
        let picture = SoftRenderer::new().render(&scene, &camera, &Look::default(), 40, 40);
        assert_eq!(picture.pixels.len(), 40 * 40 * 4, "{camera:?}");
    }
}

/// What glTF calls the front is seen, also of what is mirrored; the back is not.
#[test]
fn faces_that_look_away_are_left_out() {
    let model = Model::load(file("sword.glb")).unwrap();
    let mut renderer = SoftRenderer::new();
    let mut area = |turn: DAffine3| {
        let mut scene = Scene::new();
        scene.spawn(Character::new(&model), Parent::World, turn).unwrap();
        scene.update(0.0);
        covered(&renderer.render(&scene, &framed(&scene), &PLAIN, 64, 64))
    };
    let plain = area(DAffine3::IDENTITY);
    let mirrored = area(DAffine3::from_scale(DVec3::new(1.0, 1.0, -1.0)));
    let turned = area(DAffine3::from_quat(Quat::from_rotation_x(0.3).as_dquat()));
    assert!(plain > 50 && mirrored > 50 && turned > 50, "{plain} {mirrored} {turned}");
}

/// The sword as if its file had no normals: every triangle has one colour of its own, and the outline stays.
#[test]
fn triangles_without_normals_are_flat() {
    let smooth = Model::load(file("sword.glb")).unwrap();
    let mut asset = canter_gltf::load(file("sword.glb")).unwrap();
    for primitive in asset.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.computed_normals = true;
    }
    let flat = Arc::new(Model::new(asset));
    let [smooth, flat] = [smooth, flat].map(|model| {
        let scene = scene_of(&model, DVec3::ZERO);
        SoftRenderer::new().render(&scene, &framed(&scene), &PLAIN, 64, 64)
    });
    let alpha = |picture: &Picture| picture.pixels.iter().skip(3).step_by(4).copied().collect::<Vec<_>>();
    assert_eq!(alpha(&smooth), alpha(&flat));
    assert!(smooth != flat);
}
