//! The crossfade job in Canter and in its peers, side by side in one run; `cargo xtask bench` runs this and
//! writes `docs/performance.md`.
//!
//! One character-frame: advance two looping actions by 1/60 s, sample both, blend them with weights that
//! change slowly, compose the hierarchy, multiply by the inverse bind matrices. First all are checked to
//! calculate the same; then they take turns, and the shortest of many short runs counts. Everything is on one
//! thread. The result goes to standard output as JSON, progress to standard error.

mod bevy;
mod canter_core;
mod canter_ecs_world;
mod check;
mod clock;
mod fyrox;
mod job;
mod machine;
mod plain;
mod random;
mod rig;
mod sizes;

use job::Job;
use rig::{Kind, Rig, Spec};
use serde::Serialize;

#[derive(Serialize)]
struct Report {
    machine: machine::Machine,
    /// Nanoseconds per character-frame.
    jobs: Vec<Row>,
    checks: Vec<check::Check>,
    sizes: Vec<sizes::Plot>,
}

#[derive(Serialize)]
struct Row {
    tracks: &'static str,
    characters: usize,
    nanos: Vec<Figure>,
}

#[derive(Serialize)]
struct Figure {
    name: &'static str,
    nanos: f64,
}

fn main() -> Result<(), serde_json::Error> {
    let mut checks = Vec::new();
    let mut jobs = Vec::new();
    for kind in [Kind::Full, Kind::Typical] {
        let rig = Rig::new(&Spec { kind, ..Spec::default() });
        checks.extend(check::check(&rig));
        for characters in [1, 1_000] {
            eprintln!("{} tracks, {characters} characters", kind.name());
            jobs.push(row(&rig, characters, all(&rig, characters)));
        }
        eprintln!("{} tracks, 10000 characters", kind.name());
        jobs.push(row(&rig, 10_000, canter_and_plain(&rig, 10_000)));
    }
    let report = Report { machine: machine::describe(), jobs, checks, sizes: sizes::measure() };
    println!("{}", serde_json::to_string_pretty(&report)?);
    Ok(())
}

fn canter_and_plain(rig: &Rig, characters: usize) -> Vec<Box<dyn Job + '_>> {
    vec![
        Box::new(canter_core::Characters::new(rig, characters)),
        Box::new(canter_core::OneCrowd::new(rig, characters)),
        Box::new(canter_ecs_world::Entities::new(rig, characters)),
        Box::new(plain::Characters::new(rig, characters, plain::Mix::LIKE_CANTER)),
    ]
}

fn all(rig: &Rig, characters: usize) -> Vec<Box<dyn Job + '_>> {
    let mut jobs = canter_and_plain(rig, characters);
    jobs.push(Box::new(bevy::Entities::new(rig, characters)));
    jobs.push(Box::new(fyrox::Characters::new(rig, characters)));
    jobs
}

fn row(rig: &Rig, characters: usize, mut jobs: Vec<Box<dyn Job + '_>>) -> Row {
    let names: Vec<_> = jobs.iter().map(|job| job.name()).collect();
    let mut frames: Vec<Box<dyn FnMut() + '_>> = Vec::new();
    for job in &mut jobs {
        frames.push(Box::new(|| job.frame()));
    }
    let nanos = clock::nanos_per_call(&mut frames);
    let figures = names.into_iter().zip(nanos);
    let nanos = figures.map(|(name, nanos)| Figure { name, nanos: nanos / characters as f64 }).collect();
    Row { tracks: rig.kind.name(), characters, nanos }
}
