//! A clip apart from any skeleton: to store it, and to bind it to another skeleton by names.

use super::{Clip, ClipError, ClipTrack, Interpolation, Property, Track, TrackTarget};
use crate::skeleton::{JointId, MorphId, Skeleton};

/// The tracks of a clip with the names of the joints that they drive.
///
/// With the feature `serde` it can be stored and read back. [`bind`](Self::bind) makes a clip of it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClipData {
    /// What the clip is called.
    pub name: String,
    tracks: Vec<TrackData>,
    #[cfg_attr(feature = "serde", serde(default))]
    is_additive: bool,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct TrackData {
    target: Target,
    interpolation: Interpolation,
    times: Vec<f32>,
    values: Vec<f32>,
}

/// What a track drives, by name.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Target {
    Joint(Key, Property),
    Morph(Key),
}

/// A name, and where it stood: names need not be unique.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Key {
    name: String,
    index: usize,
    /// Its place among those of the same name.
    #[cfg_attr(feature = "serde", serde(default))]
    nth: usize,
}

/// A clip on a skeleton, and what of it found no place there.
#[derive(Clone, Debug)]
pub struct BoundClip {
    /// The clip with the tracks that matched.
    pub clip: Clip,
    /// Joints and morph sets with tracks that the skeleton does not have, each once.
    pub unmatched: Vec<String>,
}

impl Clip {
    /// The clip's tracks, by the names that the joints have in `skeleton`.
    ///
    /// # Panics
    /// If the clip was built for another skeleton.
    #[must_use]
    pub fn data(&self, skeleton: &Skeleton) -> ClipData {
        assert!(self.skeleton == skeleton.fingerprint(), "clip \"{}\" is of another skeleton", self.name);
        let track = |ClipTrack { target, curve }: &ClipTrack| TrackData {
            target: match *target {
                TrackTarget::Joint(joint, property) => Target::Joint(joint_key(skeleton, joint), property),
                TrackTarget::Morph(morph) => Target::Morph(morph_key(skeleton, morph)),
            },
            interpolation: curve.interpolation(),
            times: curve.times().to_vec(),
            values: curve.numbers().to_vec(),
        };
        ClipData {
            name: self.name.clone(),
            tracks: self.tracks.iter().map(track).collect(),
            is_additive: self.is_additive,
        }
    }
}

impl ClipData {
    /// Whether the clip's values are deltas; see [`Clip::additive`].
    #[must_use]
    pub fn is_additive(&self) -> bool {
        self.is_additive
    }

    /// Makes a clip for a skeleton, matching joints by name. Joints that the skeleton does not have are named
    /// in the result, and their tracks left out. Of several joints with one name, the first matches the
    /// first, the second the second; those without a name match at the same place only.
    ///
    /// # Errors
    /// If a track that matches cannot be played there, for instance because a morph set has another number
    /// of weights.
    pub fn bind(&self, skeleton: &Skeleton) -> Result<BoundClip, ClipError> {
        let mut builder = Clip::builder(self.name.clone(), skeleton);
        if self.is_additive {
            builder.additive();
        }
        let mut unmatched = Vec::new();
        for TrackData { target, interpolation, times, values } in &self.tracks {
            let track = Track::new(*interpolation, times.clone(), values.clone());
            let name = match target {
                Target::Joint(key, property) => match find_joint(skeleton, key) {
                    Some(joint) => {
                        builder.numbers(joint, *property, track);
                        continue;
                    }
                    None => &key.name,
                },
                Target::Morph(key) => match find_morph(skeleton, key) {
                    Some(morph) => {
                        builder.morph_weights(morph, track);
                        continue;
                    }
                    None => &key.name,
                },
            };
            if !unmatched.contains(name) {
                unmatched.push(name.clone());
            }
        }
        Ok(BoundClip { clip: builder.build()?, unmatched })
    }
}

fn joint_key(skeleton: &Skeleton, joint: JointId) -> Key {
    Key {
        name: skeleton.name(joint).to_owned(),
        index: skeleton.source_index(joint),
        nth: skeleton.place_among_namesakes(joint),
    }
}

fn find_joint(skeleton: &Skeleton, key: &Key) -> Option<JointId> {
    if key.name.is_empty() {
        return skeleton.joint_from_source(key.index).filter(|&joint| skeleton.name(joint).is_empty());
    }
    skeleton.namesake(&key.name, key.nth)
}

fn morph_key(skeleton: &Skeleton, morph: MorphId) -> Key {
    let name = skeleton.morph_name(morph).to_owned();
    let nth = morph_sets(skeleton, &name).take_while(|&other| other != morph).count();
    Key { name, index: morph.index(), nth }
}

fn find_morph(skeleton: &Skeleton, key: &Key) -> Option<MorphId> {
    morph_sets(skeleton, &key.name).nth(key.nth)
}

/// The sets of that name.
fn morph_sets(skeleton: &Skeleton, name: &str) -> impl Iterator<Item = MorphId> {
    skeleton.morphs().filter(move |&morph| skeleton.morph_name(morph) == name)
}
