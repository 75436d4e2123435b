//! Clips from the file's animations.

mod keys;
mod pointer;

use std::sync::Arc;

use canter::glam::Quat;
use canter::{Clip, Skeleton};

use crate::accessor::{Component, Expected, Kind};
use crate::animated::AnimatedProperty;
use crate::error::{Failure, LoadError};
use crate::marker;
use crate::node::Node;
use crate::place::Place;
use crate::schema::Index;
use crate::schema::animation::{Animation, Channel};
use crate::source::Source;
use crate::warning::WarningCode;
use keys::Keys;

use Component::{F32, I8, I16, U8, U16};

const VECTORS: Expected = Expected { kinds: &[Kind::Vec3], components: &[F32], normalized: None };
const ROTATIONS: Expected =
    Expected { kinds: &[Kind::Vec4], components: &[F32, I8, U8, I16, U16], normalized: Some(true) };
const WEIGHTS: Expected =
    Expected { kinds: &[Kind::Scalar], components: &[F32, I8, U8, I16, U16], normalized: Some(true) };

/// What a channel drives of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Property {
    Translation,
    Rotation,
    Scale,
    Weights,
}

impl Property {
    pub(crate) fn parse(path: &str) -> Option<Self> {
        match path {
            "translation" => Some(Self::Translation),
            "rotation" => Some(Self::Rotation),
            "scale" => Some(Self::Scale),
            "weights" => Some(Self::Weights),
            _ => None,
        }
    }
}

/// All clips, in the file's order.
pub(crate) fn clips(
    source: &Source<'_>,
    skeleton: &Skeleton,
    nodes: &[Node],
    animated: &[AnimatedProperty],
) -> Result<Vec<Arc<Clip>>, Failure> {
    let list = Place::list("animations");
    let mut driven = Driven {
        animation: 0,
        nodes: vec![[0; 4]; nodes.len()],
        animated: vec![0; animated.len()],
        meshes: vec![0; source.document.meshes.len()],
        has_told_matrix: vec![false; nodes.len()],
    };
    let mut clips = Vec::with_capacity(source.document.animations.len());
    for (index, animation) in source.document.animations.iter().enumerate() {
        let place = list.item(index);
        let name = animation.name.as_ref().map_or("", |name| name.0.as_ref());
        driven.animation = index + 1;
        let mut loader = ClipLoader {
            source,
            animation,
            skeleton,
            nodes,
            animated,
            samplers: place.field("samplers"),
            checked: vec![false; animation.samplers.len()],
            times: None,
            builder: Clip::builder(name, skeleton),
        };
        let channels = place.field("channels");
        for (entry, channel) in animation.channels.iter().enumerate() {
            loader.channel(channel, &mut driven, &channels.item(entry))?;
        }
        let clip_secs = loader.builder.duration_secs();
        marker::read_extras(animation, &mut loader.builder, clip_secs, &place, source.report);
        let clip = loader.builder.build();
        let clip = clip.map_err(|source| Box::new(LoadError::Clip { place: place.to_string(), source }))?;
        if clip.tracks().len() == 0 {
            source.report.note(&place, WarningCode::EmptyClip, "the clip moves nothing");
        } else if clip.duration_secs() == 0.0 {
            source.report.note(
                &place,
                WarningCode::ClipWithoutLength,
                "the clip has no length: it plays its only pose",
            );
        }
        clips.push(Arc::new(clip));
    }
    Ok(clips)
}

/// The last animation (from 1) that drove each thing: a second channel is told by it.
struct Driven {
    animation: usize,
    nodes: Vec<[usize; 4]>,
    animated: Vec<usize>,
    meshes: Vec<usize>,
    /// Nodes whose matrix was told of already.
    has_told_matrix: Vec<bool>,
}

impl Driven {
    /// Whether it is the first time that the present animation drives something.
    fn is_first(&mut self, thing: impl FnOnce(&mut Self) -> &mut usize) -> bool {
        let animation = self.animation;
        std::mem::replace(thing(self), animation) != animation
    }
}

struct ClipLoader<'a> {
    source: &'a Source<'a>,
    animation: &'a Animation<'a>,
    skeleton: &'a Skeleton,
    nodes: &'a [Node],
    animated: &'a [AnimatedProperty],
    samplers: Place<'a>,
    /// Samplers whose keys were looked at already: several channels may share one.
    checked: Vec<bool>,
    /// The last key times that were read: the channels of a node, or of all nodes, share them.
    times: Option<(Index, Vec<f32>)>,
    builder: canter::ClipBuilder<'a>,
}

impl<'a> ClipLoader<'a> {
    /// Adds the track of a channel, or says why there is none.
    fn channel(
        &mut self,
        channel: &Channel<'_>,
        driven: &mut Driven,
        place: &Place<'_>,
    ) -> Result<(), Failure> {
        let report = self.source.report;
        let target = place.field("target");
        let path = channel.target.path.0.as_ref();
        let sampler =
            place.field("sampler").index(channel.sampler.get(), "samplers", self.animation.samplers.len())?;
        if path == "pointer" {
            return self.pointer(channel.target.pointer().unwrap_or(""), sampler, driven, place);
        }
        let Some(property) = Property::parse(path) else {
            let message = format_args!("the path \"{path}\" is not known; the channel is skipped");
            report.warn(&target.field("path"), WarningCode::ChannelPath, message);
            return Ok(());
        };
        let Some(node) = channel.target.node else {
            report.note(
                &target,
                WarningCode::ChannelWithoutNode,
                "there is no target node; the channel is skipped",
            );
            return Ok(());
        };
        let node = target.field("node").index(node.get(), "nodes", self.nodes.len())?;
        self.track(property, sampler, node, driven, place)
    }

    /// Adds the track of a property of a node.
    fn track(
        &mut self,
        property: Property,
        index: usize,
        node: usize,
        driven: &mut Driven,
        place: &Place<'_>,
    ) -> Result<(), Failure> {
        let source = self.source;
        if !driven.is_first(|driven| &mut driven.nodes[node][property as usize]) {
            let message =
                format_args!("a channel before it drives the same of node {node} already; it is skipped");
            source.report.warn(place, WarningCode::DuplicateChannel, message);
            return Ok(());
        }
        let Some(keys) = self.keys(index, place)? else { return Ok(()) };
        let joint_property = match property {
            Property::Translation => canter::Property::Translation,
            Property::Rotation => canter::Property::Rotation,
            Property::Scale => canter::Property::Scale,
            Property::Weights => {
                let Some(morph) = self.nodes[node].morph else {
                    let message = format_args!("node {node} has no morph targets; the channel is skipped");
                    source.report.warn(place, WarningCode::ChannelWithoutTargets, message);
                    return Ok(());
                };
                let targets = self.skeleton.morph_rest(morph).len();
                let numbers = keys.numbers(&WEIGHTS, targets)?;
                self.builder.morph_weights(morph, keys.into_track(numbers));
                return Ok(());
            }
        };
        let numbers = if property == Property::Rotation {
            let mut numbers = keys.numbers(&ROTATIONS, 1)?;
            mend_rotations(&mut numbers, keys.values_per_key(), || {
                keys.warn(WarningCode::ZeroQuaternion, "a key is the zero quaternion; its neighbour is used");
            });
            numbers
        } else {
            keys.numbers(&VECTORS, 1)?
        };
        if source.document.nodes[node].matrix.is_some()
            && !std::mem::replace(&mut driven.has_told_matrix[node], true)
        {
            let message = format_args!("node {node} has a matrix, which may not be animated; its parts are");
            source.report.warn(place, WarningCode::MatrixAnimated, message);
        }
        let joint = self.nodes[node].joint;
        self.builder.numbers(joint, joint_property, keys.into_track(numbers));
        Ok(())
    }

    /// The keys of a sampler; `None` if it has none.
    fn keys(&mut self, index: usize, place: &Place<'_>) -> Result<Option<Keys<'a>>, Failure> {
        let is_first_use = !std::mem::replace(&mut self.checked[index], true);
        let mut keys =
            Keys::new(self.source, &self.animation.samplers[index], (self.samplers, index), is_first_use)?;
        let input = keys.sampler.input;
        let times = match self.times.take() {
            Some((of, times)) if of == input => times,
            _ => keys.read_times()?,
        };
        keys.times.clone_from(&times);
        self.times = Some((input, times));
        if keys.times.is_empty() {
            self.source.report.warn(
                place,
                WarningCode::ChannelWithoutKeys,
                "the channel has no keys; it is skipped",
            );
            return Ok(None);
        }
        Ok(Some(keys))
    }
}

/// Replaces zero quaternions, which have no direction, by the key before or else by the first one that has.
fn mend_rotations(numbers: &mut [f32], per_key: usize, warn: impl FnOnce()) {
    let (values, _) = numbers.as_chunks_mut::<4>();
    let is_zero = |quat: &[f32; 4]| Quat::from_array(*quat).length_squared() == 0.0;
    // With tangents the value is the middle one of three.
    let keys = || (per_key / 2..values.len()).step_by(per_key);
    if !keys().any(|key| is_zero(&values[key])) {
        return;
    }
    warn();
    let identity = Quat::IDENTITY.to_array();
    let mut last = keys().map(|key| values[key]).find(|quat| !is_zero(quat)).unwrap_or(identity);
    for value in values.iter_mut().skip(per_key / 2).step_by(per_key) {
        if is_zero(value) {
            *value = last;
        }
        last = *value;
    }
}
