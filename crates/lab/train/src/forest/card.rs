//! The model card of a forest, generated with it.

use super::{Interval, Learned, PageRows, PageWeight, Pages, Params, Summary};
use crate::provenance::Provenance;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use warcsieve_common::{markdown, markdown_code_block};
use warcsieve_extract::Headline;
use warcsieve_features::structure::{BUCKETS, FAMILIES};

/// The contents of a card except the measurements.
#[derive(Clone, Debug)]
pub struct Card {
    /// The origin of the model.
    pub from: Provenance,
    /// How the trees were grown.
    pub params: Params,
    /// Number of folds.
    pub folds: usize,
    /// Families of features that were left out.
    pub without: Vec<String>,
    /// The weights of pages by set or type.
    pub weights: Vec<PageWeight>,
}

/// Intervals of the score in the table of reliability.
const INTERVALS: usize = 10;

impl Card {
    /// The metadata lines in the model file.
    pub fn about(&self, pages: &Pages, learned: &Learned) -> BTreeMap<String, String> {
        let p = &self.params;
        let seeds = seeds(learned);
        let learner = format!(
            "{} trees of at most {} leaves for each of the seeds {seeds}, averaged; learning rate {}",
            p.trees, p.leaves, p.learning_rate
        );
        let figures = format!(
            "{} pages, {} blocks; out of fold, {} folds of whole {}: word F1 {:.4}",
            pages.pages.len(),
            pages.whole().count(),
            self.folds,
            pages.kept_together(self.folds),
            learned.summary(|_| true).f1
        );
        let about = [("learner", learner), ("figures", figures)];
        self.from.about(&about)
    }

    /// The card, in Markdown.
    pub fn to_markdown(&self, pages: &Pages, learned: &Learned) -> String {
        let mut text = format!("# Model card: {}\n\n", markdown(&self.from.name));
        text += "This model is for `method = \"forest\"`. It consists of boosted trees, which tell content from boilerplate by the structure of a page. \
                 `warcsieve train forest` writes this page together with the model. The command was:\n\n";
        text += &markdown_code_block("", &self.from.command);
        text += "\n\n";
        self.data(pages, learned, &mut text);
        self.learner(learned, &mut text);
        self.scores(pages, learned, &mut text);
        reliability(pages, learned, &mut text);
        text + LIMITS
    }

    fn data(&self, pages: &Pages, learned: &Learned, text: &mut String) {
        *text += "## Data\n\n";
        *text += &format!(
            "The model was learned from {}. The pages are cut into blocks by segmentation `{}`. ",
            self.from.files(),
            self.from.segmentation.as_str()
        );
        *text += &format!("{}\n\n", self.from.terms());
        let data = &pages.dataset;
        let tokens_of = |row: usize| u64::from(data.weights[row]);
        let tokens: u64 = pages.whole().map(tokens_of).sum();
        let content = pages.whole().filter(|row| data.labels[*row] != 0);
        let content: u64 = content.map(tokens_of).sum();
        *text += &format!(
            "There are {} pages of {} registered domains, with {} blocks and {tokens} tokens. {content} of the tokens are content. \
             A block is content if half of its tokens are found in the gold text, in its order.\n\n",
            pages.pages.len(),
            pages.domains(),
            pages.whole().count(),
        );
        let short = pages.pages.iter().filter(|page| !page.short.is_empty());
        *text += "Some pages are used a second time in another form, at half their weight:\n\n\
                  - Every other page in the form of old layouts: without attributes, without elements that say what they are for, and with paragraphs \
                  and headings as text between line breaks.\n";
        *text += &format!(
            "- {} of the other articles as short articles: with one to five blocks of their content, and all of their boilerplate.\n\n",
            short.count()
        );
        *text += &format!(
            "The model contains thresholds on counts and shares{}. The model contains no text of any page. Whether it may be passed on depends on \
             the licence of the gold.\n\n",
            match self.paths(learned) {
                Some(slots) => format!(
                    ", and {slots} weights of hashed tokens. The tokens are tags, and words and pairs of words in the names of classes, ids and roles of the pages that it was \
                     learned from. A person who guesses a word can look up its weight, but cannot tell which words were there"
                ),
                None => String::new(),
            }
        );
    }

    /// The factors on the weights of rows, in words, after a comma.
    fn weighting(&self) -> String {
        let factors = self.weights.iter();
        let factors =
            factors.map(|w| format!(", times {} on pages of {}", w.factor, markdown(&w.name)));
        factors.collect()
    }

    /// How many weights of tokens the forest has.
    fn paths(&self, learned: &Learned) -> Option<usize> {
        let table = learned.forest.paths.as_ref();
        table.map(|table| table.slots.len() * BUCKETS)
    }

    fn learner(&self, learned: &Learned, text: &mut String) {
        let p = &self.params;
        let seeds = seeds(learned);
        *text += "## How it was learned\n\n";
        *text += &format!(
            "The method is gradient boosting on the logistic loss. There are {} trees of at most {} leaves for each of the seeds {seeds}, and the forests \
             of the seeds are averaged. The learning rate is {}, L2 is {}, and the smallest sum of second derivatives in a leaf is {}. Each tree uses {} of the \
             features and {} of the domains. The weight of a row is its tokens / max(30, content + ¼ of all tokens of its page) · 1000{}. {} of {} features are \
             used{}.\n\n",
            p.trees,
            p.leaves,
            p.learning_rate,
            p.l2,
            p.least_hessian,
            p.columns,
            p.groups,
            self.weighting(),
            learned.forest.features.len(),
            pages_features(&self.without),
            if self.without.is_empty() {
                String::new()
            } else {
                format!("; left out: {}", self.without.join(", "))
            },
        );
        if let Some(weights) = self.paths(learned) {
            *text += &format!(
                "One feature, the path score, is learned, too. It is a logistic regression (AdaGrad, Duchi, Hazan, Singer 2011) with {weights} weights in \
                 eight bits. Its inputs are the tokens in the names of the elements around a block, and how far away these elements are. The forest learns from \
                 path scores by weights that did not see the page's fold. It is measured on path scores by weights that saw neither that fold nor the fold left \
                 out.\n\n"
            );
        }
        *text += "The trees compute a sum for each block. This sum is moved towards the mean sum of blocks in similar places. The score is the logistic function of the result. Its slope and offset are fitted to the rows out of fold (Platt 1999), weighted by tokens.\n\n";
    }

    fn scores(&self, pages: &Pages, learned: &Learned, text: &mut String) {
        *text += &format!(
            "## Scores out of fold\n\nThe figures are word F1 by bags of words, means over pages, with {} folds of whole {}, comments dropped{}. \
             `single seeds` has the least and the greatest F1 of a seed.\n\n",
            self.folds,
            pages.kept_together(self.folds),
            match pages.headline {
                Headline::Keep => ", the headline kept",
                Headline::Drop => "",
            }
        );
        *text += "| pages | n | F1 | single seeds | precision | recall | recall under .5 |\n|---|---|---|---|---|---|---|\n";
        for (name, kind) in kinds(&pages.pages) {
            let of_kind = |page: usize| kind.is_of(&pages.pages[page]);
            let Summary {
                pages: n,
                f1,
                seeds: (low, high),
                precision,
                recall,
                missed,
            } = learned.summary(of_kind);
            let name = markdown(&name);
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "| {name} | {n} | {f1:.3} | {low:.3} to {high:.3} | {precision:.3} | {recall:.3} | {:.1} % |",
                missed * 100.0
            );
        }
        text.push('\n');
    }
}

/// Pages that have a row of figures.
#[derive(Clone, Copy, Default)]
struct Kind<'p> {
    set: Option<&'p str>,
    page_type: Option<&'p str>,
}

impl Kind<'_> {
    fn is_of(&self, page: &PageRows) -> bool {
        self.set.is_none_or(|set| page.set == set)
            && self.page_type.is_none_or(|own| page.text.page_type == own)
    }
}

/// All pages, each set, and each type of a set that has several, with their names.
fn kinds(pages: &[PageRows]) -> Vec<(String, Kind<'_>)> {
    let mut types: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for page in pages {
        let of_set = types.entry(&page.set).or_default();
        of_set.insert(&page.text.page_type);
    }
    let mut found = vec![("all".to_owned(), Kind::default())];
    let has_sets = types.len() > 1;
    for (set, types) in types {
        let of_set = Kind {
            set: Some(set),
            page_type: None,
        };
        if has_sets {
            found.push((set.to_owned(), of_set));
        }
        let is_one = has_sets && types.len() == 1;
        for page_type in types.into_iter().filter(|_| !is_one) {
            let name = match page_type {
                "" => "of no type",
                name => name,
            };
            let name = match has_sets {
                true => format!("{set}: {name}"),
                false => name.to_owned(),
            };
            let page_type = Some(page_type);
            found.push((
                name,
                Kind {
                    page_type,
                    ..of_set
                },
            ));
        }
    }
    found
}

/// The seeds, in words.
fn seeds(learned: &Learned) -> String {
    let seeds: Vec<_> = learned.seeds.iter().map(u64::to_string).collect();
    seeds.join(", ")
}

fn pages_features(without: &[String]) -> usize {
    let families = FAMILIES
        .iter()
        .filter(|f| !without.iter().any(|w| w == f.name));
    families.map(|f| (f.features)().len()).sum()
}

/// The reliability table: for each score interval the share of content among the tokens of its
/// blocks.
fn reliability(pages: &Pages, learned: &Learned, text: &mut String) {
    *text += "## Reliability of the score\n\nThe table counts the tokens in blocks by their score, out of fold. `content` is the share of these tokens that are content.\n\n| score | tokens | mean score | content |\n|---|---|---|---|\n";
    for (i, interval) in learned.reliability(pages, INTERVALS).iter().enumerate() {
        let Interval {
            tokens,
            score,
            content,
        } = interval;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {:.1} to {:.1} | {tokens} | {score:.3} | {content:.3} |",
            i as f64 / INTERVALS as f64,
            (i + 1) as f64 / INTERVALS as f64,
        );
    }
    text.push('\n');
}

const LIMITS: &str = "## Limits\n\n\
- The features use the words in class names, ids and roles. In templates these are mostly English. They use no words of the text.\n\
- The gold decides what content is, for example whether prices, grids, teasers and comments are content.\n\
- The figures are for pages like those that the model was learned from. Pages in other languages and from other decades have to be measured.\n\
- Text that scripts would write into the page is not in the page, so it cannot be found.\n";
