//! Exports many shards.

use super::file::CompressedFile;
use super::recipe::{Recipe, Target, success, written};
use super::{Compression, ExportSettings, Format, View, json, markup, wet};
use crate::omit::Omit;
use crate::shards::{Pages, Shard, ShardPage};
use rayon::prelude::*;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_render::TextFormat;
use warcsieve_store::{FolderLock, write_atomically};
use warcsieve_tables::OutputFile;

/// The result of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportSummary {
    /// Number of shards exported.
    pub shards: u64,
    /// Number of shards kept from an earlier run.
    pub kept: u64,
    /// Number of pages in the exported shards.
    pub pages: u64,
    /// Number of files written.
    pub files: u64,
    /// Total bytes of these files.
    pub bytes: u64,
}

/// Exports the pages of the shards that are not left out into the folder `out`. Uses all threads of the current rayon
/// pool, with one shard per thread at a time. Shards that an earlier run with the same recipe exported are kept if
/// `_FILES` lists them and their files still have the written sizes. At the end `_SUCCESS` is written.
///
/// The files depend only on shards and settings. Memory per thread: a page, twice its written form, and that of
/// [`Pages`](crate::shards::Pages).
///
/// # Errors
/// [`Error::Invalid`](warcsieve_common::Error::Invalid) if `out` contains something else and `force` is
/// not set, or if shards lack what the format needs;
/// [`Error::Integrity`](warcsieve_common::Error::Integrity) if a shard is not what was written;
/// [`Error::Io`](warcsieve_common::Error::Io), also where another process writes to `out`.
pub fn export(
    shards: &[Shard],
    settings: ExportSettings,
    omit: &Omit,
    out: &Path,
    force: bool,
    progress: &Progress,
) -> Result<ExportSummary> {
    let recipe = Recipe::of(shards, settings, omit);
    let _lock = FolderLock::take(out)?;
    recipe.claim(out, force)?;
    let parts = shards.par_iter().map(|shard| {
        let targets = recipe.targets(&shard.name);
        let summary = if is_written(&shard.name, out)? {
            progress.bytes_read.fetch_add(shard.bytes(), Relaxed);
            ExportSummary {
                kept: 1,
                ..ExportSummary::default()
            }
        } else {
            export_shard(shard, settings, omit, (&targets, out), progress)?
        };
        progress.inputs_done.fetch_add(1, Relaxed);
        Ok(summary)
    });
    let summary = parts.try_reduce(ExportSummary::default, |a, b| {
        Ok(ExportSummary {
            shards: a.shards + b.shards,
            kept: a.kept + b.kept,
            pages: a.pages + b.pages,
            files: a.files + b.files,
            bytes: a.bytes + b.bytes,
        })
    })?;
    write_atomically(&success(out), b"")?;
    Ok(summary)
}

/// The files of a collection while they are written.
struct Collection {
    raw: bool,
    /// Its path below the folder of the export.
    name: String,
    documents: CompressedFile,
    /// Whether nothing is written yet.
    is_empty: bool,
    attributes: Option<CompressedFile>,
}

fn export_shard(
    shard: &Shard,
    settings: ExportSettings,
    omit: &Omit,
    (targets, out): (&[Target], &Path),
    progress: &Progress,
) -> Result<ExportSummary> {
    let mut pages = Pages::open(shard, settings.parts())?;
    // Each record of a WARC file is compressed by itself.
    let compression = match settings.format {
        Format::Wet => Compression::None,
        _ => settings.compression,
    };
    let create = |file: &Path| CompressedFile::create(&out.join(file), compression);
    let mut collections = Vec::new();
    for target in targets {
        collections.push(Collection {
            raw: target.raw,
            name: target.documents.display().to_string(),
            documents: create(&target.documents)?,
            is_empty: true,
            attributes: target.attributes.as_deref().map(create).transpose()?,
        });
    }
    let mut summary = ExportSummary {
        shards: 1,
        ..ExportSummary::default()
    };
    let (mut page, mut line, mut seen) = (ShardPage::default(), String::new(), 0);
    while pages.read_page(&mut page)? {
        progress.go_on()?;
        let stays = omit.stays(&page.id);
        if stays {
            for collection in &mut collections {
                collection.write(&page, pages.form(), settings, &mut line)?;
            }
        }
        // An estimate that assumes all pages have the same size.
        let read = |pages| shard.bytes() * pages / shard.pages().max(1);
        let bytes = read(seen + 1) - read(seen);
        seen += 1;
        progress.bytes_read.fetch_add(bytes, Relaxed);
        progress.pages.fetch_add(1, Relaxed);
        summary.pages += u64::from(stays);
    }
    if settings.format == Format::Wet {
        for collection in &mut collections {
            collection.write_info(None, settings.compression, &mut line)?;
        }
    }
    let files = collections
        .into_iter()
        .flat_map(|c| std::iter::once(c.documents).chain(c.attributes));
    let paths = targets.iter().flat_map(Target::files);
    let mut outputs = Vec::new();
    for (path, file) in paths.zip(files) {
        let (bytes, sha256) = file.commit()?;
        summary.bytes += bytes;
        summary.files += 1;
        outputs.push(OutputFile {
            path: path.display().to_string(),
            bytes,
            rows: summary.pages,
            sha256,
        });
    }
    let json = serde_json::to_vec(&outputs).expect("outputs are plain data");
    write_atomically(&out.join(written(&shard.name)), &json)?;
    Ok(summary)
}

/// Whether the files of a shard exist with the sizes that were written.
fn is_written(shard: &str, out: &Path) -> Result<bool> {
    let path = out.join(written(shard));
    let json = match fs::read(&path) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(false),
        json => json.map_err(|e| Error::io(&path, e))?,
    };
    // A list that cannot be read counts as missing: the shard is written again.
    let files: Vec<OutputFile> = serde_json::from_slice(&json).unwrap_or_default();
    let is_there = |file: &OutputFile| {
        fs::metadata(out.join(&file.path)).is_ok_and(|found| found.len() == file.bytes)
    };
    Ok(!files.is_empty() && files.iter().all(is_there))
}

impl Collection {
    /// Begins a WARC file with the record that says what it is, unless that is there.
    fn write_info(
        &mut self,
        first: Option<&View<'_>>,
        compression: Compression,
        record: &mut String,
    ) -> Result<()> {
        if !std::mem::take(&mut self.is_empty) {
            return Ok(());
        }
        record.clear();
        wet::info(&self.name, first, record);
        self.documents.write_member(record.as_bytes(), compression)
    }

    /// Appends a page; `line` is a reused buffer.
    fn write(
        &mut self,
        page: &ShardPage,
        form: TextFormat,
        settings: ExportSettings,
        line: &mut String,
    ) -> Result<()> {
        let view = View {
            page,
            text: if self.raw { &page.raw } else { &page.text },
            title: settings.titles.then_some(&page.title),
            raw: self.raw,
            form: if self.raw { TextFormat::Text } else { form },
        };
        if settings.format == Format::Wet {
            self.write_info(Some(&view), settings.compression, line)?;
        }
        line.clear();
        match settings.format {
            Format::Trec => markup::trec(&view, line),
            Format::Trecweb => markup::trecweb(&view, line),
            Format::Anserini => json::anserini(&view, line),
            Format::Jsonl => json::row(&view, line),
            Format::Dolma => json::dolma(&view, line),
            Format::Wet => {
                wet::conversion(&view, line);
                return self
                    .documents
                    .write_member(line.as_bytes(), settings.compression);
            }
        }
        self.documents.write(line.as_bytes())?;
        if let Some(attributes) = &mut self.attributes {
            line.clear();
            json::dolma_attributes(&view, line)?;
            attributes.write(line.as_bytes())?;
        }
        Ok(())
    }
}
