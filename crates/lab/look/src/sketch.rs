//! Counts of values that may be very many, in bounded memory, with the same result on every machine.

use serde::{Serialize, Serializer};
use std::collections::{BTreeSet, HashMap};
use twox_hash::XxHash3_64;
use warcsieve_common::with_defaults;

/// The most frequent texts, with their counts and sums.
///
/// The counts are exact until more than twice `CAPACITY` different texts were added. Then the rarest are dropped. If a
/// dropped text occurs again, it begins at 0: its true count is between `count` and `count + missed`. Sums cover the
/// counted occurrences. The `SHOWN` most frequent are written.
#[derive(Clone, Debug, Default)]
pub struct Top<const N: usize, const CAPACITY: usize, const SHOWN: usize> {
    texts: HashMap<String, Counted<N>>,
    /// How often a text that is not in the list can have occurred.
    missed: u64,
}

/// The counts of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted<const N: usize> {
    /// How often it occurred since it is in the list.
    pub count: u64,
    /// How often it can have occurred before.
    pub missed: u64,
    /// Its sums.
    pub sums: [u64; N],
}

/// The maximum length of a text in bytes; longer texts are cut.
const MAX_TEXT_BYTES: usize = 255;

impl<const N: usize, const CAPACITY: usize, const SHOWN: usize> Top<N, CAPACITY, SHOWN> {
    /// Counts a text, and adds to its sums.
    pub fn add(&mut self, text: &str, sums: [u64; N]) {
        let text = warcsieve_common::prefix(text, MAX_TEXT_BYTES);
        let more = Counted {
            count: 1,
            missed: 0,
            sums,
        };
        match self.texts.get_mut(text) {
            Some(known) => known.add(&more),
            None => {
                let missed = self.missed;
                self.texts
                    .insert(text.to_owned(), Counted { missed, ..more });
                self.shrink();
            }
        }
    }

    /// Adds the counts of another part of the data.
    pub fn merge(&mut self, other: Self) {
        if other.missed > 0 {
            for (text, known) in &mut self.texts {
                if !other.texts.contains_key(text) {
                    known.missed += other.missed;
                }
            }
        }
        for (text, more) in other.texts {
            match self.texts.get_mut(&text) {
                Some(known) => {
                    known.add(&more);
                    known.missed += more.missed;
                }
                None => {
                    let missed = more.missed + self.missed;
                    self.texts.insert(text, Counted { missed, ..more });
                }
            }
        }
        self.missed += other.missed;
        self.shrink();
    }

    fn shrink(&mut self) {
        if self.texts.len() <= 2 * CAPACITY {
            return;
        }
        let order = self.ordered();
        let dropped: Vec<String> = order[CAPACITY..]
            .iter()
            .map(|(text, _)| (*text).to_owned())
            .collect();
        for text in dropped {
            if let Some(gone) = self.texts.remove(&text) {
                self.missed = self.missed.max(gone.count + gone.missed);
            }
        }
    }

    /// All texts in the list, the most frequent first; equal ones in the order of the texts.
    pub fn ordered(&self) -> Vec<(&str, Counted<N>)> {
        let texts = self
            .texts
            .iter()
            .map(|(text, counted)| (text.as_str(), *counted));
        let mut order: Vec<_> = texts.collect();
        order.sort_unstable_by(|a, b| b.1.count.cmp(&a.1.count).then(a.0.cmp(b.0)));
        order
    }
}

#[derive(Serialize)]
struct Lines<'a> {
    /// Text, count, how many occurrences may be missing, sums; the most frequent first.
    lines: Vec<(&'a str, u64, u64, Vec<u64>)>,
    /// How many texts are known, and how often any other text can have occurred.
    known: usize,
    missed: u64,
}

impl<const N: usize, const CAPACITY: usize, const SHOWN: usize> Serialize
    for Top<N, CAPACITY, SHOWN>
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ordered = self.ordered().into_iter().take(SHOWN);
        let lines = ordered.map(|(text, c)| (text, c.count, c.missed, c.sums.to_vec()));
        let lines = Lines {
            lines: lines.collect(),
            known: self.texts.len(),
            missed: self.missed,
        };
        lines.serialize(serializer)
    }
}

impl<const N: usize> Counted<N> {
    fn add(&mut self, more: &Self) {
        self.count = self.count.saturating_add(more.count);
        for (sum, more) in self.sums.iter_mut().zip(more.sums) {
            *sum = sum.saturating_add(more);
        }
    }
}

with_defaults! {
    /// Counts of numbers by size. There are four bins per octave, so a quantile is at most a quarter too large.
    #[derive(Clone, Debug)]
    pub struct Sizes {
        bins: Vec<u64> = vec![0; 256],
        zeros: u64 = 0,
        /// How many numbers.
        pub count: u64 = 0,
        /// Their sum.
        pub sum: u64 = 0,
        /// The largest.
        pub largest: u64 = 0,
    }
}

impl Sizes {
    /// The bin of a number: 0 for 0 and 1, then `4 · log₂ n` with the fraction rounded down to a quarter.
    fn bin(n: u64) -> usize {
        if n < 4 {
            return [0, 0, 4, 6][n as usize];
        }
        let octave = 63 - n.leading_zeros() as usize;
        let quarter = (n >> (octave - 2)) & 3;
        4 * octave + quarter as usize
    }

    /// The smallest number of a bin.
    fn least(bin: usize) -> u64 {
        let (octave, quarter) = (bin / 4, bin as u64 % 4);
        match octave {
            0 | 1 => [0, 0, 1, 1, 2, 2, 3, 3][bin],
            _ => (4 + quarter) << (octave - 2),
        }
    }

    /// Adds a number.
    pub fn add(&mut self, n: u64) {
        self.bins[Self::bin(n)] += 1;
        self.zeros += u64::from(n == 0);
        self.count += 1;
        self.sum = self.sum.saturating_add(n);
        self.largest = self.largest.max(n);
    }

    /// Adds those of another part.
    pub fn merge(&mut self, other: &Self) {
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            *bin += more;
        }
        self.zeros += other.zeros;
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        self.largest = self.largest.max(other.largest);
    }

    /// The largest number of a bin.
    fn most(bin: usize) -> u64 {
        match bin {
            0 => 1,
            // Each bin below 4 holds one number or none.
            1..8 => Self::least(bin),
            // The last bin ends with the largest number.
            _ if bin + 1 >= 4 * 64 => u64::MAX,
            _ => Self::least(bin + 1) - 1,
        }
    }

    /// A number that is not below the given share of the numbers: the largest of its bin. 0 if there are no numbers.
    pub fn quantile(&self, share: f64) -> u64 {
        let (target, mut before) = (share * self.count as f64, 0);
        for (bin, n) in self.bins.iter().enumerate() {
            before += n;
            if *n > 0 && before as f64 >= target {
                return Self::most(bin).min(self.largest);
            }
        }
        0
    }
}

impl Serialize for Sizes {
    /// Count, sum, largest, quartiles and the 99th percentile, how many are 0, and how many per octave from 1.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shown {
            count: u64,
            sum: u64,
            largest: u64,
            quantiles: [u64; 4],
            zeros: u64,
            octaves: Vec<u64>,
        }
        let mut octaves: Vec<u64> = self.bins.chunks(4).map(|bins| bins.iter().sum()).collect();
        octaves[0] -= self.zeros;
        while octaves.last() == Some(&0) {
            octaves.pop();
        }
        Shown {
            count: self.count,
            sum: self.sum,
            largest: self.largest,
            quantiles: [0.25, 0.5, 0.75, 0.99].map(|share| self.quantile(share)),
            zeros: self.zeros,
            octaves,
        }
        .serialize(serializer)
    }
}

/// How many of the smallest hashes are kept. The number of different texts is estimated from them, to 3 %.
const HASHES: usize = 1024;

/// How many different texts there are, estimated from the smallest hashes (Bar-Yossef et al. 2002).
#[derive(Clone, Debug, Default)]
pub struct Distinct(BTreeSet<u64>);

impl Distinct {
    /// Adds a text.
    pub fn add(&mut self, text: &[u8]) {
        self.insert(XxHash3_64::oneshot(text));
    }

    fn insert(&mut self, hash: u64) {
        if self.0.len() >= HASHES && self.0.last().is_some_and(|last| hash >= *last) {
            return;
        }
        self.0.insert(hash);
        if self.0.len() > HASHES {
            self.0.pop_last();
        }
    }

    /// Adds those of another part.
    pub fn merge(&mut self, other: &Self) {
        other.0.iter().for_each(|hash| self.insert(*hash));
    }

    /// The number of different texts: exact below 1,024.
    pub fn estimate(&self) -> u64 {
        match self.0.last() {
            Some(last) if self.0.len() == HASHES => {
                ((HASHES - 1) as f64 / (*last as f64 / u64::MAX as f64)) as u64
            }
            _ => self.0.len() as u64,
        }
    }
}

impl Serialize for Distinct {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.estimate().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn bins_begin_where_they_say() {
        for n in (0..5_000).chain([1 << 20, (1 << 40) + 12_345, u64::MAX]) {
            let bin = Sizes::bin(n);
            let least = Sizes::least(bin);
            assert!(
                least <= n && n <= least.saturating_add(least / 4).max(1),
                "{n}: {bin} from {least}"
            );
            let most = Sizes::most(bin);
            assert!(n <= most && Sizes::bin(most) == bin, "{n}: {bin} to {most}");
        }
        let mut sizes = Sizes::default();
        (1..=1000).for_each(|n| sizes.add(n));
        assert_eq!(
            (sizes.count, sizes.sum, sizes.largest),
            (1000, 500_500, 1000)
        );
        assert_eq!(
            [0.5, 0.99, 1.0].map(|s| sizes.quantile(s)),
            [511, 1000, 1000]
        );
        let mut zeros = Sizes::default();
        zeros.add(0);
        sizes.merge(&zeros);
        let shown = serde_json::to_value(&sizes).unwrap();
        assert_eq!(
            (&shown["zeros"], &shown["octaves"][0]),
            (&1.into(), &1.into())
        );
        assert_eq!(
            (zeros.quantile(0.5), Sizes::default().quantile(0.5)),
            (0, 0)
        );
    }

    #[test]
    fn different_texts_are_estimated() {
        let mut all = Distinct::default();
        for n in 0..50_000_u32 {
            all.add(&(n % 20_000).to_le_bytes());
        }
        let estimate = all.estimate() as f64;
        assert!((18_000.0..22_000.0).contains(&estimate), "{estimate}");
        let mut few = Distinct::default();
        ["a", "b", "a"]
            .iter()
            .for_each(|text| few.add(text.as_bytes()));
        assert_eq!(few.estimate(), 2);
    }

    proptest! {
        #[test]
        fn counts_are_within_their_bounds(texts in prop::collection::vec(0..60_u32, 0..600), cut in 0..600_usize) {
            let mut exact = BTreeMap::new();
            texts.iter().for_each(|t| *exact.entry(t.to_string()).or_insert(0_u64) += 1);
            let cut = cut.min(texts.len());
            let of = |part: &[u32]| {
                let mut top = Top::<1, 8, 8>::default();
                part.iter().for_each(|t| top.add(&t.to_string(), [2]));
                top
            };
            let mut top = of(&texts[..cut]);
            top.merge(of(&texts[cut..]));
            let (size, missed) = (top.texts.len(), top.missed);
            prop_assert!(size <= 16);
            for (text, n) in &exact {
                match top.ordered().iter().find(|(t, _)| t == text) {
                    Some((_, known)) => {
                        prop_assert!(known.count <= *n && *n <= known.count + known.missed);
                        prop_assert_eq!(known.sums[0], 2 * known.count);
                    }
                    None => prop_assert!(*n <= missed),
                }
            }
        }
    }
}
