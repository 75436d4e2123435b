//! `--detect`: footfalls become markers.

use canter::{Contact, JointId, Marker};
use canter_gltf::Asset;
use serde::Serialize;

use super::Arguments;
use super::file::{MarkersFile, Target};
use crate::failure::Failure;
use crate::inspect::Motion;
use crate::joint;
use crate::output::{Output, QUIET, count, name_or_dash};
use crate::table::{self, Table};

/// Markers of one name that are nearer to each other than this are one: footfalls are not found more exactly.
const SAME_SECS: f32 = 0.05;

/// What was found in a clip.
struct Found {
    clip: usize,
    contacts: Vec<Contact>,
    ground_speed: Option<f32>,
    /// Those that were not there yet.
    new: Vec<Marker>,
}

pub(super) fn run(
    arguments: &Arguments,
    mut asset: Asset,
    clips: &[usize],
    output: &mut Output,
) -> Result<(), Failure> {
    let feet = arguments.feet.iter().map(|name| joint::find(&asset.skeleton, name.trim()));
    let feet: Vec<JointId> = feet.collect::<Result<_, _>>()?;
    let is_beside = !arguments.dry_run && arguments.into.is_none();
    let target = if is_beside { Some(Target::new(arguments)?) } else { None };
    let file = match target.as_ref().and_then(Target::path) {
        Some(path) => MarkersFile::read(path, &mut asset)?,
        None => MarkersFile::default(),
    };
    let found: Vec<Found> = clips.iter().map(|&clip| Found::new(&asset, clip, &feet)).collect();
    if found.iter().all(|found| found.contacts.is_empty()) {
        return Err(nothing_found(arguments, clips.len()));
    }
    for found in &found {
        let markers = [asset.clips[found.clip].markers(), &found.new].concat();
        asset.set_markers(found.clip, markers).map_err(|error| {
            Failure::new(format!("{}: {error}", arguments.file.display()), "leave the clip out, with --clip")
        })?;
    }
    if target == Some(Target::Standard) {
        // The report must not be in the file.
        anstream::eprint!("{}", report(&asset, &found).render());
        output.text(&file.with_markers_of(&asset))?;
        return Ok(());
    }
    let new = found.iter().map(|found| found.new.len()).sum();
    let written = target.as_ref().and_then(Target::path).filter(|path| new > 0 || !path.exists());
    if let Some(path) = written {
        file.write(path, &asset)?;
    }
    if let Some(path) = &arguments.into {
        super::into_model(arguments, &asset, path)?;
    }
    if arguments.json {
        output.json(&json(&asset, &found))?;
        return Ok(());
    }
    table::section(output, "Footfalls", &report(&asset, &found))?;
    let ending = match (&target, written) {
        _ if arguments.into.is_some() => {
            let path = arguments.into.as_deref().unwrap_or(&arguments.file);
            format!("{} in {}", count(new, "new marker"), path.display())
        }
        (None, _) => format!("{}; nothing is written", count(new, "new marker")),
        (Some(_), Some(path)) => format!("{} in {}", count(new, "new marker"), path.display()),
        (Some(_), None) => "All of them have markers already; nothing is written".to_owned(),
    };
    output.line(format_args!("\n{QUIET}{ending}{QUIET:#}"))?;
    Ok(())
}

impl Found {
    fn new(asset: &Asset, index: usize, feet: &[JointId]) -> Self {
        let clip = &asset.clips[index];
        let contacts = clip.contacts(&asset.skeleton, feet);
        // A clip that travels does not slide.
        let by_root = asset.root_joint().and_then(|root| Motion::of(clip, asset, root.joint));
        let by_root = by_root.filter(|motion| motion.distance > 0.0).map(|motion| motion.speed);
        let is_new = |marker: &Marker| {
            let near = |other: &Marker| {
                let apart = (other.secs - marker.secs).abs();
                // The end of a loop is its start.
                other.name == marker.name && apart.min(clip.duration_secs() - apart) < SAME_SECS
            };
            !clip.markers().iter().any(near)
        };
        Self {
            clip: index,
            new: contacts.markers(&asset.skeleton).into_iter().filter(is_new).collect(),
            ground_speed: by_root.or(contacts.ground_speed()),
            contacts: contacts.as_slice().to_vec(),
        }
    }
}

fn nothing_found(arguments: &Arguments, clips: usize) -> Failure {
    let path = arguments.file.display();
    let message = match clips {
        0 => format!("{path} has no clips"),
        _ => format!("{path}: no foot comes down in {}", if clips == 1 { "the clip" } else { "any clip" }),
    };
    let hint = if clips == 0 {
        "footfalls are found in clips only".to_owned()
    } else if arguments.feet.is_empty() {
        "name the joints of the feet: --feet foot_L,foot_R".to_owned()
    } else {
        format!("`canter inspect {path} --tree` lists the joints")
    };
    Failure::new(message, hint)
}

fn report(asset: &Asset, found: &[Found]) -> Table {
    let mut table = Table::new(["clip", "name", "foot", "comes down", "leaves", "metres per second", ""]);
    for Found { clip, contacts, ground_speed, new } in found {
        for contact in contacts {
            let name = asset.skeleton.name(contact.foot);
            let is_new = new.iter().any(|marker| &*marker.name == name && marker.secs == contact.from_secs);
            table.row([
                clip.to_string(),
                name_or_dash(asset.info.clip_names[*clip].as_deref()),
                name_or_dash(Some(name)),
                format!("{:.3}", contact.from_secs),
                format!("{:.3}", contact.to_secs),
                ground_speed.map_or_else(|| "-".to_owned(), |speed| format!("{speed:.2}")),
                if is_new { "new".to_owned() } else { "has a marker".to_owned() },
            ]);
        }
    }
    table
}

#[derive(Serialize)]
struct Report<'a> {
    clips: Vec<ClipReport<'a>>,
}

#[derive(Serialize)]
struct ClipReport<'a> {
    index: usize,
    name: &'a str,
    ground_speed: Option<f32>,
    contacts: Vec<ContactReport<'a>>,
    new_markers: usize,
}

#[derive(Serialize)]
struct ContactReport<'a> {
    foot: &'a str,
    from: f32,
    to: f32,
}

fn json<'a>(asset: &'a Asset, found: &[Found]) -> Report<'a> {
    let contact = |contact: &Contact| ContactReport {
        foot: asset.skeleton.name(contact.foot),
        from: contact.from_secs,
        to: contact.to_secs,
    };
    let clip = |found: &Found| ClipReport {
        index: found.clip,
        name: asset.clips[found.clip].name(),
        ground_speed: found.ground_speed,
        contacts: found.contacts.iter().map(contact).collect(),
        new_markers: found.new.len(),
    };
    Report { clips: found.iter().map(clip).collect() }
}
