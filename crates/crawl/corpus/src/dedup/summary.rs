//! Counts of a run over duplicates.

use super::pairs::Compared;
use super::rule::Rule;
use serde::{Deserialize, Serialize};

/// What was found. pages = kept + dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DedupSummary {
    /// Number of pages in the folders, without the corpus that they are compared with.
    pub pages: u64,
    /// Pages that stay.
    pub kept: u64,
    /// Pages dropped because of an equal address. A page counts for the first rule that connected
    /// it.
    pub dropped_url: u64,
    /// Pages dropped because of an equal text.
    pub dropped_text: u64,
    /// Pages dropped as near duplicates.
    pub dropped_near: u64,
    /// Number of clusters with more than one page. With another corpus, number of matches.
    pub clusters: u64,
    /// Pairs of pages with an equal key of a band.
    pub candidates: u64,
    /// Candidates whose shingles were compared. The others were already connected.
    pub compared: u64,
    /// Compared pairs that are duplicates.
    pub verified: u64,
    /// Number of paragraphs; 0 if they were not compared.
    #[serde(default)]
    pub paragraphs: u64,
    /// Paragraphs whose text occurred before: rows of `paragraphs`.
    #[serde(default)]
    pub repeated_paragraphs: u64,
}

impl DedupSummary {
    /// The summary of this many pages before any is dropped.
    pub(super) fn of(pages: u64, compared: Compared) -> Self {
        Self {
            pages,
            candidates: compared.candidates,
            compared: compared.compared,
            verified: compared.verified,
            ..Self::default()
        }
    }

    /// Counts a dropped page.
    pub(super) fn drop(&mut self, rule: Option<Rule>) {
        match rule {
            Some(Rule::Url) => self.dropped_url += 1,
            Some(Rule::Text) => self.dropped_text += 1,
            Some(Rule::Near) | None => self.dropped_near += 1,
        }
    }
}
