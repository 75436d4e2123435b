//! `canter bench`: what it prints can be read by programs and people, and is not nonsense.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::program::{TempFile, canter, fail, succeed};

/// Runs a benchmark. That the machine is busy, which it often is while tests run, is all that it may say besides.
fn measure(arguments: &[&str]) -> String {
    let run = canter(arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
    let is_doubt = |line: &str| line.starts_with("warning: the machine was busy");
    assert!(run.stderr.lines().count() <= 1 && run.stderr.lines().all(is_doubt), "{}", run.stderr);
    run.stdout
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn the_json_has_the_fields_that_the_help_names() {
    // The hero is what is measured by default; unoptimised, ten thousand of it take a minute.
    assert!(succeed(&["bench", "--help"]).contains("[default: hero]"));
    let file = TempFile::character("bench-json.glb");
    let text = measure(&["bench", file.path(), "--seconds", "0", "--threads", "2", "--json"]);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(keys(&json), ["clips", "file", "machine", "results"].into());
    assert_eq!(json["file"], file.path());
    assert_eq!(json["clips"], serde_json::json!(["move", "move"]));
    let results = json["results"].as_array().unwrap();
    let mut kinds = BTreeSet::new();
    for result in results {
        let fields = "allocations_per_frame characters mode ns_per_character_frame spread stages threads";
        assert_eq!(keys(result), fields.split(' ').collect());
        let stages = &result["stages"];
        assert_eq!(keys(stages), ["blend", "compose", "palette", "sample"].into());
        let nanos = number(&result["ns_per_character_frame"]);
        assert!(nanos > 10.0 && nanos < 1e9, "{result}");
        let sum: f64 = stages.as_object().unwrap().values().map(number).sum();
        assert!((sum / nanos - 1.0).abs() < 1e-6, "the stages are the whole: {result}");
        if result["threads"] == 1 && result["characters"] == 10_000 {
            assert_eq!(result["allocations_per_frame"], 0, "a crowd allocates: {result}");
        }
        let (characters, threads) = (result["characters"].as_u64(), result["threads"].as_u64());
        kinds.insert((characters, threads, result["mode"].to_string()));
    }
    assert_eq!((results.len(), kinds.len()), (16, 16), "four numbers, two of threads, two modes");
}

#[test]
fn the_table_says_how_many_fit_and_the_charts_can_be_read() {
    let file = TempFile::character("bench.glb");
    let (svg, png) = (TempFile::new("bench.svg", b""), TempFile::new("bench.png", b""));
    for chart in [&svg, &png] {
        let run = ["--clips", "move,0", "--threads", "1", "--seconds", "0", "--chart", chart.path()];
        let text = measure(&[&["bench", file.path()], run.as_slice()].concat());
        for part in ["move", "in 16.6 ms", "10000", "each further character", "allocations"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
    let text = fs::read_to_string(svg.path()).unwrap();
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n") && text.contains("palette"), "{text}");
    let file = std::io::BufReader::new(fs::File::open(png.path()).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let colors: BTreeSet<&[u8]> = pixels.chunks_exact(3).collect();
    assert!(colors.len() >= 6, "four stages, ink and paper");
}

#[test]
fn a_run_is_compared_with_an_earlier_one() {
    let file = TempFile::character("bench-compare.glb");
    let run = ["bench", file.path(), "--threads", "1", "--seconds", "0"];
    let text = measure(&[&run[..], &["--json"]].concat());
    let mut earlier: Value = serde_json::from_str(&text).unwrap();
    earlier["machine"]["cpu"] = "Another one".into();
    for result in earlier["results"].as_array_mut().unwrap() {
        result["ns_per_character_frame"] = 1e12.into();
    }
    let earlier = TempFile::new("bench-earlier.json", earlier.to_string().as_bytes());
    let with = |more: &[&str]| measure(&[&run[..], &["--compare", earlier.path()], more].concat());
    let text = with(&[]);
    for part in ["Beside the earlier run", "faster", "another CPU: Another one then"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.lines().any(|line| line.trim_end().ends_with(" slower")), "{text}");
    let json: Value = serde_json::from_str(&with(&["--json"])).unwrap();
    let compared = json["compared"].as_array().unwrap();
    assert_eq!(compared.len(), json["results"].as_array().unwrap().len());
    assert!(compared.iter().all(|row| number(&row["ratio"]) < 1e-3 && row["certain"] == true), "{json}");

    assert!(fail(&["bench", "--compare", "no/such.json"]).contains("no/such.json"));
    assert!(fail(&["bench", "--compare", file.path()]).contains("canter bench --json"));
}

#[test]
fn what_cannot_be_measured_is_told() {
    let file = TempFile::character("bench-errors.glb");
    assert!(fail(&["bench", file.path(), "--clips", "move,Fly"]).contains("no clip \"Fly\""));
    assert!(fail(&["bench", file.path(), "--clips", "move"]).contains("give two"));
    assert!(fail(&["bench", file.path(), "--chart", "cost.bmp"]).contains(".svg or .png"));
    assert!(fail(&["bench", file.path(), "--seconds", "nan"]).contains("--seconds"));
    assert!(fail(&["bench", "no/such/file.glb"]).contains("no/such/file.glb"));
}
