//! Pictures of the hero, compared with stored ones.

use std::path::Path;
use std::sync::Arc;

use canter::glam::{DAffine3, DVec3};
use canter_scene::{Background, Camera, Character, Figure, Look, Model, NodeId, Parent, Scene};
use canter_wgpu::{FrameStats, Headless, Offscreen, RendererOptions, Shadows, Target};

use crate::device::{Gpu, devices};
use crate::studio::Studio;

pub(crate) fn asset(name: &str) -> Arc<Model> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
    Model::load(path).expect("the project's own assets load")
}

/// The hero with the sword in his hand, at a moment of a clip.
fn hero(scene: &mut Scene, clip: &str, secs: f32, at: DVec3) -> NodeId {
    let mut character = Character::new(&asset("hero.glb"));
    character.fade_to(clip, 0.0).expect("the hero has the clip");
    character.update(secs);
    let hand = character.model.asset.skeleton.joint("hand_R").expect("the hero has a hand");
    let hero = scene.spawn(character, Parent::World, DAffine3::from_translation(at)).unwrap();
    scene.spawn(Character::new(&asset("sword.glb")), Parent::Joint(hero, hand), DAffine3::IDENTITY).unwrap();
    scene.update(0.0);
    hero
}

/// The pictures that are stored: name, clip, seconds, yaw, look.
fn scenes() -> [(&'static str, &'static str, f32, f64, Look); 4] {
    let bones = Look { skeleton: true, ..Look::default() };
    let transparent = Look { background: Background::Transparent, ..Look::default() };
    [
        ("idle", "Idle", 0.5, 0.5, Look::default()),
        ("run", "Run", 0.2, 0.9, transparent),
        ("attack", "Attack", 0.45, 0.3, Look::default()),
        ("wave-bones", "Wave", 0.8, -0.4, bones),
    ]
}

const SIDE: u32 = 192;

/// Which pixels are covered at least by half.
fn silhouette(pixels: &[u8]) -> Vec<bool> {
    pixels.chunks(4).map(|pixel| pixel[3] > 127).collect()
}

#[test]
fn the_software_renderer_draws_the_same_silhouette() {
    let background = Background::Transparent;
    let look = Look { background, ground: None, ..Look::default() };
    for gpu in devices().iter() {
        let mut studio = Studio::new(gpu);
        for (name, clip, secs, yaw, _) in scenes() {
            let mut scene = Scene::new();
            hero(&mut scene, clip, secs, DVec3::ZERO);
            let camera = Camera::orbit(DVec3::Y * 0.95, 5.2, yaw, 0.18);
            let (drawn, _) = studio.take(&scene, &camera, &look, (SIDE, SIDE));
            let expected = canter_soft::SoftRenderer::new().render(&scene, &camera, &look, SIDE, SIDE).pixels;
            let area = |pixels: &[u8]| pixels.chunks(4).map(|pixel| u64::from(pixel[3])).sum::<u64>() / 255;
            let (area, expected_area) = (area(&drawn), area(&expected));
            assert!(expected_area > 1000, "{name}: the figure is in the picture");
            assert!(
                area.abs_diff(expected_area) * 100 <= expected_area,
                "{name}: {area} and {expected_area} pixels"
            );
            // On edges both count samples, and not the same ones; nothing that is inside of one is outside of
            // the other.
            let is_off = |(a, b): &(&[u8], &[u8])| a[3].abs_diff(b[3]) > 230;
            let off = drawn.chunks(4).zip(expected.chunks(4)).filter(is_off).count();
            assert!(off <= 2, "{name} on {}: {off} pixels of {area} differ", gpu.name);
        }
    }
}

/// Meshes without normals, without indices, of lines and points, with morph targets, with masks and with
/// textures: whatever there is in the models of others. The device reports what is not valid by a panic.
#[test]
fn every_model_gives_a_picture() {
    let Some(files) = crate::skinning::shared_models() else { return };
    for gpu in devices().iter() {
        let mut studio = Studio::new(gpu);
        for file in &files {
            let mut character = Character::new(&Model::load(file).unwrap());
            if let Some(clip) = character.model.asset.clips.first() {
                character.mixer.play(clip, canter::Play::default());
            }
            character.update(0.3);
            let bounds = character.bounds();
            let (middle, size) = (bounds.center().as_dvec3(), f64::from(bounds.size().length()));
            let mut scene = Scene::new();
            scene.spawn(character, Parent::World, DAffine3::IDENTITY).unwrap();
            scene.update(0.0);
            let camera = Camera::orbit(middle, size * 2.0, 0.5, 0.3);
            let look = Look { background: Background::Transparent, ground: None, ..Look::default() };
            let (pixels, stats) = studio.take(&scene, &camera, &look, (64, 64));
            let covered = silhouette(&pixels).into_iter().filter(|covered| *covered).count();
            assert!(covered > 0, "{} on {}: nothing to be seen, {stats:?}", file.display(), gpu.name);
        }
    }
}

/// Drivers differ by a step of a channel nearly everywhere, and by more at edges: a hundredth of the pixels
/// may be off by more than 16 of 255, and all of them by less than 1 on average.
fn differ(pixels: &[u8], stored: &[u8]) -> Option<String> {
    if pixels.len() != stored.len() {
        return Some(format!("{} bytes for {}", pixels.len(), stored.len()));
    }
    let off = |(a, b): (&[u8], &[u8])| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
    let offs: Vec<u8> = pixels.chunks(4).zip(stored.chunks(4)).map(off).collect();
    let mean = offs.iter().map(|off| f64::from(*off)).sum::<f64>() / offs.len() as f64;
    let far = offs.iter().filter(|off| **off > 16).count();
    (mean > 1.0 || far * 100 > offs.len())
        .then(|| format!("{mean:.2} on average, {far} pixels by more than 16"))
}

#[test]
fn the_hero_looks_as_stored() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gpu/references");
    let writes = std::env::var_os("CANTER_WRITE_REFERENCES").is_some();
    for (number, gpu) in devices().iter().enumerate() {
        let mut studio = Studio::new(gpu);
        for (name, clip, secs, yaw, look) in scenes() {
            let mut scene = Scene::new();
            // Far from the origin, where single precision would tremble.
            let at = DVec3::new(100_000.0, 0.0, -50_000.0);
            hero(&mut scene, clip, secs, at);
            let camera = Camera::orbit(at + DVec3::Y * 0.95, 5.2, yaw, 0.18);
            let (pixels, stats) = studio.take(&scene, &camera, &look, (SIDE, SIDE));
            assert_eq!((stats.characters, stats.palette_writes), (2, 1));
            let file = folder.join(format!("{name}.png"));
            if writes && number == 0 {
                image::save_buffer(&file, &pixels, SIDE, SIDE, image::ColorType::Rgba8).unwrap();
            }
            let stored = image::open(&file).expect("a stored picture").into_rgba8();
            if let Some(difference) = differ(&pixels, &stored) {
                let shown = std::env::temp_dir().join(format!("canter-{name}.png"));
                image::save_buffer(&shown, &pixels, SIDE, SIDE, image::ColorType::Rgba8).unwrap();
                panic!("{name} on {} differs by {difference}; see {}", gpu.name, shown.display());
            }
        }
    }
}

/// Drivers on the CPU draw them while something moves: then nobody may see a change when it stands still.
#[test]
fn coarse_shadows_lie_where_fine_ones_do() {
    for gpu in devices().iter() {
        let mut scene = Scene::new();
        hero(&mut scene, "Walk", 0.2, DVec3::ZERO);
        let camera = Camera::orbit(DVec3::Y * 0.95, 5.2, 0.5, 0.18);
        let [fine, coarse] = [Shadows::Fine, Shadows::Coarse].map(|shadows| {
            let mut studio = Studio::with(gpu, RendererOptions { shadows, ..RendererOptions::default() });
            studio.take(&scene, &camera, &Look::default(), (SIDE, SIDE)).0
        });
        assert!(fine != coarse, "there are two kinds of shadows on {}", gpu.name);
        if let Some(difference) = differ(&coarse, &fine) {
            panic!("coarse shadows on {} differ by {difference}", gpu.name);
        }
    }
}

#[test]
fn a_thousand_characters_cost_one_write_and_a_few_draws() {
    let devices = devices();
    let Some(gpu) = devices.first() else { return };
    let mut studio = Studio::new(gpu);
    let mut scene = Scene::new();
    let (sword, figure) = (asset("sword.glb"), asset("hero.glb"));
    for number in 0..1000 {
        let at = DVec3::new(f64::from(number % 40), 0.0, f64::from(number / 40));
        // Every fiftieth is the hero: a software driver skins them all.
        let model = if number % 50 == 0 { &figure } else { &sword };
        let mut character = Character::new(model);
        character.update(0.01);
        scene.spawn(character, Parent::World, DAffine3::from_translation(at)).unwrap();
    }
    scene.update(0.0);
    let camera = Camera::orbit(DVec3::new(20.0, 0.0, 12.0), 130.0, 0.3, 0.8);
    for _ in 0..2 {
        let (_, stats) = studio.take(&scene, &camera, &Look::default(), (64, 64));
        let primitives = sword.parts().len() + figure.parts().len();
        assert_eq!((stats.characters, stats.palette_writes), (1000, 1));
        assert_eq!(stats.draws, 2 + 2 * primitives, "background, ground, and each primitive with its shadow");
    }
    // Looking the other way, nobody is seen.
    let away = Camera { eye: camera.eye, target: camera.eye * 2.0 - camera.target, fov_y: camera.fov_y };
    let (_, stats) = studio.take(&scene, &away, &Look::default(), (64, 64));
    assert_eq!(stats.characters, 0);
}

#[test]
fn odd_targets_cameras_and_scenes_are_harmless() {
    for gpu in devices().iter() {
        let mut studio = Studio::new(gpu);
        let empty = Scene::new();
        let camera = Camera::orbit(DVec3::ZERO, 5.0, 0.0, 0.2);
        let (pixels, stats) = studio.take(&empty, &camera, &Look::default(), (16, 16));
        assert_eq!((stats.characters, stats.draws, stats.palette_writes), (0, 2, 0));
        assert!(pixels.chunks(4).all(|pixel| pixel[3] == 255));

        let mut scene = Scene::new();
        let figure = hero(&mut scene, "Idle", 0.0, DVec3::ZERO);
        scene.set_local(figure, DAffine3::from_scale(DVec3::new(-1.0, 0.0, 1.0)));
        scene.update(0.0);
        let nowhere = Camera { eye: DVec3::NAN, ..camera };
        let inside = Camera { eye: DVec3::ZERO, target: DVec3::ZERO, fov_y: 0.0 };
        for camera in [camera, nowhere, inside, Camera::orbit(DVec3::ZERO, 5.0, 0.0, 1.6)] {
            studio.take(&scene, &camera, &Look { skeleton: true, ..Look::default() }, (5, 3));
        }
        let picture = Offscreen::new(&gpu.device, 1, 1);
        for (width, height) in [(0, 0), (0, 9), (u32::MAX, 1)] {
            let target = Target { view: picture.view(), width, height };
            let Gpu { device, queue, .. } = gpu;
            let stats = studio.renderer.render(device, queue, target, &scene, &camera, &Look::default());
            assert_eq!(stats, FrameStats::default());
        }
        scene.set_visible(figure, false);
        scene.update(0.0);
        assert_eq!(studio.take(&scene, &camera, &Look::default(), (8, 8)).1.characters, 0);
    }
}

/// As an ECS has them: no scene, palettes of skins alone, no bounds.
#[test]
fn figures_without_a_scene_give_the_same_picture() {
    let mut scene = Scene::new();
    hero(&mut scene, "Run", 0.2, DVec3::ZERO);
    let figures: Vec<Figure<'_>> = (scene.figures())
        .map(|figure| Figure {
            palette: &figure.palette[..figure.model.asset.skins.matrix_count()],
            bounds: None,
            ..figure
        })
        .collect();
    assert_eq!(figures.len(), 2, "the hero and the sword, which is rigid");
    let wrong = Figure { palette: &[], ..figures[0] };
    let camera = Camera::orbit(DVec3::Y * 0.95, 5.2, 0.6, 0.18);
    let look = Look { skeleton: true, ..Look::default() };
    for gpu in devices().iter() {
        let mut studio = Studio::new(gpu);
        let (expected, _) = studio.take(&scene, &camera, &look, (SIDE, SIDE));
        let (drawn, stats) =
            studio.take(figures.iter().copied().chain([wrong]), &camera, &look, (SIDE, SIDE));
        assert!(drawn == expected && stats.characters == 2, "on {}", gpu.name);
    }
    let mut soft = canter_soft::SoftRenderer::new();
    let expected = soft.render(&scene, &camera, &look, SIDE, SIDE);
    assert!(soft.render(figures.iter().copied().chain([wrong]), &camera, &look, SIDE, SIDE) == expected);
}

#[test]
fn a_lost_device_is_an_error_and_no_panic() {
    let Ok(Headless { device, queue, .. }) = Headless::new() else {
        canter_testing::requirement::skip("there is no graphics driver", "lost devices are");
        return;
    };
    let gpu = Gpu { name: "lost", device, queue, has_vertex_storage: true };
    let mut studio = Studio::new(&gpu);
    let mut scene = Scene::new();
    hero(&mut scene, "Idle", 0.0, DVec3::ZERO);
    let camera = Camera::orbit(DVec3::Y, 5.0, 0.0, 0.2);
    studio.take(&scene, &camera, &Look::default(), (8, 8));
    let picture = Offscreen::new(&gpu.device, 8, 8);
    gpu.device.destroy();
    let target = Target { view: picture.view(), width: 8, height: 8 };
    studio.renderer.render(&gpu.device, &gpu.queue, target, &scene, &camera, &Look::default());
    let error = picture.read(&gpu.device, &gpu.queue).expect_err("the device is gone");
    assert!(error.to_string().contains("lost"), "{error}");
}
