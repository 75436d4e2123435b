//! Characters that travel by their root motion, and what they tell on the way.

use std::sync::Arc;

use canter_gltf::LoadOptions;
use canter_scene::canter::glam::{DAffine3, DVec3, Vec3};
use canter_scene::canter::{Fade, JointId, Play, SyncGroup};
use canter_scene::{Character, Model, NodeId, Parent, Scene};

fn hero() -> Arc<Model> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb");
    Model::load_with(path, &LoadOptions::default().with_root_motion()).unwrap()
}

/// A hero in a scene that plays a clip and travels.
fn walking(hero: &Arc<Model>, clip: &str, play: Play) -> (Scene, NodeId) {
    let mut character = Character::new(hero);
    character.play(clip, play).unwrap();
    character.travels = true;
    let mut scene = Scene::new();
    let id = scene.spawn(character, Parent::World, DAffine3::IDENTITY).unwrap();
    (scene, id)
}

fn joint(hero: &Model, name: &str) -> JointId {
    hero.asset.skeleton.joint(name).unwrap()
}

fn place(scene: &Scene, id: NodeId, joint: JointId) -> DVec3 {
    let model = scene.character(id).unwrap().model_pose.joint(joint).w_axis.truncate();
    scene.world(id).unwrap().transform_point3(model.as_dvec3())
}

#[test]
fn loading_takes_the_way_out_of_clips_that_travel() {
    let hero = hero();
    let speed = |name: &str| hero.asset.clip(name).unwrap().ground_speed().unwrap_or(0.0);
    for (name, expected) in [("WalkRoot", 1.02), ("RunRoot", 2.9), ("WalkBack", 0.8), ("StrafeLeft", 0.9)] {
        assert!((speed(name) - expected).abs() < 1e-3, "{name}: {} m/s", speed(name));
        assert!(hero.asset.clip(name).unwrap().root_motion().is_some(), "{name}");
    }
    // On the spot, by what the file says.
    assert!((speed("Walk") - 1.02).abs() < 1e-3 && hero.asset.clip("Walk").unwrap().root_motion().is_none());
    assert!(hero.asset.warnings.is_empty(), "{:?}", hero.asset.warnings);
}

#[test]
fn a_node_goes_where_its_character_walks() {
    let hero = hero();
    let (mut scene, id) = walking(&hero, "WalkRoot", Play::default());
    for _ in 0..600 {
        scene.update(1.0 / 60.0);
    }
    let place = scene.world(id).unwrap().translation;
    assert!(place.distance(DVec3::Z * 10.2) < 1e-3, "{place}");
    // Whoever moves it otherwise is left alone.
    scene.character_mut(id).unwrap().travels = false;
    scene.update(1.0);
    assert!(scene.world(id).unwrap().translation.distance(place) == 0.0);
    let step = scene.character(id).unwrap().mixer.root_motion();
    assert!((step.velocity - Vec3::Z * 1.02).length() < 1e-4);
}

#[test]
fn four_turns_lead_all_the_way_round_and_strides_follow_the_heading() {
    let hero = hero();
    let (mut scene, id) = walking(&hero, "TurnLeft", Play::default());
    let secs = hero.asset.clip("TurnLeft").unwrap().duration_secs();
    scene.update(secs);
    let heading = scene.world(id).unwrap().transform_vector3(DVec3::Z);
    assert!(heading.distance(DVec3::X) < 1e-3, "{heading}");
    scene.character_mut(id).unwrap().fade_to("WalkRoot", 0.0).unwrap();
    scene.update(2.0);
    assert!(scene.world(id).unwrap().translation.distance(DVec3::X * 2.04) < 0.02);
    let (mut scene, id) = walking(&hero, "TurnRight", Play::default());
    scene.update(4.0 * secs);
    assert!(scene.world(id).unwrap().transform_vector3(DVec3::Z).distance(DVec3::Z) < 1e-3);
}

/// How far a standing foot strays, in metres, and for how long it stood: from each footfall until shortly
/// before it leaves the ground.
fn strays(hero: &Arc<Model>, clip: &str, rate: f32, speed: f32) -> Vec<(f64, f32)> {
    let source = hero.asset.clip(clip).unwrap();
    let contacts = flat_stands(clip);
    let (mut scene, id) = walking(hero, clip, Play { speed, ..Play::default() });
    let ball = |side: &str| joint(hero, &format!("toes_{side}"));
    let mut strays = Vec::new();
    let mut stands: [Option<(DVec3, f64, f32)>; 2] = [None; 2];
    let step = 1.0 / rate;
    let mut now = 0.0_f32;
    while now < 4.0 / speed {
        scene.update(step);
        now += step;
        let phase = (f64::from(now) * f64::from(speed) / f64::from(source.duration_secs())).fract();
        for (index, side) in ["L", "R"].into_iter().enumerate() {
            let place = place(&scene, id, ball(side));
            let late = if side == "L" { 0.0 } else { 0.5 };
            let own = (phase + late).fract();
            let is_down = own > contacts.0 && own < contacts.1;
            match (&mut stands[index], is_down) {
                (Some((at, most, since)), true) => {
                    *most = most.max(place.distance(*at));
                    *since += step;
                }
                (stand @ None, true) => *stand = Some((place, 0.0, 0.0)),
                (stand, false) => strays.extend(stand.take().map(|(_, most, secs)| (most, secs))),
            }
        }
    }
    strays
}

/// The part of the cycle since its own footfall in which a foot stands flat.
fn flat_stands(clip: &str) -> (f64, f64) {
    if clip == "RunRoot" { (0.06, 0.13) } else { (0.12, 0.30) }
}

#[test]
fn standing_feet_stay_where_they_are_at_any_rate_and_speed() {
    let hero = hero();
    for clip in ["WalkRoot", "RunRoot"] {
        for rate in [24.0, 60.0, 240.0] {
            for speed in [0.5, 1.0, 2.0] {
                let strays = strays(&hero, clip, rate, speed);
                for (metres, secs) in &strays {
                    // A millimetre per second of standing; of shorter stands, what a second's part allows.
                    let allowed = 1e-3 * f64::from(secs.max(0.2));
                    assert!(*metres < allowed, "{clip} at {rate} Hz, speed {speed}: {metres} m in {secs} s");
                }
                assert!(rate < 60.0 || strays.len() >= 6, "{clip} at {rate} Hz: {}", strays.len());
            }
        }
    }
}

/// At two frames a second hardly any stand is seen twice: each place that is seen must be one that a fine
/// look sees, too.
#[test]
fn at_two_frames_a_second_feet_are_where_they_are_at_many() {
    let hero = hero();
    for clip in ["WalkRoot", "RunRoot", "CrouchWalk", "StrafeLeft", "WalkBack", "TurnLeft"] {
        let (mut coarse, a) = walking(&hero, clip, Play::default());
        let (mut fine, b) = walking(&hero, clip, Play::default());
        for _ in 0..20 {
            coarse.update(0.5);
            (0..120).for_each(|_| fine.update(1.0 / 240.0));
            for name in ["toes_L", "toes_R", "head"] {
                let (a, b) = (place(&coarse, a, joint(&hero, name)), place(&fine, b, joint(&hero, name)));
                // Rounding of 120 steps of time.
                assert!(a.distance(b) < 5e-4, "{clip} {name}: {a} {b}");
            }
        }
    }
}

#[test]
fn a_walk_and_a_run_in_step_have_the_same_foot_down_and_hardly_slide() {
    let hero = hero();
    let group = Some(SyncGroup::by_markers(0));
    for part in [0.25_f32, 0.5, 0.75] {
        let walk = Play { weight: 1.0 - part, sync: group, ..Play::default() };
        let (mut scene, id) = walking(&hero, "WalkRoot", walk);
        let run = Play { weight: part, sync: group, ..Play::default() };
        scene.character_mut(id).unwrap().play("RunRoot", run).unwrap();
        let ball = ["L", "R"].map(|side| joint(&hero, &format!("toes_{side}")));
        let mut before: Option<[DVec3; 2]> = None;
        let (mut slid, mut covered) = (0.0, 0.0);
        for _ in 0..1200 {
            let from = scene.world(id).unwrap().translation;
            scene.update(1.0 / 240.0);
            covered += scene.world(id).unwrap().translation.distance(from);
            let now = ball.map(|joint| place(&scene, id, joint));
            // Both clips say which foot came down last; it stands while it is in its flat stance in both.
            let actions: Vec<_> =
                scene.character(id).unwrap().mixer.actions().map(|(_, action)| action).collect();
            let phases: Vec<f64> = actions
                .iter()
                .map(|action| f64::from(action.time_secs()) / f64::from(action.clip().duration_secs()))
                .collect();
            assert!((phases[0] - phases[1]).abs() < 1e-5, "{phases:?}");
            if let Some(before) = before {
                for index in 0..2 {
                    let own = (phases[0] + if index == 0 { 0.0 } else { 0.5 }).fract();
                    if own > 0.06 && own < 0.25 {
                        let moved = now[index] - before[index];
                        slid += DVec3::new(moved.x, 0.0, moved.z).length();
                    }
                }
            }
            before = Some(now);
        }
        assert!(slid <= 0.06 * covered, "{part}: {slid} m of {covered} m");
    }
}

#[test]
fn footfalls_are_told_with_the_node_that_made_them() {
    let hero = hero();
    let (mut scene, id) = walking(&hero, "WalkRoot", Play::default());
    let mut idle = Character::new(&hero);
    idle.play("Idle", Play::default()).unwrap();
    scene.spawn(idle, Parent::World, DAffine3::IDENTITY).unwrap();
    scene.update(1.25);
    let told: Vec<_> = scene.markers().map(|(node, event)| (node == id, event.name.to_string())).collect();
    let names = ["foot_L", "foot_R", "foot_L"].map(|name| (true, name.to_owned()));
    assert_eq!(told, names);
}

#[test]
fn a_scaled_hero_takes_scaled_strides_and_a_dead_fade_lets_him_run_out() {
    let hero = hero();
    let mut character = Character::new(&hero);
    character.play("RunRoot", Play::default()).unwrap();
    character.travels = true;
    let mut scene = Scene::new();
    let id = scene.spawn(character, Parent::World, DAffine3::from_scale(DVec3::splat(2.0))).unwrap();
    scene.update(1.0);
    assert!((scene.world(id).unwrap().translation.z - 5.8).abs() < 1e-3);
    scene.character_mut(id).unwrap().fade_to("Idle", Fade::dead(0.5)).unwrap();
    scene.update(1.0);
    // Half a second of half the speed.
    assert!((scene.world(id).unwrap().translation.z - 5.8 - 1.45).abs() < 0.02);
}
