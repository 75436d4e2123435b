//! Reads the anim state graphs of `PlayCanvas`, in both forms: with lists, and with numbered objects as its
//! editor writes them.
//!
//! A state plays the clip of its name there, and a point of a blend the clip of its own; so it is here.
//! Triggers last for one update, exit times of 0 are none, and fades are crossfades that nothing interrupts
//! unless the graph says otherwise.

use serde_json::Value;

use crate::data::{
    AdditiveData, AmountData, Blend1dData, Blend2dData, ClipMotion, ClipMotionSettings, ConditionData,
    DirectData, DirectItemData, DurationData, EasingData, EnterData, FadeData, GraphData, InterruptData,
    LayerData, LayerModeData, LoopData, MachineData, MethodData, MotionData, OpData, ParameterData,
    ParameterKind, Point1dData, Point2dData, ReferenceData, StateData, TransitionData, ValueData,
};
use crate::error::{Fault, GraphError, Place};

type Read<T> = Result<T, GraphError>;

impl GraphData {
    /// Reads the JSON of a `PlayCanvas` anim state graph.
    ///
    /// # Errors
    /// If it is no JSON of such a graph.
    pub fn from_playcanvas(json: &str) -> Read<Self> {
        let root: Value =
            serde_json::from_str(json).map_err(|error| GraphError::of(Fault::Json(error.to_string())))?;
        let parameters = entries(&root["parameters"]).map(|(key, value)| parameter(key, value));
        let parameters = parameters.collect::<Read<_>>()?;
        let layers = entries(&root["layers"]).map(|(_, layer_data)| layer(&root, layer_data));
        Ok(Self { parameters, layers: layers.collect::<Read<_>>()?, ..Self::default() })
    }
}

fn fail<T>(layer: &str, field: &'static str, fault: Fault) -> Read<T> {
    let layer = Some(layer.to_owned()).filter(|layer| !layer.is_empty());
    let place = Box::new(Place { layer, field: Some(field), ..Place::default() });
    Err(GraphError { place, fault })
}

/// The elements of a list, or of an object in the order of its numbers.
fn entries(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let list = value.as_array().into_iter().flatten().map(|value| ("", value));
    let mut object: Vec<_> =
        value.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value)).collect();
    object.sort_by_key(|(key, _)| key.parse::<u64>().unwrap_or(u64::MAX));
    list.chain(object)
}

/// What a layer lists: elements, or the numbers of elements that are beside the layers.
fn listed<'v>(root: &'v Value, owner: &'v Value, name: &str) -> Vec<&'v Value> {
    let of = |value: &'v Value| match value {
        Value::Number(_) | Value::String(_) => {
            let key = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            &root[name][key.as_str()]
        }
        element => element,
    };
    entries(&owner[name]).map(|(_, value)| of(value)).collect()
}

fn text<'v>(layer: &str, field: &'static str, value: &'v Value) -> Read<&'v str> {
    match value.as_str() {
        Some(text) => Ok(text),
        None => fail(layer, field, Fault::Missing("a name")),
    }
}

fn number(value: &Value, default: f32) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
    value.as_f64().map_or(default, |number| number as f32)
}

fn parameter(key: &str, value: &Value) -> Read<ParameterData> {
    let name = value["name"].as_str().unwrap_or(key);
    let kind = match value["type"].as_str() {
        Some("FLOAT") => ParameterKind::Float,
        Some("INTEGER") => ParameterKind::Int,
        Some("BOOLEAN") => ParameterKind::Bool,
        Some("TRIGGER") => ParameterKind::Trigger,
        other => {
            let name = other.unwrap_or_default().to_owned();
            return fail("", "type", Fault::Unknown { what: "kind of parameter", name });
        }
    };
    let default = value["value"]
        .as_bool()
        .map(ValueData::Bool)
        .or_else(|| value["value"].as_f64().map(ValueData::Number));
    Ok(ParameterData { default, keep: kind != ParameterKind::Trigger, ..ParameterData::new(name, kind) })
}

fn layer(root: &Value, value: &Value) -> Read<LayerData> {
    let name = text("", "layers", &value["name"])?;
    let mut states = Vec::new();
    for state in listed(root, value, "states") {
        let state_name = text(name, "states", &state["name"])?;
        // These are places where others begin and end.
        if !["START", "END", "ANY"].contains(&state_name) {
            states.push(read_state(name, state_name, state)?);
        }
    }
    let (mut entry, mut transitions) = (None, Vec::new());
    for transition in listed(root, value, "transitions") {
        let end = |field| match transition[field].as_str() {
            Some(state) => Some(state),
            // The editor gives numbers of states.
            None => root["states"][transition[field].to_string().as_str()]["name"].as_str(),
        };
        match (end("from"), end("to")) {
            (Some("START"), Some(to)) => entry = Some(to.to_owned()),
            (Some(_), Some("END")) => {}
            (Some(from), Some(to)) => transitions.push(read_transition(root, name, from, to, transition)?),
            _ => return fail(name, "transitions", Fault::Missing("`from` or `to`")),
        }
    }
    let default = listed(root, value, "states").into_iter().find(|state| state["defaultState"] == true);
    let default = default.and_then(|state| state["name"].as_str()).map(str::to_owned);
    let mut machine = MachineData::new(states, transitions);
    machine.entry = entry.or(default).unwrap_or(machine.entry);
    let mode = match value["blendType"].as_str() {
        Some("ADDITIVE") => LayerModeData::Additive(AdditiveData { reference: ReferenceData::FirstKey }),
        _ => LayerModeData::Override,
    };
    let weight = AmountData::Number(number(&value["weight"], 1.0));
    Ok(LayerData { mode, weight, ..LayerData::new(name, machine) })
}

fn read_state(layer: &str, name: &str, state: &Value) -> Read<StateData> {
    let motion = match state.get("blendTree").filter(|tree| !tree.is_null()) {
        Some(tree) => blend(layer, tree)?,
        None => MotionData::clip(name),
    };
    let mut read = StateData::new(name, motion);
    read.speed = AmountData::Number(number(&state["speed"], 1.0));
    read.loops = if state["loop"] == false { LoopData::Once } else { LoopData::Repeat };
    let at = |axis: &str| state[axis].as_f64().map(|_| number(&state[axis], 0.0));
    read.position = at("posX").zip(at("posY")).map(<[f32; 2]>::from);
    Ok(read)
}

/// A blend, or a clip of one.
fn blend(layer: &str, tree: &Value) -> Read<MotionData> {
    let children = || entries(&tree["children"]).map(|(_, child)| child);
    let parameter = |index: usize| match &tree["parameters"][index] {
        Value::String(name) => Ok(name.clone()),
        _ => text(layer, "parameter", &tree["parameter"]).map(str::to_owned),
    };
    Ok(match tree["type"].as_str() {
        Some("1D") => {
            let points = children().map(|child| {
                let at = child["point"].as_f64().or(child["point"][0].as_f64());
                let at = at.map(|_| number(&child["point"], number(&child["point"][0], 0.0)));
                Ok(Point1dData { at, motion: blend(layer, child)? })
            });
            let points = points.collect::<Read<_>>()?;
            Blend1dData { parameter: parameter(0)?, half_life: 0.0, place: None, points }.into()
        }
        Some(kind @ ("2D_CARTESIAN" | "2D_DIRECTIONAL")) => {
            let directional = kind == "2D_DIRECTIONAL";
            let method = if directional { MethodData::Directional } else { MethodData::Cartesian };
            let points = children().map(|child| {
                let along = |axis: usize, name: &str| match &child["point"][axis] {
                    Value::Null => number(&child["point"][name], 0.0),
                    value => number(value, 0.0),
                };
                let at = (!child["point"].is_null()).then(|| [along(0, "x"), along(1, "y")]);
                Ok(Point2dData { at, motion: blend(layer, child)? })
            });
            let (points, parameters) = (points.collect::<Read<_>>()?, [parameter(0)?, parameter(1)?]);
            Blend2dData { parameters, method, half_life: 0.0, place: None, points }.into()
        }
        Some("DIRECT") => {
            let items = children().enumerate().map(|(index, child)| {
                let weight = match child["weight"].as_str() {
                    Some(name) => name.to_owned(),
                    None => parameter(index)?,
                };
                Ok(DirectItemData { weight: AmountData::Parameter(weight), motion: blend(layer, child)? })
            });
            DirectData { normalize: tree["normalize"].as_bool(), items: items.collect::<Read<_>>()? }.into()
        }
        None => {
            let name = text(layer, "children", &tree["name"])?.to_owned();
            let speed = number(&tree["speed"], 1.0);
            MotionData::Clip(ClipMotion::Settings(ClipMotionSettings { name, range: None, speed }))
        }
        Some(other) => {
            return fail(layer, "type", Fault::Unknown { what: "kind of blend", name: other.to_owned() });
        }
    })
}

fn read_transition(root: &Value, layer: &str, from: &str, to: &str, value: &Value) -> Read<TransitionData> {
    let mut read = TransitionData::new(if from == "ANY" { "any" } else { from }, to);
    read.duration = DurationData::Secs(number(&value["time"], 0.0));
    read.fade = FadeData::Cross;
    read.easing = EasingData::Linear;
    read.priority = value["priority"].as_i64().and_then(|priority| priority.try_into().ok()).unwrap_or(0);
    read.exit_time = Some(number(&value["exitTime"], 0.0)).filter(|time| *time > 0.0);
    let offset = number(&value["transitionOffset"], 0.0);
    read.enter = (offset > 0.0 && offset <= 1.0).then_some(EnterData::Offset(offset));
    read.interrupt = match value["interruptionSource"].as_str() {
        Some("PREV_STATE") => InterruptData::Source,
        Some("NEXT_STATE") => InterruptData::Target,
        Some("PREV_STATE_NEXT_STATE") => InterruptData::SourceThenTarget,
        Some("NEXT_STATE_PREV_STATE") => InterruptData::TargetThenSource,
        _ => InterruptData::None,
    };
    for condition in listed(root, value, "conditions") {
        read.when.push(read_condition(root, layer, condition)?);
    }
    Ok(read)
}

fn read_condition(root: &Value, layer: &str, value: &Value) -> Read<ConditionData> {
    let name = text(layer, "parameterName", &value["parameterName"])?;
    let mut of_name = entries(&root["parameters"])
        .filter(|(key, parameter)| parameter["name"].as_str().unwrap_or(key) == name);
    if of_name.any(|(_, parameter)| parameter["type"] == "TRIGGER") {
        return Ok(ConditionData::is_set(name));
    }
    let op = match value["predicate"].as_str() {
        Some("GREATER_THAN") => OpData::Greater,
        Some("GREATER_THAN_EQUAL_TO") => OpData::GreaterOrEqual,
        Some("LESS_THAN") => OpData::Less,
        Some("LESS_THAN_EQUAL_TO") => OpData::LessOrEqual,
        Some("NOT_EQUAL_TO") => OpData::NotEqual,
        Some("EQUAL_TO") | None => OpData::Equal,
        Some(other) => {
            return fail(layer, "predicate", Fault::Unknown { what: "predicate", name: other.to_owned() });
        }
    };
    let against = match &value["value"] {
        Value::Bool(value) => ValueData::Bool(*value),
        value => ValueData::Number(value.as_f64().unwrap_or(0.0)),
    };
    Ok(ConditionData { parameter: name.to_owned(), op: Some(op), value: Some(against) })
}
