//! Clips as the states of a graph play them: added, or left for right.

use std::sync::Arc;

use canter::{AdditiveReference, Clip};

use super::{Builder, Built};
use crate::data::ReferenceData;
use crate::error::{Fault, WarningKind};

impl Builder<'_> {
    /// A clip for the present state: left for right if it is so. `None`, with a warning, if it is not there.
    pub(super) fn clip(&mut self, name: &str) -> Built<Option<Arc<Clip>>> {
        let Some(clip) = self.clip_of_layer(name)? else { return Ok(None) };
        let Some(mirrored) = self.mirrored.filter(|_| self.is_mirrored) else { return Ok(Some(clip)) };
        if let Some((_, made)) = self.mirrored_clips.iter().find(|(of, _)| Arc::ptr_eq(of, &clip)) {
            return Ok(Some(Arc::clone(made)));
        }
        match mirrored(&clip) {
            Ok(made) => {
                let made = Arc::new(made);
                self.mirrored_clips.push((clip, Arc::clone(&made)));
                Ok(Some(made))
            }
            Err(error) => self.fail("mirror", Fault::Clip(error.to_string())),
        }
    }

    /// A clip for the present layer: made additive if that adds.
    fn clip_of_layer(&mut self, name: &str) -> Built<Option<Arc<Clip>>> {
        let find = |name: &str| {
            let of_name = self.clips.iter().filter(|clip| clip.name() == name);
            let is_wanted = |clip: &&Arc<Clip>| self.additive.is_some() || !clip.is_additive();
            of_name.clone().find(is_wanted).or(of_name.clone().next()).cloned()
        };
        let Some(clip) = find(name) else {
            self.warn(WarningKind::ClipNotFound(name.to_owned()));
            return Ok(None);
        };
        if !clip.fits(self.skeleton) {
            let text =
                format!("clip \"{name}\" was built for another skeleton; expected one bound to this one");
            return self.fail("motion", Fault::Clip(text));
        }
        let Some(reference) = self.additive.clone() else {
            if clip.is_additive() {
                let text = format!("clip \"{name}\" is additive; expected an additive layer for it");
                return self.fail("motion", Fault::Clip(text));
            }
            return Ok(Some(clip));
        };
        if clip.is_additive() {
            return Ok(Some(clip));
        }
        if let Some((_, made)) = self.additive_clips.iter().find(|(made, _)| made == name) {
            return Ok(Some(Arc::clone(made)));
        }
        let other;
        let reference = match &reference {
            ReferenceData::Rest => AdditiveReference::Rest,
            ReferenceData::FirstKey => AdditiveReference::FirstKey,
            ReferenceData::Clip(of) => match find(&of.clip) {
                Some(clip) => {
                    other = clip;
                    AdditiveReference::Clip { clip: &other, secs: of.time }
                }
                None => return self.fail("mode", Fault::Unknown { what: "clip", name: of.clip.clone() }),
            },
        };
        match clip.additive(reference) {
            Ok(made) => {
                let made = Arc::new(made);
                self.additive_clips.push((name.to_owned(), Arc::clone(&made)));
                Ok(Some(made))
            }
            Err(error) => self.fail("motion", Fault::Clip(error.to_string())),
        }
    }
}
