//! Which files a .gltf can make the loader read.

use std::fs;
use std::path::PathBuf;

use canter_gltf::{LoadError, LoadOptions, Refusal, Resolver as _, load, load_bytes, load_bytes_with};

/// A folder of its own for a test, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("canter-gltf-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("inside/deeper")).expect("a folder for temporary files");
        Self(path)
    }

    /// Writes a .gltf whose buffer is `uri` into the inner folder.
    fn gltf(&self, uri: &str) -> PathBuf {
        let path = self.0.join("inside/model.gltf");
        fs::write(&path, gltf(uri)).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn gltf(uri: &str) -> String {
    format!(r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":4,"uri":"{uri}"}}]}}"#)
}

fn refusal(error: LoadError) -> Refusal {
    match error {
        LoadError::Resource { source, .. } => source.reason,
        other => panic!("{other}"),
    }
}

#[test]
fn files_in_the_folder_and_below_are_read() {
    let scratch = Scratch::new("inside");
    fs::write(scratch.0.join("inside/a b.bin"), b"1234").unwrap();
    fs::write(scratch.0.join("inside/deeper/c.bin"), b"1234").unwrap();
    for uri in ["a%20b.bin", "a b.bin", "./deeper/c.bin", "deeper/c.bin"] {
        assert!(load(scratch.gltf(uri)).is_ok(), "{uri}");
    }
}

#[test]
fn nothing_outside_the_folder_is_read() {
    let scratch = Scratch::new("outside");
    fs::write(scratch.0.join("secret"), b"1234").unwrap();
    let absolute = scratch.0.join("secret").display().to_string();
    for uri in ["../secret", "%2e%2e/secret", "deeper/../../secret", &absolute, &format!("file://{absolute}")]
    {
        let error = load(scratch.gltf(uri)).unwrap_err();
        assert!(error.to_string().starts_with("buffers[0].uri: "), "{error}");
        let refused = matches!(refusal(error), Refusal::Outside | Refusal::Absolute | Refusal::Url);
        assert!(refused, "{uri}");
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_and_devices_are_refused() {
    use std::os::unix::fs::symlink;

    let scratch = Scratch::new("links");
    fs::write(scratch.0.join("secret"), b"1234").unwrap();
    symlink(scratch.0.join("secret"), scratch.0.join("inside/link")).unwrap();
    symlink("/dev/zero", scratch.0.join("inside/zero")).unwrap();
    assert!(matches!(refusal(load(scratch.gltf("link")).unwrap_err()), Refusal::Outside));
    assert!(matches!(refusal(load(scratch.gltf("zero")).unwrap_err()), Refusal::Outside));
    assert!(matches!(refusal(load(scratch.gltf("deeper")).unwrap_err()), Refusal::NotAFile));
    assert!(matches!(load("/dev/zero"), Err(LoadError::Read { .. })));
}

#[test]
fn a_missing_file_is_told() {
    let scratch = Scratch::new("missing");
    assert!(matches!(refusal(load(scratch.gltf("nothing.bin")).unwrap_err()), Refusal::Missing));
    assert!(matches!(load(scratch.0.join("nothing.glb")), Err(LoadError::Read { .. })));
}

#[test]
fn bytes_alone_open_no_file() {
    let error = load_bytes(gltf("model.bin").as_bytes()).unwrap_err();
    assert!(matches!(refusal(error), Refusal::NoFolder));
    assert!(load_bytes(gltf("data:;base64,MTIzNA==").as_bytes()).is_ok());
}

#[test]
fn a_closure_is_a_resolver() {
    let files = |uri: &str| (uri == "model.bin").then(|| b"1234".to_vec());
    assert!(load_bytes_with(gltf("model.bin").as_bytes(), &files, &LoadOptions::default()).is_ok());
    assert!(load_bytes_with(gltf("other.bin").as_bytes(), &files, &LoadOptions::default()).is_err());
    assert!(files.read("other.bin", 10).is_err());
}
