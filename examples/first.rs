//! The first example of the README: load, stand, crossfade to running, sword in hand.

use canter::glam::Mat4;
use canter::{Mat3x4, Mixer, ModelPose, Play, Pose};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let hero = canter_gltf::load("assets/hero.glb")?;
    let hand = hero.skeleton.joint("hand_R").ok_or("the hero has no right hand")?;

    let mut mixer = Mixer::new(&hero.skeleton);
    let mut pose = Pose::rest(&hero.skeleton);
    let mut model = ModelPose::rest(&hero.skeleton);
    let mut palette = vec![Mat3x4::IDENTITY; hero.skins[0].len()];
    let world_from_hero = Mat4::IDENTITY;
    let hand_from_sword = Mat4::IDENTITY; // the sword is made for this hand

    mixer.play(hero.clip("Idle")?, Play::default());
    for tick in 0..120 {
        if tick == 60 {
            mixer.crossfade_to(hero.clip("Run")?, 0.3);
        }
        mixer.advance(1.0 / 60.0);
        mixer.sample(&mut pose);
        // A line of yours goes between any two of these: inverse kinematics, recoil, a turned head.
        model.compose(&hero.skeleton, &pose);
        hero.skins[0].write_palette(&model, &mut palette);

        let world_from_sword = world_from_hero * model.joint(hand) * hand_from_sword;
        // Upload `palette`, 48 bytes a matrix, and draw the hero; draw the sword at `world_from_sword`.
        assert!(world_from_sword.is_finite());
    }
    assert_eq!(mixer.actions().count(), 1); // Idle has faded out and left
    Ok(())
}
