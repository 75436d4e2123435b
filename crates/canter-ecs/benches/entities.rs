//! What entities cost beside a crowd and beside mixers of one's own.
//!
//! `cargo bench -p canter-ecs` prints nanoseconds per character-frame, as the benchmark `crossfade` of `canter` defines
//! them: two looping clips whose weights change, sampled, blended, composed and multiplied into a palette of 64 joints.
//! The jobs take turns of several frames, the first of which brings back what the others drove out of the caches and is
//! not counted. Medians and minima of all others.
#![allow(clippy::print_stdout, reason = "a benchmark reports")]

#[path = "../../canter/benches/crossfade/rig.rs"]
#[allow(dead_code, reason = "the benchmark of the core uses all of it")]
mod rig;

use std::sync::Arc;
use std::time::Instant;

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::SingleThreadedExecutor;
use canter::{ActionId, Crowd, Mat3x4, Mixer, ModelPose, Play, Pose};
use canter_ecs::{AnimationMixer, AnimationSet, Time, Update};
use rig::{Kind, Rig};

const DT_SECS: f32 = 1.0 / 60.0;
const TURNS: usize = 100;
const FRAMES_OF_A_TURN: usize = 5;

fn main() {
    println!("nanoseconds per character-frame: median (minimum), one thread");
    for kind in [Kind::Full, Kind::Typical] {
        println!("{kind:?}: {}", kind.describe());
        let rig = Rig::new(kind);
        for count in [1, 100, 1_000] {
            let (mut crowd, mut own) = (OneCrowd::new(&rig, count), Characters::new(&rig, count));
            let (mut shared, mut entities) = (Characters::new(&rig, count), Entities::new(&rig, count));
            let mut jobs: [(&str, &mut dyn FnMut()); 4] = [
                ("a crowd", &mut || crowd.frame()),
                ("mixers of one's own, poses shared", &mut || shared.frame_with_one_pose(&rig)),
                ("mixers and poses of one's own", &mut || own.frame(&rig)),
                ("entities", &mut || entities.frame()),
            ];
            println!("{count:>6} characters");
            let mut nanos = jobs.each_ref().map(|_| Vec::new());
            for _ in 0..TURNS {
                for ((_, job), nanos) in jobs.iter_mut().zip(&mut nanos) {
                    job();
                    nanos.extend((0..FRAMES_OF_A_TURN).map(|_| time(job) / count as f64));
                }
            }
            for nanos in &mut nanos {
                nanos.sort_unstable_by(f64::total_cmp);
            }
            let median = TURNS * FRAMES_OF_A_TURN / 2;
            let of_crowd = nanos[0][median];
            for ((name, _), nanos) in jobs.iter().zip(&nanos) {
                let (median, min) = (nanos[median], nanos[0]);
                println!("{name:>40}: {median:>6.0} ({min:.0}), {:.2} of a crowd", median / of_crowd);
            }
        }
    }
}

fn time(job: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    job();
    start.elapsed().as_secs_f64() * 1e9
}

fn start(mixer: &mut Mixer, rig: &Rig, index: usize) -> [ActionId; 2] {
    let start_secs = Some(index as f32 * 0.037);
    [0, 1].map(|clip| mixer.play(&rig.clips[clip], Play { start_secs, ..Play::default() }))
}

fn set_weights(mixer: &mut Mixer, actions: [ActionId; 2], weight: f32) {
    for (action, weight) in actions.into_iter().zip([weight, 1.0 - weight]) {
        mixer.get_mut(action).expect("it plays").set_weight(weight).expect("a weight from 0 to 1");
    }
}

struct OneCrowd {
    crowd: Crowd,
    actions: Vec<[ActionId; 2]>,
    phase: f32,
}

impl OneCrowd {
    fn new(rig: &Rig, count: usize) -> Self {
        let mut crowd: Crowd = Crowd::new(&rig.skeleton, vec![Arc::clone(&rig.skin)]);
        let actions = (0..count).map(|index| start(crowd.spawn(), rig, index)).collect();
        Self { crowd, actions, phase: 0.0 }
    }

    fn frame(&mut self) {
        self.phase = rig::next_phase(self.phase);
        for (mixer, actions) in self.crowd.mixers_mut().iter_mut().zip(&self.actions) {
            set_weights(mixer, *actions, rig::weight(self.phase));
        }
        self.crowd.update(DT_SECS);
    }
}

struct Character {
    mixer: Mixer,
    actions: [ActionId; 2],
    pose: Pose,
    model: ModelPose,
    palette: Vec<Mat3x4>,
}

struct Characters {
    all: Vec<Character>,
    phase: f32,
    pose: Pose,
    model: ModelPose,
}

impl Characters {
    fn new(rig: &Rig, count: usize) -> Self {
        let (pose, model) = (Pose::rest(&rig.skeleton), ModelPose::rest(&rig.skeleton));
        let all = (0..count).map(|index| {
            let mut mixer = Mixer::new(&rig.skeleton);
            let actions = start(&mut mixer, rig, index);
            let palette = vec![Mat3x4::IDENTITY; rig.skin.len()];
            Character { mixer, actions, pose: pose.clone(), model: model.clone(), palette }
        });
        Self { all: all.collect(), phase: 0.0, pose, model }
    }

    fn frame(&mut self, rig: &Rig) {
        self.phase = rig::next_phase(self.phase);
        for Character { mixer, actions, pose, model, palette } in &mut self.all {
            set_weights(mixer, *actions, rig::weight(self.phase));
            mixer.advance(DT_SECS);
            mixer.sample(pose);
            model.compose(&rig.skeleton, pose);
            rig.skin.write_palette(model, palette);
        }
    }

    fn frame_with_one_pose(&mut self, rig: &Rig) {
        self.phase = rig::next_phase(self.phase);
        for Character { mixer, actions, palette, .. } in &mut self.all {
            set_weights(mixer, *actions, rig::weight(self.phase));
            mixer.advance(DT_SECS);
            mixer.sample(&mut self.pose);
            self.model.compose(&rig.skeleton, &self.pose);
            rig.skin.write_palette(&self.model, palette);
        }
    }
}

#[derive(Component)]
struct Actions([ActionId; 2]);

#[derive(Resource, Default)]
struct Phase(f32);

struct Entities(World);

impl Entities {
    fn new(rig: &Rig, count: usize) -> Self {
        let mut world = World::new();
        canter_ecs::install(&mut world, Update);
        world.init_resource::<Phase>();
        world.resource_mut::<Time>().delta_secs = DT_SECS;
        let mut schedules = world.resource_mut::<Schedules>();
        schedules.add_systems(Update, weigh.before(AnimationSet::Advance));
        // Handing systems to other threads takes longer than a hundred characters.
        schedules.entry(Update).set_executor(SingleThreadedExecutor::new());
        let skeleton = canter_ecs::Rig::new(&rig.skeleton, [Arc::clone(&rig.skin)]);
        for index in 0..count {
            let mut mixer = AnimationMixer::new(&skeleton);
            let actions = Actions(start(&mut mixer, rig, index));
            world.spawn((skeleton.clone(), mixer, actions));
        }
        Self(world)
    }

    fn frame(&mut self) {
        self.0.run_schedule(Update);
    }
}

fn weigh(mut phase: ResMut<'_, Phase>, mut mixers: Query<'_, '_, (&mut AnimationMixer, &Actions)>) {
    phase.0 = rig::next_phase(phase.0);
    for (mut mixer, actions) in &mut mixers {
        set_weights(&mut mixer, actions.0, rig::weight(phase.0));
    }
}
