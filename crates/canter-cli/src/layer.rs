//! `--layer CLIP[,KEY=VALUE…]`: a clip that plays above the others.

use std::path::Path;
use std::sync::Arc;

use canter::{AdditiveReference, Clip, JointMask, Layer, LayerMode, Skeleton};
use canter_gltf::Asset;

use crate::clip;
use crate::failure::Failure;
use crate::joint;

/// What a person wrote.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LayerText {
    pub(crate) clip: String,
    /// Names and patterns of joints; none for all joints.
    pub(crate) mask: Vec<String>,
    pub(crate) feather: usize,
    pub(crate) weight: f32,
    /// The pose that the clip is the difference from, if it is added.
    pub(crate) additive: Option<String>,
    /// Of a film: when it begins, whether it plays once, how long it fades.
    pub(crate) at_secs: Option<f64>,
    pub(crate) once: bool,
    pub(crate) fade_secs: f64,
    /// Of a single pose: the time in the clip.
    pub(crate) time_secs: f32,
}

/// What can follow the clip, in all commands and in each.
const KEYS: [&str; 4] = ["mask", "feather", "weight", "additive"];
pub(crate) const FILM_KEYS: &[&str] = &["at", "once", "fade"];
pub(crate) const POSE_KEYS: &[&str] = &["time"];

impl LayerText {
    /// Reads the option of a command that has these keys besides those of all.
    pub(crate) fn parse(text: &str, more_keys: &[&str]) -> Result<Self, Failure> {
        let mut parts = text.split(',').map(str::trim);
        let clip = parts.next().filter(|clip| !clip.is_empty()).ok_or_else(|| {
            Failure::new(
                format!("--layer \"{text}\" names no clip"),
                "write the clip first: --layer Attack,mask=spine,feather=2",
            )
        })?;
        let mut layer = Self {
            clip: clip.to_owned(),
            mask: Vec::new(),
            feather: 0,
            weight: 1.0,
            additive: None,
            at_secs: None,
            once: false,
            fade_secs: 0.15,
            time_secs: 0.0,
        };
        for part in parts {
            let (key, value) = part.split_once('=').map_or((part, None), |(key, value)| (key, Some(value)));
            if !(KEYS.contains(&key) || more_keys.contains(&key)) {
                return Err(unknown_key(text, key, more_keys));
            }
            layer.set(key, value).map_err(|hint| Failure::new(format!("--layer {text}: {part}"), hint))?;
        }
        if layer.feather > 0 && layer.mask.is_empty() {
            return Err(Failure::new(
                format!("--layer {text}: a feather without a mask"),
                "say where the mask begins: mask=JOINT,feather=2",
            ));
        }
        Ok(layer)
    }

    /// Sets what a key says, or returns what it expects.
    fn set(&mut self, key: &str, value: Option<&str>) -> Result<(), String> {
        let seconds = |most: f64| {
            let secs = value.and_then(|value| value.parse().ok()).filter(|secs| (0.0..=most).contains(secs));
            secs.ok_or_else(|| format!("give seconds from 0 to {most}, as in {key}=0.5"))
        };
        match (key, value.filter(|value| !value.is_empty())) {
            ("mask", Some(joints)) => self.mask.extend(joints.split('+').map(str::to_owned)),
            ("mask", None) => return Err("name a joint, as in mask=spine or mask=*_L+head".to_owned()),
            ("feather", value) => {
                let joints = value.and_then(|value| value.parse().ok()).filter(|joints| *joints <= 100);
                self.feather = joints.ok_or("give a number of joints from 0 to 100, as in feather=2")?;
            }
            ("weight", value) => {
                let weight = value.and_then(|value| value.parse().ok());
                let weight = weight.filter(|weight| (0.0..=100.0).contains(weight));
                self.weight = weight.ok_or("give a number from 0, as in weight=0.5")?;
            }
            ("additive", reference) => self.additive = Some(reference.unwrap_or("first").to_owned()),
            ("once", None) => self.once = true,
            ("once", Some(_)) => return Err("write it alone: once".to_owned()),
            ("at", _) => self.at_secs = Some(seconds(3600.0)?),
            ("fade", _) => self.fade_secs = seconds(60.0)?,
            (_, value) => {
                let secs = value.and_then(|value| value.parse().ok()).filter(|secs: &f32| secs.is_finite());
                self.time_secs = secs.ok_or("give seconds, as in time=0.5")?;
            }
        }
        Ok(())
    }

    /// Finds the clip and the joints, and makes the clip additive if it is to be added.
    pub(crate) fn resolve(&self, asset: &Asset, path: &Path) -> Result<FoundLayer, Failure> {
        let found = clip::find(asset, &self.clip, path)?;
        let mask = match self.mask.is_empty() {
            true => None,
            false => Some(Arc::new(self.joint_mask(&asset.skeleton)?)),
        };
        let clip = match &self.additive {
            None => Arc::clone(found),
            Some(reference) => Arc::new(additive(found, reference, asset, path)?),
        };
        let index = asset.clips.iter().position(|clip| Arc::ptr_eq(clip, found));
        let index = index.expect("it is of the file");
        Ok(FoundLayer { index, clip, mask, weight: self.weight })
    }

    fn joint_mask(&self, skeleton: &Skeleton) -> Result<JointMask, Failure> {
        let mask = joint::mask(skeleton, self.mask.iter().map(String::as_str))?;
        Ok(mask.feathered(skeleton, self.feather))
    }
}

fn unknown_key(text: &str, key: &str, more_keys: &[&str]) -> Failure {
    let keys = [&KEYS, more_keys].concat();
    let hint = match joint::nearest(key, &keys) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("these follow the clip: {}", keys.join(", ")),
    };
    Failure::new(format!("--layer {text}: there is no \"{key}\""), hint)
}

/// `first`, `rest`, or a clip and a time: `Idle@0.5`.
fn additive(clip: &Clip, reference: &str, asset: &Asset, path: &Path) -> Result<Clip, Failure> {
    let result = match reference {
        "first" => clip.additive(AdditiveReference::FirstKey),
        "rest" => clip.additive(AdditiveReference::Rest),
        named => {
            let (name, secs) = clip_at(named);
            #[expect(clippy::cast_possible_truncation, reason = "seconds within a clip")]
            let secs = secs.unwrap_or(0.0) as f32;
            clip.additive(AdditiveReference::Clip { clip: clip::find(asset, name, path)?, secs })
        }
    };
    result.map_err(|error| {
        Failure::new(format!("--layer: {error}"), "take another reference: additive=rest or additive=first")
    })
}

/// A clip, and a time behind an `@`.
pub(crate) fn clip_at(text: &str) -> (&str, Option<f64>) {
    let split = text.rsplit_once('@').and_then(|(clip, secs)| Some((clip, secs.parse::<f64>().ok()?)));
    match split.filter(|(_, secs)| secs.is_finite()) {
        Some((clip, secs)) => (clip, Some(secs)),
        None => (text, None),
    }
}

/// A layer with its clip and joints, as a mixer takes them.
#[derive(Clone, Debug)]
pub(crate) struct FoundLayer {
    /// Which of the file's clips it is, or was made of.
    pub(crate) index: usize,
    pub(crate) clip: Arc<Clip>,
    pub(crate) mask: Option<Arc<JointMask>>,
    pub(crate) weight: f32,
}

impl FoundLayer {
    /// A layer for it. It plays nothing yet.
    pub(crate) fn layer(&self) -> Layer {
        let mode = if self.clip.is_additive() { LayerMode::Additive } else { LayerMode::Over };
        let layer = Layer::new(mode).with_weight(self.weight);
        match &self.mask {
            Some(mask) => layer.with_mask(Arc::clone(mask)),
            None => layer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_is_read() {
        let parse = |text| LayerText::parse(text, FILM_KEYS).unwrap();
        let plain = parse("Attack");
        assert_eq!((plain.clip.as_str(), plain.weight, plain.once), ("Attack", 1.0, false));
        let full = parse("Attack, mask=spine+*_L, feather=2, weight=0.5, once, at=0.4, fade=0");
        assert_eq!(full.mask, ["spine", "*_L"]);
        assert_eq!((full.feather, full.weight, full.once), (2, 0.5, true));
        assert_eq!((full.at_secs, full.fade_secs), (Some(0.4), 0.0));
        assert_eq!(parse("Idle,additive").additive.as_deref(), Some("first"));
        assert_eq!(parse("Idle,additive=Walk@0.5").additive.as_deref(), Some("Walk@0.5"));
        for text in ["", ",once", "A,fade=x", "A,at=-1", "A,once=2", "A,mask", "A,feather=2", "A,weight=nan"]
        {
            assert!(LayerText::parse(text, FILM_KEYS).is_err(), "{text}");
        }
        assert!(
            LayerText::parse("A,time=1", FILM_KEYS).is_err()
                && LayerText::parse("A,at=1", POSE_KEYS).is_err()
        );
    }

    #[test]
    fn a_time_stands_behind_an_at_sign() {
        let table = [("Run@0.5", ("Run", Some(0.5))), ("Run", ("Run", None)), ("me@home", ("me@home", None))];
        for (text, expected) in table {
            assert_eq!(clip_at(text), expected, "{text}");
        }
    }
}
