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
fn clips_that_travel_are_split_wherever_the_model_comes_from() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb");
    for session in [Session::load(path.as_ref()).unwrap(), Session::new(&Model::load(path).unwrap(), "hero")]
    {
        let split = session.clips().iter().filter(|clip| clip.root_motion().is_some());
        let names: Vec<_> = split.map(|clip| clip.name()).collect();
        let travelling = "WalkRoot RunRoot WalkBack StrafeLeft StrafeRight CrouchWalk TurnLeft TurnRight";
        assert_eq!(names.join(" "), travelling);
        assert_eq!(session.root_joint(), Some(joint(&session, "root")));
    }
}

#[test]
fn travelling_moves_the_figure_as_its_clip_says_and_in_place_it_stays() {
    let mut session = hero("WalkRoot");
    for _ in 0..100 {
        session.advance(0.05);
    }
    assert_eq!(session.place(), DVec3::ZERO);
    assert!((session.root_motion().velocity.z - 1.02).abs() < 1e-3);
    assert_eq!(session.trail().count() + session.footprints().count(), 0);

    session.set_travels(true);
    for _ in 0..100 {
        session.advance(0.05);
    }
    assert!(session.place().distance(DVec3::Z * 5.1) < 1e-3, "{}", session.place());
    assert!(session.trail().count() > 50);
    let way = session.way();
    let metres = f64::from(1.02 * session.action().unwrap().clip().duration_secs());
    assert!((way[0].distance(way[way.len() - 1]) - metres).abs() < 1e-4);

    session.set_travels(false);
    let place = session.place();
    session.advance(1.0);
    assert_eq!(session.place(), place);
    session.reset_place();
    assert_eq!(session.place(), DVec3::ZERO);
    assert_eq!(session.trail().count() + session.footprints().count(), 0);
}

#[test]
fn copies_travel_too_and_come_back() {
    let mut session = hero("RunRoot");
    session.set_crowd(4);
    session.set_travels(true);
    let places = |session: &Session| -> Vec<DVec3> {
        let nodes = session.scene().characters();
        nodes.filter_map(|id| session.scene().world(id)).map(|world| world.translation).collect()
    };
    let before = places(&session);
    session.advance(1.0);
    for (from, to) in before.iter().zip(places(&session)) {
        assert!((to - *from).distance(DVec3::Z * 2.9) < 0.3, "{from} {to}");
    }
    session.reset_place();
    for (from, to) in before.iter().zip(places(&session)) {
        // How much room a figure takes depends on how it stands.
        assert!(to.distance(*from) < 0.5, "{from} {to}");
    }
}

#[test]
fn a_hand_on_the_timeline_moves_a_figure_that_travels() {
    let mut session = hero("WalkRoot");
    session.set_travels(true);
    session.toggle();
    session.scrub(0.75);
    assert!(session.place().distance(DVec3::Z * 0.765) < 1e-3, "{}", session.place());
    session.scrub(0.25);
    assert!(session.place().distance(DVec3::Z * 0.255) < 1e-3, "{}", session.place());
}

#[test]
fn speeds_are_set_in_metres_per_second_where_they_are_known() {
    let mut session = hero("Walk");
    assert!((session.ground_speed().unwrap() - 1.02).abs() < 1e-3);
    assert!(session.set_ground_speed(1.53) && (session.speed() - 1.5).abs() < 1e-3);
    assert!(session.set_ground_speed(99.0) && session.speed() == 2.0);
    session.fade_to("Wave").unwrap();
    assert!(session.ground_speed().is_none_or(|speed| speed < 1e-6));
    assert!(!session.set_ground_speed(1.0) && session.speed() == 2.0);
}

/// The places at which the toes of both feet stand still for a while, seen at many frames a second.
fn stands(clip: &str, speed: f32, secs: f32) -> Vec<DVec3> {
    let mut session = hero(clip);
    session.set_speed(speed);
    session.set_travels(true);
    let feet = ["L", "R"].map(|side| ["toes", "foot"].map(|part| joint(&session, &format!("{part}_{side}"))));
    let look = |session: &Session| feet.map(|foot| foot.map(|joint| session.joint_place(joint)));
    let mut before = look(&session);
    let mut stands: Vec<DVec3> = Vec::new();
    let steps = secs * 480.0;
    let mut step = 0.0;
    while step < steps {
        session.advance(1.0 / 480.0);
        step += 1.0;
        let now = look(&session);
        for (old, new) in before.iter().zip(&now) {
            let moved = old[0].distance(new[0]) + old[1].distance(new[1]);
            // Less than two centimetres per second of the clip.
            if moved < 0.02 / 480.0 * f64::from(speed.abs()) {
                stands.push(on_ground(new[0]));
            }
        }
        before = now;
    }
    stands
}

#[test]
fn footprints_lie_where_feet_stand_at_any_rate() {
    for (clip, speed) in [
        ("WalkRoot", 1.0),
        ("RunRoot", 1.0),
        ("StrafeLeft", 1.0),
        ("CrouchWalk", 0.7),
        ("WalkBack", 1.3),
        ("WalkRoot", -1.0),
    ] {
        let stands = stands(clip, speed, 6.0);
        for rate in [60.0_f32, 5.0] {
            let mut session = hero(clip);
            session.set_speed(speed);
            session.set_travels(true);
            let mut left = 4.0 * rate;
            while left > 0.0 {
                session.advance(1.0 / rate);
                left -= 1.0;
            }
            let prints: Vec<Footprint> = session.footprints().map(|(print, _)| *print).collect();
            assert!(prints.len() >= 6, "{clip} at {rate} Hz: {}", prints.len());
            // Played backwards, the first mark is of a foot that stood before the start.
            for print in prints.iter().skip(usize::from(speed < 0.0)) {
                let near = |stand: &DVec3| stand.distance(print.toes);
                let nearest = stands.iter().map(near).fold(f64::INFINITY, f64::min);
                assert!(
                    nearest < 1e-3,
                    "{clip}, speed {speed}, at {rate} Hz: {nearest} m from {}",
                    print.toes
                );
            }
        }
    }
}

#[test]
fn footprints_are_few_and_fade() {
    let mut session = hero("RunRoot");
    session.set_travels(true);
    session.advance(3600.0);
    assert!((1..=64).contains(&session.footprints().count()), "{}", session.footprints().count());
    let ages: Vec<f32> = session.footprints().map(|(_, age)| age).collect();
    assert!(ages.windows(2).all(|pair| pair[0] >= pair[1]), "the oldest first: {ages:?}");
    session.fade_to("Idle").unwrap();
    for _ in 0..15 {
        session.advance(1.0);
    }
    assert_eq!(session.footprints().count(), 0);
}

#[test]
fn clips_in_step_have_the_same_foot_down() {
    let mut session = hero("WalkRoot");
    session.set_crowd(3);
    session.advance(0.3);
    session.set_in_step(true);
    let run = session.clips().iter().position(|clip| clip.name() == "RunRoot").unwrap();
    assert!(session.add_to_mix(run) && session.is_in_step());
    session.set_weight(run, 0.4);
    let check = |session: &Session, what: &str| {
        for id in session.scene().characters() {
            let mixer = &session.scene().character(id).unwrap().mixer;
            let phase = |action: &canter::Action| action.time_secs() / action.clip().duration_secs();
            let phases: Vec<f32> = mixer.actions().map(|(_, action)| phase(action)).collect();
            assert_eq!(phases.len(), 2);
            let apart = (phases[0] - phases[1]).abs();
            assert!(apart.min(1.0 - apart) < 1e-4, "{what}: {phases:?}");
        }
    };
    for _ in 0..50 {
        session.advance(0.037);
        check(&session, "playing");
    }
    // By hand, whichever leads.
    for clip in [run, session.clips().iter().position(|clip| clip.name() == "WalkRoot").unwrap()] {
        session.look_at(clip);
        session.scrub(0.2);
        check(&session, "scrubbed");
        assert!((session.action().unwrap().time_secs() - 0.2).abs() < 1e-4);
    }
    // Each at its own pace again.
    session.set_in_step(false);
    session.advance(0.3);
    assert!(session.figure().mixer.actions().all(|(_, action)| action.sync().is_none()));
}

/// The hero walks for two seconds, then runs, in step. Calls somebody after every frame.
fn walk_then_run(rate: u16, mut look: impl FnMut(&Session)) -> Session {
    let mut session = hero("WalkRoot");
    session.set_in_step(true);
    session.set_travels(true);
    session.fade_secs = 0.4;
    for frame in 0..4 * rate {
        if frame == 2 * rate {
            session.fade_to("RunRoot").unwrap();
        }
        session.advance(1.0 / f32::from(rate));
        look(&session);
    }
    session
}

/// A time at which a foot stood.
struct Stance {
    /// Whether it was over before the fade from 2 to 2.4 s, or began after it.
    is_pure: bool,
    /// Where the toes were when the foot moved least, and how far they slid within 20 ms on either side of that.
    toes: DVec3,
    slid: f64,
}

/// The stances of a foot: times at which its toes are as low as those of a sole on the ground.
fn stances(track: &[[DVec3; 2]], rate: u16) -> Vec<Stance> {
    const SOLE: f64 = 0.035;
    let moved = |at: usize| track[at][0].distance(track[at + 1][0]) + track[at][1].distance(track[at + 1][1]);
    let mut found = Vec::new();
    let mut start = 0;
    while start + 1 < track.len() {
        let end = start + track[start..track.len() - 1].iter().take_while(|it| it[0].y < SOLE).count();
        if let Some(least) = (start..end).min_by(|a, b| moved(*a).total_cmp(&moved(*b))) {
            let near = &track[least.saturating_sub(10)..(least + 10).min(track.len())];
            found.push(Stance {
                is_pure: end <= usize::from(rate) * 2 || start >= usize::from(rate) * 12 / 5,
                toes: on_ground(track[least][0]),
                slid: near[0][0].distance(near[near.len() - 1][0]),
            });
        }
        start = end + 1;
    }
    // The first one began before anybody looked.
    found.into_iter().skip(usize::from(track[0][0].y < SOLE)).collect()
}

#[test]
fn a_walk_becomes_a_run_in_step_and_prints_stay_where_feet_stand() {
    const DENSE: u16 = 480;
    let mut tracks = [Vec::new(), Vec::new()];
    walk_then_run(DENSE, |session| {
        for (track, side) in tracks.iter_mut().zip(["L", "R"]) {
            track.push(
                ["toes", "foot"].map(|name| session.joint_place(joint(session, &format!("{name}_{side}")))),
            );
        }
    });
    let stands: Vec<_> = tracks.iter().flat_map(|track| stances(track, DENSE)).collect();
    let prints = [60, 5].map(|rate| {
        let session = walk_then_run(rate, |_| ());
        session.footprints().map(|(print, _)| *print).collect::<Vec<_>>()
    });
    let nearest = |print: &Footprint| {
        let distance = |stand: &Stance| stand.toes.distance(print.toes);
        stands.iter().map(distance).fold(f64::INFINITY, f64::min)
    };
    let mut distances: Vec<f64> = prints.iter().flatten().map(nearest).collect();
    distances.sort_by(f64::total_cmp);
    // One foot, seen at both rates, stands while the clips fade.
    let (usual, furthest) = (distances[distances.len() - 3], distances[distances.len() - 1]);
    let slid = |is_pure: bool| {
        let such = stands.iter().filter(|stand| stand.is_pure == is_pure);
        such.map(|stand| stand.slid).fold(0.0, f64::max)
    };
    assert_eq!(prints[0].len(), prints[1].len());
    let apart = prints[0].iter().zip(&prints[1]).map(|(a, b)| a.toes.distance(b.toes)).fold(0.0, f64::max);
    let text = format!(
        "{} prints, {usual:.5} m from where feet move least, at most {furthest:.5} m, {apart:.6} m apart at 60 and 5 Hz; \
         slid {:.6} m, {:.5} m in the fade",
        prints[0].len(),
        slid(true),
        slid(false)
    );
    assert!(prints[0].len() >= 8 && usual < 2.5e-3 && furthest < 0.006 && apart < 1e-3, "{text}");
    // While clips fade, the mean of two feet that stand in different places moves from one to the other.
    assert!(slid(true) < 1e-4 && slid(false) < 0.03, "{text}");
}
