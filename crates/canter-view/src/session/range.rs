//! The part of a clip that is played.

use std::sync::Arc;

use super::Session;
use super::playback::{move_ahead, on_base};

/// A shorter range than this could not be dragged apart again.
const SHORTEST_SECS: f32 = 1.0 / 30.0;

impl Session {
    /// The part of the clip that is played: all of it, unless a shorter one was chosen.
    #[must_use]
    pub fn range_secs(&self) -> Option<[f32; 2]> {
        Some(self.action()?.clock().range_secs().into())
    }

    /// Plays a part of the clip, from one time to another; `None` for all of it. What lies outside the clip
    /// is cut off.
    pub fn set_range(&mut self, range_secs: Option<[f32; 2]>) {
        let Some(clip) = self.action().map(|action| Arc::clone(action.clip())) else { return };
        let length = clip.duration_secs();
        let range = range_secs.filter(|range| range.iter().all(|secs| secs.is_finite()));
        let [from, to] = range.map_or([0.0, length], |[from, to]| {
            let from = from.clamp(0.0, (length - SHORTEST_SECS).max(0.0));
            [from, to.clamp((from + SHORTEST_SECS).min(length), length)]
        });
        let secs = self.action().map_or(0.0, |action| action.time_secs().clamp(from, to));
        self.each_mixer(|mixer, phase| {
            let actions = on_base(mixer).filter(|(_, action)| Arc::ptr_eq(action.clip(), &clip));
            let ids: Vec<_> = actions.map(|(id, _)| id).collect();
            for id in ids {
                let Some(mut action) = mixer.get_mut(id) else { continue };
                // Copies would all be at the same end of a range that they were not in.
                if action.set_range_secs(from, to).is_ok() && phase > 0.0 && action.seek(secs).is_ok() {
                    move_ahead(&mut action, phase);
                }
            }
        });
        self.update(0.0);
    }
}

#[cfg(test)]
mod tests {
    use canter::LoopMode;

    use super::*;

    fn hero() -> Session {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb");
        Session::load(path.as_ref()).unwrap()
    }

    #[test]
    fn a_range_is_played_in_both_directions_and_leaves_with_the_clip() {
        let mut session = hero();
        let length = session.action().unwrap().clip().duration_secs();
        assert_eq!(session.range_secs(), Some([0.0, length]));
        session.set_range(Some([0.25, 0.5]));
        for (speed, loop_mode) in [
            (1.0, LoopMode::Repeat),
            (-1.7, LoopMode::Repeat),
            (1.0, LoopMode::PingPong),
            (-1.7, LoopMode::PingPong),
            (1.0, LoopMode::Once),
        ] {
            session.set_speed(speed);
            session.set_loop_mode(loop_mode);
            for _ in 0..60 {
                session.advance(0.03);
                let secs = session.action().unwrap().time_secs();
                assert!((0.25..=0.5).contains(&secs), "{speed} {loop_mode:?} {secs}");
            }
        }
        assert_eq!(session.action().unwrap().time_secs(), 0.5, "once, to its end");
        assert_eq!(session.range_secs(), Some([0.25, 0.5]), "with every loop mode");
        // Dragged over each other, the ends stay apart; beyond the clip, they are its ends.
        session.set_range(Some([0.6, 0.1]));
        let [from, to] = session.range_secs().unwrap();
        assert!(from < to);
        for whole in [None, Some([-1.0, 99.0]), Some([f32::NAN, 0.5])] {
            session.set_range(whole);
            assert_eq!(session.range_secs(), Some([0.0, length]), "{whole:?}");
        }
        session.set_range(Some([0.25, 0.5]));
        session.fade_to("Run").unwrap();
        let run = session.action().unwrap().clip().duration_secs();
        assert_eq!(session.range_secs(), Some([0.0, run]));
    }
    #[test]
    fn a_range_holds_for_the_copies_and_does_not_bring_them_into_step() {
        let mut session = hero();
        session.set_crowd(5);
        session.advance(0.1);
        session.set_range(Some([0.25, 0.5]));
        session.set_crowd(10);
        session.advance(0.1);
        let times = session.scene().characters().filter_map(|id| {
            let (_, action) = session.scene().character(id)?.mixer.actions().next()?;
            assert_eq!(action.clock().range_secs(), (0.25, 0.5));
            Some(action.time_secs())
        });
        let mut times: Vec<f32> = times.collect();
        times.sort_by(f32::total_cmp);
        assert!(times.len() == 10 && times.windows(2).all(|pair| pair[1] - pair[0] > 0.002), "{times:?}");
    }
}
