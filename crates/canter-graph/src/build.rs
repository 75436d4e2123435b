//! From data to a graph that runs: names become numbers, and everything is checked.

mod check;
mod clip;
mod motion;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use canter::{Clip, JointMask, LayerMode, LoopMode, MirrorError, Skeleton, SyncGroup, SyncKind};

use crate::data::{
    AmountData, ConditionData, DurationData, EnterData, GraphData, LayerData, LayerModeData, LoopData,
    MachineData, MaskData, MotionData, OpData, ParameterData, ParameterKind, ReferenceData, StateData,
    SyncByData, TransitionData, VERSION, ValueData,
};
use crate::error::{Fault, GraphError, Place, Warning, WarningKind};
use crate::graph::{
    Amount, Condition, Enter, Graph, Layer, MOST_DEPTH, Machine, Motion, ParameterSet, State, Test,
    Transition,
};
use crate::parameters::Value;

pub(crate) struct Builder<'a> {
    skeleton: &'a Arc<Skeleton>,
    clips: Vec<Arc<Clip>>,
    parameters: Vec<ParameterData>,
    groups: Vec<SyncGroup>,
    group_names: Vec<String>,
    machines: Vec<Machine>,
    states: Vec<State>,
    transitions: Vec<Transition>,
    warnings: Vec<Warning>,
    /// Where it is at.
    place: Place,
    /// How clips of the present layer are made additive.
    additive: Option<ReferenceData>,
    /// What makes a clip left for right, if there is anything that does; and whether those of the present state
    /// are to be.
    mirrored: Option<&'a Mirrored<'a>>,
    is_mirrored: bool,
    /// Clips that were changed, so that one that is played twice is one clip.
    additive_clips: Vec<(String, Arc<Clip>)>,
    mirrored_clips: Vec<(Arc<Clip>, Arc<Clip>)>,
    is_used: Vec<bool>,
}

/// How many graphs there have been.
static BUILT: AtomicU64 = AtomicU64::new(0);

type Built<T> = Result<T, GraphError>;
type Mirrored<'a> = dyn Fn(&Clip) -> Result<Clip, MirrorError> + 'a;

impl<'a> Builder<'a> {
    pub(crate) fn new(
        skeleton: &'a Arc<Skeleton>,
        clips: Vec<Arc<Clip>>,
        mirrored: Option<&'a Mirrored<'a>>,
    ) -> Self {
        Self {
            skeleton,
            clips,
            parameters: Vec::new(),
            groups: Vec::new(),
            group_names: Vec::new(),
            machines: Vec::new(),
            states: Vec::new(),
            transitions: Vec::new(),
            warnings: Vec::new(),
            place: Place::default(),
            additive: None,
            mirrored,
            is_mirrored: false,
            additive_clips: Vec::new(),
            mirrored_clips: Vec::new(),
            is_used: Vec::new(),
        }
    }

    fn fail<T>(&self, field: &'static str, fault: Fault) -> Built<T> {
        let place = Box::new(Place { field: Some(field), ..self.place.clone() });
        Err(GraphError { place, fault })
    }

    fn warn(&mut self, kind: WarningKind) {
        self.warnings.push(Warning { place: self.place.clone(), kind });
    }

    pub(crate) fn build(mut self, data: GraphData) -> Built<Graph> {
        if data.version != VERSION {
            return self.fail("version", Fault::Version(data.version));
        }
        self.parameters.clone_from(&data.parameters);
        self.is_used = vec![false; data.parameters.len()];
        let defaults = self.defaults()?;
        self.sync_groups(&data)?;
        if data.layers.is_empty() {
            return self.fail("layers", Fault::Missing("a layer"));
        }
        let names: Vec<&str> = data.layers.iter().map(|layer| layer.name.as_str()).collect();
        self.check_names("layers", "layer", &names)?;
        let mut layers = Vec::new();
        for (index, layer) in data.layers.iter().enumerate() {
            self.place = Place { layer: Some(layer.name.clone()), ..Place::default() };
            layers.push(self.layer(index, layer)?);
        }
        self.place = Place::default();
        for index in 0..self.parameters.len() {
            if !self.is_used[index] {
                let name = self.parameters[index].name.clone();
                self.warn(WarningKind::Unused(name));
            }
        }
        let Self { machines, states, transitions, warnings, .. } = self;
        for warning in &warnings {
            log::warn!("{warning}");
        }
        let number = BUILT.fetch_add(1, Ordering::Relaxed) + 1;
        let is_fleeting = |data: &ParameterData| data.kind == ParameterKind::Trigger && !data.keep;
        let fleeting = (0_u32..).zip(&data.parameters).filter(|(_, data)| is_fleeting(data));
        let fleeting = fleeting.map(|(index, _)| index).collect();
        Ok(Graph { number, data, defaults, fleeting, layers, machines, states, transitions, warnings })
    }

    fn check_names(&self, field: &'static str, what: &'static str, names: &[&str]) -> Built<()> {
        for (index, name) in names.iter().enumerate() {
            if name.is_empty() {
                return self.fail(field, Fault::Missing("a name"));
            }
            if names[..index].contains(name) {
                return self.fail(field, Fault::Taken { what, name: (*name).to_owned() });
            }
        }
        Ok(())
    }

    fn defaults(&self) -> Built<Vec<Value>> {
        let names: Vec<&str> = self.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        self.check_names("parameters", "parameter", &names)?;
        self.parameters.iter().map(|parameter| self.default_of(parameter)).collect()
    }

    fn default_of(&self, parameter: &ParameterData) -> Built<Value> {
        let wrong = |expected| {
            let (name, found) = (parameter.name.clone(), parameter.kind);
            self.fail("default", Fault::Kind { name, found, expected })
        };
        Ok(match (parameter.kind, parameter.default) {
            (ParameterKind::Float, None) => Value::Float(0.0),
            (ParameterKind::Float, Some(ValueData::Number(value))) => {
                Value::Float(self.float("default", value)?)
            }
            (ParameterKind::Int, None) => Value::Int(0),
            (ParameterKind::Int, Some(ValueData::Number(value))) => Value::Int(self.int("default", value)?),
            (ParameterKind::Bool, None) => Value::Bool(false),
            (ParameterKind::Bool, Some(ValueData::Bool(value))) => Value::Bool(value),
            (ParameterKind::Trigger, None) => Value::Trigger(false),
            (ParameterKind::Trigger, Some(ValueData::Bool(value))) => Value::Trigger(value),
            (ParameterKind::Float | ParameterKind::Int, Some(_)) => return wrong("a number for it"),
            (ParameterKind::Bool | ParameterKind::Trigger, Some(_)) => return wrong("true or false for it"),
        })
    }

    fn float(&self, field: &'static str, value: f64) -> Built<f32> {
        #[expect(clippy::cast_possible_truncation, reason = "parameters are f32")]
        let float = value as f32;
        match float.is_finite() {
            true => Ok(float),
            false => self.fail(field, Fault::Number { found: value, expected: "a finite number" }),
        }
    }

    fn int(&self, field: &'static str, value: f64) -> Built<i32> {
        #[expect(clippy::cast_possible_truncation, reason = "compared with what it was")]
        let int = value as i32;
        match f64::from(int).total_cmp(&value).is_eq() {
            true => Ok(int),
            false => self.fail(field, Fault::Number { found: value, expected: "a whole number of 32 bits" }),
        }
    }

    fn sync_groups(&mut self, data: &GraphData) -> Built<()> {
        let names: Vec<&str> = data.sync_groups.iter().map(|group| group.name.as_str()).collect();
        self.check_names("sync_groups", "sync group", &names)?;
        for (index, group) in data.sync_groups.iter().enumerate() {
            let kind = match group.by {
                SyncByData::Markers => SyncKind::Markers,
                SyncByData::Cycle => SyncKind::Cycle,
            };
            let number = u32::try_from(index).unwrap_or(u32::MAX);
            self.groups.push(SyncGroup { number, kind });
            self.group_names.push(group.name.clone());
        }
        Ok(())
    }

    /// The number of a parameter, of one of some kinds.
    fn parameter(
        &mut self,
        field: &'static str,
        name: &str,
        kinds: &[ParameterKind],
        expected: &'static str,
    ) -> Built<u32> {
        let Some(index) = self.parameters.iter().position(|parameter| parameter.name == name) else {
            return self.fail(field, Fault::Unknown { what: "parameter", name: name.to_owned() });
        };
        let found = self.parameters[index].kind;
        if !kinds.contains(&found) {
            return self.fail(field, Fault::Kind { name: name.to_owned(), found, expected });
        }
        self.is_used[index] = true;
        Ok(u32::try_from(index).expect("there are few parameters"))
    }

    fn float_parameter(&mut self, field: &'static str, name: &str) -> Built<u32> {
        self.parameter(field, name, &[ParameterKind::Float], "a float")
    }

    fn amount(&mut self, field: &'static str, amount: &AmountData) -> Built<Amount> {
        match amount {
            AmountData::Number(value) if value.is_finite() => Ok(Amount::Number(*value)),
            AmountData::Number(value) => {
                self.fail(field, Fault::Number { found: (*value).into(), expected: "a finite number" })
            }
            AmountData::Parameter(name) => self.float_parameter(field, name).map(Amount::Parameter),
        }
    }

    fn layer(&mut self, index: usize, data: &LayerData) -> Built<Layer> {
        let weight = self.amount("weight", &data.weight)?;
        if matches!(weight, Amount::Number(weight) if weight < 0.0) {
            let found = if let Amount::Number(weight) = weight { weight.into() } else { 0.0 };
            return self.fail("weight", Fault::Number { found, expected: "a number from 0" });
        }
        let mode = match &data.mode {
            LayerModeData::Override => LayerMode::Over,
            LayerModeData::Additive(_) => LayerMode::Additive,
        };
        if index == 0 && mode == LayerMode::Additive {
            return self.fail("mode", Fault::Misplaced("the first layer has nothing below it to add to"));
        }
        if index == 0 && data.mask.is_some() {
            return self.fail("mask", Fault::Misplaced("the first layer moves all joints"));
        }
        if index == 0 && !data.weight.is_one() {
            return self.fail("weight", Fault::Misplaced("the first layer is there in full"));
        }
        let mask = match &data.mask {
            Some(mask) => Some(Arc::new(self.mask(mask)?)),
            None => None,
        };
        self.additive = match &data.mode {
            LayerModeData::Override => None,
            LayerModeData::Additive(additive) => Some(additive.reference.clone()),
        };
        self.additive_clips.clear();
        let first = self.states.len();
        let machine = self.machine(index, &data.machine, "", 0)?;
        let trees = self.states[first..].iter().filter_map(|state| match &state.motion {
            Motion::Play(tree) => Some((tree.leaves.len(), tree.inputs)),
            _ => None,
        });
        let (leaves, inputs) =
            trees.fold((0, 0), |most, tree| (usize::max(most.0, tree.0), usize::max(most.1, tree.1)));
        Ok(Layer { mode, mask, weight, machine, leaves, inputs })
    }

    fn mask(&self, data: &MaskData) -> Built<JointMask> {
        let joint = |name: &String| match self.skeleton.joint(name) {
            Some(joint) => Ok(joint),
            None => self.fail("mask", Fault::Unknown { what: "joint", name: name.clone() }),
        };
        if !(0.0..=1.0).contains(&data.morphs) {
            let found = data.morphs.into();
            return self.fail("mask", Fault::Number { found, expected: "morphs from 0 to 1" });
        }
        let mut mask = JointMask::none(self.skeleton);
        for name in &data.subtree {
            mask = mask.max(&JointMask::subtree(self.skeleton, joint(name)?));
        }
        for name in &data.joints {
            mask.set(joint(name)?, 1.0);
        }
        if data.feather > 0 {
            mask = mask.feathered(self.skeleton, data.feather as usize);
        }
        Ok(mask.with_morphs(data.morphs))
    }

    /// Builds a machine; `path` leads to the state that it is in.
    fn machine(&mut self, layer: usize, data: &MachineData, path: &str, depth: usize) -> Built<usize> {
        if depth >= MOST_DEPTH {
            return self.fail("machine", Fault::TooMany { what: "nested machines", most: MOST_DEPTH });
        }
        if data.states.is_empty() {
            return self.fail("states", Fault::Missing("a state"));
        }
        let names: Vec<&str> = data.states.iter().map(|state| state.name.as_str()).collect();
        self.check_names("states", "state", &names)?;
        if let Some(name) = names.iter().find(|name| ["any", "exit"].contains(*name) || name.contains('/')) {
            return self.fail("states", Fault::Taken { what: "state", name: (*name).to_owned() });
        }
        let number = |index: usize| u32::try_from(index).expect("there are few states");
        let index = self.machines.len();
        // Inner machines come after it.
        let machine = Machine {
            layer,
            path: path.to_owned(),
            states: Vec::new(),
            entry: 0,
            any: Vec::new(),
            keep: data.keep,
        };
        self.machines.push(machine);
        let mut states = Vec::new();
        for state in &data.states {
            let path = if path.is_empty() { state.name.clone() } else { format!("{path}/{}", state.name) };
            self.place.state = Some(path.clone());
            let built = self.state(layer, index, state, path, depth)?;
            states.push(number(self.states.len()));
            self.states.push(built);
        }
        self.place.state = (!path.is_empty()).then(|| path.to_owned());
        let Some(entry) = names.iter().position(|name| **name == data.entry) else {
            return self.fail("entry", Fault::Unknown { what: "state", name: data.entry.clone() });
        };
        (self.machines[index].entry, self.machines[index].states) = (states[entry], states.clone());
        for (order, transition) in data.transitions.iter().enumerate() {
            let ends = (order, transition.from.clone(), transition.to.clone());
            self.place.transition = Some(ends);
            let built = Transition {
                machine: index,
                ..self.transition(transition, &names, &states, number(order), depth)?
            };
            let id = number(self.transitions.len());
            let list = match built.from {
                Some(from) => &mut self.states[from as usize].transitions,
                None => &mut self.machines[index].any,
            };
            list.push(id);
            self.transitions.push(built);
        }
        self.place.transition = None;
        let transitions = &self.transitions;
        let by_order = |id: &u32| {
            let transition = &transitions[*id as usize];
            (transition.priority, transition.number)
        };
        self.machines[index].any.sort_by_key(by_order);
        for state in &states {
            self.states[*state as usize].transitions.sort_by_key(by_order);
        }
        for state in &states {
            self.states[*state as usize].listens = self.listens(index, *state);
            self.states[*state as usize].waits = self.waits(index, *state);
        }
        self.check_cycles(index, &names)?;
        self.warn_of_unreachable(index);
        Ok(index)
    }

    /// The parameters that decide whether a state of a machine is left.
    fn listens(&self, machine: usize, state: u32) -> ParameterSet {
        let mut set = ParameterSet::default();
        for id in self.states[state as usize].transitions.iter().chain(&self.machines[machine].any) {
            for condition in &self.transitions[*id as usize].conditions {
                set.add(condition.parameter as usize);
            }
        }
        set
    }

    /// Whether an exit time decides when a state of a machine is left.
    fn waits(&self, machine: usize, state: u32) -> bool {
        let mut all = self.states[state as usize].transitions.iter().chain(&self.machines[machine].any);
        all.any(|id| self.transitions[*id as usize].exit_time.is_some())
    }

    fn state(
        &mut self,
        layer: usize,
        machine: usize,
        data: &StateData,
        path: String,
        depth: usize,
    ) -> Built<State> {
        let speed = self.amount("speed", &data.speed)?;
        let sync = match &data.sync {
            Some(name) => match self.group_names.iter().position(|group| group == name) {
                Some(group) => Some(self.groups[group]),
                None => return self.fail("sync", Fault::Unknown { what: "sync group", name: name.clone() }),
            },
            None => None,
        };
        if sync.is_some() && data.loops != LoopData::Repeat {
            return self.fail("sync", Fault::Misplaced("only states that repeat stay in step"));
        }
        if data.mirror && self.mirrored.is_none() {
            return self.fail("mirror", Fault::Missing("a mirror to build the graph with"));
        }
        // Twice left for right is neither.
        let around = self.is_mirrored;
        self.is_mirrored = around != data.mirror;
        let motion = match &data.motion {
            MotionData::Machine(inner) => Motion::Machine(self.machine(layer, inner, &path, depth + 1)?),
            MotionData::Hold => Motion::Hold,
            motion => Motion::Play(self.tree(motion)?),
        };
        self.is_mirrored = around;
        let loops = match data.loops {
            LoopData::Once => LoopMode::Once,
            LoopData::Times(times) => LoopMode::Times(times.max(1)),
            LoopData::Repeat => LoopMode::Repeat,
            LoopData::PingPong => LoopMode::PingPong,
        };
        let (on_enter, on_leave) = (data.on_enter.clone(), data.on_leave.clone());
        // Transitions come after all states.
        let (transitions, listens) = (Vec::new(), ParameterSet::default());
        Ok(State {
            path,
            layer,
            machine,
            transitions,
            listens,
            waits: false,
            motion,
            speed,
            loops,
            sync,
            on_enter,
            on_leave,
        })
    }

    fn transition(
        &mut self,
        data: &TransitionData,
        names: &[&str],
        states: &[u32],
        number: u32,
        depth: usize,
    ) -> Built<Transition> {
        let find = |name: &str| names.iter().position(|state| *state == name).map(|index| states[index]);
        let from = match data.from.as_str() {
            "any" => None,
            name => match find(name) {
                Some(state) => Some(state),
                None => return self.fail("from", Fault::Unknown { what: "state", name: name.to_owned() }),
            },
        };
        let to = match data.to.as_str() {
            "exit" if depth == 0 => {
                return self.fail("to", Fault::Misplaced("there is no exit from the machine of a layer"));
            }
            "exit" => None,
            name => match find(name) {
                Some(state) => Some(state),
                None => return self.fail("to", Fault::Unknown { what: "state", name: name.to_owned() }),
            },
        };
        self.check_exit_time(data.exit_time, from)?;
        let (DurationData::Secs(duration)
        | DurationData::OfSource(duration)
        | DurationData::OfTarget(duration)) = data.duration;
        if !(duration.is_finite() && duration >= 0.0) {
            let found = duration.into();
            return self.fail("duration", Fault::Number { found, expected: "a finite number from 0" });
        }
        let conditions = data.when.iter().map(|when| self.condition(when)).collect::<Built<_>>()?;
        let enter = match &data.enter {
            Some(enter) => self.enter(enter, to)?,
            None => None,
        };
        Ok(Transition {
            machine: 0,
            from,
            to,
            conditions,
            exit_time: data.exit_time.map(f64::from),
            duration: data.duration,
            fade: data.fade,
            easing: data.easing,
            enter,
            interrupt: data.interrupt,
            ordered: data.ordered,
            priority: data.priority,
            to_self: data.to_self,
            number,
        })
    }

    fn condition(&mut self, data: &ConditionData) -> Built<Condition> {
        use ParameterKind as Kind;
        let all = [Kind::Float, Kind::Int, Kind::Bool, Kind::Trigger];
        let parameter = self.parameter("when", &data.parameter, &all, "any")?;
        let found = self.parameters[parameter as usize].kind;
        let wrong = |expected| {
            let name = data.parameter.clone();
            self.fail("when", Fault::Kind { name, found, expected })
        };
        let op = data.op.unwrap_or(OpData::Equal);
        let test = match (found, data.value) {
            (Kind::Trigger, None) if data.op.is_none() => Test::Set,
            (Kind::Trigger, _) => return wrong("neither `op` nor `value` for it"),
            (Kind::Bool, None) if data.op.is_none() => Test::Bool(true),
            (Kind::Bool, Some(ValueData::Bool(value))) if op == OpData::Equal => Test::Bool(value),
            (Kind::Bool, Some(ValueData::Bool(value))) if op == OpData::NotEqual => Test::Bool(!value),
            (Kind::Bool, _) => return wrong("`==` or `!=` and true or false for it"),
            (Kind::Float, Some(ValueData::Number(value))) => Test::Float(op, self.float("when", value)?),
            (Kind::Int, Some(ValueData::Number(value))) => Test::Int(op, self.int("when", value)?),
            (Kind::Float | Kind::Int, _) => return wrong("a number as `value` for it"),
        };
        Ok(Condition { parameter, test })
    }

    /// `None` where a clip that it asks for is missing.
    fn enter(&self, data: &EnterData, to: Option<u32>) -> Built<Option<Enter>> {
        let name = match data {
            EnterData::Offset(offset) if (0.0..=1.0).contains(offset) => {
                return Ok(Some(Enter::At(f64::from(*offset))));
            }
            EnterData::Offset(offset) => {
                let found = (*offset).into();
                return self.fail("enter", Fault::Number { found, expected: "an offset from 0 to 1" });
            }
            EnterData::KeepPhase => return Ok(Some(Enter::KeepPhase)),
            EnterData::Marker(name) => name,
        };
        let mut state = to;
        while let Some(Motion::Machine(machine)) = state.map(|state| &self.states[state as usize].motion) {
            state = Some(self.machines[*machine].entry);
        }
        let leaves = match state.map(|state| &self.states[state as usize].motion) {
            Some(Motion::Play(tree)) => &tree.leaves[..],
            _ => &[],
        };
        let marker = leaves.iter().find_map(|leaf| {
            let marker = leaf.clip.markers().iter().find(|marker| *marker.name == **name)?;
            let secs = f64::from(marker.secs) - f64::from(leaf.range.0);
            (0.0..=leaf.length_secs).contains(&secs).then(|| secs / leaf.length_secs.max(f64::MIN_POSITIVE))
        });
        match marker {
            Some(part) => Ok(Some(Enter::At(part))),
            None if leaves.is_empty() => Ok(None),
            None => self.fail("enter", Fault::Unknown { what: "marker", name: name.clone() }),
        }
    }
}
