//! Pages with gold, as rows to learn from and as texts to score.

use super::super::page_text::{BlockTexts, PageText};
use super::super::walked::Walked;
use super::super::{Dataset, Folds};
use super::bare::bare;
use crate::classify::expected_f::{Options, Scored, choose};
use crate::config::Pipeline;
use crate::error::{Error, Result};
use crate::eval::gold::GoldPage;
use crate::eval::pages::{Gold, GoldenPage, View, walk};
use crate::eval::score::Scores;
use crate::features::structure::{STRUCTURE, Structure};
use crate::pipeline::Input;
use rayon::prelude::*;
use std::ops::Range;

/// Pages with the features of their blocks and what the gold says of them.
pub struct Pages {
    /// A row a block, page by page, in the order of the gold; every other page comes a second time, in
    /// bare form. Rows weigh the block's tokens.
    pub dataset: Dataset,
    /// The pages of the gold; those that are missing or skipped have no rows.
    pub pages: Vec<PageRows>,
    /// What could not be used, a line each: pages that are missing or skipped, and damage.
    pub faults: Vec<String>,
}

/// A page.
pub struct PageRows {
    /// Its text and its gold.
    pub text: PageText,
    /// Its blocks' rows.
    pub rows: Range<usize>,
    /// The same blocks on the page without names and meaning tags, to learn from; mostly none.
    pub bare: Range<usize>,
    /// For each block whether it is among readers' comments.
    pub comments: Vec<bool>,
}

/// Least denominator of a row's weight.
const LEAST: f64 = 30.0;

/// What the rows of a page weigh together, about: whole numbers of tokens on a page of this many.
const SCALE: f64 = 1000.0;

/// One page in so many is learned from in bare form, too.
const BARE: usize = 2;

/// What a row of a bare page weighs, by one of a whole page.
const BARE_WEIGHT: f64 = 0.5;

/// Rows of a page as they are read.
#[derive(Default)]
struct Read {
    values: Vec<f32>,
    bare: Vec<f32>,
    labels: Vec<u8>,
    tokens: Vec<u32>,
    comments: Vec<bool>,
    text: Option<BlockTexts>,
}

impl Read {
    fn of(structure: &mut Structure, page: &GoldenPage<'_>) -> Self {
        let doc = page.doc;
        let (mut values, mut without) = (Vec::new(), Vec::new());
        if page.key.is_multiple_of(BARE) {
            let doc = bare(doc);
            structure.read(&doc);
            structure.rows(&doc, 0..doc.blocks.len(), &mut without);
        }
        structure.read(doc);
        structure.rows(doc, 0..doc.blocks.len(), &mut values);
        let comment = |block| structure.is_comment(block);
        Self {
            values,
            bare: without,
            labels: page
                .classes
                .iter()
                .map(|c| u8::from(c.is_content()))
                .collect(),
            tokens: doc.blocks.iter().map(|b| b.tokens).collect(),
            comments: (0..doc.blocks.len()).map(comment).collect(),
            text: Some(BlockTexts::of(doc)),
        }
    }
}

impl Pages {
    /// Reads the pages of a gold as `pipeline` does. Pages of one registered domain are one group.
    ///
    /// Memory: 4 bytes a feature and block, twice while pages are joined, and the pages' texts.
    ///
    /// # Errors
    /// An input cannot be read, the gold is no texts, or no page has gold.
    pub fn collect(inputs: &[Input], gold: &Gold, pipeline: &Pipeline) -> Result<Self> {
        let Gold::Texts(set) = gold else {
            let why = "a forest is learned from gold texts, not from annotations";
            return Err(Error::Usage(why.to_owned()));
        };
        let views = [View::new(pipeline, gold)];
        let walk = walk(
            inputs,
            gold,
            &views,
            Structure::default,
            |structure, _, page| Read::of(structure, page),
        )?;
        let walked = Walked::new(gold, walk);
        let mut found = Self {
            dataset: Dataset {
                names: STRUCTURE.iter().map(|f| f.name.clone()).collect(),
                columns: vec![Vec::new(); STRUCTURE.len()],
                classes: ["boilerplate", "content"].map(str::to_owned).to_vec(),
                ..Dataset::default()
            },
            pages: Vec::new(),
            faults: walked.faults,
        };
        let mut walked = walked.pages.into_iter().peekable();
        for (key, page) in set.pages.iter().enumerate() {
            let (read, group) = match walked.next_if(|met| met.key == key) {
                Some(met) => (met.made, met.group),
                // Its gold counts, as text that was not found.
                None => (Read::default(), 0),
            };
            found.add(read, page, group);
        }
        if found.dataset.labels.iter().all(|l| *l == 0) {
            let why = "there is nothing to learn: no block of the pages is content";
            return Err(Error::Usage(why.to_owned()));
        }
        Ok(found)
    }

    fn add(&mut self, read: Read, page: &GoldPage, group: u32) {
        let data = &mut self.dataset;
        let start = data.rows();
        data.append(&read.values, &read.labels, &read.tokens, group);
        let end = data.rows();
        if !read.bare.is_empty() {
            data.append(&read.bare, &read.labels, &read.tokens, group);
        }
        self.pages.push(PageRows {
            text: PageText::new(page, read.text),
            rows: start..end,
            bare: end..data.rows(),
            comments: read.comments,
        });
    }

    /// The rows of the pages as they are, without those of bare pages.
    pub fn whole(&self) -> impl Iterator<Item = usize> {
        self.pages.iter().flat_map(|page| page.rows.clone())
    }

    /// What each row weighs in training: its tokens / (content tokens of the page + a quarter of
    /// all its tokens, at least 30), so that pages count about alike, long ones and short ones. Rows of bare
    /// pages weigh half of that.
    pub fn weights(&self) -> Vec<f32> {
        let data = &self.dataset;
        let mut weights = Vec::with_capacity(data.rows());
        for page in &self.pages {
            let rows = || {
                page.rows
                    .clone()
                    .map(|row| (data.weights[row], data.labels[row]))
            };
            let all: f64 = rows().map(|(tokens, _)| f64::from(tokens)).sum();
            let content = rows().filter(|row| row.1 != 0);
            let content: f64 = content.map(|(tokens, _)| f64::from(tokens)).sum();
            let whole = (content + all / 4.0).max(LEAST);
            let bare = page
                .bare
                .clone()
                .map(|row| (data.weights[row], BARE_WEIGHT));
            let rows = rows().map(|(tokens, _)| (tokens, 1.0)).chain(bare);
            weights
                .extend(rows.map(|(tokens, by)| (f64::from(tokens) / whole * by * SCALE) as f32));
        }
        weights
    }

    /// How many registered domains the pages are of; a page of none counts as one.
    pub fn domains(&self) -> usize {
        let mut groups = self.dataset.groups.clone();
        groups.sort_unstable();
        groups.dedup();
        groups.len()
    }

    /// What so many folds hold whole: registered domains, or pages where there are fewer domains than folds.
    pub fn kept_together(&self, folds: usize) -> &'static str {
        if self.domains() < folds {
            "pages"
        } else {
            "registered domains"
        }
    }

    /// Folds of whole registered domains, with about as many pages each; of whole pages where there are
    /// fewer domains than folds.
    pub fn folds(&self, count: usize) -> Folds {
        let group = |page: &PageRows| self.dataset.groups[page.rows.clone()].first().copied();
        let groups: Vec<_> = self.pages.iter().map(group).collect();
        let of_page = Folds::of_pages(&groups, count);
        let of_row = self.pages.iter().zip(&of_page);
        let of_row =
            of_row.flat_map(|(page, fold)| (page.rows.start..page.bare.end).map(|_| *fold));
        Folds {
            count,
            of_row: of_row.collect(),
        }
    }

    /// The word scores of every page, where `probability` tells how likely a row is content, and the
    /// blocks are chosen as the `forest` method does.
    pub fn scores(
        &self,
        probability: impl Fn(usize) -> f32 + Sync,
        options: Options,
    ) -> Vec<Scores> {
        let score = |page: &PageRows| {
            let scored = page.rows.clone().zip(&page.comments);
            let scored: Vec<Scored> = scored
                .map(|(row, comment)| Scored {
                    probability: probability(row),
                    tokens: self.dataset.weights[row],
                    comment: *comment,
                })
                .collect();
            let mut order = Vec::new();
            let kept = choose(&scored, options, &mut order);
            let kept = order[..kept.blocks].iter();
            page.text.scores(kept.map(|&(_, block)| block as usize))
        };
        self.pages.par_iter().map(score).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::fixture::{gold, warc};

    const CONTENT: &str = "six words that are the content";

    /// Pages of these ids and hosts, and gold of these ids.
    fn collect(pages: &[(String, String)], golds: &[String]) -> Pages {
        let body = format!("<p class=text>{CONTENT}<p>nothing much");
        let record = |(id, host): &(String, String)| (id.clone(), host.clone(), body.clone());
        let (_folder, input) = warc(pages.iter().map(record));
        let gold = gold(golds.iter().map(|id| (id.clone(), CONTENT.to_owned())));
        let pipeline = Pipeline::built_in("keep-all").unwrap();
        Pages::collect(&[input], &gold, &pipeline).unwrap()
    }

    fn of_hosts(count: usize, host: impl Fn(usize) -> String) -> Pages {
        let pages: Vec<_> = (0..count).map(|i| (format!("p{i}"), host(i))).collect();
        let ids: Vec<_> = pages.iter().map(|p| p.0.clone()).collect();
        collect(&pages, &ids)
    }

    /// The fold of each page.
    fn folds(pages: &Pages, count: usize) -> Vec<usize> {
        let folds = pages.folds(count).of_row;
        assert_eq!(folds.len(), pages.dataset.rows());
        let of_page = |page: &PageRows| {
            let fold = folds[page.rows.start];
            assert!(
                folds[page.rows.start..page.bare.end]
                    .iter()
                    .all(|f| *f == fold)
            );
            fold
        };
        pages.pages.iter().map(of_page).collect()
    }

    #[test]
    fn a_missing_page_counts_as_empty_text() {
        let there = ("b".to_owned(), String::new());
        let pages = collect(&[there], &["a".to_owned(), "b".to_owned()]);
        assert_eq!(pages.faults.len(), 1, "{:?}", pages.faults);
        assert_eq!(
            (pages.pages[0].rows.len(), pages.pages[1].rows.len()),
            (0, 2)
        );
        assert_eq!(pages.dataset.labels, [1, 0]);
        let scores = pages.scores(|row| 1.0 - row as f32, Options::default());
        assert_eq!((scores[0].f1, scores[1].f1), (0.0, 1.0));
        assert_eq!(pages.folds(2).of_row.len(), 2);
    }

    #[test]
    fn every_other_page_has_bare_rows_in_the_fold_of_the_page() {
        let pages = of_hosts(8, |i| format!("http://site{}.org/", i % 4));
        let bare: Vec<_> = pages.pages.iter().map(|p| p.bare.len()).collect();
        assert_eq!(bare, [2, 0].repeat(4));
        assert_eq!((pages.dataset.rows(), pages.whole().count()), (24, 16));
        let named = |row: usize| {
            let name = pages
                .dataset
                .names
                .iter()
                .position(|n| n == "to_named_content");
            pages.dataset.columns[name.unwrap()][row]
        };
        assert_eq!((named(0), named(2)), (0.0, 40.0));
        let folds = folds(&pages, 2);
        assert_eq!(folds[..4], folds[4..]);
        assert_eq!(folds.iter().filter(|f| **f == 0).count(), 4);
    }

    #[test]
    fn folds_are_of_pages_where_there_are_fewer_domains() {
        let pages = of_hosts(4, |_| "http://a.org/".to_owned());
        assert_eq!(pages.domains(), 1);
        let mut folds = folds(&pages, 4);
        folds.sort_unstable();
        assert_eq!(folds, [0, 1, 2, 3]);
    }

    #[test]
    fn pages_weigh_alike_and_bare_rows_half() {
        let pages = of_hosts(1, |_| String::new());
        // Six tokens of content and two of none are fewer than the least page.
        assert_eq!(
            pages.weights(),
            [200.0, 2000.0 / 30.0, 100.0, 1000.0 / 30.0]
        );
    }
}
