//! Pages with gold, as rows for training and as texts for scoring.

use super::super::page_text::{BlockTexts, PageText};
use super::super::selected_pages::SelectedPages;
use super::super::{Dataset, Folds};
use super::bare::bare;
use super::shortened::shortened;
use rayon::prelude::*;
use std::ops::Range;
use warcsieve_classify::Headings;
use warcsieve_classify::expected_f::{Kept, Options, Scored, choose};
use warcsieve_classify::pooling::Pooling;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Input;
use warcsieve_eval::gold::GoldPage;
use warcsieve_eval::pages::{Gold, GoldenPage, View, walk};
use warcsieve_eval::score::Scores;
use warcsieve_extract::{Headline, Pipeline};
use warcsieve_features::structure::{Comment, FOREST, Paths, Structure};
use warcsieve_html::document::Document;

/// Pages with the features and gold labels of their blocks.
pub struct Pages {
    /// One row per block, page by page, in the order of the gold. Every other page occurs a second time, in bare form,
    /// and some articles occur again in shortened form. The weight of a row is the block's number of tokens. The path
    /// score is 0, because its weights are learned later.
    pub dataset: Dataset,
    /// The pages of the gold. Missing or skipped pages have no rows.
    pub pages: Vec<PageRows>,
    /// What could not be used, one line each: missing or skipped pages, and damaged inputs.
    pub faults: Vec<String>,
    /// Whether the pipeline keeps the headline.
    pub headline: Headline,
}

/// A page.
pub struct PageRows {
    /// The set of its gold; empty if there is one set.
    pub set: String,
    /// Factor on its training weight.
    pub factor: f64,
    /// Its text and its gold.
    pub text: PageText,
    /// Rows of its blocks.
    pub rows: Range<usize>,
    /// Rows of the same blocks on the bare page, for training. Empty for every other page.
    pub bare: Range<usize>,
    /// Rows of the shortened page, for training. Mostly empty.
    pub short: Range<usize>,
    /// The tokens on the paths of the rows of `rows`.
    pub paths: Paths,
    /// The same for `short`.
    pub short_paths: Paths,
    /// The group of each block, by its place in the page.
    pub groups: Vec<u32>,
    /// The part of each block in readers' comments.
    pub comments: Vec<Comment>,
    /// The headings that may be its headline; `None` if the page was not found.
    pub headings: Option<Headings>,
}

/// Minimum denominator of a row's weight.
const MIN_DENOMINATOR: f64 = 30.0;

/// Approximate total weight of a page's rows. On a page with this denominator, the weight of a row
/// is its number of tokens.
const SCALE: f64 = 1000.0;

/// One in this many pages is also used in bare form.
const BARE_EVERY: usize = 2;

/// Weight of a row of a bare page, relative to one of a full page.
const BARE_WEIGHT: f64 = 0.5;

/// Weight of a row of a shortened page, relative to one of a full page.
const SHORT_WEIGHT: f64 = 0.5;

/// The rows read from one page.
#[derive(Default)]
struct Read {
    values: Vec<f32>,
    paths: Paths,
    bare: Vec<f32>,
    short: Short,
    labels: Vec<u8>,
    tokens: Vec<u32>,
    groups: Vec<u32>,
    comments: Vec<Comment>,
    headings: Option<Headings>,
    text: Option<BlockTexts>,
}

/// The rows of a shortened page.
#[derive(Default)]
struct Short {
    values: Vec<f32>,
    paths: Paths,
    /// The indices of its blocks on the full page.
    blocks: Vec<usize>,
}

impl Short {
    fn of(structure: &mut Structure, doc: &Document, content: &[bool], key: usize) -> Self {
        let Some((doc, blocks)) = shortened(doc, content, key as u64) else {
            return Self::default();
        };
        let mut values = Vec::new();
        structure.read(&doc);
        structure.rows(&doc, 0..blocks.len(), &mut values);
        Self {
            values,
            paths: structure.paths(&doc),
            blocks,
        }
    }
}

/// Whether a page is also used in shortened form. Only articles are, and only those that are not used in bare form.
fn is_shortened(key: usize, page_type: &str) -> bool {
    !key.is_multiple_of(BARE_EVERY) && page_type == "article"
}

impl Read {
    fn of(structure: &mut Structure, page: &GoldenPage<'_>, page_type: &str) -> Self {
        let doc = page.doc;
        let (mut values, mut without) = (Vec::new(), Vec::new());
        let content: Vec<bool> = page.classes.iter().map(|c| c.is_content()).collect();
        let short = match is_shortened(page.key, page_type) {
            true => Short::of(structure, doc, &content, page.key),
            false => Short::default(),
        };
        if page.key.is_multiple_of(BARE_EVERY) {
            let doc = bare(doc);
            structure.read(&doc);
            structure.rows(&doc, 0..doc.blocks.len(), &mut without);
        }
        structure.read(doc);
        structure.rows(doc, 0..doc.blocks.len(), &mut values);
        let comment = |block| structure.comment(doc, block);
        Self {
            values,
            paths: structure.paths(doc),
            bare: without,
            short,
            groups: structure.groups().to_vec(),
            labels: content.into_iter().map(u8::from).collect(),
            tokens: doc.blocks.iter().map(|b| b.tokens).collect(),
            comments: (0..doc.blocks.len()).map(comment).collect(),
            headings: Some(Headings::of(doc)),
            text: Some(BlockTexts::of(doc)),
        }
    }
}

impl Pages {
    /// Reads the pages of a gold set with the settings of `pipeline`. Pages of one registered
    /// domain form a group.
    ///
    /// Memory: 4 bytes per feature and block, twice that while pages are joined, and the pages'
    /// texts.
    ///
    /// # Errors
    /// An input cannot be read, the gold does not consist of texts, or no page has gold.
    pub fn collect(inputs: &[Input], gold: &Gold, pipeline: &Pipeline) -> Result<Self> {
        let Gold::Texts(set) = gold else {
            let why = "a forest is learned from gold texts, not from annotations";
            return Err(Error::Invalid(why.to_owned()));
        };
        let views = [View::new(pipeline, gold)];
        let walk = walk(
            inputs,
            gold,
            &views,
            Structure::default,
            |structure, _, page| {
                let page_type = &set.pages[page.key].page_type;
                Read::of(structure, page, page_type)
            },
        )?;
        let selected = SelectedPages::new(gold, walk);
        let mut found = Self {
            dataset: Dataset {
                names: FOREST.iter().map(|f| f.name.clone()).collect(),
                columns: vec![Vec::new(); FOREST.len()],
                classes: ["boilerplate", "content"].map(str::to_owned).to_vec(),
                ..Dataset::default()
            },
            pages: Vec::new(),
            faults: selected.faults,
            headline: pipeline.settings.headline,
        };
        let sets = set.sets();
        let mut selected = selected.pages.into_iter().peekable();
        for (key, page) in set.pages.iter().enumerate() {
            let (read, group) = match selected.next_if(|met| met.key == key) {
                Some(selected) => (selected.result, selected.group),
                // Its gold still counts, as text that was not extracted.
                None => (Read::default(), 0),
            };
            found.add(read, page, &sets[page.file], group);
        }
        if found.dataset.labels.iter().all(|l| *l == 0) {
            let why = "there is nothing to learn: no block of the pages is content";
            return Err(Error::Invalid(why.to_owned()));
        }
        Ok(found)
    }

    fn add(&mut self, read: Read, page: &GoldPage, set: &str, group: u32) {
        let data = &mut self.dataset;
        let start = data.rows();
        data.append(&read.values, &read.labels, &read.tokens, group);
        let end = data.rows();
        if !read.bare.is_empty() {
            data.append(&read.bare, &read.labels, &read.tokens, group);
        }
        let bare_end = data.rows();
        let of_short = read.short.blocks.iter();
        let (labels, tokens): (Vec<u8>, Vec<u32>) = of_short
            .map(|block| (read.labels[*block], read.tokens[*block]))
            .unzip();
        data.append(&read.short.values, &labels, &tokens, group);
        self.pages.push(PageRows {
            set: set.to_owned(),
            factor: 1.0,
            text: PageText::new(page, read.text),
            rows: start..end,
            bare: end..bare_end,
            short: bare_end..data.rows(),
            paths: read.paths,
            short_paths: read.short.paths,
            groups: read.groups,
            comments: read.comments,
            headings: read.headings,
        });
    }

    /// The rows of the full pages, without those of bare pages.
    pub fn whole(&self) -> impl Iterator<Item = usize> {
        self.pages.iter().flat_map(|page| page.rows.clone())
    }

    /// Training weight of each row: its tokens / (content tokens of the page + a quarter of all its tokens, at least
    /// 30), so that long and short pages count about the same, times the factor of the page. Rows of bare and of
    /// shortened pages have half of that weight.
    pub fn weights(&self) -> Vec<f32> {
        let data = &self.dataset;
        let mut weights = Vec::with_capacity(data.rows());
        for page in &self.pages {
            for (rows, by) in [
                (&page.rows, 1.0),
                (&page.bare, BARE_WEIGHT),
                (&page.short, SHORT_WEIGHT),
            ] {
                let tokens = |row: usize| f64::from(data.weights[row]);
                let all: f64 = rows.clone().map(tokens).sum();
                let content = rows.clone().filter(|row| data.labels[*row] != 0);
                let whole = (content.map(tokens).sum::<f64>() + all / 4.0).max(MIN_DENOMINATOR);
                let weight = |row| (tokens(row) / whole * by * page.factor * SCALE) as f32;
                weights.extend(rows.clone().map(weight));
            }
        }
        weights
    }

    /// Moves the log-odds of blocks in similar places towards each other, as the `forest` method does. Rows of bare and
    /// of shortened pages keep theirs.
    pub fn pool(&self, log_odds: &mut [f32]) {
        let mut pooling = Pooling::default();
        for page in &self.pages {
            let tokens = self.dataset.weights[page.rows.clone()].iter().copied();
            pooling.pool(&page.groups, tokens, &mut log_odds[page.rows.clone()]);
        }
    }

    /// Number of registered domains; a page without one counts as a domain.
    pub fn domains(&self) -> usize {
        let mut groups = self.dataset.groups.clone();
        groups.sort_unstable();
        groups.dedup();
        groups.len()
    }

    /// What is kept whole in `folds` folds: registered domains, or pages if there are fewer domains than folds.
    pub fn kept_together(&self, folds: usize) -> &'static str {
        if self.domains() < folds {
            "pages"
        } else {
            "registered domains"
        }
    }

    /// Folds of whole registered domains with about equal numbers of pages, or of whole pages if there are fewer
    /// domains than folds.
    pub fn folds(&self, count: usize) -> Folds {
        let group = |page: &PageRows| self.dataset.groups[page.rows.clone()].first().copied();
        let groups: Vec<_> = self.pages.iter().map(group).collect();
        let of_page = Folds::of_pages(&groups, count);
        let of_row = self.pages.iter().zip(&of_page);
        let of_row =
            of_row.flat_map(|(page, fold)| (page.rows.start..page.short.end).map(|_| *fold));
        Folds {
            count,
            of_row: of_row.collect(),
        }
    }

    /// The word scores of every page. `probability` returns the probability that a row is content, and the blocks are
    /// chosen as in the `forest` method. The pipeline decides whether the headline is kept.
    pub fn scores(
        &self,
        probability: impl Fn(usize) -> f32 + Sync,
        options: Options,
    ) -> Vec<Scores> {
        let chosen = self.chosen(probability, options, self.headline);
        chosen.into_iter().map(|(scores, _)| scores).collect()
    }

    /// Like [`scores`](Self::scores), with or without the headline; also returns the choice for each page.
    pub fn chosen(
        &self,
        probability: impl Fn(usize) -> f32 + Sync,
        options: Options,
        headline: Headline,
    ) -> Vec<(Scores, Kept)> {
        let score = |page: &PageRows| {
            let (content, kept) = self.content(page, &probability, options, headline);
            let kept_blocks = content.iter().enumerate().filter(|(_, content)| **content);
            (page.text.scores(kept_blocks.map(|(block, _)| block)), kept)
        };
        self.pages.par_iter().map(score).collect()
    }

    /// For each block of a page, whether it is chosen as by [`chosen`](Self::chosen).
    pub fn content(
        &self,
        page: &PageRows,
        probability: impl Fn(usize) -> f32,
        options: Options,
        headline: Headline,
    ) -> (Vec<bool>, Kept) {
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
        let mut content = vec![false; scored.len()];
        for &(_, block) in &order[..kept.blocks] {
            content[block as usize] = true;
        }
        let headings = page.headings.as_ref();
        if let Some(headings) = headings.filter(|_| headline == Headline::Keep) {
            let (text, is_content) = (|block| page.text.block(block), |block| content[block]);
            let headline = headings.headline(page.text.blocks(), text, is_content);
            content[headline].fill(true);
        }
        (content, kept)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PageWeight, Params, learn, probabilities};
    use super::*;
    use crate::fixture::{gold, warc};

    const CONTENT: &str = "six words that are the content";

    /// Pages with these ids and hosts, and gold for these ids.
    fn collect(pages: &[(String, String)], golds: &[String]) -> Pages {
        let body = format!("<p class=text>{CONTENT}<p>nothing much");
        let record = |(id, host): &(String, String)| (id.clone(), host.clone(), body.clone());
        let (_folder, input) = warc(pages.iter().map(record));
        let gold = gold(golds.iter().map(|id| (id.clone(), CONTENT.to_owned())));
        let pipeline = Pipeline::built_in(&warcsieve_papers::METHODS, "keep-all").unwrap();
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
                folds[page.rows.start..page.short.end]
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
    fn folds_are_of_pages_if_there_are_fewer_domains() {
        let pages = of_hosts(4, |_| "http://a.org/".to_owned());
        assert_eq!(pages.domains(), 1);
        let mut folds = folds(&pages, 4);
        folds.sort_unstable();
        assert_eq!(folds, [0, 1, 2, 3]);
    }

    #[test]
    fn held_out_forests_compute_the_probabilities_out_of_fold() {
        let pages = of_hosts(12, |i| format!("http://site{i}.org/"));
        let columns: Vec<usize> = (0..pages.dataset.columns.len()).collect();
        let params = Params {
            trees: 4,
            least_hessian: 0.1,
            ..Params::default()
        };
        let learned = learn(&pages, &columns, &params, &[1, 2], 3);
        let mut seen: Vec<usize> = Vec::new();
        for held_out in &learned.held_out {
            let own = probabilities(&pages, &held_out.forest).unwrap();
            for page in &held_out.pages {
                for row in pages.pages[*page].rows.clone() {
                    let difference = (own[row] - learned.probabilities[row]).abs();
                    assert!(
                        difference < 1e-4,
                        "{} {}",
                        own[row],
                        learned.probabilities[row]
                    );
                }
            }
            seen.extend(&held_out.pages);
        }
        seen.sort_unstable();
        assert_eq!(seen, (0..12).collect::<Vec<_>>());
        assert!(
            learned
                .probabilities
                .iter()
                .any(|p| *p != learned.probabilities[0])
        );
    }

    #[test]
    fn pages_have_equal_weight_and_bare_rows_half() {
        let pages = of_hosts(1, |_| String::new());
        // Six tokens of content and two of boilerplate are below the minimum denominator.
        assert_eq!(
            pages.weights(),
            [200.0, 2000.0 / 30.0, 100.0, 1000.0 / 30.0]
        );
    }

    #[test]
    fn pages_are_weighed_by_set_and_type() {
        let mut pages = of_hosts(4, |_| String::new());
        for (page, (set, page_type)) in pages.pages.iter_mut().zip([
            ("old", "article"),
            ("old", "forum"),
            ("new", "article"),
            ("new", "forum"),
        ]) {
            page.set = set.to_owned();
            page.text.page_type = page_type.to_owned();
        }
        let weights = |given: &[(&str, f64)]| -> Vec<PageWeight> {
            let weight = |&(name, factor): &(&str, f64)| PageWeight {
                name: name.to_owned(),
                factor,
            };
            given.iter().map(weight).collect()
        };
        let first = |pages: &Pages| -> Vec<f32> {
            let weights = pages.weights();
            let rows = pages.pages.iter().map(|page| weights[page.rows.start]);
            rows.collect()
        };
        let all = first(&pages);
        pages
            .weigh(&weights(&[("forum", 1.5), ("new", 0.5)]))
            .unwrap();
        let by = [1.0, 1.5, 0.5, 0.75];
        let expected: Vec<f32> = all.iter().zip(by).map(|(w, by)| w * by).collect();
        assert_eq!(first(&pages), expected);
        for (given, why) in [
            (
                &[("blog", 2.0)][..],
                "`blog`; there are article, forum, new, old",
            ),
            (&[("new", 2.0), ("new", 2.0)], "`new` has two weights"),
            (&[("new", 0.0), ("old", 0.0)], "nothing to learn"),
        ] {
            let error = pages.weigh(&weights(given)).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
