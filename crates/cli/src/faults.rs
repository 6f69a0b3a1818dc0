//! Warnings about what is wrong with inputs.

use warcsieve_common::counted;
use warcsieve_run::PageTally;
use warcsieve_warc::ledger::ReadLedger;

/// The warning for a crawl with records but no page.
pub const NO_PAGE: &str = "no page in it: all records are of other types; `records` in a pipeline file says which \
    are pages, such as `conversion` in WET files";

/// Maximum number of faults shown per input. The manifest has all of them.
const SHOWN_FAULTS: usize = 5;

/// Logs the first faults of an input. `more` says where the others are listed.
pub fn report_faults(input: &str, read: &ReadLedger, pages: &PageTally, more: &str) {
    let faults = read.faults.iter().map(|f| {
        let id = f.record_id.as_deref().unwrap_or("-");
        format!("offset {}, record {id}: {}", f.offset, f.message)
    });
    let skipped = pages.skipped.iter().filter(|s| s.reason.is_fault());
    let skips =
        skipped.map(|s| format!("offset {}, record {}: {}", s.offset, s.record_id, s.detail));
    let total = read.fault_count.saturating_add(pages.faulty());
    for line in faults.chain(skips).take(SHOWN_FAULTS) {
        tracing::warn!("{input}: {line}");
    }
    if total > SHOWN_FAULTS as u64 {
        tracing::warn!("{input}: {} more; {more}", total - SHOWN_FAULTS as u64);
    }
    if pages.digest_faults() > 0 {
        tracing::warn!(
            "{input}: {} not agree with the digests; the column digest_verdict of documents says \
             which",
            counted(pages.digest_faults(), "page does", "pages do")
        );
    }
}
