use clap::Parser;

use super::*;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    batch: Batch,
}

struct Said(String, Verdict);

impl Record for Said {
    fn failed(path: &Path, verdict: Verdict, _: Finding) -> Self {
        Self(path.to_string_lossy().into_owned(), verdict)
    }

    fn verdict(&self) -> Verdict {
        self.1
    }

    fn line(&self) -> String {
        serde_json::json!({ "path": self.0, "verdict": self.1 }).to_string()
    }

    fn write(&self, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_file_that_crashes_the_program_does_not_end_the_run() {
    let log = std::env::temp_dir().join(format!("canter-cli-crash-{}.jsonl", std::process::id()));
    let batch = Cli::parse_from(["canter", "a", "b", "c", "--resume", "--log", log.to_str().unwrap()]).batch;
    let work = |path: &Path| {
        assert!(path != Path::new("b"), "this file shows a defect");
        Said::failed(path, Verdict::Fine, Finding::new("", String::new()))
    };
    let files = batch.files().unwrap_or_else(|_| panic!("there are three"));
    let tally = batch.run(&files, &mut Output::stdout(), work, |_| ());
    let tally = tally.unwrap_or_else(|_| panic!("the log can be written"));
    let again = batch.files().unwrap_or_else(|_| panic!("there are three"));
    std::fs::remove_file(&log).unwrap();
    assert_eq!((tally.number(Verdict::Fine), tally.number(Verdict::Crashed)), (2, 1));
    assert!(tally.has_failures());
    assert_eq!((again.paths.len(), again.skipped), (0, 3), "it is not tried again and again");
}
