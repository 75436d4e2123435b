//! `canter run GRAPH --model FILE`: what a graph does with parameters over time.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use canter::Mixer;
use canter_graph::{Explanation, Graph, GraphEventKind, GraphState, Parameters, Value};
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::graph::{load_graph, load_model};
use crate::loading::Loading;
use crate::output::{NAME, Output, QUIET, printable};

/// Run an animation graph with parameters over time: states, events, and why.
#[derive(Debug, Args)]
#[command(after_help = "\
The script:
  { \"secs\": 3, \"fps\": 60, \"input\": [
      { \"at\": 0.5, \"set\": { \"forward\": 1.4, \"armed\": true } },
      { \"at\": 1.0, \"trigger\": [\"jump\"] } ] }

The JSON, a line for each update in which something happened, and one for the last:
  time_secs      since the start
  events         what happened: layer, event (enter, leave, finished or limit), state, and when
  explain        what plays, what fades, and what every transition waits for

Examples:
  canter run hero.graph.json --model hero.glb
  canter run hero.graph.json --model hero.glb --script input.json --json")]
pub(crate) struct Arguments {
    /// The graph.
    #[arg(value_name = "GRAPH")]
    graph: PathBuf,

    /// The model that it is for.
    #[arg(long, value_name = "FILE")]
    model: PathBuf,

    /// Parameters over time; without it the graph runs for a second as it is.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,

    /// JSON for programs.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    loading: Loading,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    #[serde(default = "one")]
    secs: f32,
    #[serde(default = "sixty")]
    fps: f32,
    #[serde(default)]
    input: Vec<Input>,
}

#[derive(Debug, Deserialize)]
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

#[derive(Serialize)]
struct Told<'g> {
    layer: &'g str,
    event: &'static str,
    state: Option<&'g str>,
    name: Option<&'g str>,
    time_secs: f64,
}

#[derive(Serialize)]
struct Frame<'g> {
    time_secs: f64,
    events: Vec<Told<'g>>,
    explain: Explanation,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let asset = load_model(&arguments.model, &arguments.loading.options())?;
    let graph = load_graph(&arguments.graph, &asset)?;
    let script = arguments
        .script
        .as_deref()
        .map_or_else(|| Ok(Script { secs: 1.0, fps: 60.0, input: Vec::new() }), read_script)?;
    let updates = script.secs * script.fps;
    if !((0.0..=MOST_UPDATES).contains(&updates) && script.fps > 0.0) {
        let message = format!("{} s at {} updates per second", script.secs, script.fps);
        return Err(Failure::new(message, "give up to a million updates, and more than none per second"));
    }
    let mut mixer = Mixer::new(&asset.skeleton);
    let mut parameters = graph.parameters();
    let mut state = graph.start(&parameters, &mut mixer);
    let mut inputs: Vec<&Input> = script.input.iter().collect();
    inputs.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut inputs = inputs.into_iter().peekable();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was checked")]
    let count = updates.round() as u32;
    for update in 0..count {
        // Half an update early is nearer than half an update late.
        let now = (f64::from(update) + 0.5) / f64::from(script.fps);
        while let Some(input) = inputs.next_if(|input| f64::from(input.at) < now) {
            apply(&graph, &mut parameters, input)?;
        }
        graph.update(&mut state, &mut parameters, script.fps.recip(), &mut mixer);
        let is_last = update + 1 == count;
        if is_last || !state.events().is_empty() {
            let explain = graph.explain(&state, &parameters, &mixer);
            let frame = Frame { time_secs: state.time_secs(), events: told(&graph, &state), explain };
            write(&frame, is_last, arguments.json, output)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn read_script(path: &Path) -> Result<Script, Failure> {
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

fn told<'g>(graph: &'g Graph, state: &GraphState) -> Vec<Told<'g>> {
    let events = state.events().iter().map(|event| {
        let (kind, of, name) = match event.kind {
            GraphEventKind::Enter(state, _) => ("enter", Some(state), graph.state_events(state).0),
            GraphEventKind::Leave(state) => ("leave", Some(state), graph.state_events(state).1),
            GraphEventKind::Finished(state) => ("finished", Some(state), None),
            _ => ("limit", None, None),
        };
        Told {
            layer: &graph.data().layers[event.layer].name,
            event: kind,
            state: of.map(|state| graph.state_path(state)),
            name,
            time_secs: state.time_secs() - f64::from(event.secs_ago),
        }
    });
    events.collect()
}

fn write(frame: &Frame<'_>, is_last: bool, json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        return Ok(output.json(frame)?);
    }
    for event in &frame.events {
        let Told { layer, event, state, name, time_secs } = event;
        let state = printable(state.unwrap_or_default());
        let name = name.map(|name| format!(" ({})", printable(name))).unwrap_or_default();
        let layer = printable(layer);
        output.line(format_args!(
            "{QUIET}{time_secs:8.3} s{QUIET:#}  {layer}: {event} {NAME}{state}{NAME:#}{name}"
        ))?;
    }
    if is_last {
        output.line(format_args!("{QUIET}{:8.3} s{QUIET:#}", frame.time_secs))?;
        output.line(printable_lines(&frame.explain.to_string()))?;
    }
    Ok(())
}

fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}
