//! A dialog that finds a file.

use std::path::{Path, PathBuf};

use egui::{Align2, Context, ScrollArea, TextEdit};

/// What the file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Open,
    Attach,
    /// A graph for the model that is shown.
    Graph,
}

/// A dialog that finds a file: folders, and the models or graphs in them.
#[derive(Debug)]
pub(super) struct Dialog {
    pub(super) purpose: Purpose,
    folder: PathBuf,
    /// What was typed: a folder or a file.
    typed: String,
    entries: Vec<Entry>,
    problem: Option<String>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    is_file: bool,
    name: String,
}

/// How a dialog ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Chosen(PathBuf),
    Cancelled,
}

impl Dialog {
    /// Begins in a folder, or where the program was started if that is none.
    pub(super) fn new(purpose: Purpose, folder: &Path) -> Self {
        let mut dialog = Self {
            purpose,
            folder: PathBuf::new(),
            typed: String::new(),
            entries: Vec::new(),
            problem: None,
        };
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        dialog.enter(&here.canonicalize().unwrap_or_else(|_| PathBuf::from("/")));
        dialog
    }

    fn enter(&mut self, folder: &Path) {
        match list(folder, self.purpose) {
            Ok(entries) => {
                self.folder = folder.to_owned();
                self.typed = folder.display().to_string();
                (self.entries, self.problem) = (entries, None);
            }
            Err(error) => self.problem = Some(format!("{}: {error}", folder.display())),
        }
    }

    /// Goes into a folder, or chooses a file.
    fn choose(&mut self, path: PathBuf) -> Option<Answer> {
        if path.is_dir() {
            self.enter(&path);
            None
        } else if path.is_file() {
            Some(Answer::Chosen(path))
        } else {
            self.problem = Some(format!("{} is not there", path.display()));
            None
        }
    }

    /// Shows it for a frame.
    pub(super) fn show(&mut self, context: &Context) -> Option<Answer> {
        let mut answer = None;
        let mut is_open = true;
        let title = match self.purpose {
            Purpose::Open => "Open a model",
            Purpose::Attach => "Attach a model",
            Purpose::Graph => "Open a graph",
        };
        let window = egui::Window::new(title).collapsible(false).open(&mut is_open);
        let window = window.default_size([460.0, 380.0]).anchor(Align2::CENTER_CENTER, [0.0, 0.0]);
        window.show(context, |ui| {
            ui.horizontal(|ui| {
                if ui.button("⬆").on_hover_text("to the folder above").clicked()
                    && let Some(above) = self.folder.parent().map(Path::to_owned)
                {
                    self.enter(&above);
                }
                let field = ui.add(TextEdit::singleline(&mut self.typed).desired_width(f32::INFINITY));
                if field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
                    answer = self.choose(self.folder.join(self.typed.trim()));
                }
            });
            if let Some(problem) = &self.problem {
                ui.colored_label(ui.visuals().error_fg_color, problem);
            }
            ui.separator();
            let mut chosen = None;
            ScrollArea::vertical().auto_shrink(false).max_height(280.0).show(ui, |ui| {
                for entry in &self.entries {
                    let icon = if entry.is_file { "🏃" } else { "🗀" };
                    if ui.selectable_label(false, format!("{icon}  {}", entry.name)).clicked() {
                        chosen = Some(self.folder.join(&entry.name));
                    }
                }
                if self.entries.is_empty() {
                    let what = if self.purpose == Purpose::Graph { ".json" } else { ".glb, .gltf or .vrm" };
                    ui.weak(format!("Here is no {what} file."));
                }
            });
            if let Some(path) = chosen {
                answer = self.choose(path);
            }
        });
        let escapes = context.input(|input| input.key_pressed(egui::Key::Escape));
        answer.or((!is_open || escapes).then_some(Answer::Cancelled))
    }
}

/// Folders, then models, by name. Hidden ones are left out.
fn list(folder: &Path, purpose: Purpose) -> std::io::Result<Vec<Entry>> {
    let mut entries: Vec<Entry> = std::fs::read_dir(folder)?
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))?;
            let path = entry.path();
            let is_file = !path.is_dir();
            (!is_file || is_listed(&path, purpose)).then_some(Entry { is_file, name })
        })
        .collect();
    entries.sort();
    Ok(entries)
}

fn is_listed(path: &Path, purpose: Purpose) -> bool {
    let endings: &[&str] = if purpose == Purpose::Graph { &["json"] } else { &["glb", "gltf", "vrm"] };
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| endings.iter().any(|known| extension == *known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_lists_models_and_folders_and_says_what_is_not_there() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut dialog = Dialog::new(Purpose::Open, &root);
        assert!(dialog.entries.iter().any(|entry| entry.name == "assets" && !entry.is_file));
        assert!(!dialog.entries.iter().any(|entry| entry.name == "Cargo.toml" || entry.name == ".git"));
        assert_eq!(dialog.choose(root.join("assets")), None);
        let names: Vec<_> = dialog.entries.iter().map(|entry| &*entry.name).collect();
        assert_eq!(names, ["generator", "hero.glb", "sword.glb"]);
        let hero = root.join("assets/hero.glb");
        assert_eq!(dialog.choose(hero.clone()), Some(Answer::Chosen(hero)));
        assert_eq!(dialog.choose(root.join("nothing.glb")), None);
        assert!(dialog.problem.is_some());
    }
}
