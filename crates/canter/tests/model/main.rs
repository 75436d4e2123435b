//! A mixer against a slow model of it, through thousands of random operations.
//!
//! The model ([`mixer`], [`clock`], [`fade`]) is written from what the documentation says, in double
//! precision, with maps and no tricks. All times here are multiples of 1/64 s and all speeds of 1/4, so that
//! every sum is exact in both: times, loops and events must be equal, not just near.

mod clock;
mod fade;
mod mixer;
mod operation;
mod world;

use std::collections::HashSet;

use canter::{EventKind, LoopMode, Mixer, Pose};
use canter_testing::compare::Errors;
use canter_testing::distance;
use canter_testing::random::Random;

use operation::Operation;
use world::World;

const SEQUENCES: u64 = 100;
const STEPS: usize = 500;
/// What the crate promises of a pose.
const TOLERANCE: f64 = 1e-5;
/// Weights are divided and eased in `f32`.
const WEIGHT_TOLERANCE: f64 = 1e-5;

#[test]
fn a_mixer_does_what_its_documentation_says() {
    let mut seen = HashSet::new();
    let mut errors = Errors::default();
    for seed in 0..SEQUENCES {
        let mut run = Run::new(seed);
        for step in 0..STEPS {
            run.step(step);
        }
        errors.add(&run.errors);
        seen.extend(run.seen);
    }
    errors.report("model");
    assert_eq!(seen.len(), operation::KINDS, "every operation was tried: {seen:?}");
}

/// One sequence of operations on both.
struct Run {
    random: Random,
    world: World,
    real: Mixer,
    model: mixer::Model,
    pose: Pose,
    errors: Errors,
    /// For the message of a failure.
    log: Vec<String>,
    seen: HashSet<&'static str>,
}

impl Run {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let world = World::random(&mut random);
        Self {
            real: Mixer::new(&world.rig.skeleton),
            model: mixer::Model::default(),
            pose: Pose::rest(&world.rig.skeleton),
            errors: Errors::default(),
            log: vec![format!("seed {seed}")],
            seen: HashSet::new(),
            random,
            world,
        }
    }

    fn step(&mut self, step: usize) {
        let operation = Operation::random(&mut self.random, &self.world, &self.model);
        self.log.push(format!("{step}: {operation:?}"));
        self.seen.insert(operation.name());
        let switches = operation.switches(&self.model);
        if let Operation::Advance { .. } = operation {
            self.check_continuity();
        }
        operation
            .apply(&self.world, &mut self.real, &mut self.model)
            .unwrap_or_else(|fault| self.fail(&fault));
        let before = self.pose.clone();
        self.real.sample(&mut self.pose);
        // Shares that go on from what they are may be rounded anew.
        let moved = distance(&self.world.rig.skeleton, &before, &self.pose);
        if !switches && moved > 2e-5 {
            self.fail(&format!("the pose has changed at once, by {moved}"));
        }
        self.compare();
    }

    fn compare(&mut self) {
        let real: Vec<_> = self.real.actions().map(|(id, _)| id).collect();
        if real.len() != self.model.actions.len()
            || !real.iter().all(|id| self.model.actions.contains_key(id))
        {
            self.fail(&format!("actions {real:?}, expected {:?}", self.model.actions.keys()));
        }
        let shares = self.model.shares();
        for (id, action) in self.real.actions() {
            let model = &self.model.actions[&id];
            let same = f64::from(action.time_secs()) == model.clock.shown_secs()
                && action.loops() == model.clock.loops()
                && action.is_finished() == model.clock.is_finished
                && action.is_paused() == model.is_paused
                && action.is_started() == model.is_started
                && (action.speed(), action.weight()) == (model.clock.speed, model.weight)
                && action.loop_mode() == model.clock.loop_mode
                && action.is_fading() == (model.is_started && model.fader.is_fading())
                && action.is_fading_out() == (model.is_started && !model.fader.is_wanted)
                && near(action.fade_level(), model.level());
            if !same {
                self.fail(&format!("{id:?} is\n{action:#?}\nexpected\n{model:#?}"));
            }
            let weight = self.real.effective_weight(id).expect("it is there");
            let expected = shares.of[&id];
            if !(0.0..=1.0).contains(&weight) || !near(weight, expected) {
                self.fail(&format!("{id:?} has the weight {weight}, not {expected}"));
            }
        }
        if !near(self.real.rest_weight(), shares.rest) {
            self.fail(&format!(
                "the rest pose has the weight {}, not {}",
                self.real.rest_weight(),
                shares.rest
            ));
        }
        for id in &self.model.gone {
            if self.real.get(*id).is_some() {
                self.fail(&format!("{id:?} came back"));
            }
        }
        let mut here = Errors::default();
        here.pose(&self.world.rig, &self.pose, &self.model.pose(&self.world));
        if here.largest > TOLERANCE {
            self.fail(&format!("the pose is wrong: {here:?}"));
        }
        self.errors.add(&here);
    }

    /// Time that runs on moves the pose a little, whatever fades, ends or leaves; only a loop that starts
    /// again may jump.
    fn check_continuity(&mut self) {
        const SHORT_SECS: f32 = 1.0 / 4096.0;
        const MOST: f32 = 0.05;
        let mut later = self.real.clone();
        let (mut before, mut after) = (self.pose.clone(), self.pose.clone());
        later.sample(&mut before);
        let starts_again = |event: &canter::Event| {
            let is_looped = matches!(event.kind, EventKind::Looped { .. });
            is_looped
                && self.real.get(event.action).is_some_and(|action| action.loop_mode() != LoopMode::PingPong)
        };
        let jumps = later.advance(SHORT_SECS).as_slice().iter().any(starts_again);
        later.sample(&mut after);
        let distance = distance(&self.world.rig.skeleton, &before, &after);
        // What was put to a weight of nothing by hand gave up its joints at once: others may have to fill
        // them quickly.
        let is_muted = self.real.actions().any(|(_, action)| action.is_started() && action.weight() <= 0.0);
        if !jumps && !is_muted && distance > MOST {
            self.fail(&format!("the pose jumps by {distance}"));
        }
    }

    fn fail(&self, fault: &str) -> ! {
        let from = self.log.len().saturating_sub(12).max(1);
        panic!("{}, …\n{}\n{fault}", self.log[0], self.log[from..].join("\n"));
    }
}

fn near(real: f32, model: f64) -> bool {
    (f64::from(real) - model).abs() <= WEIGHT_TOLERANCE
}
