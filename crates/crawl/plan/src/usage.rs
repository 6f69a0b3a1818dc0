//! CPU time and memory that this process has used.

/// CPU time of the calling thread in seconds: user and system. Where the system does not report it,
/// elapsed time.
pub(super) fn thread_cpu() -> f64 {
    clock::thread()
}

/// CPU time of this process in seconds: user and system, of all its threads. Where the system does
/// not report it, time elapsed since the first call.
pub fn process_cpu() -> f64 {
    clock::process()
}

/// Peak memory of this process in bytes, pages of mapped files included; `None` where the system
/// does not report it (all but Linux).
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(unix)]
mod clock {
    use rustix::time::{ClockId, clock_gettime};

    fn seconds(id: ClockId) -> f64 {
        let now = clock_gettime(id);
        now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
    }

    pub fn thread() -> f64 {
        seconds(ClockId::ThreadCPUTime)
    }

    pub fn process() -> f64 {
        seconds(ClockId::ProcessCPUTime)
    }
}

#[cfg(not(unix))]
mod clock {
    use std::sync::LazyLock;
    use std::time::Instant;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);

    pub fn thread() -> f64 {
        START.elapsed().as_secs_f64()
    }

    pub fn process() -> f64 {
        thread()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn sleeping_takes_no_cpu_time_and_counting_does() {
        let start = thread_cpu();
        std::thread::sleep(Duration::from_millis(60));
        assert!(thread_cpu() - start < 0.03);
        let (cpu, all, wall) = (thread_cpu(), process_cpu(), Instant::now());
        let mut n = 1u64;
        while thread_cpu() - cpu < 0.02 && wall.elapsed() < Duration::from_secs(20) {
            n = std::hint::black_box(n.wrapping_mul(3));
        }
        assert!(thread_cpu() - cpu >= 0.02);
        assert!(process_cpu() - all >= 0.019);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn peak_memory_is_that_of_a_running_program() {
        let peak = peak_memory().unwrap();
        assert!((1 << 20..1 << 40).contains(&peak), "{peak}");
    }
}
