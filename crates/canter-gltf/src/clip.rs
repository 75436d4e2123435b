//! Clips from the file's animations.

use std::sync::Arc;

use canter::glam::Quat;
use canter::{Clip, FloatText, Interpolation, Skeleton, Track};

use crate::accessor::{Component, Expected, Kind};
use crate::error::{Failure, LoadError};
use crate::marker;
use crate::node::Node;
use crate::place::Place;
use crate::schema;
use crate::schema::Index;
use crate::schema::animation::{Animation, Channel};
use crate::source::Source;

use Component::{F32, I8, I16, U8, U16};

const TIMES: Expected = Expected { kinds: &[Kind::Scalar], components: &[F32], normalized: None };
const VECTORS: Expected = Expected { kinds: &[Kind::Vec3], components: &[F32], normalized: None };
const ROTATIONS: Expected =
    Expected { kinds: &[Kind::Vec4], components: &[F32, I8, U8, I16, U16], normalized: Some(true) };
const WEIGHTS: Expected =
    Expected { kinds: &[Kind::Scalar], components: &[F32, I8, U8, I16, U16], normalized: Some(true) };

/// Times before 0 by less than this are an exporter's rounding.
const NEGATIVE_TOLERANCE_SECS: f32 = 1e-3;

/// What a channel drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Property {
    Translation,
    Rotation,
    Scale,
    Weights,
}

impl Property {
    fn parse(path: &str) -> Option<Self> {
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
) -> Result<Vec<Arc<Clip>>, Failure> {
    let list = Place::list("animations");
    // The last animation (from 1) that drove each property of each node: a second channel is told by it.
    let mut driven = vec![[0; 4]; nodes.len()];
    let mut clips = Vec::with_capacity(source.document.animations.len());
    for (index, animation) in source.document.animations.iter().enumerate() {
        let place = list.item(index);
        let name = animation.name.as_ref().map_or("", |name| name.0.as_ref());
        let mut loader = ClipLoader {
            source,
            animation,
            skeleton,
            nodes,
            samplers: place.field("samplers"),
            checked: vec![false; animation.samplers.len()],
            times: None,
            builder: Clip::builder(name, skeleton),
        };
        let channels = place.field("channels");
        for (entry, channel) in animation.channels.iter().enumerate() {
            loader.channel(channel, &mut driven, index + 1, &channels.item(entry))?;
        }
        let clip_secs = loader.builder.duration_secs();
        marker::read_extras(animation, &mut loader.builder, clip_secs, &place, source.report);
        let clip = loader.builder.build();
        let clip = clip.map_err(|source| Box::new(LoadError::Clip { place: place.to_string(), source }))?;
        if clip.tracks().len() == 0 {
            source.report.note(&place, "the clip moves nothing");
        } else if clip.duration_secs() == 0.0 {
            source.report.note(&place, "the clip has no length: it plays its only pose");
        }
        clips.push(Arc::new(clip));
    }
    Ok(clips)
}

struct ClipLoader<'a> {
    source: &'a Source<'a>,
    animation: &'a Animation<'a>,
    skeleton: &'a Skeleton,
    nodes: &'a [Node],
    samplers: Place<'a>,
    /// Samplers whose keys were looked at already: several channels may share one.
    checked: Vec<bool>,
    /// The last key times that were read: the channels of a node, or of all nodes, share them.
    times: Option<(Index, Vec<f32>)>,
    builder: canter::ClipBuilder<'a>,
}

impl ClipLoader<'_> {
    /// Adds the track of a channel, or says why there is none.
    fn channel(
        &mut self,
        channel: &Channel<'_>,
        driven: &mut [[usize; 4]],
        animation_number: usize,
        place: &Place<'_>,
    ) -> Result<(), Failure> {
        let report = self.source.report;
        let target = place.field("target");
        let path = channel.target.path.0.as_ref();
        if path == "pointer" {
            report.warn(&target, "KHR_animation_pointer is not supported; the channel is skipped");
            return Ok(());
        }
        let sampler =
            place.field("sampler").index(channel.sampler.get(), "samplers", self.animation.samplers.len())?;
        let Some(property) = Property::parse(path) else {
            let message = format_args!("the path \"{path}\" is not known; the channel is skipped");
            report.warn(&target.field("path"), message);
            return Ok(());
        };
        let Some(node) = channel.target.node else {
            report.note(&target, "there is no target node; the channel is skipped");
            return Ok(());
        };
        let node = target.field("node").index(node.get(), "nodes", self.nodes.len())?;
        if std::mem::replace(&mut driven[node][property as usize], animation_number) == animation_number {
            let message =
                format_args!("a channel before it drives the {path} of node {node} already; it is skipped");
            report.warn(place, message);
            return Ok(());
        }
        self.track(property, sampler, node, place)
    }

    fn track(
        &mut self,
        property: Property,
        index: usize,
        node: usize,
        place: &Place<'_>,
    ) -> Result<(), Failure> {
        let source = self.source;
        let sampler = &self.animation.samplers[index];
        let samplers = self.samplers;
        let sampler_place = samplers.item(index);
        let first_time = !std::mem::replace(&mut self.checked[index], true);
        let interpolation = interpolation(sampler, &sampler_place.field("interpolation"))?;
        let times = match &self.times {
            Some((input, times)) if *input == sampler.input => times.clone(),
            _ => {
                let times = times(sampler, source, first_time, &sampler_place.field("input"))?;
                self.times.insert((sampler.input, times)).1.clone()
            }
        };
        if times.is_empty() {
            source.report.warn(place, "the channel has no keys; it is skipped");
            return Ok(());
        }
        let per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let values =
            Values { source, sampler, count: times.len() * per_key, place: sampler_place.field("output") };
        let joint_property = match property {
            Property::Translation => canter::Property::Translation,
            Property::Rotation => canter::Property::Rotation,
            Property::Scale => canter::Property::Scale,
            Property::Weights => {
                let Some(morph) = self.nodes[node].morph else {
                    let message = format_args!("node {node} has no morph targets; the channel is skipped");
                    source.report.warn(place, message);
                    return Ok(());
                };
                let targets = self.skeleton.morph_rest(morph).len();
                let values = Values { count: values.count * targets, ..values };
                self.builder.morph_weights(morph, Track::new(interpolation, times, values.read(&WEIGHTS)?));
                return Ok(());
            }
        };
        let numbers = if property == Property::Rotation {
            let mut numbers = values.read(&ROTATIONS)?;
            mend_rotations(&mut numbers, per_key, || {
                if first_time {
                    source.report.warn(&values.place, "a key is the zero quaternion; its neighbour is used");
                }
            });
            numbers
        } else {
            values.read(&VECTORS)?
        };
        let joint = self.nodes[node].joint;
        self.builder.numbers(joint, joint_property, Track::new(interpolation, times, numbers));
        Ok(())
    }
}

fn interpolation(
    sampler: &schema::animation::Sampler<'_>,
    place: &Place<'_>,
) -> Result<Interpolation, Failure> {
    match sampler.interpolation.as_ref().map_or("LINEAR", |name| name.0.as_ref()) {
        "LINEAR" => Ok(Interpolation::Linear),
        "STEP" => Ok(Interpolation::Step),
        "CUBICSPLINE" => Ok(Interpolation::CubicSpline),
        other => Err(place.invalid(format_args!("\"{other}\""), "LINEAR, STEP or CUBICSPLINE")),
    }
}

/// The times of the keys: finite, not negative, not descending.
fn times(
    sampler: &schema::animation::Sampler<'_>,
    source: &Source<'_>,
    first_time: bool,
    place: &Place<'_>,
) -> Result<Vec<f32>, Failure> {
    let mut times: Vec<f32> = source.accessor(sampler.input, &TIMES, place)?.floats(place)?;
    let (mut before, mut rounded, mut jumps) = (0.0, false, 0_usize);
    for (key, time) in times.iter_mut().enumerate() {
        if *time < 0.0 {
            if *time < -NEGATIVE_TOLERANCE_SECS {
                return Err(place
                    .invalid(format_args!("{} s at key {key}", FloatText((*time).into())), "times from 0"));
            }
            rounded = true;
            *time = 0.0;
        }
        if *time < before {
            return Err(place.invalid(
                format_args!(
                    "{} s at key {key}, after {} s",
                    FloatText((*time).into()),
                    FloatText(before.into())
                ),
                "ascending times",
            ));
        }
        jumps += usize::from(key > 0 && *time == before);
        before = *time;
    }
    if first_time && rounded {
        source.report.warn(place, "times a little before 0 are read as 0");
    }
    if first_time && jumps > 0 {
        source
            .report
            .warn(place, format_args!("{jumps} keys share the time of the key before; they are jumps"));
    }
    Ok(times)
}

/// The values of a sampler, of which there must be `count`.
struct Values<'a> {
    source: &'a Source<'a>,
    sampler: &'a schema::animation::Sampler<'a>,
    count: usize,
    place: Place<'a>,
}

impl Values<'_> {
    /// Their numbers, one behind the other.
    fn read(&self, expected: &Expected) -> Result<Vec<f32>, Failure> {
        let accessor = self.source.accessor(self.sampler.output, expected, &self.place)?;
        if accessor.count < self.count {
            let expected = format_args!("{} for the keys of the sampler's input", self.count);
            return Err(self.place.invalid(format_args!("{} values", accessor.count), expected));
        }
        if accessor.count > self.count {
            let message =
                format_args!("{} values for {} keys; the rest is ignored", accessor.count, self.count);
            self.source.report.warn(&self.place, message);
        }
        let mut numbers = accessor.floats(&self.place)?;
        numbers.truncate(self.count * accessor.format.kind.lanes());
        Ok(numbers)
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
