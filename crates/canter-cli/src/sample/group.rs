//! `--clip A --time T --weight W`, several times over.

use std::path::Path;
use std::sync::Arc;

use canter::LARGEST;
use canter_gltf::Asset;
use clap::ArgMatches;

use super::Arguments;
use crate::clip;
use crate::failure::Failure;

/// One `--clip` with what belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group {
    clip: String,
    time_secs: f32,
    weight: f32,
}

/// A clip of the file at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) clip: usize,
    pub(super) time_secs: f32,
    pub(super) weight: f32,
}

/// Gives every `--time` and `--weight` to the `--clip` before it. With a single clip their order does not
/// matter.
pub(super) fn groups(arguments: &Arguments, matches: &ArgMatches) -> Result<Vec<Group>, Failure> {
    let places = |name: &str| -> Vec<usize> { matches.indices_of(name).into_iter().flatten().collect() };
    let clips = places("clip");
    let owner = |place: usize, option: &str| match clips.iter().rposition(|&clip| clip < place) {
        Some(owner) => Ok(owner),
        None if clips.len() == 1 => Ok(0),
        None => Err(Failure::new(
            format!("--{option} belongs to no clip"),
            format!(
                "write it behind its clip: --clip NAME --{option} {}",
                if option == "time" { "0.5" } else { "1" }
            ),
        )),
    };
    let values = |option: &str, given: &[f32]| -> Result<Vec<Option<f32>>, Failure> {
        let mut values = vec![None; clips.len()];
        for (place, &value) in places(option).into_iter().zip(given) {
            let owner = owner(place, option)?;
            if values[owner].replace(value).is_some() {
                let message = format!("--{option} is given twice for the clip \"{}\"", arguments.clip[owner]);
                return Err(Failure::new(message, "give each clip one, behind it"));
            }
            // The mixer takes no larger weights.
            let (is_fine, hint) = match option {
                "weight" => {
                    ((0.0..=LARGEST).contains(&value), "give a number from 0 to 1e18: only ratios count")
                }
                _ => (value.is_finite(), "give a finite number"),
            };
            if !is_fine {
                return Err(Failure::new(format!("--{option} {value} is no use"), hint));
            }
        }
        Ok(values)
    };
    let times = values("time", &arguments.time)?;
    let weights = values("weight", &arguments.weight)?;
    let group = |(clip, (time, weight)): (&String, (Option<f32>, Option<f32>))| Group {
        clip: clip.clone(),
        time_secs: time.unwrap_or(0.0),
        weight: weight.unwrap_or(1.0),
    };
    Ok(arguments.clip.iter().zip(times.into_iter().zip(weights)).map(group).collect())
}

/// Finds the clips: by name, or else by index.
pub(super) fn find_clips(groups: &[Group], asset: &Asset, path: &Path) -> Result<Vec<Part>, Failure> {
    let find = |group: &Group| {
        let found = clip::find(asset, &group.clip, path)?;
        let clip = asset.clips.iter().position(|clip| Arc::ptr_eq(clip, found)).expect("it is of the file");
        Ok(Part { clip, time_secs: group.time_secs, weight: group.weight })
    };
    groups.iter().map(find).collect()
}
