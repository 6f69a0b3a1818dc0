//! Pages drawn at random, and their blocks.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::Float32Type;
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use twox_hash::XxHash3_64;
use warcsieve_common::{Error, files, is_lasting, prefix};
use warcsieve_tables::read::{TableFile, Unreadable};

/// How many pages are drawn from those with kept content, and from the others.
const DRAWN: usize = 20;

/// How many blocks of a page are shown, and how many bytes of a block.
const BLOCKS: u64 = 200;
const BLOCK_BYTES: usize = 400;

/// A drawn page, and the place of its blocks.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Drawn {
    pub id: String,
    pub title: String,
    pub url: String,
    pub input: String,
    pub offset: u64,
    pub html_bytes: u64,
    pub text_bytes: u64,
    pub blocks: u64,
    pub content_blocks: u64,
    /// Row of its first block in the `blocks` table of its input.
    #[serde(skip)]
    pub first_row: u64,
}

/// The pages with the smallest hashes of their ids. These are the same ones for any order of pages.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    pub kept: BTreeMap<(u64, String), Drawn>,
    pub dropped: BTreeMap<(u64, String), Drawn>,
}

impl Samples {
    /// Offers a page.
    pub fn offer(&mut self, id: &str, is_kept: bool, drawn: impl FnOnce() -> Drawn) {
        let drawn_so_far = match is_kept {
            true => &mut self.kept,
            false => &mut self.dropped,
        };
        let hash = XxHash3_64::oneshot(id.as_bytes());
        let last = drawn_so_far.last_key_value().map(|(key, _)| key);
        if drawn_so_far.len() < DRAWN || last.is_some_and(|(most, _)| hash < *most) {
            drawn_so_far
                .entry((hash, id.to_owned()))
                .or_insert_with(drawn);
            if drawn_so_far.len() > DRAWN {
                drawn_so_far.pop_last();
            }
        }
    }

    /// Adds the samples of the next input.
    pub fn merge(&mut self, other: Self) {
        for (is_kept, drawn) in [(true, other.kept), (false, other.dropped)] {
            for page in drawn.into_values() {
                let id = page.id.clone();
                self.offer(&id, is_kept, || page);
            }
        }
    }
}

/// A page with its first blocks.
#[derive(Clone, Debug, Serialize)]
pub struct SampledPage {
    #[serde(flatten)]
    pub page: Drawn,
    pub rows: Vec<Row>,
    /// Why there are no blocks, in words.
    pub why: Option<String>,
}

/// A block.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub text: String,
    pub kept: bool,
    pub score: f32,
    pub reason: String,
    /// Its element.
    pub tag: String,
}

/// Reads the first blocks of a page from the `blocks` table of its input.
///
/// # Errors
/// [`Error::Io`] if the system cannot read it now.
pub fn page(path: &Path, drawn: &Drawn) -> warcsieve_common::Result<SampledPage> {
    let (rows, why) = match drawn.blocks {
        0 => (Vec::new(), None),
        _ if !files::is_there(path)? => (Vec::new(), Some("the run wrote no blocks".to_owned())),
        _ => match rows(path, drawn) {
            Ok(rows) => (rows, None),
            Err(why) => (Vec::new(), Some(lasting(path, why)?)),
        },
    };
    Ok(SampledPage {
        page: drawn.clone(),
        rows,
        why,
    })
}

/// Why a file cannot be read, in words, where that stays so.
///
/// # Errors
/// [`Error::Io`] if another try may be able to.
pub fn lasting(path: &Path, why: Unreadable) -> warcsieve_common::Result<String> {
    match why {
        Unreadable::System(error) if !is_lasting(&error) => Err(Error::io(path, error)),
        why => Ok(why.to_string()),
    }
}

const COLUMNS: [&str; 6] = ["id", "text", "label", "score", "reason", "tag_path"];

fn rows(path: &Path, drawn: &Drawn) -> Result<Vec<Row>, Unreadable> {
    let file = File::open(path)?;
    let table = TableFile::open(file, ArrowReaderOptions::new())?;
    let wanted = drawn.first_row..drawn.first_row + drawn.blocks.min(BLOCKS);
    let mut batches = table.read_rows(&COLUMNS, wanted)?;
    let mut rows = Vec::new();
    while let Some(batch) = batches.next_batch()? {
        let text = |name: &'static str| {
            let column = batch
                .column_by_name(name)
                .and_then(|c| c.as_string_opt::<i32>());
            column.ok_or_else(|| format!("has no texts {name}"))
        };
        let (id, texts, label) = (text("id")?, text("text")?, text("label")?);
        let (reason, path) = (text("reason")?, text("tag_path")?);
        let score = batch
            .column_by_name("score")
            .and_then(|c| c.as_primitive_opt::<Float32Type>());
        let score = score.ok_or("has no scores")?;
        for row in 0..batch.num_rows() {
            if id.value(row) != drawn.id {
                return Err("its blocks are not where they should be".into());
            }
            let text = match texts.is_valid(row) {
                true => texts.value(row),
                false => "(its text is in documents only)",
            };
            rows.push(Row {
                text: prefix(text, BLOCK_BYTES).to_owned()
                    + if text.len() > BLOCK_BYTES { "…" } else { "" },
                kept: label.value(row) == "content",
                score: score.value(row),
                reason: prefix(reason.value(row), BLOCK_BYTES).to_owned(),
                tag: path
                    .value(row)
                    .rsplit('/')
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
            });
        }
    }
    Ok(rows)
}
