//! The software graphics driver that the tests of `canter-wgpu` draw with where the machine has none.

use std::path::Path;
use std::process::Command;

const PACKAGES: [&str; 4] = ["mesa-vulkan-drivers", "libvulkan1", "libegl1", "libgl1-mesa-dri"];

/// Installs the driver if none is found and it can be done. Where it cannot, the tests say so, and fail on CI.
pub(crate) fn install() {
    let has_json = |folder: &str| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.path().extension().is_some_and(|extension| extension == "json"))
    };
    let has_driver = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"].into_iter().any(has_json);
    let has_gl = has_json("/usr/share/glvnd/egl_vendor.d");
    if (has_driver && has_gl) || !Path::new("/usr/bin/apt-get").exists() {
        return;
    }
    println!("apt-get install {}", PACKAGES.join(" "));
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        command.output().is_ok_and(|output| output.status.success())
    };
    let install = [&["install", "-y", "--no-install-recommends"], &PACKAGES[..]].concat();
    if !(apt(&["update"]) && apt(&install)) {
        println!(
            "the graphics driver cannot be installed here (are you root?); some tests will be passed over"
        );
    }
}
