//! The machine that the figures are of.

use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Machine {
    cpu: String,
    cores: usize,
    system: String,
}

pub(crate) fn describe() -> Machine {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    Machine {
        cpu: model.map_or("unknown", |(_, name)| name.trim()).to_owned(),
        cores: std::thread::available_parallelism().map_or(1, |count| count.get()),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
    }
}
