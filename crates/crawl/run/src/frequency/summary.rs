//! What a first pass read and counted.

use crate::clean::FailedInput;
use crate::tally::PageTally;
use warcsieve_features::frequency::Counted;
use warcsieve_warc::ledger::ReadLedger;

/// What was read of one input.
#[derive(Clone, Debug, Default)]
pub struct CountedInput {
    /// Its name.
    pub name: String,
    /// Where its bytes and records went.
    pub read: ReadLedger,
    /// What became of its records.
    pub pages: PageTally,
}

impl CountedInput {
    /// Whether the input is a WARC or ARC file, even if it has no page.
    pub(super) fn is_usable(&self) -> bool {
        self.read.no_crawl().is_none()
    }
}

/// What a first pass did.
#[derive(Debug, Default)]
pub struct FrequencySummary {
    /// The inputs read to their end, sorted by name.
    pub inputs: Vec<CountedInput>,
    /// Inputs that could not be read, or not to their end, sorted by name.
    pub failed: Vec<FailedInput>,
    /// Pages and texts in the table; zeros if no table was written.
    pub counted: Counted,
    /// Size of the table file in bytes. `None` if no table was written, because inputs failed or
    /// none was usable.
    pub bytes: Option<u64>,
}
