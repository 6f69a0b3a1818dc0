//! Excerpts: the part of a page's text that shows why it was found.

use super::{QueryTerm, Scoped};
use crate::index::Analyzer;
use std::ops::Range;
use tantivy::snippet::SnippetGenerator;
use warcsieve_common::Result;

/// Makes excerpts for a query.
pub struct Excerpts(SnippetGenerator);

/// A part of a page's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The text of the excerpt.
    pub text: String,
    /// Byte ranges of query terms in `text`, ascending.
    pub terms: Vec<Range<usize>>,
}

impl Excerpts {
    /// Excerpts of at most `chars` bytes, around the rarest terms of the query.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io) if the index cannot be read.
    pub fn new(scoped: &Scoped<'_>, query: &[QueryTerm], chars: usize) -> Result<Self> {
        let mut scores = std::collections::BTreeMap::new();
        for term in query {
            let pages = scoped.document_frequency(&term.text)?;
            scores.insert(term.text.clone(), 1.0 / (1.0 + pages as f32));
        }
        let analyzer = Analyzer::new(scoped.index.settings.stemming).for_tantivy();
        let field = scoped.index.fields.text;
        Ok(Self(SnippetGenerator::new(scores, analyzer, field, chars)))
    }

    /// The excerpt of a page; its beginning if it contains none of the terms.
    pub fn of(&self, text: &str, chars: usize) -> Excerpt {
        let snippet = self.0.snippet(text);
        if snippet.is_empty() {
            return Excerpt {
                text: text.chars().take(chars).collect(),
                terms: Vec::new(),
            };
        }
        Excerpt {
            text: snippet.fragment().to_owned(),
            terms: snippet.highlighted().to_vec(),
        }
    }
}
