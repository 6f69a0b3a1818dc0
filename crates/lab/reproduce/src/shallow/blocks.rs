//! Statistics of the blocks of a labelled corpus, for the distributions of the paper.

use super::histogram::Histogram;
use crate::Result;
use crate::corpora::{Corpora, each_page, keep_all};
use warcsieve_eval::annotated::TextClass;
use warcsieve_eval::pages::Gold;

/// Numbers of blocks, words and tokens.
pub type Amounts = [u64; 3];

/// The statistics of a corpus.
pub struct Distribution {
    /// By class.
    pub amounts: [Amounts; TextClass::ALL.len()],
    /// Number of blocks by number of words.
    pub lengths: Histogram,
    /// Number of words by the text density of their block, rounded up.
    pub densities: Histogram,
    /// Number of words in blocks of at least 11 words, and in blocks with a density of at least 11.
    pub long: [u64; 2],
}

/// Largest number of words, and largest density, with their own bin.
const LENGTHS: u32 = 2000;
const DENSITIES: u32 = 40;

/// The sums of amounts.
pub fn sum<'a>(amounts: impl IntoIterator<Item = &'a Amounts>) -> Amounts {
    let mut sums = Amounts::default();
    for amounts in amounts {
        for (sum, amount) in sums.iter_mut().zip(amounts) {
            *sum += amount;
        }
    }
    sums
}

impl Distribution {
    /// The statistics of a corpus under the segmentation `paper` or `inline`.
    pub fn of(corpora: &Corpora, corpus: &str, gold: &Gold, segmentation: &str) -> Result<Self> {
        let inputs = corpora.inputs(corpus)?;
        let pages = each_page(&inputs, gold, &keep_all(segmentation)?, |page| {
            let mut part = Self::empty();
            for (block, &class) in page.doc.blocks.iter().zip(page.classes) {
                let words = u64::from(block.words);
                let amounts = &mut part.amounts[class as usize];
                *amounts = sum([&*amounts, &[1, words, u64::from(block.tokens)]]);
                let (density, class) = (block.text_density(), class as u8);
                let rounded = density.ceil() as u32;
                part.lengths.add(class, block.words, 1);
                part.densities.add(class, rounded, block.words);
                let is_long = [block.words >= 11, density >= 11.0];
                for (long, is_long) in part.long.iter_mut().zip(is_long) {
                    *long += if is_long { words } else { 0 };
                }
            }
            part
        })?;
        let mut all = Self::empty();
        for (_, part) in pages {
            all.merge(&part);
        }
        Ok(all)
    }

    fn empty() -> Self {
        Self {
            amounts: Default::default(),
            lengths: Histogram::new(LENGTHS),
            densities: Histogram::new(DENSITIES),
            long: [0; 2],
        }
    }

    fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.amounts.iter_mut().zip(&other.amounts) {
            *mine = sum([&*mine, theirs]);
        }
        self.lengths.merge(&other.lengths);
        self.densities.merge(&other.densities);
        for (mine, theirs) in self.long.iter_mut().zip(other.long) {
            *mine += theirs;
        }
    }
}
