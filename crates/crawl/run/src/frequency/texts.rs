//! Text hashes, one page at a time.

use warcsieve_extract::{Pipeline, segment, set_address};
use warcsieve_features::frequency::page_keys;
use warcsieve_html::Segmenter;
use warcsieve_html::document::Document;
use warcsieve_page::{PageOptions, PageReader, Skip};
use warcsieve_warc::Record;

/// Reads and segments pages, and hashes their block texts. Its buffers are reused.
pub(super) struct PageTexts {
    options: PageOptions,
    reader: PageReader,
    segmenter: Segmenter,
    /// The page read last.
    pub doc: Document,
    /// Hashes of its block texts, ascending and without duplicates.
    pub keys: Vec<u64>,
    by_host: bool,
}

impl PageTexts {
    pub fn new(pipeline: &Pipeline, by_host: bool) -> Self {
        Self {
            options: pipeline.settings.page_options(),
            reader: PageReader::default(),
            segmenter: pipeline.segmenter(),
            doc: Document::default(),
            keys: Vec::new(),
            by_host,
        }
    }

    pub fn selects(&self, record: &Record) -> bool {
        self.options.selects(&record.record_type())
    }

    pub fn read(&mut self, record: &Record) -> Result<(), Skip> {
        let page = self.reader.read(record, &self.options)?;
        segment(&mut self.segmenter, &page, &mut self.doc)?;
        set_address(&page, &mut self.doc);
        page_keys(&self.doc, self.by_host, &mut self.keys);
        Ok(())
    }
}
