//! Readers of inputs, by what they hold.

use super::input::Input;
use super::texts::is_named_texts;
use super::{page, wacz};
use crate::positioned::file_from;
use crate::source::InputReader;
use crate::zip::is_zip;
use std::io::{self, Read};
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_store::Stamp;
use warcsieve_warc::{Limits, ReadFrom, TextLines, begins_like_record};

impl Input {
    /// A reader of the whole input, whatever is selected, and the input's current stamp; a stream
    /// has none. Anything but a stream is
    /// [read again](warcsieve_warc::WarcReader::reading_again) where a wrong length would else cost
    /// records.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn reader(&self, limits: Limits) -> Result<(Option<Stamp>, InputReader)> {
        let (stamp, bytes, again) = match self.open_file()? {
            Some((stamp, file)) => {
                let from = file_from(Arc::new(file));
                (Some(stamp), from(0), Some(from))
            }
            None => self.open_stream()?,
        };
        Ok((stamp, self.reader_of(bytes, again, limits)?))
    }

    /// A reader of all `bytes`, which `again` gives from any offset: of a crawl, of a page, or of texts.
    pub fn reader_of(
        &self,
        mut bytes: Box<dyn Read + Send>,
        again: Option<ReadFrom>,
        limits: Limits,
    ) -> Result<InputReader> {
        let mut beginning = Vec::new();
        (&mut bytes)
            .take(page::BEGINNING as u64)
            .read_to_end(&mut beginning)
            .map_err(|e| Error::io(self.origin(), e))?;
        if is_zip(&beginning) {
            return Err(Error::io(self.origin(), wacz::refusal(self)));
        }
        if is_named_texts(&self.name) && !begins_like_record(&page::inflated(&beginning)) {
            let bytes = Box::new(io::Cursor::new(beginning).chain(bytes));
            let texts = TextLines::new(&self.name, &self.origin(), bytes, limits);
            return Ok(InputReader::Texts(Box::new(texts)));
        }
        let is_page = page::is_page(&self.name, &beginning);
        let bytes = Box::new(io::Cursor::new(beginning).chain(bytes));
        Ok(match is_page {
            true => InputReader::Page(Box::new(page::reader(self, bytes, limits)?)),
            false => InputReader::whole(&self.origin(), bytes, again, limits),
        })
    }
}
