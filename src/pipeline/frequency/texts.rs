//! The texts of one page after the other.

use crate::config::Pipeline;
use crate::document::Document;
use crate::features::frequency::page_keys;
use crate::html::Segmenter;
use crate::page::{PageReader, Skip};
use crate::warc::Record;

/// Reads and segments pages, and hashes their texts, in buffers that are kept.
pub(super) struct PageTexts<'a> {
    pub pipeline: &'a Pipeline,
    reader: PageReader,
    segmenter: Segmenter,
    /// The page read last.
    pub doc: Document,
    /// Hashes of its texts, ascending, each once.
    pub keys: Vec<u64>,
}

impl<'a> PageTexts<'a> {
    pub fn new(pipeline: &'a Pipeline) -> Self {
        Self {
            pipeline,
            reader: PageReader::default(),
            segmenter: pipeline.segmenter(),
            doc: Document::default(),
            keys: Vec::new(),
        }
    }

    pub fn read(&mut self, record: &Record) -> Result<(), Skip> {
        let page = self.reader.read(record, &self.pipeline.settings)?;
        self.segmenter.segment(&page, &mut self.doc)?;
        page_keys(&self.doc, &mut self.keys);
        Ok(())
    }
}
