//! `canter check`.

use serde_json::json;

use crate::program::{TempFile, canter, fail, succeed};
use canter_testing::glb::{self, Data};

fn with_warning(name: &str) -> TempFile {
    TempFile::new(name, &Data::default().glb(json!({ "nodes": [{ "rotation": [0, 0, 0, 0] }] })))
}

fn broken(name: &str) -> TempFile {
    TempFile::new(name, &Data::default().glb(json!({ "nodes": [{ "children": [0] }] })))
}

#[test]
fn the_exit_code_tells_the_worst() {
    let (fine, odd, broken) =
        (TempFile::character("check-a.glb"), with_warning("check-b.glb"), broken("check-c.glb"));
    for (files, code, strict_code) in [
        (vec![&fine], 0, 0),
        (vec![&fine, &odd], 0, 1),
        (vec![&fine, &odd, &broken], 2, 2),
        (vec![&broken], 2, 2),
    ] {
        let paths: Vec<&str> = files.iter().map(|file| file.path()).collect();
        assert_eq!(canter(&[&["check"], paths.as_slice()].concat()).code, code, "{paths:?}");
        assert_eq!(
            canter(&[&["check", "--strict"], paths.as_slice()].concat()).code,
            strict_code,
            "{paths:?}"
        );
    }
}

#[test]
fn what_is_part_of_the_program_is_checked_by_its_name() {
    assert!(succeed(&["check", "hero", "sword"]).starts_with("hero: fine\nsword: fine\n"));
    assert!(succeed(&["check", "hero", "--model", "hero"]).contains("fine")); // his graph
    assert!(fail(&["inspect", "hero.glb"]).contains("`hero`, without `.glb`"));
}

#[test]
fn notes_are_shown_and_do_not_count() {
    let file =
        TempFile::new("check-note.glb", &Data::default().glb(json!({ "extensionsUsed": ["VENDOR_x"] })));
    let run = canter(&["check", "--strict", file.path()]);
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains("note: ") && run.stdout.contains("VENDOR_x"), "{}", run.stdout);
}

#[test]
fn findings_have_their_places() {
    let (odd, broken) = (with_warning("check-d.glb"), broken("check-e.glb"));
    let run = canter(&["check", odd.path(), broken.path(), "no/such.glb"]);
    assert_eq!(run.code, 2);
    for line in [
        "  warning: nodes[0].rotation: the quaternion is zero; it is read as no rotation",
        "  error: nodes[0].children: found node 0 below itself, expected a tree",
        "no/such.glb: not found",
        "3 files: 0 fine, 1 with warnings, 1 broken, 1 not found",
    ] {
        assert!(run.stdout.lines().any(|found| found == line), "{line}\n{}", run.stdout);
    }
    assert!(run.stdout.contains("no/such.glb"));
}

#[test]
fn what_is_not_supported_is_not_called_broken() {
    let needs = |name: &str| {
        let json = json!({ "extensionsRequired": ["VENDOR_bends", "VENDOR_twists", "KHR_materials_ior"] });
        TempFile::new(name, &Data::default().glb(json))
    };
    let file = needs("check-f.glb");
    let old = TempFile::new("check-g.gltf", br#"{ "asset": { "version": "1.0" }, "nodes": { "a": {} } }"#);
    let run = canter(&["check", file.path(), old.path()]);
    assert_eq!(run.code, 2);
    assert_eq!(run.stdout.matches("not supported\n").count(), 2, "{}", run.stdout);
    assert_eq!(
        run.stdout.matches("VENDOR_bends and VENDOR_twists are not supported").count(),
        1,
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("asset.version: glTF 1.0 is not supported; expected 2.0"), "{}", run.stdout);
    assert!(
        run.stdout.contains("2 files: 0 fine, 0 with warnings, 2 not supported, 0 broken"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains(": broken"), "{}", run.stdout);

    let run = canter(&["check", "--ignore-required-extensions", file.path()]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(run.stdout.contains("3 warnings"), "{}", run.stdout);
    assert!(fail(&["inspect", file.path()]).contains("--ignore-required-extensions"));
    assert_eq!(canter(&["inspect", "--ignore-required-extensions", file.path()]).code, 0);
}

#[test]
fn programs_get_an_object_for_each_file() {
    let (fine, odd, broken) =
        (TempFile::character("check-h.glb"), with_warning("check-i.glb"), broken("check-j.glb"));
    let run = canter(&["check", "--json", fine.path(), odd.path(), broken.path(), "no/such.glb"]);
    assert_eq!(run.code, 2);
    let found: Vec<serde_json::Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let list = |index: usize, list: &str| found[index][list].clone();
    assert_eq!(found.len(), 5, "four files and a summary: {}", run.stdout);
    assert_eq!(
        found[0],
        json!({ "path": fine.path(), "verdict": "fine", "errors": [], "warnings": [], "notes": [] })
    );
    assert_eq!(found[1]["verdict"], "warnings");
    let message = "the quaternion is zero; it is read as no rotation";
    let warning = json!({ "code": "quaternion-zero", "place": "nodes[0].rotation", "message": message });
    assert_eq!(list(1, "warnings"), json!([warning]));
    assert_eq!(found[2]["verdict"], "broken");
    let error = json!({ "code": "invalid", "place": "nodes[0].children",
        "message": "found node 0 below itself, expected a tree" });
    assert_eq!(list(2, "errors"), json!([error]));
    assert_eq!(
        (&found[3]["verdict"], &found[3]["errors"][0]["code"]),
        (&json!("not-found"), &json!("not-found"))
    );
    let verdicts = json!({ "fine": 1, "warnings": 1, "broken": 1, "not-found": 1 });
    let summary = json!({ "files": 4, "failed": 2, "skipped": 0, "verdicts": verdicts });
    assert_eq!(found[4], json!({ "summary": summary }));
}

#[test]
fn folders_are_searched() {
    let folder = std::env::temp_dir().join(format!("canter-cli-folder-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("deeper")).unwrap();
    let path = folder.to_str().unwrap();
    assert!(fail(&["check", path]).contains("there are no .glb"));
    assert_eq!(canter(&["check", path]).code, 3, "nothing was checked");
    std::fs::write(folder.join("a.GLB"), glb::character()).unwrap();
    std::fs::write(folder.join("deeper/b.vrm"), glb::character()).unwrap();
    std::fs::write(folder.join("deeper/readme.txt"), "no model").unwrap();
    let run = canter(&["check", path]);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains("2 files: 2 fine"), "{}", run.stdout);
}

/// `canter check /media/disk` ended at the first folder that belongs to somebody else, and had checked
/// nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_read_does_not_hide_the_others() {
    let folder = std::env::temp_dir().join(format!("canter-cli-closed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("good.glb"), glb::character()).unwrap();
    // Nobody, not even an administrator, can open a folder whose path is longer than 4096 bytes. It is made
    // in two halves.
    let half = vec!["x".repeat(250); 10].join("/");
    let other = folder.join("other");
    for top in [&folder, &other] {
        std::fs::create_dir_all(top.join(&half)).unwrap();
    }
    std::fs::rename(&other, folder.join(&half).join("other")).unwrap();
    let run = canter(&["check", folder.to_str().unwrap()]);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(run.code, 2);
    assert!(run.stdout.contains("good.glb: fine\n"), "{}", run.stdout);
    assert!(run.stdout.contains("error: cannot read the folder: "), "{}", run.stdout);
    assert!(
        run.stdout.ends_with("2 files: 1 fine, 0 with warnings, 0 broken, 1 unreadable\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn names_from_files_cannot_move_the_cursor() {
    let json = json!({ "extensionsUsed": ["\u{1b}[2Jboo"] });
    let file = TempFile::new("check-escape.glb", &Data::default().glb(json));
    let run = canter(&["check", file.path()]);
    assert!(run.stdout.contains("boo") && !run.stdout.contains('\x1b'), "{}", run.stdout);
}
