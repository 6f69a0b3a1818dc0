//! Reads the pages of a shard one by one.

use super::Parts;
use super::page::{ShardBlock, ShardPage};
use arrow_array::types::{Float32Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_schema::DataType::{Float32, Int32, Utf8};
use arrow_schema::{Field, Schema};
use warcsieve_common::{Error, Result};
use warcsieve_render::TextFormat;
use warcsieve_run::shards::{Checked, Rows, Shard, lacking};

/// Maximum rows per batch of `documents`. It is small because one batch may contain several large
/// pages.
const DOCUMENTS: usize = 16;
/// Maximum rows per batch of `blocks`.
const BLOCKS: usize = 1024;

/// Reads a shard's pages in order.
///
/// Memory in addition to the page: a batch of each file, which is about 1 MiB if pages have equal sizes, at most 16
/// pages and 1,024 blocks, and a Parquet page of each column.
pub struct Pages {
    documents: Rows,
    form: TextFormat,
    blocks: Option<Rows>,
    parts: Parts,
}

impl Pages {
    /// Opens the files of a shard.
    ///
    /// # Errors
    /// [`Error::Integrity`](warcsieve_common::Error::Integrity) if a file is missing or does not match
    /// the manifest row; [`Error::Invalid`](warcsieve_common::Error::Invalid) if the pipeline did not write
    /// a requested part; [`Error::Io`](warcsieve_common::Error::Io).
    pub fn open(shard: &Shard, parts: Parts) -> Result<Self> {
        let folder = &shard.folder;
        let documents = Checked::open(folder, &shard.documents)?;
        Ok(Self {
            form: form_of(&documents)?,
            documents: documents.read(&warcsieve_tables::DOCUMENTS, DOCUMENTS)?,
            blocks: match parts.any_blocks() {
                true => Some(open_blocks(shard, parts)?),
                false => None,
            },
            parts,
        })
    }

    /// The form of [`ShardPage::text`].
    pub fn form(&self) -> TextFormat {
        self.form
    }

    /// Reads the next page into `page`; `false` at the end.
    ///
    /// # Errors
    /// [`Error::Integrity`](warcsieve_common::Error::Integrity) if a row cannot be decoded, or the
    /// blocks do not belong to the page; [`Error::Invalid`](warcsieve_common::Error::Invalid) if
    /// [`Parts::raw`] was requested and the pipeline wrote no texts.
    pub fn read_page(&mut self, page: &mut ShardPage) -> Result<bool> {
        page.raw.clear();
        page.blocks.clear();
        if !self.documents.advance()? {
            if let Some(blocks) = &mut self.blocks
                && blocks.advance()?
            {
                return Err(blocks.broken("a block of no page"));
            }
            return Ok(false);
        }
        read_document(&self.documents, page);
        let Ok(n_blocks) = u32::try_from(page.n_blocks) else {
            return Err(self.documents.broken("a negative number of blocks"));
        };
        if let Some(rows) = &mut self.blocks {
            for block in 0..n_blocks {
                let there = rows.advance()?;
                let id = there.then(|| rows.text("id")).flatten();
                if id != Some(&page.id) || rows.count("block") != Some(block) {
                    let what = format!("block {block} of page {} should be here", page.id);
                    return Err(rows.broken(&what));
                }
                read_block(rows, self.parts, page)?;
            }
        }
        Ok(true)
    }
}

/// The form of the texts of `documents`, by its footer.
fn form_of(documents: &Checked) -> Result<TextFormat> {
    let output = documents.footer("warcsieve.output");
    let form = TextFormat::ALL
        .into_iter()
        .find(|form| output == Some(form.as_str()));
    form.ok_or_else(|| Error::Integrity {
        path: documents.path().to_owned(),
        message: "its footer does not say the form of the texts".to_owned(),
    })
}

fn open_blocks(shard: &Shard, parts: Parts) -> Result<Rows> {
    let Some(file) = &shard.blocks else {
        let path = shard.folder.join(&shard.documents.path);
        return Err(lacking(
            &path,
            "its blocks were not written",
            "blocks = true",
        ));
    };
    let file = Checked::open(&shard.folder, file)?;
    if parts.features && !file.has("words") {
        let what = "numbers of blocks were left out";
        return Err(lacking(file.path(), what, "features = \"core\""));
    }
    let mut columns = vec![
        ("id", Utf8),
        ("block", Int32),
        ("text_start", Int32),
        ("text_end", Int32),
        ("label", Utf8),
        ("score", Float32),
    ];
    if parts.raw {
        columns.push(("text", Utf8));
    }
    if parts.features {
        columns.extend([("words", Int32), ("text_density", Float32)]);
    }
    let field = |(name, kind)| Field::new(name, kind, true);
    let columns: Vec<_> = columns.into_iter().map(field).collect();
    file.read(&Schema::new(columns), BLOCKS)
}

fn read_document(row: &Rows, page: &mut ShardPage) {
    let texts = [
        ("id", &mut page.id),
        ("text", &mut page.text),
        ("title", &mut page.title),
        ("url", &mut page.url),
        ("warc_filename", &mut page.warc_filename),
        ("warc_record_id", &mut page.warc_record_id),
        ("content_mime_type", &mut page.content_mime_type),
        ("content_charset", &mut page.content_charset),
        ("charset_source", &mut page.charset_source),
        ("method", &mut page.method),
    ];
    for (name, text) in texts {
        text.clear();
        text.push_str(row.text(name).unwrap_or_default());
    }
    let owned = |name| row.text(name).map(str::to_owned);
    page.content_digest = owned("content_digest");
    page.content_truncated = owned("content_truncated");
    page.digest_verdict = owned("digest_verdict");
    page.language = owned("language");
    page.warc_language = owned("warc_language");
    page.warnings = owned("warnings");
    page.date = row.number::<TimestampMicrosecondType>("date");
    let offset = row.number::<Int64Type>("warc_record_offset");
    page.warc_record_offset = offset.unwrap_or_default();
    page.warc_record_length = row.number::<Int64Type>("warc_record_length");
    page.fetch_status = row.number::<Int32Type>("fetch_status");
    page.language_score = row.number::<Float32Type>("language_score");
    let count = |name| row.number::<Int32Type>(name).unwrap_or_default();
    page.n_blocks = count("n_blocks");
    page.n_content_blocks = count("n_content_blocks");
    page.confidence = row.number::<Float32Type>("confidence");
    page.n_formulas = count("n_formulas");
    page.html_bytes = count("html_bytes");
    page.text_bytes = count("text_bytes");
}

/// Adds the block in the current row to the page.
fn read_block(row: &Rows, parts: Parts, page: &mut ShardPage) -> Result<()> {
    let mut block = ShardBlock {
        content: row.text("label") == Some("content"),
        score: row.number::<Float32Type>("score").unwrap_or_default(),
        ..ShardBlock::default()
    };
    if let (Some(start), Some(end)) = (row.count("text_start"), row.count("text_end")) {
        let mut before = page.blocks.iter().rev().filter_map(|b| b.text.as_ref());
        let is_after_last = before.next().is_none_or(|b| b.end <= start);
        if !is_after_last || page.text.get(start as usize..end as usize).is_none() {
            let what =
                "text_start to text_end is not a range of the page's text after the last one";
            return Err(row.broken(what));
        }
        block.text = Some(start..end);
    }
    if parts.raw {
        let Some(text) = row.text("text") else {
            return Err(lacking(
                row.path(),
                "texts of blocks were left out",
                "block_text = \"all\"",
            ));
        };
        if !page.blocks.is_empty() {
            page.raw.push('\n');
        }
        let start = page.raw.len();
        page.raw.push_str(text);
        let place = |at| u32::try_from(at).ok();
        let (Some(start), Some(end)) = (place(start), place(page.raw.len())) else {
            return Err(row.broken("the texts of the page's blocks are longer than 4 GiB"));
        };
        block.raw = start..end;
    }
    if parts.features {
        block.words = row.count("words").unwrap_or_default();
        block.text_density = row
            .number::<Float32Type>("text_density")
            .unwrap_or_default();
    }
    page.blocks.push(block);
    Ok(())
}
