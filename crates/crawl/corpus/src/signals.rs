//! Signals of documents that exist.

use super::file::TableWriter;
use super::pages::{self, TEXTS};
use arrow_array::RecordBatch;
use arrow_array::builder::StringBuilder;
use arrow_schema::{DataType, Field, Fields, Schema};
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_filters::signals::Measurer;
use warcsieve_run::shards::Shard;
use warcsieve_tables::signals::SignalRows;

/// Pages of a batch.
const BATCH: usize = 1024;

/// What was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SignalsSummary {
    /// Shards.
    pub shards: u64,
    /// Pages: rows written.
    pub pages: u64,
}

/// Writes `out/signals/NAME.parquet` for each shard: `id`, and a column for each of the signals with
/// these numbers, in the order of `documents`. The bytes do not depend on the number of threads.
///
/// Memory, a thread: a batch of pages, and what [`Measurer`] takes.
///
/// # Errors
/// [`Error::Usage`] if texts hold markup; [`Error::Integrity`] if a shard is not as it was written;
/// [`Error::Io`]; [`Error::Stopped`]. Shards that are done stay.
pub fn measure_shards(
    shards: &[Shard],
    numbers: &[usize],
    out: &Path,
    threads: usize,
    progress: &Progress,
) -> Result<SignalsSummary> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|e| Error::io(out, std::io::Error::other(e)))?;
    let pages = pool.install(|| {
        let shards = shards.par_iter();
        let pages = shards.map(|shard| measure(shard, numbers, out, progress));
        pages.sum::<Result<u64>>()
    })?;
    Ok(SignalsSummary {
        shards: shards.len() as u64,
        pages,
    })
}

fn measure(shard: &Shard, numbers: &[usize], out: &Path, progress: &Progress) -> Result<u64> {
    let mut rows = pages::open(shard, &[TEXTS[0].clone(), TEXTS[2].clone()])?;
    let id = Field::new("id", DataType::Utf8, false);
    let fields = std::iter::once(id).chain(SignalRows::fields(numbers));
    let schema = Arc::new(Schema::new(fields.collect::<Fields>()));
    let path = out.join(format!("signals/{}.parquet", shard.name));
    let mut file = TableWriter::create(&path, schema.clone())?;
    let (mut measurer, mut signals) = (Measurer::new(numbers), SignalRows::new(numbers));
    let (mut ids, mut count) = (StringBuilder::new(), 0);
    loop {
        let is_there = rows.advance()?;
        if is_there {
            measurer.measure(rows.text("text").unwrap_or_default());
            ids.append_value(rows.text("id").unwrap_or_default());
            signals.push(&measurer);
            count += 1;
        }
        if count == BATCH || !is_there {
            progress.go_on()?;
            progress.add_pages(count as u64);
            let mut columns: Vec<arrow_array::ArrayRef> = vec![Arc::new(ids.finish())];
            columns.extend(signals.finish());
            let batch = RecordBatch::try_new(schema.clone(), columns)
                .expect("the columns have the order and types of the schema");
            file.write(&batch)?;
            count = 0;
        }
        if !is_there {
            progress.add_bytes(shard.bytes());
            progress.input_done();
            return file.finish();
        }
    }
}
