//! Every broken file gets what its manifest says, quickly and within bounds.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use canter_gltf::Severity;
use serde::Deserialize;

use canter_testing::models;
use canter_testing::requirement::say;

const MAX_TIME: Duration = Duration::from_secs(2);
const MAX_KIB: u64 = 256 * 1024;

/// Tells the child which file to load.
const FILE: &str = "CANTER_MALFORMED_FILE";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    files: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    file: String,
    wrong: String,
    expect: String,
    #[serde(default)]
    also_acceptable: Vec<String>,
}

impl Case {
    /// Files of the Khronos validator are there for "no panic, no hang"; its verdict is not ours.
    fn must_agree(&self) -> bool {
        !self.file.contains("khronos")
    }

    fn accepts(&self, verdict: &str) -> bool {
        verdict == self.expect || self.also_acceptable.iter().any(|other| other == verdict)
    }
}

#[test]
fn every_malformed_file_gets_its_verdict() {
    let Some(root) = models::folder() else { return };
    let root = root.join("malformed");
    let manifest: Manifest = models::read_json(&root.join("manifest.json"));
    let (mut first_choice, mut also, mut khronos) = (0, 0, 0);
    let (mut slowest, mut largest) = (Duration::ZERO, 0);
    for case in &manifest.files {
        let (verdict, kib, time) = run_timed(&root.join(&case.file));
        (slowest, largest) = (slowest.max(time), largest.max(kib));
        assert!(time < MAX_TIME, "{}: {time:?}", case.file);
        assert!(kib < MAX_KIB, "{}: {kib} KiB", case.file);
        if !case.must_agree() {
            khronos += 1;
            continue;
        }
        let expected = (&case.expect, &case.also_acceptable);
        assert!(case.accepts(&verdict), "{} ({}): {verdict} instead of {expected:?}", case.file, case.wrong);
        *(if verdict == case.expect { &mut first_choice } else { &mut also }) += 1;
    }
    say(&format!(
        "{} malformed files: {first_choice} as expected, {also} otherwise acceptable, {khronos} of the Khronos validator \
         without a panic; at most {slowest:.0?} and {} MiB each",
        manifest.files.len(),
        largest / 1024
    ));
}

/// The shortest of up to three runs: a busy machine may hold up any one of them, a slow file holds up all.
fn run_timed(file: &Path) -> (String, u64, Duration) {
    let mut min = Duration::MAX;
    for _ in 0..2 {
        let start = Instant::now();
        let (verdict, kib) = run_child(file);
        min = min.min(start.elapsed());
        if min < MAX_TIME {
            return (verdict, kib, min);
        }
    }
    let start = Instant::now();
    let (verdict, kib) = run_child(file);
    (verdict, kib, min.min(start.elapsed()))
}

/// Loads a file in a process of its own, so that a crash, too, is an answer; gives the verdict and the peak
/// memory.
fn run_child(file: &Path) -> (String, u64) {
    let test = std::env::current_exe().expect("the path of this test");
    let output = Command::new(test)
        .args(["--exact", "malformed::child", "--ignored", "--nocapture", "--test-threads=1"])
        .env(FILE, file)
        .output()
        .expect("the child starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let answer = stdout.lines().find_map(|line| line.strip_prefix("ANSWER "));
    let stderr = String::from_utf8_lossy(&output.stderr);
    let answer = answer.unwrap_or_else(|| panic!("{} crashed: {}\n{stderr}", file.display(), output.status));
    let (verdict, kib) = answer.split_once(' ').expect("a verdict and a number");
    (verdict.to_owned(), kib.parse().expect("a number"))
}

/// Not a test: the other side of [`run_child`].
#[test]
#[ignore = "is started by every_malformed_file_gets_its_verdict"]
#[expect(clippy::print_stdout, reason = "the answer to the parent")]
fn child() {
    let Some(file) = std::env::var_os(FILE) else { return };
    let verdict = match canter_gltf::load(file) {
        Err(error) => {
            assert!(!error.to_string().is_empty());
            "error"
        }
        Ok(asset) if asset.warnings.iter().any(|warning| warning.severity == Severity::Warning) => "warn",
        Ok(_) => "load",
    };
    println!("\nANSWER {verdict} {}", peak_kib());
}

/// The most memory that this process has had, where the system tells.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
