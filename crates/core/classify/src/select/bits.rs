//! Sets of compounds.

/// A set of compounds, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits([u64; Self::MAX / 64]);

impl Bits {
    /// All numbers are below this one.
    pub const MAX: usize = 256;

    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    #[inline]
    pub fn has(&self, number: usize) -> bool {
        self.0[number / 64] & 1 << (number % 64) != 0
    }

    #[inline]
    pub fn or(self, other: Self) -> Self {
        self.with(other, |a, b| a | b)
    }

    #[inline]
    pub fn and(self, other: Self) -> Self {
        self.with(other, |a, b| a & b)
    }

    /// The smallest number.
    #[inline]
    pub fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|word| *word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    #[inline]
    fn with(self, other: Self, by: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| by(self.0[i], other.0[i])))
    }
}
