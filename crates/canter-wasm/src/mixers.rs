//! Mixers: one by itself, or those of a crowd, which is updated in one call.

use std::rc::Rc;

use canter::glam::Mat4;
use canter::{ActionId, Crowd, EventKind, JointId, LayerId, Mat3x4, Mixer, PaletteMatrix, UpdateRate};

use crate::asset::LoadedAsset;
use crate::host::{Host, word};
use crate::marker::HostMarker;

/// What JavaScript calls a mixer or a crowd. A mixer is found by its place among the members, an action by
/// its number within its mixer.
pub(crate) struct Mixers {
    pub(crate) asset: Rc<LoadedAsset>,
    kind: Kind,
    /// What each mixer has numbers for.
    members: Vec<Numbered>,
    events: Vec<HostEvent>,
    pub(crate) markers: Vec<HostMarker>,
    /// The ways that all mixers made in the last step.
    pub(crate) roots: Vec<Mat4>,
}

/// What JavaScript knows by numbers, from 1, of one mixer. Numbers of what is gone are used again: JavaScript
/// keeps the object that each number stands for, and knows by that which object owns it.
#[derive(Default)]
struct Numbered {
    actions: Vec<ActionId>,
    layers: Vec<LayerId>,
}

enum Kind {
    One(Box<Mixer>),
    CrowdMat4(Crowd<Mat4>),
    CrowdPacked(Crowd<Mat3x4>),
}

/// Which mixer, which action, what happened, how often, and the bits of how many seconds ago.
type HostEvent = [u32; 5];

impl Mixers {
    fn one(asset: &Rc<LoadedAsset>) -> Self {
        let mixer = Mixer::new(&asset.gltf.skeleton);
        Self::new(asset, Kind::One(Box::new(mixer)), vec![Numbered::default()])
    }

    fn crowd(asset: &Rc<LoadedAsset>, is_packed: bool, row_width: usize, saves: Saves) -> Self {
        let kind = if is_packed {
            Kind::CrowdPacked(new_crowd(asset, row_width, saves))
        } else {
            Kind::CrowdMat4(new_crowd(asset, row_width, saves))
        };
        Self::new(asset, kind, Vec::new())
    }

    fn new(asset: &Rc<LoadedAsset>, kind: Kind, members: Vec<Numbered>) -> Self {
        let asset = Rc::clone(asset);
        Self { asset, kind, members, events: Vec::new(), markers: Vec::new(), roots: Vec::new() }
    }

    /// As they were at their last steps: far members of a crowd may be behind.
    fn all(&self) -> &[Mixer] {
        match &self.kind {
            Kind::One(mixer) => std::slice::from_ref(mixer),
            Kind::CrowdMat4(crowd) => crowd.mixers(),
            Kind::CrowdPacked(crowd) => crowd.mixers(),
        }
    }

    /// As they are at present.
    pub(crate) fn all_mut(&mut self) -> &mut [Mixer] {
        match &mut self.kind {
            Kind::One(mixer) => std::slice::from_mut(mixer),
            Kind::CrowdMat4(crowd) => crowd.mixers_mut(),
            Kind::CrowdPacked(crowd) => crowd.mixers_mut(),
        }
    }

    /// As it was at its last step.
    pub(crate) fn get(&self, member: u32) -> Option<&Mixer> {
        self.all().get(member as usize)
    }

    /// As it is at present.
    pub(crate) fn get_mut(&mut self, member: u32) -> Option<&mut Mixer> {
        let member = member as usize;
        if member >= self.members.len() {
            return None;
        }
        Some(match &mut self.kind {
            Kind::One(mixer) => mixer,
            Kind::CrowdMat4(crowd) => crowd.mixer_mut(member),
            Kind::CrowdPacked(crowd) => crowd.mixer_mut(member),
        })
    }

    /// The action of a number. Its id may be stale.
    pub(crate) fn action(&self, member: u32, number: u32) -> Option<ActionId> {
        self.members.get(member as usize)?.actions.get((number as usize).checked_sub(1)?).copied()
    }

    /// The number of an action; 0 if it has none any more.
    pub(crate) fn number_of(&self, member: u32, id: ActionId) -> u32 {
        let member = self.members.get(member as usize);
        let index = member.and_then(|member| member.actions.iter().position(|known| *known == id));
        index.map_or(0, |index| word(index) + 1)
    }

    /// Gives an action a number: the one that its owner has, or for 0 one that no live action has.
    pub(crate) fn set_action(&mut self, member: u32, number: u32, id: ActionId) -> u32 {
        let is_stale = |known: &ActionId| self.get(member).is_some_and(|mixer| mixer.get(*known).is_none());
        let Some(Numbered { actions, .. }) = self.members.get(member as usize) else { return 0 };
        let owned = (number as usize).checked_sub(1).filter(|index| *index < actions.len());
        let index = owned.or_else(|| actions.iter().position(is_stale)).unwrap_or(actions.len());
        put(&mut self.members[member as usize].actions, index, id)
    }

    /// The layer of a number; 0 is the base. Its id may be stale.
    pub(crate) fn layer(&self, member: u32, number: u32) -> Option<LayerId> {
        let Some(index) = (number as usize).checked_sub(1) else { return Some(LayerId::BASE) };
        self.members.get(member as usize)?.layers.get(index).copied()
    }

    /// Gives a layer a number that no other has.
    pub(crate) fn number_layer(&mut self, member: u32, id: LayerId) -> u32 {
        let is_gone = |known: &LayerId| self.get(member).is_some_and(|mixer| mixer.layer(*known).is_none());
        let Some(Numbered { layers, .. }) = self.members.get(member as usize) else { return 0 };
        let index = layers.iter().position(is_gone).unwrap_or(layers.len());
        put(&mut self.members[member as usize].layers, index, id)
    }

    fn spawn(&mut self) -> u32 {
        match &mut self.kind {
            Kind::One(_) => return 0,
            Kind::CrowdMat4(crowd) => drop(crowd.spawn()),
            Kind::CrowdPacked(crowd) => drop(crowd.spawn()),
        }
        self.members.push(Numbered::default());
        word(self.members.len() - 1)
    }

    /// The last member takes the place of the one that leaves.
    fn remove(&mut self, member: usize) {
        if member >= self.members.len() {
            return;
        }
        match &mut self.kind {
            Kind::One(_) => return,
            Kind::CrowdMat4(crowd) => drop(crowd.remove(member)),
            Kind::CrowdPacked(crowd) => drop(crowd.remove(member)),
        }
        self.members.swap_remove(member);
    }

    fn update_crowd(&mut self, dt_secs: f32) {
        match &mut self.kind {
            Kind::One(_) => {}
            Kind::CrowdMat4(crowd) => crowd.update(dt_secs),
            Kind::CrowdPacked(crowd) => crowd.update(dt_secs),
        }
    }

    fn keep_joint(&mut self, joint: JointId) {
        match &mut self.kind {
            Kind::One(_) => {}
            Kind::CrowdMat4(crowd) => crowd.keep_joint(joint),
            Kind::CrowdPacked(crowd) => crowd.keep_joint(joint),
        }
    }

    /// Sets how often members are sampled, from one on: in every nth frame, or never for 0.
    fn set_rates(&mut self, first: usize, rates: &[u8]) {
        for (member, frames) in (first..self.members.len()).zip(rates) {
            let rate = if *frames == 0 { UpdateRate::HIDDEN } else { UpdateRate::every(u32::from(*frames)) };
            match &mut self.kind {
                Kind::One(_) => {}
                Kind::CrowdMat4(crowd) => crowd.set_rate(member, rate),
                Kind::CrowdPacked(crowd) => crowd.set_rate(member, rate),
            }
        }
    }

    fn resample(&mut self, member: usize) {
        match &mut self.kind {
            Kind::CrowdMat4(crowd) if member < crowd.len() => crowd.resample(member),
            Kind::CrowdPacked(crowd) if member < crowd.len() => crowd.resample(member),
            _ => {}
        }
    }

    /// Where something that a crowd writes is, and how many numbers it has.
    fn output(&self, output: CrowdOutput) -> (usize, usize) {
        match &self.kind {
            Kind::One(_) => (0, 0),
            Kind::CrowdMat4(crowd) => output_of(crowd, output),
            Kind::CrowdPacked(crowd) => output_of(crowd, output),
        }
    }

    /// Keeps what happened in the last step, with numbers instead of ids. An action that was started anew has
    /// given its number to the new one: that the old one was faded out is not told.
    fn collect_events(&mut self) -> usize {
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        self.all_mut();
        for (member, mixer) in (0_u32..).zip(self.all()) {
            for event in mixer.events() {
                let number = self.number_of(member, event.action);
                let (kind, times) = match event.kind {
                    EventKind::Looped { times } => (0, u32::try_from(times).unwrap_or(u32::MAX)),
                    EventKind::Finished => (1, 1),
                    EventKind::FadedOut => (2, 1),
                    _ => continue,
                };
                if number > 0 {
                    events.push([member, number, kind, times, event.secs_ago.to_bits()]);
                }
            }
        }
        self.events = events;
        self.events.len()
    }
}

/// What a crowd writes of its members.
#[derive(Clone, Copy)]
enum CrowdOutput {
    Palette,
    Joints,
    MorphWeights,
    SecondPalette,
    Blends,
}

/// What is not done for members that are far.
#[derive(Clone, Copy)]
pub(crate) struct Saves {
    pub(crate) blends_in_shader: bool,
    pub(crate) steps_when_sampled: bool,
}

/// A width of 0 stands for palettes one after another.
fn new_crowd<M: PaletteMatrix>(asset: &LoadedAsset, row_width: usize, saves: Saves) -> Crowd<M> {
    let mut crowd = Crowd::new(&asset.gltf.skeleton, asset.gltf.skins.clone());
    if row_width > 0 {
        crowd = crowd.in_rows(row_width);
    }
    if saves.blends_in_shader {
        crowd = crowd.blend_in_shader();
    }
    if saves.steps_when_sampled { crowd.step_when_sampled() } else { crowd }
}

fn output_of<M: PaletteMatrix>(crowd: &Crowd<M>, output: CrowdOutput) -> (usize, usize) {
    let matrices = |list: &[M]| (list.as_ptr().addr(), size_of_val(list) / size_of::<f32>());
    let numbers = |list: &[f32]| (list.as_ptr().addr(), list.len());
    match output {
        CrowdOutput::Palette => matrices(crowd.palette()),
        CrowdOutput::Joints => matrices(crowd.joint_matrices()),
        CrowdOutput::MorphWeights => numbers(crowd.morph_weights()),
        CrowdOutput::SecondPalette => matrices(crowd.second_palette()),
        CrowdOutput::Blends => numbers(crowd.blends()),
    }
}

/// Puts an id at a place of a list, or behind it. Returns its number.
fn put<T>(ids: &mut Vec<T>, index: usize, id: T) -> u32 {
    match ids.get_mut(index) {
        Some(known) => *known = id,
        None => ids.push(id),
    }
    word(index) + 1
}

impl Host {
    pub(crate) fn new_mixer(&mut self, asset: u32) -> u32 {
        let mixers = self.assets.get(asset).map(Mixers::one);
        mixers.map_or(0, |mixers| self.mixers.insert(mixers))
    }

    /// The width of a row is in matrices; 0 stands for palettes one after another.
    pub(crate) fn new_crowd(&mut self, asset: u32, is_packed: bool, row_width: usize, saves: Saves) -> u32 {
        let asset = self.assets.get(asset);
        let mixers = asset.map(|asset| Mixers::crowd(asset, is_packed, row_width, saves));
        mixers.map_or(0, |mixers| self.mixers.insert(mixers))
    }

    pub(crate) fn spawn(&mut self, crowd: u32) -> u32 {
        self.mixers.get_mut(crowd).map_or(0, Mixers::spawn)
    }

    pub(crate) fn remove_member(&mut self, crowd: u32, member: u32) {
        if let Some(crowd) = self.mixers.get_mut(crowd) {
            crowd.remove(member as usize);
        }
    }

    /// All stages of one character. Returns how many events there are.
    pub(crate) fn update(&mut self, mixer: u32, skeleton: u32, dt_secs: f32) -> u32 {
        let (mixers, skeleton) = (self.mixers.get_mut(mixer), self.skeletons.get_mut(skeleton));
        let (Some(mixers), Some(skeleton)) = (mixers, skeleton) else { return 0 };
        let [mixer] = mixers.all_mut() else { return 0 };
        let has_events = mixer.advance(dt_secs).len() > 0;
        mixer.sample(&mut skeleton.pose);
        skeleton.compose();
        if has_events { word(mixers.collect_events()) } else { 0 }
    }

    /// All stages of all characters. Returns how many events there are, if anybody listens.
    pub(crate) fn update_crowd(&mut self, crowd: u32, dt_secs: f32, wants_events: bool) -> u32 {
        let Some(crowd) = self.mixers.get_mut(crowd) else { return 0 };
        crowd.update_crowd(dt_secs);
        if wants_events { word(crowd.collect_events()) } else { 0 }
    }

    /// Where the palettes of a crowd are (0), the joints that it keeps (1), the morph weights (2), the second palettes
    /// (3), or how much of these is shown (4).
    pub(crate) fn crowd_output(&mut self, crowd: u32, output: u32) {
        let output = match output {
            0 => CrowdOutput::Palette,
            1 => CrowdOutput::Joints,
            2 => CrowdOutput::MorphWeights,
            3 => CrowdOutput::SecondPalette,
            _ => CrowdOutput::Blends,
        };
        let (address, len) = self.mixers.get(crowd).map_or((0, 0), |crowd| crowd.output(output));
        self.put_place(address, len);
    }

    /// Takes the rates of members, from one on, from the input: a byte for each.
    pub(crate) fn set_rates(&mut self, crowd: u32, first: u32) {
        let rates = self.take_input();
        if let Some(crowd) = self.mixers.get_mut(crowd) {
            crowd.set_rates(first as usize, &rates);
        }
    }

    pub(crate) fn resample(&mut self, crowd: u32, member: u32) {
        if let Some(crowd) = self.mixers.get_mut(crowd) {
            crowd.resample(member as usize);
        }
    }

    /// Keeps where a joint of all members is.
    pub(crate) fn keep_joint(&mut self, crowd: u32, joint: u32) {
        let Some(crowd) = self.mixers.get_mut(crowd) else { return };
        if let Some(joint) = crowd.asset.gltf.skeleton.joint_at(joint as usize) {
            crowd.keep_joint(joint);
        }
    }

    /// Where the events of the last step are.
    pub(crate) fn events(&mut self, mixers: u32) {
        let events = self.mixers.get(mixers).map(|mixers| mixers.events.as_flattened());
        let (address, len) = events.map_or((0, 0), |events| (events.as_ptr().addr(), events.len()));
        self.put_place(address, len);
    }

    /// Does something to a mixer, if it is there.
    pub(crate) fn on_mixer(&mut self, mixers: u32, member: u32, call: &dyn Fn(&mut Mixer)) {
        if let Some(mixer) = self.mixers.get_mut(mixers).and_then(|mixers| mixers.get_mut(member)) {
            call(mixer);
        }
    }
}
