//! Many files: `check`, `optimize` and `inspect`.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use canter_testing::glb;
use serde_json::Value;

use crate::program::{TempFile, canter};

/// A folder of models, removed at the end: some are fine, one is broken.
struct Library(PathBuf);

impl Library {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("canter-cli-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("deeper")).unwrap();
        for name in ["a.glb", "b.glb", "deeper/c.glb"] {
            fs::write(folder.join(name), glb::character()).unwrap();
        }
        fs::write(folder.join("broken.glb"), b"glTF").unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn list(&self) -> String {
        ["a.glb", "", "deeper/c.glb\r", "broken.glb", "missing.glb"]
            .map(|name| if name.is_empty() { String::new() } else { self.path(name) })
            .join("\n")
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// The last part of each path, and the verdict.
fn verdicts(records: &[Value]) -> Vec<String> {
    let file = |path: &Value| path.as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let verdict =
        |record: &Value| format!("{} {}", file(&record["path"]), record["verdict"].as_str().unwrap());
    records.iter().map(verdict).collect()
}

#[test]
fn a_list_of_files_gives_a_line_for_each_and_a_summary() {
    let library = Library::new("lines");
    fs::write(library.path("list.txt"), library.list()).unwrap();
    let run = canter(&["check", "--json", "--files-from", &library.path("list.txt")]);
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    let mut records = lines(&run.stdout);
    let summary = records.pop().unwrap();
    let expected = ["a.glb fine", "c.glb fine", "broken.glb broken", "missing.glb not-found"];
    assert_eq!(verdicts(&records), expected);
    assert_eq!(summary["summary"]["files"], 4);
    assert_eq!(summary["summary"]["verdicts"]["broken"], 1);
    assert!(records[2]["errors"][0]["message"].as_str().unwrap().contains("header of 12 bytes"));
    let one = lines(&canter(&["check", "--json", &library.path("a.glb")]).stdout);
    assert_eq!(one.len(), 1, "one file needs no summary");
    for jobs in ["1", "7"] {
        let again = canter(&["check", "--json", "-j", jobs, "--files-from", &library.path("list.txt")]);
        assert_eq!(again.stdout, run.stdout, "in the order of the list, whoever is ready first");
    }
}

#[test]
fn a_list_may_come_through_a_pipe() {
    let library = Library::new("pipe");
    let mut child = Command::new(env!("CARGO_BIN_EXE_canter"))
        .args(["inspect", "--json", "--files-from", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().unwrap().write_all(library.list().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let mut records = lines(&String::from_utf8(output.stdout).unwrap());
    let summary = records.pop().unwrap();
    assert_eq!((&summary["summary"]["files"], &summary["summary"]["failed"]), (&4.into(), &2.into()));
    assert_eq!(records[0]["clips"][0]["name"], "move");
    assert!(records[2]["errors"][0]["message"].as_str().unwrap().contains("header"), "{}", records[2]);
}

#[test]
fn what_the_log_has_is_not_done_again() {
    let library = Library::new("resume");
    let (list, log) = (library.path("list.txt"), library.path("logs/log.jsonl"));
    fs::write(&list, library.list()).unwrap();
    let resume = ["check", "--files-from", &list, "--log", &log, "--resume"];
    assert_eq!(canter(&resume).code, 2);
    assert_eq!(lines(&fs::read_to_string(&log).unwrap()).len(), 4);
    // All but the one that could not be read; it is there by now.
    fs::write(library.path("missing.glb"), glb::character()).unwrap();
    let run = canter(&resume);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "1 file: 1 fine, 0 with warnings, 0 broken; 3 done before\n")
    );
    let records = lines(&fs::read_to_string(&log).unwrap());
    assert_eq!(verdicts(&records[4..]), ["missing.glb fine"]);
    let run = canter(&resume);
    assert!(run.code == 0 && run.stdout.contains("4 done before"), "{}", run.stdout);
    // A line that was cut off does not count, and does not spoil the next one.
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, &text[..text.len() - 20]).unwrap();
    assert!(canter(&resume).stdout.contains("3 done before"));
    let text = fs::read_to_string(&log).unwrap();
    assert!(serde_json::from_str::<Value>(text.lines().last().unwrap()).is_ok(), "{text}");
}

#[test]
fn exit_codes_tell_some_failed_from_could_not_run() {
    let library = Library::new("codes");
    let (fine, broken) = (library.path("a.glb"), library.path("broken.glb"));
    for (command, flag) in [("check", "--strict"), ("inspect", "--json"), ("optimize", "--dry-run")] {
        assert_eq!(canter(&[command, flag, &fine, &fine]).code, 0, "{command}");
        assert_eq!(canter(&[command, flag, &fine, &broken]).code, 2, "{command}");
        let lost = canter(&[command, flag, "--files-from", "no/such/list"]);
        assert_eq!(lost.code, 3, "{command}: {}", lost.stderr);
        assert!(lost.stderr.contains("no/such/list") && lost.stdout.is_empty(), "{}", lost.stderr);
        assert_eq!(canter(&[command, flag, "--no-such-flag"]).code, 3, "{command}");
        assert_eq!(canter(&[command, flag]).code, 3, "{command} needs files");
        assert_eq!(canter(&[command, flag, "--log", "/dev/null/x", &fine]).code, 3, "{command}");
    }
    let several = canter(&["inspect", &fine, &fine]);
    assert_eq!((several.code, several.stdout.as_str()), (3, ""));
}

#[test]
fn a_folder_is_optimized_into_a_folder() {
    let library = Library::new("folder");
    let out = library.path("out");
    let source = library.path("deeper");
    fs::write(library.path("deeper/cut.glb"), b"glTF").unwrap();
    fs::write(library.path("deeper/c.markers.json"), r#"{ "clips": [] }"#).unwrap();
    let run = canter(&["optimize", &source, "-o", &out, "--json"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let mut records = lines(&run.stdout);
    let summary = records.pop().unwrap();
    assert_eq!(verdicts(&records), ["c.glb smaller", "cut.glb broken"]);
    assert_eq!(summary["summary"]["failed"], 1);
    assert_eq!(summary["summary"]["bytes_after"], records[0]["bytes_after"]);
    let written = fs::metadata(library.0.join("out/c.glb")).unwrap().len();
    assert_eq!(records[0]["bytes_after"], written);
    assert!(library.0.join("out/c.markers.json").exists() && !library.0.join("out/cut.glb").exists());
    assert!(
        fs::read_dir(library.0.join("out"))
            .unwrap()
            .all(|entry| { !entry.unwrap().file_name().to_string_lossy().ends_with(".part") })
    );
}

#[test]
fn two_files_never_become_one() {
    let library = Library::new("targets");
    fs::write(library.path("deeper/a.glb"), glb::character()).unwrap();
    let (one, two, out) = (library.path(""), library.path("deeper"), library.path("out"));
    let run = canter(&["optimize", &one, "-o", &out]);
    assert_eq!(run.code, 2, "the broken one: {}", run.stderr);
    assert!(library.0.join("out/a.glb").is_file() && library.0.join("out/deeper/a.glb").is_file());
    // Files of several folders keep their whole paths.
    let (a, b) = (library.path("a.glb"), library.path("deeper/a.glb"));
    assert_eq!(canter(&["optimize", &a, &b, &two, "-o", &library.path("both")]).code, 0);
    let place = |path: &str| library.0.join("both").join(path.trim_start_matches('/'));
    assert!(place(&a).is_file() && place(&b).is_file());
    let odd = format!("/..{b}");
    let run = canter(&["optimize", &b, &odd, "-o", &out]);
    assert_eq!((run.code, run.stdout.as_str()), (3, ""));
    assert!(run.stderr.contains("would be one file"), "{}", run.stderr);
}

#[test]
fn files_are_not_all_in_memory_at_once() {
    let file = TempFile::character("many.glb");
    let list = TempFile::new("many.txt", [file.path(), "\n"].concat().repeat(700).as_bytes());
    let run = canter(&["check", "--json", "--files-from", list.path()]);
    assert_eq!((run.code, run.stdout.lines().count()), (0, 701));
}
