//! The first example of the README: load, stand, crossfade to running, sword in hand.

use canter_scene::canter::glam::DAffine3;
use canter_scene::{Character, Model, Parent, Scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let hero = Model::load("assets/hero.glb")?;
    let sword = Model::load("assets/sword.glb")?;
    let hand = hero.asset.skeleton.joint("hand_R").ok_or("the hero has no right hand")?;

    let mut scene = Scene::new();
    let hero = scene.spawn(Character::new(&hero), Parent::World, DAffine3::IDENTITY)?;
    let sword = scene.spawn(Character::new(&sword), Parent::Joint(hero, hand), DAffine3::IDENTITY)?;

    scene.character_mut(hero).ok_or("gone")?.play("Idle", 0.0)?;
    for tick in 0..120 {
        if tick == 60 {
            scene.character_mut(hero).ok_or("gone")?.play("Run", 0.3)?; // crossfades in 0.3 s
        }
        scene.update(1.0 / 60.0);

        let figure = scene.character(hero).ok_or("gone")?;
        let world_from_sword = scene.world(sword).ok_or("gone")?;
        // Upload `figure.palette`, 48 bytes a matrix, and draw the hero; draw the sword at `world_from_sword`.
        assert!(figure.palette.len() >= 66 && world_from_sword.is_finite());
    }
    assert_eq!(scene.character(hero).ok_or("gone")?.mixer.actions().count(), 1); // Idle has faded out and left
    Ok(())
}
