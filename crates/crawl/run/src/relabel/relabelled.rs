//! The result of labelling again.

use crate::clean::FailedInput;
use crate::manifest::ManifestRow;
use crate::output::Unsealed;
use std::fmt;

/// What a run of [`relabel`](super::relabel()) did.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Relabelled {
    /// Inputs labelled by this run.
    pub done: u64,
    /// Inputs that were done before this run.
    pub kept: u64,
    /// Inputs that could not be read, sorted by name.
    pub failed: Vec<FailedInput>,
    /// Documents of all inputs that are done, by this run or before.
    pub documents: u64,
    /// Of these, documents in which no block is content.
    pub empty_documents: u64,
    /// Bytes of all block texts.
    pub raw_text_bytes: u64,
    /// Bytes of the texts that are content.
    pub text_bytes: u64,
    /// Bytes of the outputs.
    pub bytes_written: u64,
    /// Whether the manifest lists faults of the crawl for an input.
    pub faulty: bool,
    /// Whether the written folder has a `_SUCCESS`.
    pub sealed: bool,
    /// Why it has none.
    pub unsealed: Option<NotSealed>,
}

impl Relabelled {
    /// Adds an input. Rows written by other programs may hold any number, so sums saturate.
    pub(super) fn add(&mut self, row: &ManifestRow) {
        let add = |sum: &mut u64, n: u64| *sum = sum.saturating_add(n);
        add(&mut self.documents, row.pages.documents);
        add(&mut self.empty_documents, row.pages.empty_documents);
        add(&mut self.raw_text_bytes, row.pages.raw_text_bytes);
        add(&mut self.text_bytes, row.pages.text_bytes);
        add(&mut self.bytes_written, row.bytes_written());
        self.faulty |= row.is_faulty();
    }
}

/// Why the folder that [`relabel`](super::relabel()) wrote is not sealed.
#[derive(Debug)]
#[non_exhaustive]
pub enum NotSealed {
    /// At least one input failed.
    Failed,
    /// The folder that was read has no seal, so inputs may be missing there.
    NoSource,
    /// The folder that was read has changed since the beginning of the run.
    SourceChanged,
    /// The written folder is not as this run would leave it.
    Refused(Unsealed),
}

impl fmt::Display for NotSealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed => f.write_str("inputs failed"),
            Self::NoSource => f.write_str(
                "the folder to read has no _SUCCESS, so inputs may be missing; run `clean` there \
                 again, then this command, which keeps what is done",
            ),
            Self::SourceChanged => f.write_str(
                "the folder to read changed meanwhile; run this command again, which keeps what \
                 is as it is there",
            ),
            Self::Refused(why) => why.fmt(f),
        }
    }
}
