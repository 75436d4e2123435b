//! Where every joint of an entity stands relative to its parent.

use std::ops::Deref;
use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::{JointId, JointMut, MorphId, Transform};

use crate::model_pose::ModelPose;

/// The pose of an entity, as sampled in this frame; comes with [`Rig`](crate::Rig).
///
/// It is read as a [`canter::Pose`]. A system of yours edits it between
/// [`AnimationSet::Sample`](crate::AnimationSet) and
/// [`AnimationSet::Compose`](crate::AnimationSet). What is edited is sampled anew in the next frame: edits do not add up.
#[derive(Component, Debug)]
pub struct Pose {
    skeleton: Arc<canter::Skeleton>,
    pose: canter::Pose,
}

impl Pose {
    pub(crate) fn rest(skeleton: &Arc<canter::Skeleton>) -> Self {
        Self { skeleton: Arc::clone(skeleton), pose: canter::Pose::rest(skeleton) }
    }

    /// The skeleton that it is a pose of.
    #[must_use]
    pub fn skeleton(&self) -> &Arc<canter::Skeleton> {
        &self.skeleton
    }

    /// Puts everything back to rest.
    pub fn reset(&mut self) {
        self.pose.reset(&self.skeleton);
    }

    /// Replaces the transform of a joint.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    pub fn set_joint(&mut self, joint: JointId, transform: Transform) {
        self.pose.set_joint(joint, transform);
    }

    /// The transform of a joint to edit in place; the pose has it when the guard is dropped.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    pub fn joint_mut(&mut self, joint: JointId) -> JointMut<'_> {
        self.pose.joint_mut(joint)
    }

    /// The weights of a morph set, to edit.
    ///
    /// # Panics
    /// If the set belongs to a skeleton with more sets.
    pub fn morph_weights_mut(&mut self, morph: MorphId) -> &mut [f32] {
        self.pose.morph_weights_mut(morph)
    }

    /// Lets something correct the pose that needs to know where joints stand in the model, such as a solver of
    /// `canter-rig`. `None` if the model pose is one of another skeleton: components of two entities were swapped then.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*;
    /// # use canter_ecs::{AnimationMixer, Rig, Time, Update};
    /// use canter::glam::Vec3;
    /// use canter_ecs::{AnimationSet, ModelPose, Pose};
    /// use canter_rig::{LimbGoal, TwoBone};
    ///
    /// #[derive(Component)]
    /// struct Arm(TwoBone, LimbGoal);
    ///
    /// fn reach(mut figures: Query<(&mut Pose, &mut ModelPose, &Arm)>) {
    ///     for (mut pose, mut model, Arm(solver, goal)) in &mut figures {
    ///         pose.correct(&mut model, |pose, model| solver.apply(pose, model, goal));
    ///     }
    /// }
    ///
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// # let hero = canter_gltf::load("assets/hero.glb")?;
    /// # let mut world = World::new();
    /// # canter_ecs::install(&mut world, Update);
    /// world.resource_mut::<Schedules>().add_systems(Update, reach.in_set(AnimationSet::Rig));
    /// let rig = Rig::new(&hero.skeleton, hero.skins.clone());
    /// let joint = |name: &str| rig.joint(name).unwrap();
    /// let hand = joint("hand_R");
    /// let solver = TwoBone::new(&rig, [joint("upper_arm_R"), joint("forearm_R"), hand])?;
    /// let target = Vec3::new(-0.25, 1.3, 0.25);
    /// let mut mixer = AnimationMixer::new(&rig);
    /// mixer.crossfade_to(hero.clip("Idle")?, 0.0);
    /// let figure = world.spawn((rig, mixer, Arm(solver, LimbGoal::at(target)))).id();
    ///
    /// world.resource_mut::<Time>().delta_secs = 1.0 / 60.0;
    /// world.run_schedule(Update);
    /// let model = world.get::<ModelPose>(figure).ok_or("gone")?;
    /// assert!(model.joint(hand).w_axis.truncate().abs_diff_eq(target, 1e-3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If poses of another size were put in place of these.
    pub fn correct<R>(
        &mut self,
        model: &mut Mut<'_, ModelPose>,
        work: impl FnOnce(&mut canter::Pose, &mut canter::ModelPose) -> R,
    ) -> Option<R> {
        // Only the pose counts as edited: the next stage composes it, and writes the palette.
        let model = model.bypass_change_detection();
        if !model.is_of(&self.skeleton) {
            return None;
        }
        let model = model.model_mut();
        let result = work(&mut self.pose, model);
        let counts = [self.pose.joint_count(), model.joint_count()];
        assert!(counts == [self.skeleton.joint_count(); 2], "poses of another size were put here");
        Some(result)
    }

    /// Not public: a pose of another size put here would not fit the skeleton.
    pub(crate) fn pose_mut(&mut self) -> &mut canter::Pose {
        &mut self.pose
    }
}

impl Deref for Pose {
    type Target = canter::Pose;

    fn deref(&self) -> &canter::Pose {
        &self.pose
    }
}
