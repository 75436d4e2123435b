//! The crossfade job: what one character costs per frame, beside a plain implementation of the same.
//!
//! `cargo bench -p canter` prints nanoseconds per character-frame and ratios. A character-frame is: advance
//! two looping actions by 1/60 s, sample both, blend them, compose 64 joints, multiply by the inverse bind
//! matrices. Machines are noisy: every figure is the shortest of many runs, in which Canter and the plain
//! implementation take turns. `cargo bench -p canter --bench crossfade -- counts` counts instructions
//! instead.
#![allow(clippy::print_stdout, reason = "a benchmark reports")]

mod clock;
mod counts;
mod layers;
mod library;
mod plain;
mod rates;
mod rig;

use std::hint::black_box;
use std::sync::Arc;

use canter::{ActionId, Crowd, Mat3x4, Mixer, ModelPose, Play, Pose};

use clock::nanos_per_call;
use rig::{Kind, Rig};

const DT_SECS: f32 = 1.0 / 60.0;

/// One character with everything of its own.
struct Character {
    mixer: Mixer,
    actions: [ActionId; 2],
    pose: Pose,
    model: ModelPose,
    palette: Vec<Mat3x4>,
    phase: f32,
}

impl Character {
    fn new(rig: &Rig, index: usize) -> Self {
        let mut mixer = Mixer::new(&rig.skeleton);
        let actions = start(&mut mixer, rig, index);
        Self {
            mixer,
            actions,
            pose: Pose::rest(&rig.skeleton),
            model: ModelPose::rest(&rig.skeleton),
            palette: vec![Mat3x4::IDENTITY; rig.skin.len()],
            phase: 0.0,
        }
    }

    fn weights(&mut self) {
        self.phase = rig::next_phase(self.phase);
        set_weights(&mut self.mixer, self.actions, rig::weight(self.phase));
    }

    fn frame(&mut self, rig: &Rig) {
        self.weights();
        self.mixer.advance(DT_SECS);
        self.mixer.sample(&mut self.pose);
        self.model.compose(&rig.skeleton, &self.pose);
        rig.skin.write_palette(&self.model, &mut self.palette);
    }
}

fn set_weights(mixer: &mut Mixer, actions: [ActionId; 2], weight: f32) {
    for (action, weight) in actions.into_iter().zip([weight, 1.0 - weight]) {
        let mut action = mixer.get_mut(action).expect("it plays");
        action.set_weight(weight).expect("a weight from 0 to 1");
    }
}

fn start(mixer: &mut Mixer, rig: &Rig, index: usize) -> [ActionId; 2] {
    #[expect(clippy::cast_precision_loss, reason = "a small index")]
    let start_secs = Some(index as f32 * 0.037);
    [0, 1].map(|clip| mixer.play(&rig.clips[clip], Play { start_secs, ..Play::default() }))
}

fn main() {
    if counts::run_child() {
        return;
    }
    if std::env::args().any(|argument| argument == "rates") {
        rates::print(&Rig::new(Kind::Full));
        return;
    }
    if std::env::args().any(|argument| argument == "motion") {
        for kind in [Kind::Full, Kind::Typical] {
            println!("{kind:?}: {}", kind.describe());
            layers::print_motion(&Rig::new(kind));
        }
        return;
    }
    if std::env::args().any(|argument| argument == "library") {
        let (full, typical) = (Rig::new(Kind::Full), Rig::new(Kind::Typical));
        library::print([("full", &full), ("typical", &typical)]);
        return;
    }
    if std::env::args().any(|argument| argument == "counts") {
        counts::print();
        layers::print_counts();
        return;
    }
    println!("nanoseconds per character-frame: min of many runs, 64 joints");
    let only_characters = std::env::args().any(|argument| argument == "characters");
    for kind in [Kind::Full, Kind::Typical] {
        let rig = Rig::new(kind);
        plain::check_agreement(&rig);
        println!("\n{kind:?}: {}", kind.describe());
        println!("{:>12} {:>10} {:>10} {:>10} {:>8}", "characters", "canter", "crowd", "plain", "ratio");
        for count in [1, 100, 1_000, 10_000] {
            let [canter, crowd, plain] = side_by_side(&rig, count);
            println!("{count:>12} {canter:>10.0} {crowd:>10.0} {plain:>10.0} {:>8.1}", plain / canter);
        }
        if only_characters {
            continue;
        }
        stages(&rig);
        seeks(&rig);
        idle_node(&rig, &Rig::with_nodes(kind, &["mesh"]));
        layers::print(&rig);
        rates::print(&rig);
    }
    let rig = Rig::new(Kind::Full);
    println!(
        "\nplayback state: {} bytes per character with two actions; clip A: {} bytes",
        Character::new(&rig, 0).mixer.memory_bytes(),
        rig.clips[0].memory_bytes()
    );
    println!("clips in memory, packed and not: cargo bench -p canter --bench crossfade -- library");
    println!(
        "markers and root motion, measured for longer: cargo bench -p canter --bench crossfade -- motion"
    );
    println!("instructions instead of nanoseconds: cargo bench -p canter --bench crossfade -- counts");
}

fn side_by_side(rig: &Rig, count: usize) -> [f64; 3] {
    let mut canter: Vec<_> = (0..count).map(|index| Character::new(rig, index)).collect();
    let mut crowd: Crowd = Crowd::new(&rig.skeleton, vec![Arc::clone(&rig.skin)]);
    for index in 0..count {
        start(crowd.spawn(), rig, index);
    }
    let mut plain: Vec<_> = (0..count).map(|index| plain::Character::new(rig, index)).collect();
    let mut jobs: [&mut dyn FnMut(); 3] = [
        &mut || canter.iter_mut().for_each(|character| character.frame(rig)),
        &mut || crowd.update(DT_SECS),
        &mut || plain.iter_mut().for_each(|character| character.frame(rig)),
    ];
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    nanos_per_call(&mut jobs).map(|nanos| nanos / count as f64)
}

/// Each stage by itself, on one character.
fn stages(rig: &Rig) {
    let mut character = Character::new(rig, 3);
    let mut clips = Character::new(rig, 3);
    let (mut composed, mut written) = (Character::new(rig, 3), Character::new(rig, 3));
    let mut advanced = Character::new(rig, 3);
    let mut jobs: [&mut dyn FnMut(); 5] = [
        &mut || {
            advanced.weights();
            black_box(advanced.mixer.advance(DT_SECS));
        },
        &mut || {
            for clip in &rig.clips {
                clip.sample(black_box(0.317), &mut clips.pose);
            }
        },
        &mut || character.mixer.sample(black_box(&mut character.pose)),
        &mut || composed.model.compose(&rig.skeleton, black_box(&composed.pose)),
        &mut || rig.skin.write_palette(black_box(&written.model), &mut written.palette),
    ];
    let [advance, sample, both, compose, palette] = nanos_per_call(&mut jobs);
    println!(
        "    by stage: advance {advance:.0}, sample and blend {both:.0} (the two clips alone {sample:.0}), \
         compose {compose:.0}, palette {palette:.0}"
    );
}

/// What a node costs that nothing moves.
fn idle_node(rig: &Rig, with_node: &Rig) {
    let mut without = Character::new(rig, 3);
    let mut with = Character::new(with_node, 3);
    let mut jobs: [&mut dyn FnMut(); 2] = [&mut || without.frame(rig), &mut || with.frame(with_node)];
    let [without, with] = nanos_per_call(&mut jobs);
    println!("    a 65th node that nothing moves: {with:.0}, {:.2} times 64", with / without);
}

/// Playing on against jumping about.
fn seeks(rig: &Rig) {
    let (mut played, mut sought) = (Character::new(rig, 0), Character::new(rig, 0));
    let mut random = 1_u32;
    let mut jobs: [&mut dyn FnMut(); 2] = [&mut || played.frame(rig), &mut || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        #[expect(clippy::cast_precision_loss, reason = "a random number")]
        let secs = (random >> 8) as f32 / 1.7e7;
        for action in sought.actions {
            sought.mixer.get_mut(action).expect("it plays").seek(secs).expect("a finite time");
        }
        sought.frame(rig);
    }];
    let [play, seek] = nanos_per_call(&mut jobs);
    println!("    random seeks: {seek:.0}, {:.2} times playing on", seek / play);
}
