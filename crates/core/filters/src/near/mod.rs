//! Near duplicates: shingles of a text, MinHash signatures of them, keys of bands, exact similarity.
//!
//! A text becomes a form, the form a set of shingles, each of them a hash. Of two texts whose sets
//! have Jaccard similarity s, b bands of r rows have an equal key with probability
//! 1 − (1 − s^r)^b (Broder 1997; Leskovec et al., Mining of Massive Datasets, section 3.4). Texts
//! with an equal key are candidates, and their similarity is computed from the sets.

mod form;
mod minhash;
mod scheme;

pub use form::normalise;
pub use minhash::Signer;
pub use scheme::{SCHEMES, Scheme, Shingle};

use std::cmp::Ordering;
use twox_hash::XxHash3_64;

/// Makes the shingles of texts, with buffers it keeps.
#[derive(Debug, Default)]
pub struct Shingler {
    form: String,
    /// Beginnings of words, or of characters, in the form; and the end.
    starts: Vec<u32>,
}

impl Shingler {
    /// Refills `shingles` with the hashes of a text's shingles, sorted and each once. A text with
    /// fewer words than a shingle has none.
    pub fn shingles(&mut self, text: &str, shingle: Shingle, shingles: &mut Vec<u64>) {
        shingles.clear();
        normalise(text, &mut self.form);
        self.starts.clear();
        if u32::try_from(self.form.len()).is_err() {
            return;
        }
        let n = match shingle {
            Shingle::Words(n) => {
                let words = self.form.split(' ').filter(|word| !word.is_empty());
                let start = self.form.as_ptr() as usize;
                self.starts
                    .extend(words.map(|word| (word.as_ptr() as usize - start) as u32));
                n
            }
            Shingle::Chars(n) => {
                self.starts
                    .extend(self.form.char_indices().map(|(at, _)| at as u32));
                n
            }
        };
        // Words end where the next begins, with a blank between; the last one has one, too.
        if matches!(shingle, Shingle::Words(_)) {
            self.form.push(' ');
        }
        self.starts.push(self.form.len() as u32);
        let bytes = self.form.as_bytes();
        shingles.extend(self.starts.windows(n + 1).map(|window| {
            let (start, end) = (window[0] as usize, window[n] as usize);
            XxHash3_64::oneshot(&bytes[start..end])
        }));
        shingles.sort_unstable();
        shingles.dedup();
    }
}

/// How alike two sets are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    /// |A ∩ B| / |A ∪ B|.
    pub jaccard: f64,
    /// |A ∩ B| of the smaller one.
    pub containment: f64,
}

/// How alike two sorted sets are; not at all if one is empty.
pub fn similarity(a: &[u64], b: &[u64]) -> Similarity {
    let (mut i, mut j, mut both) = (0, 0, 0usize);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        match x.cmp(y) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => {
                both += 1;
                i += 1;
                j += 1;
            }
        }
    }
    let share = |whole: usize| both as f64 / whole.max(1) as f64;
    Similarity {
        jaccard: share(a.len() + b.len() - both),
        containment: share(a.len().min(b.len())),
    }
}

#[cfg(test)]
mod tests;
