//! `_pages/`: the lists of pages that WACZ files have, as they are.

use super::{Input, OutputFolder};
use std::io::ErrorKind;
use warcsieve_common::{Error, Result};
use warcsieve_engine::page_lists;

/// The folder of the lists.
const PAGES: &str = "_pages";

/// The ending of the lists.
const LIST_ENDING: &str = ".jsonl";

impl OutputFolder {
    /// Copies the lists of pages of WACZ files among the inputs, to `_pages/crawl.wacz/pages/…`.
    /// One that cannot be read is reported: its file fails in the run if the crawls cannot be read
    /// either.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io) where it cannot be written.
    pub fn add_page_lists(&self, inputs: &[Input]) -> Result<()> {
        for list in page_lists(inputs) {
            match list {
                Ok((name, bytes)) => {
                    match self.folder().write(&format!("{PAGES}/{name}"), &bytes) {
                        Err(Error::Io { path, source })
                            if source.kind() == ErrorKind::InvalidFilename =>
                        {
                            let path = path.display();
                            tracing::warn!("a list of pages is not copied: {path}: {source}");
                        }
                        written => written?,
                    }
                }
                Err(error) => tracing::warn!("a list of pages is not copied: {error}"),
            }
        }
        Ok(())
    }

    /// Removes the lists of the WACZ files that had the crawls of these names inside.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io) where that fails.
    pub(super) fn remove_page_lists_of(&self, crawls: &[&str]) -> Result<()> {
        for list in self.folder().names(PAGES, LIST_ENDING)? {
            let has_crawl = |(at, _): (usize, &str)| {
                let archive = format!("{}/archive/", &list[..at]);
                crawls.iter().any(|name| name.starts_with(&archive))
            };
            if list.match_indices("/pages/").any(has_crawl) {
                self.folder()
                    .remove(&format!("{PAGES}/{list}{LIST_ENDING}"))?;
            }
        }
        Ok(())
    }

    /// Removes the lists of these inputs that another run copied.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io) where that fails.
    pub fn remove_page_lists(&self, inputs: &[Input]) -> Result<()> {
        let mut lists = page_lists(inputs).flatten();
        lists.try_for_each(|(name, _)| self.folder().remove(&format!("{PAGES}/{name}")))
    }
}
