//! `canter run GRAPH --model FILE`: what a graph does with parameters over time.

use std::path::PathBuf;
use std::process::ExitCode;

use canter::Mixer;
use canter_graph::{Explanation, Graph, GraphEventKind, GraphState};
use clap::Args;
use serde::Serialize;

use crate::failure::Failure;
use crate::graph::{load_graph, load_model};
use crate::loading::Loading;
use crate::output::{NAME, Output, QUIET, printable};
use crate::script::Script;

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
  canter run hero.graph.json --model hero.glb --script input.json --json

`canter render hero.glb --graph hero.graph.json --script input.json` shows the same as a film.")]
pub(crate) struct Arguments {
    /// The graph, as JSON; `hero` is part of the program.
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
    let script = Script::read(arguments.script.as_deref(), &graph)?;
    let mut mixer = Mixer::new(&asset.skeleton);
    let mut parameters = graph.parameters();
    let mut state = graph.start(&parameters, &mut mixer);
    let (count, mut next) = (script.updates(), 0);
    for update in 0..count {
        script.feed(update, &mut next, &graph, &mut parameters);
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
