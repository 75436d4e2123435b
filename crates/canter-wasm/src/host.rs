//! Everything that JavaScript holds a number for, and the buffers for texts and lists.

use std::cell::RefCell;
use std::rc::Rc;

use crate::asset::LoadedAsset;
#[cfg(feature = "motion")]
use crate::graph::{GraphRun, Snapshot};
use crate::mixers::Mixers;
#[cfg(feature = "three")]
use crate::node_tree::{BoneInverses, NodeTree};
use crate::posed_skeleton::PosedSkeleton;
#[cfg(feature = "three")]
use crate::property_mix::{PropertyMix, Sampler};
#[cfg(feature = "motion")]
use crate::rig::Solver;
use crate::slab::Slab;

/// How many numbers the answer has: those of the way of a root are the most.
pub(crate) const ANSWER_LEN: usize = 20;

/// The state of the module.
pub(crate) struct Host {
    pub(crate) assets: Slab<Rc<LoadedAsset>>,
    pub(crate) skeletons: Slab<PosedSkeleton>,
    pub(crate) mixers: Slab<Mixers>,
    #[cfg(feature = "three")]
    pub(crate) samplers: Slab<Sampler>,
    #[cfg(feature = "three")]
    pub(crate) mixes: Slab<PropertyMix>,
    #[cfg(feature = "three")]
    pub(crate) trees: Slab<NodeTree>,
    #[cfg(feature = "three")]
    pub(crate) inverses: Slab<BoneInverses>,
    #[cfg(feature = "motion")]
    pub(crate) graphs: Slab<GraphRun>,
    #[cfg(feature = "motion")]
    pub(crate) snapshots: Slab<Snapshot>,
    #[cfg(feature = "motion")]
    pub(crate) solvers: Slab<Solver>,
    /// Files that the next .gltf may name.
    pub(crate) files: Vec<(String, Vec<u8>)>,
    /// What JavaScript wrote for the next call.
    input: Vec<u8>,
    /// A text or a description for JavaScript, until the next one.
    output: Vec<u8>,
    /// A few numbers in either direction, as bits. Their address never changes, since that of the host does not.
    pub(crate) answer: [u32; ANSWER_LEN],
}

impl Host {
    const fn new() -> Self {
        Self {
            assets: Slab::new(),
            skeletons: Slab::new(),
            mixers: Slab::new(),
            #[cfg(feature = "three")]
            samplers: Slab::new(),
            #[cfg(feature = "three")]
            mixes: Slab::new(),
            #[cfg(feature = "three")]
            trees: Slab::new(),
            #[cfg(feature = "three")]
            inverses: Slab::new(),
            #[cfg(feature = "motion")]
            graphs: Slab::new(),
            #[cfg(feature = "motion")]
            snapshots: Slab::new(),
            #[cfg(feature = "motion")]
            solvers: Slab::new(),
            files: Vec::new(),
            input: Vec::new(),
            output: Vec::new(),
            answer: [0; ANSWER_LEN],
        }
    }

    /// Makes room for what JavaScript will write, and says where.
    pub(crate) fn make_input(&mut self, len: usize) -> usize {
        self.input = vec![0; len];
        self.input.as_ptr().addr()
    }

    /// What JavaScript wrote. The memory is given back with it.
    pub(crate) fn take_input(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.input)
    }

    /// Hands bytes to JavaScript: it finds address and length in the answer.
    pub(crate) fn put_output(&mut self, bytes: Vec<u8>) {
        self.output = bytes;
        let (address, len) = (self.output.as_ptr().addr(), self.output.len());
        self.put_place(address, len);
    }

    /// Writes to the answer where a list is and how long, in its own units.
    pub(crate) fn put_place(&mut self, address: usize, len: usize) {
        (self.answer[0], self.answer[1]) = (word(address), word(len));
    }
}

/// An address or a length as JavaScript sees it: the module's memory ends before 2³² bytes.
#[expect(clippy::cast_possible_truncation, reason = "wasm32 has addresses of 32 bits")]
pub(crate) fn word(number: usize) -> u32 {
    number as u32
}

thread_local! {
    static HOST: RefCell<Host> = const { RefCell::new(Host::new()) };
}

/// Runs one call of JavaScript. Calls never overlap: the module imports nothing that could call back.
pub(crate) fn with<R>(call: impl FnOnce(&mut Host) -> R) -> R {
    HOST.with_borrow_mut(call)
}
