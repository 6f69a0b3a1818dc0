//! Ranks the pages of an index.
//!
//! Scores follow the models' formulas with exact lengths and counts: each page with a query term is
//! scored, term by term in byte order, in double precision, and the result is rounded to the 32
//! bits by which run files are compared. So scores do not depend on how the index is divided into
//! segments.

mod directory;
mod excerpt;
mod feedback;
mod model;
mod postings;
mod scope;
#[cfg(test)]
mod tests;
mod top;
mod weighted;
mod weights;

pub use excerpt::{Excerpt, Excerpts};
pub use feedback::Feedback;
pub use model::{Collection, Frequencies, Model, QueryTerm};
pub use scope::Scope;
pub use weights::{FieldWeight, Weights};

use self::directory::Readable;
use self::model::TermScore;
use self::postings::{Lengths, TermPostings};
use self::scope::ScopeFields;
use self::top::{Scored, Top};
use self::weighted::{FieldScores, FieldTerm};
use super::export::docno;
use super::index::fields::{Fields, ID};
use super::index::writer::State;
use super::index::{Analyzer, IndexSettings, engine_error, read_settings, reading, register};
use super::run::Hit;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use tantivy::schema::Value;
use tantivy::{
    DocAddress, DocId, Index, ReloadPolicy, Searcher, TERMINATED, TantivyDocument, Term,
};
use warcsieve_base::Result;

/// An index opened for searching.
pub struct SearchIndex {
    path: PathBuf,
    settings: IndexSettings,
    fields: Fields,
    searcher: Searcher,
    state: State,
}

/// A search result.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Its id.
    pub id: String,
    /// Its score.
    pub score: f32,
    address: DocAddress,
}

/// How pages are ranked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Method {
    /// The model.
    pub model: Model,
    /// How the query is expanded, if at all.
    pub feedback: Option<Feedback>,
}

/// The stored fields of a page, for display.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Its URL.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Its text; empty if the index does not store it.
    pub text: String,
    /// The blocks of the text, encoded.
    parts: Vec<u8>,
}

impl SearchIndex {
    /// Opens an index in its current state; later additions are not visible.
    ///
    /// # Errors
    /// [`Error::Usage`](warcsieve_base::Error::Usage) if the folder contains no index that this
    /// program can read; [`Error::Integrity`](warcsieve_base::Error::Integrity) if a file of it is
    /// missing or broken.
    pub fn open(path: &Path) -> Result<Self> {
        reading(path, || Self::open_files(path))
    }

    fn open_files(path: &Path) -> Result<Self> {
        let settings = read_settings(path)?;
        let folder = Readable::open(path).map_err(|e| engine_error(path, e.into()))?;
        let index = Index::open(folder).map_err(|e| engine_error(path, e))?;
        register(&index, &settings);
        let state = State::read(path, &index)?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual);
        let reader: tantivy::IndexReader = reader.try_into().map_err(|e| engine_error(path, e))?;
        Ok(Self {
            path: path.to_owned(),
            fields: Fields::of(&settings),
            settings,
            searcher: reader.searcher(),
            state,
        })
    }

    /// The number of shards in the index, and of the complete index. There are fewer if indexing is
    /// running or was interrupted.
    pub fn shards(&self) -> (usize, usize) {
        self.state.progress()
    }

    /// What the index contains of a page.
    pub fn settings(&self) -> &IndexSettings {
        &self.settings
    }

    /// The terms of a text as a query: each once, in byte order, weighted by the number of its
    /// occurrences.
    pub fn query(&self, text: &str) -> Vec<QueryTerm> {
        let mut counts = BTreeMap::<String, f64>::new();
        Analyzer::new(self.settings.stemming).terms(text, |term| {
            *counts.entry(term.to_owned()).or_default() += 1.0;
        });
        let term = |(text, weight)| QueryTerm { text, weight };
        counts.into_iter().map(term).collect()
    }

    /// Prepares to search some of the fields.
    ///
    /// # Errors
    /// [`Error::Usage`](warcsieve_base::Error::Usage) if the index has no such fields.
    pub fn scope(&self, scope: Scope) -> Result<Scoped<'_>> {
        reading(&self.path, || self.scope_of(scope))
    }

    fn scope_of(&self, scope: Scope) -> Result<Scoped<'_>> {
        let searched = scope.fields(&self.fields, &self.settings)?;
        let empty = Collection {
            pages: self.searcher.num_docs(),
            terms: 0,
        };
        let mut each = vec![empty; searched.fields.len()];
        for segment in self.searcher.segment_readers() {
            let lengths = Lengths::open(segment, &searched.fields).map_err(|e| self.fail(e))?;
            for doc in 0..segment.max_doc() {
                let fields = each.iter_mut().zip(lengths.each(doc));
                fields.for_each(|(field, length)| field.terms += length);
            }
        }
        let all = Collection {
            terms: each.iter().map(|field| field.terms).sum(),
            ..empty
        };
        Ok(Scoped {
            index: self,
            scope,
            searched,
            each,
            all,
        })
    }

    /// The stored fields of a result.
    ///
    /// # Errors
    /// [`Error::Integrity`](warcsieve_base::Error::Integrity) or
    /// [`Error::Io`](warcsieve_base::Error::Io) if it cannot be read.
    pub fn show(&self, found: &Found) -> Result<Shown> {
        let document: TantivyDocument = reading(&self.path, || {
            self.searcher.doc(found.address).map_err(|e| self.fail(e))
        })?;
        let text = |field| {
            let value = document.get_first(field).and_then(|v| v.as_str());
            value.unwrap_or_default().to_owned()
        };
        Ok(Shown {
            url: text(self.fields.url),
            title: text(self.fields.title.field),
            text: text(self.fields.text),
            parts: (document.get_first(self.fields.parts))
                .and_then(|value| value.as_bytes())
                .unwrap_or_default()
                .to_vec(),
        })
    }

    fn fail(&self, error: tantivy::TantivyError) -> warcsieve_base::Error {
        engine_error(&self.path, error)
    }
}

/// Some fields of an index, searched as if they were one text, or each with its weight.
pub struct Scoped<'i> {
    index: &'i SearchIndex,
    scope: Scope,
    searched: ScopeFields,
    /// Of each field.
    each: Vec<Collection>,
    all: Collection,
}

/// How the terms of a query are scored.
enum Scores {
    /// In all fields as if they were one.
    Whole(Vec<TermScore>),
    /// By field.
    Fields(FieldScores, Vec<FieldTerm>),
}

impl Scoped<'_> {
    /// The number of pages and terms that are searched.
    pub fn collection(&self) -> Collection {
        self.all
    }

    /// The number of pages that contain a term.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_base::Error::Io) if the index cannot be read.
    pub fn document_frequency(&self, term: &str) -> Result<u64> {
        reading(&self.index.path, || self.count_documents(term))
    }

    fn count_documents(&self, term: &str) -> Result<u64> {
        let Some(field) = &self.searched.whole else {
            return Ok(self.frequencies(term)?.0.document);
        };
        // Nothing is ever deleted, so the count in the dictionary is exact.
        let term = Term::from_field_text(field.field, term);
        let pages = self.index.searcher.doc_freq(&term);
        pages.map_err(|e| self.index.fail(e))
    }

    /// Frequencies of a term, counted over all pages that contain it; and its occurrences in each field.
    fn frequencies(&self, term: &str) -> Result<(Frequencies, Vec<u64>)> {
        let mut sum = Frequencies::default();
        let mut each = vec![0; self.each.len()];
        for segment in self.index.searcher.segment_readers() {
            let postings = TermPostings::open(segment, &self.searched.fields, term);
            let mut postings = postings.map_err(|e| self.index.fail(e))?;
            while postings.doc() != TERMINATED {
                sum.document += 1;
                for (place, frequency) in postings.places() {
                    each[place] += u64::from(frequency);
                }
                postings.advance();
            }
        }
        sum.collection = each.iter().sum();
        Ok((sum, each))
    }

    /// The best pages for the terms, at most `limit`, best first; in a tie the greater id comes
    /// first, as in trec_eval. A page without any of the terms is never returned. Of pages with the
    /// same id only the best is returned.
    ///
    /// # Errors
    /// As [`Scoped::document_frequency`].
    pub fn rank(&self, model: Model, terms: &[QueryTerm], limit: usize) -> Result<Vec<Found>> {
        reading(&self.index.path, || self.score_all(model, terms, limit))
    }

    fn score_all(&self, model: Model, terms: &[QueryTerm], limit: usize) -> Result<Vec<Found>> {
        let weights = &self.searched.weights;
        let by_field = (!weights.is_empty()).then(|| FieldScores::new(model, weights, &self.each));
        let (mut known, mut whole, mut of_fields) = (Vec::new(), Vec::new(), Vec::new());
        for term in terms {
            let (frequencies, each) = match model {
                Model::Bm25 { .. } => {
                    let document = self.document_frequency(&term.text)?;
                    let frequencies = Frequencies {
                        document,
                        collection: 0,
                    };
                    (frequencies, Vec::new())
                }
                Model::QueryLikelihood { .. } => self.frequencies(&term.text)?,
            };
            let is_known = match &by_field {
                Some(scores) => {
                    let score = scores.term(term, self.all.pages, &frequencies, &each);
                    score.map(|score| of_fields.push(score))
                }
                None => {
                    let score = TermScore::new(model, self.all, term, frequencies);
                    score.map(|score| whole.push(score))
                }
            };
            if is_known.is_some() {
                known.push(term);
            }
        }
        let scores = match by_field {
            Some(scores) => Scores::Fields(scores, of_fields),
            None => Scores::Whole(whole),
        };
        let mut taken = limit;
        loop {
            let best = self.best(&known, &scores, taken)?;
            let all = best.len() < taken;
            let mut seen = HashSet::new();
            let mut found: Vec<Found> = best;
            found.retain(|page| seen.insert(page.id.clone()));
            if found.len() >= limit || all {
                found.truncate(limit);
                return Ok(found);
            }
            // Pages with the same id took the places of others: search again with a larger limit.
            taken *= 2;
        }
    }

    /// The best pages, possibly with repeated ids.
    fn best(&self, terms: &[&QueryTerm], scores: &Scores, limit: usize) -> Result<Vec<Found>> {
        let mut best = Top::new(limit);
        for number in 0..self.index.searcher.segment_readers().len() {
            let ranked = self.rank_segment(number, (terms, scores), limit, &mut best);
            ranked.map_err(|e| self.index.fail(e))?;
        }
        let found = best.into_sorted().into_iter().map(|page| Found {
            id: page.id.0,
            score: page.score,
            address: page.id.1,
        });
        Ok(found.collect())
    }

    /// Ranks pages for a text, with feedback if `by` says so.
    ///
    /// # Errors
    /// As [`Scoped::rank`] and [`Scoped::expand`].
    pub fn answer(&self, text: &str, by: &Method, limit: usize) -> Result<Vec<Found>> {
        let mut query = self.index.query(text);
        if let Some(feedback) = &by.feedback {
            query = self.expand(by.model, &query, feedback)?;
        }
        self.rank(by.model, &query, limit)
    }

    /// Like [`Scoped::answer`], as results of a run.
    ///
    /// # Errors
    /// As [`Scoped::answer`].
    pub fn hits(&self, text: &str, by: &Method, limit: usize) -> Result<Vec<Hit>> {
        let hit = |found: Found| Hit {
            docno: docno(&found.id).into_owned(),
            score: found.score,
        };
        let found = self.answer(text, by, limit)?;
        Ok(found.into_iter().map(hit).collect())
    }

    fn rank_segment(
        &self,
        number: usize,
        (terms, scores): (&[&QueryTerm], &Scores),
        limit: usize,
        best: &mut Top<(String, DocAddress)>,
    ) -> tantivy::Result<()> {
        let segment = &self.index.searcher.segment_readers()[number];
        let fields = &self.searched.fields;
        let open = |term: &&QueryTerm| TermPostings::open(segment, fields, &term.text);
        let mut postings: Vec<_> = terms.iter().map(open).collect::<Result<_, _>>()?;
        let lengths = Lengths::open(segment, fields)?;
        let mut of_page = PageScorer::new(scores, fields.len());
        let Some(ids) = segment.fast_fields().str(ID)? else {
            return Ok(());
        };
        // Within a segment the ordinals of ids are in byte order.
        let mut top = Top::new(limit);
        while let Some(doc) = postings.iter().map(TermPostings::doc).min() {
            if doc == TERMINATED {
                break;
            }
            let sum = of_page.score(doc, &postings, &lengths);
            for postings in postings.iter_mut().filter(|p| p.doc() == doc) {
                postings.advance();
            }
            top.push(sum as f32, || (ids.ords().first(doc), doc));
        }
        let page = |page: Scored<(Option<u64>, DocId)>| Some((page.id.0?, page.score, page.id.1));
        let mut pages: Vec<_> = top.into_sorted().into_iter().filter_map(page).collect();
        // The dictionary is read once, from its start.
        pages.sort_unstable_by_key(|(ord, ..)| *ord);
        let ords: Vec<u64> = pages.iter().map(|(ord, ..)| *ord).collect();
        let mut pages = pages.into_iter();
        ids.dictionary().sorted_ords_to_term_cb(&ords, |id| {
            if let Some((_, score, doc)) = pages.next() {
                let id = || String::from_utf8_lossy(id).into_owned();
                best.push(score, || (id(), DocAddress::new(number as u32, doc)));
            }
        })?;
        Ok(())
    }
}

/// Scores page after page.
struct PageScorer<'s> {
    scores: &'s Scores,
    /// Of the page, by field: its terms, and how often one of the query's terms is there.
    lengths: Vec<u64>,
    frequencies: Vec<u32>,
}

impl<'s> PageScorer<'s> {
    fn new(scores: &'s Scores, fields: usize) -> Self {
        Self {
            scores,
            lengths: vec![0; fields],
            frequencies: vec![0; fields],
        }
    }

    /// The score of a page; `terms` are the postings of the query's terms, each at this page or behind it.
    fn score(&mut self, doc: DocId, terms: &[TermPostings], lengths: &Lengths) -> f64 {
        match self.scores {
            Scores::Whole(scores) => {
                let length = lengths.of(doc);
                let frequency = |p: &TermPostings| if p.doc() == doc { p.frequency() } else { 0 };
                let terms = terms.iter().zip(scores);
                terms.map(|(p, score)| score.of(frequency(p), length)).sum()
            }
            Scores::Fields(fields, scores) => {
                let own = self.lengths.iter_mut().zip(lengths.each(doc));
                own.for_each(|(own, length)| *own = length);
                let mut sum = 0.0;
                for (postings, score) in terms.iter().zip(scores) {
                    self.frequencies.fill(0);
                    if postings.doc() == doc {
                        for (place, frequency) in postings.places() {
                            self.frequencies[place] = frequency;
                        }
                    }
                    sum += fields.of(score, &self.frequencies, &self.lengths);
                }
                sum
            }
        }
    }
}
