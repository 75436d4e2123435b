//! The job with `fyrox-animation`: two animations ticked, their poses blended, applied to nodes; composed as
//! the plain one.

use fyrox_animation::container::{TrackDataContainer, TrackValueKind};
use fyrox_animation::core::math::curve::{Curve, CurveKey, CurveKeyKind};
use fyrox_animation::core::pool::ErasedHandle;
use fyrox_animation::track::{Track, TrackBinding};
use fyrox_animation::value::{TrackValue, ValueBinding};
use fyrox_animation::{Animation, AnimationPose, AnimationTracksData, AnimationTracksDataResource};
use glam::{Mat4, Quat, Vec3};

use canter::Transform;

use crate::job::{DT_SECS, Job, Weight, start_secs};
use crate::rig::{Keys, Rig};

pub(crate) struct Characters<'a> {
    rig: &'a Rig,
    weight: Weight,
    characters: Vec<Character>,
}

struct Character {
    animations: Vec<Animation<ErasedHandle>>,
    blended: AnimationPose<ErasedHandle>,
    pose: Vec<Transform>,
    model: Vec<Mat4>,
    palette: Vec<Mat4>,
}

impl<'a> Characters<'a> {
    pub(crate) fn new(rig: &'a Rig, count: usize) -> Self {
        let clips: Vec<Clip> = rig.keys.iter().map(|keys| Clip::new(rig, keys)).collect();
        let character = |index| Character {
            animations: clips.iter().map(|clip| clip.play(index)).collect(),
            blended: AnimationPose::default(),
            pose: rig.rest.clone(),
            model: vec![Mat4::IDENTITY; rig.joints()],
            palette: vec![Mat4::IDENTITY; rig.joints()],
        };
        Self { rig, weight: Weight::default(), characters: (0..count).map(character).collect() }
    }
}

/// Tracks that all characters share, and the joint of each.
struct Clip {
    tracks: AnimationTracksDataResource,
    joints: Vec<(Track, usize)>,
    length_secs: f32,
}

impl Clip {
    fn new(rig: &Rig, keys: &Keys) -> Self {
        let mut joints = Vec::new();
        for joint in 0..rig.joints() {
            let vectors = |values: &[Vec3]| {
                (0..3).map(|axis| values.iter().map(|value| value[axis]).collect()).collect()
            };
            if !keys.translations[joint].is_empty() {
                let numbers = vectors(&keys.translations[joint]);
                joints.push((track(keys, TrackValueKind::Vector3, ValueBinding::Position, numbers), joint));
            }
            let turns = &keys.rotations[joint];
            let numbers =
                (0..4).map(|axis| turns.iter().map(|turn| turn.to_array()[axis]).collect()).collect();
            joints
                .push((track(keys, TrackValueKind::UnitQuaternion, ValueBinding::Rotation, numbers), joint));
            if !keys.scales[joint].is_empty() {
                let numbers = vectors(&keys.scales[joint]);
                joints.push((track(keys, TrackValueKind::Vector3, ValueBinding::Scale, numbers), joint));
            }
        }
        let tracks = joints.iter().map(|(track, _)| track.clone()).collect();
        let tracks = AnimationTracksDataResource::new_embedded(AnimationTracksData { tracks });
        Self { tracks, joints, length_secs: keys.length_secs() }
    }

    fn play(&self, character: usize) -> Animation<ErasedHandle> {
        let mut animation = Animation::default();
        animation.set_tracks_data(self.tracks.clone());
        for (track, joint) in &self.joints {
            let node = ErasedHandle::new(u32::try_from(*joint).expect("few joints"), 1);
            animation.track_bindings_mut().insert(track.id(), TrackBinding::new(node));
        }
        animation.set_time_slice(0.0..self.length_secs);
        animation.set_loop(true);
        // A tick shows the time before it, so it starts a step ahead of the others.
        animation.set_time_position(start_secs(character) + DT_SECS);
        animation
    }
}

/// A track of curves, one for each component.
fn track(keys: &Keys, kind: TrackValueKind, binding: ValueBinding, components: Vec<Vec<f32>>) -> Track {
    let mut container = TrackDataContainer::new(kind);
    for (curve, numbers) in container.curves_mut().iter_mut().zip(components) {
        let keys = keys.secs.iter().zip(numbers);
        *curve = Curve::from(
            keys.map(|(secs, number)| CurveKey::new(*secs, number, CurveKeyKind::Linear)).collect::<Vec<_>>(),
        );
    }
    Track::new(container, binding)
}

impl Job for Characters<'_> {
    fn name(&self) -> &'static str {
        "fyrox-animation"
    }

    fn frame(&mut self) {
        let weight = self.weight.next();
        for character in &mut self.characters {
            for animation in &mut character.animations {
                animation.tick(DT_SECS);
            }
            character.animations[0].pose().clone_into(&mut character.blended);
            character.blended.blend_with(character.animations[1].pose(), 1.0 - weight);
            character.apply();
            character.compose(self.rig);
        }
    }

    fn palette(&self, character: usize) -> Vec<Mat4> {
        self.characters[character].palette.clone()
    }
}

impl Character {
    fn apply(&mut self) {
        for (node, pose) in self.blended.poses() {
            let joint = &mut self.pose[node.index() as usize];
            for value in &pose.values.values {
                match (&value.binding, &value.value) {
                    (ValueBinding::Position, TrackValue::Vector3(v)) => {
                        joint.translation = Vec3::new(v.x, v.y, v.z)
                    }
                    (ValueBinding::Scale, TrackValue::Vector3(v)) => joint.scale = Vec3::new(v.x, v.y, v.z),
                    (ValueBinding::Rotation, TrackValue::UnitQuaternion(q)) => {
                        joint.rotation = Quat::from_xyzw(q.i, q.j, q.k, q.w);
                    }
                    _ => {}
                }
            }
        }
    }

    fn compose(&mut self, rig: &Rig) {
        for (joint, local) in self.pose.iter().enumerate() {
            let local = local.to_mat4();
            self.model[joint] = match rig.parents[joint] {
                Some(parent) => self.model[parent] * local,
                None => local,
            };
            self.palette[joint] = self.model[joint] * rig.joint_from_mesh[joint];
        }
    }
}
