//! Counts pages again by their rows.

use crate::tally::PageTally;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, RecordBatch};
use warcsieve_common::Result;
use warcsieve_filters::personal::Kind;
use warcsieve_warc::DigestCheck;

/// Counts of all pages of a shard, and of those that stay.
#[derive(Default)]
pub(super) struct Recount {
    pub all: PageTally,
    pub kept: PageTally,
}

impl Recount {
    /// Adds counts of a page, or of some of its rows.
    pub fn add(&mut self, counts: &PageTally, stays: bool) {
        self.all.add_counts(counts);
        if stays {
            self.kept.add_counts(counts);
        }
    }

    /// The counts of the pages that stay, in place of those of all pages.
    ///
    /// The rows do not hold everything that was counted when the crawl was read, for example which lines
    /// were dropped. A count that cannot be found again in the rows of all pages stays as it was.
    ///
    /// # Errors
    /// What disagrees, in words, if the tables do not hold the pages that were counted.
    pub fn of_kept(self, old: &PageTally) -> Result<PageTally, String> {
        let Self { all, kept } = self;
        let rows = |tally: &PageTally| (tally.documents, tally.blocks, tally.removals());
        if rows(&all) != rows(old) || all.links != old.links {
            return Err(
                "its documents, blocks, links and removed pages are not those of its outputs"
                    .to_owned(),
            );
        }
        let gone = |of: fn(&PageTally) -> u64| of(&all).saturating_sub(of(&kept));
        let forgotten = gone(|t| t.documents).saturating_add(gone(PageTally::removals));
        Ok(PageTally {
            forgotten: old.forgotten.saturating_add(forgotten),
            documents: kept.documents,
            blocks: kept.blocks,
            removed: kept.removed,
            links: kept.links,
            empty_documents: of(
                &old.empty_documents,
                &all.empty_documents,
                kept.empty_documents,
            ),
            labelled_by: of(&old.labelled_by, &all.labelled_by, kept.labelled_by),
            personal: of(&old.personal, &all.personal, kept.personal),
            content_blocks: of(
                &old.content_blocks,
                &all.content_blocks,
                kept.content_blocks,
            ),
            html_bytes: of(&old.html_bytes, &all.html_bytes, kept.html_bytes),
            raw_text_bytes: of(
                &old.raw_text_bytes,
                &all.raw_text_bytes,
                kept.raw_text_bytes,
            ),
            text_bytes: of(&old.text_bytes, &all.text_bytes, kept.text_bytes),
            warnings: of(&old.warnings, &all.warnings, kept.warnings),
            digests: of(&old.digests, &all.digests, kept.digests),
            ..old.clone()
        })
    }
}

fn of<T: PartialEq + Clone>(old: &T, all: &T, kept: T) -> T {
    if all == old { kept } else { old.clone() }
}

/// What a row of `documents` says of its page.
pub(super) fn document(rows: &RecordBatch, at: usize) -> PageTally {
    let number = |name: &str| {
        let column = rows.column_by_name(name)?.as_primitive_opt::<Int32Type>()?;
        let value = column.is_valid(at).then(|| column.value(at))?;
        u64::try_from(value).ok()
    };
    let count = |name| number(name).unwrap_or(0);
    let text = |name| text(rows, name, at);
    let personal = [
        (Kind::Email, "n_emails"),
        (Kind::Ip, "n_ips"),
        (Kind::Phone, "n_phones"),
    ];
    let personal = personal
        .into_iter()
        .filter_map(|(kind, name)| Some((kind.as_str().to_owned(), number(name)?)));
    let words = text("warnings")
        .into_iter()
        .flat_map(|words| words.split(','));
    let verdict = text("digest_verdict");
    let verdict = DigestCheck::ALL
        .into_iter()
        .find(|known| Some(known.as_str()) == verdict);
    PageTally {
        documents: 1,
        empty_documents: u64::from(count("n_content_blocks") == 0),
        labelled_by: text("labelled_by")
            .map(|name| (name.to_owned(), 1))
            .into_iter()
            .collect(),
        personal: personal.collect(),
        blocks: count("n_blocks"),
        content_blocks: count("n_content_blocks"),
        html_bytes: count("html_bytes"),
        text_bytes: count("text_bytes"),
        warnings: words.map(|word| (word.to_owned(), 1)).collect(),
        digests: verdict.map(|verdict| (verdict, 1)).into_iter().collect(),
        ..PageTally::default()
    }
}

/// A text in a row; `None` if it is null or there is no such column.
pub(super) fn text<'b>(rows: &'b RecordBatch, name: &str, at: usize) -> Option<&'b str> {
    let column = rows.column_by_name(name)?.as_string_opt::<i32>()?;
    column.is_valid(at).then(|| column.value(at))
}
