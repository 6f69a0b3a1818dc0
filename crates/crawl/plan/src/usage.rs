//! CPU time that this process has used.

/// CPU time of the calling thread in seconds: user and system. Where the system does not report it,
/// time elapsed since the first call.
pub(super) fn thread_cpu() -> f64 {
    seconds(true)
}

/// CPU time of this process in seconds: user and system, of all its threads. Where the system does
/// not report it, time elapsed since the first call.
pub fn process_cpu() -> f64 {
    seconds(false)
}

#[cfg(unix)]
fn seconds(of_thread: bool) -> f64 {
    use rustix::time::{ClockId, clock_gettime};
    let now = clock_gettime(match of_thread {
        true => ClockId::ThreadCPUTime,
        false => ClockId::ProcessCPUTime,
    });
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

#[cfg(not(unix))]
fn seconds(_: bool) -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

#[cfg(unix)]
#[cfg(test)]
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
}
