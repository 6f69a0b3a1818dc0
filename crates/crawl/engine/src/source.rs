//! The reader of an input that is read in one piece.

use crate::inputs::Spans;
use std::io::Read;
use warcsieve_common::Result;
#[cfg(feature = "warc")]
use warcsieve_warc::StrictReader;
use warcsieve_warc::ledger::ReadLedger;
use warcsieve_warc::{
    Limits, PageFile, ReadFrom, Record, SelectedReader, Source, TextLines, WarcReader,
};

/// Reads all of an input, or the selected records of it.
#[non_exhaustive]
pub enum InputReader {
    /// A crawl.
    Whole(Box<WarcReader>),
    /// A crawl, read by the crate `warc`.
    #[cfg(feature = "warc")]
    Strict(Box<StrictReader>),
    /// Spans of a crawl.
    Selected(Box<SelectedReader>),
    /// A page.
    Page(Box<PageFile>),
    /// Texts in JSON lines.
    Texts(Box<TextLines>),
}

impl InputReader {
    /// A reader of all `bytes`. `reopen` reads them again from any offset, for the reader of this
    /// library.
    pub fn whole(
        name: &str,
        bytes: Box<dyn Read + Send>,
        reopen: Option<ReadFrom>,
        limits: Limits,
    ) -> Self {
        #[cfg(feature = "warc")]
        if !limits.reader.is_builtin() {
            return Self::Strict(Box::new(StrictReader::new(name, bytes, limits)));
        }
        let reader = WarcReader::new(name, bytes, limits);
        Self::Whole(Box::new(match reopen {
            Some(reopen) => reader.reading_again(reopen),
            None => reader,
        }))
    }

    /// A reader of spans.
    pub(super) fn selected(name: &str, spans: Spans, limits: Limits) -> Self {
        Self::Selected(Box::new(SelectedReader::new(name, spans, limits)))
    }

    /// Whether it reads many records, not a page.
    pub fn is_crawl(&self) -> bool {
        !matches!(self, Self::Page(_))
    }

    /// The reader's ledger.
    pub fn ledger(&self) -> &ReadLedger {
        match self {
            Self::Whole(reader) => reader.ledger(),
            #[cfg(feature = "warc")]
            Self::Strict(reader) => reader.ledger(),
            Self::Selected(reader) => reader.ledger(),
            Self::Page(reader) => reader.ledger(),
            Self::Texts(reader) => reader.ledger(),
        }
    }
}

impl Source for InputReader {
    fn read_record(&mut self, record: &mut Record) -> Result<bool> {
        match self {
            Self::Whole(reader) => reader.read_record(record),
            #[cfg(feature = "warc")]
            Self::Strict(reader) => reader.read_record(record),
            Self::Selected(reader) => reader.read_record(record),
            Self::Page(reader) => reader.read_record(record),
            Self::Texts(reader) => reader.read_record(record),
        }
    }
}
