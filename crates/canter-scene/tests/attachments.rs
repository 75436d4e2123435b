//! What hangs on a joint follows it, in the same frame, through any nesting, however far away.

mod common;

use canter::glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use canter_scene::{Character, Children, Keep, Parent, Scene, SceneError};

use common::{hero, naive_world, sword};

/// A hero who runs, a sword in his hand, a lamp on the sword.
fn armed(at: DVec3) -> (Scene, [canter_scene::NodeId; 3]) {
    let mut scene = Scene::new();
    let mut hero = Character::new(&hero());
    let hand = hero.model.asset.skeleton.joint("hand_R").unwrap();
    hero.fade_to("Run", 0.0).unwrap();
    let hero = scene.spawn(hero, Parent::World, DAffine3::from_translation(at)).unwrap();
    let sword = scene.spawn(Character::new(&sword()), Parent::World, DAffine3::IDENTITY).unwrap();
    let offset = DAffine3::from_rotation_translation(DQuat::from_rotation_z(0.3), DVec3::new(0.0, 0.05, 0.0));
    scene.attach(sword, hero, hand, offset).unwrap();
    let lamp = scene.insert(sword, DAffine3::from_translation(DVec3::X)).unwrap();
    (scene, [hero, sword, lamp])
}

#[test]
fn the_sword_is_at_the_hand_in_the_same_frame_bit_for_bit() {
    let (mut scene, [hero, sword, lamp]) = armed(DVec3::new(3.0, 0.0, -2.0));
    let hand = scene.character(hero).unwrap().model.asset.skeleton.joint("hand_R").unwrap();
    let mut places = Vec::new();
    for _ in 0..40 {
        scene.update(1.0 / 60.0);
        let model_from_hand = scene.character(hero).unwrap().model_pose.joint(hand).as_dmat4();
        let world_from_hand = scene.world(hero).unwrap() * DAffine3::from_mat4(model_from_hand);
        assert_eq!(scene.world(sword).unwrap(), world_from_hand * scene.local(sword).unwrap());
        assert_eq!(scene.world(lamp).unwrap(), naive_world(&scene, lamp));
        places.push(scene.world(lamp).unwrap().translation);
    }
    assert!(places.windows(2).all(|pair| pair[0] != pair[1]), "the lamp moves in every frame");
}

#[test]
fn a_rider_moves_with_the_saddle() {
    let (mut scene, [mount, ..]) = armed(DVec3::ZERO);
    let back = scene.character(mount).unwrap().model.asset.skeleton.joint("chest").unwrap();
    let mut rider = Character::new(&hero());
    rider.fade_to("Wave", 0.0).unwrap();
    let rider = scene.spawn(rider, Parent::Joint(mount, back), DAffine3::from_translation(DVec3::Y)).unwrap();
    let hand = hero().asset.skeleton.joint("hand_L").unwrap();
    let flag = scene.insert(Parent::Joint(rider, hand), DAffine3::IDENTITY).unwrap();
    for _ in 0..20 {
        scene.update(1.0 / 30.0);
        assert_eq!(scene.world(flag).unwrap(), naive_world(&scene, flag));
    }
}

#[test]
fn a_figure_a_hundred_kilometres_away_does_not_shiver() {
    let (mut near, [near_hero, near_sword, _]) = armed(DVec3::ZERO);
    let far_place = DVec3::new(1e5, 0.0, 1e5);
    let (mut far, [far_hero, far_sword, _]) = armed(far_place);
    for _ in 0..60 {
        near.update(1.0 / 60.0);
        far.update(1.0 / 60.0);
        assert_eq!(
            near.character(near_hero).unwrap().palette,
            far.character(far_hero).unwrap().palette,
            "palettes are relative to the character"
        );
        let from_near = near.world(near_sword).unwrap().translation;
        let from_far = far.world(far_sword).unwrap().translation - far_place;
        assert!(from_near.abs_diff_eq(from_far, 1e-9), "{from_near} {from_far}");
    }
}

#[test]
fn a_dropped_sword_stays_where_it_fell() {
    let (mut scene, [hero, sword, lamp]) = armed(DVec3::X);
    scene.update(0.2);
    let place = scene.world(sword).unwrap();
    scene.detach(sword, Keep::World).unwrap();
    scene.update(0.2);
    assert_eq!(scene.world(sword).unwrap(), place);
    let removed = scene.remove(hero, Children::Remove).unwrap();
    assert_eq!((removed.nodes.len(), removed.character.is_some()), (1, true));
    assert!(scene.world(lamp).is_some());
}

#[test]
fn removing_a_character_says_what_becomes_of_its_attachments() {
    let (mut scene, [hero, sword, lamp]) = armed(DVec3::X);
    scene.update(0.2);
    let place = scene.world(lamp).unwrap();
    let removed = scene.remove(hero, Children::HandOver).unwrap();
    assert_eq!((removed.nodes.as_slice(), removed.handed_over.as_slice()), (&[hero][..], &[sword][..]));
    scene.update(0.0);
    assert!(scene.world(lamp).unwrap().abs_diff_eq(place, 1e-9));

    let (mut scene, [hero, sword, lamp]) = armed(DVec3::X);
    assert_eq!(scene.remove(hero, Children::Remove).unwrap().nodes, [hero, sword, lamp]);
    assert!(scene.is_empty() && scene.characters().next().is_none());
}

#[test]
fn only_joints_that_are_there_can_be_hung_on() {
    let (mut scene, [hero, sword, lamp]) = armed(DVec3::ZERO);
    let last = common::hero().asset.skeleton.joints().last().unwrap();
    assert_eq!(scene.attach(hero, sword, last, DAffine3::IDENTITY), Err(SceneError::NoSuchJoint));
    assert_eq!(scene.attach(hero, lamp, last, DAffine3::IDENTITY), Err(SceneError::NoSuchJoint));
    let grip = common::hero().asset.skeleton.joint_at(0).unwrap();
    assert_eq!(scene.attach(hero, sword, grip, DAffine3::IDENTITY), Err(SceneError::Cycle));
}

/// A hero who turns into something with fewer joints, while a sword is in his hand.
#[test]
fn what_hung_on_a_joint_that_is_gone_is_where_the_character_is() {
    let (mut scene, [hero, blade, lamp]) = armed(DVec3::X);
    scene.update(0.2);
    *scene.character_mut(hero).unwrap() = Character::new(&sword());
    scene.update(0.2);
    assert_eq!(scene.world(blade).unwrap(), scene.world(hero).unwrap() * scene.local(blade).unwrap());
    let place = scene.world(lamp).unwrap().translation;
    scene.set_parent(lamp, Parent::World, Keep::World).unwrap();
    scene.set_parent(lamp, blade, Keep::World).unwrap();
    let removed = scene.remove(blade, Children::HandOver).unwrap();
    assert_eq!((removed.handed_over, scene.parent(lamp)), (vec![lamp], Some(Parent::Node(hero))));
    scene.update(0.2);
    assert!(scene.world(lamp).unwrap().translation.abs_diff_eq(place, 1e-9));
}

#[test]
fn a_thousand_characters_share_the_file() {
    let hero = hero();
    let crowd: Vec<_> = (0..1_000).map(|_| Character::new(&hero)).collect();
    assert!(crowd.iter().all(|one| std::sync::Arc::ptr_eq(&one.model, &hero)));
    assert!(crowd.iter().all(|one| std::sync::Arc::ptr_eq(one.mixer.skeleton(), &hero.asset.skeleton)));
}

#[test]
fn a_hidden_node_hides_what_hangs_on_it() {
    let (mut scene, [hero, sword, lamp]) = armed(DVec3::ZERO);
    scene.set_visible(hero, false);
    scene.update_transforms();
    assert_eq!([hero, sword, lamp].map(|id| scene.is_visible(id)), [Some(false); 3]);
    scene.set_visible(hero, true);
    scene.set_visible(sword, false);
    scene.update_transforms();
    assert_eq!([hero, sword, lamp].map(|id| scene.is_visible(id)), [Some(true), Some(false), Some(false)]);
}

#[test]
fn the_world_of_a_joint_is_where_its_attachments_are() {
    let (mut scene, [hero, sword, lamp]) = armed(DVec3::new(3.0, 0.0, -2.0));
    let skeleton = std::sync::Arc::clone(&scene[hero].model.asset.skeleton);
    let hand = skeleton.joint("hand_R").unwrap();
    for _ in 0..10 {
        scene.update(1.0 / 60.0);
        let world_from_hand = scene.joint_world(hero, hand).unwrap();
        assert_eq!(scene.world(sword).unwrap(), world_from_hand * scene.local(sword).unwrap());
    }
    let last = skeleton.joints().last().unwrap();
    assert_eq!((scene.joint_world(sword, last), scene.joint_world(lamp, hand)), (None, None));
    scene.remove(hero, Children::Remove).unwrap();
    assert_eq!(scene.joint_world(hero, hand), None);
}

/// Hands grow in cartoons, and figures are mirrored or squashed; the sword stays the sword.
#[test]
fn an_attachment_ignores_the_scale_of_its_joint_if_asked() {
    let (mut scene, [hero, sword, _]) = armed(DVec3::X);
    let skeleton = std::sync::Arc::clone(&scene[hero].model.asset.skeleton);
    let (hand, arm) = (skeleton.joint("hand_R").unwrap(), skeleton.joint("upper_arm_R").unwrap());
    let shield = scene.insert(Parent::JointWithoutScale(hero, hand), scene.local(sword).unwrap()).unwrap();
    scene.set_local(hero, DAffine3::from_scale(DVec3::splat(2.0)));
    scene.update(0.2);
    let before = scene.world(shield).unwrap();
    assert!(before.abs_diff_eq(scene.world(sword).unwrap(), 1e-5), "without scales there is no difference");

    for scale in [
        Vec3::splat(3.0),
        Vec3::new(0.5, 2.0, 1.5),
        Vec3::new(-1.0, 1.0, 1.0),
        Vec3::splat(1e-20),
        Vec3::ZERO,
    ] {
        scene.update_with(0.0, |sampled| {
            if sampled.id == hero {
                sampled.character.pose.joint_mut(hand).scale = scale;
            }
        });
        let place = scene.world(shield).unwrap();
        if scale != Vec3::ZERO {
            assert!(place.abs_diff_eq(before, 1e-5), "{scale}: {place} {before}");
            assert!(scale == Vec3::ONE || !scene.world(sword).unwrap().abs_diff_eq(before, 1e-2));
        }
        let axes = place.matrix3 / 2.0;
        assert!((axes * axes.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-9), "{scale}");
    }
    // An uneven scale above a turned joint shears.
    scene.update_with(0.0, |sampled| {
        if sampled.id == hero {
            sampled.character.pose.joint_mut(arm).scale = Vec3::new(1.0, 0.3, 2.0);
        }
    });
    let axes = scene.world(shield).unwrap().matrix3 / 2.0;
    assert!((axes * axes.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-9));
    assert_eq!(scene.parent(shield).and_then(Parent::joint), Some(hand));

    let place = scene.world(sword).unwrap();
    scene.set_parent(sword, Parent::JointWithoutScale(hero, hand), Keep::World).unwrap();
    scene.update_transforms();
    assert!(scene.world(sword).unwrap().abs_diff_eq(place, 1e-9), "its place is kept");
}

#[test]
fn characters_are_at_hand_by_index() {
    let (mut scene, [hero, sword, _]) = armed(DVec3::X);
    scene.update(0.1);
    assert!(std::ptr::eq(&scene[hero], scene.character(hero).unwrap()));
    scene[hero].model_pose = canter::ModelPose::rest(&scene[hero].model.asset.skeleton.clone());
    let before = scene.world(sword);
    scene.update_transforms();
    assert_ne!(scene.world(sword), before, "what hangs on it is placed anew");
}

#[test]
#[should_panic(expected = "the node is gone")]
fn the_character_of_a_stale_id_is_a_panic() {
    let (mut scene, [hero, ..]) = armed(DVec3::X);
    scene.remove(hero, Children::Remove).unwrap();
    let _ = &scene[hero];
}

#[test]
#[should_panic(expected = "no character stands at the node")]
fn the_character_of_a_plain_node_is_a_panic() {
    let (mut scene, [.., lamp]) = armed(DVec3::X);
    let _ = &mut scene[lamp];
}
