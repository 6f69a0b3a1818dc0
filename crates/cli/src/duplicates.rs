//! How duplicates are found, as given in arguments and corpus files, and the report on them.

use super::table::Table;
use clap::ValueEnum;
use serde::Deserialize;
use warcsieve_common::{Error, Result};
use warcsieve_corpus::{DedupOptions, DedupSummary, Drop, Exact};
use warcsieve_filters::near::Scheme;

/// An exact rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum ExactRule {
    /// Pages with the same address.
    Url,
    /// Pages with the same text.
    Text,
    /// Paragraphs with the same text. They are listed in paragraphs.parquet; no page is dropped.
    Paragraph,
}

impl ExactRule {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Text => "text",
            Self::Paragraph => "paragraph",
        }
    }
}

/// Which pages of a cluster are dropped.
#[derive(Clone, Copy, Debug, Default, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Dropped {
    /// All except one.
    #[default]
    Rest,
    /// All.
    All,
}

impl From<Dropped> for Drop {
    fn from(dropped: Dropped) -> Self {
        match dropped {
            Dropped::Rest => Self::Rest,
            Dropped::All => Self::All,
        }
    }
}

/// The options for these rules; everything else has its default.
///
/// # Errors
/// [`Error::Invalid`] if a scheme is unknown, or no rule is left.
pub fn options(exact: &[ExactRule], near: &str, jaccard: Option<f64>) -> Result<DedupOptions> {
    let mut scheme = match near {
        "none" => None,
        name => Some(Scheme::named(name).map_err(Error::Invalid)?),
    };
    if let (Some(scheme), Some(jaccard)) = (&mut scheme, jaccard) {
        scheme.jaccard = jaccard;
    }
    if scheme.is_none() && exact.is_empty() {
        let why = "near duplicates are set to none, so an exact rule (`exact`) is needed";
        return Err(Error::Invalid(why.to_owned()));
    }
    Ok(DedupOptions {
        exact: Exact {
            url: exact.contains(&ExactRule::Url),
            text: exact.contains(&ExactRule::Text),
            paragraph: exact.contains(&ExactRule::Paragraph),
        },
        near: scheme,
        containment: None,
        drop: Drop::Rest,
        best: None,
        tables: false,
        memory: MEMORY,
        threads: 1,
    })
}

/// Default memory for sorting in bytes.
pub const MEMORY: usize = 512 << 20;

/// The table at the end of a run.
pub fn end_table(summary: &DedupSummary, is_against: bool) -> Table {
    let mut table = Table::default();
    let mut row = |name: &str, n: u64| table.count(name, n);
    row("pages", summary.pages);
    row("  kept", summary.kept);
    row("  dropped: url", summary.dropped_url);
    row("  dropped: text", summary.dropped_text);
    row("  dropped: near", summary.dropped_near);
    row(
        if is_against { "matches" } else { "clusters" },
        summary.clusters,
    );
    row("candidates", summary.candidates);
    row("  compared", summary.compared);
    row("  duplicates", summary.verified);
    if summary.paragraphs > 0 {
        row("paragraphs", summary.paragraphs);
        row("  that repeat one", summary.repeated_paragraphs);
    }
    table
}
