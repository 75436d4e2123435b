//! Animations that are replaced or added, and their markers.

use canter::{Clip, Interpolation, Marker, Property, TrackTarget};

use super::document::Document;
use super::error::WriteError;
use super::json::Json;
use super::pool::AccessorKey;
use super::view;
use crate::accessor::Kind;
use crate::asset::Asset;

/// A channel and its sampler, as they are written.
#[derive(Clone, Debug)]
pub(crate) struct NewChannel {
    pub(crate) node: usize,
    pub(crate) path: &'static str,
    pub(crate) interpolation: Interpolation,
    pub(crate) times: Vec<f32>,
    pub(crate) values: Values,
}

/// The values of all keys.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    Floats(Vec<f32>),
    /// Fractions from -1 to 1 in 16 bits.
    Fractions(Vec<i16>),
}

impl NewChannel {
    fn kind(&self) -> Kind {
        match self.path {
            "rotation" => Kind::Vec4,
            "weights" => Kind::Scalar,
            _ => Kind::Vec3,
        }
    }

    /// The keys of a clip's tracks.
    pub(crate) fn of_clip(clip: &Clip, asset: &Asset) -> Vec<Self> {
        let channel = |track: canter::ClipTrack| {
            let (node, path) = target(track.target, asset)?;
            let (times, numbers) = (track.curve.times(), track.curve.numbers());
            if numbers.is_empty() {
                return None;
            }
            let interpolation = track.curve.interpolation();
            let values = Values::Floats(numbers.to_vec());
            Some(Self { node, path, interpolation, times: ascending(times), values })
        };
        clip.tracks().filter_map(channel).collect()
    }
}

/// The node and the path that a track is for.
pub(crate) fn target(target: TrackTarget, asset: &Asset) -> Option<(usize, &'static str)> {
    match target {
        TrackTarget::Joint(joint, property) => {
            let path = match property {
                Property::Translation => "translation",
                Property::Rotation => "rotation",
                Property::Scale => "scale",
            };
            Some((asset.skeleton.source_index(joint), path))
        }
        TrackTarget::Morph(morph) => {
            Some((asset.nodes.iter().position(|node| node.morph == Some(morph))?, "weights"))
        }
    }
}

/// The specification wants every time later than the one before: jumps take the shortest time there is, before
/// the time at which they are.
pub(crate) fn ascending(times: &[f32]) -> Vec<f32> {
    let mut ascending = times.to_vec();
    for key in (1..ascending.len()).rev() {
        if ascending[key - 1] >= ascending[key] && ascending[key] > 0.0 {
            ascending[key - 1] = ascending[key].next_down();
        }
    }
    // Jumps at the very start have no time before them.
    for key in 1..ascending.len() {
        if ascending[key] <= ascending[key - 1] {
            ascending[key] = ascending[key - 1].next_up();
        }
    }
    ascending
}

impl<'a> Document<'a> {
    /// Gives an animation the tracks, the name and the markers of a clip, which fits the skeleton of `asset`:
    /// what this file loads to. Channels that Canter cannot read stay.
    ///
    /// # Errors
    /// If there is no such animation, or the clip is nothing that a file can have.
    pub fn set_animation(&mut self, index: usize, clip: &Clip, asset: &Asset) -> Result<(), WriteError> {
        self.animation(index)?;
        let channels = channels_of(clip, asset)?;
        self.set_channels(index, &channels)?;
        let animation = self.animation(index)?;
        let has_markers = animation.path(&["extras", "markers"]).is_some();
        // A clip without a name is called by its index elsewhere; here it has none.
        if !clip.name().is_empty() {
            animation.set("name", clip.name());
        }
        if has_markers || !clip.markers().is_empty() {
            self.set_markers(index, clip.markers())?;
        }
        Ok(())
    }

    /// Adds an animation behind the others; see [`set_animation`](Self::set_animation). Returns its index.
    ///
    /// # Errors
    /// If the clip is nothing that a file can have.
    pub fn add_animation(&mut self, clip: &Clip, asset: &Asset) -> Result<usize, WriteError> {
        channels_of(clip, asset)?;
        let animations = self.json.list("animations");
        let empty =
            Json::object().with("channels", Json::List(Vec::new())).with("samplers", Json::List(Vec::new()));
        animations.push(empty);
        let index = animations.len() - 1;
        self.set_animation(index, clip, asset)?;
        Ok(index)
    }

    /// Gives an animation markers instead of those that it has, in its `extras`.
    ///
    /// # Errors
    /// If there is no such animation, or its `extras` are no object.
    pub fn set_markers(&mut self, index: usize, markers: &[Marker]) -> Result<(), WriteError> {
        let animation = self.animation(index)?;
        if animation.get("extras").is_none() {
            if markers.is_empty() {
                return Ok(());
            }
            animation.set("extras", Json::object());
        }
        let extras = animation.get("extras").filter(|extras| extras.to_text().starts_with(b"{"));
        let extras = extras.ok_or(WriteError::Extras { animation: index })?;
        if markers.is_empty() {
            extras.remove("markers");
            return Ok(());
        }
        let marker = |marker: &Marker| {
            let json = Json::object().with("name", &*marker.name).with("time", marker.secs);
            if marker.is_window() { json.with("duration", marker.length_secs) } else { json }
        };
        extras.set("markers", Json::List(markers.iter().map(marker).collect()));
        Ok(())
    }

    /// Replaces all channels that drive nodes. What drives anything else stays.
    pub(crate) fn set_channels(&mut self, index: usize, channels: &[NewChannel]) -> Result<(), WriteError> {
        let accessors: Vec<(usize, usize)> = channels.iter().map(|channel| self.add_keys(channel)).collect();
        let animation = self.animation(index)?;
        let old_channels = std::mem::take(animation.list("channels"));
        let old_samplers = std::mem::take(animation.list("samplers"));
        let mut samplers: Vec<Json<'a>> = Vec::new();
        let mut is_written = vec![false; channels.len()];
        let mut list = Vec::new();
        for mut channel in old_channels {
            let number = match channel_target(&mut channel) {
                None => {
                    // Nothing of ours: it keeps its sampler.
                    let old = channel.number_at(&["sampler"]).and_then(|old| old_samplers.get(old));
                    let Some(old) = old else { continue };
                    samplers.push(old.clone());
                    samplers.len() - 1
                }
                Some((node, path)) => {
                    let is_it = |new: &NewChannel| new.node == node && new.path == path;
                    let Some(new) = channels.iter().position(is_it).filter(|&new| !is_written[new]) else {
                        continue;
                    };
                    is_written[new] = true;
                    let old = channel.number_at(&["sampler"]).and_then(|old| old_samplers.get(old));
                    let sampler = old.cloned().unwrap_or_else(Json::object);
                    add_sampler(
                        &mut samplers,
                        with_keys(sampler, accessors[new], channels[new].interpolation),
                    )
                }
            };
            channel.set("sampler", number);
            list.push(channel);
        }
        for (new, channel) in channels.iter().enumerate().filter(|(new, _)| !is_written[*new]) {
            let sampler = with_keys(Json::object(), accessors[new], channel.interpolation);
            let target = Json::object().with("node", channel.node).with("path", channel.path);
            let number = add_sampler(&mut samplers, sampler);
            list.push(Json::object().with("sampler", number).with("target", target));
        }
        let animation = self.animation(index)?;
        *animation.list("channels") = list;
        *animation.list("samplers") = samplers;
        Ok(())
    }

    /// The accessors of a channel's times and values.
    fn add_keys(&mut self, channel: &NewChannel) -> (usize, usize) {
        let times = AccessorKey::floats(Kind::Scalar, &channel.times).with_bounds();
        let values = match &channel.values {
            Values::Floats(numbers) => AccessorKey::floats(channel.kind(), numbers),
            Values::Fractions(numbers) => AccessorKey::fractions(channel.kind(), numbers),
        };
        (self.add_accessor(times), self.add_accessor(values))
    }

    /// Bytes that an animation takes: its JSON, and all data that it shows.
    pub(crate) fn animation_bytes(&mut self, index: usize) -> usize {
        let Some(animation) = self.json.each("animations").get_mut(index) else { return 0 };
        let json = animation.to_text().len();
        let mut accessors: Vec<usize> = Vec::new();
        for sampler in animation.each("samplers") {
            accessors.extend(["input", "output"].iter().filter_map(|name| sampler.number_at(&[name])));
        }
        accessors.sort_unstable();
        accessors.dedup();
        let list = self.json.each("accessors");
        let mut data = 0;
        for index in accessors {
            data += list.get_mut(index).and_then(view::data_bytes).unwrap_or(0);
        }
        json + data
    }

    fn animation(&mut self, index: usize) -> Result<&mut Json<'a>, WriteError> {
        let animations = self.json.each("animations");
        let count = animations.len();
        animations.get_mut(index).ok_or(WriteError::NoAnimation { index, count })
    }
}

fn channels_of(clip: &Clip, asset: &Asset) -> Result<Vec<NewChannel>, WriteError> {
    let name = || clip.name().to_owned();
    if !clip.fits(&asset.skeleton) {
        return Err(WriteError::OtherSkeleton { clip: name() });
    }
    if clip.is_additive() {
        return Err(WriteError::NotAPose { clip: name(), what: "is the difference between two poses" });
    }
    if clip.root_motion().is_some() {
        return Err(WriteError::NotAPose { clip: name(), what: "has its root motion beside its poses" });
    }
    let channels = NewChannel::of_clip(clip, asset);
    if channels.is_empty() { Err(WriteError::NoTracks { clip: name() }) } else { Ok(channels) }
}

/// The node and the path that a channel drives, if it drives a node: directly, or by a pointer.
pub(crate) fn channel_target(channel: &mut Json<'_>) -> Option<(usize, String)> {
    let path = channel.text_at(&["target", "path"])?;
    let names = ["translation", "rotation", "scale", "weights"];
    if path == "pointer" {
        let pointer = channel.text_at(&["target", "extensions", "KHR_animation_pointer", "pointer"])?;
        let (node, path) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
        return Some((node.parse().ok()?, path.to_owned()))
            .filter(|(_, path)| names.contains(&path.as_str()));
    }
    let node = channel.number_at(&["target", "node"])?;
    Some((node, path)).filter(|(_, path)| names.contains(&path.as_str()))
}

fn with_keys<'a>(mut sampler: Json<'a>, keys: (usize, usize), interpolation: Interpolation) -> Json<'a> {
    sampler.set("input", keys.0);
    sampler.set("output", keys.1);
    match interpolation {
        Interpolation::Linear => sampler.remove("interpolation"),
        Interpolation::Step => sampler.set("interpolation", "STEP"),
        Interpolation::CubicSpline => sampler.set("interpolation", "CUBICSPLINE"),
    }
    sampler
}

/// The number of a sampler in the list; equal ones are one.
fn add_sampler<'a>(samplers: &mut Vec<Json<'a>>, sampler: Json<'a>) -> usize {
    let text = sampler.to_text();
    if let Some(number) = samplers.iter().position(|other| other.to_text() == text) {
        return number;
    }
    samplers.push(sampler);
    samplers.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_ascend_and_jumps_stay_where_they_are() {
        for times in [&[0.0, 1.0, 1.0, 2.0][..], &[0.0, 0.0, 0.0, 1.0], &[1.0, 1.0, 1.0], &[0.5], &[]] {
            let found = ascending(times);
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{found:?}");
            assert!(found.iter().zip(times).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
        }
        assert_eq!(ascending(&[0.0, 1.0, 1.0])[2], 1.0);
    }
}
