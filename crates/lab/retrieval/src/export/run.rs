//! Exports many shards.

use super::collection::Collection;
use super::corpora::Columns;
use super::recipe::{Recipe, Target, success, written};
use super::{ExportSettings, Format};
use crate::omit::Omit;
use crate::shards::{Pages, Shard, ShardPage};
use rayon::prelude::*;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_store::{FolderLock, write_atomically};
use warcsieve_tables::OutputFile;

/// The result of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportSummary {
    /// Number of shards exported.
    pub shards: u64,
    /// Number of shards kept from an earlier run.
    pub kept: u64,
    /// Number of pages written of the exported shards.
    pub pages: u64,
    /// Number of their other pages, which are left out.
    pub left_out: u64,
    /// Number of tokens counted, in each text that is written.
    pub tokens: u64,
    /// Number of files written.
    pub files: u64,
    /// Total bytes of these files.
    pub bytes: u64,
}

/// Exports the pages of the shards that are not left out into the folder `out`. Uses all threads of the current rayon
/// pool, with one shard per thread at a time. With `columns`, pages have the columns of a published corpus. Shards that
/// an earlier run with the same recipe exported are kept if `_FILES` lists them and their files still have the written
/// sizes. At the end `_SUCCESS` is written.
///
/// The files depend only on shards and settings. Memory per thread: a page, twice its written form, that of
/// [`Pages`](crate::shards::Pages), for Parquet a row group, and for tokens those of a page.
///
/// # Errors
/// [`Error::Invalid`](warcsieve_common::Error::Invalid) if `out` contains something else and `force` is
/// not set, or if shards lack what the format needs;
/// [`Error::Integrity`](warcsieve_common::Error::Integrity) if a shard is not what was written;
/// [`Error::Io`](warcsieve_common::Error::Io), also where another process writes to `out`.
pub fn export(
    shards: &[Shard],
    settings: ExportSettings,
    columns: Option<&Columns>,
    omit: &Omit,
    out: &Path,
    force: bool,
    progress: &Progress,
) -> Result<ExportSummary> {
    check(shards, settings.format, columns)?;
    let recipe = Recipe::of(shards, settings, columns, omit);
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
            export_shard(shard, settings, (columns, omit), (&targets, out), progress)?
        };
        progress.inputs_done.fetch_add(1, Relaxed);
        Ok(summary)
    });
    let summary = parts.try_reduce(ExportSummary::default, |a, b| {
        Ok(ExportSummary {
            shards: a.shards + b.shards,
            kept: a.kept + b.kept,
            pages: a.pages + b.pages,
            left_out: a.left_out + b.left_out,
            tokens: a.tokens + b.tokens,
            files: a.files + b.files,
            bytes: a.bytes + b.bytes,
        })
    })?;
    write_atomically(&success(out), b"")?;
    Ok(summary)
}

/// Checks that the format can hold the columns, and that their values are known.
fn check(shards: &[Shard], format: Format, columns: Option<&Columns>) -> Result<()> {
    match (columns, format) {
        (Some(columns), Format::Jsonl | Format::Parquet) => columns.check(shards),
        (Some(_), _) => Err(Error::Invalid(
            "--columns works with --to jsonl and parquet".to_owned(),
        )),
        (None, Format::Parquet) => Err(Error::Invalid(
            "parquet needs --columns; the tables of the output folder are Parquet already"
                .to_owned(),
        )),
        (None, _) => Ok(()),
    }
}

fn export_shard(
    shard: &Shard,
    settings: ExportSettings,
    (columns, omit): (Option<&Columns>, &Omit),
    (targets, out): (&[Target], &Path),
    progress: &Progress,
) -> Result<ExportSummary> {
    let mut pages = Pages::open(shard, settings.parts())?;
    let create = |target| Collection::create(target, out, settings, columns);
    let mut collections = targets.iter().map(create).collect::<Result<Vec<_>>>()?;
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
                summary.tokens += collection.write(&page, pages.form(), &mut line)?;
            }
        }
        // An estimate that assumes all pages have the same size.
        let read = |pages| shard.bytes() * pages / shard.pages().max(1);
        let bytes = read(seen + 1) - read(seen);
        seen += 1;
        progress.bytes_read.fetch_add(bytes, Relaxed);
        progress.pages.fetch_add(1, Relaxed);
        summary.pages += u64::from(stays);
        summary.left_out += u64::from(!stays);
    }
    let mut outputs = Vec::new();
    for (collection, target) in collections.into_iter().zip(targets) {
        let files = collection.commit(&mut line)?;
        for (path, (bytes, sha256)) in target.files().zip(files) {
            summary.bytes += bytes;
            summary.files += 1;
            outputs.push(OutputFile {
                path: path.display().to_string(),
                bytes,
                rows: summary.pages,
                sha256,
            });
        }
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
