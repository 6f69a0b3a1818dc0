//! The files of one collection of a shard.

use super::corpora::{Columns, TableFile};
use super::file::CompressedFile;
use super::recipe::Target;
use super::{Compression, ExportSettings, Format, View, json, markup, wet};
use crate::shards::ShardPage;
use std::path::Path;
use warcsieve_common::Result;
use warcsieve_render::TextFormat;

/// The files of a collection while they are written.
pub(super) struct Collection<'a> {
    settings: ExportSettings,
    columns: Option<&'a Columns>,
    raw: bool,
    /// Its path below the folder of the export.
    name: String,
    documents: Documents,
    /// Whether nothing is written yet.
    is_empty: bool,
    attributes: Option<CompressedFile>,
}

enum Documents {
    Lines(CompressedFile),
    Table(TableFile),
}

impl<'a> Collection<'a> {
    /// Starts the files of a collection.
    pub fn create(
        target: &Target,
        out: &Path,
        settings: ExportSettings,
        columns: Option<&'a Columns>,
    ) -> Result<Self> {
        // Each record of a WARC file is compressed by itself.
        let compression = match settings.format {
            Format::Wet => Compression::None,
            _ => settings.compression,
        };
        let create = |file: &Path| CompressedFile::create(&out.join(file), compression);
        let documents = match columns {
            Some(columns) if settings.format == Format::Parquet => {
                Documents::Table(columns.table(&out.join(&target.documents))?)
            }
            _ => Documents::Lines(create(&target.documents)?),
        };
        Ok(Self {
            settings,
            columns,
            raw: target.raw,
            name: target.documents.display().to_string(),
            documents,
            is_empty: true,
            attributes: target.attributes.as_deref().map(create).transpose()?,
        })
    }

    /// Appends a page; `line` is a reused buffer. Returns the number of tokens counted.
    pub fn write(&mut self, page: &ShardPage, form: TextFormat, line: &mut String) -> Result<u64> {
        let view = View {
            page,
            text: if self.raw { &page.raw } else { &page.text },
            title: self.settings.titles.then_some(&page.title),
            raw: self.raw,
            form: if self.raw { TextFormat::Text } else { form },
        };
        let mut tokens = None;
        line.clear();
        match (&mut self.documents, self.columns, self.settings.format) {
            (Documents::Table(table), Some(columns), _) => {
                tokens = columns.write_row(&view, table)?;
            }
            (_, Some(columns), _) => tokens = columns.write_line(&view, line)?,
            (_, None, Format::Trec) => markup::trec(&view, line),
            (_, None, Format::Trecweb) => markup::trecweb(&view, line),
            (_, None, Format::Anserini) => json::anserini(&view, line),
            (_, None, Format::Jsonl | Format::Parquet) => json::row(&view, line),
            (_, None, Format::Dolma) => json::dolma(&view, line),
            (_, None, Format::Wet) => {
                self.write_info(Some(&view), line)?;
                line.clear();
                wet::conversion(&view, line);
            }
        }
        self.write_documents(line)?;
        if let Some(attributes) = &mut self.attributes {
            line.clear();
            json::dolma_attributes(&view, line)?;
            attributes.write(line.as_bytes())?;
        }
        Ok(tokens.map_or(0, i64::unsigned_abs))
    }

    /// Begins a WARC file with the record that says what it is, unless that is there.
    fn write_info(&mut self, first: Option<&View<'_>>, record: &mut String) -> Result<()> {
        if !std::mem::take(&mut self.is_empty) {
            return Ok(());
        }
        record.clear();
        wet::info(&self.name, first, record);
        self.write_documents(record)
    }

    fn write_documents(&mut self, text: &str) -> Result<()> {
        match &mut self.documents {
            Documents::Table(_) => Ok(()),
            Documents::Lines(file) if self.settings.format == Format::Wet => {
                file.write_member(text.as_bytes(), self.settings.compression)
            }
            Documents::Lines(file) => file.write(text.as_bytes()),
        }
    }

    /// Gives the files their final names. Returns the size in bytes and the SHA-256 of each.
    pub fn commit(mut self, record: &mut String) -> Result<Vec<(u64, String)>> {
        if self.settings.format == Format::Wet {
            self.write_info(None, record)?;
        }
        let documents = match self.documents {
            Documents::Lines(file) => file.commit(),
            Documents::Table(table) => table.commit(),
        };
        let attributes = self.attributes.map(CompressedFile::commit);
        std::iter::once(documents).chain(attributes).collect()
    }
}
