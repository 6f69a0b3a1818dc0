//! Peak memory, of the program in a process of its own.

use super::Result;
use std::env::current_exe;
use std::fs::read_to_string;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Highest anonymous memory in bytes of `warcsieve clean` on `file`, looked at every few
/// milliseconds; not a number where the system does not tell.
pub fn peak(file: &Path, out: &Path, threads: usize) -> Result<f64> {
    let mut program = Command::new(program()?)
        .arg("clean")
        .arg(file)
        .arg("--out")
        .arg(out)
        .args(["--threads", &threads.to_string(), "--quiet"])
        .stdout(Stdio::null())
        .spawn()?;
    let mut peak = f64::NAN;
    let status = loop {
        if let Some(status) = program.try_wait()? {
            break status;
        }
        peak = peak.max(anonymous(program.id()));
        sleep(Duration::from_millis(2));
    };
    // 10 says that faults are listed.
    match status.code() {
        Some(0 | 10) => Ok(peak),
        code => Err(format!("warcsieve clean {}: exit code {code:?}", file.display()).into()),
    }
}

fn anonymous(process: u32) -> f64 {
    let status = read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("RssAnon:"));
    let kilobytes = line.and_then(|l| l.trim().strip_suffix(" kB"));
    let kilobytes = kilobytes.and_then(|k| k.parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |k| k * 1024.0)
}

/// The program that was built with the one that runs: next to it, or in the folder above for a
/// bench, as Cargo lays them out.
fn program() -> Result<PathBuf> {
    let own = current_exe()?;
    let folders = own.ancestors().skip(1).take(2);
    let mut programs = folders.map(|folder| folder.join("warcsieve"));
    programs
        .find(|program| program.is_file())
        .ok_or_else(|| "no warcsieve here: `make build` builds it".into())
}
