//! Scores the pages of a segment, a window of page numbers at a time.
//!
//! Postings are decoded block by block and term by term, so that all data of a window stay in the processor's cache,
//! and nothing is allocated per page. A page's score is the sum over terms in their order, and a term's contribution is
//! the sum over fields in their order. The window has no influence on it.

use super::blocks::{Blocks, Posting};
use super::lengths::Lengths;
use super::model::TermScore;
use super::weighted::{FieldScores, FieldTerm, Normalised, Smoothed};
use tantivy::DocId;

/// Pages per window.
const SIZE: usize = 1 << 12;

/// How the terms of a query are scored.
pub(super) enum Scores {
    /// In all fields as if they were one.
    Whole(Vec<TermScore>),
    /// By field.
    Fields(FieldScores, Vec<FieldTerm>),
}

/// Scores one window after the other.
pub(super) struct Window<'s> {
    scores: &'s Scores,
    lengths: &'s Lengths,
    /// The first page.
    begin: DocId,
    /// By term: its postings in this window, by field.
    postings: Vec<Vec<Posting>>,
    /// Bits of the pages that have a term.
    found: Vec<u64>,
    /// Numbers of these pages in the window, ascending.
    slots: Vec<usize>,
    /// By page and field: how often the current term occurs.
    frequencies: Vec<u32>,
    /// By page and field: its length and pseudo-terms, for mixtures.
    denominators: Vec<f64>,
    /// By page: the weighted frequency of a term, for BM25F.
    weighted: Vec<f64>,
    /// By page: how many terms it has, for TF-IDF.
    matched: Vec<u32>,
    /// By page: its score.
    sums: Vec<f64>,
}

impl<'s> Window<'s> {
    pub fn new(scores: &'s Scores, lengths: &'s Lengths) -> Self {
        let (terms, fields, mixed) = match scores {
            Scores::Whole(terms) => (terms.len(), 1, 0),
            Scores::Fields(FieldScores::Bm25f { .. }, terms) => (terms.len(), 0, 0),
            Scores::Fields(FieldScores::Mixture { fields }, terms) => {
                (terms.len(), fields.len(), fields.len())
            }
        };
        Self {
            scores,
            lengths,
            begin: 0,
            postings: vec![Vec::new(); terms],
            found: vec![0; SIZE / 64],
            slots: Vec::with_capacity(SIZE),
            frequencies: vec![0; fields * SIZE],
            denominators: vec![0.0; mixed * SIZE],
            weighted: vec![0.0; SIZE],
            matched: vec![0; SIZE],
            sums: vec![0.0; SIZE],
        }
    }

    /// Scores the pages of the next window that has any. Calls `take` with each page and its score, in order. Returns
    /// `false` if there is no such window. `terms` are the blocks of each term, by field.
    pub fn next(&mut self, terms: &mut [Vec<Blocks>], mut take: impl FnMut(DocId, f64)) -> bool {
        let firsts = terms.iter().flatten().filter_map(Blocks::doc);
        let Some(begin) = firsts.min() else {
            return false;
        };
        self.begin = begin;
        self.read(terms);
        match self.scores {
            Scores::Whole(terms) => self.add_whole(terms),
            Scores::Fields(FieldScores::Bm25f { k1, fields }, terms) => {
                self.add_bm25f(*k1, fields, terms);
            }
            Scores::Fields(FieldScores::Mixture { fields }, terms) => {
                self.add_mixture(fields, terms);
            }
        }
        for &slot in &self.slots {
            let sum = std::mem::take(&mut self.sums[slot]);
            take(begin + slot as DocId, sum);
        }
        true
    }

    fn read(&mut self, terms: &mut [Vec<Blocks>]) {
        let found = &mut self.found;
        for (term, postings) in terms.iter_mut().zip(&mut self.postings) {
            postings.clear();
            for blocks in term {
                let from = postings.len();
                blocks.read_to(self.begin, SIZE as u32, postings);
                for posting in &postings[from..] {
                    let slot = posting.slot as usize;
                    found[slot / 64] |= 1 << (slot % 64);
                }
            }
        }
        self.slots.clear();
        for (word, bits) in found.iter_mut().enumerate() {
            let mut bits = std::mem::take(bits);
            while bits > 0 {
                self.slots.push(word * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }

    fn add_whole(&mut self, terms: &[TermScore]) {
        let lengths = &self.lengths.of_field(0)[self.begin as usize..];
        let (frequencies, sums) = (&mut self.frequencies, &mut self.sums);
        for (score, postings) in terms.iter().zip(&self.postings) {
            for posting in postings {
                frequencies[posting.slot as usize] += posting.frequency;
            }
            let mut add = |slot: usize| {
                let tf = std::mem::take(&mut frequencies[slot]);
                sums[slot] += score.of(tf, lengths[slot].into());
                u32::from(tf > 0)
            };
            match score {
                // A term that is not on the page adds nothing. If a term is in a second field, it was already added
                // with the first.
                TermScore::Bm25 { .. } => {
                    for posting in postings {
                        add(posting.slot as usize);
                    }
                }
                TermScore::TfIdf { .. } => {
                    for posting in postings {
                        self.matched[posting.slot as usize] += add(posting.slot as usize);
                    }
                }
                TermScore::QueryLikelihood { .. } => {
                    for &slot in &self.slots {
                        add(slot);
                    }
                }
            }
        }
        if let Some(TermScore::TfIdf { share, .. }) = terms.first() {
            for &slot in &self.slots {
                let matched = std::mem::take(&mut self.matched[slot]);
                sums[slot] *= f64::from(matched) * share;
            }
        }
    }

    fn add_bm25f(&mut self, k1: f64, fields: &[Normalised], terms: &[FieldTerm]) {
        let begin = self.begin as usize;
        let of_field = |place: usize| &self.lengths.of_field(place)[begin..];
        let lengths: Vec<&[u32]> = (0..fields.len()).map(of_field).collect();
        for (term, postings) in terms.iter().zip(&self.postings) {
            for posting in postings {
                let (slot, place) = (posting.slot as usize, posting.place as usize);
                self.weighted[slot] += fields[place].weigh(posting.frequency, lengths[place][slot]);
            }
            for posting in postings {
                let slot = posting.slot as usize;
                let sum = std::mem::take(&mut self.weighted[slot]);
                self.sums[slot] += term.saturated(k1, sum);
            }
        }
    }

    fn add_mixture(&mut self, fields: &[Smoothed], terms: &[FieldTerm]) {
        let begin = self.begin as usize;
        for (place, field) in fields.iter().enumerate() {
            let lengths = &self.lengths.of_field(place)[begin..];
            let own = &mut self.denominators[place * SIZE..];
            self.slots
                .iter()
                .for_each(|&slot| own[slot] = field.denominator(lengths[slot]));
        }
        for (term, postings) in terms.iter().zip(&self.postings) {
            for posting in postings {
                let at = posting.place as usize * SIZE + posting.slot as usize;
                self.frequencies[at] = posting.frequency;
            }
            for &slot in &self.slots {
                let mut likelihood = 0.0;
                for (place, field) in fields.iter().enumerate() {
                    let at = place * SIZE + slot;
                    let (tf, denominator) = (self.frequencies[at], self.denominators[at]);
                    likelihood += field.share(tf, term.expected[place], denominator);
                }
                self.sums[slot] += term.factor * libm::log(likelihood);
            }
            for posting in postings {
                self.frequencies[posting.place as usize * SIZE + posting.slot as usize] = 0;
            }
        }
    }
}
