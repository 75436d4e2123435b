//! A clip apart from any skeleton: to store it, and to bind it to another skeleton by names.

use super::{Clip, ClipError, ClipTrack, Curve, Interpolation, Marker, Property, Track, TrackTarget};
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
    #[cfg_attr(feature = "serde", serde(default))]
    markers: Vec<MarkerData>,
    #[cfg_attr(feature = "serde", serde(default))]
    root: Option<RootData>,
    #[cfg_attr(feature = "serde", serde(default))]
    ground_speed: Option<f32>,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct MarkerData {
    name: String,
    secs: f32,
    length_secs: f32,
}

/// The way of a clip that was split.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct RootData {
    joint: Key,
    has_yaw: bool,
    keys: KeysData,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct TrackData {
    target: Target,
    keys: KeysData,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct KeysData {
    interpolation: Interpolation,
    times: Vec<f32>,
    values: Vec<f32>,
}

impl KeysData {
    fn of(curve: &Curve) -> Self {
        Self {
            interpolation: curve.interpolation(),
            times: curve.times().to_vec(),
            values: curve.numbers().to_vec(),
        }
    }

    fn track(&self) -> Track<f32> {
        Track::new(self.interpolation, self.times.clone(), self.values.clone())
    }
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
        let track = |ClipTrack { target, curve }: ClipTrack| TrackData {
            target: match target {
                TrackTarget::Joint(joint, property) => Target::Joint(joint_key(skeleton, joint), property),
                TrackTarget::Morph(morph) => Target::Morph(morph_key(skeleton, morph)),
            },
            keys: KeysData::of(&curve),
        };
        let markers = self.markers().iter().map(|marker| MarkerData {
            name: marker.name.to_string(),
            secs: marker.secs,
            length_secs: marker.length_secs,
        });
        let root = self.root_motion().map(|root| RootData {
            joint: joint_key(skeleton, root.joint()),
            has_yaw: root.has_yaw(),
            keys: KeysData::of(root.curve()),
        });
        ClipData {
            name: self.name.clone(),
            tracks: self.tracks().map(track).collect(),
            is_additive: self.is_additive,
            markers: markers.collect(),
            root,
            ground_speed: self.ground_speed,
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
        if let Some(speed) = self.ground_speed {
            builder.ground_speed(speed);
        }
        for TrackData { target, keys } in &self.tracks {
            let track = keys.track();
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
        // Without the tracks that found no place the clip may be shorter.
        let clip_secs = builder.duration_secs();
        for MarkerData { name, secs, length_secs } in self.markers.iter().filter(|m| m.secs <= clip_secs) {
            builder.marker(Marker::window(name.as_str(), *secs, *length_secs));
        }
        if let Some(RootData { joint, has_yaw, keys }) = &self.root {
            match find_joint(skeleton, joint) {
                Some(joint) => {
                    builder.root(joint, keys.track(), if *has_yaw { 4 } else { 3 });
                }
                None if unmatched.contains(&joint.name) => {}
                None => unmatched.push(joint.name.clone()),
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
