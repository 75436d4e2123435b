//! A script for a graph: its parameters over time.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use canter_graph::{Graph, Parameters, Value};
use serde::Deserialize;

use crate::failure::Failure;
use crate::output::printable;

/// Parameters over time, and how long it takes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Script {
    #[serde(default = "one")]
    pub(crate) secs: f32,
    /// Updates a second.
    #[serde(default = "sixty")]
    pub(crate) fps: f32,
    /// In the order of time, once it was read.
    #[serde(default)]
    input: Vec<Input>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    at: f32,
    #[serde(default)]
    set: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    trigger: Vec<String>,
}

fn one() -> f32 {
    1.0
}

fn sixty() -> f32 {
    60.0
}

/// More updates than anybody looks at.
const MOST_UPDATES: f32 = 1e6;

impl Script {
    /// Reads a script for a graph; without one, parameters stay as they are for a second.
    pub(crate) fn read(path: Option<&Path>, graph: &Graph) -> Result<Self, Failure> {
        let mut script = match path {
            Some(path) => read(path)?,
            None => Self { secs: 1.0, fps: 60.0, input: Vec::new() },
        };
        let updates = script.secs * script.fps;
        if !((0.0..=MOST_UPDATES).contains(&updates) && script.fps > 0.0) {
            let message = format!("{} s at {} updates per second", script.secs, script.fps);
            return Err(Failure::new(message, "give up to a million updates, and more than none per second"));
        }
        script.input.sort_by(|a, b| a.at.total_cmp(&b.at));
        // What is wrong is told before anything runs.
        let mut parameters = graph.parameters();
        script.input.iter().try_for_each(|input| apply(graph, &mut parameters, input))?;
        Ok(script)
    }

    pub(crate) fn updates(&self) -> u32 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was checked")]
        let updates = (self.secs * self.fps).round() as u32;
        updates
    }

    /// Sets what comes with an update; `next` is how many inputs there have been.
    pub(crate) fn feed(&self, update: u32, next: &mut usize, graph: &Graph, parameters: &mut Parameters) {
        // Half an update early is nearer than half an update late.
        let now = (f64::from(update) + 0.5) / f64::from(self.fps);
        while let Some(input) = self.input.get(*next).filter(|input| f64::from(input.at) < now) {
            // It was tried when it was read.
            let _ = apply(graph, parameters, input);
            *next += 1;
        }
    }
}

fn read(path: &Path) -> Result<Script, Failure> {
    let failure = |error: &dyn std::fmt::Display| {
        Failure::new(format!("{}: {error}", path.display()), "`canter run --help` shows a script")
    };
    let text = fs::read_to_string(path).map_err(|error| failure(&error))?;
    serde_json::from_str(&text).map_err(|error| failure(&error))
}

fn apply(graph: &Graph, parameters: &mut Parameters, input: &Input) -> Result<(), Failure> {
    let unknown = |name: &str, what: &dyn std::fmt::Display| {
        let names: Vec<_> = graph.data().parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let hint = format!("the graph has {}", names.join(", "));
        Failure::new(format!("at {} s: parameter \"{}\": {what}", input.at, printable(name)), hint)
    };
    for (name, value) in &input.set {
        let id = graph.parameter(name).ok_or_else(|| unknown(name, &"there is none"))?;
        #[expect(clippy::cast_possible_truncation, reason = "parameters are of 32 bits")]
        let value = match (value, parameters.get(id)) {
            (serde_json::Value::Bool(value), _) => Value::Bool(*value),
            (value, Some(Value::Int(_))) => {
                let int = value.as_i64().and_then(|int| i32::try_from(int).ok());
                Value::Int(int.ok_or_else(|| unknown(name, &"expected a whole number"))?)
            }
            (value, _) => {
                Value::Float(value.as_f64().ok_or_else(|| unknown(name, &"expected a number"))? as f32)
            }
        };
        parameters.set(id, value).map_err(|error| unknown(name, &error))?;
    }
    for name in &input.trigger {
        let id = graph.parameter(name).ok_or_else(|| unknown(name, &"there is none"))?;
        parameters.trigger(id).map_err(|error| unknown(name, &error))?;
    }
    Ok(())
}
