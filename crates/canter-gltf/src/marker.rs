//! Markers of clips: from the `extras` of animations, and from a file beside the model.
//!
//! ```json
//! { "clips": [{ "name": "Walk", "markers": [
//!     { "name": "foot_L", "time": 0.25 },
//!     { "name": "blade", "time": 0.3, "duration": 0.2 }
//! ] }] }
//! ```
//!
//! The `extras` of an animation have a list `markers` of the same kind, and may say how fast a clip walks on
//! the spot: `groundSpeedMetresPerSec`.

use std::fmt::Write as _;
use std::sync::Arc;

use canter::{Clip, ClipBuilder, ClipError, FloatText, Marker};

use crate::asset::Asset;
use crate::error::LoadError;
use crate::json::{Reader, object};
use crate::place::Place;
use crate::schema::animation::Animation;
use crate::schema::{List, Text};
use crate::warning::{Report, WarningCode};

/// Markers behind the end of their clip by less than this are an exporter's rounding.
const TOLERANCE_SECS: f32 = 1e-3;

#[derive(Debug, Default)]
struct MarkerJson<'a> {
    name: Text<'a>,
    time: f32,
    duration: Option<f32>,
}

object!('a, MarkerJson<'a> { "name" => name, "time" => time; "duration" => duration });

/// What is looked for in the `extras` of an animation.
#[derive(Debug, Default)]
struct ClipExtras<'a> {
    markers: List<MarkerJson<'a>>,
    ground_speed: Option<f32>,
}

object!('a, ClipExtras<'a> { ; "markers" => markers, "groundSpeedMetresPerSec" => ground_speed });

#[derive(Debug, Default)]
struct FileJson<'a> {
    clips: List<ClipJson<'a>>,
}

object!('a, FileJson<'a> { "clips" => clips; });

#[derive(Debug, Default)]
struct ClipJson<'a> {
    name: Text<'a>,
    markers: List<MarkerJson<'a>>,
}

object!('a, ClipJson<'a> { "name" => name, "markers" => markers; });

impl MarkerJson<'_> {
    fn marker(&self) -> Marker {
        Marker::window(self.name.0.as_ref(), self.time, self.duration.unwrap_or(0.0))
    }
}

/// Gives a clip the markers that its extras have. What cannot be is left out, with a warning.
pub(crate) fn read_extras(
    animation: &Animation<'_>,
    builder: &mut ClipBuilder<'_>,
    clip_secs: f32,
    place: &Place<'_>,
    report: &Report,
) {
    let Some(json) = animation.extras.raw().filter(|json| json.trim_ascii_start().starts_with(b"{")) else {
        return;
    };
    let mut extras = ClipExtras::default();
    let place = place.field("extras");
    if let Err(error) = Reader::new(json).document(&mut extras) {
        let message = format_args!("markers are left out: {error}");
        report.warn(&place, WarningCode::Marker, message);
        return;
    }
    if let Some(speed) = extras.ground_speed {
        builder.ground_speed(speed);
    }
    let list = place.field("markers");
    let mut windows = 0;
    for (index, entry) in extras.markers.iter().enumerate() {
        let mut marker = entry.marker();
        let place = list.item(index);
        if marker.secs > clip_secs && marker.secs <= clip_secs + TOLERANCE_SECS {
            marker.secs = clip_secs;
        }
        let secs = FloatText(marker.secs.into());
        windows += usize::from(marker.is_window());
        if !(0.0..=clip_secs).contains(&marker.secs) {
            let message = format_args!(
                "marker \"{}\" at {secs} s is left out; the clip lasts from 0 to {} s",
                marker.name,
                FloatText(clip_secs.into())
            );
            report.warn(&place, WarningCode::Marker, message);
        } else if !(marker.length_secs >= 0.0 && marker.length_secs.is_finite()) {
            report.warn(
                &place,
                WarningCode::Marker,
                format_args!("marker \"{}\" is left out: its length is negative", marker.name),
            );
        } else if (marker.is_window() && windows > MOST_WINDOWS) || index >= MOST_MARKERS {
            report.warn(
                &place,
                WarningCode::Marker,
                format_args!("marker \"{}\" is left out: there are too many", marker.name),
            );
        } else {
            builder.marker(marker);
        }
    }
}

/// As many as a clip may have.
const MOST_WINDOWS: usize = 64;
const MOST_MARKERS: usize = 1 << 16;

/// Markers cannot be put into clips; nothing was changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MarkersError {
    /// The text is not the JSON that it should be.
    #[error("markers: {0}")]
    Json(LoadError),
    /// A clip cannot have a marker.
    #[error("markers: {0}")]
    Clip(ClipError),
}

impl Asset {
    /// Gives a clip other markers than those that it has.
    ///
    /// # Errors
    /// If one of them lies outside of the clip, or there are too many.
    ///
    /// # Panics
    /// If there is no clip of that index.
    pub fn set_markers(
        &mut self,
        clip: usize,
        markers: impl IntoIterator<Item = Marker>,
    ) -> Result<(), ClipError> {
        let clip = &mut self.clips[clip];
        let marked = Clip::clone(clip).with_markers(markers)?;
        *clip = Arc::new(marked);
        Ok(())
    }

    /// Reads markers from the JSON of a file as [`markers_json`](Self::markers_json) writes it. The clips that
    /// it names get these instead of those that they have; others stay as they are. Returns the names of clips
    /// that are not there.
    ///
    /// # Errors
    /// If the text is not what it should be, or a marker lies outside of its clip. Nothing is changed then.
    pub fn read_markers(&mut self, json: &[u8]) -> Result<Vec<String>, MarkersError> {
        let mut file = FileJson::default();
        Reader::new(json).document(&mut file).map_err(|failure| MarkersError::Json(*failure))?;
        let mut marked = Vec::new();
        let mut missing = Vec::new();
        for entry in file.clips.iter() {
            let Some(index) = self.clips.iter().position(|clip| clip.name() == entry.name.0) else {
                missing.push(entry.name.0.to_string());
                continue;
            };
            let clip_secs = self.clips[index].duration_secs();
            let markers = entry.markers.iter().map(|entry| {
                let marker = entry.marker();
                let is_rounded = marker.secs > clip_secs && marker.secs <= clip_secs + TOLERANCE_SECS;
                if is_rounded { Marker { secs: clip_secs, ..marker } } else { marker }
            });
            let clip = Clip::clone(&self.clips[index]).with_markers(markers).map_err(MarkersError::Clip)?;
            marked.push((index, Arc::new(clip)));
        }
        for (index, clip) in marked {
            self.clips[index] = clip;
        }
        Ok(missing)
    }

    /// The markers of all clips that have some, or had some in the model, as JSON: for a file beside the model,
    /// which [`load`](crate::load) finds if it has the model's name with `.markers.json` instead of its ending.
    #[must_use]
    pub fn markers_json(&self) -> String {
        let mut json = String::from("{\n  \"clips\": [");
        let mut is_first = true;
        // Where the model has markers and the clip has none any more, an empty list says so.
        let has_extras = |index: usize| {
            let extras = self.clip_extras.get(index).and_then(|extras| extras.as_deref());
            extras.is_some_and(|extras| extras.contains("\"markers\""))
        };
        let clips = self.clips.iter().enumerate();
        for (_, clip) in clips.filter(|(index, clip)| !clip.markers().is_empty() || has_extras(*index)) {
            json.push_str(if is_first { "\n" } else { ",\n" });
            is_first = false;
            write_clip(&mut json, clip);
        }
        json.push_str(if is_first { "]\n}\n" } else { "\n  ]\n}\n" });
        json
    }
}

fn write_clip(json: &mut String, clip: &Clip) {
    json.push_str("    {\n      \"name\": ");
    write_text(json, clip.name());
    json.push_str(",\n      \"markers\": [");
    for (index, marker) in clip.markers().iter().enumerate() {
        json.push_str(if index == 0 { "\n        { \"name\": " } else { ",\n        { \"name\": " });
        write_text(json, &marker.name);
        let _ = write!(json, ", \"time\": {}", FloatText(marker.secs.into()));
        if marker.is_window() {
            let _ = write!(json, ", \"duration\": {}", FloatText(marker.length_secs.into()));
        }
        json.push_str(" }");
    }
    json.push_str("\n      ]\n    }");
}

/// A text with its quotes.
fn write_text(json: &mut String, text: &str) {
    json.push('"');
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            control if u32::from(control) < 0x20 => {
                let _ = write!(json, "\\u{:04x}", u32::from(control));
            }
            other => json.push(other),
        }
    }
    json.push('"');
}
