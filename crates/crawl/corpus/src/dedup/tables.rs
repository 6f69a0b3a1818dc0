//! Writes the tables of the result.

use super::clusters::Chosen;
use super::options::{DedupOptions, Drop};
use super::output::Output;
use super::pairs::Compared;
use super::rule::Rule;
use super::scratch::{Kept, Page};
use super::sort::Sorted;
use super::summary::DedupSummary;
use crate::file::TableWriter;
use arrow_array::builder::{Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use std::path::Path;
use std::sync::Arc;
use warcsieve_common::Result;
use warcsieve_filters::near::similarity;

fn field(name: &str, kind: DataType) -> Field {
    Field::new(name, kind, false)
}

/// Writes `shingles.parquet` if asked for: number, id and shingles of each page.
pub(super) fn write_shingles(out: &Path, options: &DedupOptions, kept: &Kept) -> Result<()> {
    if !options.tables {
        return Ok(());
    }
    let item = Arc::new(field("element", DataType::Int64));
    let schema = Arc::new(Schema::new(vec![
        field("page", DataType::Int64),
        field("id", DataType::Utf8),
        field("shingles", DataType::List(item.clone())),
    ]));
    let mut file = TableWriter::create(&out.join("shingles.parquet"), schema.clone())?;
    let (mut numbers, mut ids) = (Int64Builder::new(), StringBuilder::new());
    let mut shingles = ListBuilder::new(Int64Builder::new()).with_field(item);
    let mut page = Page::default();
    for number in 0..kept.len() {
        kept.read(number, true, &mut page)?;
        numbers.append_value(number as i64);
        ids.append_value(&page.id);
        let hashes = page.shingles.iter().map(|n| Some(*n as i64));
        shingles.append_value(hashes);
        if (number + 1).is_multiple_of(256) || number + 1 == kept.len() {
            let columns: Vec<ArrayRef> = vec![
                Arc::new(numbers.finish()),
                Arc::new(ids.finish()),
                Arc::new(shingles.finish()),
            ];
            let rows = RecordBatch::try_new(schema.clone(), columns)
                .expect("the columns have the order and types of the schema");
            file.write(&rows)?;
        }
        // A row is long (thousands of shingles), so end row groups early.
        if (number + 1).is_multiple_of(4096) {
            file.end_group()?;
        }
    }
    file.finish().map(|_| ())
}

/// Compares pages with the page that stays.
#[derive(Default)]
struct Compare {
    kept_number: Option<u32>,
    stays: Page,
}

impl Compare {
    /// The Jaccard similarity of `page` and the page `stays`, which is read unless it was the last
    /// one. `None` if one of them has no shingles.
    fn with(&mut self, kept: &Kept, stays: u32, page: &Page) -> Result<Option<f64>> {
        if self.kept_number.replace(stays) != Some(stays) {
            kept.read(stays as usize, true, &mut self.stays)?;
        }
        let is_known = !page.shingles.is_empty() && !self.stays.shingles.is_empty();
        Ok(is_known.then(|| similarity(&page.shingles, &self.stays.shingles).jaccard))
    }
}

/// Writes `clusters.parquet`, with a row for each page of a cluster of more than one page. Writes
/// `kept.parquet`, with a row for each page that stays and its number. Both are in the order of
/// pages.
pub(super) fn write_clusters(
    out: &Path,
    options: &DedupOptions,
    mut chosen: Chosen,
    kept: &Kept,
    compared: Compared,
) -> Result<DedupSummary> {
    let mut summary = DedupSummary::of(kept.len() as u64, compared);
    let texts = ["id", "kept_id", "rule"];
    let numbers = ["cluster", "cluster_size"];
    let mut clusters = Output::create(&out.join("clusters.parquet"), texts, numbers, true)?;
    let mut staying = Output::create(&out.join("kept.parquet"), ["id"], ["page"], false)?;
    let (mut page, mut compare) = (Page::default(), Compare::default());
    for number in 0..kept.len() as u32 {
        let (cluster, size, stays) = chosen.of(number);
        kept.read(number as usize, size > 1, &mut page)?;
        let is_dropped = size > 1 && (options.drop == Drop::All || stays != number);
        match is_dropped {
            false => staying.push([Some(&page.id)], [number.into()], None)?,
            true => summary.drop(chosen.rule(number)),
        }
        if size < 2 {
            continue;
        }
        summary.clusters += u64::from(cluster == number);
        let jaccard = compare.with(kept, stays, &page)?;
        let kept_id = (options.drop == Drop::Rest).then_some(compare.stays.id.as_str());
        let rule = chosen.rule(number).map_or("", Rule::as_str);
        let numbers = [cluster.into(), size.into()];
        clusters.push([Some(&page.id), kept_id, Some(rule)], numbers, jaccard)?;
    }
    clusters.finish()?;
    summary.kept = staying.finish()?;
    Ok(summary)
}

/// Writes `matches.parquet`, with a row for each duplicate: a page, a page of the other corpus, and
/// the rule. Writes `kept.parquet`, with the pages that have no match.
pub(super) fn write_matches(
    out: &Path,
    mut matches: Sorted<3>,
    border: u32,
    kept: &Kept,
    compared: Compared,
) -> Result<DedupSummary> {
    let pages = kept.len() as u64 - u64::from(border);
    let mut summary = DedupSummary::of(pages, compared);
    let texts = ["id", "against_id", "rule"];
    let mut table = Output::create(&out.join("matches.parquet"), texts, [], true)?;
    let mut staying = Output::create(&out.join("kept.parquet"), ["id"], ["page"], false)?;
    let (mut page, mut compare) = (Page::default(), Compare::default());
    let mut next = matches.next()?;
    for number in border..kept.len() as u32 {
        kept.read(number as usize, true, &mut page)?;
        let mut first = None;
        while let Some([at, other, rule]) = next.filter(|[at, ..]| *at == u64::from(number)) {
            let rule = Rule::ALL[rule as usize % Rule::ALL.len()];
            first = first.into_iter().chain([rule]).min();
            // Page numbers are below 2^32.
            let jaccard = compare.with(kept, other as u32, &page)?;
            let texts = [
                Some(&*page.id),
                Some(&*compare.stays.id),
                Some(rule.as_str()),
            ];
            table.push(texts, [], jaccard)?;
            debug_assert!(at >= u64::from(border));
            next = matches.next()?;
        }
        match first {
            Some(rule) => summary.drop(Some(rule)),
            None => staying.push([Some(&page.id)], [(number - border).into()], None)?,
        }
    }
    summary.clusters = table.finish()?;
    summary.kept = staying.finish()?;
    Ok(summary)
}
