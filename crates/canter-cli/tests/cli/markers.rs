//! `canter markers`.

use std::fs;

use canter_testing::models;
use serde_json::{Value, json};

use crate::program::{TempFile, canter, fail, succeed};

const HERO: &[u8] = include_bytes!("../../../../assets/hero.glb");

/// A model without any markers beside it, and the place of its markers.
fn model(name: &str) -> (TempFile, TempFile) {
    let model = TempFile::new(&format!("{name}.glb"), HERO);
    let markers = TempFile::new(&format!("{name}.markers.json"), b"");
    fs::remove_file(markers.path()).unwrap();
    (model, markers)
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// The times of a marker in a clip of a listing or a file.
fn times(listing: &Value, clip: &str, marker: &str) -> Vec<f64> {
    let clips = listing["clips"].as_array().unwrap();
    let markers =
        clips.iter().find(|it| it["name"] == clip).map_or(&[][..], |it| it["markers"].as_array().unwrap());
    markers.iter().filter(|it| it["name"] == marker).map(|it| it["time"].as_f64().unwrap()).collect()
}

#[test]
fn markers_are_listed() {
    let text = succeed(&["markers", "hero"]);
    assert!(text.contains("WalkRoot") && text.contains("foot_R") && text.contains("0.500"), "{text}");
    let one = read(&succeed(&["markers", "hero", "--clip", "Attack", "--json"]));
    assert_eq!(one["clips"].as_array().unwrap().len(), 1);
    assert_eq!(one["clips"][0]["index"], 4);
    assert_eq!(times(&one, "Attack", "foot_L").len(), 2);
    let (model, markers) = model("listed");
    let window = json!({ "name": "blade", "time": 0.25, "duration": 0.5 });
    fs::write(markers.path(), json!({ "clips": [{ "name": "Walk", "markers": [window] }] }).to_string())
        .unwrap();
    let listed = read(&succeed(&["markers", model.path(), "--clip", "Walk", "--json"]));
    assert_eq!(listed["clips"][0]["markers"], json!([window]));
    assert!(succeed(&["inspect", model.path()]).contains("0.250 for 0.500"));
    let bare = TempFile::character("markers-bare.glb");
    assert!(succeed(&["markers", bare.path()]).contains("--detect"));
}

#[test]
fn footfalls_of_the_hero_are_found_where_they_are() {
    let known = read(&succeed(&["markers", "hero", "--json"]));
    let found = read(&succeed(&["markers", "hero", "--detect", "--dry-run", "--json"]));
    for (clip, secs, speed) in [("Walk", 1.0, 1.02), ("Run", 0.7, 2.9), ("WalkRoot", 1.0, 1.02)] {
        let clips = found["clips"].as_array().unwrap();
        let found = clips.iter().find(|it| it["name"] == clip).unwrap();
        let contacts = found["contacts"].as_array().unwrap();
        assert_eq!(contacts.len(), 2, "{clip}: {contacts:?}");
        for contact in contacts {
            let from = contact["from"].as_f64().unwrap();
            let foot = contact["foot"].as_str().unwrap();
            let off =
                times(&known, clip, foot).iter().map(|at| (at - from).abs()).fold(f64::INFINITY, f64::min);
            // The end of a loop is its start.
            assert!(off.min((secs - off).abs()) < 0.05, "{clip} {foot}: {from}");
        }
        let found = found["ground_speed"].as_f64().unwrap();
        assert!((found - speed).abs() < 0.02 * speed, "{clip}: {found} m/s");
    }
}

#[test]
fn found_markers_are_kept_beside_those_that_are_there() {
    let (model, markers) = model("kept");
    let told = succeed(&["markers", model.path(), "--detect", "--feet", "foot_L", "--dry-run"]);
    assert!(told.contains("nothing is written") && fs::metadata(markers.path()).is_err(), "{told}");
    // A name of its own, a footfall that is a little off, and a clip that the model does not have.
    let mine = json!({ "clips": [
        { "name": "Walk", "markers": [{ "name": "foot_L", "time": 0.01 }, { "name": "mine", "time": 0.3 }] },
        { "name": "Fly", "markers": [{ "name": "flap", "time": 0.125 }] },
    ] });
    fs::write(markers.path(), mine.to_string()).unwrap();
    let told = succeed(&["markers", model.path(), "--detect", "--clip", "Walk"]);
    assert!(told.contains("1 new marker in"), "{told}");
    let file = read(&fs::read_to_string(markers.path()).unwrap());
    assert_eq!((times(&file, "Walk", "foot_L").len(), times(&file, "Walk", "mine").len()), (1, 1));
    assert_eq!(times(&file, "Walk", "foot_R").len(), 1, "{file}");
    assert_eq!(times(&file, "Fly", "flap"), [0.125]);
    // The program reads what it has written, and finds nothing new.
    let before = fs::read(markers.path()).unwrap();
    let told = succeed(&["markers", model.path(), "--detect", "--clip", "Walk"]);
    assert!(told.contains("nothing is written"), "{told}");
    assert_eq!(before, fs::read(markers.path()).unwrap());
}

#[test]
fn markers_go_where_they_are_sent() {
    let (model, markers) = model("sent");
    let run = canter(&["markers", model.path(), "--detect", "--clip", "Walk", "-o", "-"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(times(&read(&run.stdout), "Walk", "foot_L"), [0.0]);
    assert!(run.stderr.contains("comes down"), "{}", run.stderr);
    let other = TempFile::new("sent-elsewhere.json", b"");
    fs::remove_file(other.path()).unwrap();
    succeed(&["markers", model.path(), "--detect", "--output", other.path()]);
    assert!(fs::metadata(markers.path()).is_err());
    assert_eq!(times(&read(&fs::read_to_string(other.path()).unwrap()), "Run", "foot_R").len(), 1);
}

#[test]
fn a_broken_file_is_not_written_over() {
    let (model, markers) = model("broken");
    for text in [
        "not json",
        "{ \"clips\": 5 }",
        "{ \"clips\": [{ \"name\": \"Walk\", \"markers\": [{ \"name\": \"a\", \"time\": 99 }] }] }",
    ] {
        fs::write(markers.path(), text).unwrap();
        let message = fail(&["markers", model.path(), "--detect"]);
        assert!(message.contains("broken.markers.json") && message.contains("--output"), "{message}");
        assert_eq!(fs::read_to_string(markers.path()).unwrap(), text);
        let run = canter(&["markers", model.path()]);
        assert!(run.code == 0 && run.stderr.contains("markers are left out"), "{}", run.stderr);
    }
    let message = fail(&["markers", model.path(), "--detect", "-o", model.path()]);
    assert!(message.contains("no file of markers"), "{message}");
    assert_eq!(fs::read(model.path()).unwrap(), HERO);
}

#[test]
fn what_is_wrong_is_said_with_a_hint() {
    let bare = TempFile::character("markers-wrong.glb");
    let table: [(&[&str], &str); 6] = [
        (&["hero", "--clip", "Wlak"], "did you mean \"Walk\"?"),
        (&["hero", "--detect", "--feet", "fot_L"], "did you mean \"foot_L\"?"),
        (&["hero", "--detect"], "part of the program"),
        (&["hero", "--detect", "--clip", "Idle", "--dry-run"], "no foot comes down in the clip"),
        (&["sword", "--detect", "--dry-run"], "has no clips"),
        (&[bare.path(), "--detect"], "--feet foot_L,foot_R"),
    ];
    for (arguments, expected) in table {
        let message = fail(&[&["markers"], arguments].concat());
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    for wrong in
        [&["--feet", "foot_L"][..], &["--dry-run"], &["-o", "x"], &["--detect", "--dry-run", "-o", "x"]]
    {
        assert_eq!(canter(&[&["markers", "hero"], wrong].concat()).code, 2, "{wrong:?}");
    }
}

#[test]
fn real_models_take_as_many_steps_as_they_have_feet() {
    let Some(root) = models::folder() else { return };
    let table = [
        ("Fox/Fox.glb", "Walk", 4),
        ("Fox/Fox.glb", "Run", 4),
        ("RobotExpressive/RobotExpressive.glb", "Walking", 2),
        ("RobotExpressive/RobotExpressive.glb", "Running", 2),
        ("KayKitKnight/Knight.glb", "Walking_A", 2),
        ("KayKitKnight/Knight.glb", "Walking_Backwards", 2),
        ("KayKitKnight/Knight.glb", "Running_A", 2),
    ];
    for (file, clip, feet) in table {
        let path = root.join(file);
        let found =
            succeed(&["markers", path.to_str().unwrap(), "--detect", "--dry-run", "--json", "--clip", clip]);
        let contacts = read(&found)["clips"][0]["contacts"].as_array().unwrap().clone();
        let mut names: Vec<_> = contacts.iter().map(|contact| contact["foot"].as_str().unwrap()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!((contacts.len(), names.len()), (feet, feet), "{file} {clip}: {contacts:?}");
    }
}

#[test]
fn markers_can_be_put_into_the_model() {
    let (model, markers) = model("inside");
    let window = json!({ "name": "blade", "time": 0.25, "duration": 0.5 });
    fs::write(markers.path(), json!({ "clips": [{ "name": "Walk", "markers": [window] }] }).to_string())
        .unwrap();
    let out = TempFile::new("inside-out.glb", b"");
    succeed(&["markers", model.path(), "--into", out.path()]);
    let listed = read(&succeed(&["markers", out.path(), "--json"]));
    let known = read(&succeed(&["markers", model.path(), "--json"]));
    assert_eq!(listed, known, "those beside the model, and those that it had");
    assert_eq!(times(&listed, "Walk", "blade"), [0.25]);
    // Found footfalls, too; nothing is written beside the model.
    fs::remove_file(markers.path()).unwrap();
    succeed(&["markers", model.path(), "--detect", "--clip", "Wave", "--clip", "Walk", "--into", out.path()]);
    assert!(!fs::exists(markers.path()).unwrap());
    assert!(!times(&read(&succeed(&["markers", out.path(), "--json"])), "Walk", "foot_L").is_empty());
}
