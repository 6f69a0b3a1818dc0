//! Pages with gold as sequences of blocks, for training and scoring.

use super::folds::Folds;
use super::page_text::{BlockTexts, PageText};
use super::selected_pages::SelectedPages;
use rayon::prelude::*;
use std::ops::Range;
use warcsieve_classify::expected_f::Options;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Input;
use warcsieve_eval::align::Alignment;
use warcsieve_eval::pages::{Gold, GoldenPage, View, walk};
use warcsieve_eval::score::Scores;
use warcsieve_extract::Pipeline;
use warcsieve_features::cdom::{Cdom, features};
use warcsieve_papers::linear_chain::Potentials;
use warcsieve_papers::web2text::decode::{Decode, Decoder};

/// Pages with the Collapsed-DOM features and the gold labels of their blocks.
#[derive(Debug, Default)]
pub struct Sequences {
    /// Names of the features.
    pub names: Vec<String>,
    /// The features of the blocks, row by row, one per name.
    pub values: Vec<f32>,
    /// For each row whether it is content, 0 or 1.
    pub labels: Vec<u8>,
    /// Number of tokens of each row's block.
    pub tokens: Vec<u32>,
    /// The pages of the gold, in its order; missing or skipped pages have no rows.
    pub pages: Vec<Sequence>,
    /// What could not be used, one line each: missing or skipped pages, and damaged inputs.
    pub faults: Vec<String>,
}

/// A page.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// Rows of its blocks.
    pub rows: Range<usize>,
    /// Pages of one group stay in one fold: the number of its registered domain; `None` for a page
    /// without rows.
    pub group: Option<u32>,
    /// Its text and its gold.
    pub text: PageText,
}

/// How blocks become rows.
#[derive(Clone, Copy, Debug)]
pub struct RowOptions {
    /// How gold texts become labels.
    pub alignment: Alignment,
    /// Whether rows have the further features of [`warcsieve_features::cdom::FURTHER`].
    pub further: bool,
}

impl From<Alignment> for RowOptions {
    fn from(alignment: Alignment) -> Self {
        Self {
            alignment,
            further: false,
        }
    }
}

struct Read {
    values: Vec<f32>,
    labels: Vec<u8>,
    tokens: Vec<u32>,
    text: BlockTexts,
}

impl Read {
    fn of(cdom: &mut Cdom, page: &GoldenPage<'_>, alignment: Alignment) -> Self {
        let doc = page.doc;
        let labels = match alignment {
            // The walk has already aligned them in this way.
            Alignment::Tokens => page.classes.iter().map(|c| c.is_content()).collect(),
            Alignment::Divide | Alignment::TwoThirds => (alignment.align(doc, page.gold).iter())
                .map(|block| block.content)
                .collect::<Vec<bool>>(),
        };
        let mut values = Vec::new();
        cdom.read(doc);
        cdom.rows(doc, 0..doc.blocks.len(), &mut values);
        Self {
            values,
            labels: labels.into_iter().map(u8::from).collect(),
            tokens: doc.blocks.iter().map(|b| b.tokens).collect(),
            text: BlockTexts::of(doc),
        }
    }
}

impl Sequences {
    /// Reads the pages of a gold set with the settings of `pipeline`, and labels their blocks by an
    /// alignment.
    ///
    /// Memory: 4 bytes per feature and block, twice that while pages are joined, and the pages'
    /// texts.
    ///
    /// # Errors
    /// An input cannot be read, the gold does not consist of texts, or no block is content.
    pub fn collect(
        inputs: &[Input],
        gold: &Gold,
        pipeline: &Pipeline,
        how: impl Into<RowOptions>,
    ) -> Result<Self> {
        let RowOptions { alignment, further } = how.into();
        let Gold::Texts(set) = gold else {
            let why = "sequences are learned from gold texts, not from annotations";
            return Err(Error::Invalid(why.to_owned()));
        };
        let views = [View::new(pipeline, gold)];
        let cdom = || match further {
            true => Cdom::with_further(),
            false => Cdom::default(),
        };
        let walk = walk(inputs, gold, &views, cdom, |cdom, _, page| {
            Read::of(cdom, page, alignment)
        })?;
        let selected = SelectedPages::new(gold, walk);
        let mut found = Self {
            names: features(further).map(|f| f.name.clone()).collect(),
            faults: selected.faults,
            ..Self::default()
        };
        let mut selected = selected.pages.into_iter().peekable();
        for (key, page) in set.pages.iter().enumerate() {
            let start = found.labels.len();
            let (mut group, mut text) = (None, None);
            if let Some(selected) = selected.next_if(|selected| selected.key == key) {
                found.values.extend(selected.result.values);
                found.labels.extend(selected.result.labels);
                found.tokens.extend(selected.result.tokens);
                text = Some(selected.result.text);
                group = Some(selected.group).filter(|_| found.labels.len() > start);
            }
            found.pages.push(Sequence {
                rows: start..found.labels.len(),
                group,
                text: PageText::new(page, text),
            });
        }
        if found.labels.iter().all(|l| *l == 0) {
            let why = "there is nothing to learn: no block of the pages is content";
            return Err(Error::Invalid(why.to_owned()));
        }
        Ok(found)
    }

    /// Removes features by name.
    pub fn without(&mut self, left_out: impl Fn(&str) -> bool) {
        let kept: Vec<bool> = self.names.iter().map(|name| !left_out(name)).collect();
        let mut at = kept.iter().cycle();
        self.values.retain(|_| at.next() == Some(&true));
        let mut at = kept.iter();
        self.names.retain(|_| at.next() == Some(&true));
    }

    /// The features of a row.
    pub fn row(&self, row: usize) -> &[f32] {
        let width = self.names.len();
        &self.values[row * width..(row + 1) * width]
    }

    /// For each page which of its blocks are content, given their potentials.
    pub fn decode(
        &self,
        potentials: &[Potentials],
        decode: Decode,
        options: Options,
    ) -> Vec<Vec<bool>> {
        let pages = self.pages.par_iter().zip(potentials);
        let content = pages.map_init(Decoder::default, |decoder, (page, potentials)| {
            let tokens = self.tokens[page.rows.clone()].iter().copied();
            decoder.decode(decode, options, potentials, tokens);
            decoder.content.clone()
        });
        content.collect()
    }

    /// The word scores of every page if these blocks are its content.
    pub fn scores(&self, content: &[Vec<bool>]) -> Vec<Scores> {
        let pages = self.pages.par_iter().zip(content);
        let scores = pages.map(|(page, content)| {
            let kept = content.iter().enumerate().filter(|(_, kept)| **kept);
            page.text.scores(kept.map(|(block, _)| block))
        });
        scores.collect()
    }

    /// What is kept whole in `folds` folds: registered domains, or pages if there are fewer domains
    /// than folds.
    pub fn kept_together(&self, folds: usize) -> &'static str {
        let mut groups: Vec<_> = self.pages.iter().filter_map(|p| p.group).collect();
        groups.sort_unstable();
        groups.dedup();
        match groups.len() < folds {
            true => "pages",
            false => "registered domains",
        }
    }

    /// The fold of each page. Folds consist of whole registered domains and have about equal
    /// numbers of pages. If there are fewer domains than folds, they consist of whole pages.
    pub fn folds(&self, count: usize) -> Vec<usize> {
        let groups: Vec<_> = self.pages.iter().map(|p| p.group).collect();
        Folds::of_pages(&groups, count)
    }
}
