//! When a state comes to an exit time.

use super::INSTANT_SECS;
use crate::state::StateClock;

/// Parts of a cycle nearer than this are one.
const NEAR: f64 = 1e-9;

/// The time until a state comes to an exit time, if it does so in `rest` seconds, their end included and their
/// start not, unless the state was just entered. `rate` is its cycles per second, `plays` how often it plays if
/// there is an end to it.
///
/// Up to 1 there is one in every loop, above that one since it was entered.
pub(super) fn crossing(clock: StateClock, rate: f64, exit: f64, plays: Option<f64>, rest: f64) -> Option<f64> {
    if rest <= 0.0 || rate == 0.0 {
        return None;
    }
    if rate.is_infinite() {
        return Some(0.0);
    }
    let at = clock.cycles;
    let ahead = if clock.is_fresh { -NEAR } else { NEAR };
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
    if plays.is_some_and(|plays| crossed > plays + NEAR || crossed < -NEAR) {
        return None;
    }
    let secs = ((crossed - at) / rate).max(0.0);
    (secs <= rest + INSTANT_SECS).then(|| secs.min(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(cycles: f64) -> StateClock {
        StateClock { cycles, is_fresh: false }
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
            let found = crossing(clock, 1.0, exit, None, 10.0).unwrap();
            assert!((found - expected).abs() < 1e-9, "{clock:?} {exit}: {found}");
        }
    }

    #[test]
    fn one_above_one_comes_once() {
        assert_eq!(crossing(at(0.5), 1.0, 3.5, None, 10.0), Some(3.0));
        assert_eq!(crossing(at(3.5), 1.0, 3.5, None, 10.0), None);
        assert_eq!(crossing(at(4.0), 1.0, 3.5, None, 10.0), None);
        assert_eq!(crossing(at(-0.5), -1.0, 3.5, None, 10.0), Some(3.0));
    }

    #[test]
    fn backwards_it_is_crossed_downwards() {
        let secs = crossing(fresh(0.0), -1.0, 0.1, None, 10.0).unwrap();
        assert!((secs - 0.9).abs() < 1e-9);
        let secs = crossing(fresh(1.0), -2.0, 0.1, Some(1.0), 10.0).unwrap();
        assert!((secs - 0.45).abs() < 1e-9);
        assert_eq!(crossing(at(0.05), -1.0, 0.1, Some(1.0), 10.0), None);
    }

    #[test]
    fn nothing_is_crossed_without_time_or_beyond_an_end() {
        assert_eq!(crossing(fresh(0.0), 1.0, 0.0, None, 0.0), None);
        assert_eq!(crossing(at(0.5), 0.0, 0.6, None, 1.0), None);
        assert_eq!(crossing(at(0.9), 1.0, 0.8, Some(1.0), 10.0), None);
        assert_eq!(crossing(at(0.5), 1.0, 0.8, None, 0.2), None);
        assert_eq!(crossing(at(0.0), f64::INFINITY, 0.8, None, 0.2), Some(0.0));
    }
}
