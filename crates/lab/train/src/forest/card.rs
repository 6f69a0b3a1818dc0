//! The model card of a forest, generated with it.

use super::{Interval, Learned, Pages, Params, Summary};
use crate::provenance::Provenance;
use std::collections::BTreeMap;
use std::fmt::Write;
use warcsieve_extract::Headline;
use warcsieve_features::structure::{BUCKETS, FAMILIES};

/// What a card says besides measurements.
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
        let mut text = format!("# Model card: {}\n\n", self.from.name);
        text += "Boosted trees that tell content from boilerplate by the structure of a page (`method = \"forest\"`). \
                 This page is written by `warcsieve train forest`, with the model.\n\n";
        text += &format!("```\n{}\n```\n\n", self.from.command);
        self.data(pages, learned, &mut text);
        self.learner(learned, &mut text);
        self.scores(pages, learned, &mut text);
        reliability(pages, learned, &mut text);
        text + LIMITS
    }

    fn data(&self, pages: &Pages, learned: &Learned, text: &mut String) {
        *text += "## Data\n\n";
        *text += &format!(
            "{}, cut into blocks by segmentation `{}`. ",
            self.from.data.join(", "),
            self.from.segmentation.as_str()
        );
        *text += &format!("{}\n\n", self.from.terms());
        let data = &pages.dataset;
        let tokens_of = |row: usize| u64::from(data.weights[row]);
        let tokens: u64 = pages.whole().map(tokens_of).sum();
        let content = pages.whole().filter(|row| data.labels[*row] != 0);
        let content: u64 = content.map(tokens_of).sum();
        *text += &format!(
            "{} pages of {} registered domains, {} blocks, {tokens} tokens, of which {content} are content. \
             A block is content if half of its tokens are found in the gold text, in its order.\n\n",
            pages.pages.len(),
            pages.domains(),
            pages.whole().count(),
        );
        let short = pages.pages.iter().filter(|page| !page.short.is_empty());
        *text += "Every other page is learned from a second time as old layouts would have it, at half its weight: without attributes and \
                  elements that say what they are for, paragraphs and headings as text between line breaks. ";
        *text += &format!(
            "{} of the other articles are learned from a second time as short ones, at half their weight, too: with one to five blocks of their \
             content, and all of their boilerplate.\n\n",
            short.count()
        );
        *text += &format!(
            "The model holds thresholds on counts and shares{}; no text of any page. Whether it may be passed on depends on the licence of the \
             gold.\n\n",
            match self.paths(learned) {
                Some(slots) => format!(
                    ", and {slots} weights of hashed tokens: words, and pairs of words, in the names of classes, ids and roles of the pages it was learned from, and tags. \
                     Who guesses a word can look up its weight, and cannot tell which words were there"
                ),
                None => String::new(),
            }
        );
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
            "Gradient boosting on the logistic loss: {} trees of at most {} leaves for each of the seeds {seeds}, averaged; learning \
             rate {}, L2 {}, least sum of second derivatives in a leaf {}, {} of the features and {} of the domains for each tree. A row weighs \
             its tokens / max(30, content + ¼ of all tokens of its page) · 1000. {} of {} features are used{}.\n\n",
            p.trees,
            p.leaves,
            p.learning_rate,
            p.l2,
            p.least_hessian,
            p.columns,
            p.groups,
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
                "The path score is the one feature that is learned, too: logistic regression (AdaGrad, Duchi, Hazan, Singer 2011) on the tokens of \
                 the names on the way up to a block and how far away they are, {weights} weights in eight bits. The forest learns from scores of \
                 weights that did not see the page's fold, and is measured on those of weights that saw neither that nor the fold left out.\n\n"
            );
        }
        *text += "The sum of a block is drawn towards the mean of those of blocks in like places. Scores are the logistic function of that, its slope and offset fitted to the rows out of fold (Platt 1999), weighted by tokens.\n\n";
    }

    fn scores(&self, pages: &Pages, learned: &Learned, text: &mut String) {
        *text += &format!(
            "## Scores out of fold\n\nWord F1 by bags of words, mean over pages, {} folds of whole {}, comments dropped{}. \
             The spread is that of the seeds alone, least to greatest.\n\n",
            self.folds,
            pages.kept_together(self.folds),
            match pages.headline {
                Headline::Keep => ", the headline kept",
                Headline::Drop => "",
            }
        );
        *text += "| pages | n | F1 | single seeds | precision | recall | recall under .5 |\n|---|---|---|---|---|---|---|\n";
        let mut kinds: Vec<&str> = pages
            .pages
            .iter()
            .map(|p| p.text.page_type.as_str())
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in std::iter::once(None).chain(kinds.into_iter().map(Some)) {
            let of_kind = |page: usize| kind.is_none_or(|k| pages.pages[page].text.page_type == k);
            let Summary {
                pages: n,
                f1,
                seeds: (low, high),
                precision,
                recall,
                missed,
            } = learned.summary(of_kind);
            let name = match kind {
                None => "all",
                Some("") => "of no type",
                Some(kind) => kind,
            };
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
    *text += "## Reliability of the score\n\nOf the tokens in blocks of such scores, out of fold:\n\n| score | tokens | mean score | content |\n|---|---|---|---|\n";
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
- Features read words in class names, ids and roles, mostly English, as templates have them, and no words of the text.\n\
- What is content is a convention of the gold: whether prices, grids, teasers and comments are.\n\
- The figures are of pages such as it was learned from; other languages and decades have to be measured.\n\
- Text that scripts would write into the page is not there to be found.\n";
