//! Blocks as bags of keywords, and the search for blocks that repeat another (prefix filtering).
//!
//! Similarity is the cosine of the keywords' frequencies (Eq. 2). The terms of all bags are sorted
//! in one order, the rarest of the page first. The *head* of a bag is its shortest prefix of terms
//! such that the terms after it cannot make two bags similar on their own: for a threshold s, the
//! squared frequencies after the head sum to less than s² of the norm.
//!
//! Invariant: two similar bags share a term that is in both heads. So only bags with a common head
//! term need to be compared. For example, for s = .9 a bag of ten different keywords has a head of
//! two: the other eight have 8/10 < .81 of the norm.
//!
//! Bags are looked up by a hash of all their terms (equal bags), then by the terms of their heads
//! (similar bags). For each bag, the terms of a head, the index entries that are followed and the
//! bags that are compared are limited, so any page takes time proportional to its words. Within
//! these limits every similar pair is found.

use super::keywords::Keywords;
use std::collections::HashMap;
use std::ops::Range;
use warcsieve_common::{BUFFER_LIMIT, emptied, shrink};

/// The maximum number of terms of a head.
const MAX_HEAD: usize = 32;
/// The maximum number of index entries that are followed for a bag, the latest first.
const MAX_FOLLOWED: usize = 128;
/// The maximum number of bags that a bag is compared with.
const MAX_COMPARED: usize = 16;

const NONE: u32 = u32::MAX;

/// A keyword, by its rank in order of rising frequency on the page, and its frequency in the bag.
type Term = (u32, u32);

struct Bag {
    terms: Range<u32>,
    /// Sum of the squared frequencies.
    norm: u64,
    /// The bag that was last compared with this one, so that no bag is compared twice.
    seen_by: u32,
}

/// An entry of the index, which is a linked list per term: a bag with the term in its head, and the
/// previous entry of the term.
struct Entry {
    bag: u32,
    before: u32,
}

/// The bags of one page; reused from page to page.
#[derive(Default)]
pub struct Bags {
    counts: Vec<u32>,
    by_rarity: Vec<u32>,
    rank: Vec<u32>,
    sorted: Vec<u32>,
    terms: Vec<Term>,
    bags: Vec<Bag>,
    /// Bags that do not repeat an earlier one, by the hash of their terms. Never iterated.
    equal: HashMap<u64, u32>,
    /// By term: its latest entry.
    latest: Vec<u32>,
    entries: Vec<Entry>,
}

impl Bags {
    /// Finds the blocks whose similarity to an earlier block is at least `similarity`. Blocks that
    /// were found do not count as earlier ones. Calls `found` with both blocks, as indices into
    /// [`Keywords::blocks`], and with the cosine. Blocks without a common keyword are never
    /// similar.
    pub fn repeated(
        &mut self,
        keywords: &Keywords,
        similarity: f64,
        mut found: impl FnMut(usize, usize, f64),
    ) {
        self.clear(keywords);
        for (i, kept) in keywords.blocks.iter().enumerate() {
            self.push(keywords.of(kept));
            let hash = hash(self.terms(&self.bags[i]));
            let equal = self
                .equal
                .get(&hash)
                .map(|&of| (of, self.cosine(i, of as usize)));
            let similar = equal
                .filter(|&(_, cosine)| cosine >= similarity && cosine > 0.0)
                .or_else(|| self.similar(i, similarity));
            if let Some((of, cosine)) = similar {
                self.equal.insert(hash, of);
                found(i, of as usize, cosine);
            } else {
                self.equal.insert(hash, i as u32);
                self.index(i, similarity);
            }
        }
    }

    fn clear(&mut self, keywords: &Keywords) {
        emptied(&mut self.terms);
        emptied(&mut self.bags);
        emptied(&mut self.entries);
        shrink(&mut self.latest);
        shrink(&mut self.rank);
        shrink(&mut self.by_rarity);
        shrink(&mut self.sorted);
        self.equal.clear();
        if self.equal.capacity() * size_of::<(u64, u32)>() > BUFFER_LIMIT {
            self.equal = HashMap::new();
        }
        let distinct = keywords.distinct();
        self.latest.clear();
        self.latest.resize(distinct, NONE);

        keywords.count(&mut self.counts);
        self.by_rarity.clear();
        self.by_rarity.extend(0..distinct as u32);
        let counts = &self.counts;
        self.by_rarity
            .sort_unstable_by_key(|&word| (counts[word as usize], word));
        self.rank.clear();
        self.rank.resize(distinct, 0);
        for (rank, &word) in self.by_rarity.iter().enumerate() {
            self.rank[word as usize] = rank as u32;
        }
    }

    fn push(&mut self, words: &[u32]) {
        self.sorted.clear();
        self.sorted
            .extend(words.iter().map(|&word| self.rank[word as usize]));
        self.sorted.sort_unstable();
        let start = self.terms.len();
        let mut norm = 0;
        for same in self.sorted.chunk_by(|a, b| a == b) {
            let count = same.len() as u64;
            self.terms.push((same[0], same.len() as u32));
            norm += count * count;
        }
        self.bags.push(Bag {
            terms: start as u32..self.terms.len() as u32,
            norm,
            seen_by: NONE,
        });
    }

    fn terms(&self, bag: &Bag) -> &[Term] {
        &self.terms[bag.terms.start as usize..bag.terms.end as usize]
    }

    /// The terms of a bag's head.
    fn head(&self, bag: usize, similarity: f64) -> Range<usize> {
        let bag = &self.bags[bag];
        let start = bag.terms.start as usize;
        let enough = similarity * similarity * bag.norm as f64;
        // The squared frequencies of the terms after the head.
        let mut after = bag.norm;
        let mut end = start;
        for &(_, count) in self.terms(bag).iter().take(MAX_HEAD) {
            // A margin for rounding: a sum close to the limit counts as enough.
            if (after as f64) < enough * 0.999_999 {
                break;
            }
            after -= u64::from(count) * u64::from(count);
            end += 1;
        }
        start..end
    }

    fn index(&mut self, bag: usize, similarity: f64) {
        for at in self.head(bag, similarity) {
            let latest = &mut self.latest[self.terms[at].0 as usize];
            let before = std::mem::replace(latest, self.entries.len() as u32);
            self.entries.push(Entry {
                bag: bag as u32,
                before,
            });
        }
    }

    /// The first similar bag among those that share a head term.
    fn similar(&mut self, bag: usize, similarity: f64) -> Option<(u32, f64)> {
        let (mut followed, mut compared) = (0, 0);
        for at in self.head(bag, similarity) {
            let mut entry = self.latest[self.terms[at].0 as usize];
            while entry != NONE && followed < MAX_FOLLOWED && compared < MAX_COMPARED {
                let Entry { bag: other, before } = self.entries[entry as usize];
                followed += 1;
                entry = before;
                let seen = std::mem::replace(&mut self.bags[other as usize].seen_by, bag as u32);
                if seen == bag as u32 {
                    continue;
                }
                compared += 1;
                let cosine = self.cosine(bag, other as usize);
                if cosine >= similarity {
                    return Some((other, cosine));
                }
            }
        }
        None
    }

    /// Eq. 2; 0 if a bag is empty. Time is the number of terms of the smaller bag times the
    /// logarithm of that of the larger.
    fn cosine(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (&self.bags[a], &self.bags[b]);
        let (small, large) = if a.terms.len() <= b.terms.len() {
            (a, b)
        } else {
            (b, a)
        };
        let mut rest = self.terms(large);
        let mut dot = 0;
        for &(term, count) in self.terms(small) {
            let at = rest.partition_point(|&(other, _)| other < term);
            rest = &rest[at..];
            match rest.first() {
                Some(&(other, times)) if other == term => {
                    dot += u64::from(count) * u64::from(times);
                }
                Some(_) => {}
                None => break,
            }
        }
        if dot == 0 {
            return 0.0;
        }
        // The square root of x · x is exactly x, so equal bags have a cosine of exactly 1.
        dot as f64 / (a.norm as f64 * b.norm as f64).sqrt()
    }
}

/// A hash of a bag. Bags with equal hashes are then compared.
fn hash(terms: &[Term]) -> u64 {
    terms.iter().fold(0, |hash: u64, &(term, count)| {
        (hash.rotate_left(5) ^ (u64::from(term) << 32 | u64::from(count)))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::{Duration, Instant};
    use warcsieve_classify::Label;
    use warcsieve_fixture::document;

    fn keywords(blocks: &[String]) -> Keywords {
        let mut keywords = Keywords::default();
        keywords.read(
            &document(blocks),
            &vec![Label::plain(true, 0); blocks.len()],
        );
        keywords
    }

    fn fast(blocks: &[String], similarity: f64) -> Vec<usize> {
        let mut repeats = Vec::new();
        Bags::default().repeated(&keywords(blocks), similarity, |i, of, cosine| {
            assert!(of < i && cosine >= similarity);
            repeats.push(i);
        });
        repeats
    }

    /// A slow reference implementation: compares every block with every earlier one that is kept.
    fn slow(blocks: &[String], similarity: f64) -> Vec<usize> {
        let keywords = keywords(blocks);
        let bag = |i: usize| {
            let mut bag = vec![0u64; keywords.distinct()];
            for &word in keywords.of(&keywords.blocks[i]) {
                bag[word as usize] += 1;
            }
            bag
        };
        let dot = |a: &[u64], b: &[u64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<u64>() as f64;
        let mut stay: Vec<Vec<u64>> = Vec::new();
        let mut repeats = Vec::new();
        for i in 0..blocks.len() {
            let a = bag(i);
            let similar = stay.iter().any(|b| {
                let common = dot(&a, b);
                common > 0.0 && common / (dot(&a, &a) * dot(b, b)).sqrt() >= similarity
            });
            if similar {
                repeats.push(i);
            } else {
                stay.push(a);
            }
        }
        repeats
    }

    #[test]
    fn cosine_by_hand() {
        let blocks = [
            "rain rain snow",
            "rain snow snow",
            "snow rain rain",
            "wind",
            "a b",
        ];
        let keywords = keywords(&blocks.map(str::to_owned));
        let mut bags = Bags::default();
        bags.repeated(&keywords, 1.0, |i, of, _| assert_eq!((i, of), (2, 0)));
        // (2·1 + 1·2) / (√5 · √5)
        assert_eq!(bags.cosine(0, 1), 0.8);
        assert_eq!(bags.cosine(0, 2), 1.0);
        assert_eq!((bags.cosine(0, 3), bags.cosine(4, 4)), (0.0, 0.0));
    }

    #[test]
    fn a_block_with_a_word_more_is_a_repetition() {
        let text = "river bridge tower market square church garden station harbour castle";
        let more = format!("{text} extra");
        let half = "river bridge tower market square other words stand behind those";
        let blocks = [text, &more, half, text].map(str::to_owned);
        assert_eq!(fast(&blocks, 0.9), [1, 3]);
        assert_eq!(fast(&blocks, 0.4), [1, 2, 3]);
    }

    fn word() -> impl Strategy<Value = String> {
        (0..12u32).prop_map(|n| format!("word{n}"))
    }

    proptest! {
        #[test]
        fn prefix_filtering_equals_comparing_all_pairs(
            blocks in prop::collection::vec(prop::collection::vec(word(), 0..10), 0..10),
            similarity in prop_oneof![Just(0.9), Just(0.5), Just(1.0), 0.05..1.0],
        ) {
            let blocks: Vec<_> = blocks.iter().map(|b| b.join(" ")).collect();
            prop_assert_eq!(fast(&blocks, similarity), slow(&blocks, similarity));
        }
    }

    /// Pages in which every block shares terms with many others.
    #[test]
    fn hostile_pages_take_linear_time() {
        const BLOCKS: usize = 40_000;
        let shapes: [fn(usize) -> String; 4] = [
            |_| "same words always".to_owned(),
            |i| format!("own{i} common words stand here"),
            |i| format!("pair{} left{i} right{i}", i / 2),
            |i| format!("half{} twin{} trio{} rest{i}", i % 200, i % 199, i % 197),
        ];
        for shape in shapes {
            let blocks: Vec<_> = (0..BLOCKS).map(shape).collect();
            let keywords = keywords(&blocks);
            let start = Instant::now();
            Bags::default().repeated(&keywords, 0.9, |_, _, _| ());
            assert!(start.elapsed() < Duration::from_secs(5));
        }
        let long: String = (0..BLOCKS).map(|i| format!("word{i} ")).collect();
        let mut blocks = vec![long];
        blocks.extend((0..BLOCKS).map(|i| format!("word{i} more")));
        let keywords = keywords(&blocks);
        let start = Instant::now();
        Bags::default().repeated(&keywords, 0.9, |_, _, _| ());
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}
