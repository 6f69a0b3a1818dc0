//! Ranks the pages of an index.
//!
//! Scores follow the models' formulas with exact lengths and counts: each page with a query term is
//! scored, term by term in byte order, in double precision, and the result is rounded to the 32
//! bits by which run files are compared. So scores do not depend on how the index is divided into
//! segments.

mod blocks;
mod directory;
mod excerpt;
mod feedback;
mod lengths;
mod model;
mod scope;
#[cfg(test)]
mod tests;
mod top;
mod weighted;
mod weights;
mod window;

pub use excerpt::{Excerpt, Excerpts};
pub use feedback::Feedback;
pub use model::{Collection, Frequencies, Model, QueryTerm};
pub use scope::Scope;
pub use weights::{FieldWeight, Weights};

use self::blocks::Blocks;
use self::directory::Readable;
use self::lengths::Lengths;
use self::model::TermScore;
use self::scope::ScopeFields;
use self::top::{Scored, Top};
use self::weighted::FieldScores;
use self::window::{Scores, Window};
use super::export::docno;
use super::index::fields::{Fields, ID};
use super::index::writer::State;
use super::index::{Analyzer, IndexSettings, engine_error, read_settings, reading, register};
use super::omit::Omit;
use super::run::Hit;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use tantivy::schema::Value;
use tantivy::{DocAddress, DocId, Index, ReloadPolicy, Searcher, TantivyDocument, Term};
use warcsieve_common::Result;

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
    /// How many links lead to it; 0 if the index has no anchors.
    pub inlinks: u64,
    /// The blocks of the text, encoded.
    parts: Vec<u8>,
}

impl SearchIndex {
    /// Opens an index in its current state; later additions are not visible.
    ///
    /// # Errors
    /// [`Error::Invalid`](warcsieve_common::Error::Invalid) if the folder contains no index that this
    /// program can read; [`Error::Integrity`](warcsieve_common::Error::Integrity) if a file of it is
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
    /// [`Error::Invalid`](warcsieve_common::Error::Invalid) if the index has no such fields.
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
        let mut lengths = Vec::new();
        let is_one = searched.weights.is_empty();
        for segment in self.searcher.segment_readers() {
            let read = Lengths::read(segment, &searched.fields, is_one);
            let read = read.map_err(|e| self.fail(e))?;
            let fields = each.iter_mut().zip(&read.sums);
            fields.for_each(|(field, sum)| field.terms += sum);
            lengths.push(read);
        }
        let all = Collection {
            terms: each.iter().map(|field| field.terms).sum(),
            ..empty
        };
        Ok(Scoped {
            index: self,
            scope,
            searched,
            omit: Omit::default(),
            lengths,
            each,
            all,
        })
    }

    /// The stored fields of a result.
    ///
    /// # Errors
    /// [`Error::Integrity`](warcsieve_common::Error::Integrity) or
    /// [`Error::Io`](warcsieve_common::Error::Io) if it cannot be read.
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
            inlinks: (self.fields.anchors.as_ref())
                .and_then(|(_, number)| document.get_first(*number)?.as_u64())
                .unwrap_or(0),
            parts: (document.get_first(self.fields.parts))
                .and_then(|value| value.as_bytes())
                .unwrap_or_default()
                .to_vec(),
        })
    }

    fn fail(&self, error: tantivy::TantivyError) -> warcsieve_common::Error {
        engine_error(&self.path, error)
    }
}

/// Some fields of an index. They are searched as if they were one text, or each with its weight.
pub struct Scoped<'i> {
    index: &'i SearchIndex,
    scope: Scope,
    searched: ScopeFields,
    omit: Omit,
    /// By segment.
    lengths: Vec<Lengths>,
    /// By field.
    each: Vec<Collection>,
    all: Collection,
}

impl Scoped<'_> {
    /// Leaves pages out of the results. They are still counted in the statistics.
    #[must_use]
    pub fn without(self, omit: Omit) -> Self {
        Self { omit, ..self }
    }

    /// The number of pages and terms that are searched.
    pub fn collection(&self) -> Collection {
        self.all
    }

    /// The number of pages that contain a term.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io) if the index cannot be read.
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
            let found = Blocks::open(segment, &self.searched.fields, term);
            let mut pages = vec![0_u64; segment.max_doc().div_ceil(64) as usize];
            for blocks in found.map_err(|e| self.index.fail(e))? {
                let occurrences: &mut u64 = &mut each[blocks.place()];
                blocks.each(|doc, frequency| {
                    *occurrences += u64::from(frequency);
                    pages[doc as usize / 64] |= 1 << (doc % 64);
                });
            }
            let bits = pages.iter().map(|bits| u64::from(bits.count_ones()));
            sum.document += bits.sum::<u64>();
        }
        sum.collection = each.iter().sum();
        Ok((sum, each))
    }

    /// The best pages for the terms, at most `limit`, best first; in a tie the greater id comes
    /// first, as in trec_eval. A page without any of the terms is never returned. Of pages with the
    /// same id, and of those of a cluster, only the best is returned.
    ///
    /// # Errors
    /// Those of [`Scoped::document_frequency`].
    pub fn rank(&self, model: Model, terms: &[QueryTerm], limit: usize) -> Result<Vec<Found>> {
        reading(&self.index.path, || self.score_all(model, terms, limit))
    }

    fn score_all(&self, model: Model, terms: &[QueryTerm], limit: usize) -> Result<Vec<Found>> {
        let weights = &self.searched.weights;
        let by_field = (!weights.is_empty()).then(|| FieldScores::new(model, weights, &self.each));
        let by_field = by_field.transpose()?;
        let (mut known, mut whole, mut of_fields) = (Vec::new(), Vec::new(), Vec::new());
        for term in terms {
            let (frequencies, each) = match model {
                Model::Bm25 { .. } | Model::TfIdf => {
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
                    let score = TermScore::new(model, self.all, term, frequencies, terms.len());
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
            found.retain(|page| {
                let docno = docno(&page.id);
                !self.omit.is_low(&page.id)
                    && seen.insert(self.omit.representative(&docno).to_owned())
            });
            if found.len() >= limit || all {
                found.truncate(limit);
                return Ok(found);
            }
            // Pages that are left out took the places of others, so the search is repeated with a larger limit.
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
    /// Those of [`Scoped::rank`] and [`Scoped::expand`].
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
    /// Those of [`Scoped::answer`].
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
        let open = |term: &&QueryTerm| Blocks::open(segment, fields, &term.text);
        let mut postings: Vec<_> = terms.iter().map(open).collect::<Result<_, _>>()?;
        let mut window = Window::new(scores, &self.lengths[number]);
        let Some(ids) = segment.fast_fields().str(ID)? else {
            return Ok(());
        };
        // Within a segment the ordinals of ids are in byte order.
        let mut top = Top::new(limit);
        while window.next(&mut postings, |doc, score| {
            top.push(score as f32, || (ids.ords().first(doc), doc));
        }) {}
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
