//! The sword follows the hand.

use bevy_ecs::prelude::*;
use canter::glam::{DAffine3, DVec3};
use canter_ecs::{AnimationSet, AttachedTo, Attachments, ModelPose, Placement, Rig, Update};

use super::rig::{Fixture, run_for, world};

fn place(world: &World, entity: Entity) -> DAffine3 {
    world.get::<Placement>(entity).unwrap().0
}

fn joint_place(world: &World, character: Entity, joint: usize) -> DAffine3 {
    let model = world.get::<ModelPose>(character).unwrap();
    let model_from_joint = DAffine3::from_mat4(model.joints()[joint].to_mat4().as_dmat4());
    place(world, character) * model_from_joint
}

#[test]
fn it_follows_in_the_same_frame_at_its_offset() {
    let rig = Fixture::new(3);
    let mut world = world();
    let far = Placement(DAffine3::from_translation(DVec3::new(1e7, 0.0, -3.0)));
    let hero = world.spawn((rig.component(), rig.mixer(), far)).id();
    let joint_from_attached = DAffine3::from_translation(DVec3::X * 0.5);
    let sword = world
        .spawn(AttachedTo { character: hero, joint: rig.skeleton.joint_at(2), joint_from_attached })
        .id();
    for _ in 0..10 {
        let before = place(&world, sword);
        run_for(&mut world, 0.1);
        assert_eq!(place(&world, sword), joint_place(&world, hero, 2) * joint_from_attached);
        assert_ne!(place(&world, sword), before);
    }
}

#[test]
fn any_nesting_is_placed_in_the_same_frame() {
    let rig = Fixture::new(3);
    let mut world = world();
    // Those that hang come first, so that no order of spawning helps.
    let entities: Vec<Entity> = (0..6).map(|_| world.spawn_empty().id()).collect();
    for pair in entities.windows(2) {
        let on = AttachedTo { joint: rig.skeleton.joint_at(1), ..AttachedTo::new(pair[1]) };
        world.entity_mut(pair[0]).insert((rig.component(), rig.mixer(), on));
    }
    world.entity_mut(entities[5]).insert((rig.component(), rig.mixer()));
    for _ in 0..5 {
        run_for(&mut world, 0.1);
        for pair in entities.windows(2) {
            assert_eq!(place(&world, pair[0]), joint_place(&world, pair[1], 1));
        }
    }
}

#[test]
fn an_attachment_moves_to_another_character_and_stays_when_it_is_let_go() {
    let rig = Fixture::new(3);
    let mut world = world();
    let here = Placement(DAffine3::from_translation(DVec3::X));
    let heroes = [Placement::default(), here].map(|at| world.spawn((rig.component(), at)).id());
    let sword =
        world.spawn(AttachedTo { joint: rig.skeleton.joint_at(0), ..AttachedTo::new(heroes[0]) }).id();
    run_for(&mut world, 0.1);
    assert_eq!(place(&world, sword).translation, DVec3::Y);
    world
        .entity_mut(sword)
        .insert(AttachedTo { joint: rig.skeleton.joint_at(1), ..AttachedTo::new(heroes[1]) });
    run_for(&mut world, 0.1);
    assert_eq!(place(&world, sword).translation, DVec3::new(1.0, 2.0, 0.0));
    assert!(world.get::<Attachments>(heroes[0]).is_none());
    assert_eq!(world.get::<Attachments>(heroes[1]).unwrap().iter().count(), 1);
    world.despawn(heroes[1]);
    run_for(&mut world, 0.1);
    assert_eq!(place(&world, sword).translation, DVec3::new(1.0, 2.0, 0.0), "it stays where it was");
    assert!(world.get::<AttachedTo>(sword).is_none());
}

#[test]
fn what_has_no_place_to_hang_stays_where_it_is() {
    let (small, large) = (Fixture::new(3), Fixture::new(21));
    let mut world = world();
    let hero = world.spawn(small.component()).id();
    let sword = world.spawn(AttachedTo { joint: large.skeleton.joint_at(20), ..AttachedTo::new(hero) }).id();
    run_for(&mut world, 0.1);
    assert_eq!(place(&world, sword), DAffine3::IDENTITY);
    world.entity_mut(hero).insert(large.component());
    run_for(&mut world, 0.1);
    assert_eq!(place(&world, sword).translation.y, 21.0);
    world.entity_mut(hero).remove::<Rig>();
    run_for(&mut world, 0.1);
    assert_eq!(place(&world, sword).translation.y, 21.0);
    // A ring hangs on nothing.
    let (a, b) = (world.spawn_empty().id(), world.spawn_empty().id());
    world.entity_mut(a).insert(AttachedTo::new(b));
    world.entity_mut(b).insert(AttachedTo::new(a));
    run_for(&mut world, 0.1);
    assert_eq!(place(&world, a), DAffine3::IDENTITY);
}

#[derive(Resource, Default)]
struct Moved(usize);

fn count(moved: Query<'_, '_, (), Changed<Placement>>, mut count: ResMut<'_, Moved>) {
    count.0 = moved.iter().count();
}

#[test]
fn it_is_marked_as_changed_only_when_it_moves() {
    let rig = Fixture::new(3);
    let mut world = world();
    world.init_resource::<Moved>();
    world.resource_mut::<Schedules>().add_systems(Update, count.after(AnimationSet::Palette));
    let hero = world.spawn((rig.component(), rig.mixer())).id();
    world.spawn(AttachedTo { joint: rig.skeleton.joint_at(2), ..AttachedTo::new(hero) });
    run_for(&mut world, 0.1);
    run_for(&mut world, 0.1);
    assert_eq!(world.resource::<Moved>().0, 1, "the sword, not the hero");
    run_for(&mut world, 0.0);
    assert_eq!(world.resource::<Moved>().0, 0);
}
