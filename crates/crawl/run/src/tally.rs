//! Counts of what happened to the records of an input.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use warcsieve_common::{Error, Result, shortened};
use warcsieve_engine::WholeInput;
use warcsieve_extract::PageView;
use warcsieve_page::{Skip, SkipReason};
use warcsieve_tables::{LinkCounts, RowCounts};
use warcsieve_warc::ledger::{total, unequal};
use warcsieve_warc::{DigestCheck, Record};

/// Counts of pages and other records.
///
/// records = pages + other records; pages = documents + removed + skips + forgotten; documents =
/// labelled by each pipeline, if there are several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageTally {
    /// Records of a type that the pipeline reads as pages.
    pub pages: u64,
    /// Records of other types.
    pub other_records: u64,
    /// Pages processed: rows of `documents`.
    pub documents: u64,
    /// Documents without a content block.
    pub empty_documents: u64,
    /// Documents by the pipeline that labelled them. Empty unless the pipeline names others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labelled_by: BTreeMap<String, u64>,
    /// Pages that a filter removed, by the filter's rule: rows of `removed`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub removed: BTreeMap<String, u64>,
    /// Lines in documents that line rules dropped or changed, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lines: BTreeMap<String, u64>,
    /// Personal data found in documents, by kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub personal: BTreeMap<String, u64>,
    /// Pages that were not processed, by reason.
    pub skips: BTreeMap<SkipReason, u64>,
    /// Pages that were documents or removed, and that were forgotten later.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub forgotten: u64,
    /// Rows of `blocks`, even if that table is not written.
    pub blocks: u64,
    /// Blocks that are content.
    pub content_blocks: u64,
    /// Rows of `links`; 0 if that table is not written.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub links: u64,
    /// Links above the limit per page, which have no row.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub links_left_out: u64,
    /// UTF-8 bytes of the processed pages.
    pub html_bytes: u64,
    /// Bytes of all block texts.
    pub raw_text_bytes: u64,
    /// Bytes of the cleaned texts.
    pub text_bytes: u64,
    /// Documents with a warning, by its word.
    pub warnings: BTreeMap<String, u64>,
    /// Documents by the result of their digest check. Empty unless the pipeline asks for the check.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub digests: BTreeMap<DigestCheck, u64>,
    /// The first 1,000 skips of each reason, in input order.
    pub skipped: Vec<SkippedPage>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Maximum number of skips per reason that are listed. All are counted.
const MAX_LISTED: u64 = 1000;

/// A page that was not processed, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SkippedPage {
    /// Why.
    pub reason: SkipReason,
    /// Details, such as the value that was found.
    pub detail: String,
    /// Byte offset in the file of the member with the record.
    pub offset: u64,
    /// Byte offset of the record in the decompressed member.
    pub offset_in_member: u64,
    /// `WARC-Record-ID`.
    pub record_id: String,
}

impl PageTally {
    /// Counts a page that was not processed.
    pub fn skip(&mut self, record: &Record, skip: Skip) {
        let count = self.skips.entry(skip.reason).or_default();
        *count += 1;
        if *count <= MAX_LISTED {
            self.skipped.push(SkippedPage {
                reason: skip.reason,
                detail: shortened(skip.detail),
                offset: record.location.offset,
                offset_in_member: record.location.offset_in_member,
                record_id: shortened(record.record_id()),
            });
        }
    }

    /// Counts a page that became a document, with its links and what filters changed in its text.
    pub fn document(&mut self, view: &PageView<'_>, links: LinkCounts) {
        for (reason, n) in view.cuts {
            add_to(&mut self.lines, reason, *n);
        }
        for (kind, n) in view.personal() {
            add_to(&mut self.personal, kind.as_str(), n);
        }
        self.links += links.rows;
        self.links_left_out += links.left_out;
        self.html_bytes += view.page.payload.len() as u64;
        self.labels(view);
        if let Some(verdict) = view.digest {
            *self.digests.entry(verdict).or_default() += 1;
        }
        for word in view.warnings() {
            add_to(&mut self.warnings, word, 1);
        }
    }

    /// Counts a document, its blocks and texts.
    pub(super) fn labels(&mut self, view: &PageView<'_>) {
        let content = view.content_blocks() as u64;
        self.documents += 1;
        self.empty_documents += u64::from(content == 0);
        if let Some(pipeline) = view.labelled_by {
            add_to(&mut self.labelled_by, pipeline, 1);
        }
        self.blocks += view.labels.len() as u64;
        self.content_blocks += content;
        self.raw_text_bytes += view.doc.text.len() as u64;
        self.text_bytes += view.text.len() as u64;
    }

    /// Counts a page that a rule removed.
    pub fn remove(&mut self, rule: &str) {
        add_to(&mut self.removed, rule, 1);
    }

    /// Number of rows of `removed`.
    pub fn removals(&self) -> u64 {
        total(self.removed.values()).try_into().unwrap_or(u64::MAX)
    }

    /// Number of rows of each table; of `blocks` even if that table is not written.
    pub fn rows(&self) -> RowCounts {
        RowCounts {
            documents: self.documents,
            blocks: self.blocks,
            removed: self.removals(),
            links: self.links,
        }
    }

    /// Adds the counts of the next batch and its list of skips.
    pub fn add(&mut self, next: Self) {
        let mut listed = self.skips.clone();
        self.add_counts(&next);
        for skipped in next.skipped {
            let n = listed.entry(skipped.reason).or_default();
            *n += 1;
            if *n <= MAX_LISTED {
                self.skipped.push(skipped);
            }
        }
    }

    /// Adds counts without the list. They saturate, because rows written by other programs may hold
    /// any number.
    pub(super) fn add_counts(&mut self, next: &Self) {
        let add = |sum: &mut u64, n: u64| *sum = sum.saturating_add(n);
        add(&mut self.pages, next.pages);
        add(&mut self.other_records, next.other_records);
        add(&mut self.documents, next.documents);
        add(&mut self.empty_documents, next.empty_documents);
        add(&mut self.forgotten, next.forgotten);
        add(&mut self.blocks, next.blocks);
        add(&mut self.content_blocks, next.content_blocks);
        add(&mut self.links, next.links);
        add(&mut self.links_left_out, next.links_left_out);
        add(&mut self.html_bytes, next.html_bytes);
        add(&mut self.raw_text_bytes, next.raw_text_bytes);
        add(&mut self.text_bytes, next.text_bytes);
        for (reason, n) in &next.skips {
            add(self.skips.entry(*reason).or_default(), *n);
        }
        for (sums, counts) in [
            (&mut self.labelled_by, &next.labelled_by),
            (&mut self.removed, &next.removed),
            (&mut self.lines, &next.lines),
            (&mut self.personal, &next.personal),
            (&mut self.warnings, &next.warnings),
        ] {
            counts.iter().for_each(|(name, n)| add_to(sums, name, *n));
        }
        for (verdict, n) in &next.digests {
            add(self.digests.entry(*verdict).or_default(), *n);
        }
    }

    /// Skips because of faulty data, not because of the pipeline's settings.
    pub fn faulty(&self) -> u64 {
        self.skips
            .iter()
            .filter(|(r, _)| r.is_fault())
            .fold(0, |sum, (_, n)| sum.saturating_add(*n))
    }

    /// Documents whose digest differs from their bytes, or is not valid.
    pub fn digest_faults(&self) -> u64 {
        let faults = self
            .digests
            .iter()
            .filter(|(verdict, _)| verdict.is_fault());
        faults.fold(0, |sum, (_, n)| sum.saturating_add(*n))
    }

    /// Refuses an input whose counts do not add up.
    ///
    /// # Errors
    /// [`Error::Integrity`] with the sums that differ.
    pub(super) fn check(&self, whole: &WholeInput<'_>) -> Result<()> {
        let mut imbalances = whole.ledger.imbalances();
        imbalances.extend(self.imbalances(whole.ledger.records));
        if imbalances.is_empty() {
            return Ok(());
        }
        Err(Error::Integrity {
            path: whole.input.origin().into(),
            message: format!("the counts do not add up: {}", imbalances.join("; ")),
        })
    }

    /// The sums that do not match, one line each. `records` is the reader's count.
    pub fn imbalances(&self, records: u64) -> Vec<String> {
        let compared = match self.digests.is_empty() {
            true => self.documents.into(),
            false => total(self.digests.values()),
        };
        let labelled = match self.labelled_by.is_empty() {
            true => self.documents.into(),
            false => total(self.labelled_by.values()),
        };
        unequal(&[
            ("documents", self.documents, "digests compared", compared),
            ("documents", self.documents, "labelled by all", labelled),
            (
                "records",
                records,
                "pages + other records",
                total([&self.pages, &self.other_records]),
            ),
            (
                "pages",
                self.pages,
                match (self.removed.is_empty(), self.forgotten) {
                    (true, 0) => "documents + skips",
                    (false, 0) => "documents + removed + skips",
                    _ => "documents + removed + skips + forgotten",
                },
                total(
                    [&self.documents, &self.forgotten]
                        .into_iter()
                        .chain(self.removed.values())
                        .chain(self.skips.values()),
                ),
            ),
        ])
    }
}

/// Adds to the count of a name. It saturates.
fn add_to(counts: &mut BTreeMap<String, u64>, name: &str, n: u64) {
    match counts.get_mut(name) {
        Some(count) => *count = count.saturating_add(n),
        None => drop(counts.insert(name.to_owned(), n)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skips(reason: SkipReason, n: u64) -> PageTally {
        let mut tally = PageTally::default();
        for _ in 0..n {
            tally.pages += 1;
            let detail = String::new();
            tally.skip(&Record::default(), Skip { reason, detail });
        }
        tally
    }

    #[test]
    fn the_first_skips_of_each_reason_are_listed() {
        let mut tally = skips(SkipReason::Status, 1700);
        assert_eq!(tally.skipped.len(), 1000);
        tally.add(skips(SkipReason::Status, 5));
        tally.add(skips(SkipReason::TooLarge, 999));
        tally.add(skips(SkipReason::TooLarge, 3));
        assert_eq!(tally.skips[&SkipReason::Status], 1705);
        assert_eq!(tally.skips[&SkipReason::TooLarge], 1002);
        assert_eq!(tally.skipped.len(), 2000);
        assert_eq!(tally.faulty(), 1002);
        assert!(tally.imbalances(1705 + 1002).is_empty());
        assert_eq!(tally.imbalances(1).len(), 1);
    }

    #[test]
    fn every_document_has_one_digest_verdict() {
        let mut tally = PageTally {
            pages: 3,
            documents: 3,
            ..PageTally::default()
        };
        assert!(tally.imbalances(3).is_empty());
        tally.digests = [(DigestCheck::Match, 1), (DigestCheck::Mismatch, 2)].into();
        assert!(tally.imbalances(3).is_empty());
        assert_eq!(tally.digest_faults(), 2);
        tally.digests.remove(&DigestCheck::Match);
        assert_eq!(tally.imbalances(3), ["documents 3 but digests compared 2"]);
    }

    #[test]
    fn no_sum_overflows_or_balances_because_it_is_too_large() {
        let mut tally = PageTally {
            pages: u64::MAX,
            other_records: 1,
            documents: u64::MAX,
            skips: [(SkipReason::TooLarge, u64::MAX), (SkipReason::Panicked, 1)].into(),
            digests: [
                (DigestCheck::Mismatch, u64::MAX),
                (DigestCheck::Undecodable, 1),
            ]
            .into(),
            ..PageTally::default()
        };
        assert_eq!(tally.imbalances(u64::MAX).len(), 3);
        tally.add(tally.clone());
        assert_eq!(tally.pages, u64::MAX);
        assert_eq!(
            (tally.faulty(), tally.digest_faults()),
            (u64::MAX, u64::MAX)
        );
    }

    #[test]
    fn removed_pages_are_counted_by_rule_and_balance() {
        let mut tally = skips(SkipReason::Status, 1);
        for rule in ["a > 1", "b > 1", "a > 1"] {
            tally.pages += 1;
            tally.remove(rule);
        }
        let mut sum = PageTally::default();
        sum.add(tally.clone());
        sum.add(tally);
        assert_eq!((sum.removed["a > 1"], sum.removals()), (4, 6));
        assert!(sum.imbalances(8).is_empty());
        sum.pages -= 1;
        let lines = sum.imbalances(7);
        assert_eq!(lines, ["pages 7 but documents + removed + skips 8"]);
    }

    #[test]
    fn every_document_is_labelled_by_one_pipeline() {
        let mut tally = PageTally {
            pages: 3,
            documents: 3,
            labelled_by: [("default".to_owned(), 1), ("justext".to_owned(), 2)].into(),
            ..PageTally::default()
        };
        assert!(tally.imbalances(3).is_empty());
        tally.labelled_by.remove("default");
        assert_eq!(tally.imbalances(3), ["documents 3 but labelled by all 2"]);
    }

    #[test]
    fn a_page_counted_nowhere_does_not_balance() {
        let mut tally = skips(SkipReason::Status, 2);
        tally.pages += 1;
        assert_eq!(tally.imbalances(3), ["pages 3 but documents + skips 2"]);
    }
}
