//! Figure 7 of Kohlschütter et al. 2010: searches only blocks above a threshold, for a range of
//! thresholds.

use super::cleaned_crawl::{CleanedCrawl, PIPELINE};
use super::published::RAW;
use super::runs::{BM25, METHODS, Queries, TF_IDF, measured, search};
use crate::plot::{Corner, frame, lines, series};
use crate::{Job, Page, Result, row, table};
use warcsieve_retrieval::index::{IndexSettings, IndexedText, Sliding};
use warcsieve_retrieval::measures::Measure;
use warcsieve_retrieval::qrels::Qrels;
use warcsieve_retrieval::run::Run;
use warcsieve_retrieval::search::{Method, Scope, SearchIndex};

/// The plot shows the first measure, the tables show all.
pub struct Figure7<'a> {
    pub queries: Queries<'a>,
    pub qrels: &'a Qrels,
    pub measures: &'a [Measure],
}

/// The measures at a threshold.
type At = (f64, Vec<f64>);

/// The results: at each threshold, for all text, and for BTE's text.
struct Found {
    words: Vec<At>,
    density: Vec<At>,
    raw: Vec<f64>,
    bte: Vec<f64>,
}

impl Figure7<'_> {
    /// Indexes once, searches from every threshold with TF-IDF and plots the result. Writes both tables into the page,
    /// and also those of BM25 without a plot. Blocks have no title, so no line includes it.
    pub fn put(&self, job: &Job, page: Page, crawl: &CleanedCrawl<'_>, file: &str) -> Result<Page> {
        let sliding = Sliding::published();
        let settings = |text, sliding| IndexSettings {
            text,
            sliding,
            title: false,
            store: false,
            ..IndexSettings::default()
        };
        let clean = settings(IndexedText::Clean, Sliding::default());
        let bte = crawl.index("bte-blocks", &crawl.shards("bte")?, &clean)?;
        let raw = settings(IndexedText::Raw, sliding.clone());
        let index = crawl.index("sliding", &crawl.shards(PIPELINE)?, &raw)?;
        let by_tf_idf = self.found(&index, &bte, &sliding, &TF_IDF)?;
        let by_bm25 = self.found(&index, &bte, &sliding, &METHODS[BM25].1)?;
        let right = sliding.words.last().copied().map_or(0.0, f64::from);
        let curve = |name, at: &[At]| series(name, at.iter().map(|(x, v)| (*x, v[0])));
        let level = |name, at: &[f64]| series(name, [(0.0, at[0]), (right, at[0])]);
        let all = [
            curve("minimum number of words", &by_tf_idf.words),
            curve("minimum text density", &by_tf_idf.density),
            level(RAW, &by_tf_idf.raw),
            level("BTE", &by_tf_idf.bte),
        ];
        let label = self.measures[0].to_string();
        let title = "Search in blocks above a threshold";
        let frame = frame(title, "minimum threshold", &label);
        job.plot(file, &lines(&frame, Corner::LowerRight, &all))?;
        Ok(page
            .put("figure 7 by TF-IDF", self.tables(&by_tf_idf))
            .put("figure 7 by BM25", self.tables(&by_bm25)))
    }

    /// Searches from every threshold.
    fn found(
        &self,
        index: &SearchIndex,
        bte: &SearchIndex,
        sliding: &Sliding,
        method: &Method,
    ) -> Result<Found> {
        let at = |scope| -> Result<Vec<f64>> {
            Ok(self.measure(&search(index, scope, method, self.queries)?))
        };
        let title = false;
        let words = sliding.words.iter().map(|&words| {
            let scope = Scope::MinWords { words, title };
            Ok((f64::from(words), at(scope)?))
        });
        let density = sliding.density.iter().map(|&density| {
            let scope = Scope::MinDensity { density, title };
            Ok((f64::from(density), at(scope)?))
        });
        Ok(Found {
            words: words.collect::<Result<_>>()?,
            density: density.collect::<Result<_>>()?,
            raw: at(Scope::Body)?,
            bte: self.measure(&search(bte, Scope::Body, method, self.queries)?),
        })
    }

    fn measure(&self, run: &Run) -> Vec<f64> {
        let measured = measured(&[("", run)], self.qrels, self.measures);
        let figures = measured.runs[0].figures.iter();
        figures.map(|figure| figure.overall).collect()
    }

    fn tables(&self, found: &Found) -> String {
        let words = self.table("minimum words", &found.words);
        let density = self.table("minimum text density", &found.density);
        let named = self.measures.iter().zip(&found.raw);
        let raw: Vec<_> = named.map(|(m, value)| format!("{m} {value:.3}")).collect();
        let bte: Vec<_> = found.bte.iter().map(|v| format!("{v:.3}")).collect();
        let (raw, bte) = (raw.join(", "), bte.join(", "));
        format!("{words}\n\n{density}\n\nRaw text: {raw}; BTE: {bte}.")
    }

    fn table(&self, name: &str, values: &[At]) -> String {
        let line = |m: usize| {
            let figures = values.iter().map(|(_, v)| format!("{:.3}", v[m]));
            row(self.measures[m], figures)
        };
        let head = row(name, values.iter().map(|(x, _)| x));
        table(&head, (0..self.measures.len()).map(line))
    }
}
