//! `canter check`.

use serde_json::json;

use crate::program::{TempFile, canter, fail};
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
        "3 files: 0 fine, 1 with warnings, 1 broken, 1 unreadable",
    ] {
        assert!(run.stdout.lines().any(|found| found == line), "{line}\n{}", run.stdout);
    }
    assert!(run.stdout.contains("no/such.glb"));
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
