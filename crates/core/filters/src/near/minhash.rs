//! MinHash signatures, and the keys of their bands.

use super::Scheme;
use twox_hash::XxHash3_64;

/// Makes signatures.
///
/// Each row is the minimum of (a·x + b) >> 32 over all shingles x of 32 bits, where a and b are
/// random numbers of 64 bits. This is multiply-shift hashing, which is strongly universal
/// (Dietzfelbinger 1996). a and b are the same in every run and release.
#[derive(Debug)]
pub struct Signer {
    rows: usize,
    factors: Vec<(u64, u64)>,
    least: Vec<u32>,
    shingles: Vec<u32>,
    bytes: Vec<u8>,
}

impl Signer {
    /// For signatures of a scheme.
    pub fn new(scheme: &Scheme) -> Self {
        let mut state = 0x7761_7263_7369_6576;
        let count = scheme.bands * scheme.rows;
        Self {
            rows: scheme.rows,
            factors: (0..count)
                .map(|_| (split_mix(&mut state) | 1, split_mix(&mut state)))
                .collect(),
            least: Vec::new(),
            shingles: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// Refills `keys` with a key for each band. A text without shingles has no keys. Keys of
    /// different bands differ, so that a key also says which band it is from.
    pub fn keys(&mut self, shingles: &[u64], keys: &mut Vec<u64>) {
        keys.clear();
        if shingles.is_empty() {
            return;
        }
        self.shingles.clear();
        self.shingles
            .extend(shingles.iter().map(|x| (x ^ x >> 32) as u32));
        self.least.clear();
        self.least.extend(self.factors.iter().map(|(a, b)| {
            let hash = |x: &u32| (a.wrapping_mul(u64::from(*x)).wrapping_add(*b) >> 32) as u32;
            self.shingles.iter().map(hash).fold(u32::MAX, u32::min)
        }));
        for (band, least) in (0..).zip(self.least.chunks(self.rows)) {
            self.bytes.clear();
            let bytes = least.iter().flat_map(|least| least.to_le_bytes());
            self.bytes.extend(bytes);
            keys.push(XxHash3_64::oneshot_with_seed(band, &self.bytes));
        }
    }
}

/// A stream of random numbers (Steele et al. 2014).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
