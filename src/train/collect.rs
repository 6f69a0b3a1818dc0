//! From pages with gold to a data set.

use super::Dataset;
use crate::document::{Block, Document};
use crate::error::{Error, Result};
use crate::eval::annotated::{FourClass, TextClass};
use crate::eval::domain::registered_domain;
use crate::eval::pages::{Gold, GoldenPage, Place, View, Walk, walk};
use crate::features::{Frequencies, Shallow};
use crate::html::Tag;
use crate::page::Skip;
use crate::pipeline::Input;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Which classes a data set tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Classes {
    /// Boilerplate and content.
    Two,
    /// Boilerplate and related content; full text and comments; headline; supplemental text
    /// (Kohlschütter et al. 2010, §4.3.1). Needs annotated pages.
    Four,
}

/// What the rows of a data set are made of.
pub struct Collection<'a> {
    /// Features of a block, by name.
    pub features: &'a [&'a str],
    /// The classes.
    pub classes: Classes,
    /// How often texts occur in a crawl, for the features that ask.
    pub frequencies: Option<Arc<Frequencies>>,
    /// Blocks inside these elements are no rows, and nobody's neighbours.
    pub without: &'a [Tag],
}

/// A data set, and where its rows come from.
pub struct Collected {
    /// The blocks of all pages in the order of the gold (annotated pages: of the inputs).
    pub dataset: Dataset,
    /// The pages, with how many rows each has.
    pub pages: Vec<(Place, usize)>,
    /// How many groups the rows are in.
    pub domains: usize,
    /// What could not be used, a line each: pages that are missing or skipped, and damage.
    pub faults: Vec<String>,
}

struct Rows {
    values: Vec<f32>,
    labels: Vec<u8>,
    weights: Vec<u32>,
    url: String,
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
    /// Reads the pages of the gold under a view. A block weighs its words; pages of one registered
    /// domain are one group, and a page without a URL is one of its own.
    ///
    /// Memory: 4 bytes a value and 9 bytes a block, twice while pages are joined.
    ///
    /// # Errors
    /// An input cannot be read, a feature is not known, four classes are asked of gold texts, no
    /// page has gold, or all words are of one class.
    pub fn collect(&self, inputs: &[Input], gold: &Gold, view: View) -> Result<Collected> {
        if let (Classes::Four, Gold::Texts(_)) = (self.classes, gold) {
            let why = "gold texts tell two classes; four need annotated pages";
            return Err(Error::Usage(why.to_owned()));
        }
        let shallow = Shallow::new(self.features).map_err(|e| Error::Usage(e.to_string()))?;
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
            let why = "there is nothing to tell apart: all words of the pages are of one class";
            return Err(Error::Usage(why.to_owned()));
        }
        Ok(collected)
    }

    fn rows(&self, shallow: &mut Shallow, page: &GoldenPage<'_>) -> Rows {
        if self.without.is_empty() {
            return self.rows_of(shallow, page, page.doc, page.classes);
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
        self.rows_of(shallow, page, &doc, &classes)
    }

    fn rows_of(
        &self,
        shallow: &mut Shallow,
        page: &GoldenPage<'_>,
        doc: &Document,
        classes: &[TextClass],
    ) -> Rows {
        shallow.compute(doc);
        let rows = 0..doc.blocks.len();
        Rows {
            values: rows.flat_map(|b| shallow.row(b).iter().copied()).collect(),
            labels: classes.iter().map(|&c| self.classes.of(c)).collect(),
            weights: doc.blocks.iter().map(|b| b.words).collect(),
            url: page.page.url.clone(),
        }
    }

    fn join(&self, gold: &Gold, walk: Walk<Rows>) -> Result<Collected> {
        let mut faults = faults(gold, &walk);
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
        let mut groups = Groups::default();
        let mut pages = Vec::new();
        for (key, (place, views)) in walk.pages {
            match views.into_iter().next().flatten() {
                Some(Ok(rows)) => {
                    let url = match gold {
                        Gold::Texts(set) => set.pages[key].url.as_deref().unwrap_or_default(),
                        Gold::Annotations => "",
                    };
                    let url = if url.is_empty() { &rows.url } else { url };
                    let group = groups.of(url, key);
                    pages.push((place, rows.labels.len()));
                    append(&mut dataset, rows, group);
                }
                Some(Err(Skip { reason, detail })) => {
                    faults.push(format!("{}: {}: {detail}", place.id, reason.as_str()));
                }
                None => {}
            }
        }
        if pages.is_empty() {
            let why = "no page of the inputs has gold";
            let first = faults.first().map_or(String::new(), |f| format!("; {f}"));
            return Err(Error::Usage(format!("{why}{first}")));
        }
        Ok(Collected {
            dataset,
            domains: groups.0.len(),
            pages,
            faults,
        })
    }
}

/// What keeps pages together in a fold.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Domain(String),
    /// A page of no known domain.
    Page(usize),
}

/// Numbers of what keeps pages together in a fold, as they come.
#[derive(Default)]
pub(super) struct Groups(BTreeMap<Group, u32>);

impl Groups {
    /// The group of the page `key`: that of its registered domain, or one of its own.
    pub fn of(&mut self, url: &str, key: usize) -> u32 {
        let group = match registered_domain(url) {
            domain if domain.is_empty() => Group::Page(key),
            domain => Group::Domain(domain),
        };
        let next = self.0.len() as u32;
        *self.0.entry(group).or_insert(next)
    }
}

/// Pages that are missing or met twice, and damage, a line each.
pub(super) fn faults<T>(gold: &Gold, walk: &Walk<T>) -> Vec<String> {
    let mut faults = Vec::new();
    if let Gold::Texts(set) = gold {
        let pages = set.pages.iter().enumerate();
        let missing = pages.filter(|(key, _)| !walk.pages.contains_key(key));
        faults.extend(
            missing.map(|(_, page)| {
                format!("gold line {}: no page has the id {}", page.line, page.id)
            }),
        );
    }
    let doubles = walk.doubles.iter();
    faults.extend(doubles.map(|p| format!("{}: met twice, the first counts", p.id)));
    let damage = walk.faults.iter();
    faults.extend(damage.map(|(input, f)| format!("{input}: offset {}: {}", f.offset, f.message)));
    faults
}

fn append(dataset: &mut Dataset, rows: Rows, group: u32) {
    let width = dataset.columns.len();
    for (at, column) in dataset.columns.iter_mut().enumerate() {
        column.extend(rows.values.iter().skip(at).step_by(width));
    }
    dataset.groups.extend(rows.labels.iter().map(|_| group));
    dataset.labels.extend(rows.labels);
    dataset.weights.extend(rows.weights);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Pipeline;
    use crate::eval::gold::{self, GoldOptions};
    use crate::pipeline::InputKind;
    use crate::train::Folds;

    /// Pages of these ids and URLs, each of a content and a boilerplate block.
    fn collect(pages: &[(&str, &str)]) -> Result<Collected> {
        let (mut records, mut lines) = (String::new(), String::new());
        for (id, url) in pages {
            let body = format!("<p>content of page {id}<p>nothing much");
            records += &format!(
                "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: {id}\r\nWARC-Target-URI: {url}\r\n\
                 Content-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
                body.len()
            );
            lines += &format!("{{\"id\": \"{id}\", \"gold\": \"content of page {id}\"}}\n");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc");
        std::fs::write(&path, records).unwrap();
        let input = Input {
            kind: InputKind::File(path),
            name: "a.warc".to_owned(),
        };
        let gold = gold::read_from("gold", lines.as_bytes(), GoldOptions::default()).unwrap();
        let gold = Gold::Texts(gold);
        let view = View::new(&Pipeline::built_in("keep-all").unwrap(), &gold);
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
    fn pages_without_a_domain_stand_alone() {
        let collected = collect(&[("a", ""), ("b", ""), ("c", "http://x.org/")]).unwrap();
        assert_eq!(collected.domains, 3);
    }
}
