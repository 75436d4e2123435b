//! For any cut of a time into steps the same markers come, in the same order, with the same loops.

use std::sync::Arc;

use canter::{Clip, LoopMode, Marker, Mixer, MixerState, Play};
use canter_testing::cases;
use proptest::prelude::*;

use super::{describe, lasting, skeleton};

const MODES: [LoopMode; 5] =
    [LoopMode::Repeat, LoopMode::Once, LoopMode::Times(3), LoopMode::PingPong, LoopMode::Times(0)];

/// Sixteenths: sums of them are exact.
fn sixteenths(most: u8) -> impl Strategy<Value = f32> {
    (0..=most).prop_map(|number| f32::from(number) / 16.0)
}

fn clip() -> impl Strategy<Value = Arc<Clip>> {
    let marker = (0_u8..4, sixteenths(16), prop_oneof![Just(0.0_f32), sixteenths(10)]);
    (1_u8..=16, prop::collection::vec(marker, 0..7)).prop_map(|(length, markers)| {
        let secs = f32::from(length) / 16.0;
        let markers = markers
            .into_iter()
            .map(|(name, at, length)| Marker::window(format!("n{name}").as_str(), at.min(secs), length));
        Arc::new(lasting(&skeleton(), "Random", secs).with_markers(markers).unwrap())
    })
}

fn play() -> impl Strategy<Value = Play> {
    let speed = prop::sample::select(vec![1.0_f32, 0.5, 2.0, -1.0, -2.0, 4.0, 0.0]);
    (0_usize..5, speed, prop::option::of(sixteenths(16))).prop_map(|(mode, speed, start_secs)| Play {
        loop_mode: MODES[mode],
        speed,
        start_secs,
        ..Play::default()
    })
}

/// What is told in a sequence of steps, with the time since the start of all, in 1/1024 s.
fn all_told(mixer: &mut Mixer, steps: &[f32]) -> Vec<(String, String)> {
    let (mut now, mut told) = (0.0_f64, Vec::new());
    for dt in steps {
        mixer.advance(*dt);
        now += f64::from(*dt);
        for event in mixer.markers() {
            let at = (now - f64::from(event.secs_ago)) * 1024.0;
            told.push((describe(&event), format!("{at:.0}")));
        }
    }
    told
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn any_cut_of_time_tells_the_same(
        clips in prop::collection::vec((clip(), play()), 1..4),
        steps in prop::collection::vec(sixteenths(40), 1..24),
    ) {
        let mut mixer = Mixer::new(&skeleton());
        for (clip, play) in &clips {
            mixer.play(clip, play.clone());
        }
        let mut one = mixer.clone();
        let whole: f32 = steps.iter().sum();
        let told = all_told(&mut one, &[whole]);
        prop_assert_eq!(&all_told(&mut mixer.clone(), &steps), &told);
        let even = vec![whole / 64.0; 64];
        prop_assert_eq!(&all_told(&mut mixer.clone(), &even), &told);
        let with_zeros: Vec<f32> = steps.iter().flat_map(|step| [0.0, *step, 0.0]).collect();
        prop_assert_eq!(&all_told(&mut mixer, &with_zeros), &told);
    }

    /// Whatever is done in between: windows are entered and left in turns, and all are left in the end.
    #[test]
    fn windows_are_entered_and_left_in_turns(
        clip in clip(),
        play in play(),
        deeds in prop::collection::vec((0_u8..8, sixteenths(16), 0_usize..5), 1..40),
    ) {
        let mut mixer = Mixer::new(&skeleton());
        let id = mixer.play(&clip, play);
        let mut open = std::collections::HashSet::new();
        let mut check = |mixer: &Mixer| -> Result<(), TestCaseError> {
            for event in mixer.markers() {
                match event.kind {
                    canter::MarkerKind::Enter => prop_assert!(open.insert(event.index), "{}", describe(&event)),
                    canter::MarkerKind::Leave => prop_assert!(open.remove(&event.index), "{}", describe(&event)),
                    canter::MarkerKind::At => {}
                }
            }
            Ok(())
        };
        for (deed, amount, mode) in deeds {
            let mut action = mixer.get_mut(id).unwrap();
            match deed {
                0 => action.seek(amount).unwrap(),
                1 => action.scrub(amount).unwrap(),
                2 => action.set_speed(1.0 - 2.0 * amount).unwrap(),
                3 => action.set_loop_mode(MODES[mode]),
                4 => drop(action.set_range_secs(amount * 0.25, amount)),
                _ => {}
            }
            mixer.advance(amount);
            check(&mixer)?;
        }
        mixer.stop(id);
        mixer.advance(0.0);
        check(&mixer)?;
        prop_assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn a_clone_and_a_stored_state_tell_what_the_mixer_tells(
        clips in prop::collection::vec((clip(), play()), 1..4),
        before in prop::collection::vec(sixteenths(20), 0..4),
        after in prop::collection::vec(sixteenths(20), 1..4),
    ) {
        let mut mixer = Mixer::new(&skeleton());
        for (clip, play) in &clips {
            mixer.play(clip, play.clone());
        }
        all_told(&mut mixer, &before);
        let state: MixerState = mixer.state();
        let clips: Vec<_> = clips.iter().map(|(clip, _)| clip).collect();
        let mut restored = Mixer::from_state(&skeleton(), &state, clips.iter().copied()).unwrap();
        let mut clone = mixer.clone();
        let mut taken_over = Mixer::new(&skeleton());
        taken_over.clone_from(&mixer);
        let told = all_told(&mut mixer, &after);
        prop_assert_eq!(&all_told(&mut clone, &after), &told);
        prop_assert_eq!(&all_told(&mut taken_over, &after), &told);
        prop_assert_eq!(&all_told(&mut restored, &after), &told);
    }
}

/// A state that was stored where a loop begins, after the marker there was told: it was told once more.
#[test]
fn what_is_put_back_at_the_start_of_a_loop_does_not_tell_it_again() {
    let clip = lasting(&skeleton(), "Walk", 1.0).with_markers([Marker::new("step", 0.0)]).unwrap();
    let clip = Arc::new(clip);
    let mut mixer = Mixer::new(&skeleton());
    mixer.play(&clip, Play::default());
    assert_eq!(all_told(&mut mixer, &[0.0]).len(), 1);
    let mut restored = Mixer::from_state(&skeleton(), &mixer.state(), [&clip]).unwrap();
    for mixer in [&mut mixer, &mut restored] {
        assert_eq!(all_told(mixer, &[0.5]), []);
        assert_eq!(all_told(mixer, &[0.5]).len(), 1);
    }
}
