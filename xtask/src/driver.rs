//! What tests of pictures need where the machine has none: a software graphics driver, and a display without
//! a screen for the window.

use std::path::Path;
use std::process::Command;

const DRIVERS: &[&str] = &["mesa-vulkan-drivers", "libvulkan1", "libegl1", "libgl1-mesa-dri"];
const DISPLAY: &[&str] = &[
    "xvfb",
    "libx11-6",
    "libx11-xcb1",
    "libxcursor1",
    "libxi6",
    "libxrandr2",
    "libxkbcommon0",
    "libxkbcommon-x11-0",
];

/// Installs what is not found, if that can be done. Where it cannot, the tests say so, and fail where
/// `CANTER_TESTS=all`.
pub(crate) fn install() {
    let root = Path::new("/");
    let packages = missing(root);
    if packages.is_empty() || !root.join("usr/bin/apt-get").exists() {
        return;
    }
    for arguments in commands(&packages) {
        println!("apt-get {}", arguments.join(" "));
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        if !command.output().is_ok_and(|output| output.status.success()) {
            println!("that failed (are you root?): some tests will be passed over");
            return;
        }
    }
}

/// The packages that something is missing of.
fn missing(root: &Path) -> Vec<&'static str> {
    let mut packages = Vec::new();
    if !has_drivers(root) {
        packages.extend_from_slice(DRIVERS);
    }
    if !root.join("usr/bin/Xvfb").exists() {
        packages.extend_from_slice(DISPLAY);
    }
    packages
}

/// Whether there is a driver for Vulkan and one for GL, in hardware or in software.
fn has_drivers(root: &Path) -> bool {
    let has_json = |folder: &str| {
        let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.path().extension().is_some_and(|extension| extension == "json"))
    };
    let has_vulkan = ["usr/share/vulkan/icd.d", "etc/vulkan/icd.d"].into_iter().any(has_json);
    has_vulkan && has_json("usr/share/glvnd/egl_vendor.d")
}

/// What `apt-get` is told, in order.
fn commands(packages: &[&'static str]) -> [Vec<&'static str>; 2] {
    [vec!["update"], [&["install", "-y", "--no-install-recommends"], packages].concat()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_drivers_have_to_be_there() {
        let root = std::env::temp_dir().join(format!("canter-driver-{}", std::process::id()));
        let add = |file: &str| {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "{}").unwrap();
        };
        assert!(!has_drivers(&root), "nothing is there");
        add("usr/share/glvnd/egl_vendor.d/50_mesa.json");
        assert!(!has_drivers(&root), "Vulkan is missing");
        add("etc/vulkan/icd.d/README");
        assert!(!has_drivers(&root), "that is no driver");
        add("etc/vulkan/icd.d/lvp_icd.x86_64.json");
        assert!(has_drivers(&root));
        assert!(missing(&root).contains(&"xvfb"));
        add("usr/bin/Xvfb");
        assert!(missing(&root).is_empty());
        std::fs::remove_dir_all(root).unwrap();
    }
}
