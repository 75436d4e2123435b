//! Fades, and what may interrupt them.

use canter_graph::{ConditionData, DurationData, FadeData, InterruptData, OpData, StateData, TransitionData};

use crate::world::{World, assert_near, cut, graph, set, states};

const KINDS: [FadeData; 4] = [FadeData::Cross, FadeData::Frozen, FadeData::Inertial, FadeData::Dead];

fn fade(from: &str, to: &str, fade: FadeData, secs: f32) -> TransitionData {
    TransitionData { fade, ..TransitionData::new(from, to).secs(secs) }
}

#[test]
fn e20_any_to_itself_is_ignored_unless_it_may() {
    for to_self in [false, true] {
        let any = TransitionData { to_self, ..TransitionData::new("any", "A") }.when(set("jump"));
        let mut world = World::new(graph(states(&["A"]), vec![any]));
        world.update(0.5);
        let before = world.height();
        world.trigger("jump");
        world.update(0.0);
        assert!((world.height() - before).abs() < 1e-4);
        world.update(0.25);
        assert_near(world.state.cycles(0), if to_self { 0.25 } else { 0.75 });
        assert_eq!(world.is_set("jump"), !to_self);
    }
}

#[test]
fn e21_any_to_a_state_that_is_fading_in_counts_as_itself() {
    let any = TransitionData::new("any", "B").when(set("jump"));
    let mut world = World::new(graph(
        states(&["A", "B"]),
        vec![any, fade("A", "B", FadeData::Dead, 1.0).when(set("go"))],
    ));
    world.set("go", true);
    world.update(0.25);
    world.trigger("jump");
    world.update(0.25);
    assert_eq!(world.told(), ["leave A", "enter B"]);
    assert_near(world.state.cycles(0), 0.5);
    assert!(world.is_set("jump"));
}

#[test]
fn e22_nothing_interrupts_a_fade_that_says_none() {
    let first = TransitionData {
        interrupt: InterruptData::None,
        ..fade("A", "B", FadeData::Dead, 1.0).when(set("go"))
    };
    let others = ["A", "B", "any"].map(|from| cut(from, "C").when(set("back")));
    let mut world = World::new(graph(states(&["A", "B", "C"]), [vec![first], others.into()].concat()));
    world.set("go", true);
    world.update(0.1);
    world.set("back", true);
    world.update(0.5);
    assert_eq!(world.at(), "B");
    world.update(1.0);
    assert_near(world.when("enter C"), 1.0);
}

/// `A` to `B` if `go`, to `C` from anywhere if `back`.
fn interrupted(kind: FadeData) -> World {
    let transitions = vec![
        fade("A", "B", kind, 0.4).when(set("go")),
        fade("B", "C", kind, 0.4).when(set("back")),
        fade("C", "A", kind, 0.4).when(set("jump")),
    ];
    World::new(graph(states(&["A", "B", "C"]), transitions))
}

#[test]
fn e23_an_interruption_starts_from_what_is_on_screen() {
    for kind in KINDS {
        let mut world = interrupted(kind);
        world.update(0.3);
        world.set("go", true);
        world.update(0.2);
        let before = world.height();
        assert!((3.0..8.0).contains(&before), "{kind:?}: half way, at {before}");
        world.set("back", true);
        world.update(0.0);
        assert_eq!(world.at(), "C");
        let at_switch = world.height();
        assert!((at_switch - before).abs() < 1e-4, "{kind:?}: from {before} to {at_switch}");
        // Twice in one fade.
        world.update(0.1);
        let before = world.height();
        world.set("go", false);
        world.set("back", false);
        world.trigger("jump");
        world.update(0.0);
        assert_eq!(world.at(), "A");
        assert!((world.height() - before).abs() < 1e-4, "{kind:?}");
        // And frame by frame nothing goes faster than a fade over that distance may.
        let mut last = world.height();
        for _ in 0..200 {
            world.update(1.0 / 240.0);
            let now = world.height();
            // The clip itself jumps down by one at its end.
            let moved = (now - last).abs();
            let limit = 22.0 / (0.4 * 0.4) / 240.0 + 1.0 / 240.0;
            assert!(moved <= limit || (moved - 1.0).abs() < 0.1, "{kind:?}: {last} {now}");
            last = now;
        }
    }
}

#[test]
fn e24_interrupted_in_every_frame_for_a_second_the_pose_stays_between_the_poses() {
    for kind in KINDS {
        let transitions = ["A", "B", "C"].iter().enumerate().map(|(n, to)| {
            let n = f64::from(u8::try_from(n).unwrap());
            fade("any", to, kind, 0.5).when(ConditionData::compare("n", OpData::Equal, n))
        });
        let mut world = World::new(graph(states(&["A", "B", "C"]), transitions.collect()));
        for frame in 0..60 {
            world.set("n", [0, 1, 2, 1][frame % 4]);
            world.update(1.0 / 60.0);
            let height = world.height();
            assert!((-2.0..24.0).contains(&height), "{kind:?} {frame}: {height}");
            assert!(world.mixer.actions().count() <= 2, "{kind:?} {frame}");
        }
        assert_eq!(world.state.history().count(), 32);
    }
}

#[test]
fn e25_a_state_that_is_returned_to_goes_on_from_its_own_time() {
    for kind in KINDS {
        let transitions =
            vec![fade("A", "B", kind, 0.5).when(set("go")), fade("B", "A", kind, 0.5).when(set("back"))];
        let mut world = World::new(graph(states(&["A", "B"]), transitions));
        world.update(0.3);
        world.set("go", true);
        world.update(0.1);
        world.set("go", false);
        world.set("back", true);
        let before = world.height();
        world.update(0.0);
        assert_eq!(world.at(), "A");
        assert_near(world.state.cycles(0), 0.4);
        assert!((world.height() - before).abs() < 1e-4, "{kind:?}");
        world.set("back", false);
        world.update(0.55);
        assert_near(world.height().into(), 0.95);
    }
}

#[test]
fn e26_an_ordered_fade_is_interrupted_by_those_before_it_only() {
    for (priority, expected) in [(9, "B"), (1, "C")] {
        let first = TransitionData {
            priority: 5,
            ordered: true,
            interrupt: InterruptData::Source,
            ..fade("A", "B", FadeData::Dead, 1.0).when(set("go"))
        };
        let second = TransitionData { priority, ..cut("A", "C").when(set("back")) };
        let mut world = World::new(graph(states(&["A", "B", "C"]), vec![first, second]));
        world.set("go", true);
        world.update(0.25);
        world.set("back", true);
        world.update(0.25);
        assert_eq!(world.at(), expected, "priority {priority}");
    }
}

#[test]
fn e37_a_source_that_ends_within_the_fade_holds_its_last_pose() {
    let states = vec![StateData::once("A", "A"), StateData::new("B", "B")];
    let mut world = World::new(graph(states, vec![fade("A", "B", FadeData::Cross, 1.0).when(set("go"))]));
    world.update(0.8);
    world.set("go", true);
    world.update(0.5);
    assert_near(world.secs_of("A").into(), 1.0);
    assert_near(world.height().into(), f64::midpoint(1.0, 10.5));
}

#[test]
fn e38_a_duration_of_the_source_counts_as_it_plays() {
    let fast = StateData { speed: canter_graph::AmountData::Number(2.0), ..StateData::new("C", "C") };
    let transition = TransitionData {
        duration: DurationData::OfSource(0.25),
        ..TransitionData::new("C", "B").when(set("go"))
    };
    let mut world = World::new(graph(vec![fast, StateData::new("B", "B")], vec![transition]));
    world.set("go", true);
    world.update(0.24);
    assert!(world.state.is_fading(0));
    world.update(0.02);
    assert!(!world.state.is_fading(0));
}
