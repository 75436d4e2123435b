//! Actions in step: in phase, by markers, without jumps, and told by the leader alone.

use std::sync::Arc;

use canter::{ActionId, Clip, Fade, LoopMode, Marker, Mixer, Play, SyncGroup};
use canter_testing::cases;
use proptest::prelude::*;

use super::{lasting, skeleton, told};

/// A clip of a length with steps at parts of it.
fn gait(name: &str, secs: f32, steps: &[(&str, f32)]) -> Arc<Clip> {
    let steps = steps.iter().map(|(name, part)| Marker::new(*name, part * secs));
    Arc::new(lasting(&skeleton(), name, secs).with_markers(steps).unwrap())
}

fn synced(sync: SyncGroup) -> Play {
    Play { sync: Some(sync), ..Play::default() }
}

fn phase(mixer: &Mixer, id: ActionId) -> f32 {
    let action = mixer.get(id).unwrap();
    action.time_secs() / action.clip().duration_secs()
}

#[test]
fn a_cycle_is_shared_and_takes_the_mean_time() {
    let (walk, run) = (gait("Walk", 1.0, &[]), gait("Run", 0.5, &[]));
    let group = SyncGroup::cyclic(3);
    let mut mixer = Mixer::new(&skeleton());
    let walk = mixer.play(&walk, Play { weight: 3.0, ..synced(group) });
    mixer.advance(0.25);
    let run = mixer.play(&run, synced(group));
    assert!((phase(&mixer, run) - 0.25).abs() < 1e-6, "it joins in phase");
    // Three parts of a second, one of half a second: 0.875 s for a cycle.
    mixer.advance(0.875 / 4.0);
    assert!((phase(&mixer, walk) - 0.5).abs() < 1e-6 && (phase(&mixer, run) - 0.5).abs() < 1e-6);
    mixer.advance(0.875 * 10.0);
    assert!((phase(&mixer, walk) - 0.5).abs() < 1e-5 && (phase(&mixer, run) - 0.5).abs() < 1e-5);
    assert_eq!(mixer.get(walk).unwrap().loops(), 10);
}

#[test]
fn speeds_count_and_backwards_leads_back() {
    let (walk, run) = (gait("Walk", 1.0, &[]), gait("Run", 0.5, &[]));
    let mut mixer = Mixer::new(&skeleton());
    let group = SyncGroup::cyclic(0);
    let a = mixer.play(&walk, Play { speed: -2.0, weight: 2.0, ..synced(group) });
    let b = mixer.play(&run, Play { speed: 1.0, ..synced(group) });
    mixer.advance(0.125);
    assert!((phase(&mixer, a) - 0.75).abs() < 1e-6 && (phase(&mixer, b) - 0.75).abs() < 1e-6);
    assert_eq!(mixer.get(b).unwrap().loops(), -1);
}

#[test]
fn markers_of_the_same_name_meet() {
    let walk = gait("Walk", 1.0, &[("L", 0.0), ("R", 0.5)]);
    let limp = gait("Limp", 2.0, &[("L", 0.25), ("R", 0.375)]);
    let mut mixer = Mixer::new(&skeleton());
    let group = SyncGroup::by_markers(0);
    let walk = mixer.play(&walk, Play { weight: 2.0, ..synced(group) });
    mixer.advance(0.25);
    let limp = mixer.play(&limp, synced(group));
    let place = |mixer: &Mixer| (phase(mixer, walk), phase(mixer, limp));
    let near = |(a, b): (f32, f32), (c, d): (f32, f32)| {
        assert!((a - c).abs() < 1e-5 && (b - d).abs() < 1e-5, "{a} {b}, expected {c} {d}");
    };
    near(place(&mixer), (0.25, 0.3125));
    // The first half takes (2 * 0.5 + 1 * 0.25) / 3 s, the second (2 * 0.5 + 1 * 1.75) / 3 s.
    mixer.advance(1.25 / 6.0);
    near(place(&mixer), (0.5, 0.375));
    mixer.advance(2.75 / 6.0);
    near(place(&mixer), (0.75, 0.8125));
    mixer.advance(4.0 / 3.0 * 768.0);
    near(place(&mixer), (0.75, 0.8125));
}

#[test]
fn a_clip_of_two_cycles_stays_in_the_cycle_that_it_is_in() {
    let walk = gait("Walk", 1.0, &[("L", 0.0), ("R", 0.5)]);
    let long = gait("Long", 2.0, &[("L", 0.0), ("R", 0.25), ("L", 0.5), ("R", 0.75)]);
    let mut mixer = Mixer::new(&skeleton());
    let group = SyncGroup::by_markers(0);
    let walk = mixer.play(&walk, Play { weight: 2.0, ..synced(group) });
    let long = mixer.play(&long, synced(group));
    let mut last = 0.0;
    for _ in 0..100 {
        mixer.advance(0.03);
        let (a, b) = (mixer.get(walk).unwrap().unwrapped_secs(), mixer.get(long).unwrap().unwrapped_secs());
        assert!((a - b).abs() < 1e-5, "{a} {b}");
        assert!(b > last);
        last = b;
    }
}

#[test]
fn only_the_leader_tells() {
    let walk = gait("Walk", 1.0, &[("L", 0.0), ("R", 0.5)]);
    let run = gait("Run", 0.5, &[("L", 0.0), ("R", 0.5)]);
    let group = SyncGroup::by_markers(0);
    let mut mixer = Mixer::new(&skeleton());
    let walk_id = mixer.play(&walk, synced(group));
    mixer.advance(0.125);
    assert_eq!(told(&mixer), ["L0"]);
    let run_id = mixer.play(&run, Play { fade: Fade::cross(1.0), ..synced(group) });
    mixer.fade_out(walk_id, 1.0).unwrap();
    let (mut names, mut leaders) = (Vec::new(), Vec::new());
    for _ in 0..100 {
        mixer.advance(0.0125);
        for event in mixer.markers() {
            names.push(event.name.to_string());
            leaders.push(event.action);
        }
    }
    // Left and right in turns, however the lead changes.
    let turns: Vec<&str> = ["R", "L"].into_iter().cycle().take(names.len()).collect();
    assert_eq!(names, turns);
    assert!(names.len() >= 4 && leaders.contains(&run_id) && leaders.contains(&walk_id), "{leaders:?}");
}

#[test]
fn a_leader_stays_until_another_is_stronger_by_a_tenth() {
    let walk = gait("Walk", 1.0, &[("L", 0.0)]);
    let run = gait("Run", 0.5, &[("L", 0.0)]);
    let group = SyncGroup::by_markers(0);
    let mut mixer = Mixer::new(&skeleton());
    let a = mixer.play(&walk, synced(group));
    let b = mixer.play(&run, Play { weight: 0.5, ..synced(group) });
    mixer.advance(0.0);
    let mut leader = |weight: f32| {
        mixer.get_mut(b).unwrap().set_weight(weight).unwrap();
        mixer.advance(1.0);
        mixer.markers().last().map(|event| event.action)
    };
    assert_eq!(leader(1.05), Some(a));
    assert_eq!(leader(1.2), Some(b));
    assert_eq!(leader(0.95), Some(b));
    assert_eq!(leader(0.5), Some(a));
}

#[test]
fn those_without_markers_in_common_share_the_cycle() {
    let walk = gait("Walk", 1.0, &[("L", 0.5)]);
    for other in [gait("Swim", 2.0, &[("stroke", 0.0)]), gait("Float", 2.0, &[])] {
        let group = SyncGroup::by_markers(0);
        let mut mixer = Mixer::new(&skeleton());
        let a = mixer.play(&walk, synced(group));
        let b = mixer.play(&other, synced(group));
        mixer.advance(0.4);
        assert!((phase(&mixer, a) - phase(&mixer, b)).abs() < 1e-6);
    }
}

#[test]
fn who_is_alone_plays_as_ever() {
    let walk = gait("Walk", 1.0, &[("L", 0.5)]);
    let mut plain = Mixer::new(&skeleton());
    let mut synced_mixer = Mixer::new(&skeleton());
    let a = plain.play(&walk, Play::default());
    let b = synced_mixer.play(&walk, synced(SyncGroup::by_markers(0)));
    for dt in [0.1, 0.37, 12.3, 0.0, 1e-3] {
        plain.advance(dt);
        synced_mixer.advance(dt);
        assert_eq!(plain.get(a).unwrap().clock(), synced_mixer.get(b).unwrap().clock());
        assert_eq!(told(&plain), told(&synced_mixer));
    }
}

#[test]
fn what_ends_or_is_paused_is_in_no_group() {
    let walk = gait("Walk", 1.0, &[]);
    let group = SyncGroup::cyclic(0);
    let mut mixer = Mixer::new(&skeleton());
    let a = mixer.play(&walk, synced(group));
    mixer.advance(0.5);
    let once = mixer.play(&walk, Play { loop_mode: LoopMode::Once, ..synced(group) });
    assert_eq!(mixer.get(once).unwrap().time_secs(), 0.0);
    mixer.advance(0.25);
    assert_eq!((phase(&mixer, a), phase(&mixer, once)), (0.75, 0.25));
    let b = mixer.play(&walk, synced(group));
    mixer.get_mut(b).unwrap().pause();
    mixer.advance(0.125);
    assert_eq!((phase(&mixer, a), phase(&mixer, b)), (0.875, 0.75));
}

#[test]
fn a_crossfade_into_a_group_starts_in_phase() {
    let (walk, run) = (gait("Walk", 1.0, &[("L", 0.0)]), gait("Run", 0.5, &[("L", 0.5)]));
    let group = Some(SyncGroup::by_markers(0));
    let mut mixer = Mixer::new(&skeleton());
    mixer.crossfade_to(&walk, Play { sync: group, ..Play::default() });
    mixer.advance(0.25);
    let run = mixer.crossfade_to(&run, Play { sync: group, ..Play::from(0.3) });
    assert!((phase(&mixer, run) - 0.75).abs() < 1e-6);
}

#[test]
fn a_pace_is_what_the_group_does() {
    let walk = gait("Walk", 1.0, &[("L", 0.0), ("R", 0.5)]);
    let limp = gait("Limp", 2.0, &[("L", 0.25), ("R", 0.375)]);
    let mut mixer = Mixer::new(&skeleton());
    let group = SyncGroup::by_markers(0);
    let a = mixer.play(&walk, Play { weight: 3.0, ..synced(group) });
    assert_eq!(mixer.pace(a).map(|pace| (pace.speed, pace.secs)), Some((1.0, f64::INFINITY)), "alone");
    let b = mixer.play(&limp, synced(group));
    mixer.advance(0.1);
    // From L to R the limp takes 0.25 s and the walk 0.5; back 1.75 and 0.5.
    let (there, back) = (0.75 * 0.5 + 0.25 * 0.25, 0.75 * 0.5 + 0.25 * 1.75);
    let is_near = |a: f64, b: f64| (a - b).abs() < 1e-6;
    let pace = mixer.pace(b).unwrap();
    assert!(is_near(pace.speed, 0.25 / there) && is_near(pace.secs, there - 0.1), "{pace:?}");
    assert!(is_near(pace.mean_speed, 2.0 / (there + back)), "{pace:?}");
    mixer.set_speed(2.0);
    assert!(is_near(mixer.pace(a).unwrap().secs, (there - 0.1) / 2.0));
    mixer.get_mut(a).unwrap().set_speed(-1.0).unwrap();
    assert!(mixer.pace(b).unwrap().speed < 0.0, "the leader says where it leads");
    mixer.get_mut(a).unwrap().set_speed(0.0).unwrap();
    assert_eq!(mixer.pace(b).unwrap().mean_speed, 0.0);
    mixer.stop(b);
    assert_eq!(mixer.pace(b), None);
}

proptest! {
    #![proptest_config(cases(400))]

    /// While one fades into another, their common pace changes at every instant.
    #[test]
    fn how_a_fade_is_cut_into_steps_does_not_matter(
        secs in prop::array::uniform3(0.3_f32..2.0),
        fades in prop::array::uniform2(0.0_f32..3.0),
        parts in prop::collection::vec(0.0_f32..1.0, 1..40),
        by_markers in any::<bool>(),
    ) {
        let group = if by_markers { SyncGroup::by_markers(1) } else { SyncGroup::cyclic(1) };
        let steps = [("L", 0.2), ("R", 0.6)];
        let clips: Vec<_> = secs.iter().map(|secs| gait(&format!("{secs}"), *secs, &steps)).collect();
        let mut long = Mixer::new(&skeleton());
        long.play(&clips[0], synced(group));
        let mut short = long.clone();
        let whole: f64 = parts.iter().map(|part| f64::from(*part)).sum();
        for (clip, fade) in clips[1..].iter().zip(fades) {
            for mixer in [&mut long, &mut short] {
                mixer.crossfade_to(clip, Play { fade: Fade::cross(fade), ..synced(group) });
            }
            long.advance_exactly(whole);
            parts.iter().for_each(|part| drop(short.advance_exactly(f64::from(*part))));
            let places = [&long, &short].map(|mixer| {
                mixer.actions().map(|(_, action)| action.unwrapped_secs()).collect::<Vec<_>>()
            });
            prop_assert_eq!(places[0].len(), places[1].len());
            for (a, b) in places[0].iter().zip(&places[1]) {
                prop_assert!((a - b).abs() < 1e-5, "{places:?}");
            }
        }
    }

    /// Whatever weights do: in step at every instant, and no action ever goes back or leaps ahead.
    #[test]
    fn the_phase_never_jumps(
        lengths in prop::collection::vec((0.3_f32..2.0, 0.1_f32..0.9, 0.0_f32..0.9), 2..5),
        changes in prop::collection::vec((0_usize..5, 0.0_f32..2.0, 0.0_f32..0.2), 1..60),
        by_markers in any::<bool>(),
    ) {
        let group = if by_markers { SyncGroup::by_markers(1) } else { SyncGroup::cyclic(1) };
        let mut mixer = Mixer::new(&skeleton());
        let mut ids = Vec::new();
        for (index, (secs, apart, from)) in lengths.iter().enumerate() {
            let (l, r) = (from.min(1.0 - apart - 0.01).max(0.0), (from.min(1.0 - apart - 0.01).max(0.0)) + apart);
            let clip = gait(&format!("Gait {index}"), *secs, &[("L", l), ("R", r.min(0.99))]);
            ids.push(mixer.play(&clip, synced(group)));
        }
        // How far each is between its own markers, in steps.
        let steps = |mixer: &Mixer, id: ActionId| {
            let action = mixer.get(id).unwrap();
            let clip = action.clip();
            let [l, r] = [0, 1].map(|index| f64::from(clip.markers()[index].secs));
            let (length, at) = (f64::from(clip.duration_secs()), action.clock().moment().secs);
            let loops = action.loops() as f64;
            if by_markers {
                let since = |from: f64, to: f64| (at - from).rem_euclid(length) / (to - from).rem_euclid(length);
                let count = if at >= r { 2.0 } else if at >= l { 1.0 } else { 0.0 };
                let part = if at >= l && at < r { since(l, r) } else { since(r, l) };
                2.0 * loops + count + part
            } else {
                2.0 * (loops + at / length)
            }
        };
        let starts: Vec<f64> = ids.iter().map(|id| steps(&mixer, *id)).collect();
        let mut last = 0.0;
        for (index, weight, dt) in changes {
            mixer.get_mut(ids[index % ids.len()]).unwrap().set_weight(weight).unwrap();
            mixer.advance(dt);
            let gone: Vec<f64> = ids.iter().zip(&starts).map(|(id, from)| steps(&mixer, *id) - from).collect();
            for way in &gone {
                prop_assert!((way - gone[0]).abs() < 1e-4, "{gone:?}");
            }
            let shortest = lengths.iter().map(|(secs, apart, _)| secs * apart.min(1.0 - apart)).fold(2.0, f32::min);
            prop_assert!(gone[0] >= last - 1e-5, "{} after {last}", gone[0]);
            prop_assert!(gone[0] - last <= f64::from(dt / (shortest * 0.98)) + 1e-3, "{} after {last}", gone[0]);
            last = gone[0];
        }
    }
}
