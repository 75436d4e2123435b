//! Graphs in files: offered beside a model, opened, saved.

use std::fs;
use std::path::{Path, PathBuf};

use canter_graph::GraphData;

use super::{Session, SessionGraph};
use crate::session::file;

/// How files of graphs end.
const ENDING: &str = ".graph.json";

impl Session {
    /// Whether a path is named as files of graphs are.
    #[must_use]
    pub fn is_graph(path: &Path) -> bool {
        path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
    }

    /// The graph beside the model's file: `hero.graph.json` beside `hero.glb`; `None` if there is none, or it is
    /// open already.
    #[must_use]
    pub fn graph_beside(&self) -> Option<PathBuf> {
        let path = beside(self.path()?);
        let is_open = self.graph.as_ref().is_some_and(|graph| graph.path.as_ref() == Some(&path));
        (!is_open && path.is_file()).then_some(path)
    }

    /// Offers a graph for a model that has no file: it is one click away.
    pub fn offer_graph(&mut self, data: GraphData, name: &str) {
        self.offered = Some((name.to_owned(), data));
    }

    /// What the graph is called that is offered, in a file beside the model or without one.
    #[must_use]
    pub fn offered_graph(&self) -> Option<String> {
        let beside = self.graph_beside().map(|path| file::name(&path));
        beside.or_else(|| self.offered.as_ref().map(|(name, _)| name.clone()))
    }

    /// Runs the graph that is offered. If it cannot be, [`error`](Self::error) says why.
    pub fn open_offered_graph(&mut self) -> bool {
        if let Some(path) = self.graph_beside() {
            return self.open_graph(&path);
        }
        let Some((name, data)) = self.offered.clone() else { return false };
        let used = self.use_graph(data, &name);
        self.error = used.err().map(|error| format!("{name}: {error}"));
        self.error.is_none()
    }

    /// Reads a graph for the model that is shown, and runs it. If that cannot be, what was there goes on, and
    /// [`error`](Self::error) says why.
    pub fn open_graph(&mut self, path: &Path) -> bool {
        let name = file::name(path);
        let read = fs::read_to_string(path).map_err(|error| error.to_string());
        let opened = read.and_then(|json| {
            let data = GraphData::from_json(&json).map_err(|error| error.to_string())?;
            self.use_graph(data, &name).map_err(|error| error.to_string())
        });
        match (opened, &mut self.graph) {
            (Ok(()), Some(graph)) => {
                graph.path = Some(path.to_owned());
                self.error = None;
                true
            }
            (Err(error), _) => {
                self.error = Some(format!("{name}: {error}"));
                false
            }
            (Ok(()), None) => false,
        }
    }

    /// Writes the graph into its file; one that has none gets it beside the model, or else in the present
    /// folder. Returns where; if it cannot be written, [`error`](Self::error) says why.
    pub fn save_graph(&mut self) -> Option<PathBuf> {
        let beside = self.path().map(beside);
        let graph = self.graph.as_mut()?;
        let path = graph.path.clone().or(beside).unwrap_or_else(|| PathBuf::from(with_ending(&graph.name)));
        match fs::write(&path, graph.data.to_json() + "\n") {
            Ok(()) => {
                graph.is_changed = false;
                graph.path = Some(path.clone());
                self.error = None;
                Some(path)
            }
            Err(error) => {
                self.error = Some(format!("{}: {error}", file::name(&path)));
                None
            }
        }
    }

    /// Puts a graph back that still fits the model.
    pub(in crate::session) fn put_back_graph(&mut self, old: SessionGraph) {
        let ran = !old.runs.is_empty();
        match self.use_graph(old.data, &old.name) {
            Ok(()) => {
                if let Some(graph) = &mut self.graph {
                    (graph.path, graph.is_changed, graph.undo) = (old.path, old.is_changed, old.undo);
                }
                self.run_graph(ran);
            }
            Err(error) => self.error = Some(format!("{}: {error}", old.name)),
        }
    }
}

/// `hero.graph.json` beside `hero.glb`.
fn beside(model: &Path) -> PathBuf {
    let stem = model.file_stem().unwrap_or_default().to_string_lossy();
    model.with_file_name(format!("{stem}{ENDING}"))
}

fn with_ending(name: &str) -> String {
    if name.ends_with(ENDING) { name.to_owned() } else { format!("{name}{ENDING}") }
}
