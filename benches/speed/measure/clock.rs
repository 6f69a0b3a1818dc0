//! Wall time, and CPU time of the whole process.

use std::fs;
use std::time::Instant;

/// What something took, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    pub wall: f64,
    /// User and system, of all threads, in steps of 10 ms; not a number where the system does not
    /// tell.
    pub cpu: f64,
}

/// Times a piece of work.
pub fn time<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<(Time, T), E> {
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let value = work()?;
    let time = Time {
        wall: start.elapsed().as_secs_f64(),
        cpu: cpu_seconds() - cpu,
    };
    Ok((time, value))
}

/// Linux counts in hundredths of a second, whatever its kernel's own tick is.
const TICKS_A_SECOND: f64 = 100.0;

fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name, which may hold spaces, is in parentheses; user and system time are the 14th
    // and 15th fields, and the 3rd follows the name.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let mut ticks = fields.split_whitespace().skip(11).map(str::parse::<f64>);
    match (ticks.next(), ticks.next()) {
        (Some(Ok(user)), Some(Ok(system))) => (user + system) / TICKS_A_SECOND,
        _ => f64::NAN,
    }
}
