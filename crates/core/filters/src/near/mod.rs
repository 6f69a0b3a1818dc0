//! Near duplicates: shingles of a text, their MinHash signatures, keys of bands, and exact
//! similarity.
//!
//! A text is normalised to a form, and the form becomes a set of shingles, each of them a hash. If
//! two sets have Jaccard similarity s, then b bands of r rows have an equal key with probability 1
//! − (1 − s^r)^b (Broder 1997; Leskovec et al., Mining of Massive Datasets, section 3.4). Texts
//! with an equal key are candidates, and their similarity is computed from the sets.

mod form;
mod minhash;
mod scheme;

pub use form::normalise;
pub use minhash::Signer;
pub use scheme::{SCHEMES, Scheme, Shingle};

use std::cmp::Ordering;
use twox_hash::XxHash3_64;

/// Makes the shingles of texts. It reuses its buffers.
#[derive(Debug, Default)]
pub struct Shingler {
    form: String,
    /// Where each word or character begins in the form, and where the form ends.
    starts: Vec<u32>,
}

impl Shingler {
    /// Refills `shingles` with the hashes of a text's shingles, sorted and without duplicates. A
    /// text with fewer words than a shingle has no shingles.
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
        // A word ends where the next begins, with a blank between them. The last word is followed
        // by a blank too.
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

/// How similar two sets are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    /// |A ∩ B| / |A ∪ B|.
    pub jaccard: f64,
    /// |A ∩ B| divided by the size of the smaller set.
    pub containment: f64,
}

/// How similar two sorted sets are. If one is empty, the similarity is 0.
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
