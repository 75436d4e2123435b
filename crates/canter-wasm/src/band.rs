//! Mixers: one by itself, or a crowd that is updated in one call.

use std::rc::Rc;

use canter::glam::Mat4;
use canter::{ActionId, Crowd, EventKind, Mat3x4, Mixer};

use crate::host::{Host, word};
use crate::model::Model;

/// What JavaScript calls a mixer or a crowd. Mixers are told apart by their place, actions by mixer and clip: there is
/// one action per clip, and the index of a clip, unlike an id, is good for ever.
pub(crate) struct Band {
    pub(crate) model: Rc<Model>,
    mixers: Mixers,
    /// For each mixer, the actions that it has made, by clip.
    pub(crate) actions: Vec<Vec<(u32, ActionId)>>,
    events: Vec<HostEvent>,
}

enum Mixers {
    One(Box<Mixer>),
    CrowdMat4(Crowd<Mat4>),
    CrowdPacked(Crowd<Mat3x4>),
}

/// Which mixer, which clip, what happened, how often.
type HostEvent = [u32; 4];

impl Band {
    fn one(model: &Rc<Model>) -> Self {
        let mixer = Mixer::new(&model.asset.skeleton);
        Self::new(model, Mixers::One(Box::new(mixer)), vec![Vec::new()])
    }

    fn crowd(model: &Rc<Model>, is_packed: bool) -> Self {
        let (skeleton, skins) = (&model.asset.skeleton, model.asset.skins.clone());
        let mixers = if is_packed {
            Mixers::CrowdPacked(Crowd::new(skeleton, skins))
        } else {
            Mixers::CrowdMat4(Crowd::new(skeleton, skins))
        };
        Self::new(model, mixers, Vec::new())
    }

    fn new(model: &Rc<Model>, mixers: Mixers, actions: Vec<Vec<(u32, ActionId)>>) -> Self {
        Self { model: Rc::clone(model), mixers, actions, events: Vec::new() }
    }

    pub(crate) fn mixers(&self) -> &[Mixer] {
        match &self.mixers {
            Mixers::One(mixer) => std::slice::from_ref(mixer),
            Mixers::CrowdMat4(crowd) => &crowd.mixers,
            Mixers::CrowdPacked(crowd) => &crowd.mixers,
        }
    }

    pub(crate) fn mixers_mut(&mut self) -> &mut [Mixer] {
        match &mut self.mixers {
            Mixers::One(mixer) => std::slice::from_mut(mixer),
            Mixers::CrowdMat4(crowd) => &mut crowd.mixers,
            Mixers::CrowdPacked(crowd) => &mut crowd.mixers,
        }
    }

    fn spawn(&mut self) -> u32 {
        match &mut self.mixers {
            Mixers::One(_) => return 0,
            Mixers::CrowdMat4(crowd) => drop(crowd.spawn()),
            Mixers::CrowdPacked(crowd) => drop(crowd.spawn()),
        }
        self.actions.push(Vec::new());
        word(self.actions.len() - 1)
    }

    /// The last member takes the place of the one that leaves.
    fn remove(&mut self, member: usize) {
        if member >= self.actions.len() {
            return;
        }
        match &mut self.mixers {
            Mixers::One(_) => return,
            Mixers::CrowdMat4(crowd) => drop(crowd.mixers.swap_remove(member)),
            Mixers::CrowdPacked(crowd) => drop(crowd.mixers.swap_remove(member)),
        }
        self.actions.swap_remove(member);
    }

    fn update_crowd(&mut self, dt_secs: f32) {
        match &mut self.mixers {
            Mixers::One(_) => {}
            Mixers::CrowdMat4(crowd) => crowd.update(dt_secs),
            Mixers::CrowdPacked(crowd) => crowd.update(dt_secs),
        }
    }

    fn palette(&self) -> (usize, usize) {
        match &self.mixers {
            Mixers::One(_) => (0, 0),
            Mixers::CrowdMat4(crowd) => (crowd.palette().as_ptr().addr(), 16 * crowd.palette().len()),
            Mixers::CrowdPacked(crowd) => (crowd.palette().as_ptr().addr(), 12 * crowd.palette().len()),
        }
    }

    /// Keeps what happened in the last step, with clips instead of ids.
    fn collect_events(&mut self) -> usize {
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        for (member, (mixer, actions)) in self.mixers().iter().zip(&self.actions).enumerate() {
            for event in mixer.events() {
                let Some((clip, _)) = actions.iter().find(|(_, id)| *id == event.action) else { continue };
                let (kind, times) = match event.kind {
                    EventKind::Looped { times } => (0, u32::try_from(times).unwrap_or(u32::MAX)),
                    EventKind::Finished => (1, 1),
                    EventKind::FadedOut => (2, 1),
                    _ => continue,
                };
                events.push([word(member), *clip, kind, times]);
            }
        }
        self.events = events;
        self.events.len()
    }
}

impl Host {
    pub(crate) fn new_mixer(&mut self, model: u32) -> u32 {
        let band = self.models.get(model).map(Band::one);
        band.map_or(0, |band| self.bands.insert(band))
    }

    pub(crate) fn new_crowd(&mut self, model: u32, is_packed: bool) -> u32 {
        let band = self.models.get(model).map(|model| Band::crowd(model, is_packed));
        band.map_or(0, |band| self.bands.insert(band))
    }

    pub(crate) fn spawn(&mut self, crowd: u32) -> u32 {
        self.bands.get_mut(crowd).map_or(0, Band::spawn)
    }

    pub(crate) fn remove_member(&mut self, crowd: u32, member: u32) {
        if let Some(crowd) = self.bands.get_mut(crowd) {
            crowd.remove(member as usize);
        }
    }

    /// All stages of one character. Answers how much happened.
    pub(crate) fn update(&mut self, mixer: u32, rig: u32, dt_secs: f32) -> u32 {
        let (Some(band), Some(rig)) = (self.bands.get_mut(mixer), self.rigs.get_mut(rig)) else { return 0 };
        let [mixer] = band.mixers_mut() else { return 0 };
        let has_events = !mixer.advance(dt_secs).is_empty();
        mixer.sample(&mut rig.pose);
        rig.compose();
        if has_events { word(band.collect_events()) } else { 0 }
    }

    /// All stages of all characters. Answers how much happened, if anybody wants to know.
    pub(crate) fn update_crowd(&mut self, crowd: u32, dt_secs: f32, wants_events: bool) -> u32 {
        let Some(band) = self.bands.get_mut(crowd) else { return 0 };
        band.update_crowd(dt_secs);
        if wants_events { word(band.collect_events()) } else { 0 }
    }

    pub(crate) fn crowd_palette(&mut self, crowd: u32) {
        let (address, len) = self.bands.get(crowd).map_or((0, 0), Band::palette);
        self.put_place(address, len);
    }

    /// Where the events of the last step lie.
    pub(crate) fn events(&mut self, band: u32) {
        let events = self.bands.get(band).map(|band| band.events.as_flattened());
        let (address, len) = events.map_or((0, 0), |events| (events.as_ptr().addr(), events.len()));
        self.put_place(address, len);
    }
}
