//! Which blocks are looked for.

use crate::manifest::ManifestRow;
use crate::output::OutputFolder;
use crate::shards::{Checked, Rows, lacking};
use arrow_array::types::Int64Type;
use arrow_schema::{DataType, Field, Schema};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use warcsieve_common::Result;
use warcsieve_engine::Progress;
use warcsieve_tables::{NAMES, OutputFile};

/// Most rows in memory.
const ROWS: usize = 1024;

/// A page with blocks that were picked.
pub(super) struct Picked {
    pub id: String,
    /// Where its member begins in the input.
    pub offset: u64,
    /// Bytes of that member; `None` if it is not known.
    pub length: Option<u64>,
    pub blocks: Vec<Block>,
}

/// A block, as the tables have it.
pub(super) struct Block {
    /// Its number in the page.
    pub number: usize,
    /// Its place in the decoded page.
    pub source: Range<u32>,
    pub text: String,
}

/// Picks numbers of content blocks, and groups them by shard. `sizes` are the numbers of content blocks
/// of the shards.
pub(super) fn by_shard(sizes: &[u64], blocks: u64, seed: u64) -> BTreeMap<usize, BTreeSet<u64>> {
    let total = sizes.iter().fold(0, |sum: u64, n| sum.saturating_add(*n));
    let mut picked = BTreeSet::new();
    let mut state = seed;
    // Floyd's algorithm: each set of so many numbers is equally likely.
    for end in total.saturating_sub(blocks)..total {
        let number = below(&mut state, end + 1);
        if !picked.insert(number) {
            picked.insert(end);
        }
    }
    let mut shards: BTreeMap<usize, BTreeSet<u64>> = BTreeMap::new();
    let (mut shard, mut begin) = (0, 0);
    for number in picked {
        while number - begin >= sizes[shard] {
            begin += sizes[shard];
            shard += 1;
        }
        shards.entry(shard).or_default().insert(number - begin);
    }
    shards
}

/// A number below `n`, by SplitMix64.
fn below(state: &mut u64, n: u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    // The high half of the product is below `n`.
    ((u128::from(z) * u128::from(n)) >> 64) as u64
}

fn open(out: &OutputFolder, row: &ManifestRow, table: &str, columns: &[Field]) -> Result<Rows> {
    let file = row
        .outputs
        .iter()
        .find(|file: &&OutputFile| file.is_of(table));
    let Some(file) = file else {
        return Err(lacking(
            &out.manifest_path(&row.input),
            &format!("has no table `{table}`"),
            "blocks = true",
        ));
    };
    Checked::open(out.path(), file)?.read(&Schema::new(columns.to_vec()), ROWS)
}

/// Reads the content blocks with these numbers, counted in the shard, and where their pages are. The
/// pages are in the order of the crawl.
pub(super) fn read(
    out: &OutputFolder,
    row: &ManifestRow,
    numbers: &BTreeSet<u64>,
    progress: &Progress,
) -> Result<Vec<Picked>> {
    let field = Field::new;
    let mut rows = open(
        out,
        row,
        NAMES.blocks,
        &[
            field("block", DataType::Int32, false),
            field("label", DataType::Utf8, false),
            field("text", DataType::Utf8, true),
            field("source_start", DataType::Int32, false),
            field("source_end", DataType::Int32, false),
        ],
    )?;
    // By the number of the page among those with blocks.
    let mut blocks: BTreeMap<u64, Vec<Block>> = BTreeMap::new();
    let (mut content, mut pages) = (0, 0);
    while rows.advance()? {
        progress.go_on()?;
        let number = rows
            .count("block")
            .ok_or_else(|| rows.broken("has no number"))?;
        pages += u64::from(number == 0);
        if rows.text("label") != Some("content") {
            continue;
        }
        content += 1;
        if !numbers.contains(&(content - 1)) {
            continue;
        }
        let Some(text) = rows.text("text") else {
            return Err(lacking(
                rows.path(),
                "has no texts of blocks",
                "block_text = \"all\"",
            ));
        };
        let source = rows.count("source_start").zip(rows.count("source_end"));
        let (start, end) = source.ok_or_else(|| rows.broken("has no place in the page"))?;
        blocks.entry(pages).or_default().push(Block {
            number: number as usize,
            source: start..end,
            text: text.to_owned(),
        });
    }
    let mut rows = open(
        out,
        row,
        NAMES.documents,
        &[
            field("id", DataType::Utf8, false),
            field("warc_record_offset", DataType::Int64, false),
            field("warc_record_length", DataType::Int64, true),
            field("n_blocks", DataType::Int32, false),
        ],
    )?;
    let (mut picked, mut pages) = (Vec::new(), 0);
    while rows.advance()? {
        progress.go_on()?;
        pages += u64::from(rows.count("n_blocks").unwrap_or(0) > 0);
        let is_counted = rows.count("n_blocks").unwrap_or(0) > 0;
        let Some(blocks) = is_counted.then(|| blocks.remove(&pages)).flatten() else {
            continue;
        };
        let number = |name| {
            rows.number::<Int64Type>(name)
                .and_then(|n| u64::try_from(n).ok())
        };
        picked.push(Picked {
            id: rows.text("id").unwrap_or_default().to_owned(),
            offset: number("warc_record_offset").ok_or_else(|| rows.broken("has no offset"))?,
            length: number("warc_record_length"),
            blocks,
        });
    }
    match blocks.is_empty() {
        true => Ok(picked),
        false => Err(rows.broken("ends before the pages of all blocks")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_is_picked_once_and_all_are_equally_likely() {
        assert!(by_shard(&[], 5, 1).is_empty());
        let all = by_shard(&[2, 0, 3], 100, 1);
        let all: Vec<_> = all.iter().map(|(shard, n)| (*shard, n.len())).collect();
        assert_eq!(all, [(0, 2), (2, 3)]);
        let mut times = [0; 10];
        for seed in 0..3000 {
            let picked = by_shard(&[4, 6], 3, seed);
            assert_eq!(picked.values().map(BTreeSet::len).sum::<usize>(), 3);
            for (shard, numbers) in picked {
                for number in numbers {
                    times[number as usize + 4 * shard] += 1;
                }
            }
        }
        // 900 each, with a standard deviation of 25.
        assert!(times.iter().all(|n| (775..1025).contains(n)), "{times:?}");
    }
}
