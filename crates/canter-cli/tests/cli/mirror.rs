//! `canter mirror`: clips left for right.

use serde_json::Value;

use crate::program::{TempFile, fail, succeed};

fn error_mm(a: &str, b: &str, clip: &str) -> f64 {
    let json: Value = serde_json::from_str(&succeed(&["compare", a, b, "--json"])).expect("JSON");
    let clips = json["clips"].as_array().expect("a list");
    clips.iter().find(|facts| facts["name"] == clip).and_then(|facts| facts["error_mm"].as_f64()).expect(clip)
}

#[test]
fn what_is_mirrored_twice_is_what_it_was() {
    let [once, twice] = ["mirrored.glb", "mirrored-twice.glb"].map(|name| TempFile::new(name, b""));
    assert!(succeed(&["mirror", "hero", "-o", once.path()]).contains("14 clips left for right"));
    succeed(&["mirror", once.path(), "-o", twice.path()]);
    assert!(error_mm("hero", once.path(), "Attack") > 100.0, "another hand");
    assert!(error_mm("hero", twice.path(), "Attack") < 0.1);
    // Feet come down on the other side.
    let markers = |path: &str| -> Value {
        serde_json::from_str(&succeed(&["markers", path, "--clip", "Walk", "--json"])).expect("JSON")
    };
    assert_ne!(markers("hero").to_string(), markers(once.path()).to_string());
    assert_eq!(markers("hero")["clips"], markers(twice.path())["clips"]);
}

#[test]
fn only_what_is_asked_for_is_mirrored() {
    let out = TempFile::new("mirrored-one.glb", b"");
    assert!(succeed(&["mirror", "hero", "--clip", "Wave", "-o", out.path()]).contains("1 clip left"));
    assert_eq!(error_mm("hero", out.path(), "Attack"), 0.0);
    assert!(error_mm("hero", out.path(), "Wave") > 100.0);
}

#[test]
fn what_cannot_be_mirrored_is_told() {
    let out = TempFile::new("mirrored-not.glb", b"");
    assert!(fail(&["mirror", "sword", "-o", out.path()]).contains("cannot be mirrored"));
    assert!(fail(&["mirror", "hero", "--clip", "Fly", "-o", out.path()]).contains("no clip \"Fly\""));
    assert!(fail(&["mirror", "no/such.glb", "-o", out.path()]).contains("no/such.glb"));
}
