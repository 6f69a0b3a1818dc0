//! The page as a sequence of words and tags, seen through sliding windows.

use crate::document::{Block, shrink};

/// Most windows one behind the other.
const MOST: usize = 3;

/// `N` windows one behind the other: each holds the sums of `2 · radius + 1` values of
/// the one before it, the first those of a sequence in which a word is 1 and a tag is
/// 0. What is outside the page counts as tags.
///
/// A sum over a window is the difference of two running sums, so N windows are N
/// differences, taken at once, and N running sums of them: a few additions a word,
/// whatever the radius. All in whole numbers; the running sums wrap, the result does not.
///
/// Memory: a byte a word or tag; reused from page to page.
pub struct Windows<const N: usize> {
    radius: usize,
    /// Of the values 0, 1, … N windows back: binomial, with alternating signs.
    differences: [u64; MOST + 1],
    /// The sequence, with room on both sides.
    values: Vec<u8>,
}

impl<const N: usize> Windows<N> {
    /// Windows of `radius` to both sides.
    pub fn new(radius: usize) -> Self {
        const { assert!(N >= 1 && N <= MOST) };
        let mut differences = [0u64; MOST + 1];
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

    /// The sum of the last window where there are words all around.
    pub fn full(&self) -> u64 {
        (self.width() as u64).pow(N as u32)
    }

    /// Calls `word` for each word of the page, in order, with its block and the sum
    /// of the last window around it.
    pub fn slide(&mut self, blocks: &[Block], mut word: impl FnMut(usize, u64)) {
        // The last window is complete this much behind its middle.
        let delay = self.radius * N;
        let before = self.width() * N;
        // Words this far apart do not see each other, however many tags there are more.
        let far = 2 * delay as u32 + 1;
        shrink(&mut self.values);
        self.values.clear();
        self.values.resize(before, 0);
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

/// Appends the words of a block, as 1, and its tags, as 0; of the tags before it at most
/// `far`. Tags inside the block are spread evenly.
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
    use crate::classify::fixture::counted;
    use proptest::prelude::*;

    fn fast<const N: usize>(blocks: &[Block], radius: usize) -> Vec<(usize, u64)> {
        let mut words = Vec::new();
        let mut windows = Windows::<N>::new(radius);
        for _ in 0..2 {
            words.clear();
            windows.slide(blocks, |block, sum| words.push((block, sum)));
        }
        words
    }

    /// The windows added up one by one, over all tags there are.
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
        // Tag, word, word, tag, word, nine tags, word; three places a window.
        let sums = [(0, 2), (0, 2), (1, 1), (2, 1)];
        assert_eq!(fast::<1>(&page, 1), sums);
        assert_eq!(Windows::<2>::new(1).full(), 9);
        assert_eq!(fast::<2>(&[counted(0, 9, 0)], 1)[4], (0, 9));
    }

    #[test]
    fn tags_inside_a_block_are_spread() {
        let mut spread = Vec::new();
        lay_out(&counted(2, 4, 2), 1, &mut spread);
        assert_eq!(spread, [0, 1, 1, 0, 1, 1, 0]);
    }

    proptest! {
        #[test]
        fn differences_sum_what_adding_up_sums(
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
