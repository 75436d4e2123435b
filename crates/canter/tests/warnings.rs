//! Warnings are told once per cause, however many frames and mixers it comes up in.

use std::sync::Mutex;

use canter::{Layer, Mixer, Play};
use canter_testing::{one_joint, rise};
use log::{LevelFilter, Log, Metadata, Record};

struct Collector(Mutex<Vec<String>>);

static WARNINGS: Collector = Collector(Mutex::new(Vec::new()));

impl Log for Collector {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        self.0.lock().unwrap().push(record.args().to_string());
    }

    fn flush(&self) {}
}

/// One test: what was told before is not told again in this process.
#[test]
fn every_cause_is_told_once() {
    log::set_logger(&WARNINGS).unwrap();
    log::set_max_level(LevelFilter::Warn);
    let skeleton = one_joint();
    let clip = rise(&skeleton, "Rise", 1.0, 1.0);
    let told = |part: &str| WARNINGS.0.lock().unwrap().iter().filter(|text| text.contains(part)).count();
    for _ in 0..100 {
        let mut mixer = Mixer::new(&skeleton);
        let bad = Play { speed: f32::NAN, weight: -1.0, start_secs: Some(f32::INFINITY), ..Play::default() };
        let id = mixer.play(&clip, bad);
        for step in [f32::NAN, -1.0, f32::INFINITY] {
            assert!(mixer.advance(step).as_slice().is_empty());
        }
        mixer.set_speed(f32::NAN);
        assert_eq!(Layer::additive().with_weight(f32::NAN).weight(), 1.0);
        // What is returned as an error is not logged as well.
        assert!(mixer.get_mut(id).unwrap().set_speed(f32::NAN).is_err());
    }
    for cause in [
        "step of NaN",
        "step of -1",
        "step of inf",
        "mixer's speed",
        "speed NaN",
        "weight -1",
        "start at",
        "layer's",
    ] {
        assert_eq!(told(cause), 1, "{cause}");
    }
    assert_eq!(WARNINGS.0.lock().unwrap().len(), 8);
}
