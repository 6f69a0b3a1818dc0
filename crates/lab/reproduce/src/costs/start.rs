//! The cost of starting a process.

use super::{ROUNDS, TODAY};
use crate::Result;
use crate::job::Job;
use crate::performance::measure::median;
use serde_json::Value;
use std::env::current_exe;
use std::process::Command;

/// CPU seconds of `warcsieve` to start, to load the default pipeline and to set up a thread, as
/// measured by `warcsieve plan` in its own process: the median of several processes.
pub fn start_up(job: &Job) -> Result<f64> {
    let own = current_exe()?;
    let program = own.with_file_name("warcsieve");
    if !program.is_file() {
        return Err(format!("no {}: `make build` builds it", program.display()).into());
    }
    let input = job.corpora.file(TODAY)?;
    let mut found = Vec::new();
    for _ in 0..ROUNDS {
        let output = Command::new(&program)
            .arg("plan")
            .arg(&input)
            .args(["--sample", "1", "--threads", "1", "--json", "--quiet"])
            .output()?;
        if !matches!(output.status.code(), Some(0 | 10)) {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        let plan: Value = serde_json::from_slice(&output.stdout)?;
        let seconds = plan.pointer("/fixed/a_process").and_then(Value::as_f64);
        found.push(seconds.ok_or("plan does not say what a process takes to start")?);
    }
    Ok(median(found))
}
