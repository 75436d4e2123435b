//! A marker for programs and for people.

use canter::Marker;
use serde::Serialize;

/// A marker, in the form that files have.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct MarkerFacts<'a> {
    pub(crate) name: &'a str,
    time: f32,
    /// Of a window.
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<f32>,
}

impl<'a> MarkerFacts<'a> {
    pub(crate) fn new(marker: &'a Marker) -> Self {
        let duration = marker.is_window().then_some(marker.length_secs);
        Self { name: &marker.name, time: marker.secs, duration }
    }

    /// `0.300`, or `0.300 for 0.200`.
    pub(crate) fn when(&self) -> String {
        match self.duration {
            Some(duration) => format!("{:.3} for {duration:.3}", self.time),
            None => format!("{:.3}", self.time),
        }
    }
}
