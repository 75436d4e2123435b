//! When a state comes to an exit time.

use crate::state::StateClock;

/// A state on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    pub(super) clock: StateClock,
    /// Cycles per second.
    pub(super) rate: f64,
    /// How often it plays, if there is an end to it.
    pub(super) plays: Option<f64>,
    /// Where a loop ends and the next one begins, a clip may jump: what leaves at the end of a loop is still
    /// before that by so many seconds, what leaves at the start after it, and what leaves at the end of all
    /// is there, however the mixer rounds.
    pub(super) seam_secs: f64,
    /// Parts of a cycle nearer than this are one: what comes so soon after a step belongs to it.
    pub(super) near: f64,
}

/// The time until a state comes to an exit time, if it does so in `rest` seconds, their end included and
/// their start not, unless the state was just entered. What comes a rounding after their end belongs to them, too.
///
/// Up to 1 there is one in every loop, above that one since it was entered.
pub(super) fn crossing(course: Course, exit: f64, rest: f64) -> Option<f64> {
    let Course { clock, rate, plays, seam_secs, near } = course;
    if rest <= 0.0 || rate == 0.0 {
        return None;
    }
    if rate.is_infinite() {
        return Some(0.0);
    }
    let at = clock.cycles;
    // It was put where it begins in single precision.
    let ahead = if clock.is_fresh { -1e-6 } else { near };
    let crossed = if exit > 1.0 {
        let exit = if rate < 0.0 && plays.is_none() { -exit } else { exit };
        let is_ahead = if rate > 0.0 { exit >= at + ahead } else { exit <= at - ahead };
        is_ahead.then_some(exit)?
    } else if rate > 0.0 {
        let loops = (at - exit + ahead).ceil();
        // The first loop has no end of one before it.
        exit + if at >= 0.0 { loops.max(0.0) } else { loops }
    } else {
        exit + (at - exit - ahead).floor()
    };
    let is_beyond = |plays: f64| crossed > plays + near || crossed < -near;
    // After the last loop none begins.
    let is_no_start = |plays: f64| exit <= 0.0 && rate > 0.0 && crossed >= plays - near;
    if plays.is_some_and(|plays| is_beyond(plays) || is_no_start(plays)) {
        return None;
    }
    let secs = ((crossed - at) / rate).max(0.0);
    if secs > rest + near / rate.abs() {
        return None;
    }
    let mut shift = 0.0;
    if secs > 0.0 && (crossed - crossed.round()).abs() <= near {
        let is_end =
            plays.is_some_and(|plays| if rate > 0.0 { crossed >= plays - near } else { crossed <= near });
        let is_before = !is_end && (exit > 0.0) == (rate > 0.0);
        shift = if is_before { -seam_secs } else { seam_secs };
    }
    Some((secs + shift).max(0.0))
}

impl Course {
    /// Whether a state has ended, and stands where it did.
    fn has_ended(&self) -> bool {
        let at = self.clock.cycles;
        self.plays.is_some_and(|plays| match self.rate > 0.0 {
            true => at >= plays - self.near,
            false => self.rate < 0.0 && at <= self.near,
        })
    }

    /// Whether a state stands at an exit time that is its end. It never comes there again, so what is asked
    /// for after the end, or while a fade let nothing through, would be lost.
    pub(super) fn stands_at(&self, exit: f64) -> bool {
        let is_last = |plays: f64| [1.0, plays].iter().any(|last| (exit - last).abs() <= self.near);
        let is_end = if self.rate > 0.0 { self.plays.is_some_and(is_last) } else { exit <= 0.0 };
        is_end && self.has_ended()
    }

    /// Whether a state never comes to an exit time again, however long it goes on.
    pub(super) fn has_passed(self, exit: f64) -> bool {
        self.rate != 0.0 && crossing(self, exit, f64::INFINITY).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(cycles: f64) -> StateClock {
        StateClock { cycles, is_fresh: false }
    }

    fn try_it(clock: StateClock, rate: f64, exit: f64, plays: Option<f64>, rest: f64) -> Option<f64> {
        crossing(Course { clock, rate, plays, seam_secs: 0.0, near: 1e-9 }, exit, rest)
    }

    fn fresh(cycles: f64) -> StateClock {
        StateClock { cycles, is_fresh: true }
    }

    #[test]
    fn an_exit_time_up_to_one_comes_in_every_loop() {
        let cases = [
            (at(0.7), 0.8, 0.1),
            (at(0.8), 0.8, 1.0),
            (at(5.9), 0.8, 0.9),
            (fresh(0.8), 0.8, 0.0),
            (at(0.0), 1.0, 1.0),
            (fresh(0.0), 1.0, 1.0),
            (at(1.0), 1.0, 1.0),
            (fresh(0.0), 0.0, 0.0),
            (at(0.0), 0.0, 1.0),
            (at(-2.75), 0.5, 0.25),
        ];
        for (clock, exit, expected) in cases {
            let found = try_it(clock, 1.0, exit, None, 10.0).unwrap();
            assert!((found - expected).abs() < 1e-9, "{clock:?} {exit}: {found}");
        }
    }

    #[test]
    fn one_above_one_comes_once() {
        assert_eq!(try_it(at(0.5), 1.0, 3.5, None, 10.0), Some(3.0));
        assert_eq!(try_it(at(3.5), 1.0, 3.5, None, 10.0), None);
        assert_eq!(try_it(at(4.0), 1.0, 3.5, None, 10.0), None);
        assert_eq!(try_it(at(-0.5), -1.0, 3.5, None, 10.0), Some(3.0));
    }

    #[test]
    fn backwards_it_is_crossed_downwards() {
        let secs = try_it(fresh(0.0), -1.0, 0.1, None, 10.0).unwrap();
        assert!((secs - 0.9).abs() < 1e-9);
        let secs = try_it(fresh(1.0), -2.0, 0.1, Some(1.0), 10.0).unwrap();
        assert!((secs - 0.45).abs() < 1e-9);
        assert_eq!(try_it(at(0.05), -1.0, 0.1, Some(1.0), 10.0), None);
    }

    #[test]
    fn nothing_is_crossed_without_time_or_beyond_an_end() {
        assert_eq!(try_it(fresh(0.0), 1.0, 0.0, None, 0.0), None);
        assert_eq!(try_it(at(0.5), 0.0, 0.6, None, 1.0), None);
        assert_eq!(try_it(at(0.9), 1.0, 0.8, Some(1.0), 10.0), None);
        assert_eq!(try_it(at(0.5), 1.0, 0.8, None, 0.2), None);
        assert_eq!(try_it(at(0.0), f64::INFINITY, 0.8, None, 0.2), Some(0.0));
    }

    fn course(clock: StateClock, rate: f64, plays: Option<f64>) -> Course {
        Course { clock, rate, plays, seam_secs: 0.0, near: 1e-9 }
    }

    #[test]
    fn what_has_ended_stands_at_its_end() {
        assert!(course(at(1.0), 1.0, Some(1.0)).stands_at(1.0));
        assert!(course(at(3.0), 1.0, Some(3.0)).stands_at(1.0));
        assert!(course(at(3.0), 1.0, Some(3.0)).stands_at(3.0));
        assert!(course(at(0.0), -1.0, Some(1.0)).stands_at(0.0));
        assert!(!course(at(3.0), 1.0, Some(3.0)).stands_at(2.0));
        assert!(!course(at(1.0), 1.0, Some(1.0)).stands_at(1.5));
        assert!(!course(at(1.0), 1.0, Some(1.0)).stands_at(0.9));
        assert!(!course(at(0.9), 1.0, Some(1.0)).stands_at(1.0));
        assert!(!course(at(1.0), 0.0, Some(1.0)).stands_at(1.0));
        assert!(!course(at(1.0), 1.0, None).stands_at(1.0));
    }

    #[test]
    fn what_comes_once_or_has_ended_is_passed_for_good() {
        assert!(course(at(1.0), 1.0, Some(1.0)).has_passed(0.5));
        assert!(course(at(4.0), 1.0, None).has_passed(3.5));
        assert!(course(at(-4.0), -1.0, None).has_passed(3.5));
        assert!(!course(at(3.0), 1.0, None).has_passed(3.5));
        assert!(!course(at(3.0), 1.0, None).has_passed(0.5));
        assert!(course(at(0.7), 1.0, Some(1.0)).has_passed(0.5));
        assert!(!course(at(0.3), 1.0, Some(1.0)).has_passed(0.5));
        assert!(!course(at(0.7), 1.0, Some(2.0)).has_passed(0.5));
        assert!(!course(at(0.7), 0.0, None).has_passed(3.5));
    }
}
