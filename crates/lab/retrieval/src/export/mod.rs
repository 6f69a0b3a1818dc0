//! Exports pages of shards in the formats of other programs.
//!
//! One file per shard, named after the shard; `docs/retrieval/exports.md` describes each format and
//! the programs that read it.

mod ciff;
mod collection;
mod corpora;
mod docno;
mod file;
mod json;
mod markup;
mod recipe;
mod run;
mod spans;
#[cfg(test)]
mod tests;
mod wet;

pub use ciff::{CiffSettings, export_ciff};
pub use corpora::{Columns, PRESETS, Preset};
pub use docno::docno;
pub use recipe::Recipe;
pub use run::{ExportSummary, export};

use crate::shards::{Parts, ShardPage};
use serde::{Deserialize, Serialize};
use warcsieve_render::TextFormat;

/// An export format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Documents in the format of TREC's news collections.
    Trec,
    /// Documents in the format of TREC's web collections.
    Trecweb,
    /// JSON lines with `id` and `contents`.
    Anserini,
    /// JSON lines with all columns of `documents`, or those of a published corpus.
    Jsonl,
    /// Parquet with the columns of a published corpus.
    Parquet,
    /// WARC records of type `conversion`, as in Common Crawl's WET files.
    Wet,
    /// Dolma: documents, and attribute files with the spans of content or boilerplate.
    Dolma,
}

impl Format {
    fn ending(self) -> &'static str {
        match self {
            Self::Trec => "trec",
            Self::Trecweb => "trecweb",
            Self::Parquet => "parquet",
            Self::Wet => "wet.warc",
            Self::Anserini | Self::Jsonl | Self::Dolma => "jsonl",
        }
    }
}

/// Which text of a page is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Texts {
    /// Its content, as in `documents`.
    Clean,
    /// All its blocks, one per line.
    Raw,
    /// Both, as two collections of the same pages in the folders `clean` and `raw`.
    Both,
}

/// How files are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compression {
    /// gzip.
    Gz,
    /// zstd.
    Zst,
    /// No compression.
    None,
}

/// Settings of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportSettings {
    /// The format.
    pub format: Format,
    /// The texts.
    pub texts: Texts,
    /// How files are compressed.
    pub compression: Compression,
    /// Whether `trec`, `trecweb` and `anserini` contain titles.
    pub titles: bool,
}

impl ExportSettings {
    /// The parts of pages that have to be read.
    fn parts(self) -> Parts {
        Parts {
            blocks: self.format == Format::Dolma,
            raw: self.texts != Texts::Clean,
            features: false,
        }
    }
}

/// A page as it appears in one collection.
#[derive(Clone, Copy)]
struct View<'a> {
    page: &'a ShardPage,
    text: &'a str,
    /// `None` if titles are left out.
    title: Option<&'a str>,
    /// Whether the text is that of all blocks.
    raw: bool,
    /// The form of the text.
    form: TextFormat,
}
