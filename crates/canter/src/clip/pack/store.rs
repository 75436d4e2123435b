//! Packed clips as bytes.

use std::sync::{Arc, OnceLock};

use crate::clip::keys::Keys;
use crate::clip::marker::Markers;
use crate::clip::morph::MorphRows;
use crate::clip::packed::bytes::{PackedBytesError, Reader, Writer, malformed};
use crate::clip::root_motion::RootCurve;
use crate::clip::rows::Rows;
use crate::clip::{Clip, Curve, Interpolation, Marker, Property, TrackTarget};
use crate::skeleton::{JointId, MorphId, Skeleton};

/// How the bytes begin; the last one is the version.
const MAGIC: &[u8; 8] = b"canter\0\x02";

impl Clip {
    /// Whether it was packed: see [`pack`](Self::pack).
    #[must_use]
    pub fn is_packed(&self) -> bool {
        self.keys.are_packed()
    }

    /// A packed clip as bytes, which [`from_packed_bytes`](Self::from_packed_bytes) reads: the same on every
    /// machine. `None` if the clip is not packed; [`data`](Self::data) stores those.
    #[must_use]
    pub fn to_packed_bytes(&self) -> Option<Vec<u8>> {
        if !self.is_packed() {
            return None;
        }
        let mut out = Writer::default();
        out.0.extend(MAGIC);
        out.0.extend(self.skeleton.to_le_bytes());
        out.bytes(self.name.as_bytes());
        out.float(self.duration_secs);
        out.byte(u8::from(self.is_additive));
        // No clip walks backwards at this speed.
        out.float(self.ground_speed.unwrap_or(-1.0));
        out.count(self.targets().len());
        for target in self.targets() {
            write_target(&mut out, target);
        }
        out.count(self.markers().len());
        for Marker { name, secs, length_secs } in self.markers() {
            out.bytes(name.as_bytes());
            out.float(*secs);
            out.float(*length_secs);
        }
        out.byte(u8::from(self.root.is_some()));
        if let Some(root) = &self.root {
            out.count(root.joint().index());
            write_curve(&mut out, root.curve());
        }
        let rows = self.rows();
        for target in self.targets() {
            if let TrackTarget::Morph(morph) = target {
                write_curve(&mut out, rows.morphs[morph.index()].curve());
            }
        }
        rows.write(&mut out);
        Some(out.0)
    }

    /// Reads a packed clip of a skeleton.
    ///
    /// # Errors
    /// If the bytes are not those of a packed clip of this skeleton: any bytes are safe.
    pub fn from_packed_bytes(skeleton: &Skeleton, bytes: &[u8]) -> Result<Self, PackedBytesError> {
        let mut from = Reader(bytes);
        if from.take(MAGIC.len()).map_err(|_| PackedBytesError::NotPacked)? != MAGIC {
            return Err(PackedBytesError::NotPacked);
        }
        if from.u64()? != skeleton.fingerprint() {
            return Err(PackedBytesError::OtherSkeleton);
        }
        let name = from.text()?.to_owned();
        let duration_secs = from.float()?;
        if duration_secs < 0.0 {
            return Err(malformed("it has no length"));
        }
        let is_additive = from.byte()? != 0;
        let ground_speed = Some(from.float()?).filter(|speed| *speed >= 0.0);
        let mut targets = Vec::new();
        for _ in 0..from.list(5)? {
            targets.push(read_target(&mut from, skeleton)?);
        }
        let mut markers = Vec::new();
        for _ in 0..from.list(12)? {
            markers.push(Marker::window(from.text()?, from.float()?, from.float()?));
        }
        let markers = Markers::new(markers, duration_secs).map_err(|_| malformed("a marker"))?;
        let root = if from.byte()? == 0 { None } else { Some(Arc::new(read_root(&mut from, skeleton)?)) };
        let rest_pose = Arc::clone(skeleton.rest_pose());
        let rest_pose = if is_additive { Arc::new(rest_pose.identity()) } else { rest_pose };
        let mut curves = vec![None; skeleton.morph_count()];
        for target in &targets {
            if let TrackTarget::Morph(morph) = target {
                let width = skeleton.morph_rest(*morph).len();
                curves[morph.index()] = Some(read_curve(&mut from, width)?);
            }
        }
        let morphs = curves.iter().enumerate().map(|(set, curve)| {
            let weights = rest_pose.morph_range(set);
            MorphRows::new(weights.clone(), &rest_pose.morph_weights[weights], curve.as_ref())
        });
        let rows =
            Rows { morphs: morphs.collect(), ..Rows::read(&mut from, rest_pose.joint_count, is_additive)? };
        if !from.0.is_empty() {
            return Err(PackedBytesError::TooLong { left: from.0.len() });
        }
        let clip = Self {
            name,
            duration_secs,
            keys: Keys::packed(targets.into_iter(), rest_pose.joint_count),
            rest_pose,
            is_additive,
            markers: Arc::new(markers),
            root,
            ground_speed,
            skeleton: skeleton.fingerprint(),
            rows: OnceLock::from(rows),
            fingerprint: OnceLock::new(),
        };
        clip.fingerprint();
        Ok(clip)
    }
}

const PROPERTIES: [Property; 3] = [Property::Translation, Property::Rotation, Property::Scale];
const INTERPOLATIONS: [Interpolation; 3] =
    [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline];

fn write_target(out: &mut Writer, target: TrackTarget) {
    match target {
        TrackTarget::Joint(joint, property) => {
            out.byte(property as u8);
            out.count(joint.index());
        }
        TrackTarget::Morph(morph) => {
            out.byte(3);
            out.count(morph.index());
        }
    }
}

fn read_target(from: &mut Reader<'_>, skeleton: &Skeleton) -> Result<TrackTarget, PackedBytesError> {
    let (kind, index) = (from.byte()?, from.u32()?);
    match PROPERTIES.get(usize::from(kind)) {
        Some(property) if (index as usize) < skeleton.joint_count() => {
            Ok(TrackTarget::Joint(JointId(index), *property))
        }
        None if kind == 3 && (index as usize) < skeleton.morph_count() => {
            Ok(TrackTarget::Morph(MorphId(index)))
        }
        _ => Err(malformed("a track of something that is not there")),
    }
}

fn write_curve(out: &mut Writer, curve: &Curve) {
    out.byte(curve.interpolation as u8);
    out.byte(if curve.width == 4 { 4 } else { 3 });
    out.floats(&curve.times);
    out.floats(&curve.values);
}

fn read_curve(from: &mut Reader<'_>, width: usize) -> Result<Curve, PackedBytesError> {
    let interpolation = INTERPOLATIONS.get(usize::from(from.byte()?));
    let interpolation = *interpolation.ok_or_else(|| malformed("an interpolation"))?;
    from.byte()?;
    let curve = Curve { interpolation, times: from.floats()?.into(), values: from.floats()?.into(), width };
    curve.check(None).map_err(|_| malformed("the keys of a track"))?;
    Ok(curve)
}

fn read_root(from: &mut Reader<'_>, skeleton: &Skeleton) -> Result<RootCurve, PackedBytesError> {
    let joint = from.u32()?;
    if joint as usize >= skeleton.joint_count() {
        return Err(malformed("root motion of a joint that is not there"));
    }
    // Its width is beside its interpolation.
    let width = from.0.get(1).copied().ok_or(PackedBytesError::TooShort)?;
    if width != 3 && width != 4 {
        return Err(malformed("root motion"));
    }
    Ok(RootCurve::new(JointId(joint), read_curve(from, width.into())?))
}
