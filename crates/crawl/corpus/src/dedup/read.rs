//! The first pass: reads what pages are compared by.

use super::options::DedupOptions;
use super::paragraphs::Paragraphs;
use super::scratch::{Kept, Scratch};
use super::sort::Sorter;
use crate::pages::{self, TEXTS};
use arrow_array::types::{ArrowPrimitiveType, Float32Type, Float64Type, Int32Type, Int64Type};
use arrow_schema::DataType;
use rayon::prelude::*;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use twox_hash::XxHash3_128;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_filters::near::{Shingler, Signer};
use warcsieve_run::shards::{Rows, Shard};

/// Everything that later passes need to know about the pages.
pub(super) struct Read {
    /// Records of (hash of the address: two numbers, page).
    pub(super) urls: Sorter<3>,
    /// Records of (hash of the text: two numbers, page).
    pub(super) texts: Sorter<3>,
    /// `None` unless repeated paragraphs are asked for.
    pub(super) paragraphs: Option<Paragraphs>,
    /// Records of (key of a band, page).
    pub(super) bands: Sorter<2>,
    pub(super) kept: Kept,
    /// For each page, its value in the column that decides which page stays.
    pub(super) ranks: Option<Vec<f64>>,
}

struct Shared {
    urls: Sorter<3>,
    texts: Sorter<3>,
    paragraphs: Option<Paragraphs>,
    bands: Sorter<2>,
    scratch: Scratch,
    ranks: Option<Vec<f64>>,
}

/// Reads all shards with all threads of the pool. Pages are numbered in the order of shards.
pub(super) fn read(
    shards: &[&Shard],
    options: &DedupOptions,
    folder: &Path,
    progress: &Progress,
) -> Result<Read> {
    let mut pages = 0;
    let mut begins = Vec::new();
    for shard in shards {
        begins.push(pages);
        pages += shard.pages();
    }
    let count = u32::try_from(pages).map_err(|_| {
        Error::Invalid(format!(
            "{pages} pages; at most {} are compared at once",
            u32::MAX
        ))
    })?;
    // A quarter of the memory each for paragraphs and bands, an eighth for addresses and texts. The
    // rest is for the sorters of later passes.
    let bytes = options.memory / 4;
    let shared = Mutex::new(Shared {
        urls: Sorter::new(folder, bytes / 4),
        texts: Sorter::new(folder, bytes / 4),
        paragraphs: (options.exact.paragraph).then(|| Paragraphs::new(folder, bytes)),
        bands: Sorter::new(folder, bytes),
        scratch: Scratch::new(folder, count as usize)?,
        ranks: options
            .best
            .as_ref()
            .map(|_| vec![f64::NEG_INFINITY; count as usize]),
    });
    let each = shards.par_iter().zip(&begins);
    each.try_for_each(|(shard, &begin)| read_shard(shard, begin, options, &shared, progress))?;
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Read {
        urls: shared.urls,
        texts: shared.texts,
        paragraphs: shared.paragraphs,
        bands: shared.bands,
        kept: shared.scratch.finish()?,
        ranks: shared.ranks,
    })
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read_shard(
    shard: &Shard,
    mut number: u64,
    options: &DedupOptions,
    shared: &Mutex<Shared>,
    progress: &Progress,
) -> Result<()> {
    let mut columns = TEXTS.to_vec();
    let best = match &options.best {
        Some(name) => Some((name.as_str(), pages::number_column(shard, name)?)),
        None => None,
    };
    columns.extend(best.clone());
    let mut rows = pages::open(shard, &columns)?;
    let mut shingler = Shingler::default();
    let mut signer = options.near.as_ref().map(Signer::new);
    let (mut shingles, mut keys) = (Vec::new(), Vec::new());
    while rows.advance()? {
        let text = rows.text("text").unwrap_or_default();
        shingles.clear();
        keys.clear();
        if let (Some(scheme), Some(signer)) = (&options.near, &mut signer) {
            shingler.shingles(text, scheme.shingle, &mut shingles);
            signer.keys(&shingles, &mut keys);
        }
        let url = rows.text("url").unwrap_or_default();
        let mut shared = lock(shared);
        let id = rows.text("id").unwrap_or_default();
        shared.scratch.push(number as usize, id, &shingles)?;
        if options.exact.url && !url.is_empty() {
            shared.urls.push(hashed(url, number))?;
        }
        if options.exact.text && !text.is_empty() {
            shared.texts.push(hashed(text, number))?;
        }
        if let Some(paragraphs) = &mut shared.paragraphs {
            paragraphs.push(number, text)?;
        }
        for key in &keys {
            shared.bands.push([*key, number])?;
        }
        if let (Some((name, kind)), Some(ranks)) = (&best, &mut shared.ranks)
            && let Some(rank) = rank(&rows, name, kind)
        {
            ranks[number as usize] = rank;
        }
        drop(shared);
        number += 1;
        if number.is_multiple_of(1024) {
            progress.go_on()?;
            progress.add_pages(1024);
        }
    }
    progress.add_bytes(shard.bytes());
    progress.input_done();
    Ok(())
}

fn hashed(text: &str, page: u64) -> [u64; 3] {
    let hash = XxHash3_128::oneshot(text.as_bytes());
    [(hash >> 64) as u64, hash as u64, page]
}

/// The value of a number column, as a rank.
fn rank(rows: &Rows, name: &str, kind: &DataType) -> Option<f64> {
    fn number<T: ArrowPrimitiveType>(rows: &Rows, name: &str) -> Option<T::Native> {
        rows.number::<T>(name)
    }
    match kind {
        DataType::Float64 => number::<Float64Type>(rows, name),
        DataType::Float32 => number::<Float32Type>(rows, name).map(f64::from),
        DataType::Int32 => number::<Int32Type>(rows, name).map(f64::from),
        DataType::Int64 => number::<Int64Type>(rows, name).map(|n| n as f64),
        _ => None,
    }
}
