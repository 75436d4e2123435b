//! Markers of the shown clip: move them, add and delete some, find footfalls, save them beside the model
//! or in it.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use canter::{Clip, Contact, JointId, Marker, Mixer};
use canter_gltf::{Document, Folder, LoadOptions, WriteError};

use super::footprints::is_toe;
use super::{Session, file};

/// A footfall that is found so near to a marker of the same name is that one: feet come down gradually.
const SAME_SECS: f32 = 0.08;
/// How long a marker glows that was crossed.
const GLOW_SECS: f64 = 0.5;
/// More do not glow at once.
const MOST_GLOWS: usize = 64;

/// What was done to markers, and which of them were just crossed.
#[derive(Debug, Default)]
pub(super) struct MarkerDesk {
    /// Of the shown clip.
    chosen: Option<usize>,
    /// The clips whose markers differ from those of the file.
    changed: Vec<usize>,
    glows: VecDeque<Glow>,
    /// Passes while clips are paused, too: a hand on the timeline crosses markers.
    now_secs: f64,
}

#[derive(Debug)]
struct Glow {
    clip: Arc<Clip>,
    marker: usize,
    since_secs: f64,
}

/// Puts the markers of all clips into a model's file.
fn write_into(model: &Path, clips: &[Arc<Clip>]) -> Result<(), WriteError> {
    let options = LoadOptions::default();
    let bytes = canter_gltf::read_model(model, &options.limits)?;
    let folder = Folder::new(model.parent().unwrap_or(Path::new("")));
    let mut document = Document::parse(&bytes, &folder, &options)?;
    for (index, clip) in clips.iter().enumerate() {
        document.set_markers(index, clip.markers())?;
    }
    document.save(model, model)
}

impl Session {
    /// The markers of the shown clip, in the order of time.
    #[must_use]
    pub fn markers(&self) -> &[Marker] {
        self.current_clip().map_or(&[], |clip| self.clips[clip].markers())
    }

    /// The marker of the shown clip that was chosen.
    #[must_use]
    pub fn chosen_marker(&self) -> Option<usize> {
        self.desk.chosen.filter(|index| *index < self.markers().len())
    }

    /// Chooses a marker of the shown clip, or none.
    pub fn choose_marker(&mut self, index: Option<usize>) {
        self.desk.chosen = index;
    }

    /// Adds an instant to the shown clip and chooses it. A time outside of the clip is brought to its nearer
    /// end; without a name, or a time, nothing is added.
    pub fn add_marker(&mut self, name: &str, secs: f32) -> bool {
        let (Some(clip), false) = (self.current_clip(), name.trim().is_empty()) else { return false };
        let Some(marker) = self.fitted(clip, Marker::new(name.trim(), secs)) else { return false };
        let mut markers = self.markers().to_vec();
        markers.push(marker.clone());
        self.set_markers(clip, markers) && self.choose_equal(&marker)
    }

    /// Moves a marker of the shown clip to a time, as an instant or as a window that lasts. It stays within
    /// the clip, and becomes the chosen one.
    pub fn move_marker(&mut self, index: usize, secs: f32, length_secs: f32) -> bool {
        self.change_marker(index, |marker| Marker { secs, length_secs, ..marker })
    }

    /// Gives a marker of the shown clip another name, and chooses it. An empty name is refused.
    pub fn rename_marker(&mut self, index: usize, name: &str) -> bool {
        !name.trim().is_empty()
            && self.change_marker(index, |marker| Marker { name: name.trim().into(), ..marker })
    }

    /// Deletes a marker of the shown clip.
    pub fn remove_marker(&mut self, index: usize) {
        let Some(clip) = self.current_clip() else { return };
        let mut markers = self.markers().to_vec();
        if index < markers.len() {
            markers.remove(index);
            self.set_markers(clip, markers);
            self.desk.chosen = None;
        }
    }

    /// Finds where feet come down in the shown clip, and adds markers that are not there. Returns how many.
    pub fn detect_markers(&mut self) -> usize {
        let Some(index) = self.current_clip() else { return 0 };
        let clip = &self.clips[index];
        let length = clip.duration_secs();
        let mut markers = clip.markers().to_vec();
        let before = markers.len();
        for found in clip.contacts(self.skeleton(), &self.feet(clip)).markers(self.skeleton()) {
            let is_near = |known: &Marker| {
                // The end of a loop is its start.
                let apart = (known.secs - found.secs).abs();
                known.name == found.name && apart.min(length - apart) < SAME_SECS
            };
            if !markers.iter().any(is_near) {
                markers.push(found);
            }
        }
        let added = markers.len() - before;
        if added > 0 && self.set_markers(index, markers) { added } else { 0 }
    }

    /// Whether markers differ from those of the file.
    #[must_use]
    pub fn has_unsaved_markers(&self) -> bool {
        !self.desk.changed.is_empty()
    }

    /// Writes the markers of all clips into a file beside the model, which is read with it. If that cannot
    /// be, [`error`](Self::error) says why.
    pub fn save_markers(&mut self) -> bool {
        if !self.can_save_markers() {
            return false;
        }
        let Some(model) = self.path() else {
            self.error =
                Some(format!("{}: markers are saved beside a model's file; this has none", self.name));
            return false;
        };
        let path = canter_gltf::markers_path(model);
        let mut asset = self.model.asset.clone();
        asset.clips.clone_from(&self.clips);
        match fs::write(&path, asset.markers_json()) {
            Ok(()) => {
                self.desk.changed.clear();
                self.error = None;
                true
            }
            Err(error) => {
                self.error = Some(format!("{}: {error}", file::name(&path)));
                false
            }
        }
    }

    /// Writes the markers of all clips into the model's file itself; a file of markers beside it, which would count
    /// for more, gets them, too. If that cannot be, [`error`](Self::error) says why.
    pub fn save_markers_into_model(&mut self) -> bool {
        if !self.can_save_markers() {
            return false;
        }
        let Some(model) = self.path().map(Path::to_owned) else {
            self.error = Some(format!("{}: this is no file that markers could be saved in", self.name));
            return false;
        };
        match write_into(&model, &self.clips) {
            Ok(()) if canter_gltf::markers_path(&model).exists() => self.save_markers(),
            Ok(()) => {
                self.desk.changed.clear();
                self.error = None;
                true
            }
            Err(error) => {
                self.error = Some(format!("{}: {error}", file::name(&model)));
                false
            }
        }
    }

    /// In the mirror markers have other names.
    fn can_save_markers(&mut self) -> bool {
        if self.is_mirrored {
            self.error = Some("markers are not saved as the mirror shows them; switch it off".to_owned());
        }
        !self.is_mirrored
    }

    /// How much a marker of the shown clip glows because it was just crossed, from 0 to 1.
    #[must_use]
    pub fn marker_glow(&self, index: usize) -> f32 {
        let Some(action) = self.action() else { return 0.0 };
        let is_it = |glow: &&Glow| glow.marker == index && Arc::ptr_eq(&glow.clip, action.clip());
        let last = self.desk.glows.iter().rev().find(is_it);
        #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
        let glow = |since_secs| (1.0 - (self.desk.now_secs - since_secs) / GLOW_SECS) as f32;
        last.map_or(0.0, |it| glow(it.since_secs).clamp(0.0, 1.0))
    }

    /// Whether any marker glows.
    #[must_use]
    pub fn is_glowing(&self) -> bool {
        !self.desk.glows.is_empty()
    }

    /// Lets glows die away.
    pub(super) fn pass_glows(&mut self, dt_secs: f32) {
        self.desk.now_secs += f64::from(dt_secs.max(0.0));
        let first = self.desk.now_secs - GLOW_SECS;
        while self.desk.glows.front().is_some_and(|glow| glow.since_secs < first) {
            self.desk.glows.pop_front();
        }
    }

    /// Lets markers glow that the figure has just crossed.
    pub(super) fn glow(&mut self) {
        for event in self.figure().mixer.markers() {
            if self.desk.glows.len() >= MOST_GLOWS {
                self.desk.glows.pop_front();
            }
            let since_secs = self.desk.now_secs;
            self.desk.glows.push_back(Glow { clip: event.clip, marker: event.index, since_secs });
        }
    }

    /// The markers that differ from those of the file, by the names of their clips.
    pub(super) fn unsaved_markers(&self) -> Vec<(String, Vec<Marker>)> {
        let clips = self.desk.changed.iter().map(|&index| &self.clips[index]);
        clips.map(|clip| (clip.name().to_owned(), clip.markers().to_vec())).collect()
    }

    /// Puts markers back that were not saved, where their clips are still long enough.
    pub(super) fn put_back_markers(&mut self, unsaved: Vec<(String, Vec<Marker>)>) {
        for (name, mut markers) in unsaved {
            if let Some(index) = self.clips.iter().position(|clip| clip.name() == name) {
                markers.retain(|marker| marker.secs <= self.clips[index].duration_secs());
                self.set_markers(index, markers);
            }
        }
    }

    /// The joints that come down to the ground in a clip. Where those are toes, the foot is meant: its heel
    /// may come first.
    fn feet(&self, clip: &Clip) -> Vec<JointId> {
        let skeleton = self.skeleton();
        let contacts = clip.contacts(skeleton, &[]);
        let foot = |contact: &Contact| {
            let above = skeleton.parent(contact.foot).filter(|_| is_toe(skeleton.name(contact.foot)));
            above.unwrap_or(contact.foot)
        };
        let mut feet: Vec<_> = contacts.as_slice().iter().map(foot).collect();
        feet.sort_unstable();
        feet.dedup();
        feet
    }

    fn change_marker(&mut self, index: usize, change: impl FnOnce(Marker) -> Marker) -> bool {
        let Some(clip) = self.current_clip() else { return false };
        let mut markers = self.markers().to_vec();
        let Some(old) = markers.get(index).cloned() else { return false };
        let Some(marker) = self.fitted(clip, change(old)) else { return false };
        markers[index] = marker.clone();
        self.set_markers(clip, markers) && self.choose_equal(&marker)
    }

    /// The marker within the clip; `None` if its times are not finite.
    fn fitted(&self, clip: usize, marker: Marker) -> Option<Marker> {
        let clip_secs = self.clips[clip].duration_secs();
        if !marker.secs.is_finite() || !marker.length_secs.is_finite() {
            return None;
        }
        let secs = marker.secs.clamp(0.0, clip_secs);
        Some(Marker { secs, length_secs: marker.length_secs.clamp(0.0, clip_secs - secs), ..marker })
    }

    /// Markers are sorted by time: the chosen one may have another index now.
    fn choose_equal(&mut self, marker: &Marker) -> bool {
        self.desk.chosen = self.markers().iter().rposition(|it| it == marker);
        true
    }

    /// Gives a clip other markers, while it plays.
    fn set_markers(&mut self, index: usize, markers: Vec<Marker>) -> bool {
        let old = &self.clips[index];
        if old.markers() == markers {
            return true;
        }
        let marked = match Clip::clone(old).with_markers(markers) {
            Ok(marked) => Arc::new(marked),
            Err(error) => {
                self.error = Some(error.to_string());
                return false;
            }
        };
        let old = std::mem::replace(&mut self.clips[index], marked);
        self.layers.iter_mut().for_each(|layer| layer.forget_clip(index));
        if !self.desk.changed.contains(&index) {
            self.desk.changed.push(index);
        }
        let clips = self.clips.clone();
        self.each_mixer(|mixer, _| replay(mixer, &clips, &old));
        true
    }
}

/// Lets a mixer go on with other clips, which differ from those that it plays by their markers alone.
fn replay(mixer: &mut Mixer, clips: &[Arc<Clip>], old: &Arc<Clip>) {
    let others = mixer.actions().map(|(_, action)| action.clip()).filter(|clip| !Arc::ptr_eq(clip, old));
    let known: Vec<_> = clips.iter().chain(others).cloned().collect();
    // A state names clips by what is in them, and markers do not count.
    if let Ok(replayed) = Mixer::from_state(mixer.skeleton(), &mixer.state(), &known) {
        *mixer = replayed;
    }
}

#[cfg(test)]
mod tests;
