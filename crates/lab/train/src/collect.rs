//! Builds a data set from pages with gold.

use super::Dataset;
use super::selected_pages::SelectedPages;
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Input;
use warcsieve_eval::annotated::{FourClass, TextClass};
use warcsieve_eval::pages::{Gold, GoldenPage, Place, View, Walk, walk};
use warcsieve_features::{Frequencies, Shallow};
use warcsieve_html::Tag;
use warcsieve_html::document::{Block, Document};

/// The classes of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Classes {
    /// Boilerplate and content.
    Two,
    /// Boilerplate and related content; full text and comments; headline; supplemental text
    /// (Kohlschütter et al. 2010, §4.3.1). Needs annotated pages.
    Four,
}

/// How the rows of a data set are built.
pub struct Collection<'a> {
    /// Names of the block features.
    pub features: &'a [&'a str],
    /// The classes.
    pub classes: Classes,
    /// Counts of texts in a crawl, for the features that use them.
    pub frequencies: Option<Arc<Frequencies>>,
    /// Blocks inside these elements are not rows and not neighbours of other blocks.
    pub without: &'a [Tag],
}

/// A data set, and the pages its rows come from.
pub struct Collected {
    /// The blocks of all pages in the order of the gold (annotated pages: of the inputs).
    pub dataset: Dataset,
    /// The pages, each with its number of rows.
    pub pages: Vec<(Place, usize)>,
    /// Number of groups of rows.
    pub domains: usize,
    /// What could not be used, one line each: missing or skipped pages, and damaged inputs.
    pub faults: Vec<String>,
}

struct Rows {
    values: Vec<f32>,
    labels: Vec<u8>,
    weights: Vec<u32>,
}

impl Classes {
    /// Names, by class; boilerplate is class 0.
    pub fn names(self) -> Vec<&'static str> {
        match self {
            Self::Two => vec!["boilerplate", "content"],
            Self::Four => FourClass::ALL.map(FourClass::as_str).to_vec(),
        }
    }

    fn of(self, class: TextClass) -> u8 {
        match self {
            Self::Two => u8::from(class.is_content()),
            Self::Four => class.four() as u8,
        }
    }
}

impl Collection<'_> {
    /// Reads the pages of the gold under a view. The weight of a block is its number of words.
    /// Pages of one registered domain form a group; a page without a URL is its own group.
    ///
    /// Memory: 4 bytes per value and 9 bytes per block, twice that while pages are joined.
    ///
    /// An input cannot be read, a feature is unknown, four classes are requested but the gold
    /// consists of texts, no page has gold, or all words are in one class.
    pub fn collect(&self, inputs: &[Input], gold: &Gold, view: View) -> Result<Collected> {
        if let (Classes::Four, Gold::Texts(_)) = (self.classes, gold) {
            let why = "gold texts have two classes; four classes need annotated pages";
            return Err(Error::Invalid(why.to_owned()));
        }
        let shallow = Shallow::new(self.features).map_err(|e| Error::Invalid(e.to_string()))?;
        let shallow = match &self.frequencies {
            Some(frequencies) => shallow.with_frequencies(frequencies.clone()),
            None => shallow,
        };
        let init = || shallow.clone();
        let walk = walk(inputs, gold, &[view], init, |shallow, _, page| {
            self.rows(shallow, page)
        })?;
        let collected = self.join(gold, walk)?;
        let mut words = vec![0; collected.dataset.classes.len()];
        let rows = collected
            .dataset
            .labels
            .iter()
            .zip(&collected.dataset.weights);
        rows.for_each(|(label, weight)| words[usize::from(*label)] += u64::from(*weight));
        if words.iter().filter(|w| **w > 0).count() < 2 {
            let why = "there is nothing to distinguish: all words of the pages are of one class";
            return Err(Error::Invalid(why.to_owned()));
        }
        Ok(collected)
    }

    fn rows(&self, shallow: &mut Shallow, page: &GoldenPage<'_>) -> Rows {
        if self.without.is_empty() {
            return self.rows_of(shallow, page.doc, page.classes);
        }
        let inside = |block: &Block| {
            let mut around = page.doc.tree.ancestors(block.element);
            around.any(|e| self.without.contains(&e.tag))
        };
        let (blocks, classes): (Vec<_>, Vec<_>) = (page.doc.blocks.iter().cloned())
            .zip(page.classes)
            .filter(|(block, _)| !inside(block))
            .unzip();
        let doc = Document {
            text: page.doc.text.clone(),
            tree: page.doc.tree.clone(),
            blocks,
            ..Document::default()
        };
        self.rows_of(shallow, &doc, &classes)
    }

    fn rows_of(&self, shallow: &mut Shallow, doc: &Document, classes: &[TextClass]) -> Rows {
        shallow.compute(doc);
        let rows = 0..doc.blocks.len();
        Rows {
            values: rows.flat_map(|b| shallow.row(b).iter().copied()).collect(),
            labels: classes.iter().map(|&c| self.classes.of(c)).collect(),
            weights: doc.blocks.iter().map(|b| b.words).collect(),
        }
    }

    fn join(&self, gold: &Gold, walk: Walk<Rows>) -> Result<Collected> {
        let selected = SelectedPages::new(gold, walk);
        let mut dataset = Dataset {
            names: self.features.iter().map(|&n| n.to_owned()).collect(),
            columns: vec![Vec::new(); self.features.len()],
            classes: self
                .classes
                .names()
                .into_iter()
                .map(str::to_owned)
                .collect(),
            ..Dataset::default()
        };
        let mut pages = Vec::new();
        for page in selected.pages {
            let rows = page.result;
            pages.push((page.place, rows.labels.len()));
            dataset.append(&rows.values, &rows.labels, &rows.weights, page.group);
        }
        let faults = selected.faults;
        if pages.is_empty() {
            let why = "no page of the inputs has gold";
            let first = faults.first().map_or(String::new(), |f| format!("; {f}"));
            return Err(Error::Invalid(format!("{why}{first}")));
        }
        Ok(Collected {
            dataset,
            domains: selected.groups,
            pages,
            faults,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Folds;
    use crate::fixture::{gold, warc};
    use std::collections::BTreeMap;
    use warcsieve_extract::Pipeline;

    /// Pages with these ids and URLs, each with one content and one boilerplate block.
    fn collect(pages: &[(&str, &str)]) -> Result<Collected> {
        let content = |id: &str| format!("content of page {id}");
        let records = pages.iter().map(|&(id, url)| {
            let body = format!("<p>{}<p>nothing much", content(id));
            (id, url, body)
        });
        let (_folder, input) = warc(records);
        let gold = gold(pages.iter().map(|&(id, _)| (id, content(id))));
        let view = View::new(
            &Pipeline::built_in(&warcsieve_papers::METHODS, "keep-all").unwrap(),
            &gold,
        );
        let collection = Collection {
            features: &["words"],
            classes: Classes::Two,
            frequencies: None,
            without: &[],
        };
        collection.collect(&[input], &gold, view)
    }

    #[test]
    fn blocks_of_a_domain_are_in_one_fold() {
        let pages: Vec<_> = (0..40)
            .map(|i| {
                (
                    format!("p{i}"),
                    format!("http://www{i}.site{}.co.uk:80/{i}", i % 7),
                )
            })
            .collect();
        let pages: Vec<_> = pages
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        let collected = collect(&pages).unwrap();
        assert_eq!(collected.domains, 7);
        assert_eq!(collected.dataset.labels, [1, 0].repeat(40));
        let folds = Folds::grouped(&collected.dataset, 5);
        let mut fold_of = BTreeMap::new();
        for (row, fold) in folds.of_row.iter().enumerate() {
            let site = row / 2 % 7;
            assert_eq!(*fold_of.entry(site).or_insert(*fold), *fold, "site {site}");
        }
        assert!(folds.of_row.iter().any(|f| *f != folds.of_row[0]));
    }

    #[test]
    fn pages_without_a_domain_are_their_own_group() {
        let collected = collect(&[("a", ""), ("b", ""), ("c", "http://x.org/")]).unwrap();
        assert_eq!(collected.domains, 3);
    }
}
