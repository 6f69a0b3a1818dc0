//! An export of many shards.

use super::file::CompressedFile;
use super::lock::lock;
use super::recipe::{Recipe, Target, success, written};
use super::{ExportSettings, Format, View, json, markup};
use crate::error::{Error, Result};
use crate::pipeline::Progress;
use crate::retrieval::shards::{Shard, ShardPage};
use crate::sink::{OutputFile, write_atomically};
use rayon::prelude::*;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

/// What an export did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportSummary {
    /// Shards exported.
    pub shards: u64,
    /// Shards that were there from an earlier run.
    pub kept: u64,
    /// Pages of the shards exported.
    pub pages: u64,
    /// Files written.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Exports shards into the folder `out`, on all threads of the current rayon pool, a shard at a time
/// each. Shards that an earlier run by the same recipe has exported are kept, if `_FILES` tells of them and their
/// files are there as they were written; in the end `_SUCCESS` is written.
///
/// The files depend on shards and settings alone. Memory of a thread: a page, twice as it is written,
/// and what [`Pages`](crate::retrieval::shards::Pages) takes.
///
/// # Errors
/// [`Error::Usage`](crate::error::Error::Usage) where `out` holds something else and `force` is not
/// set, another process writes to it, or shards lack what the format needs; [`Error::Integrity`](crate::error::Error::Integrity)
/// where a shard is not what was written; [`Error::Io`](crate::error::Error::Io).
pub fn export(
    shards: &[Shard],
    settings: ExportSettings,
    out: &Path,
    force: bool,
    progress: &Progress,
) -> Result<ExportSummary> {
    let recipe = Recipe::of(shards, settings);
    let _lock = lock(out)?;
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
            export_shard(shard, settings, &targets, out, progress)?
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

/// The files of a collection that are being written.
struct Collection {
    raw: bool,
    documents: CompressedFile,
    attributes: Option<CompressedFile>,
}

fn export_shard(
    shard: &Shard,
    settings: ExportSettings,
    targets: &[Target],
    out: &Path,
    progress: &Progress,
) -> Result<ExportSummary> {
    let mut pages = shard.pages(settings.parts())?;
    let create = |file: &Path| CompressedFile::create(&out.join(file), settings.compression);
    let mut collections = Vec::new();
    for target in targets {
        collections.push(Collection {
            raw: target.raw,
            documents: create(&target.documents)?,
            attributes: target.attributes.as_deref().map(create).transpose()?,
        });
    }
    let mut summary = ExportSummary {
        shards: 1,
        ..ExportSummary::default()
    };
    let (mut page, mut line) = (ShardPage::default(), String::new());
    while pages.read_page(&mut page)? {
        for collection in &mut collections {
            collection.write(&page, settings, &mut line)?;
        }
        // As if all pages took the same bytes.
        let read = |pages| shard.bytes() * pages / shard.documents().max(1);
        let bytes = read(summary.pages + 1) - read(summary.pages);
        progress.bytes_read.fetch_add(bytes, Relaxed);
        progress.pages.fetch_add(1, Relaxed);
        summary.pages += 1;
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

/// Whether the files of a shard are there, of the sizes that were written.
fn is_written(shard: &str, out: &Path) -> Result<bool> {
    let path = out.join(written(shard));
    let json = match fs::read(&path) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(false),
        json => json.map_err(|e| Error::io(&path, e))?,
    };
    // What cannot be read is written anew, as what is not there.
    let files: Vec<OutputFile> = serde_json::from_slice(&json).unwrap_or_default();
    let is_there = |file: &OutputFile| {
        fs::metadata(out.join(&file.path)).is_ok_and(|found| found.len() == file.bytes)
    };
    Ok(!files.is_empty() && files.iter().all(is_there))
}

impl Collection {
    /// Appends a page; `line` is room for it.
    fn write(
        &mut self,
        page: &ShardPage,
        settings: ExportSettings,
        line: &mut String,
    ) -> Result<()> {
        let view = View {
            page,
            text: if self.raw { &page.raw } else { &page.text },
            title: settings.titles.then_some(&page.title),
            raw: self.raw,
        };
        line.clear();
        match settings.format {
            Format::Trec => markup::trec(&view, line),
            Format::Trecweb => markup::trecweb(&view, line),
            Format::Anserini => json::anserini(&view, line),
            Format::Jsonl => json::row(&view, line),
            Format::Dolma => json::dolma(&view, line),
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
