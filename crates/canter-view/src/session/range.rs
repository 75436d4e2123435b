//! A piece of the clip that is played over and over.

use canter::LoopMode;

use super::Session;

/// A shorter range than this could not be dragged apart again.
const SHORTEST_SECS: f32 = 1.0 / 30.0;

impl Session {
    /// The part of the clip that is repeated: all of it, unless a shorter one was chosen.
    #[must_use]
    pub fn range_secs(&self) -> Option<[f32; 2]> {
        let length = self.action()?.clip().duration_secs();
        Some(self.range_secs.unwrap_or([0.0, length]))
    }

    /// Repeats a part of the clip, from one time to another; `None` for all of it. What lies outside the clip is cut off.
    pub fn set_range(&mut self, range_secs: Option<[f32; 2]>) {
        let Some(length) = self.action().map(|action| action.clip().duration_secs()) else { return };
        self.range_secs =
            range_secs.filter(|range| range.iter().all(|secs| secs.is_finite())).and_then(|[from, to]| {
                let from = from.clamp(0.0, (length - SHORTEST_SECS).max(0.0));
                let to = to.clamp((from + SHORTEST_SECS).min(length), length);
                (from > 0.0 || to < length).then_some([from, to])
            });
        if self.range_secs.is_some() {
            self.loop_mode = LoopMode::Repeat;
            self.each_action(|mixer, id| mixer.set_loop_mode(id, LoopMode::Repeat));
        }
        self.update(0.0);
    }

    /// Goes on at the other end of the range when one was passed.
    pub(super) fn stay_in_range(&mut self) {
        let (Some([from, to]), Some(id), true) = (self.range_secs, self.action_id(), self.is_playing) else {
            return;
        };
        let Some(secs) = self.action().map(canter::Action::time_secs) else { return };
        if secs < from || secs > to {
            let secs = from + (secs - from).rem_euclid((to - from).max(SHORTEST_SECS));
            if let Some(figure) = self.scene.character_mut(self.figure) {
                figure.mixer.seek(id, secs);
            }
            self.scene.update(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_repeats_in_both_directions_and_leaves_with_the_clip() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb");
        let mut session = Session::load(path.as_ref()).unwrap();
        let length = session.action().unwrap().clip().duration_secs();
        assert_eq!(session.range_secs(), Some([0.0, length]));
        session.set_loop_mode(LoopMode::PingPong);
        session.set_range(Some([0.25, 0.5]));
        assert_eq!(session.loop_mode(), LoopMode::Repeat);
        for speed in [1.0, -1.7] {
            session.set_speed(speed);
            for _ in 0..60 {
                session.advance(0.03);
                let secs = session.action().unwrap().time_secs();
                assert!((0.249..=0.501).contains(&secs), "{secs}");
            }
        }
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
}
