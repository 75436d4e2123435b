//! Spans: every instant is covered once, whatever a time is cut into.

use proptest::prelude::*;

use super::{Clock, LoopMode, Moment};

const MODES: [LoopMode; 5] =
    [LoopMode::Once, LoopMode::Repeat, LoopMode::Times(3), LoopMode::PingPong, LoopMode::Times(0)];

fn clock(secs: f32, speed: f32, loop_mode: LoopMode) -> Clock {
    let mut clock = Clock::new(secs);
    assert!(clock.set_speed(speed));
    clock.set_loop_mode(loop_mode);
    clock.rewind();
    clock
}

proptest! {
    /// Each span begins where the last one ended, and all of them together loop as often, finish once and
    /// lead to the same moment as one step does.
    #[test]
    fn many_steps_are_one_step(
        quarters in 1_u8..12,
        speed in prop_oneof![Just(0.5_f32), Just(1.0), Just(-1.0), Just(-2.0), Just(0.0), Just(8.0)],
        mode in 0_usize..5,
        // Exact in binary, so that sums are.
        steps in prop::collection::vec((0_u16..200).prop_map(|step| f64::from(step) / 64.0), 1..30),
    ) {
        let mut many = clock(f32::from(quarters) / 4.0, speed, MODES[mode]);
        let mut one = many;
        let (mut looped, mut finished, mut to) = (0, 0_u32, many.moment());
        for &step in &steps {
            let span = many.advance(step);
            prop_assert_eq!(span.from, to);
            prop_assert_eq!(span.to, many.moment());
            prop_assert!((0.0..=step).contains(&span.secs_since_loop), "{:?}", span);
            prop_assert!((0.0..=step).contains(&span.secs_since_end), "{:?}", span);
            to = span.to;
            looped += span.looped;
            finished += u32::from(span.finished);
        }
        let span = one.advance(steps.iter().sum());
        prop_assert_eq!((span.to, span.looped, u32::from(span.finished)), (to, looped, finished));
        prop_assert_eq!(one, many);
    }

    #[test]
    fn any_numbers_leave_the_clock_in_its_range(
        secs in any::<f32>(),
        speed in any::<f32>(),
        mode in 0_usize..5,
        start in any::<f32>(),
        end in any::<f32>(),
        at in any::<f32>(),
        dt in 0.0..f64::from(f32::MAX),
    ) {
        let mut clock = Clock::new(secs);
        let _ = clock.set_speed(speed);
        clock.set_loop_mode(MODES[mode]);
        let _ = clock.set_range_secs(start, end);
        let _ = clock.seek(at);
        let span = clock.advance(dt);
        let (start, end) = clock.range_secs();
        prop_assert!((start..=end).contains(&clock.time_secs()), "{:?} {:?}", clock, span);
        prop_assert!(span.secs_since_loop >= 0.0 && span.secs_since_end >= 0.0);
    }
}

#[test]
fn a_clock_without_length_shows_its_only_instant_and_finishes_if_it_has_an_end() {
    for speed in [1.0, -1.0] {
        for secs in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            let mut once = clock(secs, speed, LoopMode::Once);
            let span = once.advance(0.5);
            assert!(span.finished && span.secs_since_end == 0.5 && !once.advance(0.5).finished);
            assert_eq!(once.time_secs(), 0.0);
            let mut repeat = clock(secs, speed, LoopMode::Repeat);
            assert_eq!((repeat.advance(0.5).looped, repeat.moment()), (0, Moment::default()));
        }
    }
}

#[test]
fn a_range_keeps_the_instant_that_lies_in_it() {
    let mut clock = Clock::new(4.0);
    let _ = clock.advance(2.5);
    assert!(clock.set_range_secs(2.0, 3.0));
    assert_eq!(clock.time_secs(), 2.5);
    assert_eq!((clock.advance(1.0).looped, clock.time_secs()), (1, 2.5));
    assert!(clock.set_range_secs(0.0, 1.0));
    assert_eq!(clock.time_secs(), 1.0);
    assert!(!clock.set_range_secs(1.0, 0.0) && !clock.set_range_secs(f32::NAN, 1.0));
    assert!(clock.seek(0.25));
    assert_eq!(clock.time_secs(), 0.25);
}
