//! Writes the pages that stay to files of their own.

use super::file::TableWriter;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{BooleanArray, RecordBatch};
use arrow_select::filter::filter_record_batch;
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use rayon::prelude::*;
use std::fs::File;
use std::path::Path;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_run::shards::{Checked, Shard};
use warcsieve_tables::OutputFile;
use warcsieve_tables::read::{Batches, TableFile, Unreadable};

/// Number of rows in a batch.
const ROWS: usize = 256;

/// Writes `out/documents/NAME.parquet` for each shard, with the unchanged rows of `documents` that
/// stay. `kept` is the table `kept` that [`dedup`](super::dedup) wrote for the same shards. Without
/// it all rows stay. The bytes do not depend on the number of threads.
///
/// Memory: a byte per page, and a batch and a row group per thread.
///
/// # Errors
/// [`Error::Integrity`] if a shard differs from its manifest row, or `kept` belongs to other
/// shards. [`Error::Io`]; [`Error::Stopped`]. Files that are complete stay.
pub fn write_kept(
    shards: &[Shard],
    kept: Option<&Path>,
    out: &Path,
    threads: usize,
    progress: &Progress,
) -> Result<Vec<OutputFile>> {
    let pages: u64 = shards.iter().map(Shard::pages).sum();
    let stays = match kept {
        Some(path) => read_kept(path, pages)?,
        None => vec![true; usize::try_from(pages).unwrap_or(usize::MAX)],
    };
    let mut rest = stays.as_slice();
    let parts = shards.iter().map(|shard| {
        // The numbers of pages add up to the length.
        let (own, others) = rest.split_at(usize::try_from(shard.pages()).unwrap_or(rest.len()));
        rest = others;
        (shard, own)
    });
    let parts: Vec<_> = parts.collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|e| Error::io(out, std::io::Error::other(e)))?;
    pool.install(|| {
        let parts = parts.into_par_iter();
        let files = parts.map(|(shard, stays)| write(shard, stays, out, progress));
        files.collect()
    })
}

fn write(shard: &Shard, stays: &[bool], out: &Path, progress: &Progress) -> Result<OutputFile> {
    let checked = Checked::open(&shard.folder, &shard.documents)?;
    let (place, mut rows) = (checked.path().to_owned(), open(checked.path())?);
    let name = format!("documents/{}.parquet", shard.name);
    let mut file = TableWriter::create(&out.join(&name), rows.schema())?;
    let mut rest = stays;
    while let Some(batch) = next(&mut rows, &place)? {
        progress.go_on()?;
        let split = rest.split_at_checked(batch.num_rows());
        let (own, others) =
            split.ok_or_else(|| broken(&place, "has more rows than were written"))?;
        rest = others;
        let own = BooleanArray::from(own.to_vec());
        let batch = filter_record_batch(&batch, &own);
        file.write(&batch.expect("the mask has a value a row"))?;
        progress.add_pages(own.len() as u64);
    }
    progress.add_bytes(shard.bytes());
    progress.input_done();
    file.complete(name)
}

/// For each page, whether it stays.
fn read_kept(path: &Path, pages: u64) -> Result<Vec<bool>> {
    let mut stays = vec![false; usize::try_from(pages).unwrap_or(usize::MAX)];
    let mut rows = open(path)?;
    while let Some(batch) = next(&mut rows, path)? {
        let numbers = batch
            .column_by_name("page")
            .and_then(|column| column.as_primitive_opt::<Int64Type>())
            .ok_or_else(|| broken(path, "has no column `page` of numbers"))?;
        for &number in numbers.values() {
            let page = usize::try_from(number).ok();
            let page = page.and_then(|page| stays.get_mut(page));
            *page.ok_or_else(|| broken(path, "is of other pages"))? = true;
        }
    }
    Ok(stays)
}

fn open(path: &Path) -> Result<Batches> {
    let file = File::open(path).map_err(|e| Error::io(path, e))?;
    let table = TableFile::open(file, ArrowReaderOptions::new());
    let rows = table.and_then(|table| table.read_own(ROWS));
    rows.map_err(|why| undecodable(path, why))
}

fn next(rows: &mut Batches, path: &Path) -> Result<Option<RecordBatch>> {
    rows.next_batch().map_err(|why| undecodable(path, why))
}

fn undecodable(path: &Path, why: Unreadable) -> Error {
    why.at(path, |what| {
        broken(path, &format!("cannot be decoded ({what})"))
    })
}

fn broken(path: &Path, what: &str) -> Error {
    Error::Integrity {
        path: path.to_owned(),
        message: format!("{what}; remove it and run the same command again"),
    }
}
