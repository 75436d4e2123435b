//! The tree of everything that has a place in the world.

mod attachment;
mod cull;
mod error;
mod events;
mod figures;
mod index;
mod limits;
mod node;
mod pick;
mod remove;
mod tree;
mod unscaled;
mod update;

use canter::glam::DAffine3;
use canter::{Arena, ArenaId};

use crate::character::Character;
use limits::is_in_range;
use node::Node;

pub use error::SceneError;
pub use figures::Figures;
pub use node::Parent;
pub use pick::{Hit, Ray};
pub use remove::{Children, Removed};
pub use tree::Keep;
pub use update::Sampled;

/// A node of a [`Scene`]. The id of a node that was removed returns `None`, and never means another node of
/// its scene. To another scene it means nothing, unless one is a clone of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(ArenaId);

impl NodeId {
    fn slot(self) -> u32 {
        self.0.slot()
    }
}

/// Nodes in a world. A node has a transform relative to its parent, which is the world, another node, or **a
/// joint of a character**: what hangs on a hand follows it in the same frame.
///
/// Places are in double precision: a figure a hundred kilometres from the origin, and the sword in its hand,
/// stand as still as one at the origin. Renderers subtract the camera's place and go on in single precision.
///
/// Changes are noted and carried out by [`update_transforms`](Self::update_transforms) (or
/// [`update`](Self::update)), in one pass over what changed.
///
/// It is a plain value: a clone has the same ids, and plays on with the same bits.
///
/// ```
/// use canter::glam::{DAffine3, DVec3};
/// use canter_scene::{Parent, Scene};
///
/// let mut scene = Scene::new();
/// let cart = scene.insert(Parent::World, DAffine3::from_translation(DVec3::X))?;
/// let lamp = scene.insert(cart, DAffine3::from_translation(DVec3::Y))?;
/// scene.set_local(cart, DAffine3::from_translation(DVec3::X * 5.0));
/// scene.update_transforms();
/// assert_eq!(scene.world(lamp).unwrap().translation, DVec3::new(5.0, 1.0, 0.0));
/// # Ok::<(), canter_scene::SceneError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scene {
    nodes: Arena<Node>,
    /// Nodes at which characters stand.
    characters: Vec<u32>,
    /// Nodes that wait to be brought up to date.
    dirty: Vec<u32>,
    /// Whether a slot is in `dirty`. It outlives the node: a slot waits once.
    is_dirty: Vec<bool>,
    /// Working memory of an update.
    frontier: Vec<u32>,
    next_frontier: Vec<u32>,
}

impl Scene {
    /// An empty world.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a node.
    ///
    /// # Errors
    /// If the parent is gone or is no character with such a joint, or the transform has a number that is not
    /// finite or above 10¹⁸.
    pub fn insert(
        &mut self,
        parent: impl Into<Parent>,
        parent_from_node: DAffine3,
    ) -> Result<NodeId, SceneError> {
        self.add(parent.into(), Node::new(parent_from_node, None))
    }

    /// Adds a node at which a character stands; the node's id is the character's.
    ///
    /// # Errors
    /// As with [`insert`](Self::insert).
    pub fn spawn(
        &mut self,
        character: Character,
        parent: impl Into<Parent>,
        parent_from_character: DAffine3,
    ) -> Result<NodeId, SceneError> {
        let id = self.add(parent.into(), Node::new(parent_from_character, Some(Box::new(character))))?;
        self.characters.push(id.slot());
        Ok(id)
    }

    fn add(&mut self, parent: Parent, node: Node) -> Result<NodeId, SceneError> {
        self.check_parent(parent)?;
        if !is_in_range(&node.parent_from_node) {
            return Err(SceneError::NotFinite);
        }
        if self.nodes.is_full() {
            return Err(SceneError::Full);
        }
        let id = NodeId(self.nodes.insert(node));
        self.is_dirty.resize(self.nodes.slot_count(), false);
        self.link(id.slot(), parent);
        self.put(id.slot());
        self.mark(id.slot());
        Ok(id)
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.nodes.iter().map(|(id, _)| NodeId(id))
    }

    /// The nodes at which characters stand.
    pub fn characters(&self) -> impl Iterator<Item = NodeId> {
        self.characters.iter().map(|&slot| self.id(slot))
    }

    /// The character that stands at a node.
    #[must_use]
    pub fn character(&self, id: NodeId) -> Option<&Character> {
        self.node(id)?.character.as_deref()
    }

    /// The character that stands at a node, to change or replace it. What hangs on its joints is brought up
    /// to date with the next update; what hung on a joint that the new one lacks is where the character is.
    pub fn character_mut(&mut self, id: NodeId) -> Option<&mut Character> {
        self.node(id)?.character.as_ref()?;
        self.mark_attachments(id.slot());
        self.node_mut(id)?.character.as_deref_mut()
    }

    /// What a node hangs on.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<Parent> {
        Some(self.node(id)?.parent)
    }

    /// The nodes that hang on a node, or on the joints of its character, in no particular order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let first = self.node(id).map_or(node::NONE, |node| node.first_child);
        self.siblings_from(first).map(|slot| self.id(slot))
    }

    /// The transform of a node relative to its parent: `parent_from_node`.
    #[must_use]
    pub fn local(&self, id: NodeId) -> Option<DAffine3> {
        Some(self.node(id)?.parent_from_node)
    }

    /// Sets the transform of a node relative to its parent. One with a number that is not finite or above
    /// 10¹⁸ is refused with a warning.
    pub fn set_local(&mut self, id: NodeId, parent_from_node: DAffine3) -> Option<()> {
        let node = self.node_mut(id)?;
        if is_in_range(&parent_from_node) {
            node.parent_from_node = parent_from_node;
            self.mark(id.slot());
        } else {
            log::warn!("a node was not moved: {}", SceneError::NotFinite);
        }
        Some(())
    }

    /// The place of a node in the world, `world_from_node`, as of the last update, or as of when it was added
    /// if that was later. Its numbers are finite: scales that multiply from parent to child are cut off at
    /// 10¹⁸.
    #[must_use]
    pub fn world(&self, id: NodeId) -> Option<DAffine3> {
        Some(self.node(id)?.world_from_node)
    }

    /// Shows or hides a node and everything below it.
    pub fn set_visible(&mut self, id: NodeId, shows: bool) -> Option<()> {
        self.node_mut(id)?.shows = shows;
        self.mark(id.slot());
        Some(())
    }

    /// Whether a node and all nodes above it are shown, as of the last update.
    #[must_use]
    pub fn is_visible(&self, id: NodeId) -> Option<bool> {
        Some(self.node(id)?.is_visible)
    }

    fn id(&self, slot: u32) -> NodeId {
        NodeId(self.nodes.at(slot).expect(THERE).0)
    }

    fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0)
    }

    fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id.0)
    }

    /// A node that is known to be there.
    fn at(&self, slot: u32) -> &Node {
        self.nodes.at(slot).expect(THERE).1
    }

    fn at_mut(&mut self, slot: u32) -> &mut Node {
        self.nodes.at_mut(slot).expect(THERE).1
    }
}

const THERE: &str = "links lead to nodes that are there";
