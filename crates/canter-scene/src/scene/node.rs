//! A place in the world.

use canter::JointId;
use canter::glam::DAffine3;

use super::NodeId;
use crate::character::Character;

/// What a node hangs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parent {
    /// Nothing: its local transform is its place in the world.
    #[default]
    World,
    /// Another node.
    Node(NodeId),
    /// A joint of the character that stands at a node.
    Joint(NodeId, JointId),
    /// A joint as above, but for its scale: what hangs on it turns and moves with the joint and keeps its own
    /// size, also while the joint, or one above it, is scaled, mirrored, sheared or squashed flat. The scale
    /// of the character's node counts.
    JointWithoutScale(NodeId, JointId),
}

impl Parent {
    /// The node that it belongs to.
    #[must_use]
    pub fn node(self) -> Option<NodeId> {
        match self {
            Self::World => None,
            Self::Node(node) | Self::Joint(node, _) | Self::JointWithoutScale(node, _) => Some(node),
        }
    }

    /// The joint that it is.
    #[must_use]
    pub fn joint(self) -> Option<JointId> {
        match self {
            Self::World | Self::Node(_) => None,
            Self::Joint(_, joint) | Self::JointWithoutScale(_, joint) => Some(joint),
        }
    }
}

impl From<NodeId> for Parent {
    fn from(node: NodeId) -> Self {
        Self::Node(node)
    }
}

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) parent: Parent,
    pub(crate) parent_from_node: DAffine3,
    pub(crate) world_from_node: DAffine3,
    /// Whether it is to be shown, whatever its parents say.
    pub(crate) shows: bool,
    /// Whether it and all its parents are to be shown.
    pub(crate) is_visible: bool,
    pub(crate) character: Option<Box<Character>>,
    /// How many nodes are above it.
    pub(crate) depth: u32,
    pub(crate) first_child: u32,
    pub(crate) next_sibling: u32,
    pub(crate) previous_sibling: u32,
}

impl Node {
    pub(crate) fn new(parent_from_node: DAffine3, character: Option<Box<Character>>) -> Self {
        Self {
            parent: Parent::World,
            parent_from_node,
            world_from_node: parent_from_node,
            shows: true,
            is_visible: true,
            character,
            depth: 0,
            first_child: NONE,
            next_sibling: NONE,
            previous_sibling: NONE,
        }
    }
}
