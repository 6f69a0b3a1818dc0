//! The machine on which figures are measured.

use std::fs;
use std::process::Command;

/// A sentence that describes the machine.
pub fn machine() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpu.lines().find_map(|l| l.strip_prefix("model name"));
    let cpu = cpu.map_or("an unknown CPU", |name| name.trim_matches([' ', '\t', ':']));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let rustc = Command::new("rustc").arg("--version").output();
    let rustc = rustc.map_or(String::new(), |o| {
        String::from_utf8_lossy(&o.stdout).trim().to_owned()
    });
    let version = env!("CARGO_PKG_VERSION");
    format!("Measured on {cpu}, {cores} cores, version {version}, {rustc}.")
}
