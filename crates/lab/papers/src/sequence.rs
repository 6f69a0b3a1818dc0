//! Sliding windows over the page as a sequence of words and tags.

use warcsieve_common::emptied;
use warcsieve_html::document::Block;

/// The maximum number of windows applied one after the other.
const MAX_WINDOWS: usize = 3;

/// `N` moving sums applied one after the other. Each sums `2 · radius + 1` values of the one before
/// it; the first one sums a sequence in which a word is 1 and a tag is 0. Anything outside the page
/// counts as tags.
///
/// With window width w, the moving sum is the running sum of the differences x\[t\] − x\[t − w\].
/// Both operations are linear and commute. So `N` windows are the N-th such difference and then `N`
/// running sums. The N-th difference is one weighted sum of N + 1 values (1, −2, 1 for N = 2, at
/// distances 0, w and 2w). This takes a few additions per word, whatever the radius. For example,
/// N = 1 and w = 3:
///
/// ```text
/// values        0  1  1  0  1  0  0
/// differences   0  1  1  0  0 −1  0     x[t] − x[t − 3]
/// running sum   0  1  2  2  2  1  1     the window of 3 values that ends at t
/// ```
///
/// All sums are integers. The running sums wrap around, and the result is exact.
///
/// Memory: one byte per word or tag; the buffers are reused from page to page.
pub struct Windows<const N: usize> {
    radius: usize,
    /// Weights of the values 0, 1, … N widths back: binomial coefficients with alternating signs.
    differences: [u64; MAX_WINDOWS + 1],
    /// The sequence, padded with tags on both sides.
    values: Vec<u8>,
}

impl<const N: usize> Windows<N> {
    /// Windows of `radius` to both sides.
    pub fn new(radius: usize) -> Self {
        const { assert!(N >= 1 && N <= MAX_WINDOWS) };
        let mut differences = [0u64; MAX_WINDOWS + 1];
        differences[0] = 1;
        for _ in 0..N {
            for i in (1..=N).rev() {
                differences[i] = differences[i].wrapping_sub(differences[i - 1]);
            }
        }
        Self {
            radius,
            differences,
            values: Vec::new(),
        }
    }

    fn width(&self) -> usize {
        2 * self.radius + 1
    }

    /// The sum of the last window if there are only words around it, which is its maximum.
    pub fn full(&self) -> u64 {
        (self.width() as u64).pow(N as u32)
    }

    /// Calls `word` for each word of the page, in order, with its block and the sum
    /// of the last window around it.
    pub fn slide(&mut self, blocks: &[Block], mut word: impl FnMut(usize, u64)) {
        // The sum for a position is complete this many values later.
        let delay = self.radius * N;
        let before = self.width() * N;
        // Words that are this far apart do not affect each other, so further tags between them are
        // left out.
        let far = 2 * delay as u32 + 1;
        emptied(&mut self.values).resize(before, 0);
        for block in blocks {
            lay_out(block, far, &mut self.values);
        }
        self.values.resize(self.values.len() + delay, 0);

        let mut sums = [0u64; N];
        let mut at = before;
        let mut next = || {
            let mut value = 0u64;
            for i in 0..=N {
                let times = u64::from(self.values[at - i * (2 * self.radius + 1)]);
                value = value.wrapping_add(self.differences[i].wrapping_mul(times));
            }
            for sum in &mut sums {
                *sum = sum.wrapping_add(value);
                value = *sum;
            }
            at += 1;
            value
        };
        for _ in 0..delay {
            next();
        }
        let mut middle = before;
        for (i, block) in blocks.iter().enumerate() {
            let tags = block.tags_before.min(far) as usize;
            for _ in 0..tags {
                next();
            }
            middle += tags;
            for _ in 0..block.tokens as usize + block.tags_inside as usize {
                let sum = next();
                if self.values[middle] == 1 {
                    word(i, sum);
                }
                middle += 1;
            }
        }
    }
}

/// Appends the words of a block as 1, and its tags as 0. Of the tags before the block it appends at
/// most `far`. Tags inside the block are spread evenly.
fn lay_out(block: &Block, far: u32, values: &mut Vec<u8>) {
    values.resize(values.len() + block.tags_before.min(far) as usize, 0);
    let tags = u64::from(block.tags_inside);
    let all = tags + u64::from(block.tokens);
    if tags == 0 {
        values.resize(values.len() + all as usize, 1);
        return;
    }
    let mut part = 0;
    values.extend((0..all).map(|_| {
        part += tags;
        let is_tag = part >= all;
        part -= if is_tag { all } else { 0 };
        u8::from(!is_tag)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use warcsieve_fixture::counted;

    fn fast<const N: usize>(blocks: &[Block], radius: usize) -> Vec<(usize, u64)> {
        let mut words = Vec::new();
        let mut windows = Windows::<N>::new(radius);
        for _ in 0..2 {
            words.clear();
            windows.slide(blocks, |block, sum| words.push((block, sum)));
        }
        words
    }

    /// A slow reference implementation: moving sums one after the other, over all tags.
    fn slow(blocks: &[Block], radius: usize, windows: usize) -> Vec<(usize, u64)> {
        let pad = radius * windows;
        let mut values = vec![0; pad];
        let mut places = Vec::new();
        for (i, block) in blocks.iter().enumerate() {
            let mut laid = Vec::new();
            lay_out(block, u32::MAX, &mut laid);
            places.extend(laid.iter().map(|&word| (word == 1).then_some(i)));
            values.extend(laid.iter().map(|&word| u64::from(word)));
        }
        values.extend(vec![0; pad]);
        for _ in 0..windows {
            let around = |i: usize| i.saturating_sub(radius)..(i + radius + 1).min(values.len());
            values = (0..values.len())
                .map(|i| values[around(i)].iter().sum())
                .collect();
        }
        let words = places.iter().zip(&values[pad..]);
        words
            .filter_map(|(place, &sum)| place.map(|block| (block, sum)))
            .collect()
    }

    #[test]
    fn a_window_by_hand() {
        let page = [counted(1, 2, 0), counted(1, 1, 0), counted(9, 1, 0)];
        // Tag, word, word, tag, word, nine tags, word; each window has three places.
        let sums = [(0, 2), (0, 2), (1, 1), (2, 1)];
        assert_eq!(fast::<1>(&page, 1), sums);
        assert_eq!(Windows::<2>::new(1).full(), 9);
        assert_eq!(fast::<2>(&[counted(0, 9, 0)], 1)[4], (0, 9));
    }

    #[test]
    fn tags_inside_a_block_are_spread_evenly() {
        let mut spread = Vec::new();
        lay_out(&counted(2, 4, 2), 1, &mut spread);
        assert_eq!(spread, [0, 1, 1, 0, 1, 1, 0]);
    }

    proptest! {
        #[test]
        fn windows_equal_the_reference(
            page in prop::collection::vec((0..30u32, 0..9u32, 0..4u32), 0..9),
            radius in 0..4usize,
        ) {
            let blocks: Vec<_> = page.iter().map(|&(a, b, c)| counted(a, b, c)).collect();
            prop_assert_eq!(fast::<1>(&blocks, radius), slow(&blocks, radius, 1));
            prop_assert_eq!(fast::<2>(&blocks, radius), slow(&blocks, radius, 2));
            prop_assert_eq!(fast::<3>(&blocks, radius), slow(&blocks, radius, 3));
        }
    }
}
