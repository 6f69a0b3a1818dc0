//! Histograms by class, for the words and the density of blocks.

/// The weight of each integer value, by class. Memory: 8 bytes per class and bin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// Weight by class, then by value; the last bin is for all larger values.
    counts: Vec<Vec<u64>>,
    largest: u32,
}

impl Histogram {
    /// A histogram of the values 0 to `largest`, which is at most 1,000,000, with one bin for
    /// larger values.
    pub fn new(largest: u32) -> Self {
        Self {
            counts: Vec::new(),
            largest: largest.min(1_000_000),
        }
    }

    /// Adds a value. `weight` is 1 to count blocks, or the block's words.
    pub fn add(&mut self, class: u8, value: u32, weight: u32) {
        self.grow(usize::from(class) + 1);
        let over = self.largest + 1;
        self.counts[usize::from(class)][value.min(over) as usize] += u64::from(weight);
    }

    /// Adds another histogram; its values above the largest value here go to the last bin.
    pub fn merge(&mut self, other: &Self) {
        self.grow(other.counts.len());
        let over = self.largest as usize + 1;
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            for (value, weight) in theirs.iter().enumerate() {
                let over_there = value > other.largest as usize;
                mine[if over_there { over } else { value.min(over) }] += weight;
            }
        }
    }

    /// Weight of each value of a class, from 0 on; the last is that of all larger values. Empty for
    /// a class without values.
    pub fn class(&self, class: u8) -> &[u64] {
        let counts = self.counts.get(usize::from(class));
        counts.map_or(&[], Vec::as_slice)
    }

    /// The sum of [`Histogram::class`] over all classes.
    pub fn all(&self) -> Vec<u64> {
        let mut all = vec![0; self.largest as usize + 2];
        for counts in &self.counts {
            for (sum, weight) in all.iter_mut().zip(counts) {
                *sum += weight;
            }
        }
        all
    }

    fn grow(&mut self, classes: usize) {
        if classes > self.counts.len() {
            let bins = self.largest as usize + 2;
            self.counts.resize_with(classes, || vec![0; bins]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_by_class_and_larger_ones_together() {
        let mut histogram = Histogram::new(3);
        for (class, value, weight) in [(0, 0, 1), (2, 3, 5), (0, 2, 1), (0, 4, 2), (0, 900, 1)] {
            histogram.add(class, value, weight);
        }
        assert_eq!(histogram.counts.len(), 3);
        assert_eq!(histogram.class(0), [1, 0, 1, 0, 3]);
        assert_eq!(histogram.class(1), [0; 5]);
        assert_eq!(histogram.class(2), [0, 0, 0, 5, 0]);
        assert_eq!(histogram.class(3), [0; 0]);
        assert_eq!(histogram.all(), [1, 0, 1, 5, 3]);
    }

    #[test]
    fn merging_keeps_the_bin_of_larger_values() {
        let mut small = Histogram::new(2);
        small.add(0, 1, 1);
        small.add(0, 9, 1);
        let mut large = Histogram::new(5);
        large.add(1, 4, 1);
        large.add(1, 6, 1);
        let mut into_small = small.clone();
        into_small.merge(&large);
        assert_eq!(into_small.all(), [0, 1, 0, 3]);
        large.merge(&small);
        assert_eq!(large.all(), [0, 1, 0, 0, 1, 0, 2]);
    }
}
