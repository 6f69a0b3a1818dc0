//! The weights of the tokens on a block's path.

use std::fmt;

/// At how many steps up the middle and the far distance begin.
const MIDDLE: usize = 2;
pub(super) const FAR: usize = 5;

/// How many buckets of distance there are.
pub const BUCKETS: usize = 3;

/// The bucket of a distance in steps up.
pub fn bucket(steps: usize) -> usize {
    usize::from(steps >= MIDDLE) + usize::from(steps >= FAR)
}

/// Weights of hashed tokens.
///
/// Memory: 4 bytes per slot.
#[derive(Clone, PartialEq)]
pub struct PathWeights {
    /// By slot: the weight in each bucket, in units of `unit`, and 1, for the token itself.
    slots: Vec<[i8; BUCKETS + 1]>,
    unit: f32,
}

impl fmt::Debug for PathWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PathWeights({} slots)", self.slots.len())
    }
}

impl PathWeights {
    /// Weights by slot; a weight of 1 is `unit` log-odds. `None` unless the number of slots is a
    /// power of two up to 2^16.
    pub fn new(slots: &[[i8; BUCKETS]], unit: f32) -> Option<Self> {
        let fits = slots.len().is_power_of_two() && slots.len() <= 1 << 16;
        let slots = slots
            .iter()
            .map(|[near, middle, far]| [*near, *middle, *far, 1]);
        fits.then(|| Self {
            slots: slots.collect(),
            unit,
        })
    }

    /// The weights by slot.
    pub fn slots(&self) -> impl Iterator<Item = [i8; BUCKETS]> {
        self.slots
            .iter()
            .map(|[near, middle, far, _]| [*near, *middle, *far])
    }

    /// How many log-odds a weight of 1 stands for.
    pub fn unit(&self) -> f32 {
        self.unit
    }

    /// The weights of a token's hash, and 1.
    #[inline]
    pub(super) fn of(&self, hash: u32) -> [i8; BUCKETS + 1] {
        self.slots[slot(hash, self.slots.len())]
    }
}

/// The slot of a token's hash among `slots`, which is a power of two. It is the high bits of a
/// product, which depend on all bits of the hash.
#[inline]
pub fn slot(hash: u32, slots: usize) -> usize {
    let mixed = (hash ^ (hash >> 15)).wrapping_mul(0x2c1b_3c6d);
    ((u64::from(mixed) * slots as u64) >> 32) as usize
}
