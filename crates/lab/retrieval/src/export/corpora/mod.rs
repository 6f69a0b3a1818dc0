//! Pages in the columns of published corpora.

mod crawl;
mod presets;
mod table;
#[cfg(feature = "tokenizers")]
mod tokens;
#[cfg(not(feature = "tokenizers"))]
#[path = "no_tokens.rs"]
mod tokens;
mod values;

pub use presets::{PRESETS, Preset};
pub(super) use table::TableFile;

use super::{View, json};
use crate::shards::Shard;
use crawl::crawl_of;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::path::Path;
use tokens::Tokens;
use values::{Line, Row};
use warcsieve_common::{Error, Result, files};

/// The columns to write, and what their values need beside the pages.
#[derive(Debug)]
pub struct Columns {
    preset: &'static Preset,
    crawl: Option<String>,
    tokens: Option<Tokens>,
    /// What the values depend on.
    recipe: String,
}

impl Columns {
    /// Largest size of a tokenizer file in bytes.
    pub const MAX_TOKENIZER: u64 = 256 << 20;

    /// Bytes of the longest text whose tokens are counted. Counting takes up to 300 bytes of memory per byte of a text.
    pub const MAX_COUNTED: usize = 2 << 20;

    /// The columns of a corpus. `crawl` is the name of the crawl for inputs whose paths do not say it. `tokenizer` is
    /// the `tokenizer.json` that counts tokens; without it, the column with the counts is null.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the corpus has no column for one of these, or the tokenizer cannot be used.
    /// [`Error::Io`].
    pub fn new(
        preset: &'static Preset,
        crawl: Option<String>,
        tokenizer: Option<&Path>,
    ) -> Result<Self> {
        let name = preset.name;
        if crawl.is_some() && preset.crawl_column().is_none() {
            let why = format!("the columns of {name} have no name of a crawl; leave out --crawl");
            return Err(Error::Invalid(why));
        }
        if tokenizer.is_some() && preset.token_column().is_none() {
            let why =
                format!("the columns of {name} have no number of tokens; leave out --tokenizer");
            return Err(Error::Invalid(why));
        }
        let mut recipe = name.to_owned();
        if let Some(crawl) = &crawl {
            recipe = format!("{recipe}, crawl {crawl}");
        }
        let mut tokens = None;
        if let Some(path) = tokenizer {
            let json = files::read(path, Self::MAX_TOKENIZER)
                .map_err(|e| files::unreadable(format!("tokenizer {}", path.display()), e))?;
            tokens = Some(Tokens::read(path, &json)?);
            recipe = format!(
                "{recipe}, tokenizer {}",
                HEXLOWER.encode(&Sha256::digest(&json))
            );
        }
        Ok(Self {
            preset,
            crawl,
            tokens,
            recipe,
        })
    }

    /// What the values depend on.
    pub(super) fn recipe(&self) -> &str {
        &self.recipe
    }

    /// Checks that the crawl of each shard is known, if a column names it.
    pub(super) fn check(&self, shards: &[Shard]) -> Result<()> {
        let Some(column) = self.preset.crawl_column() else {
            return Ok(());
        };
        match shards
            .iter()
            .find(|shard| self.crawl(&shard.name).is_none())
        {
            None => Ok(()),
            Some(shard) => Err(Error::Invalid(format!(
                "{}: its path names no crawl, such as CC-MAIN-2024-10, for the column `{column}`; name it with --crawl",
                shard.name
            ))),
        }
    }

    fn crawl<'a>(&'a self, input: &'a str) -> Option<&'a str> {
        crawl_of(input).or(self.crawl.as_deref())
    }

    /// The writer of a Parquet file.
    pub(super) fn table(&self, path: &Path) -> Result<TableFile> {
        TableFile::create(path, self.preset.columns)
    }

    fn row<'a>(&'a self, view: &View<'a>) -> Result<Row<'a>> {
        let (name, id) = (&view.page.warc_filename, &view.page.id);
        let is_long = view.text.len() > Self::MAX_COUNTED;
        if is_long && self.tokens.is_some() {
            tracing::warn!("{name}: page {id}: its text is too long to count its tokens");
        }
        let tokens = self.tokens.as_ref().filter(|_| !is_long);
        let tokens = tokens.map(|tokens| tokens.count(view.text)).transpose();
        let tokens = tokens.map_err(|why| {
            Error::Invalid(format!("{name}: page {id}: the tokenizer fails: {why}"))
        })?;
        Ok(Row {
            page: view.page,
            text: view.text,
            crawl: self.crawl(name),
            tokens: tokens.and_then(|tokens| i64::try_from(tokens).ok()),
        })
    }

    /// Appends a page to JSON lines. Returns the number of its tokens.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the tokenizer fails.
    pub(super) fn write_line(&self, view: &View<'_>, lines: &mut String) -> Result<Option<i64>> {
        let (columns, row) = (self.preset.columns, &self.row(view)?);
        json::line(&Line { columns, row }, lines);
        Ok(row.tokens)
    }

    /// Appends a page to a table. Returns the number of its tokens.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the tokenizer fails; [`Error::Io`].
    pub(super) fn write_row(&self, view: &View<'_>, table: &mut TableFile) -> Result<Option<i64>> {
        let row = self.row(view)?;
        table.push(&row)?;
        Ok(row.tokens)
    }
}
