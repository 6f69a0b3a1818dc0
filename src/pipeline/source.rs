//! What an input that is read in one piece is read by.

use super::inputs::Spans;
use crate::error::Result;
use crate::ledger::ReadLedger;
use crate::warc::{Limits, Record, SelectedReader, Source, WarcReader};
use std::io::Read;

/// Reads all of an input, or what is selected of it.
pub(super) enum InputReader {
    Whole(Box<WarcReader>),
    Selected(Box<SelectedReader>),
}

impl InputReader {
    /// A reader of all that `bytes` give.
    pub(super) fn whole(name: &str, bytes: Box<dyn Read + Send>, limits: Limits) -> Self {
        Self::Whole(Box::new(WarcReader::new(name, bytes, limits)))
    }

    /// A reader of spans.
    pub(super) fn selected(name: &str, spans: Spans, limits: Limits) -> Self {
        Self::Selected(Box::new(SelectedReader::new(name, spans, limits)))
    }

    /// Its books.
    pub(super) fn ledger(&self) -> &ReadLedger {
        match self {
            Self::Whole(reader) => reader.ledger(),
            Self::Selected(reader) => reader.ledger(),
        }
    }
}

impl Source for InputReader {
    fn read_record(&mut self, record: &mut Record) -> Result<bool> {
        match self {
            Self::Whole(reader) => reader.read_record(record),
            Self::Selected(reader) => reader.read_record(record),
        }
    }
}
