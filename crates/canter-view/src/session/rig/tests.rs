use canter::glam::{DVec3, Vec3};
use canter::{JointId, LayerMode};

use super::*;

fn hero(clip: &str) -> Session {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb");
    let mut session = Session::load(path.as_ref()).unwrap();
    session.fade_secs = 0.0;
    session.fade_to(clip).unwrap();
    session
}

fn joint(session: &Session, name: &str) -> JointId {
    session.skeleton().joint(name).unwrap()
}

#[test]
fn a_limb_goes_where_it_is_dragged_and_back_when_it_is_let_go() {
    let mut session = hero("Idle");
    let names: Vec<_> = session.limbs().iter().map(|limb| limb.name().to_owned()).collect();
    assert_eq!(names, ["hand_L", "hand_R", "foot_L", "foot_R"]);
    session.advance(0.1);
    session.toggle();
    for (index, name) in names.iter().enumerate() {
        let end = session.limbs()[index].end();
        let before = session.joint_place(end);
        let target = before + DVec3::new(0.02, 0.06, 0.05);
        session.set_limb_target(index, Some(target));
        assert!(session.joint_place(end).distance(target) < 1e-4, "{name}");
        assert!(session.limb_reach(index).unwrap().is_reached);
        assert!(session.limb_target(index).unwrap().distance(target) < 1e-6);
        session.set_limb_target(index, Some(DVec3::new(f64::NAN, 0.0, 0.0)));
        assert!(session.limb_target(index).unwrap().distance(target) < 1e-6, "what is no number is refused");
        // Out of reach it points there, and says what is left.
        session.set_limb_target(index, Some(before + DVec3::new(0.0, 0.0, 9.0)));
        let reach = session.limb_reach(index).unwrap();
        assert!(!reach.is_reached && reach.remaining > 7.0, "{reach:?}");
        session.set_limb_target(index, None);
        assert!(session.joint_place(end).distance(before) < 1e-6);
    }
    session.set_limb_target(99, Some(DVec3::ZERO));
}

#[test]
fn a_target_goes_along_with_a_figure_that_travels() {
    let mut session = hero("WalkRoot");
    session.set_travels(true);
    let target = session.joint_place(joint(&session, "upper_arm_R")) + DVec3::new(-0.05, -0.2, 0.2);
    session.set_limb_target(1, Some(target));
    for _ in 0..60 {
        session.advance(1.0 / 60.0);
    }
    let moved = session.limb_target(1).unwrap() - target;
    assert!(moved.distance(DVec3::Z * 1.02) < 1e-3, "{moved}");
    assert!(session.joint_place(joint(&session, "hand_R")).distance(target + moved) < 1e-4);
}

#[test]
fn the_head_looks_where_it_should_at_any_rate() {
    let face = |session: &Session| {
        let head = session.figure().model_pose.joint(session.head().unwrap());
        head.transform_vector3(Vec3::Z).normalize()
    };
    let mut ends = Vec::new();
    for rate in [60_u16, 10] {
        let mut session = hero("Idle");
        session.set_speed(0.0);
        let head = session.joint_place(session.head().unwrap());
        session.look_towards(Some(head + DVec3::new(1.0, 0.2, 1.5)));
        let mut last = face(&session);
        for _ in 0..rate {
            session.advance(1.0 / f32::from(rate));
            let now = face(&session);
            let step = 10.0 / f32::from(rate);
            assert!(now.angle_between(last) < 0.4 * step.max(0.2), "it turns evenly");
            last = now;
        }
        assert!(last.x > 0.4, "{last}");
        ends.push(last);
        session.look_towards(Some(DVec3::splat(f64::NAN)));
        assert!(session.look_target().is_some_and(DVec3::is_finite));
        session.look_towards(None);
        session.advance(1.0);
        assert!(face(&session).x.abs() < 0.2, "and back");
    }
    assert!(ends[0].angle_between(ends[1]) < 0.01, "{ends:?}");
}

/// The middle halves of the times in which toes hardly move.
fn standing(track: &[DVec3]) -> Vec<&[DVec3]> {
    let mut found = Vec::new();
    let mut start = 0;
    for index in 1..track.len() {
        if track[index].distance(track[index - 1]) > 0.004 {
            let length = index - start;
            if length >= 16 {
                found.push(&track[start + length / 4..index - length / 4]);
            }
            start = index;
        }
    }
    found
}

#[test]
fn the_hero_walks_up_the_stairs_and_down_the_slope_without_sliding_or_sinking() {
    let mut session = hero("WalkRoot");
    session.set_travels(true);
    session.set_stairs(true);
    assert!(session.has_stairs() && session.scene().characters().count() == 2);
    let toes = ["toes_L", "toes_R"].map(|name| joint(&session, name));
    let rest = f64::from(canter::ModelPose::rest(session.skeleton()).joint(toes[0]).w_axis.y);
    let mut tracks = [Vec::new(), Vec::new()];
    let mut highest = 0.0_f64;
    for _ in 0..12 * 60 {
        session.advance(1.0 / 60.0);
        highest = highest.max(session.place().y);
        for (track, joint) in tracks.iter_mut().zip(toes) {
            track.push(session.joint_place(joint));
        }
    }
    let (mut stands, mut slid, mut off) = (0, 0.0_f64, 0.0_f64);
    for track in &tracks {
        for stand in standing(track) {
            stands += 1;
            slid = slid.max(stand[0].distance(stand[stand.len() - 1]));
            for place in stand {
                let normal = session.ground().unwrap().ground(*place).normal;
                let above = (place.y - session.ground_height(*place)) * f64::from(normal.y) - rest;
                off = off.max(above.abs());
            }
        }
    }
    let text =
        format!("{stands} steps, up to {highest:.3} m, toes slid {slid:.4} m, {off:.4} m off the ground");
    assert!(stands >= 18 && highest > 0.85, "he got to the top: {text}");
    assert!(slid < 0.012 && off < 0.012, "{text}");
    session.set_stairs(false);
    assert_eq!((session.place().y, session.scene().characters().count()), (0.0, 1));
}

#[test]
fn springs_swing_the_same_at_any_rate_and_can_be_switched_off() {
    let swing = |rate: u16, swings: bool| {
        let mut session = hero("RunRoot");
        session.set_travels(true);
        for end in session.loose_ends() {
            assert!(session.set_spring(end, true) && session.is_spring(end));
        }
        assert_eq!(session.springs(), 5, "three of hair and two of a scarf");
        session.set_swings(swings);
        for _ in 0..2 * rate {
            session.advance(1.0 / f32::from(rate));
        }
        let end = session.joint_place(joint(&session, "scarf_long_4"));
        for end in session.loose_ends() {
            assert!(session.set_spring(end, false));
        }
        assert_eq!(session.springs(), 0);
        end
    };
    let (slow, fast, off) = (swing(30, true), swing(120, true), swing(60, false));
    assert!(slow.distance(off) > 0.01, "it swings: {slow} {off}");
    assert!(slow.distance(fast) < 1e-3, "{slow} {fast}");
}

#[test]
fn in_the_mirror_left_is_right() {
    let mut session = hero("StrafeLeft");
    session.set_travels(true);
    session.pick(Some(joint(&session, "spine")));
    session.add_layer(LayerMode::Over);
    assert!(session.play_on_layer(0, 3));
    assert!(session.set_mirrored(true) && session.is_mirrored());
    session.advance(1.0);
    assert!(session.place().x < -0.4, "{}", session.place());
    assert!(!session.save_markers() && session.error().is_some());
    assert!(session.set_mirrored(false));
    session.reset_place();
    session.advance(1.0);
    assert!(session.place().x > 0.4, "{}", session.place());
    assert_eq!(session.mix().len(), 1);
}
