//! What a run over duplicates counts.

use super::pairs::Compared;
use super::rule::Rule;
use serde::{Deserialize, Serialize};

/// What was found. Pages = kept + dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DedupSummary {
    /// Pages of the folders, without those compared against.
    pub pages: u64,
    /// Pages that stay.
    pub kept: u64,
    /// Pages that go, by the first rule that connects them with any.
    pub dropped_url: u64,
    /// By equal text.
    pub dropped_text: u64,
    /// By near duplicates.
    pub dropped_near: u64,
    /// Clusters of more than one page; with another corpus, matches.
    pub clusters: u64,
    /// Pairs with an equal key of a band.
    pub candidates: u64,
    /// Of these, pairs whose shingles were compared: the others were connected already.
    pub compared: u64,
    /// Of these, duplicates.
    pub verified: u64,
    /// Paragraphs, if they were compared.
    #[serde(default)]
    pub paragraphs: u64,
    /// Of these, those with the text of an earlier one: rows of `paragraphs`.
    #[serde(default)]
    pub repeated_paragraphs: u64,
}

impl DedupSummary {
    /// Of so many pages, none of which goes yet.
    pub(super) fn of(pages: u64, compared: Compared) -> Self {
        Self {
            pages,
            candidates: compared.candidates,
            compared: compared.compared,
            verified: compared.verified,
            ..Self::default()
        }
    }

    /// Counts a page that goes.
    pub(super) fn drop(&mut self, rule: Option<Rule>) {
        match rule {
            Some(Rule::Url) => self.dropped_url += 1,
            Some(Rule::Text) => self.dropped_text += 1,
            Some(Rule::Near) | None => self.dropped_near += 1,
        }
    }
}
