//! What hangs on a joint moves with it.

use bevy_ecs::prelude::*;
use canter::JointId;
use canter::glam::DAffine3;

use crate::model_pose::ModelPose;
use crate::placement::Placement;

/// Hangs an entity on a joint of another: the sword follows the hand, in the same frame, through any nesting.
///
/// Its [`Placement`] is written in [`AnimationSet::Attach`](crate::AnimationSet). When the character is
/// despawned, or this is removed, the entity stays where it is. Insert it again to change the joint or the
/// offset.
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use canter_ecs::AttachedTo;
/// # fn example(world: &mut World, hero: Entity, hand: canter::JointId) {
/// world.spawn(AttachedTo { joint: Some(hand), ..AttachedTo::new(hero) });
/// # }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(immutable)]
#[relationship(relationship_target = Attachments)]
#[require(Placement)]
pub struct AttachedTo {
    /// On whom it hangs.
    #[relationship]
    pub character: Entity,
    /// On which joint; `None` for the character itself.
    pub joint: Option<JointId>,
    /// Where it is relative to the joint.
    pub joint_from_attached: DAffine3,
}

impl AttachedTo {
    /// On the character itself, without an offset.
    #[must_use]
    pub fn new(character: Entity) -> Self {
        Self { character, joint: None, joint_from_attached: DAffine3::IDENTITY }
    }
}

/// What hangs on an entity; kept by the hooks of [`AttachedTo`].
#[derive(Component, Debug)]
#[relationship_target(relationship = AttachedTo)]
#[require(Placement)]
pub struct Attachments(Vec<Entity>);

/// Places everything that hangs on something, from those that hang on nothing downwards.
///
/// A ring of entities that hang on each other has no such beginning: they stay where they are.
pub(crate) fn place_attachments(
    roots: Query<'_, '_, &'static Attachments, Without<AttachedTo>>,
    branches: Query<'_, '_, &'static Attachments>,
    attached: Query<'_, '_, &'static AttachedTo>,
    models: Query<'_, '_, &'static ModelPose>,
    mut placements: Query<'_, '_, &'static mut Placement>,
    mut waiting: Local<'_, Vec<Entity>>,
) {
    for root in &roots {
        waiting.extend(root.iter());
        while let Some(entity) = waiting.pop() {
            if let Ok(attached) = attached.get(entity)
                && let Ok(Placement(world_from_character)) = placements.get(attached.character).copied()
                && let Some(model_from_joint) = model_from_joint(attached, &models)
                && let Ok(mut placement) = placements.get_mut(entity)
            {
                let world_from_joint = world_from_character * model_from_joint;
                placement.set_if_neq(Placement(world_from_joint * attached.joint_from_attached));
            }
            if let Ok(branch) = branches.get(entity) {
                waiting.extend(branch.iter());
            }
        }
    }
}

/// `None` where the character has no such joint: a skeleton may have been taken away or replaced.
fn model_from_joint(attached: &AttachedTo, models: &Query<'_, '_, &'static ModelPose>) -> Option<DAffine3> {
    let Some(joint) = attached.joint else { return Some(DAffine3::IDENTITY) };
    let model = models.get(attached.character).ok()?;
    let matrix = model.joints().get(joint.index())?;
    Some(DAffine3::from_mat4(matrix.to_mat4().as_dmat4()))
}
