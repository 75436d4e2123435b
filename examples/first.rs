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

    scene[hero].fade_to("Idle", 0.0)?;
    for tick in 0..120 {
        if tick == 60 {
            scene[hero].fade_to("Run", 0.3)?; // in 0.3 s
        }
        scene.update(1.0 / 60.0);

        let (figure, world_from_sword) = (&scene[hero], scene.world(sword));
        // Upload `figure.palette`, 48 bytes a matrix, and draw the hero; draw the sword at
        // `world_from_sword`.
        assert!(figure.palette.len() >= 66 && world_from_sword.is_some());
    }
    assert_eq!(scene[hero].mixer.actions().count(), 1); // Idle has faded out and left
    Ok(())
}
