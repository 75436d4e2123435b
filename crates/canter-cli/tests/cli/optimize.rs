//! `canter optimize` and `canter compare`.

use std::fs;

use canter_testing::{glb, models};
use serde_json::Value;

use crate::program::{TempFile, canter, fail, succeed};

const HERO: &[u8] = include_bytes!("../../../../assets/hero.glb");

fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn a_smaller_hero_moves_no_farther_than_is_allowed() {
    let out = TempFile::new("optimized.glb", b"");
    let text = succeed(&["optimize", "hero", "--error", "0.05", "-o", out.path()]);
    assert!(text.contains("Walk") && text.contains("error in mm") && text.contains("  all "), "{text}");
    assert!(fs::read(out.path()).unwrap().len() < HERO.len());
    let comparison = read(&succeed(&["compare", "hero", out.path(), "--json"]));
    let error = comparison["error_mm"].as_f64().unwrap();
    assert!(error > 0.0 && error <= 0.05, "{error}");
    assert!(succeed(&["compare", "hero", out.path()]).contains("mm apart"));
    assert_eq!(read(&succeed(&["compare", "hero", "hero", "--json"]))["error_mm"], 0.0);
}

#[test]
fn programs_get_the_same_facts_as_people() {
    let out = TempFile::new("facts.glb", b"what was there before");
    let run = || read(&succeed(&["optimize", "hero", "--json", "-o", out.path()]));
    let facts = run();
    assert_eq!((&facts["path"], &facts["verdict"]), (&"hero".into(), &"smaller".into()));
    assert_eq!(facts["bytes_after"], fs::metadata(out.path()).unwrap().len());
    let clips = facts["clips"].as_array().unwrap();
    assert!(clips.len() > 10 && clips.iter().all(|clip| clip["error_mm"].as_f64().unwrap() <= 0.1));
    assert_eq!(run(), facts, "the same again, over what is there");
}

#[test]
fn a_file_may_be_written_over_itself_and_gains_nothing_twice() {
    let file = TempFile::new("itself.glb", HERO);
    assert!(succeed(&["optimize", file.path(), "-o", file.path()]).contains("became"));
    let small = fs::read(file.path()).unwrap();
    assert!(small.len() < HERO.len());
    let again = succeed(&["optimize", file.path(), "-o", file.path(), "--error", "0"]);
    assert!(again.contains("unchanged: it would not be smaller"), "{again}");
    assert_eq!(fs::read(file.path()).unwrap(), small);
}

#[test]
fn a_dry_run_writes_nothing() {
    let file = TempFile::character("dry.glb");
    let text = succeed(&["optimize", "--dry-run", file.path()]);
    assert!(text.contains("became"), "{text}");
    assert_eq!(fs::read(file.path()).unwrap(), glb::character());
}

#[test]
fn a_gltf_is_written_with_its_data_and_what_it_names() {
    let Some(folder) = models::folder() else { return };
    let out = std::env::temp_dir().join(format!("canter-cli-gltf-{}", std::process::id()));
    let target = out.join("small yeti.gltf");
    let source = folder.join("YetiUnity/YetiUnity.gltf");
    succeed(&["optimize", source.to_str().unwrap(), "-o", target.to_str().unwrap()]);
    assert!(out.join("small yeti.bin").is_file());
    let error = read(&succeed(&["compare", source.to_str().unwrap(), target.to_str().unwrap(), "--json"]));
    assert!(error["error_mm"].as_f64().unwrap() <= 0.1);
    fs::remove_dir_all(&out).unwrap();
}

#[test]
fn what_cannot_be_read_or_written_is_told() {
    assert!(fail(&["optimize", "no/such.glb", "-o", "x.glb"]).contains("no/such.glb"));
    assert!(fail(&["optimize", "hero", "-o", "/dev/null/x.glb"]).contains("cannot be written"));
    let file = TempFile::character("target.glb");
    assert!(fail(&["optimize", "hero", "sword", "-o", file.path()]).contains("is a file"));
}

#[test]
fn a_model_in_centimetres_is_told_by_its_size() {
    let Some(folder) = models::folder() else { return };
    let fox = folder.join("Fox/Fox.glb");
    let text = succeed(&["optimize", "--dry-run", fox.to_str().unwrap()]);
    assert!(text.contains("--unit"), "{text}");
    let text = succeed(&["optimize", "--dry-run", fox.to_str().unwrap(), "--unit", "0.01"]);
    assert!(!text.contains("--unit"), "{text}");
}

#[test]
fn whatever_loads_can_be_optimized() {
    let Some(folder) = models::folder() else { return };
    let broken = folder.join("malformed");
    let failed = |arguments: &[&str]| {
        let run = canter(&[arguments, &[broken.to_str().unwrap()]].concat());
        let records = run.stdout.lines().map(read).filter(|record| record["path"].is_string());
        let failed = records.filter(|record| !record["errors"].as_array().unwrap().is_empty());
        failed.map(|record| (record["path"].to_string(), record["verdict"].to_string())).collect::<Vec<_>>()
    };
    let (checked, optimized) = (failed(&["check", "--json"]), failed(&["optimize", "--dry-run", "--json"]));
    assert!(checked.len() > 50);
    assert_eq!(checked, optimized);
}
