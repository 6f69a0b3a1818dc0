//! Pages that are there more than once: exactly, or nearly.
//!
//! ```text
//!  shards ─read─▶ hashes, keys of bands ─sort─▶ candidates ─sort─▶ compared exactly ─▶ clusters
//!            └──▶ ids, shingles (scratch file) ──────────────────────┘                └─▶ tables
//! ```
//!
//! Pages are numbered in the order of folders, inputs and rows. All that is decided depends on sorted
//! records, so neither threads nor time change a byte.

mod clusters;
mod pairs;
mod paragraphs;
mod read;
mod scratch;
pub(crate) mod sort;
mod tables;
#[cfg(test)]
mod tests;

use self::clusters::Clusters;
use self::paragraphs::Repeated;
use self::scratch::Kept;
use self::sort::Sorter;
use self::tables::BandTable;
use serde::{Deserialize, Serialize};
use std::path::Path;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_filters::near::Scheme;
use warcsieve_run::shards::Shard;
use warcsieve_store::remove_if_there;

/// Which exact rules are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// Pages of one address.
    pub url: bool,
    /// Pages of one text.
    pub text: bool,
    /// Paragraphs of one text, which are listed; no page goes for them.
    pub paragraph: bool,
}

/// Which pages of a cluster go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drop {
    /// All but one.
    Rest,
    /// All.
    All,
}

/// How duplicates are found.
#[derive(Clone, Debug)]
pub struct DedupOptions {
    /// Exact rules.
    pub exact: Exact,
    /// How near duplicates are found; `None` for exact ones only.
    pub near: Option<Scheme>,
    /// Candidates are duplicates, too, if the smaller set of shingles is in the other one up to
    /// this share.
    pub containment: Option<f64>,
    /// Which go.
    pub drop: Drop,
    /// The number column of `documents` whose highest value stays; `None` for the first page.
    pub best: Option<String>,
    /// Whether keys of bands and shingles are written, for joins elsewhere.
    pub tables: bool,
    /// Bytes for sorting. Besides there are 30 bytes a page, and what threads take.
    pub memory: usize,
    /// Threads.
    pub threads: usize,
}

/// The rule by which pages are duplicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rule {
    Url,
    Text,
    Near,
}

impl Rule {
    const ALL: [Self; 3] = [Self::Url, Self::Text, Self::Near];

    fn as_str(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Text => "text",
            Self::Near => "near",
        }
    }
}

impl DedupSummary {
    fn of(pages: u64, compared: pairs::Compared) -> Self {
        Self {
            pages,
            candidates: compared.candidates,
            compared: compared.compared,
            verified: compared.verified,
            ..Self::default()
        }
    }

    /// Counts a page that goes.
    fn drop(&mut self, rule: Option<Rule>) {
        match rule {
            Some(Rule::Url) => self.dropped_url += 1,
            Some(Rule::Text) => self.dropped_text += 1,
            Some(Rule::Near) | None => self.dropped_near += 1,
        }
    }
}

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

/// The file of the summary.
const BOOKS: &str = "books.json";

/// The tables that it may write.
const TABLES: [&str; 6] = [
    "kept",
    "clusters",
    "matches",
    "paragraphs",
    "bands",
    "shingles",
];

/// Finds duplicates among the pages of `shards`, or those that are also in `against`, and writes the
/// tables into the folder `out`.
///
/// # Errors
/// [`Error::Invalid`] if texts hold markup, or there are 2^32 pages or more; [`Error::Integrity`] if a
/// shard is not as it was written; [`Error::Io`]; [`Error::Stopped`].
pub fn dedup(
    shards: &[Shard],
    against: &[Shard],
    options: &DedupOptions,
    out: &Path,
    progress: &Progress,
) -> Result<DedupSummary> {
    let _lock = warcsieve_store::FolderLock::take(out)?;
    let pool = rayon::ThreadPoolBuilder::new();
    let pool = pool.num_threads(options.threads).build();
    let pool = pool.map_err(|e| Error::io(out, std::io::Error::other(e)))?;
    let all: Vec<_> = against.iter().chain(shards).collect();
    let mut read = pool.install(|| read::read(&all, options, out, progress))?;
    // Those of other options would stay beside new ones.
    for table in TABLES {
        remove_if_there(&out.join(format!("{table}.parquet")))?;
    }
    remove_if_there(&out.join(BOOKS))?;
    let paragraphs = read.paragraphs.take();
    let border = against.iter().map(Shard::pages).sum::<u64>();
    // The number of all pages is less than 2^32, as `read` has seen.
    let (border, pages) = (border as u32, read.kept.len() as u32);
    let mut clusters = Clusters::new(pages);
    let mut bands = match options.tables {
        true => Some(BandTable::create(out)?),
        false => None,
    };
    let within = (out, progress);
    let repeated;
    let write_paragraphs = |kept: &Kept| match paragraphs {
        Some(paragraphs) => paragraphs.write(out, border, kept),
        None => Ok(Repeated::default()),
    };
    let mut summary = match border {
        0 => {
            let found = pairs::find(
                read,
                options,
                None,
                &mut clusters,
                bands.as_mut(),
                within,
                &mut |_, _, _| Ok(()),
            );
            let (kept, ranks, compared) = found?;
            repeated = write_paragraphs(&kept)?;
            tables::write_shingles(out, options, &kept)?;
            tables::write_clusters(
                out,
                options,
                clusters.choose(ranks.as_deref()),
                &kept,
                compared,
            )
        }
        _ => {
            let mut matches = Sorter::<3>::new(out, options.memory / 4);
            let found = pairs::find(
                read,
                options,
                Some(border),
                &mut clusters,
                bands.as_mut(),
                within,
                &mut |rule, other, page| matches.push([page.into(), other.into(), rule as u64]),
            );
            let (kept, _, compared) = found?;
            repeated = write_paragraphs(&kept)?;
            tables::write_shingles(out, options, &kept)?;
            tables::write_matches(out, matches.sorted()?, border, &kept, compared)
        }
    }?;
    if let Some(bands) = bands {
        bands.finish()?;
    }
    summary.paragraphs = repeated.paragraphs;
    summary.repeated_paragraphs = repeated.repeated;
    let books = serde_json::to_vec_pretty(&summary).expect("a summary is plain data");
    warcsieve_store::write_atomically(&out.join(BOOKS), &books)?;
    Ok(summary)
}
