//! Readers of inputs, by what they hold.

use super::input::Input;
use super::texts::is_named_texts;
use super::{page, wacz};
use crate::positioned::file_from;
use crate::progress::Progress;
use crate::source::InputReader;
use crate::zip::is_zip;
use std::io::{self, Read};
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_store::Stamp;
use warcsieve_warc::{Limits, ReadFrom, TextLines, begins_like_record};

impl Input {
    /// A reader of the whole input, whatever is selected, and the input's current stamp. A stream
    /// has no stamp. Every other input is [read again](warcsieve_warc::WarcReader::reading_again)
    /// where a wrong length would otherwise lose records.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn reader(&self, limits: Limits) -> Result<(Option<Stamp>, InputReader)> {
        let (stamp, bytes, reopen) = match self.open_file()? {
            Some((stamp, file)) => {
                let from = file_from(Arc::new(file));
                (Some(stamp), from(0), Some(from))
            }
            None => self.open_stream()?,
        };
        Ok((stamp, self.reader_of(bytes, reopen, limits)?))
    }

    /// The same of a run that may be asked to stop.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn watched_reader(&self, limits: Limits, progress: &Arc<Progress>) -> Result<InputReader> {
        match self.open_file()? {
            Some(_) => self.reader(limits).map(|(_, reader)| reader),
            None => {
                let (_, bytes, reopen) = self.open_stream()?;
                self.reader_of(progress.until_stopped(bytes), reopen, limits)
            }
        }
    }

    /// A reader of all `bytes`: of a crawl, a page, or texts. `reopen` reads the bytes from any
    /// offset.
    pub fn reader_of(
        &self,
        mut bytes: Box<dyn Read + Send>,
        reopen: Option<ReadFrom>,
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
            false => InputReader::whole(&self.origin(), bytes, reopen, limits),
        })
    }
}
