//! Figure 7 of Kohlschütter et al. 2010: searches only blocks above a threshold, for a range of
//! thresholds.

use super::published::RAW;
use super::runs::{BM25, METHODS, Sought, TF_IDF, search};
use super::shelf::{PIPELINE, Shelf};
use crate::Result;
use crate::old::table;
use crate::old::{Corner, Frame, Series, lines};
use std::path::Path;
use warcsieve_retrieval::index::{IndexSettings, IndexedText, Sliding};
use warcsieve_retrieval::measures::{Measure, Options, measure};
use warcsieve_retrieval::qrels::Qrels;
use warcsieve_retrieval::run::Run;
use warcsieve_retrieval::search::{Method, Scope, SearchIndex};

/// The plot shows the first measure, the tables show both.
pub struct Figure7<'a> {
    pub sought: Sought<'a>,
    pub qrels: &'a Qrels,
    pub measures: [Measure; 2],
}

/// What was found: both measures at each threshold, of all text and of BTE's.
struct Found {
    words: Vec<(f64, [f64; 2])>,
    density: Vec<(f64, [f64; 2])>,
    raw: [f64; 2],
    bte: [f64; 2],
}

impl Figure7<'_> {
    /// Indexes once, searches from every threshold by TF-IDF, plots, and writes both tables, and those
    /// of BM25 without a plot. Blocks have no title, so no line includes it.
    pub fn write(&self, shelf: &Shelf<'_>, file: &Path) -> Result<String> {
        let sliding = Sliding::published();
        let settings = |text| IndexSettings {
            text,
            title: false,
            store: false,
            ..IndexSettings::default()
        };
        let bte = shelf.index(
            "bte-blocks",
            &shelf.shards("bte")?,
            &settings(IndexedText::Clean),
        )?;
        let settings = IndexSettings {
            sliding: sliding.clone(),
            ..settings(IndexedText::Raw)
        };
        let index = shelf.index("sliding", &shelf.shards(PIPELINE)?, &settings)?;
        let by_tf_idf = self.found(&index, &bte, &sliding, &TF_IDF)?;
        let by_bm25 = self.found(&index, &bte, &sliding, &METHODS[BM25].1)?;
        let Found {
            words,
            density,
            raw,
            bte,
        } = &by_tf_idf;
        let right = sliding.words.last().copied().map_or(0.0, f64::from);
        let mut series = vec![
            series("minimum number of words", words),
            series("minimum text density", density),
        ];
        for (name, [value, _]) in [(RAW, *raw), ("BTE", *bte)] {
            series.push(Series {
                name: name.to_owned(),
                points: vec![(0.0, value), (right, value)],
            });
        }
        let label = self.measures[0].to_string();
        let frame = Frame {
            title: "Search in blocks above a threshold",
            x: "minimum threshold",
            y: &label,
        };
        lines(file, &frame, Corner::LowerRight, &series)?;
        Ok(format!(
            "By TF-IDF:\n\n{}\nBy BM25:\n\n{}",
            self.tables(&by_tf_idf),
            self.tables(&by_bm25)
        ))
    }

    /// Searches from every threshold.
    fn found(
        &self,
        index: &SearchIndex,
        bte: &SearchIndex,
        sliding: &Sliding,
        method: &Method,
    ) -> Result<Found> {
        let at = |scope| -> Result<[f64; 2]> {
            Ok(self.measure(&search(index, scope, method, self.sought)?))
        };
        let words = sliding.words.iter().map(|&words| {
            let scope = Scope::MinWords {
                words,
                title: false,
            };
            Ok((f64::from(words), at(scope)?))
        });
        let density = sliding.density.iter().map(|&density| {
            let scope = Scope::MinDensity {
                density,
                title: false,
            };
            Ok((f64::from(density), at(scope)?))
        });
        Ok(Found {
            words: words.collect::<Result<_>>()?,
            density: density.collect::<Result<_>>()?,
            raw: at(Scope::Body)?,
            bte: self.measure(&search(bte, Scope::Body, method, self.sought)?),
        })
    }

    fn tables(&self, found: &Found) -> String {
        let [one, two] = self.measures;
        let Found {
            words,
            density,
            raw,
            bte,
        } = found;
        format!(
            "{}\n{}\nRaw text: {one} {:.3}, {two} {:.3}; BTE: {:.3}, {:.3}.\n",
            self.table("minimum words", words),
            self.table("minimum text density", density),
            raw[0],
            raw[1],
            bte[0],
            bte[1]
        )
    }

    fn measure(&self, run: &Run) -> [f64; 2] {
        let options = Options {
            measures: self.measures.to_vec(),
            ..Options::default()
        };
        let measured = measure(&[("", run)], self.qrels, &options);
        [0, 1].map(|m: usize| measured.runs[0].figures[m].overall)
    }

    fn table(&self, name: &str, values: &[(f64, [f64; 2])]) -> String {
        let mut head = vec![name.to_owned()];
        head.extend(values.iter().map(|(x, _)| x.to_string()));
        let row = |m: usize| {
            let mut row = vec![self.measures[m].to_string()];
            row.extend(values.iter().map(|(_, v)| format!("{:.3}", v[m])));
            row
        };
        table(&head, &[row(0), row(1)])
    }
}

fn series(name: &str, values: &[(f64, [f64; 2])]) -> Series {
    Series {
        name: name.to_owned(),
        points: values.iter().map(|(x, v)| (*x, v[0])).collect(),
    }
}
