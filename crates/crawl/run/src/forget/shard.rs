//! A shard: how many of its pages are forgotten, and its tables without them.

use super::criteria::Criteria;
use super::recount::{Recount, document, text};
use crate::manifest::ManifestRow;
use crate::output::OutputFolder;
use crate::shards::{Checked, Rows, has_sha256};
use crate::tally::PageTally;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, BooleanArray, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use arrow_select::filter::filter_record_batch;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use twox_hash::XxHash3_64;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_tables::read::damaged_output;
use warcsieve_tables::{NAMES, OutputFile, RewrittenTable};

/// Most rows in memory while pages are counted.
const ROWS: usize = 4096;

/// The pages of a shard that meet the criteria, in `documents` and `removed`.
pub(super) fn count(
    out: &OutputFolder,
    row: &ManifestRow,
    criteria: &Criteria,
    progress: &Progress,
) -> Result<u64> {
    let mut pages = 0;
    for file in &row.outputs {
        let is_documents = file.is_of(NAMES.documents);
        if !is_documents && !file.is_of(NAMES.removed) {
            continue;
        }
        let checked = Checked::open(out.path(), file)?;
        let mut columns: Vec<&str> = criteria.columns().collect();
        columns.sort_unstable();
        columns.dedup();
        if is_documents && let Some(column) = columns.iter().find(|column| !checked.has(column)) {
            return Err(Error::Invalid(format!(
                "{}: has no column `{column}`; only folders that were cleaned with rights = true have it",
                checked.path().display()
            )));
        }
        columns.retain(|column| checked.has(column));
        let field = |name: &&str| {
            let is_nullable = *name == "licence";
            Field::new(*name, DataType::Utf8, is_nullable)
        };
        let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
        let mut rows: Rows = checked.read(&schema, ROWS)?;
        while rows.advance()? {
            progress.go_on()?;
            let meets =
                criteria.meets(|column| columns.contains(&column).then(|| rows.text(column))?);
            pages += u64::from(meets);
        }
    }
    Ok(pages)
}

/// Compares the files of a shard with their sha256.
///
/// # Errors
/// [`Error::Integrity`] if they differ; [`Error::Io`].
pub(super) fn verify(out: &OutputFolder, row: &ManifestRow, progress: &Progress) -> Result<()> {
    for file in &row.outputs {
        let path = out.folder().file(&file.path);
        if !has_sha256(&path, &file.sha256, || progress.go_on())? {
            return Err(damaged_output(
                &path,
                "its bytes are not those that were written",
            ));
        }
    }
    Ok(())
}

/// A page of `documents`.
struct Page {
    stays: bool,
    blocks: u64,
    /// Hash of its id.
    id: u64,
}

/// Writes the tables of a shard without the pages that meet the criteria into the folder `stage`.
/// Returns the new manifest row, which is not stored yet.
///
/// # Errors
/// [`Error::Integrity`] if the shard is not as it was written; [`Error::Io`].
pub(super) fn rewrite(
    (out, stage): (&OutputFolder, &OutputFolder),
    row: &ManifestRow,
    criteria: &Criteria,
    progress: &Progress,
) -> Result<ManifestRow> {
    let mut shard = Rewriting {
        stage,
        row,
        progress,
        counts: Recount::default(),
    };
    let (mut pages, mut outputs) = (Vec::new(), Vec::new());
    for file in &row.outputs {
        let path = out.folder().file(&file.path);
        outputs.push(match file {
            _ if file.is_of(NAMES.documents) => shard.documents(path, criteria, &mut pages)?,
            _ if file.is_of(NAMES.blocks) => shard.blocks(path, &pages)?,
            _ if file.is_of(NAMES.removed) => shard.removed(path, criteria)?,
            _ => shard.links(path, &pages)?,
        });
    }
    let counts = shard.counts.of_kept(&row.pages);
    let pages = counts.map_err(|what| damaged_output(&out.manifest_path(&row.input), &what))?;
    Ok(ManifestRow {
        pages,
        outputs,
        ..row.clone()
    })
}

struct Rewriting<'a> {
    stage: &'a OutputFolder,
    row: &'a ManifestRow,
    progress: &'a Progress,
    counts: Recount,
}

impl Rewriting<'_> {
    /// Writes a table. `stays` says of each row of a batch whether it stays.
    fn table(
        &mut self,
        table: &str,
        path: &Path,
        mut stays: impl FnMut(&RecordBatch, &mut Recount) -> Result<Vec<bool>>,
    ) -> Result<OutputFile> {
        let place = (table, self.row.input.as_str());
        let mut file = RewrittenTable::open(path, place, self.stage.folder())?;
        let mut kept = 0;
        while let Some(rows) = file.next_batch(path)? {
            self.progress.go_on()?;
            let stays = BooleanArray::from(stays(&rows, &mut self.counts)?);
            let rows = filter_record_batch(&rows, &stays);
            let rows = rows.map_err(|e| damaged_output(path, &e.to_string()))?;
            kept += rows.num_rows() as u64;
            file.keep(&rows)?;
        }
        file.finish(kept)
    }

    fn documents(
        &mut self,
        path: PathBuf,
        criteria: &Criteria,
        pages: &mut Vec<Page>,
    ) -> Result<OutputFile> {
        self.table(NAMES.documents, &path, |rows, counts| {
            let stays = |at: usize| !criteria.meets(|column| text(rows, column, at));
            Ok((0..rows.num_rows())
                .map(|at| {
                    let (page, stays) = (document(rows, at), stays(at));
                    pages.push(Page {
                        stays,
                        blocks: page.blocks,
                        id: hash(text(rows, "id", at).unwrap_or_default()),
                    });
                    counts.add(&page, stays);
                    stays
                })
                .collect())
        })
    }

    fn removed(&mut self, path: PathBuf, criteria: &Criteria) -> Result<OutputFile> {
        self.table(NAMES.removed, &path, |rows, counts| {
            let stays = |at: usize| !criteria.meets(|column| text(rows, column, at));
            Ok((0..rows.num_rows())
                .map(|at| {
                    let rule = text(rows, "rule", at).unwrap_or_default().to_owned();
                    let page = PageTally {
                        removed: [(rule, 1)].into(),
                        ..PageTally::default()
                    };
                    counts.add(&page, stays(at));
                    stays(at)
                })
                .collect())
        })
    }

    /// The blocks of a page follow each other, in the order of the pages.
    fn blocks(&mut self, path: PathBuf, pages: &[Page]) -> Result<OutputFile> {
        let mut pages = pages.iter().filter(|page| page.blocks > 0);
        let mut page = pages.next();
        let mut left = page.map_or(0, |page| page.blocks);
        let place = path.clone();
        let file = self.table(NAMES.blocks, &path, |rows, counts| {
            let ids = Ids::of(rows)
                .ok_or_else(|| damaged_output(&place, "has no column `id` of texts"))?;
            let mut stays = Vec::with_capacity(rows.num_rows());
            while stays.len() < rows.num_rows() {
                let Some(own) = page else {
                    return Err(damaged_output(&place, "has blocks of no page"));
                };
                let begin = stays.len();
                let end = rows
                    .num_rows()
                    .min(begin + usize::try_from(left).unwrap_or(usize::MAX));
                if !(begin..end).all(|at| ids.hash(at) == own.id) {
                    return Err(damaged_output(
                        &place,
                        "has blocks of a page that are not in their place",
                    ));
                }
                stays.resize(end, own.stays);
                left -= (end - begin) as u64;
                let page_counts = PageTally {
                    raw_text_bytes: text_bytes(rows, begin..end),
                    ..PageTally::default()
                };
                counts.add(&page_counts, own.stays);
                if left == 0 {
                    page = pages.next();
                    left = page.map_or(0, |page| page.blocks);
                }
            }
            Ok(stays)
        })?;
        match page {
            None => Ok(file),
            Some(_) => Err(damaged_output(&path, "ends before the blocks of all pages")),
        }
    }

    /// If two pages have the same id and one of them is forgotten, the links of both are.
    fn links(&mut self, path: PathBuf, pages: &[Page]) -> Result<OutputFile> {
        let gone: HashSet<u64> = pages.iter().filter(|p| !p.stays).map(|p| p.id).collect();
        self.table(NAMES.links, &path, |rows, counts| {
            let ids = Ids::of(rows)
                .ok_or_else(|| damaged_output(&path, "has no column `id` of texts"))?;
            let stays = (0..rows.num_rows()).map(|at| !gone.contains(&ids.hash(at)));
            let link = PageTally {
                links: 1,
                ..PageTally::default()
            };
            Ok(stays.inspect(|stays| counts.add(&link, *stays)).collect())
        })
    }
}

/// The ids of pages in a batch of rows that have each id once.
struct Ids<'b> {
    keys: &'b [u32],
    hashes: Vec<u64>,
}

impl<'b> Ids<'b> {
    fn of(rows: &'b RecordBatch) -> Option<Self> {
        let ids = rows
            .column_by_name("id")?
            .as_dictionary_opt::<UInt32Type>()?;
        let texts = ids.values().as_string_opt::<i32>()?;
        Some(Self {
            keys: ids.keys().values(),
            hashes: texts
                .iter()
                .map(|id| hash(id.unwrap_or_default()))
                .collect(),
        })
    }

    fn hash(&self, at: usize) -> u64 {
        let key = usize::try_from(self.keys[at]).unwrap_or(usize::MAX);
        self.hashes.get(key).copied().unwrap_or(0)
    }
}

/// Bytes of the texts of some blocks, each with a line end. So large that it is no sum of texts if a
/// text is not in the table.
fn text_bytes(rows: &RecordBatch, blocks: std::ops::Range<usize>) -> u64 {
    let texts = rows.column_by_name("text");
    let Some(texts) = texts.and_then(|texts| texts.as_string_opt::<i32>()) else {
        return u64::MAX;
    };
    let bytes = blocks.map(|at| match texts.is_valid(at) {
        true => texts.value(at).len() as u64 + 1,
        false => u64::MAX,
    });
    bytes.fold(0, u64::saturating_add)
}

fn hash(id: &str) -> u64 {
    XxHash3_64::oneshot(id.as_bytes())
}
