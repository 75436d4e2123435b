//! The command lines of the guide and of the README, run as they stand there, with what they are said to print.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program;

/// A command with the lines that follow it on the page.
#[derive(Debug, PartialEq)]
struct Example {
    line: usize,
    command: Vec<String>,
    shown: Vec<String>,
}

/// Why a block is not run, as it is written behind `console`.
const REASONS: [&str; 2] = ["opens-a-window", "takes-long"];

/// The commands in blocks of `console`. A line begins with `$`, one that ends with `\` goes on.
fn examples(text: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let (mut is_open, mut runs) = (false, false);
    let mut goes_on = false;
    for (number, line) in text.lines().enumerate() {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            let mut words = info.split(',').map(str::trim);
            runs = !is_open && words.next() == Some("console");
            for reason in words.filter(|_| runs).collect::<Vec<_>>() {
                assert!(REASONS.contains(&reason), "line {}: \"{reason}\" is no reason", number + 1);
                runs = false;
            }
            is_open = !is_open;
        } else if runs {
            let new = line.strip_prefix("$ ");
            if goes_on || new.is_some() {
                let words = new.unwrap_or(line).trim();
                let (words, more) = words.strip_suffix('\\').map_or((words, false), |words| (words, true));
                if !goes_on {
                    found.push(Example { line: number + 1, command: Vec::new(), shown: Vec::new() });
                }
                let example = found.last_mut().expect("one was begun");
                example
                    .command
                    .extend(words.split_whitespace().map(|word| word.trim_matches('\'').to_owned()));
                goes_on = more;
            } else {
                let example = found.last_mut().expect("a command comes before what it prints");
                example.shown.push(line.to_owned());
            }
        }
    }
    found
}

/// Files that a page writes down, in blocks such as `json,file:input.json`: the line, the name, and what is in it.
fn files(text: &str) -> Vec<(usize, String, String)> {
    let mut found: Vec<(usize, String, String)> = Vec::new();
    let (mut is_open, mut is_file) = (false, false);
    for (number, line) in text.lines().enumerate() {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            let name = info.split(',').find_map(|word| word.trim().strip_prefix("file:"));
            is_file = !is_open && name.is_some();
            if let Some(name) = name.filter(|_| is_file) {
                found.push((number + 1, name.to_owned(), String::new()));
            }
            is_open = !is_open;
        } else if let Some((_, _, content)) = found.last_mut().filter(|_| is_file) {
            content.push_str(line);
            content.push('\n');
        }
    }
    found
}

/// Whether the lines come in this order in what was printed; `…` stands for any number of lines.
fn shows(printed: &str, shown: &[String]) -> bool {
    let mut printed = printed.lines().map(str::trim);
    shown
        .iter()
        .map(|line| line.trim())
        .filter(|line| *line != "…")
        .all(|line| printed.any(|other| other == line))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the guide is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            found.append(&mut pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn commands_of_the_guide_do_what_it_says() {
    let mut all = pages(&root().join("docs/guide/src"));
    all.push(root().join("README.md"));
    let mut count = 0;
    for page in all {
        let folder = std::env::temp_dir().join(format!("canter-guide-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for name in ["hero.glb", "sword.glb"] {
            fs::copy(root().join("assets").join(name), folder.join(name)).unwrap();
        }
        let text = fs::read_to_string(&page).unwrap();
        for Example { line, command, shown } in examples(&text) {
            for (_, name, content) in files(&text).iter().filter(|(written, ..)| *written < line) {
                fs::write(folder.join(name), content).unwrap();
            }
            let place = format!("{}:{line}", page.display());
            assert_eq!(command[0], "canter", "{place}: only this program is run here");
            let output = Command::new(env!("CARGO_BIN_EXE_canter"))
                .args(&command[1..])
                .current_dir(&folder)
                .output()
                .expect("the program starts");
            let printed = String::from_utf8_lossy(&output.stdout);
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{place}: {command:?} {}\n{said}", output.status);
            assert!(
                shows(&printed, &shown),
                "{place}: {command:?} prints\n{printed}\nnot\n{}",
                shown.join("\n")
            );
            count += 1;
        }
        fs::remove_dir_all(&folder).unwrap();
    }
    assert!(count > 5, "{count} commands were found");
}

#[test]
fn help_names_the_guide() {
    assert!(program::succeed(&["help"]).contains("docs/guide"));
}

#[test]
fn commands_are_found_with_what_they_print() {
    let text = "```console\n$ canter a \\\n    --b\nshown\n…\n$ canter c\n```\n```console,opens-a-window\n$ canter\n```\n```text\n$ d\n```";
    let found: Vec<_> =
        examples(text).into_iter().map(|example| (example.line, example.command.join(" "))).collect();
    assert_eq!(found, [(2, "canter a --b".to_owned()), (6, "canter c".to_owned())]);
    let shown = &examples(text)[0].shown;
    assert_eq!(shown, &["shown", "…"]);
    assert!(shows("before\n  shown\nafter", shown));
    assert!(!shows("before", shown));
    let text = "```json,file:a.json\n{\n}\n```\n```json\n[]\n```\n```console\n$ canter\n```";
    assert_eq!(files(text), [(1, "a.json".to_owned(), "{\n}\n".to_owned())]);
}
