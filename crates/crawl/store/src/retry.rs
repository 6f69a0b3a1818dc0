//! When failed requests to a store are retried.

use std::time::Duration;

/// When a failed request is retried, and when it is given up.
///
/// A request is retried after status 408, 429 and any 5xx, and after a broken connection; a read
/// that broke is resumed where it stopped. The pause before a retry is random, between 0 and a
/// limit that starts at `first_pause` and doubles with each try, up to `longest_pause`: exponential
/// backoff with full jitter, so that many workers do not come back at once.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy {
    /// Number of tries without progress after which an object is given up. Default 12.
    pub tries: u32,
    /// Limit of the pause before the second try. Default 0.5 s.
    pub first_pause: Duration,
    /// Limit of any pause. Default 30 s.
    pub longest_pause: Duration,
    /// A connection that delivers nothing for this long counts as broken. Default 60 s.
    pub stall: Duration,
    /// A web server that has never answered is given up if it still refuses connections, or has no
    /// address, after this time: mostly its name is wrong. Default 1 s. Stores have no such limit.
    pub contact: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            tries: 12,
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(30),
            stall: Duration::from_secs(60),
            contact: Duration::from_secs(1),
        }
    }
}

#[cfg(feature = "object-store")]
impl RetryPolicy {
    /// A random pause after `failures` failed tries without progress (at least 1).
    pub(super) fn pause(&self, failures: u32) -> Duration {
        use std::hash::{BuildHasher, Hasher, RandomState};
        let max_pause = self.max_pause(failures);
        // Each `RandomState` has its own random keys, so this is a random number.
        let random = RandomState::new().build_hasher().finish();
        max_pause.mul_f64((random >> 11) as f64 / (1u64 << 53) as f64)
    }

    fn max_pause(&self, failures: u32) -> Duration {
        let doubled = 1u32 << failures.saturating_sub(1).min(20);
        self.first_pause
            .saturating_mul(doubled)
            .min(self.longest_pause)
    }
}

#[cfg(all(test, feature = "object-store"))]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_are_bounded() {
        let policy = RetryPolicy::default();
        let max_pause: Vec<_> = [1, 2, 3, 7, 8, u32::MAX]
            .map(|n| policy.max_pause(n).as_millis())
            .into();
        assert_eq!(max_pause, [500, 1000, 2000, 30_000, 30_000, 30_000]);
        let pauses: Vec<_> = (0..50).map(|_| policy.pause(3)).collect();
        assert!(pauses.iter().all(|p| p.as_millis() <= 2000));
        assert!(pauses.iter().any(|p| *p != pauses[0]), "no jitter");
    }
}
