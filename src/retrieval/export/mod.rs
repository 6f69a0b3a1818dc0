//! Pages of shards in the formats that other programs read.
//!
//! One file a shard, called as the shard is; `docs/retrieval.md` tells what each format holds and
//! who reads it.

mod ciff;
mod docno;
mod file;
mod json;
mod lock;
mod markup;
mod recipe;
mod run;
mod spans;
#[cfg(test)]
mod tests;

pub use ciff::{CiffSettings, export_ciff};
pub use docno::docno;
pub use recipe::Recipe;
pub use run::{ExportSummary, export};

use crate::retrieval::shards::{Parts, ShardPage};
use serde::{Deserialize, Serialize};

/// What a program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Documents as in TREC's news collections.
    Trec,
    /// Documents as in TREC's web collections.
    Trecweb,
    /// JSON lines of `id` and `contents`.
    Anserini,
    /// JSON lines of all columns of `documents`.
    Jsonl,
    /// Dolma: documents, and beside them where content or boilerplate is in them.
    Dolma,
}

impl Format {
    fn ending(self) -> &'static str {
        match self {
            Self::Trec => "trec",
            Self::Trecweb => "trecweb",
            Self::Anserini | Self::Jsonl | Self::Dolma => "jsonl",
        }
    }
}

/// Which text of a page is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Texts {
    /// Its content, as `documents` has it.
    Clean,
    /// All its blocks, a line each.
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
    /// Not at all.
    None,
}

/// What an export is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportSettings {
    /// The format.
    pub format: Format,
    /// The texts.
    pub texts: Texts,
    /// How files are compressed.
    pub compression: Compression,
    /// Whether `trec`, `trecweb` and `anserini` hold titles.
    pub titles: bool,
}

impl ExportSettings {
    /// What must be read of the pages.
    fn parts(self) -> Parts {
        Parts {
            blocks: self.format == Format::Dolma,
            raw: self.texts != Texts::Clean,
            features: false,
        }
    }
}

/// A page as one collection has it.
#[derive(Clone, Copy)]
struct View<'a> {
    page: &'a ShardPage,
    text: &'a str,
    /// `None` where titles are left out.
    title: Option<&'a str>,
    /// Whether the text is that of all blocks.
    raw: bool,
}
