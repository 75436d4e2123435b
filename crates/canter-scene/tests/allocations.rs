//! A frame does not allocate, whatever moves in it.

mod common;

use canter::glam::{DAffine3, DMat4, DQuat, DVec3};
use canter_scene::{Character, Frustum, NodeId, Parent, Ray, Scene};
use canter_testing::allocator::{Counting, allocations};

use common::{hero, sword};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Riders on riders, swords in their hands, and things around them.
fn crowd() -> (Scene, Vec<NodeId>, Vec<NodeId>) {
    let mut scene = Scene::new();
    let (hand, back) = {
        let joint = |name| hero().asset.skeleton.joint(name).unwrap();
        (joint("hand_R"), joint("chest"))
    };
    let (mut figures, mut things) = (Vec::new(), Vec::new());
    let mut parent = Parent::World;
    for number in 0..12_u32 {
        let mut figure = Character::new(&hero());
        figure.fade_to(if number.is_multiple_of(2) { "Walk" } else { "Run" }, 0.0).unwrap();
        let figure = scene.spawn(figure, parent, DAffine3::from_translation(DVec3::Y)).unwrap();
        let blade = Character::new(&sword());
        let blade = scene.spawn(blade, Parent::Joint(figure, hand), DAffine3::IDENTITY).unwrap();
        things.push(blade);
        for _ in 0..20 {
            let below = *things.last().unwrap();
            things.push(scene.insert(below, DAffine3::from_translation(DVec3::X)).unwrap());
        }
        figures.push(figure);
        parent = if number % 4 == 3 { Parent::World } else { Parent::Joint(figure, back) };
    }
    (scene, figures, things)
}

#[test]
fn frames_do_not_allocate() {
    let (mut scene, figures, things) = crowd();
    let frame = |scene: &mut Scene, number: usize| {
        let turn = DAffine3::from_quat(DQuat::from_rotation_y(number as f64 * 0.1));
        for &thing in things.iter().step_by(1 + number % 5) {
            scene.set_local(thing, turn);
        }
        scene.set_visible(things[number % things.len()], number.is_multiple_of(3));
        let figure = figures[number % figures.len()];
        scene.set_local(figure, turn);
        scene.update(1.0 / 60.0);
        let frustum = Frustum::new(DMat4::from_scale(DVec3::splat(0.1)));
        std::hint::black_box(scene.in_view(&frustum).count());
    };
    // Everything moves once, and clips are compiled.
    things.iter().for_each(|&thing| scene.set_local(thing, DAffine3::IDENTITY).unwrap());
    frame(&mut scene, 0);
    for number in 0..200 {
        let count = allocations(|| frame(&mut scene, number));
        // The queue of rayon takes memory now and then.
        assert!(count == 0 || cfg!(feature = "rayon"), "{count} in frame {number}");
    }
}

/// A mesh that is hit is posed; what is not costs a look at its boxes.
#[test]
fn a_pick_allocates_for_what_it_meets_alone() {
    let (mut scene, ..) = crowd();
    scene.update(0.1);
    let past = Ray { origin: DVec3::Z * 50.0, direction: DVec3::X };
    // Boxes are made when they are first asked for.
    assert!(scene.pick(&past).is_none());
    assert_eq!(allocations(|| assert!(scene.pick(&past).is_none())), 0);
}
