//! Drivers that print what is of no use to the user.
//!
//! Mesa's Vulkan drivers come with a layer that asks a Wayland server for the GPU of the desktop. Without a
//! folder for such servers (`XDG_RUNTIME_DIR`; in containers, over SSH, in CI) there is none to ask, and
//! libwayland prints an error for each try, which cannot be caught. The layer leaves when `NODEVICE_SELECT`
//! is set, but only before the program starts: setting variables in a running program is unsafe. So the
//! program starts itself anew, in the same process.

/// Starts the program anew without that layer, where it would print errors. Returns where there is no need
/// to.
#[cfg(target_os = "linux")]
pub(crate) fn restart_without_device_select() {
    use std::env::{args_os, current_exe, var_os};
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;

    const DISABLE: &str = "NODEVICE_SELECT";
    let is_set = var_os(DISABLE).is_some();
    if is_set || !lacks_wayland_folder(var_os("XDG_RUNTIME_DIR"), var_os("WAYLAND_DISPLAY")) {
        return;
    }
    let (Ok(program), Some(name)) = (current_exe(), args_os().next()) else { return };
    // It comes back only with an error; then the program goes on, with two lines more.
    let _ = Command::new(program).arg0(name).args(args_os().skip(1)).env(DISABLE, "1").exec();
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn restart_without_device_select() {}

/// Whether libwayland prints that it has no folder: it wants an absolute path to it, or one to the server
/// itself.
#[cfg(target_os = "linux")]
fn lacks_wayland_folder(folder: Option<std::ffi::OsString>, server: Option<std::ffi::OsString>) -> bool {
    let is_absolute = |path: std::ffi::OsString| std::path::Path::new(&path).is_absolute();
    !folder.is_some_and(is_absolute) && !server.is_some_and(is_absolute)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_relative_path_is_no_folder() {
        for (folder, server, lacks) in [
            (None, None, true),
            (Some(""), None, true),
            (Some("run"), Some("wayland-0"), true),
            (Some("/run/user/1000"), None, false),
            (None, Some("/run/user/1000/wayland-0"), false),
        ] {
            assert_eq!(
                lacks_wayland_folder(folder.map(Into::into), server.map(Into::into)),
                lacks,
                "{folder:?}"
            );
        }
    }
}
