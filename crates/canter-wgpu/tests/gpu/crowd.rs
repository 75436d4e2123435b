//! Ten thousand characters, each in a pose of its own.

use canter::glam::{DAffine3, DVec3};
use canter_scene::{Camera, Character, Look, Parent, Scene};

use crate::device::devices;
use crate::meshes::waving;
use crate::studio::Studio;

#[test]
fn ten_thousand_characters_of_their_own_are_one_write_and_a_few_draws() {
    let flag = waving(|_| {}).model();
    let clip = &flag.asset.clips[0];
    let mut scene = Scene::new();
    for number in 0..10_000_u16 {
        let mut character = Character::new(&flag);
        character.mixer.play(clip, canter::Play::default());
        character.update(f32::from(number) / 10_000.0);
        let at = DVec3::new(f64::from(number % 100), 0.0, f64::from(number / 100));
        scene.spawn(character, Parent::World, DAffine3::from_translation(at)).unwrap();
    }
    scene.update(0.0);
    let palettes = scene.characters().filter_map(|id| Some(scene.character(id)?.palette.as_slice()));
    let mut palettes: Vec<_> = palettes.map(|palette| format!("{palette:?}")).collect();
    palettes.sort_unstable();
    palettes.dedup();
    assert_eq!(palettes.len(), 10_000, "nobody stands as another does");

    let camera = Camera::orbit(DVec3::new(50.0, 0.0, 50.0), 320.0, 0.4, 0.7);
    for gpu in devices().iter() {
        let mut studio = Studio::new(gpu);
        for _ in 0..2 {
            let (_, stats) = studio.take(&scene, &camera, &Look::default(), (128, 128));
            assert_eq!((stats.characters, stats.palette_writes), (10_000, 1), "on {}", gpu.name);
            assert_eq!(stats.draws, 4, "background, ground, all figures, all shadows, on {}", gpu.name);
        }
    }
}
