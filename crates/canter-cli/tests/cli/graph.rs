//! `canter check` of graphs, and `canter run`.

use serde_json::Value;

use crate::program::{TempFile, canter, fail, succeed};

const GRAPH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.graph.json");
const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb");

#[test]
fn the_heros_graph_is_fine() {
    let text = succeed(&["check", GRAPH, "--model", MODEL]);
    assert!(text.contains("fine"), "{text}");
    let report: Value =
        serde_json::from_str(&succeed(&["check", GRAPH, "--model", MODEL, "--json"])).unwrap();
    assert_eq!(
        (report["verdict"].as_str(), report["errors"].as_array().map(Vec::len)),
        (Some("fine"), Some(0))
    );
}

#[test]
fn a_graph_that_is_wrong_is_told_with_its_place() {
    let json = std::fs::read_to_string(GRAPH).unwrap();
    let broken =
        TempFile::new("broken.graph.json", json.replace("\"to\": \"Jump\"", "\"to\": \"Hop\"").as_bytes());
    let found = canter(&["check", broken.path(), "--model", MODEL]);
    let text = found.stdout;
    assert_eq!(found.code, 2);
    assert!(text.contains("broken") && text.contains("\"Hop\"") && text.contains("transition 0"), "{text}");
    let odd = TempFile::new("odd.graph.json", json.replace("\"Wave\" }", "\"Wink\" }").as_bytes());
    let odd = odd.path();
    assert!(succeed(&["check", odd, "--model", MODEL]).contains("no clip \"Wink\""));
    assert_eq!(canter(&["check", odd, "--model", MODEL, "--strict"]).code, 1);
}

#[test]
fn a_script_runs_a_graph_and_tells_states_events_and_why() {
    let script = TempFile::new(
        "jump.json",
        br#"{ "secs": 2.5, "fps": 60, "input": [
            { "at": 0.0, "set": { "forward": 1.4 } },
            { "at": 0.5, "trigger": ["jump"] }
        ] }"#,
    );
    let script = script.path();
    let text = succeed(&["run", GRAPH, "--model", MODEL, "--script", script]);
    assert!(text.contains("enter Jump (jumped)") && text.contains("leave Jump (landed)"), "{text}");
    let lines = succeed(&["run", GRAPH, "--model", MODEL, "--script", script, "--json"]);
    let frames: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(frames[0]["events"][1]["state"], "Jump");
    let secs = frames[0]["events"][1]["time_secs"].as_f64().unwrap();
    assert!((secs - 0.5).abs() < 1e-6, "{secs}: the sum of steps in single precision");
    let because = frames[0]["explain"]["layers"][0]["because"].as_str().unwrap();
    assert!(because.contains("because jump was set"), "{because}");
    assert_eq!(frames.last().unwrap()["explain"]["layers"][0]["states"][0], "Move");
}

#[test]
fn a_script_that_is_wrong_is_refused() {
    let cases = [
        (r#"{ "input": [{ "at": 0.0, "set": { "fast": 1 } }] }"#, "fast"),
        (r#"{ "input": [{ "at": 0.0, "trigger": ["forward"] }] }"#, "forward"),
        (r#"{ "input": [{ "at": 0.0, "set": { "forward": "much" } }] }"#, "expected a number"),
        (r#"{ "inputs": [] }"#, "inputs"),
        (r#"{ "secs": 1e9, "fps": 1e9 }"#, "updates"),
    ];
    for (script, expected) in cases {
        let file = TempFile::new("wrong.json", script.as_bytes());
        let error = fail(&["run", GRAPH, "--model", MODEL, "--script", file.path()]);
        assert!(error.contains(expected), "{script}: {error}");
    }
}

#[test]
fn a_film_shows_what_a_graph_does_by_a_script() {
    let script = TempFile::new(
        "film.json",
        br#"{ "secs": 1.0, "input": [
            { "at": 0.0, "set": { "forward": 2.9 } },
            { "at": 0.2, "trigger": ["attack"] }
        ] }"#,
    );
    let folder = std::env::temp_dir().join(format!("canter-graph-film-{}", std::process::id()));
    let [driven, standing] = ["driven", "standing"].map(|name| folder.join(name));
    std::fs::create_dir_all(&folder).unwrap();
    for (to, script) in [(&driven, Some(script.path())), (&standing, None)] {
        let to = format!("{}/", to.display());
        let mut command = vec!["render", "hero", "--graph", GRAPH, "-o", &to];
        command.extend(script.iter().flat_map(|script| ["--script", script]));
        command.extend(["--size", "48", "--fps", "4", "--samples", "1", "--software"]);
        let found = canter(&command);
        assert!(found.code == 0 && found.stdout.contains("4 frames"), "{command:?}: {}", found.stderr);
    }
    let frame = |folder: &std::path::Path, frame: u8| {
        std::fs::read(folder.join(format!("frame-{frame:04}.png"))).unwrap()
    };
    assert!((1..4).all(|number| frame(&driven, number) != frame(&standing, number)));
    std::fs::remove_dir_all(&folder).unwrap();
    // What does not go together is said by the reader of the command line.
    let refused = canter(&["render", "hero", "--graph", GRAPH, "--clip", "Walk"]);
    assert!(refused.code == 2 && refused.stderr.contains("--graph") && refused.stderr.contains("--clip"));
    let refused = canter(&["render", "hero", "--script", "input.json"]);
    assert!(refused.code == 2 && refused.stderr.contains("--graph"), "{}", refused.stderr);
}

#[test]
fn a_mirrored_state_gets_its_mirror_from_the_names_of_joints() {
    let json = std::fs::read_to_string(GRAPH).unwrap();
    let mirrored = json.replace("{ \"name\": \"Wave\",", "{ \"name\": \"Wave\", \"mirror\": true,");
    assert_ne!(json, mirrored);
    let graph = TempFile::new("mirrored.graph.json", mirrored.as_bytes());
    assert!(succeed(&["check", graph.path(), "--model", "hero"]).contains("fine"));
}
