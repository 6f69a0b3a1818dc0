//! Statistics of the blocks of a labelled corpus, for the distributions of the paper.

use super::histogram::Histogram;
use crate::Result;
use crate::corpora::Corpora;
use warcsieve_eval::annotated::TextClass;
use warcsieve_eval::pages::{Gold, View, walk};
use warcsieve_extract::Pipeline;

/// Numbers of blocks, words and tokens.
#[derive(Clone, Copy, Default)]
pub struct Amounts {
    pub blocks: u64,
    pub words: u64,
    pub tokens: u64,
}

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

impl Distribution {
    /// The statistics of a corpus under the segmentation `paper` or `inline`.
    pub fn of(corpora: &Corpora, corpus: &str, gold: &Gold, segmentation: &str) -> Result<Self> {
        let text = format!("segmentation = '{segmentation}'\n[[step]]\nmethod = 'keep-all'\n");
        let view = View::new(
            &Pipeline::parse(&warcsieve_papers::METHODS, segmentation, &text)?,
            gold,
        );
        let inputs = corpora.inputs(corpus)?;
        let walk = walk(
            &inputs,
            gold,
            &[view],
            || (),
            |(), _, page| {
                let mut part = Self::empty();
                for (block, &class) in page.doc.blocks.iter().zip(page.classes) {
                    let amounts = &mut part.amounts[class as usize];
                    amounts.blocks += 1;
                    amounts.words += u64::from(block.words);
                    amounts.tokens += u64::from(block.tokens);
                    let density = block.text_density().ceil() as u32;
                    part.lengths.add(class as u8, block.words, 1);
                    part.densities.add(class as u8, density, block.words);
                    let words = u64::from(block.words);
                    part.long[0] += if block.words >= 11 { words } else { 0 };
                    part.long[1] += if block.text_density() >= 11.0 {
                        words
                    } else {
                        0
                    };
                }
                part
            },
        )?;
        let mut all = Self::empty();
        for (_, part) in walk.complete()? {
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
            mine.blocks += theirs.blocks;
            mine.words += theirs.words;
            mine.tokens += theirs.tokens;
        }
        self.lengths.merge(&other.lengths);
        self.densities.merge(&other.densities);
        self.long[0] += other.long[0];
        self.long[1] += other.long[1];
    }

    /// The sum over all classes.
    pub fn total(&self) -> Amounts {
        self.amounts
            .iter()
            .fold(Amounts::default(), |sum, a| Amounts {
                blocks: sum.blocks + a.blocks,
                words: sum.words + a.words,
                tokens: sum.tokens + a.tokens,
            })
    }
}
