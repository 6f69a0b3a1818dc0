//! How long a store that fails is asked again.

use std::time::Duration;

/// When a request that failed is made again, and when it is given up.
///
/// A request is made again after 408, 429 and any 5xx, and after a broken connection; a read that broke
/// is taken up where it stopped. Between two tries a random time passes, of at most
/// `first`, doubled with each try, up to `longest`: full jitter, so that many workers do not come
/// back at once.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Tries without progress before an object is given up. Default 12.
    pub tries: u32,
    /// Longest pause before the second try. Default 0.5 s.
    pub first: Duration,
    /// Longest pause before any. Default 30 s.
    pub longest: Duration,
    /// A connection that gives nothing for so long is broken. Default 60 s.
    pub stall: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            tries: 12,
            first: Duration::from_millis(500),
            longest: Duration::from_secs(30),
            stall: Duration::from_secs(60),
        }
    }
}

#[cfg(feature = "object-store")]
impl Patience {
    /// The pause after `failures` tries without progress, from 1.
    pub(super) fn pause(&self, failures: u32) -> Duration {
        use std::hash::{BuildHasher, Hasher, RandomState};
        let most = self.most(failures);
        // The standard library's hashes are seeded at random.
        let random = RandomState::new().build_hasher().finish();
        most.mul_f64((random >> 11) as f64 / (1u64 << 53) as f64)
    }

    fn most(&self, failures: u32) -> Duration {
        let doubled = 1u32 << failures.saturating_sub(1).min(20);
        self.first.saturating_mul(doubled).min(self.longest)
    }
}

#[cfg(all(test, feature = "object-store"))]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_are_bounded() {
        let patience = Patience::default();
        let most: Vec<_> = [1, 2, 3, 7, 8, u32::MAX]
            .map(|n| patience.most(n).as_millis())
            .into();
        assert_eq!(most, [500, 1000, 2000, 30_000, 30_000, 30_000]);
        let pauses: Vec<_> = (0..50).map(|_| patience.pause(3)).collect();
        assert!(pauses.iter().all(|p| p.as_millis() <= 2000));
        assert!(pauses.iter().any(|p| *p != pauses[0]), "no jitter");
    }
}
